/**
 * The movements of one invoice, in the books and on the service, each with its day: what raises what is open is positive. They
 * add up to what the completeness statement counts as open, or to less than nothing where the buyer is owed something.
 */
import type { Fact, InvoiceFacts } from "../model/InvoiceFacts.ts"
import { currencyOn, dueOn, type RemoteInvoice } from "../model/RemoteInvoice.ts"
import type { Allocated, Invoice } from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { OpenAmount } from "../rules/OpenAmount.ts"

export const PARTS = ["invoices", "creditNotes", "payments", "reversals"] as const
export type MonthPart = (typeof PARTS)[number]

export interface Movement {
  readonly part: MonthPart
  readonly date: Day
  readonly amount: Decimal.Decimal
}

export type MonthSums = Record<MonthPart | "opening", Decimal.Decimal>

export const noSums = (): MonthSums => ({ opening: 0n, invoices: 0n, creditNotes: 0n, payments: 0n, reversals: 0n })

export const closingOf = (sums: MonthSums): Decimal.Decimal =>
  PARTS.reduce((sum, part) => sum + sums[part], sums.opening)

export const addTo = (sums: MonthSums, { amount, date, part }: Movement, first: Day, last: Day): void => {
  if (date < first) sums.opening += amount
  else if (date <= last) sums[part] += amount
}

const of = (part: MonthPart, facts: ReadonlyArray<Fact<Allocated>>, sign: bigint): ReadonlyArray<Movement> =>
  facts.map(({ amount, document: { date } }) => ({ part, date, amount: sign * amount }))

const asked = ({ gross, net }: Invoice): Decimal.Decimal => gross ?? net ?? 0n

/**
 * @param open none if the invoice does not count
 * @param read the day on which the invoice was read as it is now
 */
export const inBooks = (
  { creditNotes, payments, reversals }: InvoiceFacts,
  invoice: Invoice,
  { figures, open }: OpenAmount,
  read: () => Day
): ReadonlyArray<Movement> => {
  if (figures === undefined) return []
  const left = figures.balance - open
  return [
    { part: "invoices", date: invoice.issued, amount: asked(invoice) },
    ...of("creditNotes", creditNotes, -1n),
    ...of("payments", payments, -1n),
    ...of("reversals", reversals, 1n),
    // The source calls it paid, and no payment says so.
    ...(left > 0n ? [{ part: "payments" as const, date: invoice.paidOn ?? read(), amount: -left }] : [])
  ]
}

/** Credit notes lower what is asked for on the service: the oldest are in it first. */
const lowered = ({ creditNotes }: InvoiceFacts, by: Decimal.Decimal): ReadonlyArray<Movement> => {
  let left = by
  return creditNotes
    .toSorted((a, b) => (a.document.date < b.document.date ? -1 : 1))
    .flatMap(({ amount, document: { date } }) => {
      const part = amount < left ? amount : left
      left -= part
      return part <= 0n ? [] : [{ part: "creditNotes" as const, date, amount: -part }]
    })
}

/** In the currency in which the service has it. */
export const onService = (facts: InvoiceFacts, remote: RemoteInvoice): ReadonlyArray<Movement> => {
  if (remote.status === "draft") return []
  const { invoice } = facts
  const due = dueOn(remote)
  const less = invoice === undefined || currencyOn(remote) !== invoice.currency ? 0n : asked(invoice) - due
  const credits = lowered(facts, less > 0n ? less : 0n)
  const issued = String(remote.fields["issue_date"] ?? invoice?.issued ?? "") as Day
  const movements: ReadonlyArray<Movement> = [
    { part: "invoices", date: issued, amount: credits.reduce((sum, { amount }) => sum - amount, due) },
    ...credits,
    ...remote.postings.map(({ amount, date, fact }) => ({
      part: fact.includes("/reversal/") ? ("reversals" as const) : ("payments" as const),
      date,
      amount: -amount
    })),
    ...(remote.others ?? []).map(({ amount, date }) => ({
      part: "payments" as const,
      date: (date ?? issued) as Day,
      amount: -Decimal.of(amount)
    }))
  ]
  const left = movements.reduce((sum, { amount }) => sum + amount, 0n)
  return remote.status === "paid" && left > 0n
    ? [...movements, { part: "payments", date: remote.paidDate ?? issued, amount: -left }]
    : movements
}
