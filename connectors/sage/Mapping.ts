/**
 * Maps Sage Accounting's records to documents. Pure.
 *
 * A receipt says which invoices it pays. Amounts it leaves on account, and credit notes, are allocated to invoices later:
 * an allocation lists invoices with what each receives, and what gives it with the opposite sign.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Document, Invoice, PayMethod, Share } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Sums from "../Sums.ts"

const STATUSES: Readonly<Record<string, Invoice["status"]>> = {
  DRAFT: "draft",
  UNPAID: "open",
  PART_PAID: "open",
  PAID: "paid",
  VOID: "void"
}
const METHODS: Readonly<Record<string, PayMethod>> = {
  CASH: "cash",
  CREDIT_DEBIT: "card",
  ELECTRONIC: "bank",
  BANK_TRANSFER: "bank",
  CHECK: "bank"
}
const TYPES = ["CUSTOMER_RECEIPT", "CUSTOMER_REFUND", "VENDOR_PAYMENT", "VENDOR_REFUND"]

/** Sage's error messages, which come as a list. */
export const explained = (body: unknown): { readonly said?: string } => {
  const words = Json.objects(body).flatMap((one) => Json.nameOf(one["$message"]) ?? [])
  return words.length === 0 ? {} : { said: words.join("; ") }
}

const isNotNothing = (fields: Json.Fields, path: string): boolean => !/^-?0*(\.0*)?$/.test(fields.maybe(path) ?? "")

export const invoice = (fields: Json.Fields): Json.Decoded => {
  const id = fields.text("id")
  const status = fields.meaning("status.id", STATUSES)
  const currency = fields.currency("currency.id")
  const country = fields.maybe("main_address.country.id")
  // The buyer pays part of such an invoice to the tax office.
  const isReduced = fields.get("is_cis") === true || isNotNothing(fields, "withholding_tax_amount")
  const isStated = (status === "open" || status === "paid") && !isReduced
  return {
    documents: [
      {
        kind: "invoice",
        id,
        number: fields.maybe("displayed_as") ?? fields.text("invoice_number"),
        status,
        party: {
          id: fields.text("contact.id"),
          name: fields.maybe("contact_name") ?? fields.text("contact.displayed_as"),
          ...(country !== undefined && /^[A-Z]{2}$/.test(country) ? { country } : {})
        },
        currency,
        issued: fields.day("date"),
        due: fields.day(fields.maybe("due_date") === undefined ? "date" : "due_date"),
        net: fields.major("net_amount", currency),
        gross: fields.major("total_amount", currency),
        ...(isStated ? { stated: { open: fields.major("outstanding_amount", currency) } } : {})
      }
    ],
    // Sage's pages do not say whether the net amount has the delivery in it.
    sums:
      isReduced || isNotNothing(fields, "shipping_net_amount")
        ? []
        : Sums.added(fields, currency, "total_amount", ["net_amount", "tax_amount"])
  }
}

/** An amount in the currency of the invoice it belongs to, which is not stated here. */
/** A discount need not be there. */
const amountOf = (fields: Json.Fields, path: string): Decimal.Decimal =>
  path === "discount" && fields.maybe(path) === undefined ? 0n : fields.decimal(path)

/** The list that an artefact belongs to, from its path: `/sales_invoices/4f1c`. */
const listOf = (artefact: Json.Fields): string => {
  const [, list] = /^\/(\w+)\/[^/]+$/.exec(artefact.text("artefact.$path")) ?? []
  if (list === undefined) throw new Json.Unfit("artefact.$path", "is not the path of a record")
  return list
}

const isInvoice = (artefact: Json.Fields): boolean => listOf(artefact) === "sales_invoices"

const sharesOf = (artefacts: ReadonlyArray<Json.Fields>, member: "amount" | "discount"): ReadonlyArray<Share> =>
  artefacts.filter(isInvoice).flatMap((one) => {
    const amount = Decimal.abs(amountOf(one, member))
    return amount === 0n ? [] : [{ invoice: one.text("artefact.id"), amount }]
  })

const DELETED = ["invoice", "payment", "reversal", "credit_note"] as const

/** Deletes every document that may have been made from a record. */
export const deleted = (fields: Json.Fields): Json.Decoded => {
  const id = fields.text("id")
  return { documents: [], deleted: DELETED.map((kind) => ({ kind, id })) }
}

const without = (documents: ReadonlyArray<Document>, id: string): Json.Decoded => ({
  documents,
  deleted: (["payment", "reversal", "credit_note"] as const)
    .filter((kind) => !documents.some((one) => one.kind === kind))
    .map((kind) => ({ kind, id }))
})

export const payment = (fields: Json.Fields): Json.Decoded => {
  const [id, type] = [fields.text("id"), fields.oneOf("transaction_type.id", TYPES, "type")]
  if (type.startsWith("VENDOR")) return without([], id)
  const artefacts = fields.list("allocated_artefacts")
  const [date, shares, discounts] = [fields.day("date"), sharesOf(artefacts, "amount"), sharesOf(artefacts, "discount")]
  const documents: Array<Document> = []
  const [reference, method] = [fields.maybe("reference"), METHODS[fields.maybe("payment_method.id") ?? ""] ?? "unknown"]
  if (shares.length > 0 && type === "CUSTOMER_REFUND")
    documents.push({ kind: "reversal", id, date, shares, type: "refund" })
  if (shares.length > 0 && type === "CUSTOMER_RECEIPT")
    documents.push({ kind: "payment", id, date, shares, ...Json.present({ reference }), method })
  if (discounts.length > 0) documents.push({ kind: "credit_note", id, date, shares: discounts })
  return without(documents, id)
}

/** Allocates `given` to these shares, first to last; returns what each got, and what is left of them. */
const cover = (shares: ReadonlyArray<Share>, given: bigint): readonly [Array<Share>, ReadonlyArray<Share>] => {
  const [covered, left]: [Array<Share>, Array<Share>] = [[], []]
  let rest = given
  for (const { amount, invoice } of shares) {
    const part = amount < rest ? amount : rest
    rest -= part
    if (part > 0n) covered.push({ invoice, amount: part })
    if (part < amount) left.push({ invoice, amount: amount - part })
  }
  return [covered, left]
}

/** Maps an allocation: credit notes lower invoices; money on account counts as a payment once it is allocated. */
export const allocation = (fields: Json.Fields): Json.Decoded => {
  const [id, artefacts] = [fields.text("id"), fields.list("allocated_artefacts")]
  const date = fields.day("date")
  const isGiven = (one: Json.Fields) => amountOf(one, "amount") < 0n
  const given = (isCredit: boolean) => {
    const those = artefacts.filter((one) => isGiven(one) && (listOf(one) === "sales_credit_notes") === isCredit)
    return -Decimal.sum(those.map((one) => amountOf(one, "amount")))
  }
  const taken = artefacts.filter((one) => !isGiven(one))
  const [credits, rest] = cover(sharesOf(taken, "amount"), given(true))
  const [payments, left] = cover(rest, given(false))
  if (left.length > 0) throw new Json.Unfit("allocated_artefacts", "gives invoices more than it takes from elsewhere")
  const documents: Array<Document> = []
  if (credits.length > 0) documents.push({ kind: "credit_note", id, date, shares: credits })
  if (payments.length > 0) documents.push({ kind: "payment", id, date, shares: payments, method: "unknown" })
  return without(documents, id)
}
