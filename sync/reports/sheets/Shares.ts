/** Builds the sheet of allocations: a row for each invoice that a payment, reversal or credit note is allocated to. */
import type * as Document from "../../../connectors/Document.ts"
import * as Body from "../../state/Body.ts"
import type { Db } from "../../state/Database.ts"
import { columns, type Row, type Sheet } from "./Sheet.ts"

interface ShareRow {
  readonly key: string
  readonly invoice: string
  /** For a matched payment: an integer of 10^-8. */
  readonly amount: string | null
  readonly body: string
  readonly currency: string | null
}

const rowOf = ({ amount, body, currency, invoice, key }: ShareRow): Row => {
  const fact = Body.read(body) as Document.Allocated
  const id = invoice.slice(invoice.indexOf("/invoice/") + "/invoice/".length)
  const stated = fact.shares.filter((one) => one.invoice === id).reduce((sum, one) => sum + one.amount, 0n)
  const share = amount === null ? stated : BigInt(amount)
  return [key, invoice, fact.date, fact.currency ?? currency, fact.kind === "payment" ? share : -share]
}

const KINDS = ["payment", "reversal", "credit_note"]

export const shares = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Shares",
  currency: 3,
  columns: columns("Document text 32, Invoice text 32, Date date 11, Currency text 9, Amount money 15"),
  rows: function* () {
    // In the order in which they are stored: the first rows do not wait for all of them to be sorted.
    const statement = db.raw.prepare(
      `SELECT d.key, a.invoice, a.amount, d.body, ${Body.at("invoice", "currency", "i.body")} AS currency
        FROM allocation a CROSS JOIN document d ON d.id = a.document LEFT JOIN document i ON i.key = a.invoice
        WHERE d.deleted = 0 ORDER BY a.invoice, a.document`
    )
    const isShown = (key: string) =>
      connections.some((connection) => KINDS.some((kind) => key.startsWith(`${connection}/${kind}/`)))
    for (const row of statement.iterate() as Iterable<ShareRow>) if (isShown(row.key)) yield rowOf(row)
  }
})
