/** Further lists of invoices of programs. */
import { csv, day, german, INVOICES } from "../Exports.ts"
import { comma, dmy, dotted } from "./Days.ts"
import { list, words } from "./List.ts"
import type { Layout } from "./Movements.ts"

export const moreLists: ReadonlyArray<Layout> = [
  list({
    name: "a program with days of cancellation and marks for drafts",
    source: "not verified",
    header: "Number,Client,Issue Date,Due Date,Subtotal,Tax,Total,Currency,Draft,Cancelled At",
    row: (one) => [
      one.no,
      one.customer,
      one.issued,
      one.due,
      one.net,
      one.tax,
      one.gross,
      "EUR",
      one.state === "draft" ? "yes" : "no",
      one.state === "void" ? one.due : ""
    ]
  }),
  list({
    name: "a database with amounts in cents",
    source: "not verified",
    header: "number,customer_name,issued_at,due_at,total_cents,currency,status",
    row: (one) => [
      one.no,
      one.customer,
      one.issued,
      one.due,
      one.gross.replace(".", ""),
      "EUR",
      words("draft", "open", "paid", "void")(one)
    ],
    answers: { units: { total_cents: "hundredths" } }
  }),
  list({
    name: "a Polish program",
    source: "not verified",
    mark: ";",
    header:
      "Numer faktury;Nabywca;Data wystawienia;Termin płatności;Wartość netto;Kwota VAT;Wartość brutto;Waluta;Stan",
    row: (one) => [
      one.no,
      one.customer,
      one.issued,
      one.due,
      comma(one.net),
      comma(one.tax),
      comma(one.gross),
      "EUR",
      words("Szkic", "Nieopłacona", "Opłacona", "Anulowana")(one)
    ]
  }),
  list({
    name: "Billomat, in German",
    source: "not verified",
    mark: ";",
    header:
      "Rechnungsnummer;Kunde;Datum;Fälligkeitsdatum;Nettobetrag;Steuerbetrag;Bruttobetrag;Offener Betrag;Währung;Status",
    row: (one) => [
      one.no,
      one.customer,
      dotted(one.issued),
      dotted(one.due),
      german(one.net),
      german(one.tax),
      german(one.gross),
      german(one.open),
      "EUR",
      words("Entwurf", "offen", "bezahlt", "storniert")(one)
    ],
    hasBalance: true
  }),
  list({
    name: "FastBill, with a mark for what is paid",
    source: "not verified",
    mark: ";",
    header: "Rechnungs-Nr.;Kunde;Rechnungsdatum;Fällig am;Netto;USt;Brutto;Währung;Bezahlt am;Storniert",
    row: (one) => [
      one.no,
      one.customer,
      dotted(one.issued),
      dotted(one.due),
      german(one.net),
      german(one.tax),
      german(one.gross),
      "EUR",
      one.state === "paid" ? dotted(one.due) : "-",
      one.state === "void" ? "ja" : "nein"
    ],
    hasPaid: true
  }),
  list({
    name: "Moneybird, in Dutch",
    source: "not verified",
    mark: ";",
    header:
      "Factuurnummer;Contact;Factuurdatum;Vervaldatum;Totaal excl. btw;Btw;Totaal incl. btw;Openstaand;Valuta;Status",
    row: (one) => [
      one.no,
      one.customer,
      day(one.issued, "dd-MM-yyyy"),
      day(one.due, "dd-MM-yyyy"),
      comma(one.net),
      comma(one.tax),
      comma(one.gross),
      comma(one.open),
      "EUR",
      words("Concept", "Openstaand", "Betaald", "Oninbaar")(one)
    ],
    hasBalance: true,
    answers: { statuses: { Oninbaar: "void" } }
  }),
  list({
    name: "Exact Online, in Dutch, without states",
    source: "not verified",
    mark: ";",
    header: "Factuurnr.;Debiteurnr.;Debiteur;Factuurdatum;Vervaldatum;Bedrag incl. btw;Openstaand saldo;Valuta",
    row: (one) => [
      one.no,
      `D${one.no.slice(-2)}`,
      one.customer,
      day(one.issued, "dd-MM-yyyy"),
      day(one.due, "dd-MM-yyyy"),
      german(one.gross),
      german(one.open),
      "EUR"
    ]
  }),
  list({
    name: "Pennylane, in French",
    source: "not verified",
    mark: ";",
    header: "Numéro de facture;Client;Date d'émission;Date d'échéance;Montant HT;TVA;Montant TTC;Devise;Statut",
    row: (one) => [
      one.no,
      one.customer,
      dmy(one.issued),
      dmy(one.due),
      comma(one.net),
      comma(one.tax),
      comma(one.gross),
      "EUR",
      words("Brouillon", "En attente", "Payée", "Annulée")(one)
    ]
  }),
  list({
    name: "Fatture in Cloud, in Italian",
    source: "not verified",
    mark: ";",
    header: "Numero fattura;Cliente;Data fattura;Scadenza;Imponibile;IVA;Totale;Valuta;Stato",
    row: (one) => [
      one.no,
      one.customer,
      dmy(one.issued),
      dmy(one.due),
      comma(one.net),
      comma(one.tax),
      comma(one.gross),
      "EUR",
      words("Bozza", "Non pagata", "Pagata", "Annullata")(one)
    ]
  }),
  list({
    name: "QuickBooks, with amounts in the home currency beside foreign ones",
    source: "the trial's report",
    header: "Date,Num,Customer,Due date,Currency,Exchange rate,Amount,Foreign amount",
    row: (one) => [
      day(one.issued, "MM/dd/yyyy"),
      one.no,
      one.customer,
      day(one.due, "MM/dd/yyyy"),
      "EUR",
      "1.1",
      (Number(one.gross) * 1.1).toFixed(2),
      one.gross
    ]
  }),
  list({
    name: "a list with signs of currencies in its amounts",
    source: "common",
    header: "Invoice No,Company,Contact,Date,Due,Amount,Paid?",
    row: (one) => [
      one.no,
      one.customer,
      "Ada Byron",
      dmy(one.issued),
      dmy(one.due),
      `€${one.gross}`,
      one.state === "paid" ? "Yes" : "No"
    ]
  }),
  list({
    name: "a list with the rate of tax",
    source: "a public importer's test of sevDesk",
    mark: ";",
    header: "Rechnungsnummer;Rechnungsdatum;Kunde;Netto;MwSt;Brutto;Fälligkeitsdatum;Währung",
    row: (one) => [
      one.no,
      dotted(one.issued),
      one.customer,
      german(one.net),
      String(Math.round((Number(one.tax) / Number(one.net)) * 100)),
      german(one.gross),
      dotted(one.due),
      "EUR"
    ]
  }),
  list({
    name: "Oracle Receivables, payment schedules",
    source: "the table's description",
    header:
      "TRX_NUMBER,TRX_DATE,CLASS,BILL_TO_CUSTOMER_NAME,DUE_DATE,INVOICE_CURRENCY_CODE,AMOUNT_DUE_ORIGINAL,AMOUNT_DUE_REMAINING",
    row: (one) => [one.no, one.issued, "INV", one.customer, one.due, "EUR", one.gross, one.open],
    hasBalance: true
  }),
  list({
    name: "Sage 50, customer activity",
    source: "Sage's page of the window",
    header: "A/C,Name,No,Type,Date,Due on,Ref,Details,Amount,O/S,Debit,Credit",
    row: (one) => [
      one.customer.slice(0, 3).toUpperCase(),
      one.customer,
      `1${one.no.slice(4)}`,
      "SI",
      dmy(one.issued),
      dmy(one.due),
      one.no,
      "Goods",
      one.gross,
      one.open,
      one.gross,
      ""
    ],
    answers: { currency: "EUR" },
    hasBalance: true
  }),
  {
    name: "QuickBooks, Open Invoices by customer",
    source: "public importers' tests",
    files: {
      "open.csv": `Open Invoices,,,,,,\r\nAcme Ltd,,,,,,\r\n\r\n,Date,Transaction type,Num,Terms,Due date,Open balance\r\n${csv(
        INVOICES.flatMap((one) => [
          [one.customer, "", "", "", "", "", ""],
          ["", dmy(one.issued), "Invoice", one.no, "Net 30", dmy(one.due), one.gross],
          [`Total for ${one.customer}`, "", "", "", "", "", one.gross]
        ])
      )}`
    },
    answers: { currency: "EUR", columns: { "invoices.gross": "Open balance" } },
    sums: { invoice: [INVOICES.length, "22902.49"] },
    open: "22902.49"
  }
]
