/**
 * Remembers what the service holds of payments of other connections, by invoice: matching leaves them there
 * (`matching/Standing.ts`).
 */
import * as Document from "../../connectors/Document.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Remote } from "../model/Remote.ts"
import * as PastCalls from "../state/calls/PastCalls.ts"
import type { Db } from "../state/Database.ts"

/** Remembers which payments of other connections the service has on an invoice; undefined: it has not even the invoice. */
export const remember = (db: Db, invoice: string, remote: Remote | undefined): void => {
  if (remote === undefined) return forget(db, invoice)
  if (remote.kind !== "invoice") return
  const own = `${Document.parseKey(invoice).connection}/`
  const foreign = remote.postings.filter(({ fact }) => !fact.startsWith(own))
  if (foreign.length === 0) return
  const sums = new Map<string, Decimal>()
  for (const { amount, fact } of foreign) sums.set(fact, (sums.get(fact) ?? 0n) + amount)
  const before = db.prepare("SELECT amount, kept FROM standing WHERE payment = ? AND invoice = ?")
  for (const [payment, amount] of sums) {
    if (!payment.includes("/payment/")) continue
    if (amount <= 0n) {
      forget(db, invoice, payment)
      continue
    }
    const row = before.get(payment, invoice) as { readonly amount: string; readonly kept: number } | undefined
    if (row?.amount === `${amount}` && row.kept === 1) continue
    const isThere = isMatched(db, payment, invoice, amount)
    const isOfLostFile = row === undefined && !isClaimed(db, invoice, payment)
    if (row?.amount === `${amount}` && !isThere) continue
    db.prepare(
      `INSERT INTO standing VALUES (?, ?, ?, ?, 0) ON CONFLICT DO UPDATE
        SET amount = excluded.amount, kept = excluded.kept, decided = 0`
    ).run(payment, invoice, `${amount}`, isThere || isOfLostFile ? 1 : 0)
  }
}

/** It stands there no longer. While it did, it was no other list's money: that is decided again. */
const forget = (db: Db, invoice: string, payment?: string): void => {
  const gone = db
    .prepare(
      "DELETE FROM standing WHERE invoice = :invoice AND payment = coalesce(:payment, payment) RETURNING payment"
    )
    .pluck()
    .all({ invoice, payment: payment ?? null }) as ReadonlyArray<string>
  const join = db.prepare(
    "INSERT INTO to_join SELECT d.key FROM document d JOIN sighting s ON s.document = d.id WHERE d.key = ? ON CONFLICT DO NOTHING"
  )
  for (const one of gone) join.run(one)
}

/** Whether matching has the payment there. */
const isMatched = (db: Db, payment: string, invoice: string, amount: Decimal): boolean =>
  db
    .prepare(
      "SELECT 1 FROM document d JOIN allocation a ON a.document = d.id WHERE d.key = ? AND a.invoice = ? AND a.amount = ?"
    )
    .get(payment, invoice, `${amount}`) !== undefined

/** Whether this state file sent it. */
const isClaimed = (db: Db, invoice: string, payment: string): boolean =>
  db.prepare("SELECT 1 FROM claim WHERE subject = ? AND fact = ? LIMIT 1").get(invoice, payment) !== undefined ||
  PastCalls.of(db, invoice).some(({ fact }) => fact === payment)
