/**
 * What stands stays: a payment that the service has on an invoice is not moved by later payments or by rules that became
 * less certain, only by its source or a person. The service's own record is also the memory of a state file that was lost.
 */
import * as Document from "../../connectors/Document.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import { sum } from "../../core/money/Decimal.ts"
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

/** The invoices that these payments stand on, of payments for one invoice that can be paid. */
export const standingOn = (db: Db, payments: ReadonlyArray<string>): ReadonlyMap<string, string> =>
  new Map(
    (
      db
        .prepare(
          `SELECT s.payment, min(s.invoice) AS invoice FROM json_each(?) k CROSS JOIN standing s ON s.payment = k.value
            LEFT JOIN document d ON d.key = s.invoice LEFT JOIN payable p ON p.invoice = d.id
            WHERE s.kept = 1 GROUP BY s.payment HAVING count(*) = 1 AND total(p.payable) = 1`
        )
        .all(JSON.stringify(payments)) as ReadonlyArray<{ readonly payment: string; readonly invoice: string }>
    ).map(({ invoice, payment }) => [payment, invoice])
  )
