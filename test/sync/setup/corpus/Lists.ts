/** Lists of invoices of programs. */
import { german } from "../Exports.ts"
import { comma, dmy, dotted } from "./Days.ts"
import { english, list, words } from "./List.ts"
import type { Layout } from "./Movements.ts"

export const firstLists: ReadonlyArray<Layout> = [
  list({
    name: "FreshBooks, with a row for each line",
    source: "public importers' tests",
    header:
      "Client Name,Invoice #,Date Issued,Invoice Status,Date Paid,Item Name,Item Description,Rate,Quantity,Line Total,Currency",
    row: (one) => [
      one.customer,
      one.no,
      one.issued,
      english(one).toLowerCase(),
      one.state === "paid" ? one.due : "",
      "Work",
      "Hours",
      one.gross,
      "1",
      one.gross,
      "EUR"
    ],
    answers: { terms_days: 30 },
    hasPaid: true
  }),
  list({
    name: "Wave, invoices",
    source: "not verified",
    header: "Invoice Number,Customer,Invoice Date,Due Date,Status,Currency,Subtotal,Tax,Total,Amount Due",
    row: (one) => [
      one.no,
      one.customer,
      one.issued,
      one.due,
      english(one),
      "EUR",
      one.net,
      one.tax,
      one.gross,
      one.open
    ],
    hasBalance: true
  }),
  list({
    name: "Invoice Ninja, whose columns have the table's name in front",
    source: "invoiceninja",
    header:
      "Invoice Number,Invoice Status,Client Name,Invoice Date,Invoice Due Date,Invoice Amount,Invoice Balance,Currency",
    row: (one) => [one.no, english(one), one.customer, one.issued, one.due, one.gross, one.open, "EUR"],
    hasBalance: true
  }),
  list({
    name: "Zoho Invoice, with names of currencies",
    source: "not verified",
    header: "Invoice Number,Customer Name,Invoice Date,Due Date,Invoice Status,Total,Balance,Currency",
    row: (one) => [
      one.no,
      one.customer,
      one.issued,
      one.due,
      words("Draft", "Overdue", "Closed", "Void")(one),
      one.gross,
      one.open,
      "Euro"
    ],
    hasBalance: true
  }),
  list({
    name: "Harvest, invoices",
    source: "not verified",
    header:
      "Issue Date,ID,PO Number,Client,Subject,Invoice Amount,Paid Amount,Balance,Subtotal,Tax,Currency,Currency Symbol,Due Date,State",
    row: (one) => [
      one.issued,
      one.no,
      "",
      one.customer,
      "Work",
      one.gross,
      (Number(one.gross) - Number(one.open)).toFixed(2),
      one.open,
      one.net,
      one.tax,
      "Euro - EUR",
      "€",
      one.due,
      english(one).toLowerCase()
    ],
    hasBalance: true
  }),
  list({
    name: "Odoo, invoices with the amounts in the currency of each",
    source: "OCA",
    header:
      "Number,Invoice Partner Display Name,Invoice/Bill Date,Due Date,Tax Excluded,Total in Currency Signed,Total Signed,Currency,Payment Status,Status",
    row: (one) => [
      one.no,
      one.customer,
      one.issued,
      one.due,
      one.net,
      one.gross,
      one.gross,
      "EUR",
      words("Not Paid", "Not Paid", "Paid", "Not Paid")(one),
      words("Draft", "Posted", "Posted", "Cancelled")(one)
    ]
  }),
  list({
    name: "Holded, in Spanish, with percentages of tax",
    source: "not verified",
    mark: ";",
    header: "Número de factura;Cliente;Fecha de emisión;Fecha de vencimiento;Base imponible;IVA;Total;Moneda;Estado",
    row: (one) => [
      one.no,
      one.customer,
      dmy(one.issued),
      dmy(one.due),
      german(one.net),
      german(one.tax),
      german(one.gross),
      "EUR",
      words("Borrador", "Pendiente", "Pagada", "Anulada")(one)
    ]
  }),
  list({
    name: "Fortnox, in Swedish",
    source: "not verified",
    mark: ";",
    header: "Fakturanr;Kundnr;Kundnamn;Fakturadatum;Förfallodatum;Totalt;Saldo;Valuta;Status",
    row: (one) => [
      one.no,
      `K${one.no.slice(-2)}`,
      one.customer,
      one.issued,
      one.due,
      comma(one.gross),
      comma(one.open),
      "EUR",
      words("Utkast", "Obetald", "Betald", "Makulerad")(one)
    ],
    hasBalance: true
  }),
  list({
    name: "e-conomic, in Danish",
    source: "not verified",
    mark: ";",
    header: "Fakturanummer;Kundenummer;Kundenavn;Fakturadato;Forfaldsdato;Netto;Moms;Brutto;Rest;Valuta",
    row: (one) => [
      one.no,
      `K${one.no.slice(-2)}`,
      one.customer,
      dotted(one.issued),
      dotted(one.due),
      german(one.net),
      german(one.tax),
      german(one.gross),
      german(one.open),
      "EUR"
    ],
    hasBalance: true
  }),
  list({
    name: "Fakturoid, in Czech",
    source: "not verified",
    mark: ";",
    header: "Číslo faktury;Odběratel;Vystaveno;Splatnost;Základ daně;DPH;Celkem s DPH;Měna;Stav",
    row: (one) => [
      one.no,
      one.customer,
      dotted(one.issued),
      dotted(one.due),
      comma(one.net),
      comma(one.tax),
      comma(one.gross),
      "EUR",
      words("Koncept", "Odeslána", "Uhrazena", "Stornována")(one)
    ]
  })
]
