/**
 * Stores what people ask about a customer's invoices beside the ledger: the customer of each, its amount, and when it was
 * issued, due and paid. Written with each row of the ledger, so that a page about one customer does not have to read all
 * others.
 */
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Remote } from "../model/Remote.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import { partyKey } from "../plan/PartyKey.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"

interface Row {
  readonly id: number
  readonly deleted: number
  readonly body: string
}

const LAST_PAYMENT = `SELECT max(${Body.at("payment", "date", "p.body")}) FROM allocation a JOIN document p ON p.id = a.document
  WHERE a.invoice = ? AND p.deleted = 0 AND ${Body.is("payment", "p.body")}`

const customerOf = (db: Db, connection: string, invoice: Document.Invoice): number => {
  const party = partyKey(invoice)
  const name = Document.storable(invoice.party.name)
  const country = invoice.party.country ?? null
  const found = db
    .prepare("SELECT id, name, country FROM customer WHERE connection = ? AND party = ?")
    .get(connection, party) as
    | { readonly id: number; readonly name: string; readonly country: string | null }
    | undefined
  if (found === undefined)
    return db
      .prepare("INSERT INTO customer (connection, party, name, country) VALUES (?, ?, ?, ?)")
      .run(connection, party, name, country).lastInsertRowid as number
  if (found.name !== name || found.country !== country)
    db.prepare("UPDATE customer SET name = ?, country = ? WHERE id = ?").run(name, country, found.id)
  return found.id
}

/** When it is due as the service has it. */
const heldDue = ({ fields, stated }: RemoteInvoice): string | undefined => {
  const due = stated?.["due_date"] ?? fields["due_date"]
  return typeof due === "string" ? due : undefined
}

/**
 * Writes an invoice as its document is now; removes one that no longer counts.
 *
 * @param open its open amount in the books
 */
export const write = (db: Db, subject: string, open: bigint, remote: Remote | undefined): void => {
  const { connection, kind } = Document.parseKey(subject)
  if (kind !== "invoice") return
  const row = db.prepare("SELECT id, deleted, body FROM document WHERE key = ?").get(subject) as Row | undefined
  if (row === undefined) return
  const invoice = Body.read(row.body) as Document.Invoice
  const { currency, due, gross, issued, net, paidOn, status } = invoice
  const asked = gross ?? net
  if (row.deleted === 1 || status === "draft" || status === "void" || asked === undefined) {
    db.prepare("DELETE FROM customer_invoice WHERE document = ?").run(row.id)
    return
  }
  const held = remote?.kind === "invoice" ? remote : undefined
  const last = () => paidOn ?? (db.prepare(LAST_PAYMENT).pluck().get(subject) as string | null)
  db.prepare(
    `INSERT INTO customer_invoice VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET customer = excluded.customer,
      currency = excluded.currency, issued = excluded.issued, due = excluded.due, gross = excluded.gross, paid = excluded.paid,
      open = excluded.open, owed = excluded.owed, insured = excluded.insured`
  ).run(
    row.id,
    customerOf(db, connection, invoice),
    currency,
    issued,
    due,
    Currency.toMinorOutward(asked, currency),
    open > 0n ? null : last(),
    open,
    (held === undefined ? undefined : heldDue(held)) ?? due,
    held?.insured === true ? 1 : 0
  )
}
