/**
 * Compares the payments and reversals of one invoice with what was reported: rules P1 to P9 (II 2.6).
 *
 * Each fact is reported once, with its key in `details`. If a fact was edited or has disappeared, it is reversed with a posting
 * of the opposite sign, and reported again under a numbered key. The negative postings of a payment never exceed its positive
 * ones, and those of the transaction never exceed what was received: a negative posting that would exceed them waits for the
 * positive ones of the same plan, and becomes an attention item if they do not suffice.
 */
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { type Attention, type CallOf, reference } from "../model/Call.ts"
import type { Rule } from "../model/Rule.ts"
import {
  type Fields,
  othersOn,
  type PlannedPayment,
  type RemoteInvoice,
  type ReportedPayment
} from "../model/RemoteInvoice.ts"
import { byOthers, heldForOthers } from "./PaymentsOfOthers.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import { reportedAs, reportedFor, type WantedPosting, wanted } from "./Wanted.ts"

/** A posting to be made. */
interface Candidate extends WantedPosting {
  readonly undo: boolean
  readonly order: number
}

/**
 * The sum reported for payments that matching now leaves to a person and whose items name this invoice. A sum of zero needs
 * nobody.
 */
export const unplaced = (facts: InvoiceFacts, remote: RemoteInvoice): Decimal.Decimal =>
  Decimal.sum(
    (facts.unplaced ?? []).flatMap(({ amount, key, named }) => {
      const last = remote.postings.findLast(({ fact, undo }) => fact === key && !undo)
      return !named || last === undefined || amount <= 0n ? [] : [last.amount]
    })
  )

/**
 * P1 to P8: what is still to be reported, and what is to be reversed. An edit (P6) is both, as is a payment that moved to another
 * invoice (P7: P5 there, P1 here).
 */
const candidates = (
  facts: InvoiceFacts,
  remote: RemoteInvoice,
  currency: string,
  wantedAll: ReadonlyArray<WantedPosting>
): ReadonlyArray<Candidate> => {
  const found: Array<Candidate> = []
  for (const fact of wantedAll) {
    const stands = reportedFor(remote, fact.fact)
    if (stands?.amount === fact.amount && stands.date === fact.date) continue
    const last = remote.postings.findLast((posting) => posting.fact === fact.fact && !posting.undo)
    if (last === undefined) {
      found.push({ ...fact, undo: false, order: 0 })
      continue
    }
    // The wording is the same whether it was reversed in this plan or in an earlier one: after an interruption, the new plan
    // must equal the rest of the old one.
    const before = `${Currency.say(last.amount, currency)} on ${last.date}`
    if (stands !== undefined) {
      const now = `${Currency.say(fact.amount, currency)} on ${fact.date}`
      found.push(takeBack(stands, "P6", `was reported as ${before}, the source now says ${now}`))
    }
    found.push({ ...fact, undo: false, order: 1, rule: "P6", reason: `${fact.reason}, in place of ${before}` })
  }
  // A fact that can no longer be counted was not deleted: what was reported stays until a person has looked at it.
  const known = new Set([
    ...wantedAll.map(({ fact }) => fact),
    ...(facts.foreign ?? []).map(({ key }) => key),
    ...(facts.waiting ?? []).map(({ fact }) => fact.key)
  ])
  let back = -othersOn(remote)
  for (const fact of new Set(remote.postings.map((posting) => posting.fact))) {
    const stands = known.has(fact) ? undefined : reportedFor(remote, fact)
    if (stands === undefined) continue
    // Somebody else took it back on the service.
    if (stands.amount > 0n && stands.amount <= back) {
      back -= stands.amount
      continue
    }
    found.push(takeBack(stands, ...whyGone(facts, stands, currency)))
  }
  return found
}

/** Why something that was reported no longer belongs here, and the rule that reverses it: P5, P6 or P8. */
const whyGone = (facts: InvoiceFacts, stands: ReportedPayment, currency: string): readonly [Rule, string] => {
  const { unplaced } = facts
  const same = [...facts.payments, ...facts.reversals].find(({ seen = [] }) =>
    seen.some(({ key }) => key === stands.fact)
  )
  if (same !== undefined) return [stands.amount < 0n ? "P8" : "P5", `${same.key} is the same money, and stands as well`]
  if (stands.amount < 0n) return ["P8", "the reversal was deleted in the source"]
  const now = unplaced?.find(({ key }) => key === stands.fact)
  if (now === undefined) return ["P5", "the payment was deleted in the source or moved to another invoice"]
  if (now.amount === stands.amount && now.date === stands.date)
    return ["P5", "which invoice the payment is for is no longer certain"]
  const [was, is] = [stands, now].map(({ amount, date }) => `${Currency.say(amount, currency)} on ${date}`)
  return ["P6", `was reported as ${was}, the source now says ${is}, and which invoice that is for is not known yet`]
}

