/**
 * Maps Exact Online's sales entries and payment terms to documents. Pure.
 *
 * An invoice has one payment term. What is matched with a part of it splits it: one term is matched, and what is left is another.
 * Exact Online does not say what a term was matched with, only on which day money last came for it.
 */
import * as Day from "../../core/wire/Day.ts"
import type { Document, Invoice } from "../Document.ts"
import * as Json from "../Json.ts"

const RECEIPT = "20"
const MATCHED = "50"
/** Sales entries, and what else has payment terms: opening balances, credit notes, bank and cash entries, differences, journals. */
const TRANSACTIONS = { "10": false, "20": true, "21": false, "40": false, "82": false, "83": false, "90": false }
const KINDS = ["payment", "credit_note"] as const

/** OData 2 writes a day as its first moment in UTC, in milliseconds: `/Date(1618963200000)/`. */
const dayOf = (fields: Json.Fields, path: string): Day.Day => {
  const [, millis] = /^\/Date\((-?\d{1,15})\)\/$/.exec(fields.text(path)) ?? []
  if (millis === undefined)
    throw new Json.Unfit(path, `${JSON.stringify(fields.text(path))} is not a day like /Date(0)/`)
  return Day.fromEpochMillis(Number(millis))
}

export const entry = (fields: Json.Fields): Json.Decoded => {
  const id = fields.text("EntryID")
  const isInvoice = fields.meaning("Type", { "20": true, "21": false }, "type of entry")
  const currency = fields.currency("Currency")
  const gross = fields.major("AmountFC", currency)
  if (!isInvoice || gross < 0n) return { documents: [], deleted: [{ kind: "invoice", id }] }
  if (fields.get("Reversal") === true)
    throw new Json.Unfit("Reversal", "is true: it takes back another entry, and does not say which")
  // Open and processed: whether its period is closed in the books.
  fields.oneOf("Status", ["20", "50"])
  const issued = dayOf(fields, "EntryDate")
  const document: Invoice = {
    ...{ kind: "invoice", id, number: fields.text("EntryNumber"), status: "open" },
    party: { id: fields.text("Customer"), name: fields.text("CustomerName") },
    ...{ currency, issued },
    due: fields.maybe("DueDate") === undefined ? issued : dayOf(fields, "DueDate"),
    net: gross - fields.major("VATAmountFC", currency),
    gross
  }
  return { documents: [document] }
}

const none = (id: string, but?: Document): Json.Decoded => ({
  documents: but === undefined ? [] : [but],
  deleted: KINDS.filter((kind) => kind !== but?.kind).map((kind) => ({ kind, id }))
})

export const term = (fields: Json.Fields): Json.Decoded => {
  const id = fields.text("ID")
  if (fields.oneOf("LineType", [RECEIPT, "22"], "type of line") !== RECEIPT) return { documents: [] }
  const isSale = fields.meaning("TransactionType", TRANSACTIONS, "type of transaction")
  // Open, selected to be collected, and sent to the bank: no money came yet.
  const isMatched = fields.oneOf("Status", ["20", "30", "40", MATCHED]) === MATCHED
  if (!isSale || !isMatched) return none(id)
  const currency = fields.currency("Currency")
  if (fields.major("TransactionAmountFC", currency) < 0n) return none(id)
  const said = fields.major("AmountFC", currency)
  // What is to be received is written as a negative amount.
  const shares = [{ invoice: fields.text("TransactionEntryID"), amount: said < 0n ? -said : said }]
  if (said === 0n) return none(id)
  if (fields.maybe("LastPaymentDate") === undefined)
    return none(id, { kind: "credit_note", id, date: dayOf(fields, "EndDate"), currency, shares })
  const reference = Json.present({ reference: fields.maybe("PaymentReference") })
  return none(id, { kind: "payment", id, date: dayOf(fields, "LastPaymentDate"), currency, shares, ...reference })
}

/** Of all that was deleted, payment terms. */
export const deleted = (fields: Json.Fields): Json.Decoded =>
  ["10", "PaymentTerms"].includes(fields.text("EntityType")) ? none(fields.text("EntityKey")) : { documents: [] }
