/** What the sales documents of a SAF-T PT become: invoices, credit notes, and the payments that a document states itself. */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import type { CreditNote, Document, Invoice, Party, Payment, PayMethod } from "../../Document.ts"
import { dueOf } from "../../Terms.ts"
import type { Node } from "../../XmlRecords.ts"
import { all, at, textAt } from "../../XmlNodes.ts"
import { Refused } from "../../Refused.ts"
import type { Settings } from "../Settings.ts"
import { linesOf, sharesOf } from "./Lines.ts"
import { amountAt, CENT, dayAt, dayIn, moneyAt, needed, numberIn } from "./Values.ts"

/** What is known of a file besides its documents. */
export interface Around {
  readonly settings: Settings
  readonly customers: ReadonlyMap<string, Party>
  /** The currency of the books. */
  readonly currency: string
  /** Invoices in other currencies, by number: what they are in the books. */
  readonly foreign: Map<
    string,
    { readonly booked: Decimal.Decimal; readonly currency: string; readonly amount: Decimal.Decimal }
  >
}

export interface Meant {
  readonly documents: ReadonlyArray<Document>
  readonly notice?: string
}

const ASKING = new Set(["FT", "FS", "ND", "FR", "VD", "TV", "AA"])
const CREDITING = new Set(["NC", "TD", "DA"])
/** Lines are without tax, and may be rounded each. Those of a credit note are debits. */
const oddOf = (document: Node, type: string): { readonly notice?: string } => {
  const lines = linesOf(document, "References/Reference")
  const signed = Decimal.sum(lines.map(({ amount }) => amount))
  const sum = Decimal.abs(signed)
  const net = amountAt(document, "DocumentTotals/NetTotal")
  if (net === undefined || lines.length === 0) return {}
  if (Decimal.abs(sum - net) > CENT * BigInt(lines.length))
    return {
      notice: `a document whose lines come to ${Decimal.format(sum, 2)} without tax, and whose total says ${Decimal.format(net, 2)}; the total is read`
    }
  return signed !== 0n && CREDITING.has(type) === signed > 0n
    ? {
        notice: `a document of type ${type} whose lines are ${signed > 0n ? "credits, as those of an invoice are" : "debits, as those of a credit note are"}; its type is read`
      }
    : {}
}

/** Documents that are paid as they are issued. */
const PAID = new Set(["FR", "VD"])

const METHODS: Readonly<Record<string, PayMethod>> = { TB: "bank", MB: "bank", CC: "card", CD: "card", NU: "cash" }

export const methodOf = (mechanism: string | undefined): { readonly method?: PayMethod } => {
  const method = METHODS[mechanism ?? ""]
  return method === undefined ? {} : { method }
}

export const partyOf = (document: Node, { customers, settings }: Around): Party => {
  const id = needed(document, "CustomerID")
  const party = customers.get(id)
  if (party === undefined) throw new Refused(`customer ${id} is not among the file's customers`, "CustomerID")
  return party.country === undefined && settings.country !== undefined ? { ...party, country: settings.country } : party
}

interface Amounts {
  readonly currency: string
  readonly gross: Decimal.Decimal
  readonly net?: Decimal.Decimal
  readonly booked: Decimal.Decimal
}

const checkForeign = (totals: Node, booked: Decimal.Decimal, amount: Decimal.Decimal): void => {
  const rate = amountAt(totals, "Currency/ExchangeRate")
  if (rate === undefined || rate === 0n) return
  // Programs write the rate either way.
  const off = [Decimal.multiply(amount, rate, 2), Decimal.divide(amount, rate, 2)].map((one) =>
    Decimal.abs(one - booked)
  )
  const most = 2n * CENT + booked / 500n
  if (off.every((one) => one > most))
    throw new Refused(
      `${Decimal.format(amount, 2)} at the rate ${Decimal.format(rate)} is not ${Decimal.format(booked, 2)}`,
      "CurrencyAmount"
    )
}

export const amountsOf = (document: Node, { currency, settings }: Pick<Around, "currency" | "settings">): Amounts => {
  const totals = at(document, "DocumentTotals")
  if (totals === undefined) throw new Refused("it has no DocumentTotals", "DocumentTotals")
  const [booked, net, tax] = [
    moneyAt(totals, "GrossTotal"),
    amountAt(totals, "NetTotal") ?? 0n,
    amountAt(totals, "TaxPayable") ?? 0n
  ]
  if (Decimal.abs(net + tax - booked) > CENT)
    throw new Refused(
      `its sums contradict each other: ${Decimal.format(net, 2)} net and ${Decimal.format(tax, 2)} tax are not ${Decimal.format(booked, 2)}`,
      "GrossTotal"
    )
  const code = textAt(totals, "Currency/CurrencyCode")
  if (!Currency.isCurrency(currency))
    throw new Refused(`the file's currency ${JSON.stringify(currency)} is not one`, "CurrencyCode")
  const whole = net % CENT === 0n ? { net } : {}
  if (code === undefined || code === currency || settings.foreign === "ledger")
    return { currency, gross: booked, booked, ...whole }
  if (!Currency.isCurrency(code)) throw new Refused(`${JSON.stringify(code)} is not a currency`, "CurrencyCode")
  const gross = moneyAt(totals, "Currency/CurrencyAmount")
  checkForeign(totals, booked, gross)
  return { currency: code, gross, booked }
}

