/**
 * What stands stays: a payment that the service has on an invoice is not moved by later payments or by rules that became
 * less certain, only by its source or a person. The service's own record is also the memory of a state file that was lost.
 */
import * as Document from "../../connectors/Document.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import { sum } from "../../core/money/Decimal.ts"
import type { Db } from "../state/Database.ts"
import type { Share } from "./Rules.ts"

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

/** The invoices that payments of one amount stand on, of those that stand on one. */
export const standingOn = (
  db: Db,
  payments: ReadonlyArray<string>,
  { amount, currency, pays }: { readonly pays: string; readonly currency: string; readonly amount: Decimal }
): ReadonlyMap<string, string> =>
  new Map(
    (
      db
        .prepare(
          `SELECT s.payment, min(s.invoice) AS invoice FROM json_each(?) k CROSS JOIN standing s ON s.payment = k.value
            LEFT JOIN document d ON d.key = s.invoice LEFT JOIN payable p ON p.invoice = d.id GROUP BY s.payment
            HAVING count(*) = 1
              AND total(s.kept = 1 AND s.amount = ? AND p.payable = 1 AND p.currency = ? AND p.connection = ?) = 1`
        )
        .all(JSON.stringify(payments), `${amount}`, currency, pays) as ReadonlyArray<{
        readonly payment: string
        readonly invoice: string
      }>
    ).map(({ invoice, payment }) => [payment, invoice])
  )

/**
 * Has what stands since the last run decided again, with all that asks for the same invoices: it comes before them from now
 * on, whatever their days, as it would if all was read anew.
 */
export const queueNew = (db: Db): void => {
  db.prepare(
    `INSERT INTO to_match SELECT d.key FROM standing s CROSS JOIN document d ON d.key = s.payment
      CROSS JOIN matching m ON m.document = d.id WHERE s.decided = 0 AND m.how NOT IN ('choice', 'link') ON CONFLICT DO NOTHING`
  ).run()
  db.prepare("UPDATE standing SET decided = 1 WHERE decided = 0").run()
}
