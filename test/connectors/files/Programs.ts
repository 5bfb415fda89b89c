/** Exports as programs write them, each with a configuration that reads it, and the sums that the program itself says. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

const FOLDER = join(import.meta.dirname, "../../fixtures/files/programs")

export const bytes = (name: string): Uint8Array => readFileSync(join(FOLDER, name))

export interface Export {
  readonly name: string
  readonly source: Readonly<Record<string, object>>
  /** Of each kind: how many documents, and what their amounts come to. */
  readonly sums: Readonly<Record<string, readonly [number, string]>>
  /** What the program itself says is open of the invoices that it lists. */
  readonly open?: string
  readonly quarantined?: ReadonlyArray<string>
  readonly notices?: ReadonlyArray<string>
}

const quickbooksInvoices = {
  path: "quickbooks-invoices.csv",
  header_row: 5,
  columns: { id: "Num", customer: "Name", issued: "Date", due: "Due date", gross: "Amount", balance: "Open balance" },
  where: { "Transaction type": "Invoice" },
  date_format: "MM/dd/yyyy",
  currency: "USD"
}

const quickbooksList = {
  path: "quickbooks-transactions.csv",
  header_row: 5,
  // The customers' names stand in a column without a heading, once above their transactions.
  fill_down: ["#1"],
  date_format: "MM/dd/yyyy",
  currency: "USD"
}

const xero = {
  path: "xero-invoices.csv",
  lines: "same",
  date_format: "dd/MM/yyyy"
}

const sage = { path: "sage-audit-trail.csv", date_format: "dd/MM/yyyy", currency: "GBP" }

const datev = {
  path: "datev-extf.csv",
  header_row: 2,
  date_format: "dMM",
  year: { line: 1, cell: 13 },
  decimal: ",",
  currency: "EUR"
}
const REVENUE = { "Gegenkonto (ohne BU-Schlüssel)": "8400" }
const SIDE = "Soll/Haben-Kennzeichen"