/** The day that terms state or lead to; a date beside a discount is the discount's last day. */
const dueDay = (document: Node, issued: Day.Day, { terms_days: days }: Settings): Day.Day => {
  const settlements = all(document, "DocumentTotals/Settlement")
  for (const one of settlements) {
    const terms = textAt(one, "PaymentTerms")
    const due = dayIn(terms) ?? dueOf(terms, issued)
    if (due !== undefined && due >= issued) return due
  }
  const plain = settlements.find(
    (one) => at(one, "SettlementDiscount") === undefined && at(one, "SettlementAmount") === undefined
  )
  const stated = plain && dayIn(textAt(plain, "SettlementDate"))
  if (stated !== undefined && stated >= issued) return stated
  if (days === undefined) throw new Refused("it has no due date", "due date", "set terms_days")
  return Day.addDays(issued, days)
}

/** Payments that a document states beside its totals, each an own element of the stream. */
const paid = (invoice: Invoice, payments: ReadonlyArray<Node>, { booked, gross }: Amounts): ReadonlyArray<Payment> => {
  const of = (id: string, date: Day.Day, amount: Decimal.Decimal, more: object): Payment => ({
    kind: "payment",
    id,
    date,
    currency: invoice.currency,
    shares: [{ invoice: invoice.id, amount }],
    ...more
  })
  if (payments.length === 0) return [of(`${invoice.id}/paid`, invoice.issued, gross, {})]
  const amounts = payments.map((one) => moneyAt(one, "PaymentAmount"))
  const sum = Decimal.sum(amounts)
  if (sum > booked)
    throw new Refused(
      `it states ${Decimal.format(sum, 2)} as paid, and asks for ${Decimal.format(booked, 2)}`,
      "PaymentAmount"
    )
  if (booked !== gross && sum !== booked)
    throw new Refused("it is in another currency and was paid in part", "PaymentAmount", "set foreign to ledger")
  // In the currency of the books; paid in full, it is all of the document's own.
  if (booked !== gross) return [of(`${invoice.id}/paid`, invoice.issued, gross, {})]
  return payments.map((one, n) =>
    of(`${invoice.id}/${n + 1}`, dayAt(one, "PaymentDate"), amounts[n] ?? 0n, methodOf(textAt(one, "PaymentMechanism")))
  )
}

const creditNote = (document: Node, id: string, issued: Day.Day, amounts: Amounts, around: Around): Document => {
  const lines = linesOf(document, "References/Reference")
  const named = [...new Set(lines.flatMap(({ documents }) => documents))]
  const [only] = named
  const { booked, currency, gross, net } = amounts
  // As in tables: money owed back, of which nobody said for which invoice, needs attention.
  if (only === undefined)
    return {
      ...invoiceOf(document, id, issued, around),
      due: issued,
      currency,
      gross: -gross,
      ...(net === undefined ? {} : { net: -net })
    }
  const base: Omit<CreditNote, "shares"> = { kind: "credit_note", id, date: issued, currency }
  if (named.length === 1)
    return { ...base, shares: [{ invoice: only, amount: gross, ...(net === undefined ? {} : { net }) }] }
  if (gross !== booked || lines.some(({ documents }) => documents.length !== 1))
    throw new Refused(
      `it credits ${named.length} invoices (${named.slice(0, 5).join(", ")}), and does not say how much of each`,
      "Reference"
    )
  const one = lines.map((line) => ({ ...line, amount: Decimal.abs(line.amount), document: line.documents[0] ?? "" }))
  return { ...base, shares: sharesOf(one, gross) }
}

const invoiceOf = (document: Node, id: string, issued: Day.Day, around: Around) =>
  ({ kind: "invoice", id, number: id, status: "open", party: partyOf(document, around), issued }) as const

export const salesDocument = (document: Node, payments: ReadonlyArray<Node>, around: Around): Meant => {
  const id = numberIn(needed(document, "InvoiceNo"))
  const [status, type] = [needed(document, "DocumentStatus/InvoiceStatus"), needed(document, "InvoiceType")]
  const issued = dayAt(document, "InvoiceDate")
  if (!ASKING.has(type) && !CREDITING.has(type))
    throw new Refused(`documents of type ${type} are not read`, "InvoiceType", "enter by hand what it asks for")
  if (status === "R") return { documents: [], notice: "a summary of documents of another program (status R); left out" }
  if (status === "F")
    return { documents: [], notice: "a document that an invoice took the place of (status F); left out" }
  if (!["N", "S", "A"].includes(status)) throw new Refused(`status ${status} is not known`, "InvoiceStatus")
  const isVoid = status === "A"
  if (CREDITING.has(type) && isVoid) return { documents: [], notice: "a credit note that was annulled; left out" }
  const amounts = amountsOf(document, around)
  const { booked, currency, gross, net } = amounts
  if (gross < 0n) throw new Refused(`its total is negative (${Decimal.format(gross, 2)})`, "GrossTotal")
  if (gross === 0n && !isVoid) return { documents: [], notice: "a document of 0.00 asks for nothing" }
  if (CREDITING.has(type))
    return { documents: [creditNote(document, id, issued, amounts, around)], ...oddOf(document, type) }
  const isPaid = PAID.has(type) || (type === "FS" && payments.length > 0)
  const invoice: Invoice = {
    ...invoiceOf(document, id, issued, around),
    ...(isVoid ? { status: "void" } : {}),
    currency,
    due: isPaid || isVoid ? issued : dueDay(document, issued, around.settings),
    gross,
    ...(net === undefined ? {} : { net })
  }
  if (booked !== gross) around.foreign.set(id, { booked, currency, amount: gross })
  return {
    documents: [invoice, ...(isPaid && !isVoid ? paid(invoice, payments, amounts) : [])],
    ...oddOf(document, type)
  }
}
