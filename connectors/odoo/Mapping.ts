/** Maps Odoo's records to documents. Odoo writes `false` for a missing value. Pure. */
import type { Invoice } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Odoo from "../OdooJson.ts"

const CURRENCY = { fields: Odoo.named("name") }

/** What is read of an invoice and of the records that it names. */
export const INVOICE = {
  ...Odoo.named(
    "id",
    "name",
    "state",
    "payment_state",
    "invoice_date",
    "invoice_date_due",
    "date",
    "ref",
    "write_date"
  ),
  ...Odoo.named("amount_untaxed", "amount_total", "amount_residual"),
  commercial_partner_id: { fields: Odoo.named("id", "name", "country_code", "vat") },
  currency_id: CURRENCY
}
export const RECONCILE = {
  ...Odoo.named("id", "debit_amount_currency", "max_date"),
  debit_currency_id: CURRENCY,
  debit_move_id: { fields: Odoo.named("id", "move_id") },
  credit_move_id: { fields: Odoo.named("id", "payment_id", "statement_line_id", "ref", "date") }
}

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

const statusOf = (fields: Json.Fields): Invoice["status"] => {
  const state = fields.oneOf("state", STATES, "state")
  if (state !== "posted") return state === "draft" ? "draft" : "void"
  return fields.meaning("payment_state", PAID, "payment state")
}

export const invoice = (record: Json.Fields): Json.Decoded => {
  const fields = Odoo.present(record)
  const [id, status, name] = [fields.text("id"), statusOf(fields), fields.maybe("name")]
  const currency = fields.currency("currency_id.name")
  const [country, vat] = ["country_code", "vat"].map((member) => fields.maybe(`commercial_partner_id.${member}`))
  // A draft has no number, and may have no date yet.
  const issued = fields.day(fields.maybe("invoice_date") === undefined ? "date" : "invoice_date")
  return {
    documents: [
      {
        kind: "invoice",
        id,
        number: name === undefined || name === "/" ? id : name,
        status,
        party: {
          id: fields.text("commercial_partner_id.id"),
          name: fields.text("commercial_partner_id.name"),
          ...Json.present({ country, vat })
        },
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
  const currency = fields.currency("debit_currency_id.name")
  const [id, amount] = [fields.text("id"), fields.major("debit_amount_currency", currency)]
  const of = (member: string) => fields.maybe(`credit_move_id.${member}`)
  const isMoney = of("payment_id") !== undefined || of("statement_line_id") !== undefined
  const kind = isMoney ? "payment" : "credit_note"
  // An exchange difference has an amount in the company's own currency only.
  if (amount === 0n) return { documents: [], deleted: [{ kind, id }] }
  const shares = [{ invoice: fields.text("debit_move_id.move_id"), amount }]
  const its = { id, date: fields.day("credit_move_id.date"), currency, shares }
  const reference = of("ref")
  if (!isMoney) return { documents: [{ kind: "credit_note", ...its }] }
  return { documents: [{ kind: "payment", ...its, ...Json.present({ reference }), method: "unknown" }] }
}
