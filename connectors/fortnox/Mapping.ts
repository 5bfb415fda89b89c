/**
 * Maps Fortnox's customer invoices and their payments to documents. Pure.
 *
 * A credit invoice lowers no other invoice by itself: Fortnox has no netting, and both are entered as paid, one with a negative
 * payment. Its list has payments in kronor; one in another currency, or with a write-off, is read by its number.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Document, Invoice } from "../Document.ts"
import * as Json from "../Json.ts"

const KRONOR = "SEK"
const TYPES = ["INVOICE", "AGREEMENTINVOICE", "INTRESTINVOICE", "SUMMARYINVOICE", "CASHINVOICE"]
/** Accounts of the Swedish standard chart of accounts for customers' debts that are doubtful or lost. */
const LOST = /^(151|635)/

const flag = (fields: Json.Fields, path: string): boolean => {
  const said = fields.get(path)
  return typeof said === "boolean" ? said : fields.meaning(path, { true: true, false: false }, "yes or no")
}

/** An invoice is locked once it is sent: with cash accounting, it is booked when it is paid. */
const statusOf = (fields: Json.Fields): Invoice["status"] => {
  if (flag(fields, "Cancelled")) return "void"
  if (!flag(fields, "Booked") && !flag(fields, "Sent")) return "draft"
  // What else is settled shows in its payments: a debt that was written off has no balance either.
  return fields.maybe("InvoiceType") === "CASHINVOICE" ? "paid" : "open"
}

export const invoice = (fields: Json.Fields): Json.Decoded => {
  const [id, currency] = [fields.text("DocumentNumber"), fields.currency("Currency")]
  const [gross, balance] = [fields.major("Total", currency), fields.major("Balance", currency)]
  // A credit invoice.
  if (gross < 0n) return { documents: [], deleted: [{ kind: "invoice", id }] }
  if (fields.maybe("InvoiceType") !== undefined) fields.oneOf("InvoiceType", TYPES, "type")
  const [status, issued] = [statusOf(fields), fields.day("InvoiceDate")]
  const isStated = (status === "open" || status === "paid") && currency === KRONOR
  const document: Invoice = {
    ...{ kind: "invoice", id, number: id, status },
    party: { id: fields.text("CustomerNumber"), name: fields.text("CustomerName") },
    ...{ currency, issued },
    due: fields.maybe("DueDate") === undefined ? issued : fields.day("DueDate"),
    gross,
    ...Json.present({ reference: fields.maybe("OCR") }),
    ...(isStated ? { stated: { open: balance } } : {}),
    ...(status === "paid" ? { paidOn: issued } : {})
  }
  return { documents: [document] }
}

/** Whether only the payment itself has its amount, or what of it was written off. */
export const isDetailed = (fields: Json.Fields): boolean =>
  flag(fields, "Booked") && (fields.currency("Currency") !== KRONOR || fields.get("WriteOffExist") === true)

/** Whether money went back, or was set off against an invoice. */
export const isBack = (fields: Json.Fields): boolean => flag(fields, "Booked") && fields.decimal("Amount") < 0n

/** What was written off and is not owed any more, such as a discount, a bank's fee or a difference in cents. */
const writtenOff = (detail: Json.Fields, currency: string): Decimal.Decimal =>
  Decimal.sum(
    detail.list("WriteOffs").flatMap((one) => {
      // A difference of exchange rates is in kronor, and its invoice is not.
      const isElsewhere = (one.maybe("Currency") ?? currency) !== currency
      return isElsewhere || LOST.test(one.text("AccountNumber")) ? [] : [one.major("Amount", currency)]
    })
  )

const KINDS = ["payment", "reversal", "credit_note"] as const

const paid = (fields: Json.Fields): ReadonlyArray<Document> => {
  const [id, currency, invoice] = [fields.text("Number"), fields.currency("Currency"), fields.text("InvoiceNumber")]
  const detail = fields.list("its_detail")[0] ?? fields
  const amount = detail.major(currency === KRONOR ? "Amount" : "AmountCurrency", currency)
  const its = { id, date: fields.day("PaymentDate"), currency }
  if (amount < 0n) {
    const of = fields.list("its_invoice")[0] ?? new Json.Fields({})
    const isCredit = flag(of, "Credit")
    // A credit invoice that was not made from an invoice lowers none.
    const [credited] = isCredit ? [of.maybe("InvoiceReference") ?? "0"] : []
    if (credited === "0") return []
    const shares = [{ invoice: credited ?? invoice, amount: -amount }]
    if (!isCredit) return [{ kind: "reversal", ...its, shares, type: "unknown" }]
    return [
      { kind: "reversal", ...its, shares, type: "refund" },
      { kind: "credit_note", ...its, shares, refunded: true }
    ]
  }
  const off = writtenOff(detail, currency)
  return [
    ...(amount === 0n ? [] : [{ kind: "payment", ...its, shares: [{ invoice, amount }] } as const]),
    ...(off === 0n ? [] : [{ kind: "credit_note", ...its, shares: [{ invoice, amount: off }] } as const])
  ]
}

export const payment = (fields: Json.Fields): Json.Decoded => {
  const [id, documents] = [fields.text("Number"), flag(fields, "Booked") ? paid(fields) : []]
  const gone = KINDS.filter((kind) => !documents.some((one) => one.kind === kind))
  return { documents, deleted: gone.map((kind) => ({ kind, id })) }
}
