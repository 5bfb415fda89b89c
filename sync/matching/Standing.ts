/**
 * What stands stays: a payment that the service has on an invoice is not moved by later payments or by rules that became
 * less certain, only by its source or a person. The service's own record is also the memory of a state file that was lost.
 */
import * as Document from "../../connectors/Document.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import { sum } from "../../core/money/Decimal.ts"
import type { Remote } from "../model/Remote.ts"
import type { Database } from "../state/Database.ts"
import type { Share } from "./Rules.ts"

type Db = Database["Service"]

/** What the service has of a payment, if that is all of it and its source did not correct it since. */
export const standing = (
  db: Db,
  {
    amount,
    currency,
    key,
    pays
  }: { readonly key: string; readonly pays: string; readonly amount: Decimal; readonly currency: string }
): ReadonlyArray<Share> | undefined => {
  const rows = db
    .prepare(
      `SELECT s.invoice, s.amount, s.kept, p.payable, p.currency FROM standing s LEFT JOIN document d ON d.key = s.invoice
        LEFT JOIN payable p ON p.invoice = d.id WHERE s.payment = ? ORDER BY s.invoice`
    )
    .all(key) as ReadonlyArray<{
    readonly invoice: string
    readonly amount: string
    readonly kept: number
    readonly payable: number | null
    readonly currency: string | null
  }>
  if (rows.length === 0) return undefined
  const isWhole = sum(rows.map((row) => BigInt(row.amount))) === amount
  const stays = rows.every(
    (row) =>
      row.kept === 1 &&
      row.payable === 1 &&
      row.currency === currency &&
      Document.parseKey(row.invoice).connection === pays
  )
  return isWhole && stays ? rows.map(({ amount, invoice }) => ({ invoice, amount: BigInt(amount) })) : undefined
}

/** The invoices that these payments stand on, of payments for one invoice. */
export const standingOf = (db: Db, payments: ReadonlyArray<string>): ReadonlyMap<string, string> =>
  new Map(
    (
      db
        .prepare(
          `SELECT s.payment, min(s.invoice) AS invoice FROM json_each(?) k CROSS JOIN standing s ON s.payment = k.value
            WHERE s.kept = 1 GROUP BY s.payment HAVING count(*) = 1`
        )
        .all(JSON.stringify(payments)) as ReadonlyArray<{ readonly payment: string; readonly invoice: string }>
    ).map(({ invoice, payment }) => [payment, invoice])
  )

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
    if ((isOfLostFile && !isThere) || isExplained(db, payment)) matchAgain(db, payment)
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
    .prepare("SELECT 1 FROM document d JOIN matching m ON m.document = d.id WHERE d.key = ? AND m.note <> ''")
    .get(payment) !== undefined

/** A lost or restored state file learns from the service where a payment was: by a person's choice that is lost, too. */
const matchAgain = (db: Db, payment: string): void =>
  void db
    .prepare(
      `INSERT INTO to_match SELECT d.key FROM document d JOIN matching m ON m.document = d.id
        WHERE d.key = ? AND m.how NOT IN ('choice', 'link') ON CONFLICT DO NOTHING`
    )
    .run(payment)
