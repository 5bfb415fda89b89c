/** Exports of processors of payments, and lists of receipts, beside the invoices that they pay. */
import { csv, INVOICE_SUMS, INVOICES, PAYMENT_SUMS, paid } from "../Exports.ts"
import type { SetupAnswers } from "../../../../sync/setup/Answers.ts"
import { dmy } from "./Days.ts"
import type { Layout } from "./Movements.ts"
import { STRIPE_CHARGES, STRIPE_ROWS } from "./StripeCharges.ts"

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

export const money = (
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

export const payments: ReadonlyArray<Layout> = [
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
  ...STRIPE_CHARGES.map(([name, header, columns]) =>
    money(
      `Stripe, payments by its dashboard${name}`,
      "public importers' tests",
      "payments.csv",
      `${header}\r\n${csv(STRIPE_ROWS.map((row) => columns.map((at) => row[at] ?? "")))}`,
      { payment: [4, "16156.30"], reversal: [1, "88.00"] }
    )
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
