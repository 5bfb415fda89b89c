/**
 * Finds the invoice for a payment without a reference by its exact amount: an invoice of the payer with that name (M3), or
 * of the customer with that id (M6). Pure, like `Rules.ts`.
 */
import * as Day from "../../core/wire/Day.ts"
import { entryOf } from "../../core/Entry.ts"
import { fitsForm, letters, type PayerName } from "../model/PayerName.ts"
import { names } from "./Rules.ts"
import { isAnother, isDate, isEndOf, isTypo } from "./Texts.ts"

/** The payer of an invoice or payment; empty fields are unknown or do not count. */
export interface Payer extends PayerName {
  /** 1 if `party` is only the beginning of a name, legal form included: a bank cut it. */
  readonly cut: number
  /** The customer's id; for payments only if the configuration says that both sides use the same ids. */
  readonly customer: string
}

/** The customer of an invoice. */
export type CustomerName = Omit<Payer, "cut">

/** M3 and M6: whether the payer is the same. Ids take precedence over names: if both sides state an id, names are ignored. */
export const paidBy = (payment: Payer, invoice: CustomerName): "customer" | "amount" | undefined => {
  if (payment.customer !== "" && invoice.customer !== "")
    return payment.customer === invoice.customer ? "customer" : undefined
  if (payment.party === "") return undefined
  const isSame =
    payment.cut === 1
      ? letters(invoice).startsWith(payment.party)
      : payment.party === invoice.party && fitsForm(payment.form, invoice.form)
  return isSame ? "amount" : undefined
}

/** Whether a payment may be of an invoice's customer, by whatever is known of its payer. */
export type Fits = (payment: Unnamed, invoice: Fitting) => "customer" | "amount" | undefined

/** A payment that names no invoice. */
export interface Unnamed extends Payer {
  readonly key: string
  readonly date: Day.Day
}

/** An invoice whose open amount is exactly the payment's. */
export interface Fitting extends CustomerName {
  readonly key: string
  readonly number: string
  readonly issued: Day.Day
  readonly due: Day.Day
}

const MS_PER_DAY = 86_400_000

/** Whether a payment's day is in an invoice's window: from its issue to some days after it was due. */
const isWithin = ({ due, issued }: Fitting, date: Day.Day, days: number): boolean =>
  date >= issued &&
  Day.toEpochMillis(date) <= Math.max(Day.toEpochMillis(issued), Day.toEpochMillis(due)) + days * MS_PER_DAY

/**
 * Why a payment without a reference has no invoice: none has this amount, all are outside the window, or another payment
 * took the only one inside it.
 *
 * @param own the payer's open invoices of this amount
 * @param taken invoices that other payments have
 */
export const unfitting = (
  payment: Payer & { readonly date: Day.Day; readonly days: number },
  own: ReadonlyArray<Fitting>,
  taken: ReadonlySet<string>
): string => {
  const { customer, date, days } = payment
  const by = customer !== ""
  const [payer, whose] = by ? [`customer ${customer}`, `customer ${customer}'s`] : ["this payer", "this payer's"]
  const keys = (all: ReadonlyArray<Fitting>) => names(all.map(({ key }) => key))
  const were = (all: ReadonlyArray<Fitting>) => (all.length === 1 ? "was" : "were")
  const within = own.filter((invoice) => isWithin(invoice, date, days))
  if (within.length > 0)
    return `${keys(within)}, of ${payer} and ${by ? "this " : ""}amount, ${were(within)} paid by another payment`
  const open = own.filter(({ key }) => !taken.has(key))
  if (open.length === 0) return `no open invoice of ${payer} has this amount`
  const [early, late] = [open.filter(({ issued }) => date < issued), open.filter(({ issued }) => date >= issued)]
  const why = [
    ...(late.length === 0 ? [] : [`${keys(late)} ${were(late)} due more than ${days} days before (match.days)`]),
    ...(early.length === 0 ? [] : [`${keys(early)} ${were(early)} issued only after it`])
  ]
  return `of ${whose} open invoices of this amount ${why.join("; ")}`
}

type Options = ReadonlyMap<string, ReadonlyArray<string>>

/**
 * Assigns payments with exactly one possible invoice, unless another payment has only that one, too; repeats with the rest.
 */
