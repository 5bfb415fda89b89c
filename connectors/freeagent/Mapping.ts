/** Maps FreeAgent's records to documents. FreeAgent identifies records by URL; the last segment is the id. Pure. */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Invoice } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Sums from "../Sums.ts"

const STATUSES: Readonly<Record<string, Invoice["status"]>> = {
  Draft: "draft",
  "Scheduled To Email": "draft",
  Open: "open",
  Overdue: "open",
  "Zero Value": "paid",
  Paid: "paid",
  Overpaid: "paid",
  Refunded: "paid",
  // The buyer still owes what the seller has written off.
  "Written-off": "open",
  "Part written-off": "open"
}

/** The id in `https://api.freeagent.com/v2/invoices/7` is 7. */
const idOf = (fields: Json.Fields, path: string): string => {
  const [, id] = /\/([^/]+)$/.exec(fields.text(path)) ?? []
  if (id === undefined) throw new Json.Unfit(path, "is not an address with an id at its end")
  return id
}

export const invoice = (fields: Json.Fields): Json.Decoded => {
  const id = idOf(fields, "url")
  const status = fields.meaning("status", STATUSES)
  const said = fields.text("status")
  const currency = fields.currency("currency")
  const [net, gross] = [fields.major("net_value", currency), fields.major("total_value", currency)]
  // Before FreeAgent had credit notes, they were written as invoices with a negative amount.
  if (gross < 0n) return { documents: [], deleted: [{ kind: "invoice", id }] }
  const isStated = (status === "open" || status === "paid") && !said.endsWith("ritten-off")
  // Under the Construction Industry Scheme, the buyer pays part of the amount to the tax office.
  const hasDeduction = fields.maybe("cis_rate") !== undefined
  const second = fields.maybe("second_sales_tax_value") === undefined ? [] : ["second_sales_tax_value"]
  const taxes = ["sales_tax_value", ...second]
  return {
    documents: [
      {
        kind: "invoice",
        id,
        number: fields.maybe("reference") ?? id,
        status,
        party: {
          id: idOf(fields, "contact"),
          name: fields.maybe("contact_name") ?? fields.text("client_contact_name")
        },
        currency,
        issued: fields.day("dated_on"),
        due: fields.day(fields.maybe("due_on") === undefined ? "dated_on" : "due_on"),
        net,
        gross,
        ...(isStated && !hasDeduction ? { stated: { open: fields.major("due_value", currency) } } : {}),
        ...(status === "paid" && fields.maybe("paid_on") !== undefined ? { paidOn: fields.day("paid_on") } : {})
      }
    ],
    sums: hasDeduction ? [] : Sums.added(fields, currency, "total_value", ["net_value", ...taxes])
  }
}

/** The amount in the invoice's currency, which is the bank account's own unless a foreign amount is given. */
const paidBy = (fields: Json.Fields): Decimal.Decimal =>
  fields.decimal(fields.maybe("foreign_currency_value") === undefined ? "gross_value" : "foreign_currency_value")

/** Explanations that do not concern an invoice. */
const OTHERS = [
  ...["category", "paid_bill", "paid_user", "transfer_bank_account", "linked_transfer_account"],
  ...["linked_transfer_explanation", "stock_item", "capital_asset", "disposed_asset"]
]

/** Maps a transaction explained as an invoice payment, once approved: FreeAgent's own guesses do not count. */
export const explanation = (fields: Json.Fields): Json.Decoded => {
  if (fields.get("paid_invoice") === undefined && OTHERS.some((path) => fields.get(path) !== undefined))
    return { documents: [] }
  const [paid, id, kept] = [fields.text("paid_invoice"), idOf(fields, "url"), paidBy(fields)]
  const [, list] = /\/(invoices|credit_notes)\/[^/]+$/.exec(paid) ?? []
  if (list === undefined) throw new Json.Unfit("paid_invoice", "is not the address of an invoice or of a credit note")
  const guessed = fields.get("marked_for_review") ?? false
  if (typeof guessed !== "boolean") throw new Json.Unfit("marked_for_review", "is not true or false")
  const deleted = [
    { kind: "payment", id },
    { kind: "reversal", id }
  ] as const
  // Refunding a credit note changes no invoice.
  if (kept === 0n || guessed || list === "credit_notes") return { documents: [], deleted }
  const its = {
    id,
    date: fields.day("dated_on"),
    shares: [{ invoice: idOf(fields, "paid_invoice"), amount: Decimal.abs(kept) }]
  }
  if (kept < 0n) return { documents: [{ kind: "reversal", ...its, type: "refund" }] }
  const reference = fields.maybe("description")
  return { documents: [{ kind: "payment", ...its, ...Json.present({ reference }), method: "bank" }] }
}

/** Maps the part of a credit note that is allocated to an invoice. */
export const reconciliation = (fields: Json.Fields): Json.Decoded => {
  const currency = fields.currency("currency")
  const [amount, id] = [fields.major("gross_value", currency), idOf(fields, "url")]
  if (amount === 0n) return { documents: [], deleted: [{ kind: "credit_note", id }] }
  return {
    documents: [
      {
        kind: "credit_note",
        id,
        date: fields.day("dated_on"),
        currency,
        shares: [{ invoice: idOf(fields, "invoice"), amount }]
      }
    ]
  }
}