const takeBack = (stands: ReportedPayment, rule: Rule, reason: string): Candidate => ({
  fact: stands.fact,
  date: stands.date,
  amount: -stands.amount,
  rule,
  reason,
  undo: true,
  // Reversals of negative postings come first: they make room for the rest.
  order: stands.amount < 0n ? -1 : 0,
  ...(stands.amount > 0n ? { type: "unknown" as const } : {}),
  details: reason
})

const byDate = (a: Candidate, b: Candidate): number => {
  if (a.order !== b.order) return a.order - b.order
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  if (a.amount > 0n !== b.amount > 0n) return a.amount > 0n ? -1 : 1
  return a.fact < b.fact ? -1 : a.fact > b.fact ? 1 : 0
}

export interface Reported {
  readonly calls: ReadonlyArray<CallOf<"transactions.createPayment">>
  readonly attention: ReadonlyArray<Attention>
  /** From this call on, they wait until other invoices have given back what moves here. */
  readonly follows?: number
}

/** The calls that report payments and reversals, in order. They do not depend on cover (H7). */
export const report = (facts: InvoiceFacts, remote: RemoteInvoice, currency: string): Reported => {
  const all = reportedAs(wanted(facts, currency), facts, remote)
  const blocked = new Set((facts.moving ?? []).flatMap(({ fact, leaves }) => (leaves ? [] : [fact])))
  const planned = afterCorrections(
    candidates(facts, remote, currency, all).filter((one) => !blocked.has(one.fact) && !blocked.has(one.reverses ?? ""))
  ).map((one) => (isFollowing(facts, one) ? { ...one, order: 2 } : one))
  const held = heldForOthers(planned, remote)
  const { calls, open } = best(
    planned.filter((one) => !held.includes(one)),
    remote,
    all,
    currency
  )
  const follows = calls.findIndex(({ one }) => one.order === 2)
  // The replacement of a posting that cannot be reversed is part of the same problem.
  const stopped = open.filter((one) => one.amount < 0n)
  return {
    calls: calls.map(({ one, posting }) => call(facts, one, posting)),
    attention: [
      ...stopped.map((one) => stuck(facts, one, currency)),
      ...moved(facts, currency),
      ...byOthers(facts, remote, { currency, held, wants: sumOf(all) - sumOf(calls.map(({ one }) => one)) })
    ],
    ...(follows < 0 ? {} : { follows })
  }
}

const sumOf = (all: ReadonlyArray<{ readonly amount: Decimal.Decimal }>): Decimal.Decimal =>
  Decimal.sum(all.map(({ amount }) => amount))

/** P7: its other half is on an invoice that gives it back first. */
const isFollowing = ({ moving = [] }: InvoiceFacts, one: Candidate): boolean =>
  !one.undo && moving.some(({ fact, leaves }) => leaves && (fact === one.fact || fact === one.reverses))

/** The postings in the order in which they can be made, and what cannot be. */
const ordered = (planned: ReadonlyArray<Candidate>, remote: RemoteInvoice, all: ReadonlyArray<WantedPosting>) => {
  const open = planned.toSorted(byDate)
  const postings: Array<ReportedPayment> = [...remote.postings]
  const calls: Array<{ readonly one: Candidate; readonly posting: PlannedPayment }> = []
  const reverses = new Map(
    all.flatMap(({ fact, reverses }) => (reverses === undefined ? [] : [[fact, reverses] as const]))
  )
  const next = () => take(open, postings, reverses, othersOn(remote))
  for (let one = next(); one !== undefined; one = next()) {
    const posting = post(one, postings)
    postings.push({ ...posting, id: reference(posting.key) })
    calls.push({ one, posting })
  }
  return { calls, open }
}

/**
 * What went back is reported after what is corrected, or it would stand in the way. All of it, so that a plan of which some calls
 * were made goes on in the same order.
 */
