/**
 * Calculates the open amount of an invoice from its documents alone. Statements use it for the books, and audits compare the
 * ledger with it. It looks at no call and no plan. A property test checks that the rules come to the same amount.
 */
import type * as Decimal from "../../core/money/Decimal.ts"
import type { Planning } from "../model/Connection.ts"
import { inOwnCurrency, isExact, type InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as InvoiceFields from "./InvoiceFields.ts"
import { settledOf } from "./Settled.ts"
import * as SourceFigures from "./SourceFigures.ts"

export interface OpenAmount {
  readonly currency: string
  /** Major units. */
  readonly open: Decimal.Decimal
  /** For an invoice that counts, in its own currency. */
  readonly figures?: SourceFigures.OpenFigures
}

/**
 * Undefined if there is no invoice in the books or on the service. If the service holds it in another currency, it counts in
 * that currency, of which the books have nothing.
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

/** Whether an invoice asks for money and was, or will be, sent to the service. */
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
  return (invoice.gross ?? invoice.net ?? 0n) > 0n
}

const openInOwn = (
  facts: InvoiceFacts,
  isSent: boolean,
  { scope, ...rest }: Pick<Planning, "report_paid" | "scope">
): Decimal.Decimal => {
  const { invoice } = facts
  if (invoice === undefined || !isCounted(facts, isSent, scope)) return 0n
  return settledOf(facts, invoice, InvoiceFields.due(facts, invoice).total, rest).open
}
