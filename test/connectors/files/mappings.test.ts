/**
 * Wrong mappings of exports as programs write them: columns swapped, dates in another order, signs turned round, types
 * ignored, lines for totals, net for gross. None of them ends in "agree": each stops the file, is quarantined, differs
 * from what the source itself says, or, where a source says nothing, is said not to be checked.
 */
import { describe, expect, it } from "vitest"
import type { CreditNote, Document, Invoice } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { reconcile } from "../../../sync/rules/Invoices.ts"
import { about, planning } from "../../support/Documents.ts"
import { bytes, EXPORTS } from "./Programs.ts"
import { pull } from "./support.ts"

// biome-ignore lint/suspicious/noExplicitAny: settings are broken on purpose
type Source = any

const PAYMENTS = {
  path: "payments.csv",
  columns: { id: "Ref", invoice: "Invoice", date: "Date", amount: "Amount" }
}

const sourceOf = (name: string): Source => {
  const found = EXPORTS.find((one) => one.name.startsWith(name))
  if (found === undefined) throw new Error(`no export ${name}`)
  return structuredClone(found.source)
}

const filesOf = (source: Source) => {
  const all = Object.values(source).flat() as ReadonlyArray<{ readonly path: string }>
  const names = [...new Set(all.map(({ path }) => path))].filter((path) => path !== "payments.csv")
  return Object.fromEntries(names.map((name) => [name, bytes(name)] as const))
}

/** What was paid of each invoice, by what the export says is open. */
const paymentsOf = (documents: ReadonlyArray<Document>): string => {
  const invoices = documents.filter((one): one is Invoice => one.kind === "invoice" && one.status !== "void")
  const notes = documents.filter((one): one is CreditNote => one.kind === "credit_note").flatMap(({ shares }) => shares)
  const rows = invoices.flatMap(({ currency, gross, id, stated }) => {
    const credited = Decimal.sum(notes.filter(({ invoice }) => invoice === id).map(({ amount }) => amount))
    const paid = stated?.open === undefined ? 0n : gross! - credited - stated.open
    return paid > 0n ? [`P-${id},${id},2026-06-25,${Decimal.format(paid, 2)},${currency},25/06/2026`] : []
  })
  return ["Ref,Invoice,Date,Amount,Currency,Day", ...rows].map((row) => `${row}\n`).join("")
}

/** The export as it should be read, with payments of its own where it has none. */
const prepared = async (name: string) => {
  const source = sourceOf(name)
  const files = filesOf(source)
  if ("payments" in source) return { source, files }
  const { documents } = await pull(files, source)
  return {
    source: { ...source, payments: structuredClone(PAYMENTS) },
    files: { ...files, "payments.csv": paymentsOf(documents) }
  }
}

type Outcome = "stopped" | "quarantined" | "differs" | "noticed" | "not checked" | "agrees"

/** What a person is told before anything is sent. */
const outcome = async (files: Readonly<Record<string, string | Uint8Array>>, source: Source): Promise<Outcome> => {
  const { documents, error, notices, quarantined } = await pull(files, source)
  if (error !== undefined) return "stopped"
  if (quarantined.length > 0) return "quarantined"
  const invoices = documents.filter((one): one is Invoice => one.kind === "invoice")
  const known = new Set(invoices.map(({ id }) => id))
  const shares = documents.flatMap((one) => ("shares" in one ? one.shares : []))
  if (shares.some(({ invoice }) => !known.has(invoice))) return "differs"
  const attention = invoices.flatMap(({ id }) => {
    const facts = about(documents, id)
    return reconcile({ ...facts, hasPayments: true }, undefined, planning).attention
  })
  if (attention.length > 0) return "differs"
  if (notices.some(({ what }) => /^rows that no stream reads|^where takes none/.test(what))) return "noticed"
  return invoices.some(({ stated }) => stated === undefined) || invoices.length === 0 ? "not checked" : "agrees"
}

const QB = "QuickBooks, list"
const XERO = "Xero"
const SAGE = "Sage"
const ZOHO = "Zoho"
const SHOP = "Shopify"
const DATEV = "DATEV"
const BANK = "a bank"

const RIGHT: ReadonlyArray<readonly [string, Outcome]> = [
  [QB, "agrees"],
  [XERO, "agrees"],
  [ZOHO, "agrees"],
  [SHOP, "agrees"]
]

type Wrong = readonly [export_: string, what: string, change: (source: Source) => unknown, expected: Outcome]

const columns = (stream: string, changed: object) => (source: Source) => Object.assign(source[stream].columns, changed)
const set = (stream: string, changed: object) => (source: Source) => Object.assign(source[stream], changed)
const drop =
  (stream: string, ...names: ReadonlyArray<string>) =>
  (source: Source) => {
    for (const name of names) delete source[stream].columns[name]
  }