export const EXPORTS: ReadonlyArray<Export> = [
  {
    name: "QuickBooks, list of invoices",
    source: { invoices: quickbooksInvoices },
    sums: { invoice: [24, "134999.65"] },
    open: "48081.49",
    notices: ["the row was skipped as a footer: it has a single cell and is below a total"]
  },
  {
    name: "QuickBooks, transactions by customer",
    source: {
      invoices: {
        ...quickbooksList,
        where: { "Transaction type": "Invoice" },
        columns: { id: "Num", customer: "#1", issued: "Date", gross: "Amount", balance: "Open balance" },
        terms_days: 30
      },
      payments: {
        ...quickbooksList,
        where: { "Transaction type": "Payment" },
        columns: {
          id: { content: ["#1", "Date", "Memo/Description", "Amount"] },
          date: "Date",
          reference: "Memo/Description",
          customer: "#1",
          // Money received lowers what is owed: it is negative here.
          amount: { plus: "Amount", negative: { "Transaction type": "Payment" } }
        }
      }
    },
    sums: { invoice: [24, "134999.65"], payment: [21, "86918.16"] },
    open: "48081.49",
    notices: ["the row was skipped as a footer: it has a single cell and is below a total"]
  },
  {
    name: "Xero, invoices with a row for each line",
    source: {
      invoices: {
        ...xero,
        where: { Type: "Sales invoice" },
        columns: {
          id: "InvoiceNumber",
          customer: "ContactName",
          customer_country: "POCountry",
          issued: "InvoiceDate",
          due: "DueDate",
          net: { plus: "Total", minus: "TaxTotal" },
          gross: "Total",
          currency: "Currency",
          status: "Status",
          balance: "InvoiceAmountDue",
          paid: "InvoiceAmountPaid"
        },
        statuses: { "Awaiting Payment": "open", Paid: "paid", Voided: "void" }
      },
      credit_notes: {
        ...xero,
        where: { Type: "Sales credit note" },
        columns: {
          id: "InvoiceNumber",
          invoice: "Reference",
          date: "InvoiceDate",
          net: { plus: "Total", minus: "TaxTotal" },
          gross: "Total",
          currency: "Currency"
        }
      }
    },
    sums: { invoice: [10, "8806.83"], credit_note: [1, "24.00"] },
    open: "6493.63"
  },
  {
    name: "Sage, audit trail with every type of transaction",
    source: {
      invoices: {
        ...sage,
        where: { Type: "SI" },
        leave_out: { Type: ["PI", "PP", "BP", "JD", "JC"] },
        lines: { sum: ["net", "gross", "paid"] },
        columns: {
          id: "Ref",
          customer: "A/C",
          customer_id: "A/C",
          issued: "Date",
          net: "Net",
          gross: ["Net", "Tax"],
          paid: "Amount Paid"
        },
        terms_days: 30
      },
      credit_notes: {
        ...sage,
        where: { Type: "SC" },
        columns: { id: "No", invoice: "Ex.Ref", date: "Date", net: "Net", gross: ["Net", "Tax"] }
      },
      payments: {
        ...sage,
        where: { Type: ["SR", "SA"] },
        columns: {
          id: "No",
          reference: "Ref",
          customer_id: "A/C",
          customer: "A/C",
          date: "Date",
          amount: ["Net", "Tax"]
        }
      }
    },
    sums: { invoice: [10, "7630.72"], credit_note: [1, "12.00"], payment: [7, "4187.69"] },
    notices: [
      'left out, as the configuration says: "Type" says "PI" in 1 row, 480.00 GBP; "Type" says "PP" in 1 row, 480.00 GBP; "Type" says "BP" in 1 row, 12.00 GBP; "Type" says "JD" in 1 row, 3,000.00 GBP; "Type" says "JC" in 1 row, 3,000.00 GBP'
    ]
  },
  {
    name: "DATEV, EXTF",
    source: {
      invoices: {
        ...datev,
        where: { ...REVENUE, [SIDE]: "S" },
        leave_out: { "Gegenkonto (ohne BU-Schlüssel)": "4930" },
        columns: {
          id: "Belegfeld 1",
          customer: "Buchungstext",
          customer_id: "Konto",
          issued: "Belegdatum",
          gross: "Umsatz (ohne Soll/Haben-Kz)"
        },
        terms_days: 14
      },
      credit_notes: {
        ...datev,
        where: { ...REVENUE, [SIDE]: "H" },
        columns: {
          id: ["Belegfeld 1", "Belegdatum"],
          invoice: "Belegfeld 1",
          date: "Belegdatum",
          gross: "Umsatz (ohne Soll/Haben-Kz)"
        }
      },
      payments: {
        ...datev,
        where: { "Gegenkonto (ohne BU-Schlüssel)": "1200" },
        columns: {
          id: { content: ["Konto", "Belegfeld 1", "Belegdatum", "Umsatz (ohne Soll/Haben-Kz)"] },
          invoice: "Belegfeld 1",
          date: "Belegdatum",
          amount: { plus: "Umsatz (ohne Soll/Haben-Kz)", negative: { [SIDE]: "S" } }
        }
      }
    },
    sums: { invoice: [9, "20472.19"], credit_note: [1, "119.00"], payment: [4, "8719.05"] },
    notices: [
      "it is not UTF-8; it was read as windows-1252 (set encoding if that is wrong)",
      'left out, as the configuration says: "Gegenkonto (ohne BU-Schlüssel)" says "4930" in 1 row, 59.50 EUR'
    ]
  },
  {
    name: "Zoho Books, invoices with a row for each item",
    source: {
      invoices: {
        path: "zoho-invoices.csv",
        lines: "same",
        columns: {
          id: "Invoice ID",
          number: "Invoice Number",
          customer: "Customer Name",
          customer_id: "Customer ID",
          customer_country: "Billing Country",
          issued: "Invoice Date",
          due: "Due Date",
          net: "SubTotal",
          gross: "Total",
          currency: "Currency Code",
          status: "Invoice Status",
          balance: "Balance"
        },
        where: { "Invoice Status": { not: ["Draft", "Void"] } },
        statuses: { Sent: "open", Overdue: "open", PartiallyPaid: "open", Closed: "paid" }
      }
    },
    sums: { invoice: [6, "3857.97"] },
    open: "2354.24",
    notices: [
      'left out, as the configuration says: "Invoice Status" says "Draft" in 1 row, 433.39 EUR; "Invoice Status" says "Void" in 1 row, 705.22 EUR'
    ]
  },
  {
    name: "FreeAgent, invoices with what was paid and is due of each",
    source: {
      invoices: {
        path: "freeagent-invoices.csv",
        columns: {
          id: "Reference",
          customer: "Contact Name",
          issued: "Dated On",
          due: "Due On",
          net: "Net Value",
          gross: "Total Value",
          currency: "Currency",
          status: "Status",
          balance: "Due Value",
          paid: "Paid Value"
        },
        date_format: "dd MMM yyyy",
        statuses: {
          Open: "open",
          Overdue: "open",
          "Part Paid": "open",
          "Zero Value": "paid",
          Overpaid: "paid",
          "Written-off": "void"
        }
      }
    },
    sums: { invoice: [7, "21422.47"] },
    open: "18881.00"
  },
  {
    name: "Shopify, orders with a row for each line",
    source: {
      invoices: {
        path: "shopify-orders_export.csv",
        lines: "same",
        columns: {
          id: "Name",
          customer: "Billing Name",
          customer_country: "Billing Country",
          issued: "Created at",
          net: { plus: "Total", minus: "Taxes" },
          gross: "Total",
          currency: "Currency",
          status: "Financial Status",
          balance: "Outstanding Balance"
        },
        terms_days: 14,
        time_zone: "Europe/Berlin",
        statuses: { paid: "paid", pending: "open", partially_paid: "open", voided: "void" }
      }
    },
    sums: { invoice: [5, "2898.50"] },
    open: "1942.16"
  },
  {
    name: "Stripe, balance history",
    source: {
      payments: {
        path: "stripe-balance.csv",
        where: { Type: ["charge", "refund", "adjustment"] },
        leave_out: { Type: ["stripe_fee", "payout"] },
        columns: {
          id: "id",
          invoice: "invoice (metadata)",
          date: "Created (UTC)",
          amount: "Amount",
          currency: "Currency",
          type: "Type",
          details: "Description"
        },
        types: { charge: "settlement", refund: "refund", adjustment: "chargeback" }
      }
    },
    sums: { payment: [6, "3543.09"], reversal: [2, "45.00"] },
    notices: [
      'left out, as the configuration says: "Type" says "stripe_fee" in 1 row, -2.00 GBP; "Type" says "payout" in 1 row, -3,421.74 GBP'
    ]
  },
  {
    name: "a bank's statement",
    source: {
      payments: {
        path: "bank-statement.csv",
        header_row: 4,
        where: { Type: ["BGC", "BP"] },
        leave_out: { Type: ["DD", "CHG"] },
        columns: {
          id: { content: ["Date", "Description", "Paid in", "Paid out"] },
          date: "Date",
          reference: "Description",
          amount: { credit: "Paid in", debit: "Paid out" },
          balance: "Balance"
        },
        date_format: "dd MMM yyyy",
        currency: "GBP"
      }
    },
    sums: { payment: [5, "4462.07"], reversal: [1, "480.50"] },
    notices: [
      'rows that no stream reads: "Type" says "" in 2 rows',
      'left out, as the configuration says: "Type" says "DD" in 1 row, -310.22 GBP; "Type" says "CHG" in 1 row, -12.00 GBP'
    ]
  }
]
