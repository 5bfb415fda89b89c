/**
 * Exports of programs for accounting and invoicing. The headings of Sage 50's file of transactions are written by several public
 * programs (its import names them). No public export of Sage 50's own list, Sage Accounting, FreeAgent, Lexware Office and sevDesk
 * was found, so their headings are not verified. A file with other headings is not taken for one of these: it is read by the words
 * in its headings, as one of any program is.
 */
import type { Preset } from "./Preset.ts"

const XERO = {
  id: "InvoiceNumber",
  net: { plus: "Total", minus: "TaxTotal" },
  gross: "Total",
  currency: "Currency"
}

const SAGE = { net: "Net", gross: ["Net", "Tax"] }
const SAGE_FILE = { net: "Net Amount", gross: ["Net Amount", "Tax Amount"] }

export const accounting: ReadonlyArray<Preset> = [
  {
    name: "xero-invoices",
    title: "Xero, invoices with a row for each line",
    needs: ["ContactName", "InvoiceNumber", "InvoiceDate", "DueDate", "Total", "TaxTotal", "InvoiceAmountDue", "Type"],
    streams: [
      {
        stream: "invoices",
        lines: "same",
        where: { Type: ["Sales invoice", "ACCREC"] },
        columns: {
          ...XERO,
          customer: "ContactName",
          customer_country: "POCountry",
          issued: "InvoiceDate",
          due: "DueDate",
          status: "Status",
          balance: "InvoiceAmountDue",
          paid: "InvoiceAmountPaid"
        }
      },
      {
        stream: "credit_notes",
        lines: "same",
        where: { Type: ["Sales credit note", "ACCRECCREDIT"] },
        columns: { ...XERO, invoice: "Reference", date: "InvoiceDate" }
      }
    ]
  },
  {
    name: "xero-receivable",
    title: "Xero, Receivable Invoice Summary or Detail",
    needs: ["Invoice Number", "Contact", "Invoice Date", "Due Date", "Gross", "Balance"],
    streams: [
      {
        stream: "invoices",
        columns: {
          id: "Invoice Number",
          customer: "Contact",
          issued: "Invoice Date",
          due: "Due Date",
          gross: "Gross",
          balance: "Balance",
          currency: "Currency",
          status: "Status"
        }
      }
    ]
  },
  {
    name: "sage-50",
    title: "Sage 50, audit trail",
    needs: ["No", "Type", "A/C", "Date", "Ref", "Net", "Tax", "Amount Paid"],
    streams: [
      {
        stream: "invoices",
        where: { Type: "SI" },
        lines: { sum: ["net", "gross", "paid"] },
        columns: { id: "Ref", customer: "A/C", customer_id: "A/C", issued: "Date", ...SAGE, paid: "Amount Paid" }
      },
      {
        stream: "credit_notes",
        where: { Type: "SC" },
        columns: { id: "No", invoice: "Ex.Ref", date: "Date", ...SAGE }
      },
      {
        stream: "payments",
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
    ]
  },
  {
    name: "sage-50-activity",
    title: "Sage 50, customer activity",
    needs: ["No", "Type", "Date", "Due on", "Ref", "Details", "Amount", "O/S"],
    streams: [
      {
        stream: "invoices",
        where: { Type: "SI" },
        columns: {
          id: "Ref",
          customer: { first: ["Name", "A/C"] },
          customer_id: "A/C",
          issued: "Date",
          due: "Due on",
          gross: "Amount",
          balance: "O/S"
        }
      },
      {
        stream: "payments",
        where: { Type: ["SR", "SA"] },
        columns: {
          id: "No",
          reference: ["Ref", "Details"],
          customer: { first: ["Name", "A/C"] },
          customer_id: "A/C",
          date: "Date",
          amount: "Amount"
        }
      }
    ]
  },
  {
    name: "sage-50-transactions",
    title: "Sage 50, file of audit trail transactions",
    needs: ["Type", "Account Reference", "Nominal A/C Ref", "Date", "Reference", "Net Amount", "Tax Amount"],
    streams: [
      {
        stream: "invoices",
        where: { Type: "SI" },
        lines: { sum: ["net", "gross"] },
        columns: {
          id: "Reference",
          customer: "Account Reference",
          customer_id: "Account Reference",
          issued: "Date",
          ...SAGE_FILE
        }
      },
      {
        stream: "credit_notes",
        where: { Type: "SC" },
        lines: { sum: ["net", "gross"] },
        columns: { id: "Reference", invoice: "Extra Reference", date: "Date", ...SAGE_FILE }
      },
      {
        stream: "payments",
        where: { Type: "SA" },
        columns: {
          id: { content: ["Account Reference", "Date", "Reference", "Net Amount"] },
          reference: "Reference",
          customer_id: "Account Reference",
          customer: "Account Reference",
          date: "Date",
          amount: ["Net Amount", "Tax Amount"]
        }
      }
    ]
  },
  {
    name: "zoho-invoices",
    title: "Zoho Books, invoices with a row for each item",
    needs: [
      "Invoice ID",
      "Invoice Number",
      "Invoice Status",
      "Customer Name",
      "Due Date",
      "SubTotal",
      "Total",
      "Balance"
    ],
    streams: [
      {
        stream: "invoices",
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
        }
      }
    ]
  },
  {
    name: "sage-accounting",
    title: "Sage Accounting, sales invoices",
    needs: ["Invoice Number", "Customer Name", "Date", "Due Date", "Net", "VAT", "Total", "Outstanding"],
    streams: [
      {
        stream: "invoices",
        columns: {
          id: "Invoice Number",
          customer: "Customer Name",
          customer_id: "Customer Reference",
          issued: "Date",
          due: "Due Date",
          net: "Net",
          gross: "Total",
          currency: "Currency",
          status: "Status",
          balance: "Outstanding"
        }
      }
    ]
  },
  {
    name: "freeagent-invoices",
    title: "FreeAgent, invoices",
    needs: ["Reference", "Contact Name", "Status", "Dated On", "Due On", "Net Value", "Total Value", "Due Value"],
    streams: [
      {
        stream: "invoices",
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
        }
      }
    ]
  },
  {
    name: "lexware",
    title: "Lexware Office, list of documents",
    needs: ["Belegart", "Belegnummer", "Belegdatum", "Fälligkeitsdatum", "Kontakt", "Betrag", "Offen"],
    streams: [
      {
        stream: "invoices",
        where: { Belegart: ["Rechnung", "Abschlagsrechnung", "Schlussrechnung", "Ausgangsrechnung"] },
        columns: {
          id: "Belegnummer",
          customer: "Kontakt",
          customer_id: "Kundennummer",
          issued: "Belegdatum",
          due: "Fälligkeitsdatum",
          gross: "Betrag",
          currency: "Währung",
          status: "Status",
          balance: "Offen"
        }
      }
    ]
  },
  {
    name: "sevdesk",
    title: "sevDesk, invoices",
    needs: ["Rechnungsnummer", "Rechnungsdatum", "Kunde", "Summe Netto", "Summe Brutto", "Status"],
    streams: [
      {
        stream: "invoices",
        columns: {
          id: "Rechnungsnummer",
          customer: "Kunde",
          customer_id: "Kundennummer",
          customer_country: "Land",
          issued: "Rechnungsdatum",
          due: "Fälligkeitsdatum",
          terms: "Zahlungsziel",
          settled: "Bezahlt am",
          net: "Summe Netto",
          gross: "Summe Brutto",
          currency: "Währung",
          status: "Status",
          balance: "Offener Betrag"
        }
      }
    ]
  }
]