const assignCertain = (
  payments: ReadonlyArray<string>,
  options: Options,
  taken: Set<string>,
  decided: Map<string, string>
): ReadonlyArray<string> => {
  let waiting = payments
  for (;;) {
    const only = new Map<string, Array<string>>()
    for (const key of waiting) {
      const [left, ...more] = entryOf(options, key).filter((invoice) => !taken.has(invoice))
      if (left !== undefined && more.length === 0) only.set(left, [...(only.get(left) ?? []), key])
    }
    const certain = [...only].flatMap(([invoice, [key, ...more]]) =>
      key !== undefined && more.length === 0 ? [[key, invoice] as const] : []
    )
    if (certain.length === 0) return waiting
    for (const [payment, invoice] of certain) {
      decided.set(payment, invoice)
      taken.add(invoice)
    }
    waiting = waiting.filter((key) => !decided.has(key))
  }
}

/** Finds another invoice for a payment whose first one is taken, and for the payment that has it, and so on. */
const augment = (payment: string, options: Options, holders: Map<string, string>, seen: Set<string>): boolean => {
  // Those that nobody has come first, so that payments keep the order of their days.
  const able = entryOf(options, payment).toSorted((a, b) => Number(holders.has(a)) - Number(holders.has(b)))
  for (const invoice of able) {
    if (seen.has(invoice)) continue
    seen.add(invoice)
    const holder = holders.get(invoice)
    if (holder === undefined || augment(holder, options, holders, seen)) {
      holders.set(invoice, payment)
      return true
    }
  }
  return false
}

/** Payments that may be for the same invoices, and these invoices. */
const component = (first: string, payments: ReadonlyArray<string>, options: Options) => {
  const together = new Set([first])
  const invoices = new Set(entryOf(options, first))
  for (let grown = true; grown; ) {
    grown = false
    for (const key of payments) {
      if (together.has(key) || !entryOf(options, key).some((invoice) => invoices.has(invoice))) continue
      together.add(key)
      for (const invoice of entryOf(options, key)) invoices.add(invoice)
      grown = true
    }
  }
  return { together: payments.filter((key) => together.has(key)), invoices }
}

/** The first payments, as many as there are invoices; undefined if there are fewer, or the next one came on the day of the last. */
const firstOf = (
  payments: ReadonlyArray<string>,
  invoices: number,
  days: ReadonlyMap<string, Day.Day>
): ReadonlyArray<string> | undefined => {
  const [last, next] = [payments[invoices - 1], payments[invoices]]
  if (last === undefined || (next !== undefined && days.get(last) === days.get(next))) return undefined
  return payments.slice(0, invoices)
}

/**
 * Where as many payments came in as there are invoices for them, each invoice is paid whichever payment is taken for it: what
 * the service is told is the same for every assignment, so nobody is asked. In the order of their days, as far as their
 * windows allow. Where more came in, the first ones: a payment that came when another one had paid the invoice is one too many.
 */
const assignEqual = (
  payments: ReadonlyArray<string>,
  days: ReadonlyMap<string, Day.Day>,
  options: Options,
  taken: Set<string>,
  decided: Map<string, string>
): void => {
  const done = new Set<string>()
  for (const first of payments) {
    if (done.has(first)) continue
    const left = new Map(
      payments.map((key) => [key, entryOf(options, key).filter((invoice) => !taken.has(invoice))] as const)
    )
    const { invoices, together } = component(first, payments, left)
    for (const key of together) done.add(key)
    const able = firstOf(together, invoices.size, days)
    if (able === undefined) continue
    const holders = new Map<string, string>()
    if (!able.every((key) => augment(key, left, holders, new Set()))) continue
    for (const [invoice, payment] of holders) {
      decided.set(payment, invoice)
      taken.add(invoice)
    }
  }
}

/** What is known of a payment before amounts are compared. */
export interface WaitingPayment extends Unnamed {
  readonly days: number
  /** All of it went back, so its invoice stays open for another payment. */
  readonly returned: boolean
  /** The invoice that the service has it on: it stays there. */
  readonly stands?: string | undefined
  /** Numbers in its text, as `normal` writes them. */
  readonly said: ReadonlyArray<string>
  /** Those of them that no invoice has. */
  readonly unknown: ReadonlyArray<string>
  /** What its text says in short is another invoice of its payer, which is paid or asks for another amount, or whose record cannot be read. */
  readonly elsewhere?: string | undefined
  /** The oldest of several invoices of its amount is paid first, however long it was due: a policy of its connection. */
  readonly oldest: boolean
}

