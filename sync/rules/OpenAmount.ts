/**
 * What is open of an invoice, reckoned from its documents alone: what a statement says of the books, and what an audit
 * holds the ledger against. No call is looked at and no plan. Rules come to the same amount (a property holds them to it).
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Planning } from "../model/Connection.ts"
import { inOwnCurrency, isExact, type InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as InvoiceFields from "./InvoiceFields.ts"
import * as SourceFigures from "./SourceFigures.ts"

export interface OpenAmount {
  readonly currency: string
  /** Major units. */
  readonly open: Decimal.Decimal
  /** Of an invoice that counts, in its own currency. */
  readonly figures?: SourceFigures.OpenFigures
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
  const { invoice } = unsorted
  if (invoice === undefined || currency !== stated) return { currency, open: 0n }
  const facts = inOwnCurrency(unsorted)
  const isSent = remote !== undefined
  return {
    currency,
    open: openInOwn(facts, isSent, planning),
    ...(isCounted(facts, isSent, planning.scope) ? { figures: SourceFigures.of(facts, invoice, planning) } : {})
  }
}

/** Whether an invoice asks for money and was sent to the service, or is to be. */
const isCounted = (
  { deleted, invoice }: InvoiceFacts,
  isSent: boolean,
  { currencies, issued_after: first, issued_before: last }: NonNullable<Planning["scope"]> = {}
): boolean => {
  if (invoice === undefined || deleted || invoice.status === "void" || invoice.status === "draft") return false
  if (!isExact(invoice)) return false
  if (isSent) return true
  if (first !== undefined && invoice.issued < first) return false
  if (last !== undefined && invoice.issued > last) return false
  if (currencies !== undefined && !currencies.includes(invoice.currency)) return false
  return (invoice.gross ?? invoice.net ?? 0n) >= 0n
}

const openInOwn = (
  facts: InvoiceFacts,
  isSent: boolean,
  { report_paid, scope }: Pick<Planning, "report_paid" | "scope">
): Decimal.Decimal => {
  const { invoice, payments, reversals } = facts
  if (invoice === undefined || !isCounted(facts, isSent, scope)) return 0n
  if (invoice.status === "paid" && report_paid !== false) return 0n
  const came = Decimal.sum(payments.map(({ amount }) => amount))
  const left = Decimal.sum(reversals.map(({ amount }) => amount))
  const balance = InvoiceFields.due(facts, invoice).total - (came - left)
  return balance < 0n ? 0n : balance
}
