/** Exports of programs for invoices, of shops and of processors of payments. */
import { csv, day, german, INVOICE_SUMS, type Invoice, INVOICES, OPEN, PAYMENT_SUMS, paid, state } from "../Exports.ts"
import type { SetupAnswers } from "../../../../sync/setup/Answers.ts"
import type { Layout } from "./Movements.ts"

const dmy = (on: string): string => day(on, "dd/MM/yyyy")
const dotted = (on: string): string => day(on, "dd.MM.yyyy")
const comma = (amount: string): string => amount.replace(".", ",")

interface List {
  readonly name: string
  readonly source: string
  readonly header: string
  readonly mark?: string
  readonly row: (one: Invoice) => ReadonlyArray<string>
  readonly answers?: SetupAnswers
  readonly hasBalance?: boolean
  /** A date says which were paid. */
  readonly hasPaid?: boolean
}

/** A program's list of the invoices. */
const list = ({
  answers,
  hasBalance = false,
  hasPaid = false,
  header,
  mark = ",",
  name,
  row,
  source
}: List): Layout => ({
  name,
  source,
  files: { "invoices.csv": `${header}\r\n${csv(INVOICES.map(row), mark)}` },
  ...(answers === undefined ? {} : { answers }),
  // Paid without a balance: 1,190.00 and 78.30.
  sums: hasPaid ? { ...INVOICE_SUMS, payment: [2, "1268.30"] } : INVOICE_SUMS,
  ...(hasBalance ? { open: OPEN } : {})
})

const words = (draft: string, open: string, isPaid: string, isVoid: string) => (one: Invoice) =>
  state({ draft, open, paid: isPaid, void: isVoid }, one)

const english = words("Draft", "Sent", "Paid", "Void")

const lists: ReadonlyArray<Layout> = [
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
    hasBalance: true
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
  })
]

/** Lists without states count every row. */
const withVoid = (layout: Layout): Layout => {
  const stateless = ["e-conomic", "Exact", "QuickBooks, with", "a list with the rate", "a list with signs"]
  if (!stateless.some((name) => layout.name.startsWith(name))) return layout
  const open = layout.name.startsWith("e-conomic") || layout.name.startsWith("Exact")
  const total = INVOICES.reduce((sum, one) => sum + BigInt(one.gross.replace(".", "")), 0n)
  const text = total.toString()
  return {
    ...layout,
    sums: { invoice: [INVOICES.length, `${text.slice(0, -2)}.${text.slice(-2)}`] },
    ...(open ? { open: OPEN } : {})
  }
}

/** Invoices that payments in another file pay. */
const books = `Invoice Number,Customer,Invoice Date,Due Date,Net,Tax,Total,Currency\r\n${csv(
  INVOICES.filter((one) => one.state !== "void").map((one) => [
    one.no,
    one.customer,
    one.issued,
    one.due,
    one.net,
    one.tax,
    one.gross,
    "EUR"
  ])
)}`

const money = (
  name: string,
  source: string,
  file: string,
  text: string,
  sums: Layout["sums"] = PAYMENT_SUMS,
  answers?: SetupAnswers
): Layout => ({
  name,
  source,
  files: { "invoices.csv": books, [file]: text },
  ...(answers === undefined ? {} : { answers }),
  sums: { ...INVOICE_SUMS, ...sums }
})

