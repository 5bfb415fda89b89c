/**
 * Maps Zoho Books' invoices to documents, each with what is applied to it. A payment of several invoices is a document of its
 * own for each. It is read from the invoice's own list or, if it pays no other, from the list of all payments. Pure.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Document, Invoice, PayMethod } from "../Document.ts"
import * as Json from "../Json.ts"

type Documents = ReadonlyArray<Document>

const STATUSES: Readonly<Record<string, Invoice["status"]>> = {
  ...({ draft: "draft", pending_approval: "draft", approved: "draft", rejected: "draft" } as const),
  ...({ sent: "open", viewed: "open", unpaid: "open", partially_paid: "open", overdue: "open" } as const),
  ...({ paid: "paid", void: "void" } as const)
}
const METHODS: Readonly<Record<string, PayMethod>> = {
  cash: "cash",
  creditcard: "card",
  check: "bank",
  banktransfer: "bank",
  bankremittance: "bank"
}

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
  paid: payment.major("amount", currency) - (payment.maybeMajor("unused_amount", currency) ?? 0n),
  withheld: payment.maybeMajor("tax_amount_withheld", currency) ?? 0n
})

/** Whether the payments, as far as they were read, settle all that is settled. */
export const isPaid = (fields: Json.Fields): boolean => {
  const payments = fields.list("its_payments").map((one) => parts(one, currencyOf(fields)))
  return settled(fields) === Decimal.sum(payments.flatMap(({ paid, withheld }) => [paid, withheld]))
}

/** What is applied of one payment, perhaps in several steps. */
const payment = (invoice: string, currency: string, steps: ReadonlyArray<Json.Fields> = []): Documents => {
  const all = steps.map((one) => parts(one, currency))
  const [paid, withheld] = [Decimal.sum(all.map((one) => one.paid)), Decimal.sum(all.map((one) => one.withheld))]
  const fields = steps[0] ?? new Json.Fields({})
  const its = { id: `${fields.text("payment_id")}/${invoice}`, date: fields.day("date"), currency }
  const reference = Json.present({ reference: fields.maybe("reference_number") ?? fields.maybe("description") })
  const method = METHODS[fields.maybe("payment_mode")?.toLowerCase().replaceAll(" ", "") ?? ""] ?? "unknown"
  const money: Document = { kind: "payment", ...its, shares: [{ invoice, amount: paid }], ...reference, method }
  // The buyer pays it to the tax office, and no longer owes it.
  const tax: Document = { kind: "credit_note", ...its, shares: [{ invoice, amount: withheld }] }
  return [...(paid === 0n ? [] : [money]), ...(withheld === 0n ? [] : [tax])]
}

const credit = (invoice: string, currency: string, fields: Json.Fields): Documents => {
  const amount = fields.major("amount_applied", currency)
  const its = { id: fields.text("creditnotes_invoice_id"), date: fields.day("credited_date"), currency }
  return amount === 0n ? [] : [{ kind: "credit_note", ...its, shares: [{ invoice, amount }] }]
}

export const invoice = (fields: Json.Fields): Json.Decoded => {
  const [id, status, currency] = [fields.text("invoice_id"), fields.meaning("status", STATUSES), currencyOf(fields)]
  // The buyer still owes what the seller has written off.
  const isWrittenOff = writtenOff(fields) !== 0n
  const isStated = (status === "open" || status === "paid") && !isWrittenOff
  const payments = Object.groupBy(fields.list("its_payments"), (one) => one.text("payment_id"))
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
      ...Object.values(payments).flatMap((steps) => payment(id, currency, steps)),
      ...fields.list("its_credits").flatMap((one) => credit(id, currency, one))
    ],
    complete: id
  }
}
