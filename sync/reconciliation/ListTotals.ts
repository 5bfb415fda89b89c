/**
 * Adds control totals to the statements: the total that a list of the source states itself, next to what was read of it. If
 * they differ, records are missing from the books, whatever books and service say about the others.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as StatedTotals from "../books/StatedTotals.ts"
import type { StatementDifference, ListTotal } from "../model/reports/Statement.ts"
import type { Db } from "../state/Database.ts"

export interface ListTotals {
  readonly totals: ReadonlyArray<ListTotal>
  readonly differences: ReadonlyArray<StatementDifference>
}

export const NONE: ListTotals = { totals: [], differences: [] }

/** `control total of invoices.csv (Gross): 360.00; read 360.00: agrees` */
export const words = ({ agrees, amount, column, list, read, what }: ListTotal): string => {
  if (what === "left out") return `left out of ${list}, as the configuration says: ${column}, ${Currency.group(amount)}`
  const name = what === "total" ? "control total" : "closing balance"
  return `${name} of ${list} (${column}): ${Currency.group(amount)}; read ${Currency.group(read)}: ${agrees ? "agrees" : "differs"}`
}

/** The totals for one connection's invoices and payments, or for its orders, by currency. */
export const of = (
  db: Db,
  connection: string,
  which: "invoices" | "orders" = "invoices"
): ReadonlyMap<string, ListTotals> => {
  const found = new Map<string, ListTotals>()
  for (const { amount, currency, read, ...rest } of StatedTotals.of(db, connection, which)) {
    const format = (value: bigint) => Currency.format(value, currency)
    const total = { ...rest, amount: format(amount), read: format(read), agrees: amount === read }
    const { differences, totals } = found.get(currency) ?? NONE
    found.set(currency, {
      totals: [...totals, total],
      differences: total.agrees
        ? differences
        : [
            ...differences,
            {
              document: `${connection}: ${rest.at}`,
              amount: format(amount - read),
              why: `${words(total)}; a row is quarantined, missing or there twice`
            }
          ]
    })
  }
  return found
}

/** The totals in the statement of invoices: all except those for other connections' payments, which have their own lines. */
export const ofInvoices = (db: Db, connection: string): ReadonlyMap<string, ListTotals> => {
  const isOfPayments = (currency: string) =>
    db.prepare("SELECT 1 FROM matching WHERE connection = ? AND currency = ? LIMIT 1").get(connection, currency) !==
    undefined
  return new Map([...of(db, connection)].filter(([currency]) => !isOfPayments(currency)))
}
