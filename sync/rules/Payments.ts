/**
 * Compares the payments and reversals of one invoice with what was reported: rules P1 to P8 (II 2.6).
 *
 * Each fact is reported once, with its key in `details`. If a fact was edited or has disappeared, it is reversed with a posting
 * of the opposite sign, and reported again under a numbered key. The negative postings of a payment never exceed its positive
 * ones, and those of the transaction never exceed what was received: a negative posting that would exceed them waits for the
 * positive ones of the same plan, and becomes an attention item if they do not suffice.
 */
import type { ReversalType } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import { type Attention, type CallOf, reference } from "../model/Call.ts"
import type { Rule } from "../model/Rule.ts"
import type { Fields, PlannedPayment, ReportedPayment, RemoteInvoice } from "../model/RemoteInvoice.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"

/** What should be reported on the service for one fact. */
interface Wanted {
  readonly fact: string
  readonly date: Day
  /** Signed. */
  readonly amount: Decimal.Decimal
  readonly rule: Rule
  readonly reason: string
  readonly type?: ReversalType
  readonly providerCode?: string
  readonly details?: string
  /** The fact that it reverses, if the source names it. */
  readonly reverses?: string
}

/** A posting to be made. */
interface Candidate extends Wanted {
  readonly undo: boolean
  readonly order: number
}

const REVERSALS: Readonly<Record<ReversalType, { readonly rule: Rule; readonly words: string }>> = {
  error: { rule: "P2", words: "the payment failed after it had settled" },
  chargeback: { rule: "P3", words: "the customer charged it back" },
  refund: { rule: "P4", words: "it was returned to the customer" },
  unknown: { rule: "P5", words: "it went back, the source does not say why" },
  other: { rule: "P5", words: "it went back for another reason" }
}

/** How a payment of another connection was matched to this invoice, see `sync/matching/Rules.ts`. */
const MATCHED: Readonly<Record<string, string>> = {
  choice: "allocated to this invoice by hand",
  link: "matched by the payment's own link",
  reference: "matched by the invoice number in its reference",
  amount: "matched by amount and payer",
  customer: "matched by amount and customer id"
}

/** The postings that should exist. Amounts of zero are not reported. */
const wanted = (facts: InvoiceFacts, currency: string): ReadonlyArray<Wanted> =>
  stated(facts, currency).filter(({ amount }) => amount !== 0n)

const stated = (facts: InvoiceFacts, currency: string): ReadonlyArray<Wanted> => [
  ...facts.payments.map(
    ({ key, document, amount, how }): Wanted => ({
      fact: key,
      date: document.date,
      amount,
      rule: "P1",
      reason: `${Currency.say(amount, currency)} received on ${document.date}${how === undefined ? "" : `, ${MATCHED[how] ?? "matched"}`}`
    })
  ),
  ...facts.reversals.map(({ key, document, amount }): Wanted => {
    const { rule, words } = REVERSALS[document.type]
    const payment =
      document.payment === undefined
        ? undefined
        : paymentKey(facts, Document.parseKey(key).connection, document.payment)
    return {
      fact: key,
      date: document.date,
      amount: -amount,
      rule,
      reason: `${Currency.say(amount, currency)} went back on ${document.date}: ${words}`,
      type: document.type,
      ...(document.providerCode === undefined ? {} : { providerCode: document.providerCode }),
      ...(document.details === undefined ? {} : { details: document.details }),
      ...(payment === undefined ? {} : { reverses: payment })
    }
  })
]

/**
 * The key of the payment with this id. If a payment is split over invoices, its key ends with the invoice's id. A payment that
 * is not here cannot be reversed, so its reversal waits.
 */
const paymentKey = (facts: InvoiceFacts, connection: string, id: string): string => {
  const own = facts.payments.filter(({ key }) => key.startsWith(`${connection}/`))
  const part = ({ document }: (typeof own)[number]) =>
    document.id === `${id}/${facts.invoice?.id}` ||
    document.shares.some(({ invoice }) => document.id === `${id}/${invoice}`)
  return (
    (own.find(({ document }) => document.id === id) ?? own.find(part))?.key ?? Document.key(connection, "payment", id)
  )
}

/** The current posting for this fact, unless it was reversed. */
const reportedFor = (remote: RemoteInvoice, fact: string): ReportedPayment | undefined => {
  const last = remote.postings.findLast((posting) => posting.fact === fact)
  return last === undefined || last.undo ? undefined : last
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
const candidates = (facts: InvoiceFacts, remote: RemoteInvoice, currency: string): ReadonlyArray<Candidate> => {
  const found: Array<Candidate> = []
  const wantedAll = wanted(facts, currency)
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
  const known = new Set([...wantedAll.map(({ fact }) => fact), ...(facts.foreign ?? []).map(({ key }) => key)])
  for (const fact of new Set(remote.postings.map((posting) => posting.fact))) {
    const stands = known.has(fact) ? undefined : reportedFor(remote, fact)
    if (stands === undefined) continue
    found.push(takeBack(stands, ...whyGone(facts, stands, currency)))
  }
  return found
}

/** Why something that was reported no longer belongs here, and the rule that reverses it: P5, P6 or P8. */
const whyGone = ({ unplaced }: InvoiceFacts, stands: ReportedPayment, currency: string): readonly [Rule, string] => {
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
}

/** The calls that report payments and reversals, in order. They do not depend on cover (H7). */
export const report = (facts: InvoiceFacts, remote: RemoteInvoice, currency: string): Reported => {
  const open = candidates(facts, remote, currency).toSorted(byDate)
  const postings: Array<ReportedPayment> = [...remote.postings]
  const calls: Array<CallOf<"transactions.createPayment">> = []
  const reverses = new Map(
    wanted(facts, currency).flatMap(({ fact, reverses }) => (reverses === undefined ? [] : [[fact, reverses]]))
  )
  const next = () => take(open, postings, reverses)
  for (let one = next(); one !== undefined; one = next()) {
    const posting = post(one, postings)
    postings.push({ ...posting, id: reference(posting.key) })
    calls.push(call(facts, one, posting))
  }
  // The replacement of a posting that cannot be reversed is part of the same problem.
  const stopped = open.filter((one) => one.amount < 0n)
  return { calls, attention: stopped.map((one) => stuck(facts, one, currency)) }
}

/** Removes the first candidate that keeps the limits above, if any. */
const take = (
  open: Array<Candidate>,
  postings: ReadonlyArray<ReportedPayment>,
  reverses: ReadonlyMap<string, string>
): Candidate | undefined => {
  const index = open.findIndex((one) => {
    if (!one.undo && open.some((other) => other.fact === one.fact && other.undo)) return false
    if (one.amount >= 0n) return true
    if (Decimal.sum(postings.map(({ amount }) => amount)) + one.amount < 0n) return false
    // What is left of the one payment that this reverses, if known.
    const payment = one.undo ? one.fact : one.reverses
    if (payment === undefined) return true
    const of = postings.filter(({ fact }) => fact === payment || reverses.get(fact) === payment)
    return Decimal.sum(of.map(({ amount }) => amount)) + one.amount >= 0n
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
