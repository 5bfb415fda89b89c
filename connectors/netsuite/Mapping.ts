/** Maps NetSuite's invoices, with what was applied to them, and what is left of its payments, to documents. Pure. */
import * as Currency from "../../core/money/Currency.ts"
import type { Document, Invoice } from "../Document.ts"
import * as Json from "../Json.ts"

/** Open, paid in full, pending approval, rejected, voided. Paid in full may also be credited in full. */
const STATUSES: Readonly<Record<string, Invoice["status"]>> = {
  ...{ "CustInvc:A": "open", "CustInvc:B": "open", "CustInvc:D": "draft", "CustInvc:E": "void", "CustInvc:V": "void" }
}

/** Customer payments, deposits that are applied, credit memos; of a journal entry, nobody can tell whether money came. */
const TYPES = { CustPymt: "payment", DepAppl: "payment", CustCred: "credit_note", Journal: undefined } as const

const isSaid = (fields: Json.Fields, path: string): boolean => fields.meaning(path, { T: true, F: false }, `"T" or "F"`)

/** Whether a transaction is in the books. */
const counts = (fields: Json.Fields): boolean => isSaid(fields, "posting") && !isSaid(fields, "voided")

const referenceOf = (fields: Json.Fields): { readonly reference?: string } => {
  const found = [fields.maybe("tranid"), fields.maybe("memo")].filter((one) => one !== undefined)
  return found.length === 0 ? {} : { reference: found.join(", ") }
}

const applied = (link: Json.Fields, invoice: string, currency: string): Document | string | undefined => {
  const kind = link.meaning("type", TYPES, "type of transaction")
  if (!counts(link)) return undefined
  if (link.currency("currency") !== currency)
    throw new Json.Unfit(
      "currency",
      `of ${link.text("id")} is ${link.currency("currency")}; the invoice's is ${currency}`
    )
  const amount = link.major("amount", currency)
  if (kind === undefined)
    return `a journal entry lowers this invoice by ${Currency.say(amount, currency)}, and does not say whether money came`
  if (amount === 0n) return undefined
  if (amount < 0n)
    throw new Json.Unfit("amount", `of ${link.text("id")} is below 0, which no page of NetSuite's explains`)
  const its = {
    id: `${link.text("id")}/${invoice}`,
    date: link.day("trandate"),
    currency,
    shares: [{ invoice, amount }]
  }
  return kind === "payment" ? { kind, ...its, ...referenceOf(link) } : { kind, ...its }
}

export const invoice = (fields: Json.Fields): Json.Decoded => {
  const id = fields.text("id")
  const currency = fields.currency("currency")
  const said = fields.meaning("status", STATUSES)
  const status = isSaid(fields, "voided") ? "void" : said === "open" && !isSaid(fields, "posting") ? "draft" : said
  const issued = fields.day("trandate")
  const due = fields.maybe("duedate") === undefined ? issued : fields.day("duedate")
  const party = { id: fields.text("entity"), name: fields.text("name") }
  const its = { kind: "invoice", id, number: fields.text("tranid"), status, party, currency, issued, due } as const
  const gross = fields.major("foreigntotal", currency)
  const stated = status === "open" ? { stated: { open: fields.major("foreignamountunpaid", currency) } } : {}
  const found = fields.list("applied").map((link) => applied(link, id, currency))
  return {
    documents: [{ ...its, gross, ...stated }, ...found.filter((one) => typeof one === "object")],
    notices: found.filter((one) => typeof one === "string"),
    complete: id
  }
}

/** What is left of a payment once it was applied. */
export const payment = (fields: Json.Fields): Json.Decoded => {
  const id = fields.text("id")
  const currency = fields.currency("currency")
  const unallocated = fields.get("unused") === undefined ? 0n : fields.major("unused", currency)
  if (!counts(fields) || unallocated === 0n) return { documents: [], deleted: [{ kind: "payment", id }] }
  if (unallocated < 0n) throw new Json.Unfit("unused", "is below 0, which no page of NetSuite's explains")
  const party = { id: fields.text("entity") }
  const its = { kind: "payment", id, date: fields.day("trandate"), currency, shares: [], unallocated, party } as const
  return { documents: [{ ...its, ...referenceOf(fields) }] }
}
