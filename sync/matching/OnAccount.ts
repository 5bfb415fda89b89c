/**
 * Money that the books have on account: a payment of their own for no invoice yet. What another list states of it needs no answer of its
 * own: the books' item says what to do, and whichever invoice they have it for later is reported. Read-only.
 */
import type { Payment } from "../../connectors/Document.ts"
import { letters, type PayerName, payerName } from "../model/PayerName.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { daysBetween, LATE } from "../movements/Join.ts"

interface Row {
  readonly pays: string
  readonly party: string
  readonly cut: 0 | 1
  readonly currency: string
  readonly amount: number
}

/** What waits of a payer, of one amount: as many must be on account as wait. */
const LIKE = `SELECT count(*) FROM matching WHERE pays = :pays AND party = :party AND currency = :currency AND amount = :amount
  AND back = 0 AND why IS NOT NULL`

/** Also where somebody looked at it: the books still have it so. */
const TOLD = `SELECT d.body FROM attention a JOIN document d ON d.key = a.subject AND d.deleted = 0
  WHERE a.subject > ? AND a.subject < ? AND a.rule = 'P10' GROUP BY a.subject`

/** Whether the books have it on account: of its payer, currency and amount, about its day. */
export const isOnAccount = (db: Db, key: string, payment: Payment): boolean => {
  const row = db
    .prepare(
      "SELECT m.pays, m.party, m.cut, m.currency, m.amount FROM document d JOIN matching m ON m.document = d.id WHERE d.key = ? AND m.back = 0"
    )
    .get(key) as Row | undefined
  if (row === undefined || row.party === "") return false
  // A bank cuts names, and what is left of one is all of it but the end.
  const isPayer = (name: PayerName) => (row.cut === 1 ? letters(name).startsWith(row.party) : name.party === row.party)
  const all = db.prepare(TOLD).pluck().all(`${row.pays}/payment/`, `${row.pays}/payment0`) as ReadonlyArray<string>
  const found = all
    .map((body) => Body.read(body) as Payment)
    .filter((one) => {
      const days = daysBetween(payment.date, one.date)
      return (
        one.unallocated === payment.unallocated &&
        (one.currency ?? row.currency) === row.currency &&
        isPayer(payerName(one.party?.name ?? "")) &&
        days >= LATE.earliest &&
        days <= LATE.latest
      )
    })
  return found.length > 0 && (db.prepare(LIKE).pluck().get(row) as number) <= found.length
}
