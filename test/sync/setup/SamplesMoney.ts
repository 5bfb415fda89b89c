/** Exports of shops, of those who collect payments, of banks and of ledgers. */
import { csv, day, german, INVOICE_SUMS, INVOICES, windows, state, paid, PAYMENT_SUMS, type Sample } from "./Exports.ts"

export const money: ReadonlyArray<Sample> = [
  {
    name: "WooCommerce, orders by Advanced Order Export",
    preset: "woocommerce-orders",
    files: {
      "orders-2026-03-31.csv": csv([
        [
          "Order Number",
          "Order Status",
          "Order Date",
          "First Name (Billing)",
          "Last Name (Billing)",
          "Company (Billing)",
          "Country Code (Billing)",
          "Order Total Tax Amount",
          "Order Total Amount",
          "Item Name",
          "Quantity (- Refund)"
        ],
        ...INVOICES.flatMap((one) => {
          const row = [
            one.no,
            state({ draft: "Draft", open: "Processing", paid: "Completed", void: "Cancelled" }, one),
            `${one.issued} 14:05`,
            "Ada",
            "Byron",
            one.customer,
            one.country,
            one.tax,
            one.gross
          ]
          return [
            [...row, "Chair", "2"],
            [...row, "Rug", "1"]
          ]
        })
      ])
    },
    answers: { currency: "EUR" },
    sums: INVOICE_SUMS,
    currencies: ["EUR"]
  },
  {
    name: "WooCommerce, orders by one of its own export extensions",
    preset: "woocommerce-export",
    files: {
      "orders.csv": csv([
        [
          "order_id",
          "order_number",
          "order_date",
          "paid_date",
          "status",
          "tax_total",
          "order_total",
          "order_currency",
          "customer_id",
          "billing_first_name",
          "billing_last_name",
          "billing_company",
          "billing_country"
        ],
        ...INVOICES.map((one, n) => [
          ...[String(70 + n), one.no, `${one.issued} 14:05:00`, ""],
          state({ draft: "draft", open: "processing", paid: "completed", void: "cancelled" }, one),
          ...[one.tax, one.gross, "EUR", String(n), "Ada", "Byron", one.customer, one.country]
        ])
      ])
    },
    sums: INVOICE_SUMS,
    currencies: ["EUR"]
  },
  {
    name: "Stripe, itemised payout reconciliation",
    preset: "stripe-payouts",
    files: {
      "itemised_payout_reconciliation.csv": csv([
        [
          "automatic_payout_id",
          "automatic_payout_effective_at",
          "balance_transaction_id",
          "created_utc",
          "created",
          "available_on",
          "currency",
          "gross",
          "fee",
          "net",
          "reporting_category",
          "source_id",
          "description",
          "customer_name",
          "invoice_number"
        ],
        ...paid.map(([id, invoice, date, amount], n) => [
          "po_1",
          "2026-03-09 00:00:00",
          `txn_${n}`,
          `${date} 10:00:00`,
          `${date} 11:00:00`,
          `${date} 00:00:00`,
          "eur",
          amount,
          "1.00",
          amount,
          "charge",
          `ch_${id}`,
          `Payment for ${invoice}`,
          "",
          invoice
        ]),
        [
          "po_1",
          "2026-03-09 00:00:00",
          "txn_9",
          "2026-03-02 10:00:00",
          "2026-03-02 11:00:00",
          "2026-03-02 00:00:00",
          "eur",
          "-20.00",
          "0.00",
          "-20.00",
          "refund",
          "re_1",
          "REFUND",
          "",
          "INV-2001"
        ],
        [
          "po_1",
          "2026-03-09 00:00:00",
          "txn_10",
          "2026-03-09 10:00:00",
          "2026-03-09 11:00:00",
          "2026-03-09 00:00:00",
          "eur",
          "-15000.00",
          "0.00",
          "-15000.00",
          "payout",
          "po_1",
          "STRIPE PAYOUT",
          "",
          ""
        ]
      ])
    },
    sums: { ...PAYMENT_SUMS, reversal: [1, "20.00"] },
    currencies: ["EUR"]
  },
  {
    name: "GoCardless, events of payouts",
    preset: "gocardless-payouts",
    files: {
      // The headings as GoCardless documents them, those before the payment's own.
      "gocardless-payouts.csv": csv([
        [
          "id",
          "created_at",
          "resource_type",
          "action",
          "credit_amount",
          "debit_amount",
          "details.origin",
          "details.cause",
          "details.description",
          "links.parent_event",
          "links.payment",
          "payments.id",
          "payments.charge_date",
          "payments.amount",
          "payments.description",
          "payments.currency",
          "payments.status",
          "payments.reference",
          "customers.id",
          "customers.company_name"
        ],
        ...paid.map(([id, invoice, date, amount], n) => [
          ...[`EV${n}`, `${date}T08:00:00.000Z`, "payments", "paid_out", amount, ""],
          ...["gocardless", "payment_paid_out", "", "EV", id],
          ...[id, date, amount, invoice, "GBP", "paid_out", `REF${n}`, `CU${n}`, "Tern"]
        ]),
        [
          ...["EV8", "2026-03-10T08:00:00.000Z", "payments", "charged_back", "", "78.30"],
          ...["bank", "refer_to_payer", "The payer asked for it", "EV", "PAY-3"],
          ...["PAY-3", "2026-03-01", "78.30", "INV-2005", "GBP", "charged_back", "REF2", "CU2", "Tern"]
        ],
        [
          ...["EV9", "2026-03-11T08:00:00.000Z", "payouts", "paid", "", ""],
          ...["gocardless", "payout_paid", "", "", "", "", "", "", "", "", "", "", "", ""]
        ]
      ])
    },
    sums: { ...PAYMENT_SUMS, reversal: [1, "78.30"] },
    currencies: ["GBP"]
  },
  {
    name: "a ledger whose rows say what they are",
    files: {
      "sales_ledger.csv": csv([
        ["Type", "Document No", "Customer", "Customer No", "Date", "Due Date", "Amount", "Applied To", "Currency"],
        ...INVOICES.map((one) => [
          one.state === "void" ? "Void" : "Invoice",
          one.no,
          one.customer,
          one.customer.slice(0, 3),
          day(one.issued, "dd MMM yyyy"),
          day(one.due, "dd MMM yyyy"),
          one.gross,
          "",
          "GBP"
        ]),
        ...paid.map(([id, invoice, date, amount]) => [
          "Payment",
          id,
          "",
          "",
          day(date, "dd MMM yyyy"),
          "",
          `-${amount}`,
          invoice,
          "GBP"
        ]),
        ["Credit Note", "CN-1", "Peel Street Cafe", "Pee", "25 Feb 2026", "", "-8.00", "INV-2007", "GBP"]
      ])
    },
    sums: { ...INVOICE_SUMS, ...PAYMENT_SUMS, credit_note: [1, "8.00"] },
    currencies: ["GBP"]
  },
  {
    name: "a German bank's list of transactions",
    files: {
      "umsaetze.csv": windows(
        csv(
          [
            [
              "Auftragskonto",
              "Buchungstag",
              "Valutadatum",
              "Buchungstext",
              "Verwendungszweck",
              "Beguenstigter/Zahlungspflichtiger",
              "Betrag",
              "Waehrung",
              "Info"
            ],
            ...paid.map(([, invoice, date, amount]) => [
              "DE02120300000000202051",
              day(date, "dd.MM.yy"),
              day(date, "dd.MM.yy"),
              "GUTSCHR. UEBERWEISUNG",
              `RECHNUNG ${invoice}`,
              "Müller",
              german(amount),
              "EUR",
              "Umsatz gebucht"
            ]),
            [
              "DE02120300000000202051",
              "04.03.26",
              "04.03.26",
              "DAUERAUFTRAG",
              "MIETE MAERZ",
              "Hausverwaltung Süd",
              "-1.200,00",
              "EUR",
              "Umsatz gebucht"
            ],
            [
              "DE02120300000000202051",
              "05.03.26",
              "05.03.26",
              "SONSTIGER EINZUG",
              "RÜCKLASTSCHRIFT INV-2005",
              "Café",
              "-78,30",
              "EUR",
              "Umsatz gebucht"
            ]
          ].map((row) => row),
          ";"
        )
      )
    },
    sums: { ...PAYMENT_SUMS, reversal: [1, "78.30"] },
    currencies: ["EUR"]
  }
]
