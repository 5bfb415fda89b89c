/**
 * Remembers what the service holds of payments of other connections, by invoice: matching leaves them there
 * (`matching/Standing.ts`).
 */
import * as Document from "../../connectors/Document.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import { normal } from "../model/MatchText.ts"
import type { Remote } from "../model/Remote.ts"
import type { Database } from "../state/Database.ts"

type Db = Database["Service"]

/** Remembers which payments of other connections the service has on an invoice. */
export const remember = (db: Db, invoice: string, remote: Remote | undefined): void => {
  if (remote?.kind !== "invoice") return
  const own = `${Document.parseKey(invoice).connection}/`
  const foreign = remote.postings.filter(({ fact }) => !fact.startsWith(own))
  if (foreign.length === 0) return
  const sums = new Map<string, Decimal>()
  for (const { amount, fact } of foreign) sums.set(fact, (sums.get(fact) ?? 0n) + amount)
  const before = db.prepare("SELECT amount, kept FROM standing WHERE payment = ? AND invoice = ?")
  for (const [payment, amount] of sums) {
    if (!payment.includes("/payment/")) continue
    if (amount <= 0n) {
      db.prepare("DELETE FROM standing WHERE payment = ? AND invoice = ?").run(payment, invoice)
      continue
    }
    const row = before.get(payment, invoice) as { readonly amount: string; readonly kept: number } | undefined
    if (row?.amount === `${amount}` && row.kept === 1) continue
    const isThere = isMatched(db, payment, invoice, amount)
    const isOfLostFile = row === undefined && !isClaimed(db, invoice, payment)
    if (row?.amount === `${amount}` && !isThere) continue
    db.prepare(
      "INSERT INTO standing VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET amount = excluded.amount, kept = excluded.kept"
    ).run(payment, invoice, `${amount}`, isThere || isOfLostFile ? 1 : 0)
    const isCounted = isExplained(db, payment) || isReturned(db, payment) || isWanted(db, invoice)
    if ((isOfLostFile && !isThere) || isCounted) matchAgain(db, payment)
  }
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
  db.prepare("SELECT 1 FROM claim WHERE subject = ? AND fact = ? LIMIT 1").get(invoice, payment) !== undefined

/** Whether its amount is not its invoice's: no group of its amount knows that the invoice is taken. */
const isExplained = (db: Db, payment: string): boolean =>
  db
    .prepare(
      "SELECT 1 FROM document d JOIN matching m ON m.document = d.id WHERE d.key = ? AND m.note <> '' AND m.how = 'amount'"
    )
    .get(payment) !== undefined

/** Whether some of it went back: what is left of it is not its invoice's amount. */
const isReturned = (db: Db, payment: string): boolean =>
  db.prepare("SELECT 1 FROM matching WHERE of = ? LIMIT 1").get(payment) !== undefined

/** Payments without an invoice that name this one by one of these texts, or are of its amount; and those of its amount that went back. */
const ASKED = `SELECT 1 FROM document d JOIN payable p ON p.invoice = d.id WHERE d.key = :invoice AND (
  EXISTS (SELECT 1 FROM mention n JOIN matching m ON m.document = n.document
    WHERE n.pays = p.connection AND n.name IN (p.number, p.reference, :id) AND m.doubt = 1 AND m.how = '')
  OR EXISTS (SELECT 1 FROM matching m
    WHERE m.doubt = 1 AND m.pays = p.connection AND m.party = p.party AND m.amount = p.base AND m.how = '')
  OR EXISTS (SELECT 1 FROM matching m JOIN document f ON f.id = m.document
    WHERE m.free = 1 AND m.pays = p.connection AND m.currency = p.currency AND m.amount = p.base
      AND (m.party = p.party OR m.customer = p.customer AND p.customer <> '')
      AND EXISTS (SELECT 1 FROM matching r WHERE r.of = f.key)))`

/** Whether other payments may be for its invoice: from now on it comes before them, whatever their days. */
const isWanted = (db: Db, invoice: string): boolean =>
  db.prepare(ASKED).get({ invoice, id: normal(Document.parseKey(invoice).id) }) !== undefined

/** A lost or restored state file learns from the service where a payment was: by a person's choice that is lost, too. */
const matchAgain = (db: Db, payment: string): void =>
  void db
    .prepare(
      `INSERT INTO to_match SELECT d.key FROM document d JOIN matching m ON m.document = d.id
        WHERE d.key = ? AND m.how NOT IN ('choice', 'link') ON CONFLICT DO NOTHING`
    )
    .run(payment)
