/**
 * Decides what is still open of an invoice. A source's word that it is paid counts only as far as no fact says otherwise: a
 * failed debit or a chargeback is stronger, whoever states it. Money that was refunded leaves it settled. Pure.
 */
import type { Invoice } from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Planning } from "../model/Connection.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import { received } from "./OrphanMoney.ts"

/** What went back and was no refund: failed debits, chargebacks, returns. */
const bounced = ({ reversals }: InvoiceFacts): Decimal.Decimal =>
  Decimal.sum(reversals.flatMap(({ amount, document }) => (document.type === "refund" ? [] : [amount])))

export interface Settled {
  /** Due less received; negative if more was received. */
  readonly balance: Decimal.Decimal
  /** What the rules count as open. */
  readonly open: Decimal.Decimal
  readonly settled: boolean
  /** Open although the source says that the invoice is paid: what went back and nothing replaced. */
  readonly lacking: Decimal.Decimal
}

/**
 * T14 for what the source calls paid although it is lacking.
 *
 * @param due the amount asked for, less what was credited
 */
export const settledOf = (
  facts: InvoiceFacts,
  invoice: Invoice,
  due: Decimal.Decimal,
  { report_paid }: Pick<Planning, "report_paid">
): Settled => {
  const balance = due - received(facts)
  const byWord = invoice.status === "paid"
  const back = bounced(facts)
  const lacking = byWord && balance > 0n ? (back < balance ? back : balance) : 0n
  const settled = balance <= 0n || (byWord && lacking === 0n)
  const left = byWord && report_paid !== false ? lacking : balance
  return { balance, settled, lacking, open: left < 0n || (settled && report_paid !== false) ? 0n : left }
}
