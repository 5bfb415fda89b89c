/**
 * Maps Lexware Office's invoices, as its list of vouchers has them, and the items that settle them, to documents. Pure.
 *
 * An item of a payment has no id, so its document is named by the invoice and what the item says. Types and statuses: Lexware's
 * pages of the voucherlist and payments endpoints, as public clients have them.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Document, Invoice, PayMethod } from "../Document.ts"
import * as Json from "../Json.ts"

/** `overdue` is worked out by the list. `sepadebit`: a direct debit was started, and the money has not come. */
const STATUSES: Readonly<Record<string, Invoice["status"]>> = {
  draft: "draft",
  open: "open",
  overdue: "open",
  sepadebit: "open",
  transferred: "open",
  paid: "paid",
  // Settled with other vouchers, such as a credit note.
  paidoff: "paid",
  voided: "void"
}

/** Money by how it came; undefined: no money, which lowers the invoice. */
const ITEMS: Readonly<Record<string, PayMethod | undefined>> = {
  partPaymentFinancialTransaction: "bank",
  partPaymentCashBox: "cash",
  manualPayment: "unknown",
  partPaymentCreditNote: undefined,
  cashDiscount: undefined,
  currencyConversion: undefined
}
/** The buyer still owes what was written off; costs of a reminder are beside the invoice. */
const NONE = ["irrecoverableReceivable", "dunningCosts"]

const itemsOf = (fields: Json.Fields, invoice: string, currency: string): ReadonlyArray<Document> => {
  const seen = new Map<string, number>()
  return fields.list("payments").flatMap((item): ReadonlyArray<Document> => {
    const type = item.oneOf("paymentItemType", [...Object.keys(ITEMS), ...NONE], "type of payment item")
    if (NONE.includes(type)) return []
    if (item.currency("currency") !== currency) throw new Json.Unfit("currency", "is not the invoice's")
    const [date, amount] = [item.day("postingDate"), item.major("amount", currency)]
    // Lexware's page of its payments: "amount (number, positive)".
    if (amount < 0n) throw new Json.Unfit("amount", "is below 0, and Lexware documents none; look at the payment there")
    const name = `${invoice}/${date}/${type}/${Decimal.format(amount, 2)}`
    const n = (seen.get(name) ?? 0) + 1
    seen.set(name, n)
    const its = { id: n === 1 ? name : `${name}/${n}`, date, currency, shares: [{ invoice, amount }] }
    const method = ITEMS[type]
    return [method === undefined ? { kind: "credit_note", ...its } : { kind: "payment", ...its, method }]
  })
}

export const isSettled = (fields: Json.Fields): boolean =>
  ["draft", "voided"].includes(fields.maybe("voucherStatus") ?? "") ||
  fields.maybe("openAmount") === fields.maybe("totalAmount")

export const invoice = (fields: Json.Fields): Json.Decoded => {
  const [id, currency] = [fields.text("id"), fields.currency("currency")]
  const status = fields.meaning("voucherStatus", STATUSES)
  const [issued, gross] = [fields.day("voucherDate"), fields.major("totalAmount", currency)]
  const items = itemsOf(fields, id, currency)
  const isWrittenOff = fields
    .list("payments")
    .some((item) => item.maybe("paymentItemType") === "irrecoverableReceivable")
  const isStated = (status === "open" || status === "paid") && !isWrittenOff
  const document: Invoice = {
    kind: "invoice",
    id,
    number: fields.maybe("voucherNumber") ?? id,
    status: isWrittenOff && status === "paid" ? "open" : status,
    party: { ...Json.present({ id: fields.maybe("contactId") }), name: fields.text("contactName") },
    currency,
    issued,
    due: fields.maybe("dueDate") === undefined ? issued : fields.day("dueDate"),
    gross,
    ...(isStated ? { stated: { open: fields.major("openAmount", currency) } } : {})
  }
  return { documents: [document, ...items], complete: id }
}
