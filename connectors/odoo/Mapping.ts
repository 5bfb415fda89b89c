/** Maps Odoo's records to documents. Odoo writes `false` for a missing value. Pure. */
import { allocate } from "../../core/money/Allocation.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Document, Invoice } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Odoo from "../OdooJson.ts"
import * as Sums from "../Sums.ts"

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
    "payment_reference",
    "write_date"
  ),
  ...Odoo.named("amount_untaxed", "amount_tax", "amount_total", "amount_residual"),
  commercial_partner_id: { fields: Odoo.named("id", "name", "country_code", "vat") },
  currency_id: CURRENCY
}

const MONEY = { fields: { ...Odoo.named("id", "amount"), currency_id: CURRENCY } }
/** What was reconciled with a line, by its part in the line's own currency. */
const MATCHED = { fields: Odoo.named("id", "credit_amount_currency") }
const RECEIVABLES = {
  fields: { ...Odoo.named("id", "account_type", "amount_currency"), matched_debit_ids: MATCHED }
}
export const RECONCILE = {
  ...Odoo.named("id", "debit_amount_currency"),
  debit_currency_id: CURRENCY,
  debit_move_id: { fields: Odoo.named("id", "move_id") },
  credit_move_id: {
    fields: {
      ...Odoo.named("id", "ref", "date", "move_type"),
      currency_id: CURRENCY,
      journal_id: { fields: Odoo.named("type") },
      payment_id: MONEY,
      statement_line_id: MONEY,
      move_id: { fields: { line_ids: RECEIVABLES } }
    }
  }
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

/**
 * Since version 18, a payment that is registered and has no journal entry yet sets `in_payment` (`paid` in the Community edition,
 * `_get_invoice_in_payment_state`), whatever its amount: `_compute_payment_state` of account.move, odoo/odoo#180813. Nothing is
 * reconciled then, and the residual amount stays.
 */
const REGISTERED = "a payment is registered, but no money is reconciled with the invoice yet: it stays open until then"

const statusOf = (fields: Json.Fields): Invoice["status"] | "registered" => {
  const state = fields.oneOf("state", STATES, "state")
  if (state !== "posted") return state === "draft" ? "draft" : "void"
  const said = fields.meaning("payment_state", PAID, "payment state")
  return said === "paid" && fields.decimal("amount_residual") > 0n ? "registered" : said
}

export const invoice = (record: Json.Fields): Json.Decoded => {
  const fields = Odoo.present(record)
  const [id, said, name] = [fields.text("id"), statusOf(fields), fields.maybe("name")]
  const status = said === "registered" ? "open" : said
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
        // What its journal's communication standard asks the buyer for; the number, where that is none.
        ...Json.present({ reference: fields.maybe("payment_reference") }),
        ...(status === "open" || status === "paid"
          ? { stated: { open: fields.major("amount_residual", currency) } }
          : {})
      }
    ],
    sums: Sums.added(fields, currency, "amount_total", ["amount_untaxed", "amount_tax"]),
    ...(said === "registered" ? { notices: [REGISTERED] } : {})
  }
}

const minor = (amount: Decimal.Decimal, currency: string) => Currency.toMinor(amount, currency)

/**
 * The money in a reconciliation. The entry of a payment with a difference that is marked as fully paid, or of a bank line with a
 * write-off, has a receivable of more than came in (odoo/odoo#52707): the difference is divided among what it was reconciled with.
 */
