/**
 * Maps Zoho Books' invoices to documents, each with the payments and credit notes that are applied to it. Pure.
 *
 * A payment may be applied to several invoices. Each application is a document of its own, with the application's id.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Document, Invoice, PayMethod } from "../Document.ts"
import * as Json from "../Json.ts"

const STATUSES: Readonly<Record<string, Invoice["status"]>> = {
  draft: "draft",
  pending_approval: "draft",
  approved: "draft",
  rejected: "draft",
  sent: "open",
  viewed: "open",
  unpaid: "open",
  partially_paid: "open",
  overdue: "open",
  paid: "paid",
  void: "void"
}
const METHODS: Readonly<Record<string, PayMethod>> = {
  cash: "cash",
  creditcard: "card",
  check: "bank",
  banktransfer: "bank",
  bankremittance: "bank"
}

/** Error 1002: "Invoice does not exist." */
export const explained = (body: unknown): { readonly gone?: true } =>
  Json.fieldsOf(body).maybe("code") === "1002" ? { gone: true } : {}

const currencyOf = (fields: Json.Fields): string => fields.currency("currency_code")
const writtenOff = (fields: Json.Fields) => fields.maybeMajor("write_off_amount", currencyOf(fields)) ?? 0n

/** How much of an invoice is settled by payments and credit notes. */
const settled = (fields: Json.Fields): Decimal.Decimal => {
  const [status, currency] = [fields.meaning("status", STATUSES), currencyOf(fields)]
  if (status === "draft" || status === "void") return 0n
  return fields.major("total", currency) - fields.major("balance", currency) - writtenOff(fields)
}

/** What an applied payment settles: the money, and the tax that the buyer withheld from it. */
const parts = (payment: Json.Fields, currency: string) => ({
  paid: payment.major("amount", currency),
  withheld: payment.maybeMajor("tax_amount_withheld", currency) ?? 0n
})

export const hasPayments = (fields: Json.Fields): boolean => settled(fields) !== 0n

/** Whether the payments, which were read before, leave something to credit notes. */
export const hasCredits = (fields: Json.Fields): boolean => {
  const payments = fields.list("payments").map((one) => parts(one, currencyOf(fields)))
  return settled(fields) !== Decimal.sum(payments.flatMap(({ paid, withheld }) => [paid, withheld]))
}

const methodOf = (said = ""): PayMethod => METHODS[said.toLowerCase().replaceAll(/[^a-z]/g, "")] ?? "unknown"

const payment = (invoice: string, currency: string, fields: Json.Fields): ReadonlyArray<Document> => {
  const { paid, withheld } = parts(fields, currency)
  const its = { id: fields.text("invoice_payment_id"), date: fields.day("date"), currency }
  const reference = Json.present({ reference: fields.maybe("reference_number") ?? fields.maybe("description") })
  const method = methodOf(fields.maybe("payment_mode"))
  const money: Document = { kind: "payment", ...its, shares: [{ invoice, amount: paid }], ...reference, method }
  // The buyer pays it to the tax office, and no longer owes it.
  const tax: Document = { kind: "credit_note", ...its, shares: [{ invoice, amount: withheld }] }
  return [...(paid === 0n ? [] : [money]), ...(withheld === 0n ? [] : [tax])]
}

const credit = (invoice: string, currency: string, fields: Json.Fields): ReadonlyArray<Document> => {
  const amount = fields.major("amount_applied", currency)
  const its = { id: fields.text("creditnotes_invoice_id"), date: fields.day("credited_date"), currency }
  return amount === 0n ? [] : [{ kind: "credit_note", ...its, shares: [{ invoice, amount }] }]
}

export const invoice = (fields: Json.Fields): Json.Decoded => {
  const [id, status, currency] = [fields.text("invoice_id"), fields.meaning("status", STATUSES), currencyOf(fields)]
  // The buyer still owes what the seller has written off.
  const isWrittenOff = writtenOff(fields) !== 0n
  const isStated = (status === "open" || status === "paid") && !isWrittenOff
  return {
    documents: [
      {
        kind: "invoice",
        id,
        number: fields.maybe("invoice_number") ?? id,
        status: isWrittenOff && status === "paid" ? "open" : status,
        party: { id: fields.text("customer_id"), name: fields.text("customer_name") },
        currency,
        issued: fields.day("date"),
        due: fields.day(fields.maybe("due_date") === undefined ? "date" : "due_date"),
        gross: fields.major("total", currency),
        ...(isStated ? { stated: { open: fields.major("balance", currency) } } : {})
      },
      ...fields.list("payments").flatMap((one) => payment(id, currency, one)),
      ...fields.list("credits").flatMap((one) => credit(id, currency, one))
    ],
    complete: id
  }
}
