/** How eight programs head and write the list of invoices that they export. */
import type { Style } from "../truth/Plan.ts"
import { PLAIN, type Writing } from "./Csv.ts"

type Name = NonNullable<Style["books"]["export"]>
type Status = "draft" | "open" | "paid" | "void"

export interface Export {
  readonly writing: Writing
  /** Undefined: the number is the only name of an invoice. */
  readonly id?: string
  readonly number: string
  readonly customer: string
  readonly issued: string
  readonly due: string
  readonly gross: string
  readonly status: string
  readonly balance: string
  readonly paid: string
  readonly statuses: Readonly<Record<Status, string>>
  /** Cells that every row has besides. */
  readonly also?: Readonly<Record<string, string>>
}

const BRITISH: Writing = { separator: ",", dates: "dd/MM/yyyy" }
const GERMAN: Writing = { separator: ";", comma: true, dates: "dd.MM.yyyy" }

/** A list of the seller's own making. */
export const OWN: Export = {
  writing: PLAIN,
  id: "Id",
  number: "Number",
  customer: "Customer",
  issued: "Issued",
  due: "Due",
  gross: "Gross",
  status: "Status",
  balance: "Balance",
  paid: "Paid",
  statuses: { draft: "draft", open: "open", paid: "paid", void: "void" }
}

export const EXPORTS: Readonly<Record<Name, Export>> = {
  xero: {
    writing: { ...BRITISH, marked: true },
    number: "InvoiceNumber",
    customer: "ContactName",
    issued: "InvoiceDate",
    due: "DueDate",
    gross: "Total",
    status: "Status",
    balance: "InvoiceAmountDue",
    paid: "InvoiceAmountPaid",
    statuses: { draft: "Draft", open: "Awaiting Payment", paid: "Paid", void: "Voided" },
    also: { Currency: "EUR", Type: "Sales invoice" }
  },
  zoho: {
    writing: PLAIN,
    id: "Invoice ID",
    number: "Invoice Number",
    customer: "Customer Name",
    issued: "Invoice Date",
    due: "Due Date",
    gross: "Total",
    status: "Invoice Status",
    balance: "Balance",
    paid: "Amount Paid",
    statuses: { draft: "Draft", open: "Overdue", paid: "Closed", void: "Void" },
    also: { "Currency Code": "EUR", "Exchange Rate": "1.000000" }
  },
  quickbooks: {
    writing: { separator: ",", dates: "MM/dd/yyyy" },
    number: "Num",
    customer: "Name",
    issued: "Date",
    due: "Due date",
    gross: "Amount",
    status: "Status",
    balance: "Open balance",
    paid: "Amount received",
    statuses: { draft: "Not sent", open: "Open", paid: "Paid", void: "Voided" },
    also: { "Transaction type": "Invoice" }
  },
  freeagent: {
    writing: { separator: ",", marked: true, dates: "dd MMM yyyy" },
    number: "Reference",
    customer: "Contact Name",
    issued: "Dated On",
    due: "Due On",
    gross: "Total Value",
    status: "Status",
    balance: "Due Value",
    paid: "Paid Value",
    statuses: { draft: "Draft", open: "Open", paid: "Paid", void: "Cancelled" },
    also: { Currency: "EUR" }
  },
  "sage accounting": {
    writing: BRITISH,
    number: "Invoice Number",
    customer: "Customer Name",
    issued: "Date",
    due: "Due Date",
    gross: "Total",
    status: "Status",
    balance: "Outstanding",
    paid: "Paid",
    statuses: { draft: "Draft", open: "Unpaid", paid: "Paid", void: "Void" }
  },
  "sage 50": {
    writing: { ...BRITISH, quoted: true },
    number: "Ref",
    customer: "Name",
    issued: "Date",
    due: "Due on",
    gross: "Amount",
    status: "Status",
    balance: "O/S",
    paid: "Amount Paid",
    statuses: { draft: "Draft", open: "Open", paid: "Paid", void: "Cancelled" },
    also: { Type: "SI" }
  },
  lexware: {
    writing: { ...GERMAN, grouped: true },
    number: "Belegnummer",
    customer: "Kontakt",
    issued: "Belegdatum",
    due: "Fälligkeitsdatum",
    gross: "Betrag",
    status: "Status",
    balance: "Offen",
    paid: "Bezahlt",
    statuses: { draft: "Entwurf", open: "Offen", paid: "Bezahlt", void: "Storniert" },
    also: { Belegart: "Rechnung" }
  },
  sevdesk: {
    writing: { ...GERMAN, quoted: true, marked: true },
    number: "Rechnungsnummer",
    customer: "Kunde",
    issued: "Rechnungsdatum",
    due: "Fälligkeitsdatum",
    gross: "Summe Brutto",
    status: "Status",
    balance: "Offener Betrag",
    paid: "Bezahlter Betrag",
    statuses: { draft: "Entwurf", open: "Fällig", paid: "Bezahlt", void: "Storniert" },
    also: { Währung: "EUR" }
  }
}

export const NAMES = Object.keys(EXPORTS) as ReadonlyArray<Name>
