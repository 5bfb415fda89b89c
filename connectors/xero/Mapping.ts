/**
 * Maps Xero's invoices, payments, credit notes, overpayments and prepayments to documents. Pure.
 *
 * Only sales count: bills and spent money are ignored. A payment with status DELETED is deleted; a credit note lowers the
 * invoices that it is allocated to; an overpayment or prepayment is a payment of them.
 */
import * as Country from "../../core/wire/Country.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Document, Kind, Party, Stated } from "../Document.ts"
import type { Decoded, Fields } from "../Json.ts"
import * as Json from "../Json.ts"
import * as Sums from "../Sums.ts"

/** `/Date(1539993600000+0000)/`: the instant, and the organisation's UTC offset if it is not zero. */
const MILLIS = /^\/Date\((-?\d{1,15})(?:([+-])(\d{2})(\d{2}))?\)\/$/

/** The organisation's calendar day at that instant. */
const localDay = (text: string): Day.Day | undefined => {
  const [, millis, sign, hours = "0", minutes = "0"] = MILLIS.exec(text) ?? []
  if (millis === undefined) return undefined
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000
  return Day.fromEpochMillis(Number(millis) + (sign === "-" ? -ahead : ahead))
}

/** A calendar day: from the accompanying text if there is one, because that has no zone. */
const day = (fields: Fields, member: string): Day.Day => {
  if (fields.maybe(`${member}String`) !== undefined) return fields.day(`${member}String`)
  return localDay(fields.text(member)) ?? fields.day(member)
}

const STATUSES: Readonly<Record<string, "draft" | "open" | "paid" | "void">> = {
  DRAFT: "draft",
  SUBMITTED: "draft",
  AUTHORISED: "open",
  PAID: "paid",
  VOIDED: "void",
  DELETED: "void"
}

const party = (fields: Fields): Party => {
  const vat = fields.maybe("Contact.TaxNumber")
  const regnum = fields.maybe("Contact.CompanyNumber")
  const places = Json.objects(fields.get("Contact.Addresses")).map((one) => new Json.Fields(one))
  const place = places.find((one) => one.maybe("AddressType") === "POBOX") ?? places[0]
  const country = Country.parse(place?.maybe("Country") ?? "")
  const address = ["AddressLine1", "AddressLine2", "PostalCode", "City"].flatMap((part) => place?.maybe(part) ?? [])
  return {
    ...Json.present({ id: fields.maybe("Contact.ContactID") }),
    name: fields.text("Contact.Name"),
    ...Json.present({ country, regnum, vat, address: address.join(", ") || undefined })
  }
}

/** Xero's own figures. It counts overpayments and prepayments as credited. */
/** Left out within the Construction Industry Scheme, where the buyer pays part of the amount to the tax office. */
const stated = (fields: Fields, currency: string): { readonly stated?: Stated } => {
  if (/[1-9]/.test(fields.maybe("CISDeduction") ?? "")) return {}
  const figures = Json.present({
    open: fields.maybeMajor("AmountDue", currency),
    paid: fields.maybeMajor("AmountPaid", currency),
    credited: fields.maybeMajor("AmountCredited", currency)
  })
  return Object.keys(figures).length === 0 ? {} : { stated: figures }
}

/** The descriptions of SubTotal, TotalTax, Total and LineAmountTypes in XeroAPI/Xero-OpenAPI: lines are with tax if that says so. */
const sumsOf = (fields: Fields, currency: string) => [
  ...Sums.added(fields, currency, "Total", ["SubTotal", "TotalTax"]),
  ...Sums.ofLines(fields, currency, fields.maybe("LineAmountTypes") === "Inclusive" ? "Total" : "SubTotal", [
    "LineItems",
    "LineAmount"
  ])
]

export const invoice = (fields: Fields): Decoded => {
  if (fields.oneOf("Type", ["ACCREC", "ACCPAY"], "type") !== "ACCREC") return { documents: [] }
  const id = fields.text("InvoiceID")
  const status = fields.meaning("Status", STATUSES)
  const currency = fields.currency("CurrencyCode")
  const issued = day(fields, "Date")
  const undated = fields.maybe("DueDateString") === undefined && fields.maybe("DueDate") === undefined
  const document: Document = {
    kind: "invoice",
    id,
    number: fields.maybe("InvoiceNumber") ?? id,
    status,
    party: party(fields),
    currency,
    issued,
    due: undated ? issued : day(fields, "DueDate"),
    net: fields.major("SubTotal", currency),
    gross: fields.major("Total", currency),
    ...stated(fields, currency),
    ...(status === "paid" && fields.maybe("FullyPaidOnDate") !== undefined
      ? { paidOn: day(fields, "FullyPaidOnDate") }
      : {})
  }
  return { documents: [document], sums: sumsOf(fields, currency) }
}

