/**
 * Reads open invoices once and adds them up in several ways: in total, by customer, and by when payment is expected, both by
 * due date and by the customer's payment habits. A customer's usual delay is the mean of the last twenty paid invoices; for
 * a customer with fewer than three, the due date counts.
 */
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Db } from "../state/Database.ts"
import { mondayOf, OPEN, type OpenTotal } from "./Receivables.ts"

/** How many invoices determine a customer's usual delay. */
const LAST = 20
const LEAST = 3

/** A customer's delay in days; negative: early. */
export interface PayingTime {
  readonly invoices: number
  /** The mean, rounded half up. */
  readonly days: number
}

/** Undefined if there are too few. */
export const usual = (late: ReadonlyArray<number>): PayingTime | undefined => {
  if (late.length < LEAST) return undefined
  const sum = late.reduce((all, one) => all + one, 0)
  return { invoices: late.length, days: Math.floor((2 * sum + late.length) / (2 * late.length)) }
}

/** The delays of a customer's last paid invoices, latest first. */
export const lateness = (db: Db, customer: number, most = LAST): ReadonlyArray<number> =>
  db
    .prepare(
      `SELECT CAST(julianday(paid) - julianday(due) AS INTEGER) FROM customer_invoice
        WHERE customer = ? AND paid IS NOT NULL ORDER BY paid DESC, due DESC LIMIT ?`
    )
    .pluck()
    .all(customer, most) as ReadonlyArray<number>

/** The fields of an open invoice that are needed here. Minor units. */
export interface OpenInvoice {
  /** The number of its document. */
  readonly document: number
  readonly currency: string
  readonly open: bigint
  readonly due: Day.Day
  readonly customer: number
  readonly insured: boolean
}

export const openInvoices = (db: Db, connections: ReadonlyArray<string>): ReadonlyArray<OpenInvoice> => {
  const rows = db
    .prepare(`SELECT document, currency, open, due, customer, insured FROM (${OPEN})`)
    .safeIntegers()
    .all({ connections: JSON.stringify(connections) }) as ReadonlyArray<
    Omit<OpenInvoice, "customer" | "document" | "insured"> &
      Readonly<Record<"customer" | "document" | "insured", bigint>>
  >
  return rows.map(({ customer, document, insured, ...row }) => ({
    ...row,
    insured: insured === 1n,
    document: Number(document),
    customer: Number(customer)
  }))
}

/** The open amount in one currency, of one age and cover: what the list of that age comes to. */
export interface Ageing {
  readonly currency: string
  /** Days since it was due. */
  readonly bucket: "not due" | "1-30" | "31-60" | "61-90" | "over 90"
  readonly insured: boolean
  readonly invoices: number
  /** Minor units. */
  readonly amount: bigint
}

const bucketOf = (late: number): Ageing["bucket"] =>
  late <= 0 ? "not due" : late <= 30 ? "1-30" : late <= 60 ? "31-60" : late <= 90 ? "61-90" : "over 90"

/** @param today the calendar day for calculating ages */
export const ageing = (invoices: ReadonlyArray<OpenInvoice>, today: Day.Day): ReadonlyArray<Ageing> => {
  const buckets = new Map<Day.Day, Ageing["bucket"]>()
  const found = new Map<string, Ageing>()
  for (const { currency, due, insured, open } of invoices) {
    const bucket = buckets.get(due) ?? bucketOf(Day.between(due, today))
    buckets.set(due, bucket)
    const of = `${currency} ${bucket} ${insured}`
    const { amount, invoices: count } = found.get(of) ?? { amount: 0n, invoices: 0 }
    found.set(of, { currency, bucket, insured, invoices: count + 1, amount: amount + open })
  }
  return [...found.values()]
}

/** `late`: expected before this week; `later`: after the weeks that are shown. */
export type Week = Day.Day | "late" | "later"

export interface ExpectedAmount {
  readonly currency: string
  /** The Monday of the week. */
  readonly week: Week
  readonly invoices: number
  readonly amount: Decimal.Decimal
  /** The numbers of their documents. */
  readonly documents: ReadonlyArray<number>
}

/** The week in which payment is expected. */
const weekOf = (due: Day.Day, late: number, today: Day.Day, weeks: number): Week => {
  const day = Day.addDays(due, late)
  if (day < today) return "late"
  const week = mondayOf(day)
  return week > Day.addDays(mondayOf(today), 7 * weeks) ? "later" : week
}

/** Expected amounts by currency and week; each invoice is in exactly one. */
export const expectedByWeek = (
  invoices: ReadonlyArray<OpenInvoice>,
  lateOf: (customer: number) => PayingTime | undefined,
  today: Day.Day,
  weeks: number
): ReadonlyArray<ExpectedAmount> => {
  const found = new Map<string, { currency: string; week: Week; open: bigint; documents: Array<number> }>()
  // Many invoices are due on the same day.
  const known = new Map<string, Week>()
  for (const { currency, customer, document, due, open } of invoices) {
    const late = lateOf(customer)?.days ?? 0
    const week = known.get(`${due} ${late}`) ?? weekOf(due, late, today, weeks)
    known.set(`${due} ${late}`, week)
    const of = `${currency} ${week}`
    const before = found.get(of) ?? { currency, week, open: 0n, documents: [] }
    before.open += open
    before.documents.push(document)
    found.set(of, before)
  }
  return [...found.values()].map(({ currency, documents, open, week }) => ({
    ...{ currency, week, documents },
    invoices: documents.length,
    amount: Currency.ofMinor(open, currency)
  }))
}

/** The totals, by currency. */
export const totalsOf = (invoices: ReadonlyArray<OpenInvoice>, today: Day.Day): ReadonlyArray<OpenTotal> =>
  [...Map.groupBy(invoices, ({ currency }) => currency)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, own]) => totalOf(currency, own, today))

const totalOf = (currency: string, own: ReadonlyArray<OpenInvoice>, today: Day.Day): OpenTotal => {
  let [open, overdue] = [0n, 0n]
  for (const one of own) {
    open += one.open
    if (one.due < today) overdue += one.open
  }
  return {
    ...{ currency, invoices: own.length },
    ...{ open: Currency.ofMinor(open, currency), overdue: Currency.ofMinor(overdue, currency) }
  }
}

export interface CustomerTotal extends OpenTotal {
  /** Its number in the state file. */
  readonly id: number
  readonly customer: string
}

/** The customers who owe most, for each currency. */
export const topCustomers = (
  db: Db,
  invoices: ReadonlyArray<OpenInvoice>,
  today: Day.Day,
  most: number
): ReadonlyArray<CustomerTotal> => {
  const nameOf = db.prepare("SELECT name FROM customer WHERE id = ?").pluck()
  return [...Map.groupBy(invoices, ({ currency }) => currency)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([currency, own]) =>
      [...Map.groupBy(own, ({ customer }) => customer)]
        .map(([id, some]) => ({ id, ...totalOf(currency, some, today) }))
        .toSorted((a, b) => (a.open > b.open ? -1 : a.open < b.open ? 1 : a.id - b.id))
        .slice(0, most)
        .map((one) => ({ ...one, customer: String(nameOf.get(one.id) ?? "") }))
    )
}
