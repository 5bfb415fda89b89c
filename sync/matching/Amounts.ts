/**
 * Finds the invoice for a payment without a reference by its exact amount: an invoice of the payer with that name (M3), or
 * of the customer with that id (M6). Pure, like `Rules.ts`.
 */
import * as Day from "../../core/wire/Day.ts"
import { entryOf } from "../../core/Entry.ts"
import { names } from "./Rules.ts"

/** The payer of an invoice or payment; empty fields are unknown or do not count. */
export interface Payer {
  /** The name, reduced to letters and digits. */
  readonly party: string
  /** The customer's id; for payments only if the configuration says that both sides use the same ids. */
  readonly customer: string
}

/** M3 and M6: whether the payer is the same. Ids take precedence over names: if both sides state an id, names are ignored. */
export const paidBy = (payment: Payer, invoice: Payer): "customer" | "amount" | undefined => {
  if (payment.customer !== "" && invoice.customer !== "")
    return payment.customer === invoice.customer ? "customer" : undefined
  return payment.party !== "" && payment.party === invoice.party ? "amount" : undefined
}

/** A payment that names no invoice. */
export interface Unnamed extends Payer {
  readonly key: string
  readonly date: Day.Day
  /** All of it went back, so its invoice stays open for another payment. */
  readonly returned: boolean
}

/** An invoice whose open amount is exactly the payment's. */
export interface Fitting extends Payer {
  readonly key: string
  readonly issued: Day.Day
  readonly due: Day.Day
}

/** A payment within this many days of the due date is for this invoice rather than for last month's of the same amount. */
const NEAR_DAYS = 3

const MS_PER_DAY = 86_400_000

/**
 * A payment's day relative to an invoice: near its due date, within the window (from issue to some days after due), or
 * outside.
 */
const lies = (
  { from, to }: { readonly from: number; readonly to: number },
  date: number,
  days: number
): "about" | "within" | "outside" => {
  if (date < from || date > Math.max(from, to) + days * MS_PER_DAY) return "outside"
  return Math.abs(date - to) <= NEAR_DAYS * MS_PER_DAY ? "about" : "within"
}

/**
 * Why a payment without a reference has no invoice: none has this amount, all are outside the window, or another payment
 * took the only one inside it.
 *
 * @param taken invoices that other payments have
 */
export const unfitting = (
  payment: Payer & { readonly date: Day.Day; readonly days: number },
  invoices: ReadonlyArray<Fitting>,
  taken: ReadonlySet<string>
): string => {
  const { customer, date, days } = payment
  const by = customer !== ""
  const [payer, whose] = by ? [`customer ${customer}`, `customer ${customer}'s`] : ["this payer", "this payer's"]
  const at = Day.toEpochMillis(date)
  const own = invoices.filter((invoice) => paidBy(payment, invoice) !== undefined)
  const windows = own.map(({ due, issued, key }) => {
    const window = { from: Day.toEpochMillis(issued), to: Day.toEpochMillis(due) }
    return { key, early: at < window.from, how: lies(window, at, days) }
  })
  const keys = (all: typeof windows) => names(all.map(({ key }) => key))
  const were = (all: typeof windows) => (all.length === 1 ? "was" : "were")
  const within = windows.filter(({ how }) => how !== "outside")
  if (within.length > 0)
    return `no reference, and ${keys(within)}, of ${payer} and ${by ? "this " : ""}amount, ${were(within)} paid by another payment`
  const open = windows.filter(({ key }) => !taken.has(key))
  if (open.length === 0) return `no reference, and no open invoice of ${payer} has this amount`
  const [early, late] = [open.filter((one) => one.early), open.filter((one) => !one.early)]
  const why = [
    ...(late.length === 0 ? [] : [`${keys(late)} ${were(late)} due more than ${days} days before (match.days)`]),
    ...(early.length === 0 ? [] : [`${keys(early)} ${were(early)} issued only after it`])
  ]
  return `no reference, and of ${whose} open invoices of this amount ${why.join("; ")}`
}

type Fits = ReadonlyMap<string, ReadonlyArray<string>>

/**
 * Assigns payments with exactly one possible invoice, unless another payment has only that one, too; repeats with the rest.
 */
const assignCertain = (
  payments: ReadonlyArray<string>,
  fits: Fits,
  taken: Set<string>,
  decided: Map<string, string>
): void => {
  let waiting = payments
  for (;;) {
    const only = new Map<string, Array<string>>()
    for (const key of waiting) {
      const [left, ...more] = entryOf(fits, key).filter((invoice) => !taken.has(invoice))
      if (left !== undefined && more.length === 0) only.set(left, [...(only.get(left) ?? []), key])
    }
    const certain = [...only].flatMap(([invoice, [key, ...more]]) =>
      key !== undefined && more.length === 0 ? [[key, invoice] as const] : []
    )
    if (certain.length === 0) return
    for (const [payment, invoice] of certain) {
      decided.set(payment, invoice)
      taken.add(invoice)
    }
    waiting = waiting.filter((key) => !decided.has(key))
  }
}

/**
 * M3 and M6, for payments and invoices of one currency and amount whose payers may be the same. First those near the due
 * date, so that each month's payment finds its own month, then all within the window.
 *
 * @returns by payment, its invoice, or the invoices among which a person must choose
 */
export const byAmount = (
  payments: ReadonlyArray<Unnamed & { readonly days: number }>,
  invoices: ReadonlyArray<Fitting>
): Map<string, string | ReadonlyArray<string>> => {
  const all = new Map<string, ReadonlyArray<string>>()
  const about = new Map<string, ReadonlyArray<string>>()
  const windows = invoices.map((invoice) => ({
    invoice,
    from: Day.toEpochMillis(invoice.issued),
    to: Day.toEpochMillis(invoice.due)
  }))
  for (const payment of payments) {
    const { date, days, key } = payment
    const at = Day.toEpochMillis(date)
    const own = windows.filter(({ invoice }) => paidBy(payment, invoice) !== undefined)
    const found = own.map((window) => [window.invoice.key, lies(window, at, days)] as const)
    all.set(
      key,
      found.flatMap(([invoice, how]) => (how === "outside" ? [] : [invoice]))
    )
    about.set(
      key,
      found.flatMap(([invoice, how]) => (how === "about" ? [invoice] : []))
    )
  }
  const standing = payments.filter(({ returned }) => !returned).map(({ key }) => key)
  const taken = new Set<string>()
  const decided = new Map<string, string>()
  assignCertain(standing, about, taken, decided)
  const left = standing.filter((key) => !decided.has(key))
  assignCertain(left, all, taken, decided)
  return new Map(
    payments.map(({ key, returned }) => {
      const certain = decided.get(key)
      if (certain !== undefined) return [key, certain]
      // A returned payment leaves its invoice open for another one, so it takes none away.
      const free = entryOf(all, key).filter((invoice) => returned || !taken.has(invoice))
      const [one, another] = returned && entryOf(about, key).length === 1 ? entryOf(about, key) : free
      return [key, returned && one !== undefined && another === undefined ? one : free]
    })
  )
}