/** The number in a payment's text that says that it is for another invoice than this one, of its form; no invoice has it. */
export const namesAnother = ({ unknown }: Pick<WaitingPayment, "unknown">, { number }: Fitting): string | undefined =>
  unknown.find((name) => isAnother(name, number))

/** The invoices that a payment fits, and of those the ones that it may have without a person: none that is another's. */
const mayBeFor = (
  payment: WaitingPayment,
  byDue: ReadonlyArray<Fitting>,
  fits: Fits,
  claimed: ReadonlySet<string>
): { readonly able: ReadonlyArray<string>; readonly free: ReadonlyArray<string> } => {
  const { date, days, elsewhere, oldest } = payment
  const fitting = byDue.filter(
    (invoice) =>
      fits(payment, invoice) !== undefined && (oldest ? date >= invoice.issued : isWithin(invoice, date, days))
  )
  const able = fitting.map(({ key }) => key)
  const saying = (names: ReadonlyArray<string>, is: typeof isTypo) =>
    fitting.flatMap(({ key, number }) => (names.some((name) => is(name, number)) ? [key] : []))
  const exact = saying(payment.said, isEndOf)
  if (exact.length > 0) return { able, free: exact }
  // Its text names an invoice that the books do not have yet, or no longer have, or that is paid: another one of the same amount does
  // not replace it. Who names what is there made no typing error.
  if (elsewhere !== undefined) return { able, free: [] }
  const typed = saying(
    payment.said.filter((name) => !isDate(name, date)),
    isTypo
  )
  if (typed.length > 0) return { able, free: typed }
  if (fitting.some((invoice) => namesAnother(payment, invoice) !== undefined)) return { able, free: [] }
  // What another payment of the payer names is that one's, though it waits.
  return { able, free: able.filter((key) => !claimed.has(key)) }
}

/**
 * M3 and M6, for payments and invoices of one currency and amount whose payers may be the same.
 *
 * @param claimed the invoices that other payments name which wait for a person
 * @returns by payment, its invoice, or the invoices among which a person must choose
 */
export const byAmount = (
  payments: ReadonlyArray<WaitingPayment>,
  invoices: ReadonlyArray<Fitting>,
  fits: Fits = paidBy,
  claimed: ReadonlySet<string> = new Set()
): Map<string, string | ReadonlyArray<string>> => {
  const inOrder = payments.toSorted((a, b) => (a.date === b.date ? compare(a.key, b.key) : compare(a.date, b.date)))
  const byDue = invoices.toSorted(
    (a, b) => compare(a.due, b.due) || compare(a.issued, b.issued) || compare(a.key, b.key)
  )
  const decided = new Map<string, string>()
  const taken = new Set<string>()
  for (const { key, returned, stands } of inOrder) {
    if (stands === undefined) continue
    decided.set(key, stands)
    if (!returned) taken.add(stands)
  }
  // These are paid, as they would be if all was read anew: not even what went back can be for them.
  const reported = new Set(taken)
  const options = new Map<string, ReadonlyArray<string>>()
  const asked = new Map<string, ReadonlyArray<string>>()
  for (const payment of inOrder) {
    const { able, free } = mayBeFor(payment, byDue, fits, claimed)
    if (free.length === 0 && able.length > 0) asked.set(payment.key, able)
    options.set(payment.key, free)
  }
  // A returned payment leaves its invoice open for another one, so it takes none away.
  const standing = inOrder.filter(({ key, returned }) => !returned && !decided.has(key)).map(({ key }) => key)
  const left = assignCertain(standing, options, taken, decided)
  assignEqual(left, new Map(inOrder.map(({ date, key }) => [key, date])), options, taken, decided)
  for (const { key, oldest, returned } of inOrder) {
    if (!oldest || returned || decided.has(key)) continue
    const first = entryOf(options, key).find((invoice) => !taken.has(invoice))
    if (first === undefined) continue
    decided.set(key, first)
    taken.add(first)
  }
  return new Map(
    payments.map(({ key, returned }) => {
      const certain = decided.get(key)
      if (certain !== undefined) return [key, certain]
      const able = asked.get(key)
      if (able !== undefined) return [key, able.filter((invoice) => !taken.has(invoice))]
      const free = entryOf(options, key).filter((invoice) => !(returned ? reported : taken).has(invoice))
      const [one, another] = free
      return [key, returned && one !== undefined && another === undefined ? one : free]
    })
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