const moneyOf = (fields: Json.Fields, amount: Decimal.Decimal, currency: string): Decimal.Decimal => {
  const its = Json.fieldsOf(fields.get("credit_move_id"))
  const source = ["payment_id", "statement_line_id"].map((of) => its.get(of)).find(Json.isObject)
  const money = Json.fieldsOf(source)
  const said = its.maybe("currency_id.name")
  if (said === undefined || money.maybe("currency_id.name") !== said) return amount
  const lines = its.list("move_id.line_ids").flatMap((line) => {
    const whole = -line.major("amount_currency", said)
    return line.get("account_type") === "asset_receivable" && whole > 0n ? [{ line, whole }] : []
  })
  if (lines.length === 0 && its.get("move_id.line_ids") !== undefined)
    throw new Json.Unfit("credit_move_id.move_id.line_ids", "has no line of a receivable, although one was reconciled")
  const came = Decimal.abs(money.major("amount", said))
  const [all, id] = [Decimal.sum(lines.map(({ whole }) => whole)), fields.text("id")]
  if (came >= all || came === 0n) return amount
  const parts = lines.flatMap(({ line, whole }) => {
    const matched = line.list("matched_debit_ids").map((one) => ({
      id: one.text("id"),
      amount: one.major("credit_amount_currency", said)
    }))
    return [...matched, { id: "", amount: whole - Decimal.sum(matched.map(({ amount }) => amount)) }]
  })
  const shares = allocate(
    minor(came, said),
    parts.map((part) => minor(part.amount, said))
  )
  const at = parts.findIndex((part) => part.id === id)
  const [mine, part] = [shares[at], parts[at]]
  if (mine === undefined || part === undefined)
    throw new Json.Unfit(
      "credit_move_id.move_id",
      "names no reconciliation of this id, so its part of what came in is unknown"
    )
  const [share = 0n] = allocate(minor(amount, currency), [mine, minor(part.amount, said) - mine])
  return Currency.fromMinor(Decimal.fromInteger(share), currency)
}

const BANKS = ["bank", "cash", "credit"]
const JOURNALS = [...BANKS, "general", "sale", "purchase"]
const MOVES = ["entry", "out_refund", "in_invoice", "out_receipt", "in_receipt", "out_invoice", "in_refund"]
const MANUAL = "a journal entry lowers an invoice: read as a write-off, since its journal is not a bank's"

/** Maps a reconciliation of an invoice: with money, a credit note, or a manual entry (a write-off, an exchange difference). */
export const reconcile = (record: Json.Fields): Json.Decoded => {
  const fields = Odoo.present(record)
  const currency = fields.currency("debit_currency_id.name")
  const [id, amount] = [fields.text("id"), fields.major("debit_amount_currency", currency)]
  const its = Json.fieldsOf(fields.get("credit_move_id"))
  const isEntered = its.get("payment_id") !== undefined || its.get("statement_line_id") !== undefined
  const type = its.get("move_type") === undefined ? "entry" : its.oneOf("move_type", MOVES, "type")
  const journal =
    its.get("journal_id.type") === undefined ? "" : its.oneOf("journal_id.type", JOURNALS, "type of journal")
  const isMoney = isEntered || (type === "entry" && BANKS.includes(journal))
  const all = ["payment", "credit_note"] as const
  if (amount < 0n) throw new Json.Unfit("debit_amount_currency", "is below 0, and a reconciliation is not")
  // An exchange difference has an amount in the company's own currency only.
  if (amount === 0n) return { documents: [], deleted: all.map((kind) => ({ kind, id })) }
  const came = isMoney ? moneyOf(fields, amount, currency) : 0n
  const [invoice, reference] = [fields.text("debit_move_id.move_id"), its.maybe("ref")]
  const of = { id, date: fields.day("credit_move_id.date"), currency }
  const documents: Array<Document> = []
  if (came > 0n)
    documents.push({
      kind: "payment",
      ...of,
      shares: [{ invoice, amount: came }],
      ...Json.present({ reference }),
      method: "unknown"
    })
  if (amount > came) documents.push({ kind: "credit_note", ...of, shares: [{ invoice, amount: amount - came }] })
  const gone = all.filter((kind) => !documents.some((one) => one.kind === kind))
  return {
    documents,
    deleted: gone.map((kind) => ({ kind, id })),
    ...(!isMoney && type === "entry" ? { notices: [MANUAL] } : {})
  }
}
