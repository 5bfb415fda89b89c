/** What is known of the payment of another list that a payment is the same money as. Read-only. */
import type { Payment } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { totalOf } from "./References.ts"

/** The payment that this one follows, and why; undefined if it stands for itself. */
export const leaderOf = (
  db: Db,
  document: number
): { readonly leader: number; readonly how: string; readonly key: string } | undefined =>
  db
    .prepare(
      `SELECT s.leader, s.how, d.key FROM sighting s JOIN document d ON d.id = s.leader
        WHERE s.document = ? AND s.leader IS NOT NULL`
    )
    .get(document) as { readonly leader: number; readonly how: string; readonly key: string } | undefined

/** The invoices that a payment is for, with amounts: as its own books say, or as it was matched. */
export const sharesOf = (
  db: Db,
  document: number
): ReadonlyArray<{ readonly invoice: string; readonly amount: bigint }> => {
  const row = db.prepare("SELECT key, body FROM document WHERE id = ? AND deleted = 0").get(document) as
    | { readonly key: string; readonly body: string }
    | undefined
  if (row === undefined) return []
  const { connection } = Document.parseKey(row.key)
  const matched = db
    .prepare("SELECT invoice, amount FROM allocation WHERE document = ? AND amount IS NOT NULL")
    .all(document) as ReadonlyArray<{ readonly invoice: string; readonly amount: string }>
  if (matched.length > 0) return matched.map(({ amount, invoice }) => ({ invoice, amount: BigInt(amount) }))
  if (db.prepare("SELECT 1 FROM paying WHERE connection = ?").get(connection) !== undefined) return []
  return (Body.read(row.body) as Payment).shares.map(({ amount, invoice }) => ({
    invoice: Document.key(connection, "invoice", invoice),
    amount
  }))
}

/** Why a payment waits, with the one that it may be the same as. */
export const doubtful = (db: Db, { leader }: { readonly leader: number }): string => {
  const { body, key } = db.prepare("SELECT key, body FROM document WHERE id = ?").get(leader) as {
    readonly key: string
    readonly body: string
  }
  const { currency, date } = Body.read(body) as Payment
  const invoices = sharesOf(db, leader).map(({ invoice }) => Document.parseKey(invoice).id)
  const amount = Currency.say(totalOf(Body.read(body) as Payment), currency)
  return `it may be the same money as ${key}, ${amount} on ${date}${invoices.length === 0 ? "" : ` for ${invoices.join(", ")}`}`
}
