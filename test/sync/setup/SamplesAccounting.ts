/** Exports of programs for accounting. */
import {
  bom,
  counted,
  csv,
  day,
  english,
  german,
  INVOICE_SUMS,
  INVOICES,
  OPEN,
  serial,
  windows,
  workbook,
  rows,
  total,
  state,
  GERMAN,
  paid,
  PAYMENT_SUMS,
  type Sample
} from "./Exports.ts"

const FREEAGENT = ["Contact Name", "Reference", "Date", "Due Date", "Status", "Currency", "Net Amount", "Total Value"]
const FREEAGENT_ITEMS = ["Item Type", "Quantity", "Price"]

const SAGE_HEADINGS = [
  "Type",
  "Account Reference",
  "Nominal A/C Ref",
  "Date",
  "Reference",
  "Net Amount",
  "Tax Code",
  "Tax Amount",
  "Extra Reference"
]
const sage = (type: string, date: string, reference: string, net: string, tax: string, extra = "") => [
  type,
  "ACME01",
  "4000",
  day(date, "dd/MM/yyyy"),
  reference,
  net,
  "T1",
  tax,
  extra
]

export const accounting: ReadonlyArray<Sample> = [
  {
    name: "Xero, Receivable Invoice Summary as a workbook",
    preset: "xero-receivable",
    files: {
      "Receivable_Invoice_Summary.xlsx": workbook([
        "Receivable Invoice Summary",
        [
          ["Receivable Invoice Summary"],
          ["Harbour Tea Wholesale Ltd"],
          ["For the period 1 January 2026 to 31 March 2026"],
          [],
          ["Invoice Number", "Contact", "Invoice Date", "Due Date", "Invoice Reference", "Gross", "Balance", "Status"],
          ...INVOICES.map((one) => [
            one.no,
            one.customer,
            serial(one.issued),
            serial(one.due),
            "",
            Number(one.gross),
            Number(one.open),
            state({ draft: "Draft", open: "Awaiting Payment", paid: "Paid", void: "Voided" }, one)
          ]),
          ["Total", "", "", "", "", Number(total("gross")), Number(total("open")), ""]
        ]
      ])
    },
    answers: { currency: "GBP" },
    sums: INVOICE_SUMS,
    open: OPEN,
    currencies: ["GBP"]
  },
  {
    name: "Sage 50, a file of transactions that another program writes for its import",
    preset: "sage-50-transactions",
    files: {
      "audit-trail-transactions.csv": csv([
        SAGE_HEADINGS,
        ...counted.flatMap((one) => [
          sage("SI", one.issued, one.no, one.net, "0.00"),
          sage("SI", one.issued, one.no, "0.00", one.tax)
        ]),
        ...paid.map(([id, , date, amount]) => sage("SA", date, id, amount, "0.00")),
        sage("SC", "2026-03-05", "CR-1", "10.00", "2.00", "INV-2002"),
        sage("PI", "2026-03-06", "P-99", "400.00", "80.00")
      ])
    },
    answers: { currency: "GBP" },
    sums: { ...INVOICE_SUMS, ...PAYMENT_SUMS, credit_note: [1, "12.00"] },
    currencies: ["GBP"]
  },
  {
    name: "Sage Accounting, sales invoices",
    preset: "sage-accounting",
    files: {
      "sales_invoices.csv": csv([
        [
          "Invoice Number",
          "Customer Name",
          "Reference",
          "Date",
          "Due Date",
          "Net",
          "VAT",
          "Total",
          "Outstanding",
          "Status"
        ],
        ...rows((one) => [
          one.no,
          one.customer,
          "",
          day(one.issued, "dd/MM/yyyy"),
          day(one.due, "dd/MM/yyyy"),
          `£${english(one.net)}`,
          `£${english(one.tax)}`,
          `£${english(one.gross)}`,
          `£${english(one.open)}`,
          state({ draft: "Draft", open: "Unpaid", paid: "Paid", void: "Void" }, one, "Part Paid")
        ]),
        [
          "Total",
          "",
          "",
          "",
          "",
          `£${english(total("net"))}`,
          `£${english(total("tax"))}`,
          `£${english(total("gross"))}`,
          `£${english(total("open"))}`,
          ""
        ]
      ])
    },
    sums: INVOICE_SUMS,
    open: OPEN,
    currencies: ["GBP"]
  },
  {
    name: "FreeAgent, everything: the items of each invoice below it, in columns of their own",
    files: {
      "company-export.xlsx": workbook([
        "Invoices",
        [
          [...FREEAGENT, ...FREEAGENT_ITEMS],
          ...INVOICES.flatMap((one) => [
            [
              one.customer,
              one.no,
              serial(one.issued),
              serial(one.due),
              state({ draft: "Draft", open: "Sent", paid: "Paid", void: "Cancelled" }, one),
              "GBP",
              Number(one.net),
              Number(one.gross)
            ],
            [...FREEAGENT.map(() => ""), ...FREEAGENT_ITEMS],
            [...FREEAGENT.map(() => ""), "Hours", 2, 10],
            [...FREEAGENT.map(() => ""), "Products", 1, 5]
          ])
        ]
      ])
    },
    sums: INVOICE_SUMS,
    currencies: ["GBP"]
  },
  {
    name: "Lexware Office, in Windows-1252",
    preset: "lexware",
    files: {
      "Belege.csv": windows(
        csv(
          [
            [
              "Belegart",
              "Status",
              "Belegnummer",
              "Belegdatum",
              "Fälligkeitsdatum",
              "Kontakt",
              "Betrag",
              "Offen",
              "Währung"
            ],
            ...rows((one) => [
              "Rechnung",
              state(GERMAN, one, "Teilbezahlt"),
              one.no,
              day(one.issued, "dd.MM.yyyy"),
              day(one.due, "dd.MM.yyyy"),
              one.customer,
              german(one.gross),
              german(one.open),
              "EUR"
            ]),
            ["Eingangsrechnung", "Offen", "L-77", "03.02.2026", "17.02.2026", "Bürobedarf Süd", "59,50", "59,50", "EUR"]
          ],
          ";"
        )
      )
    },
    sums: INVOICE_SUMS,
    open: OPEN,
    currencies: ["EUR"]
  },
  {
    name: "sevDesk, invoices",
    preset: "sevdesk",
    files: {
      "Rechnungen.csv": bom(
        csv(
          [
            [
              "Status",
              "Rechnungsnummer",
              "Rechnungsdatum",
              "Fälligkeitsdatum",
              "Kundennummer",
              "Kunde",
              "Land",
              "Summe Netto",
              "Summe Steuern",
              "Summe Brutto",
              "Währung",
              "Bezahlt am"
            ],
            ...rows((one) => [
              state(GERMAN, one, "Teilbezahlt"),
              one.no,
              day(one.issued, "dd.MM.yyyy"),
              day(one.due, "dd.MM.yyyy"),
              `K-${one.no.slice(-2)}`,
              one.customer,
              {
                DE: "Deutschland",
                FR: "Frankreich",
                GB: "Vereinigtes Königreich",
                AT: "Österreich",
                ES: "Spanien",
                NL: "Niederlande"
              }[one.country] ?? "",
              german(one.net),
              german(one.tax),
              german(one.gross),
              "EUR",
              one.state === "paid" ? day(one.due, "dd.MM.yyyy") : ""
            ])
          ],
          ";",
          "\n"
        )
      )
    },
    // How much of it was paid is in no column.
    answers: { statuses: { Teilbezahlt: "open" } },
    sums: { ...INVOICE_SUMS, payment: [2, "1268.30"] },
    currencies: ["EUR"]
  },
  {
    name: "an American list with the month first, and a ledger of payments in JSON Lines",
    files: {
      "Invoice Report.csv": csv([
        ["Tern Supply LLC"],
        ["Open and paid invoices, amounts in USD"],
        [
          "Invoice #",
          "Bill To",
          "Invoice Date",
          "Terms",
          "Subtotal",
          "Sales Tax",
          "Invoice Total",
          "Balance Due",
          "Status"
        ],
        ...rows((one) => [
          one.no,
          one.customer,
          day(one.issued, "MM/dd/yyyy"),
          "Net 30",
          english(one.net),
          english(one.tax),
          english(one.gross),
          english(one.open),
          state({ draft: "Draft", open: "Overdue", paid: "Paid", void: "Voided" }, one, "Partially Paid")
        ]),
        [
          "Grand Total",
          "",
          "",
          "",
          english(total("net")),
          english(total("tax")),
          english(total("gross")),
          english(total("open")),
          ""
        ]
      ]),
      "payments.jsonl": paid
        .map(
          ([id, invoice, date, amount]) =>
            `${JSON.stringify({ payment_id: id, invoice_number: invoice, payment_date: date, amount })}\n`
        )
        .join("")
    },
    sums: { ...INVOICE_SUMS, ...PAYMENT_SUMS },
    open: OPEN,
    currencies: ["USD"]
  }
]
