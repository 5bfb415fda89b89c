/** Stripe's own list of payments, as its dashboard writes it. */
import { paid } from "../Exports.ts"

/** Cells of Stripe's charges, by the headings of its older exports in lower case. */
export const STRIPE_ROWS = [
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

/** The same columns under the headings of several years, and in their orders. */
export const STRIPE_CHARGES: ReadonlyArray<readonly [string, string, ReadonlyArray<number>]> = [
  [
    "",
    "id,description,seller_message,created,amount,amount_refunded,currency,converted_amount,converted_amount_refunded,fee,tax,converted_currency,status,statement_descriptor,customer_id,customer_description,customer_email,captured,card_id,invoice_id,transfer",
    Array.from({ length: 21 }, (_, at) => at)
  ],
  [
    ", with headings in words",
    "id,Description,Seller Message,Created (UTC),Amount,Amount Refunded,Currency,Converted Amount,Converted Amount Refunded,Fee,Tax,Converted Currency,Status,Statement Descriptor,Customer ID,Customer Description,Customer Email,Captured,Card ID,Invoice ID,Transfer",
    Array.from({ length: 21 }, (_, at) => at)
  ],
  [
    ", since 2024",
    "id,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Converted Amount,Converted Amount Refunded,Converted Currency,Description,Fee,Status,Seller Message,Card ID,Customer ID,Customer Description,Customer Email,Invoice ID,Transfer",
    [0, 3, 4, 5, 6, 17, 7, 8, 11, 1, 9, 12, 2, 18, 14, 15, 16, 19, 20]
  ]
]
