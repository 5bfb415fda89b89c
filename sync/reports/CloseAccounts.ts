/** The accounts of a month's closing statement: what its customers' invoices come to, in books, service and source. */
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import { closingOf, type MonthSums, noSums } from "../plan/CloseMovements.ts"
import type { Stepwise } from "../state/Breathe.ts"
import type { Db } from "../state/Database.ts"
import type { MonthAccount, MonthReport, Roll } from "./CloseReport.ts"

/** How many customers are looked at in one piece. */
const PART = 100

export interface MonthCustomer {
  readonly connection: string
  readonly currency: string
  readonly party: string
  readonly books: MonthSums
  readonly service: MonthSums
  /** What the source says more than follows from what was read. */
  apart: Decimal.Decimal
  stated: number
  unchecked: number
}

export const newCustomer = (of: Pick<MonthCustomer, "connection" | "currency" | "party">): MonthCustomer => ({
  ...of,
  books: noSums(),
  service: noSums(),
  apart: 0n,
  stated: 0,
  unchecked: 0
})

const roll = (sums: MonthSums, currency: string): Roll => {
  const say = (amount: Decimal.Decimal) => Currency.format(amount, currency)
  return {
    opening: say(sums.opening),
    invoices: say(sums.invoices),
    creditNotes: say(-sums.creditNotes),
    payments: say(-sums.payments),
    reversals: say(sums.reversals),
    closing: say(closingOf(sums))
  }
}

const account = ({ apart, books, connection, currency, service, stated, unchecked }: MonthCustomer): MonthAccount => ({
  connection,
  currency,
  books: roll(books, currency),
  service: roll(service, currency),
  source: stated === 0 ? null : Currency.format(closingOf(books) + apart, currency),
  unchecked
})

export const isNone = (sums: MonthSums): boolean => Object.values(sums).every((amount) => amount === 0n)

export const addCustomer = (a: MonthCustomer, b: MonthCustomer): void => {
  for (const side of ["books", "service"] as const)
    for (const name of Object.keys(a[side]) as ReadonlyArray<keyof MonthSums>) a[side][name] += b[side][name]
  a.apart += b.apart
  a.stated += b.stated
  a.unchecked += b.unchecked
}

/** With something to say: their invoices may have come to nothing. */
const isSomething = (one: MonthCustomer): boolean => !isNone(one.books) || !isNone(one.service) || one.apart !== 0n

export const totals = (customers: Iterable<MonthCustomer>): ReadonlyArray<MonthAccount> => {
  const sums = new Map<string, MonthCustomer>()
  for (const one of customers) {
    const by = `${one.connection} ${one.currency}`
    const total = sums.get(by) ?? newCustomer({ ...one, party: "" })
    sums.set(by, total)
    addCustomer(total, one)
  }
  return [...sums.entries()]
    .filter(([_, one]) => isSomething(one) || one.stated + one.unchecked > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => account(one))
}

/** Their names, as the books have them by now. */
export function* namedCustomers(db: Db, customers: Map<string, MonthCustomer>): Stepwise<MonthReport["customers"]> {
  const name = db.prepare("SELECT name FROM customer WHERE connection = ? AND party = ?").pluck()
  const found: Array<MonthReport["customers"][number]> = []
  let n = 0
  for (const [, one] of [...customers]
    .filter(([_, each]) => isSomething(each))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { connection, party } = one
    const customer = (name.get(connection, party) as string | undefined) ?? party.split("|")[0] ?? ""
    found.push({ ...account(one), party, customer })
    if (++n % PART === 0) yield
  }
  return found
}
