/**
 * What the lists of a source themselves say that their records come to: a total below the rows, the closing balance of a
 * statement. Kept with the scan that it was read in, until that scan is read from its beginning again.
 */
import type { StatedTotal } from "../../connectors/Connector.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Database } from "../state/Database.ts"

type Db = Pick<Database["Service"], "prepare">

/** A scan is read from its beginning: its lists may say something else now, or nothing. */
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

/** Those of a connection's invoices and payments, or of its orders. Where several streams read one list and come to the same, it is there once. */
export const of = (db: Db, connection: string, what: "invoices" | "orders"): ReadonlyArray<StatedTotal> =>
  (
    db
      .prepare(
        `SELECT DISTINCT t.list, t.what, t.field AS column, t.currency, t.amount, t.read, t.origin AS at
          FROM scan s JOIN stated_total t ON t.scan = s.id WHERE s.connection = ? AND (t.kind IN ${ORDERS}) = ? ORDER BY t.list, t.what, t.field, t.read`
      )
      .all(connection, what === "orders" ? 1 : 0) as ReadonlyArray<Row>
  ).map((row) => ({ ...row, amount: Decimal.of(row.amount), read: Decimal.of(row.read) }))
