/** A person says that a payment is not for what it was matched with: it is taken away from there, and asked about. */
import type { Db } from "../state/Database.ts"
import * as Undoable from "../state/Undoable.ts"
import * as MatchChoices from "./Choices.ts"
import { closedOn } from "../movements/OnInvoice.ts"
import { numberOf } from "./Numbers.ts"
import { ASKED, storedOf } from "./References.ts"

/** What stays where a payment is taken from the invoices that it is for, if it is more than a person was told. */
export const staysPaid = (db: Db, payment: string, sure: boolean): MatchChoices.Unchosen | undefined => {
  const follows = (sure ? [] : closedOn(db, payment)).map(
    (invoice) => `${numberOf(db, invoice)} is marked as paid on the service, which cannot be undone`
  )
  return follows.length > 0 ? { why: follows.join("; "), follows } : undefined
}

/**
 * Stores it. Needs the lock; matching must run afterwards.
 *
 * @param sure whether the person knows that an invoice stays marked as paid
 * @returns the invoices that it was for, by key, or why nothing was stored
 */
export const ask = (
  db: Db,
  payment: string,
  now: number,
  sure: boolean
): MatchChoices.Unchosen | { readonly invoices: ReadonlyArray<string> } => {
  const row = db
    .prepare(
      `SELECT m.document, m.how FROM document d JOIN matching m ON m.document = d.id
        WHERE d.key = ? AND d.deleted = 0 AND m.back = 0`
    )
    .get(payment) as { readonly document: number; readonly how: string } | undefined
  if (
    row === undefined &&
    db.prepare("SELECT 1 FROM document WHERE key = ? AND deleted = 0").get(payment) === undefined
  )
    return { why: `no payment ${payment} is known` }
  if (row === undefined)
    return {
      why: `${payment} is not a payment for invoices of another connection; if its own source is wrong, correct it there`
    }
  if (row.how === "same")
    return {
      why: `${payment} is the same money as a payment of the books, which say what it is for: correct it there, or take back that they are the same`
    }
  const invoices = db
    .prepare("SELECT invoice FROM allocation WHERE document = ? AND amount IS NOT NULL ORDER BY invoice")
    .pluck()
    .all(row.document) as ReadonlyArray<string>
  if (invoices.length === 0 && row.how !== "none")
    return { why: `${payment} has no invoice that it could be taken from` }
  const stays = staysPaid(db, payment, sure)
  if (stays !== undefined) return stays
  const before = storedOf(db, payment)
  MatchChoices.putBack(db, payment, ASKED, now)
  // A person says so: it need not stay where the service has it.
  db.prepare("UPDATE standing SET kept = 0 WHERE payment = ?").run(payment)
  const queue = db.prepare("INSERT INTO to_match VALUES (?) ON CONFLICT DO NOTHING")
  for (const invoice of invoices) queue.run(invoice)
  Undoable.keep(db, { kind: "invoices", payment, before: before ?? null }, now)
  return { invoices }
}