const turned = (heading: string, by: string) => ({ plus: heading, negative: { [by]: { not: "" } } })

const WRONG: ReadonlyArray<Wrong> = [
  [QB, "amount and balance swapped", columns("invoices", { gross: "Open balance", balance: "Amount" }), "quarantined"],
  [
    QB,
    "the open balance for the amount",
    (s) => [columns("invoices", { gross: "Open balance" })(s), drop("invoices", "balance")(s)],
    "differs"
  ],
  [QB, "the amount for the open balance", columns("invoices", { balance: "Amount" }), "differs"],
  [QB, "no balance", drop("invoices", "balance"), "not checked"],
  [QB, "day and month swapped", set("invoices", { date_format: "dd/MM/yyyy" }), "stopped"],
  [QB, "another format of dates", set("invoices", { date_format: "yyyy-MM-dd" }), "stopped"],
  [QB, "issued and due swapped", columns("invoices", { issued: "Due date", due: "Date" }), "stopped"],
  [QB, "the customer for the id", columns("invoices", { id: "Name" }), "quarantined"],
  [QB, "the type for the id", columns("invoices", { id: "Transaction type" }), "quarantined"],
  [QB, "the sign turned round", columns("invoices", { gross: turned("Amount", "Num") }), "stopped"],
  [QB, "the headings in another line", set("invoices", { header_row: 6 }), "stopped"],
  [QB, "a decimal comma", set("invoices", { decimal: "," }), "quarantined"],
  [QB, "another currency", set("invoices", { currency: "EUR" }), "quarantined"],
  [QB, "a currency without decimals", set("invoices", { currency: "JPY" }), "quarantined"],
  [QB, "a column that is not there", columns("invoices", { gross: "Total" }), "stopped"],
  [QB, "a type that is not there", set("invoices", { where: { "Transaction type": "Invoices" } }), "quarantined"],
  [QB, "no payments", (s) => delete s.payments, "differs"],
  [QB, "payments with their sign turned round", columns("payments", { amount: turned("Amount", "Ref") }), "differs"],
  [QB, "payments by their own reference", columns("payments", { invoice: "Ref" }), "differs"],
  [QB, "the date of payments in another format", columns("payments", { date: "Day" }), "stopped"],
  [QB, "payments of another currency", set("payments", { currency: "EUR" }), "differs"],
  [XERO, "lines added up that repeat the whole", set("invoices", { lines: "sum" }), "differs"],
  [XERO, "lines for totals", columns("invoices", { gross: "LineAmount" }), "quarantined"],
  [
    XERO,
    "lines for totals, and nothing said of lines",
    (s) => [delete s.invoices.lines, columns("invoices", { gross: "LineAmount" })(s)],
    "quarantined"
  ],
  [
    XERO,
    "net lines added up for gross",
    (s) => [
      set("invoices", { lines: "sum" })(s),
      columns("invoices", { gross: "LineAmount" })(s),
      drop("invoices", "net")(s)
    ],
    "quarantined"
  ],
  [
    XERO,
    "net for gross",
    (s) => [columns("invoices", { gross: { plus: "Total", minus: "TaxTotal" } })(s), drop("invoices", "net")(s)],
    "quarantined"
  ],
  [
    XERO,
    "net and gross swapped",
    columns("invoices", { net: "Total", gross: { plus: "Total", minus: "TaxTotal" } }),
    "stopped"
  ],
  [XERO, "the tax for the net amount", columns("invoices", { net: "TaxTotal" }), "stopped"],
  [
    XERO,
    "the tax for the gross amount",
    (s) => [columns("invoices", { gross: "TaxTotal" })(s), drop("invoices", "net")(s)],
    "quarantined"
  ],
  [XERO, "what was paid for what is open", columns("invoices", { balance: "InvoiceAmountPaid" }), "quarantined"],
  [
    XERO,
    "what is open for what was paid",
    (s) => [columns("invoices", { paid: "InvoiceAmountDue" })(s), drop("invoices", "balance")(s)],
    "differs"
  ],
  [
    XERO,
    "open invoices for paid ones",
    set("invoices", { statuses: { "Awaiting Payment": "paid", Paid: "open", Voided: "void" } }),
    "quarantined"
  ],
  [XERO, "a status that is not mapped", set("invoices", { statuses: { Paid: "paid" } }), "quarantined"],
  [XERO, "the type ignored", (s) => delete s.invoices.where, "quarantined"],
  [XERO, "day and month swapped", set("invoices", { date_format: "MM/dd/yyyy" }), "stopped"],
  [XERO, "the reference for the id", columns("invoices", { id: "Reference" }), "differs"],
  [XERO, "the status for the currency", columns("invoices", { currency: "Status" }), "quarantined"],
  [XERO, "a date that is empty", columns("invoices", { issued: "PlannedDate" }), "quarantined"],
  [XERO, "no credit notes", (s) => delete s.credit_notes, "quarantined"],
  [XERO, "credit notes of themselves", columns("credit_notes", { invoice: "InvoiceNumber" }), "differs"],
  [
    XERO,
    "the tax of a credit note for its amount",
    (s) => [columns("credit_notes", { gross: "TaxTotal" })(s), drop("credit_notes", "net")(s)],
    "differs"
  ],
  [SAGE, "the type ignored", (s) => delete s.invoices.where, "quarantined"],
  [
    SAGE,
    "receipts that are invoices",
    (s) => [set("payments", { where: { Type: ["SR", "SI"] } })(s), columns("payments", { invoice: "Ref" })(s)],
    "quarantined"
  ],
  [SAGE, "splits that are not added up", (s) => delete s.invoices.lines, "quarantined"],
  [SAGE, "receipts for no invoice", set("payments", { where: { Type: "SA" } }), "quarantined"],
  [
    SAGE,
    "receipts with their sign turned round",
    (s) => [
      set("payments", { where: { Type: "SR" } })(s),
      columns("payments", { invoice: "Ref", amount: turned("Net", "Ref") })(s)
    ],
    "quarantined"
  ],
  [
    SAGE,
    "net for gross",
    (s) => [
      set("payments", { where: { Type: "SR" } })(s),
      columns("payments", { invoice: "Ref" })(s),
      columns("invoices", { gross: "Net" })(s),
      drop("invoices", "net")(s)
    ],
    "quarantined"
  ],
  [SAGE, "day and month swapped", set("invoices", { date_format: "MM/dd/yyyy" }), "stopped"],
  [ZOHO, "items for totals", columns("invoices", { gross: "Item Total" }), "quarantined"],
  [
    ZOHO,
    "items added up without their tax",
    (s) => [
      set("invoices", { lines: "sum" })(s),
      columns("invoices", { gross: "Item Total" })(s),
      drop("invoices", "net")(s)
    ],
    "quarantined"
  ],
  [
    ZOHO,
    "net for gross",
    (s) => [columns("invoices", { gross: "SubTotal" })(s), drop("invoices", "net")(s)],
    "quarantined"
  ],
  [ZOHO, "statuses ignored", (s) => [drop("invoices", "status")(s), delete s.invoices.where], "differs"],
  [SHOP, "times of a zone that is not said", (s) => delete s.invoices.time_zone, "quarantined"],
  [SHOP, "lines for totals", columns("invoices", { gross: "Lineitem price" }), "quarantined"],
  [
    SHOP,
    "the sum without shipping",
    (s) => [columns("invoices", { gross: "Subtotal" })(s), drop("invoices", "net")(s)],
    "quarantined"
  ],
  [SHOP, "nothing said of lines", (s) => delete s.invoices.lines, "quarantined"],
  [DATEV, "debit and credit ignored", (s) => delete s.invoices.where["Soll/Haben-Kennzeichen"], "quarantined"],
  [DATEV, "a decimal point", set("invoices", { decimal: "." }), "quarantined"],
  [DATEV, "the year in another cell", set("invoices", { year: { line: 1, cell: 12 } }), "stopped"],
  [DATEV, "the accounts of another column", set("invoices", { where: { Konto: "8400" } }), "quarantined"],
  [
    BANK,
    "paid in and paid out swapped",
    columns("payments", { amount: { credit: "Paid out", debit: "Paid in" } }),
    "stopped"
  ],
  [BANK, "one of the two left out", columns("payments", { amount: "Paid in" }), "quarantined"],
  [BANK, "both added up", columns("payments", { amount: ["Paid in", "Paid out"] }), "quarantined"],
  [BANK, "the balance for the amount", columns("payments", { amount: "Balance" }), "stopped"]
]

describe("exports that are mapped as they should be", () => {
  for (const [name, expected] of RIGHT) {
    it(`${name}: ${expected}`, async () => {
      const { files, source } = await prepared(name)
      expect(await outcome(files, source)).toBe(expected)
    })
  }
})

describe("a wrong mapping never agrees", () => {
  it("of which there are more than fifty", () => expect(WRONG.length).toBeGreaterThanOrEqual(50))

  for (const [name, what, change, expected] of WRONG) {
    it(`${name}, ${what}: ${expected}`, async () => {
      const { files, source } = await prepared(name)
      change(source)
      expect(await outcome(files, source)).toBe(expected)
    })
  }
})
