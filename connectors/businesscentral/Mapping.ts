/**
 * Maps entries of Business Central's customer ledger to documents. Pure.
 *
 * Where two entries are applied to each other, each gets a detailed entry with the type and number of the one that was applied,
 * which is the later one: usually a payment to an invoice, and an invoice to what was paid before it. Only that of the other one
 * says what both are, and becomes a document.
 */
import type { CreditNote, Invoice, Payment } from "../Document.ts"
import * as Json from "../Json.ts"

const INVOICE = "Invoice"
const KINDS = ["payment", "credit_note"] as const
/** What settles invoices. Of entries without a type, which journals may have, nobody knows whether money came. */
const SETTLES = { Payment: "payment", "Credit Memo": "credit_note" } as const
const [NOTHING, OFF] = ["nothing", "off"] as const
const ENTRY_TYPES: Readonly<Record<string, "nothing" | "off" | "applied">> = {
  "Initial Entry": NOTHING,
  Application: "applied",
  ...{ "Unrealized Loss": NOTHING, "Unrealized Gain": NOTHING, "Realized Loss": NOTHING, "Realized Gain": NOTHING },
  ...{ "Correction of Remaining Amount": NOTHING },
  // What the buyer does not owe any more.
  ...{ "Payment Discount": OFF, "Payment Discount (VAT Excl.)": OFF, "Payment Discount (VAT Adjustment)": OFF },
  ...{ "Payment Tolerance": OFF, "Payment Tolerance (VAT Excl.)": OFF, "Payment Tolerance (VAT Adjustment)": OFF },
  ...{ "Payment Discount Tolerance": OFF, "Payment Discount Tolerance (VAT Excl.)": OFF },
  ...{ "Payment Discount Tolerance (VAT Adjustment)": OFF, "Appln. Rounding": OFF }
}

const currencyOf = (fields: Json.Fields, books: string): string =>
  fields.maybe("Currency_Code") === undefined ? books : fields.currency("Currency_Code")

/** The number of an entry. */
const numberOf = (fields: Json.Fields, path = "Entry_No"): string => {
  const said = fields.text(path)
  if (/^\d{1,10}$/.test(said)) return said
  throw new Json.Unfit(path, `${JSON.stringify(said.slice(0, 40))} is not the number of an entry`)
}

const flag = (fields: Json.Fields, path: string): boolean => {
  const said = fields.get(path)
  if (typeof said === "boolean") return said
  throw new Json.Unfit(path, "is missing; it must be true or false. Publish the pages that the connector's page names")
}

/** OData writes an empty date as the first day of the calendar. */
const isEmpty = (fields: Json.Fields, path: string): boolean => (fields.maybe(path) ?? "0001-").startsWith("0001-")

const issuedOf = (fields: Json.Fields) =>
  fields.day(isEmpty(fields, "Document_Date") ? "Posting_Date" : "Document_Date")

export const invoice =
  (books: string) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = numberOf(fields)
    const currency = currencyOf(fields, books)
    const [gross, open] = [fields.major("Original_Amount", currency), fields.major("Remaining_Amount", currency)]
    // It owes the buyer something: a correction.
    if (gross < 0n) return { documents: [], deleted: [{ kind: "invoice", id }] }
    if (!flag(fields, "Open") && open !== 0n)
      throw new Json.Unfit(
        "Open",
        "is false, and Remaining_Amount is not 0; read it again, or look at it in Business Central"
      )
    const isVoid = flag(fields, "Reversed")
    const document: Invoice = {
      ...{ kind: "invoice", id, number: fields.text("Document_No"), status: isVoid ? "void" : "open" },
      party: { id: fields.text("Customer_No"), name: fields.text("Customer_Name") },
      ...{ currency, issued: issuedOf(fields) },
      due: isEmpty(fields, "Due_Date") ? issuedOf(fields) : fields.day("Due_Date"),
      gross,
      ...(isVoid ? {} : { stated: { open } })
    }
    return { documents: [document] }
  }

const isInvoice = (fields: Json.Fields): boolean => fields.maybe("Document_Type") === INVOICE

/** What a detailed entry settles, and with what; undefined if it settles no invoice, or another one says so. */
const settles = (fields: Json.Fields, own: Json.Fields) => {
  const what = fields.meaning("Entry_Type", ENTRY_TYPES, "type of entry")
  if (what === NOTHING) return undefined
  if (what === OFF)
    return isInvoice(own) ? ({ of: own, with: "credit_note", sign: -1n, reference: undefined } as const) : undefined
  if (isInvoice(own) === isInvoice(fields)) return undefined
  const [of] = isInvoice(own) ? [own] : fields.list("its_invoice")
  if (of === undefined) throw new Json.Unfit("Document_No", "names an invoice that the customer ledger does not have")
  const other = isInvoice(own) ? fields : own
  return {
    ...{ of, with: other.meaning("Document_Type", SETTLES, "type of document that settles an invoice") },
    ...{ sign: isInvoice(own) ? -1n : 1n, reference: other.maybe("Document_No") }
  } as const
}

/** The invoices that a detailed entry belongs to, as they are now: what is open of them has changed. */
const invoicesOf = (fields: Json.Fields, books: string) =>
  [...fields.list("its_entry").filter(isInvoice), ...fields.list("its_invoice")].map((one) => invoice(books)(one))

export const settlement =
  (books: string) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = numberOf(fields)
    const [own] = fields.list("its_entry")
    if (own === undefined)
      throw new Json.Unfit("Cust_Ledger_Entry_No", "names an entry that the customer ledger does not have; run again")
    const made = (ids: ReadonlyArray<string>, one?: Payment | CreditNote, isSettled = true): Json.Decoded => {
      const invoices = isSettled ? invoicesOf(fields, books) : []
      const gone = ids.flatMap((id) => KINDS.filter((kind) => kind !== one?.kind).map((kind) => ({ kind, id })))
      return {
        documents: [...invoices.flatMap(({ documents }) => documents), ...(one === undefined ? [] : [one])],
        deleted: [...invoices.flatMap(({ deleted = [] }) => deleted), ...gone]
      }
    }
    // An application that is taken back gets an entry of the opposite sign, and each names the other.
    if (flag(fields, "Unapplied")) return made([id, numberOf(fields, "Unapplied_by_Entry_No")])
    const found = settles(fields, own)
    if (found === undefined) return made([id], undefined, false)
    const currency = currencyOf(fields, books)
    if (currency !== currencyOf(found.of, books))
      throw new Json.Unfit(
        "Currency_Code",
        `is ${currency}, and the invoice's is another; look at it in Business Central`
      )
    const amount = found.sign * fields.major("Amount", currency)
    if (amount < 0n) throw new Json.Unfit("Amount", "raises what is owed of an invoice instead of lowering it")
    if (amount === 0n) return made([id])
    const shares = [{ invoice: numberOf(found.of), amount }]
    const its = { id, date: fields.day("Posting_Date"), currency, shares }
    if (found.with === "credit_note") return made([id], { kind: "credit_note", ...its })
    return made([id], { kind: "payment", ...its, ...Json.present({ reference: found.reference }) })
  }
