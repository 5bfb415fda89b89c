/**
 * Maps Odoo's records to documents. Odoo writes `false` for a missing value, and a reference as an id with a name:
 * `[3, "EUR"]`. Pure.
 */
import type { Invoice } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Odoo from "../OdooJson.ts"

export const INVOICE = [
  ...["id", "name", "state", "payment_state", "commercial_partner_id", "invoice_date", "invoice_date_due", "date"],
  ...["currency_id", "amount_untaxed", "amount_total", "amount_residual", "ref", "write_date"]
]
export const PARTNER = ["id", "name", "country_code", "vat"]
export const RECONCILE = [
  "id",
  "debit_move_id",
  "credit_move_id",
  "debit_amount_currency",
  "debit_currency_id",
  "max_date"
]
export const LINE = ["id", "move_id", "move_type", "payment_id", "statement_line_id", "ref", "date"]

const STATES = ["draft", "posted", "cancel"]
/** Payment states of posted invoices. */
const PAID: Readonly<Record<string, Invoice["status"]>> = {
  not_paid: "open",
  partial: "open",
  in_payment: "paid",
  paid: "paid",
  reversed: "paid",
  blocked: "open",
  invoicing_legacy: "open"
}

const one = (fields: Json.Fields, child: string): Json.Fields => {
  const [found] = fields.list(child)
  if (found === undefined) throw new Json.Unfit(child, "is not there; it may have been deleted meanwhile")
  return found
}

const statusOf = (fields: Json.Fields): Invoice["status"] => {
  const state = fields.oneOf("state", STATES, "state")
  if (state !== "posted") return state === "draft" ? "draft" : "void"
  return fields.meaning("payment_state", PAID, "payment state")
}

export const invoice = (record: Json.Fields): Json.Decoded => {
  const fields = Odoo.present(record)
  const [id, status, partner] = [fields.text("id"), statusOf(fields), one(fields, "partner")]
  const currency = fields.currency("currency_id.1")
  const [name, country, vat] = [fields.maybe("name"), partner.maybe("country_code"), partner.maybe("vat")]
  // A draft has no number, and may have no date yet.
  const issued = fields.day(fields.maybe("invoice_date") === undefined ? "date" : "invoice_date")
  return {
    documents: [
      {
        kind: "invoice",
        id,
        number: name === undefined || name === "/" ? id : name,
        status,
        party: { id: partner.text("id"), name: partner.text("name"), ...Json.present({ country, vat }) },
        currency,
        issued,
        due: fields.maybe("invoice_date_due") === undefined ? issued : fields.day("invoice_date_due"),
        net: fields.major("amount_untaxed", currency),
        gross: fields.major("amount_total", currency),
        ...(status === "open" || status === "paid"
          ? { stated: { open: fields.major("amount_residual", currency) } }
          : {})
      }
    ]
  }
}

/** Maps a reconciliation of an invoice: with money, a credit note, or a manual entry (a write-off, an exchange difference). */
export const reconcile = (record: Json.Fields): Json.Decoded => {
  const fields = Odoo.present(record)
  const [debit, credit] = [one(fields, "debit"), one(fields, "credit")]
  const currency = fields.currency("debit_currency_id.1")
  const [id, amount] = [fields.text("id"), fields.major("debit_amount_currency", currency)]
  const isMoney = credit.maybe("payment_id.0") !== undefined || credit.maybe("statement_line_id.0") !== undefined
  const kind = isMoney ? "payment" : "credit_note"
  // An exchange difference has an amount in the company's own currency only.
  if (amount === 0n) return { documents: [], deleted: [{ kind, id }] }
  const its = { id, date: credit.day("date"), currency, shares: [{ invoice: debit.text("move_id.0"), amount }] }
  const reference = credit.maybe("ref")
  if (!isMoney) return { documents: [{ kind: "credit_note", ...its }] }
  return { documents: [{ kind: "payment", ...its, ...Json.present({ reference }), method: "unknown" }] }
}