const SOLD = "ACCRECPAYMENT"
const PAYMENTS = [SOLD, "ACCPAYPAYMENT"].concat(
  ["ARCREDIT", "APCREDIT", "AROVERPAYMENT", "APOVERPAYMENT", "ARPREPAYMENT", "APPREPAYMENT"].map(
    (about) => `${about}PAYMENT`
  )
)
/** Deleted, or not in the books yet. */
const ENDED = ["DELETED", "VOIDED", "DRAFT", "SUBMITTED"]
const STANDING = ["AUTHORISED", "PAID", ...ENDED]

export const payment = (fields: Fields): Decoded => {
  const type = fields.get("PaymentType") === undefined ? SOLD : fields.oneOf("PaymentType", PAYMENTS, "type")
  if (type !== SOLD) return { documents: [] }
  const id = fields.text("PaymentID")
  if (ENDED.includes(fields.oneOf("Status", STANDING))) return { documents: [], deleted: [{ kind: "payment", id }] }
  const currency =
    fields.get("Invoice.CurrencyCode") === undefined ? undefined : fields.currency("Invoice.CurrencyCode")
  const amount = fields.major("Amount", currency ?? "")
  const document: Document = {
    kind: "payment",
    id,
    date: day(fields, "Date"),
    ...(currency === undefined ? {} : { currency }),
    shares: [{ invoice: fields.text("Invoice.InvoiceID"), amount }]
  }
  return { documents: [document] }
}

/** The allocations to invoices; several to one invoice are added up. */
const allocated =
  (kind: "credit_note" | "payment", member: string, sold: ReadonlyArray<string>, others: ReadonlyArray<string>) =>
  (fields: Fields): Decoded => {
    if (!sold.includes(fields.oneOf("Type", [...sold, ...others], "type"))) return { documents: [] }
    const id = fields.text(member)
    const deleted: ReadonlyArray<{ readonly kind: Kind; readonly id: string }> = [{ kind, id }]
    if (ENDED.includes(fields.oneOf("Status", STANDING))) return { documents: [], deleted }
    const currency = fields.currency("CurrencyCode")
    const shares = new Map<string, bigint>()
    for (const allocation of fields.list("Allocations")) {
      if (allocation.get("IsDeleted") === true) continue
      const invoice = allocation.text("Invoice.InvoiceID")
      shares.set(invoice, (shares.get(invoice) ?? 0n) + allocation.major("Amount", currency))
    }
    if (shares.size === 0) return { documents: [], deleted }
    const document = {
      kind,
      id,
      date: day(fields, "Date"),
      currency,
      shares: [...shares].map(([invoice, amount]) => ({ invoice, amount }))
    }
    return { documents: [document] }
  }

export const creditNote = allocated("credit_note", "CreditNoteID", ["ACCRECCREDIT"], ["ACCPAYCREDIT"])
export const overpayment = allocated(
  "payment",
  "OverpaymentID",
  ["RECEIVE-OVERPAYMENT", "AROVERPAYMENT"],
  ["SPEND-OVERPAYMENT", "APOVERPAYMENT"]
)
export const prepayment = allocated(
  "payment",
  "PrepaymentID",
  ["RECEIVE-PREPAYMENT", "ARPREPAYMENT"],
  ["SPEND-PREPAYMENT", "APPREPAYMENT"]
)

/**
 * The payments embedded in an invoice, in the form of the payments list; an element that is not a payment is left as it is,
 * to be quarantined. Embedded credit notes, overpayments and prepayments are not used: they have another date than in their
 * own list, and not all of their allocations.
 */
export const paymentsOf = (invoice: Json.Members): ReadonlyArray<unknown> => {
  const payments = invoice["Payments"] ?? []
  if (invoice["Type"] !== "ACCREC") return []
  return (Array.isArray(payments) ? payments : [payments]).map((payment) =>
    Json.isObject(payment)
      ? {
          PaymentType: SOLD,
          Status: "AUTHORISED",
          ...payment,
          Invoice: { InvoiceID: invoice["InvoiceID"], CurrencyCode: invoice["CurrencyCode"] }
        }
      : payment
  )
}
