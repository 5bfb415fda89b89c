/**
 * Maps Moneybird's sales invoices, with their payments, to documents. Pure.
 *
 * A credit invoice is an invoice of a negative amount, which says nothing by itself: where it is settled with an invoice, that
 * invoice has a payment that names it. Members and states: `sales_invoice_response` and `payment_response` of moneybird/openapi.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Country from "../../core/wire/Country.ts"
import type { Document, Invoice } from "../Document.ts"
import * as Json from "../Json.ts"
import type { Sum } from "../Contradictions.ts"
import { money } from "../Shop.ts"
import * as Sums from "../Sums.ts"

const STATES: Readonly<Record<string, Invoice["status"]>> = {
  draft: "draft",
  scheduled: "draft",
  open: "open",
  pending_payment: "open",
  reminded: "open",
  late: "open",
  paid: "paid",
  // The buyer still owes it.
  uncollectible: "open"
}

/** What a payment was registered as by hand. An action that is not a payment lowers the invoice. */
const ACTIONS: Readonly<Record<string, "payment" | "credit_note">> = {
  private_payment: "payment",
  payment_without_proof: "payment",
  cash_payment: "payment",
  bank_transfer: "payment",
  rounding_error: "credit_note",
  balance_settlement: "credit_note",
  invoices_settlement: "credit_note"
}

const settled = (payment: Json.Fields, invoice: string, currency: string): Document => {
  const amount = payment.major("price", currency)
  const its = { id: payment.text("id"), date: payment.day("payment_date"), currency }
  const shares = [{ invoice, amount: Decimal.abs(amount) }]
  const isMoney =
    payment.get("manual_payment_action") === undefined ||
    payment.meaning("manual_payment_action", ACTIONS, "payment action") === "payment"
  if (payment.get("credit_invoice_id") !== undefined || !isMoney) {
    if (amount < 0n) throw new Json.Unfit("price", "a settlement raises the invoice, which is not understood")
    return { kind: "credit_note", ...its, shares }
  }
  const reference = Json.present({ reference: payment.maybe("transaction_identifier") })
  return amount < 0n
    ? { kind: "reversal", ...its, shares, type: "refund" }
    : {
        kind: "payment",
        ...its,
        shares,
        ...reference,
        method: payment.get("financial_mutation_id") ? "bank" : "unknown"
      }
}

const partyOf = (fields: Json.Fields): Invoice["party"] => {
  const of = (member: string) => fields.maybe(`contact.${member}`)
  const person = [of("firstname"), of("lastname")].flatMap((one) => one ?? []).join(" ")
  const name = of("company_name") ?? person
  if (name === "") throw new Json.Unfit("contact", "has neither a company's nor a person's name")
  const address = ["address1", "address2", "zipcode", "city"].flatMap((one) => of(one) ?? []).join(", ") || undefined
  const [country, vat, regnum] = [Country.parse(of("country") ?? ""), of("tax_number"), of("chamber_of_commerce")]
  return { id: fields.text("contact_id"), name, ...Json.present({ country, regnum, vat, address }) }
}

/** Its lines are with their discounts, and its tax is by rate. */
const sumsOf = (fields: Json.Fields, currency: string): ReadonlyArray<Sum> => {
  const [net] = Sums.ofLines(fields, currency, "total_price_excl_tax", [
    "details",
    "total_price_excl_tax_with_discount"
  ])
  const [tax] = Sums.ofLines(fields, currency, "total_price_incl_tax", ["tax_totals", "tax_amount"])
  if (tax === undefined) return net === undefined ? [] : [net]
  const parts = [money(fields, "total_price_excl_tax", currency), ...tax.parts]
  return [...(net === undefined ? [] : [net]), { ...tax, of: "its net amount and its tax", parts }]
}

export const invoice = (fields: Json.Fields): Json.Decoded => {
  const [id, currency, state] = [fields.text("id"), fields.currency("currency"), fields.text("state")]
  const status = fields.meaning("state", STATES, "state")
  const gross = fields.major("total_price_incl_tax", currency)
  if (gross < 0n) return { documents: [], deleted: [{ kind: "invoice", id }], complete: id }
  // A draft has no date yet.
  const issued = fields.day(fields.maybe("invoice_date") === undefined ? "created_at" : "invoice_date")
  const isStated = (status === "open" || status === "paid") && state !== "uncollectible"
  const document: Invoice = {
    kind: "invoice",
    id,
    number: fields.maybe("invoice_id") ?? id,
    status,
    party: partyOf(fields),
    currency,
    issued,
    due: fields.maybe("due_date") === undefined ? issued : fields.day("due_date"),
    net: fields.major("total_price_excl_tax", currency),
    gross,
    ...Json.present({ reference: fields.maybe("payment_reference") }),
    ...(isStated ? { stated: { open: fields.major("total_unpaid", currency) } } : {}),
    ...(status === "paid" && fields.maybe("paid_at") !== undefined ? { paidOn: fields.day("paid_at") } : {})
  }
  const payments = fields.list("payments").map((one) => settled(one, id, currency))
  return { documents: [document, ...payments], complete: id, sums: sumsOf(fields, currency) }
}
