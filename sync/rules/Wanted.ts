/**
 * What should be reported on the service for the payments and reversals of one invoice, and under which key each stands there
 * already. Pure; `Payments.ts` compares it with what was reported.
 */
import type { ReversalType } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { InvoiceFacts, SeenElsewhere } from "../model/InvoiceFacts.ts"
import type { RemoteInvoice, ReportedPayment } from "../model/RemoteInvoice.ts"
import type { Rule } from "../model/Rule.ts"
import { daysBetween } from "../movements/Join.ts"

/** Within this many days, a payment of another list replaces one that its own list no longer states. */
const REPLACED_DAYS = 10

const listOf = (fact: string): string => fact.slice(0, fact.indexOf("/"))

/**
 * The same, under the key and day by which each stands on the service already: as another list states the same money, or as
 * one stated it that no longer does. What stands is not sent a second time because of who says so.
 */
export const reportedAs = (
  all: ReadonlyArray<WantedPosting>,
  { unplaced = [], waiting = [] }: InvoiceFacts,
  remote: RemoteInvoice
): ReadonlyArray<WantedPosting> => {
  const stated = new Set([
    ...all.flatMap(({ fact, seen = [] }) => [fact, ...seen.map(({ key }) => key)]),
    ...waiting.map(({ fact }) => fact.key),
    ...unplaced.map(({ key }) => key)
  ])
  const left = [...new Set(remote.postings.map(({ fact }) => fact))].flatMap((fact) => {
    const stands = stated.has(fact) ? undefined : reportedFor(remote, fact)
    return stands === undefined ? [] : [stands]
  })
  const used = new Map<string, string>()
  const found = all.map((one) => {
    if (reportedFor(remote, one.fact) !== undefined) return one
    const seen = one.seen?.find(({ key }) => reportedFor(remote, key) !== undefined)
    if (seen !== undefined) {
      used.set(one.fact, seen.key)
      return { ...one, fact: seen.key, date: seen.date }
    }
    if (remote.postings.some(({ fact }) => fact === one.fact)) return one
    const at = left.findIndex(
      ({ amount, date, fact }) =>
        amount === one.amount &&
        listOf(fact) !== listOf(one.fact) &&
        Math.abs(daysBetween(date, one.date)) <= REPLACED_DAYS
    )
    const [before] = at < 0 ? [] : left.splice(at, 1)
    if (before === undefined) return one
    used.set(one.fact, before.fact)
    return { ...one, fact: before.fact, date: before.date }
  })
  return found.map((one) =>
    one.reverses === undefined ? one : { ...one, reverses: used.get(one.reverses) ?? one.reverses }
  )
}

/** What should be reported on the service for one fact. */
export interface WantedPosting {
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
  /** The same money as other lists state it. */
  readonly seen?: ReadonlyArray<SeenElsewhere>
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
  reference: "matched by its reference, which names the invoice",
  amount: "matched by amount and payer",
  customer: "matched by amount and customer id",
  stands: "on this invoice on the service"
}

/** The postings that should exist. Amounts of zero are not reported. */
export const wanted = (facts: InvoiceFacts, currency: string): ReadonlyArray<WantedPosting> =>
  stated(facts, currency).filter(({ amount }) => amount !== 0n)

const stated = (facts: InvoiceFacts, currency: string): ReadonlyArray<WantedPosting> => [
  ...facts.payments.map(
    ({ key, document, amount, how, note, seen }): WantedPosting => ({
      ...(seen === undefined ? {} : { seen }),
      fact: key,
      date: document.date,
      amount,
      rule: "P1",
      reason: `${Currency.say(amount, currency)} received on ${document.date}${how === undefined ? "" : `, ${MATCHED[how] ?? "matched"}`}${note === undefined ? "" : `: ${note}`}`
    })
  ),
  ...facts.reversals.map(({ key, document, amount, seen }): WantedPosting => {
    const { rule, words } = REVERSALS[document.type]
    const payment =
      document.payment === undefined
        ? undefined
        : paymentKey(facts, Document.parseKey(key).connection, document.payment)
    return {
      ...(seen === undefined ? {} : { seen }),
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
  const key = Document.key(connection, "payment", id)
  const isIt = (one: { readonly key: string }) => one.key === key || one.key.startsWith(`${key}/`)
  const same = facts.payments.find(({ seen = [] }) => seen.some(isIt))
  if (same !== undefined) return same.key
  const own = facts.payments.filter(({ key }) => key.startsWith(`${connection}/`))
  const part = ({ document }: (typeof own)[number]) =>
    document.id === `${id}/${facts.invoice?.id}` ||
    document.shares.some(({ invoice }) => document.id === `${id}/${invoice}`)
  return (own.find(({ document }) => document.id === id) ?? own.find(part))?.key ?? key
}

/** The current posting for this fact, unless it was reversed. */
export const reportedFor = (remote: RemoteInvoice, fact: string): ReportedPayment | undefined => {
  const last = remote.postings.findLast((posting) => posting.fact === fact)
  return last === undefined || last.undo ? undefined : last
}

/** What stands on an invoice and is not for it any more, by fact. */
export const leftOver = (facts: InvoiceFacts, remote: RemoteInvoice, currency: string): ReadonlyMap<string, bigint> => {
  const all =
    facts.invoice === undefined || facts.deleted || facts.invoice.status === "void"
      ? []
      : reportedAs(wanted(facts, currency), facts, remote)
  const left = new Map<string, bigint>()
  for (const fact of new Set(remote.postings.map((posting) => posting.fact))) {
    const stands = reportedFor(remote, fact)
    const here = all.find((one) => one.fact === fact)?.amount ?? 0n
    if (stands !== undefined && stands.amount > here && stands.amount > 0n) left.set(fact, stands.amount - here)
  }
  return left
}
