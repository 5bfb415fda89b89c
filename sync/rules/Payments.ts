/**
 * Payments and reversals of one invoice against what was reported of them: rules P1 to P8 (II 2.6).
 *
 * Each fact is reported once, under a key that goes along in `details`. A fact that was edited or is gone is taken
 * back with a posting of the opposite sign, and reported anew under a numbered key. At every moment the negatives
 * of a payment stay within its positives, and those of the transaction within what was received: a negative that
 * would not waits for the positives of the same plan, and becomes attention when they do not suffice.
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

/** What should stand on the service for one fact. */
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
  /** The fact that it takes back, where the source names it. */
  readonly reverses?: string
}

/** A posting that is to be made. */
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

/** How a payment of another connection came to this invoice, see `sync/matching/Rules.ts`. */
const MATCHED: Readonly<Record<string, string>> = {
  choice: "allocated to this invoice by hand",
  link: "matched by the payment's own link",
  reference: "matched by the invoice number in its reference",
  amount: "matched by amount and payer",
  customer: "matched by amount and customer id"
}

/** A share of nothing is nothing to report. */
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
 * The key of the payment with this id; a payment split over invoices has the invoice's id behind its own. One that is
 * not here has nothing to take back, so what reverses it waits.
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

/** The posting that states this fact now, unless it was taken back. */
const reportedFor = (remote: RemoteInvoice, fact: string): ReportedPayment | undefined => {
  const last = remote.postings.findLast((posting) => posting.fact === fact)
  return last === undefined || last.undo ? undefined : last
}

/**
 * What was reported of payments that matching leaves to a person now, and whose items name this invoice. One of nothing
 * needs nobody.
 */
export const unplaced = (facts: InvoiceFacts, remote: RemoteInvoice): Decimal.Decimal =>
  Decimal.sum(
    (facts.unplaced ?? []).flatMap(({ amount, key, named }) => {
      const last = remote.postings.findLast(({ fact, undo }) => fact === key && !undo)
      return !named || last === undefined || amount <= 0n ? [] : [last.amount]
    })
  )

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
    // The same words whether it was taken back in this plan or in an earlier one: what is left of a plan that was cut
    // short is the rest of it.
    const before = `${Currency.say(last.amount, currency)} on ${last.date}`
    if (stands !== undefined) {
      const now = `${Currency.say(fact.amount, currency)} on ${fact.date}`
      found.push(takeBack(stands, "P6", `was reported as ${before}, the source now says ${now}`))
    }
    found.push({ ...fact, undo: false, order: 1, rule: "P6", reason: `${fact.reason}, in place of ${before}` })
  }
  // What can no longer be counted was not deleted: what was reported of it stands until a person has looked at it.
  const known = new Set([...wantedAll.map(({ fact }) => fact), ...(facts.foreign ?? []).map(({ key }) => key)])
  for (const fact of new Set(remote.postings.map((posting) => posting.fact))) {
    const stands = known.has(fact) ? undefined : reportedFor(remote, fact)
    if (stands === undefined) continue
    found.push(takeBack(stands, ...whyGone(facts, stands, currency)))
  }
  return found
}

/** What was reported and no longer belongs here: by which rule it is taken back, and why. */
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
  // What gives back goes first: it makes room for the rest.
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
  // What replaces a posting that cannot be taken back is part of the same problem.
  const stopped = open.filter((one) => one.amount < 0n)
  return { calls, attention: stopped.map((one) => stuck(facts, one, currency)) }
}

/** Removes the first candidate that keeps the invariants, if any. */
const take = (
  open: Array<Candidate>,
  postings: ReadonlyArray<ReportedPayment>,
  reverses: ReadonlyMap<string, string>
): Candidate | undefined => {
  const index = open.findIndex((one) => {
    if (!one.undo && open.some((other) => other.fact === one.fact && other.undo)) return false
    if (one.amount >= 0n) return true
    if (Decimal.sum(postings.map(({ amount }) => amount)) + one.amount < 0n) return false
    // What is left of the one payment that this takes back, where it is known.
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

/** Whether `details` of a payment on the service is that of the posting with this key. */
export const isPosting = (details: unknown, key: string): boolean =>
  typeof details === "string" && (details === key || details.startsWith(`${key}; `))

const stuck = (facts: InvoiceFacts, one: Candidate, currency: string): Attention => ({
  subject: facts.key,
  fact: one.fact,
  rule: one.rule,
  why: `${Currency.say(Decimal.abs(one.amount), currency)} cannot be reversed: it is more than was received before`,
  todo: "check in the source which payment it belongs to; it is sent as soon as the payment is there"
})
