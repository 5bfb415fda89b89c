/**
 * Stores the totals that a source's lists state themselves: a total below the rows, the closing balance of a bank statement.
 * Kept with the scan that they were read in, until that scan is read from its beginning again.
 */
import type { StatedTotal } from "../../connectors/Connector.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Db } from "../state/Database.ts"

/** Forgets a scan's totals when it is read from its beginning: its lists may state other totals, or none. */
export const forget = (db: Db, scan: number): void => {
  db.prepare("DELETE FROM stated_total WHERE scan = ?").run(scan)
}

export const keep = (db: Db, scan: number, stated: ReadonlyArray<StatedTotal> = []): void => {
  for (const { amount, at, column, currency, kind = "invoice", list, read, what } of stated)
    db.prepare("INSERT OR REPLACE INTO stated_total VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      scan,
      list,
      what,
      column,
      currency,
      Decimal.format(amount),
      Decimal.format(read),
      at,
      kind
    )
}

interface Row extends Omit<StatedTotal, "amount" | "read" | "kind"> {
  readonly amount: string
  readonly read: string
}

const ORDERS = "('order', 'fulfilment', 'cancellation', 'return')"

/**
 * The totals for a connection's invoices and payments, or for its orders. If several streams read the same list with the
 * same total, it is listed once.
 */
export const of = (db: Db, connection: string, what: "invoices" | "orders"): ReadonlyArray<StatedTotal> =>
  (
    db
      .prepare(
        `SELECT DISTINCT t.list, t.what, t.field AS column, t.currency, t.amount, t.read, t.origin AS at
          FROM scan s JOIN stated_total t ON t.scan = s.id WHERE s.connection = ? AND (t.kind IN ${ORDERS}) = ? ORDER BY t.list, t.what, t.field, t.read`
      )
      .all(connection, what === "orders" ? 1 : 0) as ReadonlyArray<Row>
  ).map((row) => ({ ...row, amount: Decimal.of(row.amount), read: Decimal.of(row.read) }))
