/**
 * Xero's invoices, payments, credit notes, overpayments and prepayments as facts. Pure.
 *
 * Only what is sold counts: bills and what was spent become nothing. A payment that was deleted is gone; a credit note
 * lowers the invoices that it is allocated to, an over- or prepayment is money for them.
 */
import * as Country from "../../core/wire/Country.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Document, Kind, Party, Stated } from "../Document.ts"
import type { Decoded, Fields } from "../Json.ts"
import * as Json from "../Json.ts"

/** `/Date(1539993600000+0000)/`: the instant, and the zone of the organisation where it is not UTC. */
const MILLIS = /^\/Date\((-?\d{1,15})(?:([+-])(\d{2})(\d{2}))?\)\/$/

export const millisOf = (text: string): number | undefined => {
  const match = MILLIS.exec(text)
  return match === null ? undefined : Number(match[1])
}

/** The day that it is there at that instant. */
const localDay = (text: string): Day.Day | undefined => {
  const [, millis, sign, hours = "0", minutes = "0"] = MILLIS.exec(text) ?? []
  if (millis === undefined) return undefined
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000
  return Day.fromEpochMillis(Number(millis) + (sign === "-" ? -ahead : ahead))
}

/** A day of the source: the text beside it where there is one, because that has no zone. */
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
  const id = fields.maybe("Contact.ContactID")
  const vat = fields.maybe("Contact.TaxNumber")
  const regnum = fields.maybe("Contact.CompanyNumber")
  const places = Json.objects(fields.get("Contact.Addresses")).map((one) => new Json.Fields(one))
  const place = places.find((one) => one.maybe("AddressType") === "POBOX") ?? places[0]
  const country = Country.parse(place?.maybe("Country") ?? "")
  const address = ["AddressLine1", "AddressLine2", "PostalCode", "City"].flatMap((part) => place?.maybe(part) ?? [])
  return {
    ...(id === undefined ? {} : { id }),
    name: fields.text("Contact.Name"),
    ...(country === undefined ? {} : { country }),
    ...(regnum === undefined ? {} : { regnum }),
    ...(vat === undefined ? {} : { vat }),
    ...(address.length === 0 ? {} : { address: address.join(", ") })
  }
}

/** Xero's own figures. What over- and prepayments settle counts as credited there. */
const stated = (fields: Fields, currency: string): { readonly stated?: Stated } => {
  const figures = Json.present({
    open: fields.maybeMajor("AmountDue", currency),
    paid: fields.maybeMajor("AmountPaid", currency),
    credited: fields.maybeMajor("AmountCredited", currency)
  })
  return Object.keys(figures).length === 0 ? {} : { stated: figures }
}

export const invoice = (fields: Fields): Decoded => {
  if (fields.oneOf("Type", ["ACCREC", "ACCPAY"], "type") !== "ACCREC") return { documents: [] }
  const id = fields.text("InvoiceID")
  const said = fields.text("Status")
  const status = Object.hasOwn(STATUSES, said) ? STATUSES[said] : undefined
  if (status === undefined) throw new Json.Unfit("Status", `${JSON.stringify(said)} is not a known status`)
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
  return { documents: [document] }
}

const SOLD = "ACCRECPAYMENT"
const PAYMENTS = [SOLD, "ACCPAYPAYMENT"].concat(
  ["ARCREDIT", "APCREDIT", "AROVERPAYMENT", "APOVERPAYMENT", "ARPREPAYMENT", "APPREPAYMENT"].map(
    (about) => `${about}PAYMENT`
  )
)
const ENDED = ["DELETED", "VOIDED"]

export const payment = (fields: Fields): Decoded => {
  const type = fields.get("PaymentType") === undefined ? SOLD : fields.oneOf("PaymentType", PAYMENTS, "type")
  if (type !== SOLD) return { documents: [] }
  const id = fields.text("PaymentID")
  if (ENDED.includes(fields.text("Status"))) return { documents: [], deleted: [{ kind: "payment", id }] }
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

/** What is allocated to invoices; a second allocation to one of them adds to the first. */
const allocated =
  (kind: "credit_note" | "payment", member: string, sold: ReadonlyArray<string>, others: ReadonlyArray<string>) =>
  (fields: Fields): Decoded => {
    if (!sold.includes(fields.oneOf("Type", [...sold, ...others], "type"))) return { documents: [] }
    const id = fields.text(member)
    const deleted: ReadonlyArray<{ readonly kind: Kind; readonly id: string }> = [{ kind, id }]
    if (ENDED.includes(fields.text("Status"))) return { documents: [], deleted }
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
 * The payments that an invoice carries with it, as the list of payments would show them; what is no payment stays as it is,
 * to be quarantined. What else it carries (credit notes, over- and prepayments) has another date there than in its own list,
 * and not all of its allocations.
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