const afterCorrections = (planned: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> =>
  planned.some(({ order, undo }) => !undo && order === 1)
    ? planned.map((one) => (one.undo || one.amount > 0n ? one : { ...one, order: 1 }))
    : planned

/**
 * A payment cannot be corrected while a refund of it stands: the refund is taken back first, and reported again after it. Those
 * of the payment itself, or else also those of which the source does not say what they reverse. Only where that helps, and
 * leaves none taken back.
 */
const best = (
  planned: ReadonlyArray<Candidate>,
  remote: RemoteInvoice,
  all: ReadonlyArray<WantedPosting>,
  currency: string
) => {
  const first = ordered(planned, remote, all)
  const stopped = new Set(first.open.flatMap(({ amount, fact, undo }) => (undo && amount < 0n ? [fact] : [])))
  if (stopped.size === 0) return first
  const standing = all.filter(
    (one) =>
      one.amount < 0n && !planned.some(({ fact }) => fact === one.fact) && reportedFor(remote, one.fact) !== undefined
  )
  const own = standing.filter(({ reverses }) => stopped.has(reverses ?? ""))
  const unnamed = standing.filter(({ reverses }) => reverses === undefined)
  let found = first
  for (const some of [own, [...own, ...unnamed]]) {
    const lifted = new Set(some.map(({ fact }) => fact))
    const next = ordered([...planned, ...some.flatMap((one) => lift(one, remote, currency))], remote, all)
    if (next.open.length < found.open.length && !next.open.some(({ fact }) => lifted.has(fact))) found = next
  }
  return found
}

const lift = (one: WantedPosting, remote: RemoteInvoice, currency: string): ReadonlyArray<Candidate> => {
  const stands = reportedFor(remote, one.fact)
  if (stands === undefined) return []
  const before = `${Currency.say(stands.amount, currency)} on ${stands.date}`
  return [
    takeBack(stands, "P6", "its payment is corrected; it is reported again after it"),
    { ...one, undo: false, order: 1, rule: "P6", reason: `${one.reason}, in place of ${before}` }
  ]
}

/** P7: what stands on another invoice and cannot be taken back there is not reported here. */
const moved = (facts: InvoiceFacts, currency: string): ReadonlyArray<Attention> =>
  (facts.moving ?? []).flatMap(({ amount, fact, invoice, leaves }): ReadonlyArray<Attention> => {
    if (leaves) return []
    const other = Document.parseKey(invoice).id
    return [
      {
        subject: facts.key,
        fact,
        rule: "P7",
        why: `${fact} is for this invoice now, but ${Currency.say(amount, currency)} of it stands on ${other} and cannot be taken back there yet: it is not reported here`,
        todo: `resolve what holds ${other}: daybook explain ${invoice}; it is reported here as soon as it is taken back there`
      }
    ]
  })

/** Removes the first candidate that keeps the limits above, if any. */
const take = (
  open: Array<Candidate>,
  postings: ReadonlyArray<ReportedPayment>,
  reverses: ReadonlyMap<string, string>,
  others: Decimal.Decimal
): Candidate | undefined => {
  const index = open.findIndex((one) => {
    if (!one.undo && open.some((other) => other.fact === one.fact && other.undo)) return false
    if (one.amount >= 0n) return true
    if (others + sumOf(postings) + one.amount < 0n) return false
    // What is left of the one payment that this reverses, if known.
    const payment = one.undo ? one.fact : one.reverses
    if (payment === undefined) return true
    const of = postings.filter(({ fact }) => fact === payment || reverses.get(fact) === payment)
    return sumOf(of) + one.amount >= 0n
  })
  return index < 0 ? undefined : open.splice(index, 1)[0]
}

const post = (one: Candidate, postings: ReadonlyArray<ReportedPayment>): PlannedPayment => {
  const before = postings.filter(({ fact }) => fact === one.fact).length
  return {
    key: before === 0 ? one.fact : `${one.fact}#${before + 1}`,
    fact: one.fact,
    undo: one.undo,
    date: one.date,
    amount: one.amount
  }
}

const call = (facts: InvoiceFacts, one: Candidate, posting: PlannedPayment): CallOf<"transactions.createPayment"> => ({
  kind: "invoice",
  subject: facts.key,
  fact: one.fact,
  rule: one.rule,
  operation: "transactions.createPayment",
  params: { transaction_id: reference(facts.key) },
  body: body(one, posting.key),
  posting,
  destructive: one.amount < 0n,
  reason: one.reason
})

const body = (one: Candidate, key: string): Fields => ({
  date: one.date,
  amount: Decimal.format(one.amount, 2),
  ...(one.amount < 0n ? { type: one.type ?? "unknown" } : {}),
  ...(one.providerCode === undefined ? {} : { provider_code: one.providerCode }),
  details: one.details === undefined ? key : `${key}; ${one.details}`
})

/** Whether the `details` of a payment on the service belong to the posting with this key. */
export const isPosting = (details: unknown, key: string): boolean =>
  typeof details === "string" && (details === key || details.startsWith(`${key}; `))

const stuck = (facts: InvoiceFacts, one: Candidate, currency: string): Attention => ({
  subject: facts.key,
  fact: one.fact,
  rule: one.rule,
  why: `${Currency.say(Decimal.abs(one.amount), currency)} cannot be reversed: it is more than was received before`,
  todo: "check in the source which payment it belongs to; it is sent as soon as the payment is there"
})
