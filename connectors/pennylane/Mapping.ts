/**
 * Maps Pennylane's customer invoices and credit notes to documents, with the bank transactions matched to them. Pure.
 *
 * A match does not say how much of a transaction is for the invoice: what is not certain from what remains of the invoice is
 * left out with a notice.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Country from "../../core/wire/Country.ts"
import type { Document, Invoice } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Sums from "../Sums.ts"

const EURO = "EUR"
const OPEN = ["incomplete", "upcoming", "late", "partially_paid", "partially_cancelled", "cancelled"]
/** A `cancelled` invoice is settled by its credit note, which is a document of its own. */
const STATUSES: Readonly<Record<string, Invoice["status"] | "none">> = {
  ...{ draft: "draft", paid: "paid", credit_note: "none", proforma: "none" },
  ...Object.fromEntries(OPEN.map((one) => [one, "open" as const]))
}

const amounts = (fields: Json.Fields) => {
  const currency = fields.currency("currency")
  return { currency, gross: fields.major("currency_amount", currency) }
}

/** What is settled of an invoice, by whatever; undefined where Pennylane does not say it in the invoice's currency. */
const settledOf = (fields: Json.Fields): Decimal.Decimal | undefined => {
  const { currency, gross } = amounts(fields)
  const remaining = fields.maybeMajor("remaining_amount_with_tax", EURO)
  return currency === EURO && remaining !== undefined ? gross - remaining : undefined
}

export const isSettledInPart = (fields: Json.Fields): boolean =>
  !["draft", "proforma"].includes(fields.maybe("status") ?? "") && settledOf(fields) !== 0n

export const namesCustomer = (fields: Json.Fields): boolean => fields.get("customer.id") !== undefined

const partyOf = (fields: Json.Fields): Invoice["party"] => {
  const of = (member: string) => fields.maybe(`billing_address.${member}`)
  const country = Country.parse(of("country_alpha2") ?? "")
  const address = ["address", "postal_code", "city"].flatMap((one) => of(one) ?? []).join(", ") || undefined
  const [vat, regnum] = [fields.maybe("vat_number"), fields.maybe("reg_no")]
  return { id: fields.text("id"), name: fields.text("name"), ...Json.present({ country, regnum, vat, address }) }
}

/** More transactions of one invoice than that are not told apart. */
const MOST = 10
const UNSURE = "what of its bank transactions is for it cannot be told from what remains of it; they are left out"

/** The transactions of an invoice, each with as much as is for the invoice; undefined if that cannot be told. */
const parts = (fields: Json.Fields, currency: string) => {
  const all = fields.list("its_transactions").map((one) => ({
    ...{ id: one.text("id"), date: one.day("date"), label: one.maybe("label") },
    amount: one.currency("currency") === currency ? one.major("currency_amount", currency) : undefined
  }))
  const known = all.flatMap(({ amount, ...its }) => (amount === undefined ? [] : [{ ...its, amount }]))
  const [[first], sum, settled] = [known, Decimal.sum(known.map(({ amount }) => amount)), settledOf(fields)]
  if (all.length === 0) return []
  if (known.length < all.length || settled === undefined || first === undefined) return undefined
  if (Decimal.abs(sum) <= Decimal.abs(settled)) return known
  // One transaction for several invoices.
  const isCredited = /cancelled/.test(fields.text("status"))
  return known.length === 1 && !isCredited && sum > 0n === settled > 0n ? [{ ...first, amount: settled }] : undefined
}

/** The money of an invoice or a credit note, numbered: a match that is undone leaves no trace, but a number that is not used. */
const moneyOf = (fields: Json.Fields, invoice: string, currency: string): Json.Decoded => {
  const id = (n: number) => `${fields.text("id")}/${n + 1}`
  const found = parts(fields, currency)
  const all = found === undefined || found.length > MOST ? [] : found
  const documents = all.map(({ amount, date, label }, n): Document => {
    const its = { id: id(n), date, currency, shares: [{ invoice, amount: Decimal.abs(amount) }] }
    return amount < 0n
      ? { kind: "reversal", ...its, type: "refund" }
      : { kind: "payment", ...its, ...Json.present({ reference: label }), method: "bank" }
  })
  const gone = Array.from({ length: MOST }, (_, n) =>
    (["payment", "reversal"] as const).flatMap((kind) => (documents[n]?.kind === kind ? [] : [{ kind, id: id(n) }]))
  )
  return { documents, deleted: gone.flat(), ...(all === found ? {} : { notices: [UNSURE] }) }
}

const creditNote = (fields: Json.Fields): Json.Decoded => {
  const [id, { currency, gross }] = [fields.text("id"), amounts(fields)]
  const of = fields.maybe("credited_invoice.id")
  if (fields.get("draft") === true || of === undefined)
    return {
      documents: [],
      deleted: [
        { kind: "invoice", id },
        { kind: "credit_note", id }
      ]
    }
  const { deleted = [], documents, ...notices } = moneyOf(fields, of, currency)
  const its: Document = {
    kind: "credit_note",
    id,
    date: fields.day("date"),
    currency,
    shares: [{ invoice: of, amount: -gross }]
  }
  return { documents: [its, ...documents], deleted: [{ kind: "invoice", id }, ...deleted], ...notices }
}

export const invoice = (fields: Json.Fields): Json.Decoded => {
  const [id, { currency, gross }] = [fields.text("id"), amounts(fields)]
  const status = fields.meaning("status", STATUSES)
  if (gross < 0n) return creditNote(fields)
  const [customer] = fields.list("its_customer")
  if (status === "none" || (status === "draft" && customer === undefined))
    return { documents: [], deleted: [{ kind: "invoice", id }] }
  const issued = fields.day(fields.maybe("date") === undefined ? "created_at" : "date")
  const isStated = (status === "open" || status === "paid") && settledOf(fields) !== undefined
  const document: Invoice = {
    ...{ kind: "invoice", id, number: fields.maybe("invoice_number") ?? id, status },
    party: partyOf(customer ?? new Json.Fields({})),
    ...{ currency, issued },
    due: fields.maybe("deadline") === undefined ? issued : fields.day("deadline"),
    net: fields.major("currency_amount_before_tax", currency),
    gross,
    ...(isStated ? { stated: { open: fields.major("remaining_amount_with_tax", currency) } } : {})
  }
  const { documents, ...more } = moneyOf(fields, id, currency)
  const sums = Sums.added(fields, currency, "currency_amount", ["currency_amount_before_tax", "currency_tax"])
  return { documents: [document, ...documents], ...more, sums }
}
