/**
 * What is open of an invoice, reckoned from its documents alone: what a statement says of the books, and what an audit
 * holds the ledger against. No call is looked at and no plan. Rules come to the same amount (a property holds them to it).
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Planning } from "../model/Connection.ts"
import { inOwnCurrency, isExact, type InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as InvoiceFields from "./InvoiceFields.ts"

export interface OpenAmount {
  readonly currency: string
  /** Major units. */
  readonly open: Decimal.Decimal
}

/**
 * Undefined where there is no invoice, here or there. What the service holds in another currency is counted in that one,
 * of which the books have nothing.
 *
 * @param remote whether the service has it, and in which currency; an invoice that it has stays in scope
 */
export const openAmount = (
  unsorted: InvoiceFacts,
  remote: RemoteInvoice | undefined,
  planning: Pick<Planning, "report_paid" | "scope">
): OpenAmount | undefined => {
  const { currency: held } = remote?.fields ?? {}
  const stated = unsorted.invoice?.currency
  const currency = typeof held === "string" && held !== "" ? held : stated
  if (currency === undefined) return undefined
  return {
    currency,
    open: currency === stated ? openInOwn(inOwnCurrency(unsorted), remote !== undefined, planning) : 0n
  }
}

const openInOwn = (
  facts: InvoiceFacts,
  isTold: boolean,
  { report_paid, scope }: Pick<Planning, "report_paid" | "scope">
): Decimal.Decimal => {
  const { deleted, invoice, payments, reversals } = facts
  if (invoice === undefined || deleted || invoice.status === "void" || invoice.status === "draft") return 0n
  if (!isExact(invoice)) return 0n
  if (!isTold) {
    const { currencies, issued_after: first, issued_before: last } = scope ?? {}
    if (first !== undefined && invoice.issued < first) return 0n
    if (last !== undefined && invoice.issued > last) return 0n
    if (currencies !== undefined && !currencies.includes(invoice.currency)) return 0n
    if ((invoice.gross ?? invoice.net ?? 0n) < 0n) return 0n
  }
  if (invoice.status === "paid" && report_paid !== false) return 0n
  const came = Decimal.sum(payments.map(({ amount }) => amount))
  const left = Decimal.sum(reversals.map(({ amount }) => amount))
  const balance = InvoiceFields.due(facts, invoice).total - (came - left)
  return balance < 0n ? 0n : balance
}