const payments: ReadonlyArray<Layout> = [
  money(
    "Zoho Books, customer payments over several invoices",
    "public importers' code",
    "Customer_Payment.csv",
    `Payment Number,Date,Customer Name,Mode,Currency Code,Amount,Reference Number,Invoice Number,Amount Applied to Invoice\r\n${csv(
      paid.map(([, invoice, on, amount]) => ["7001", on, "Somebody", "Bank", "EUR", "15268.30", "R1", invoice, amount])
    )}`
  ),
  money(
    "a list of receipts that is called after its month",
    "common",
    "october.csv",
    `Date,Customer,Invoice Number,Amount\r\n${csv(paid.map(([, invoice, on, amount]) => [on, "Somebody", invoice, amount]))}`
  ),
  money(
    "Stripe, payments by its dashboard",
    "public importers' tests",
    "payments.csv",
    `id,description,seller_message,created,amount,amount_refunded,currency,converted_amount,converted_amount_refunded,fee,tax,converted_currency,status,statement_descriptor,customer_id,customer_description,customer_email,captured,card_id,invoice_id,transfer\r\n${csv(
      [
        ...paid.map(([id, invoice, on, amount]) => [
          `ch_${id}`,
          invoice,
          "Payment complete.",
          `${on} 10:12`,
          amount,
          "0.00",
          "eur",
          amount,
          "0.00",
          "1.75",
          "0.00",
          "eur",
          "Paid",
          "",
          "cus_1",
          "",
          "a@example.com",
          "true",
          "pm_1",
          "",
          ""
        ]),
        [
          "ch_F",
          "INV-2003",
          "The bank declined.",
          "2026-03-02 11:00",
          "96.00",
          "0.00",
          "eur",
          "",
          "",
          "0.00",
          "0.00",
          "eur",
          "Failed",
          "",
          "cus_2",
          "",
          "b@example.com",
          "false",
          "pm_2",
          "",
          ""
        ],
        [
          "ch_R",
          "INV-2007",
          "Payment complete.",
          "2026-03-03 11:00",
          "888.00",
          "88.00",
          "eur",
          "888.00",
          "88.00",
          "1.00",
          "0.00",
          "eur",
          "Partially refunded",
          "",
          "cus_3",
          "",
          "c@example.com",
          "true",
          "pm_3",
          "",
          ""
        ]
      ]
    )}`,
    { payment: [4, "16156.30"], reversal: [1, "88.00"] }
  ),
  money(
    "Stripe, balance history with a dispute that was won and a refund that failed",
    "public importers' tests",
    "balance.csv",
    `id,Type,Source,Amount,Fee,Net,Currency,Created (UTC),Available On (UTC),Description,invoice (metadata)\r\n${csv([
      ...paid.map(([id, invoice, on, amount]) => [
        `txn_${id}`,
        "charge",
        `ch_${id}`,
        amount,
        "1.00",
        amount,
        "eur",
        `${on} 10:12`,
        `${on} 00:00`,
        invoice,
        invoice
      ]),
      [
        "txn_d",
        "adjustment",
        "du_1",
        "-78.30",
        "15.00",
        "-93.30",
        "eur",
        "2026-03-05 11:00",
        "2026-03-05 00:00",
        "Chargeback withdrawal",
        "INV-2005"
      ],
      [
        "txn_w",
        "adjustment",
        "du_1",
        "78.30",
        "0.00",
        "78.30",
        "eur",
        "2026-03-10 11:00",
        "2026-03-10 00:00",
        "Chargeback reversal",
        "INV-2005"
      ],
      [
        "txn_r",
        "refund",
        "re_1",
        "-1190.00",
        "0.00",
        "-1190.00",
        "eur",
        "2026-03-11 11:00",
        "2026-03-11 00:00",
        "REFUND FOR CHARGE",
        "INV-2001"
      ],
      [
        "txn_f",
        "refund_failure",
        "re_1",
        "1190.00",
        "0.00",
        "1190.00",
        "eur",
        "2026-03-12 11:00",
        "2026-03-12 00:00",
        "REFUND FAILURE",
        "INV-2001"
      ],
      [
        "txn_p",
        "payout",
        "po_1",
        "-15000.00",
        "0.00",
        "-15000.00",
        "eur",
        "2026-03-13 11:00",
        "2026-03-13 00:00",
        "STRIPE PAYOUT",
        ""
      ],
      [
        "txn_s",
        "stripe_fee",
        "",
        "-2.00",
        "0.00",
        "-2.00",
        "eur",
        "2026-03-14 11:00",
        "2026-03-14 00:00",
        "Billing fee",
        ""
      ]
    ])}`,
    { payment: [5, "16536.60"], reversal: [2, "1268.30"] }
  ),
  money(
    "PayPal, activity with payments that are pending or denied",
    "OCA/bank-statement-import",
    "PayPal.CSV".toLowerCase(),
    `"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Reference Txn ID","Invoice Number","Balance"\r\n${csv(
      [
        ...paid.map(([id, invoice, on, amount]) => [
          dmy(on),
          "10:00:00",
          "CET",
          "Jan M",
          "Express Checkout Payment",
          "Completed",
          "EUR",
          amount,
          "-1.00",
          amount,
          "a@example.com",
          "shop@example.com",
          id,
          "",
          invoice,
          ""
        ]),
        [
          "15/03/2026",
          "09:00:00",
          "CET",
          "Petra K",
          "Express Checkout Payment",
          "Pending",
          "EUR",
          "96.00",
          "-0.40",
          "95.60",
          "",
          "",
          "4GH",
          "",
          "INV-2003",
          ""
        ],
        [
          "18/03/2026",
          "09:00:00",
          "CET",
          "Ken U",
          "Express Checkout Payment",
          "Denied",
          "EUR",
          "888.00",
          "0.00",
          "888.00",
          "",
          "",
          "9QR",
          "",
          "INV-2007",
          ""
        ]
      ]
    )}`
  ),
  money(
    "Mollie, settlement with a refund and a payment that expired",
    "the trial's report of a public importer",
    "settlement.csv",
    `Date,Payment method,Currency,Amount,Status,ID,Description,Consumer name,Consumer bank account,Consumer BIC,Settlement currency,Settlement amount,Settlement reference,Amount refunded\r\n${csv(
      [
        ...paid.map(([id, invoice, on, amount]) => [
          `${on} 10:12:00`,
          "ideal",
          "EUR",
          amount,
          "paidout",
          `tr_${id}`,
          `Order ${invoice}`,
          "Jan N",
          "",
          "",
          "EUR",
          amount,
          "1234567.2610.01",
          ""
        ]),
        [
          "2026-03-03 09:00:00",
          "refund",
          "EUR",
          "-20.00",
          "refunded",
          "re_c",
          "Refund INV-2001",
          "",
          "",
          "",
          "EUR",
          "-20.00",
          "1234567.2610.01",
          "20.00"
        ],
        [
          "2026-03-05 09:00:00",
          "ideal",
          "EUR",
          "40.00",
          "expired",
          "tr_d",
          "Order INV-2003",
          "Ivo P",
          "",
          "",
          "",
          "",
          "",
          ""
        ]
      ]
    )}`,
    { ...PAYMENT_SUMS, reversal: [1, "20.00"] }
  )
]

export const programs: ReadonlyArray<Layout> = [...lists.map(withVoid), ...payments]
