/**
 * Records as Chargebee's API reference shows them, and the documents that they must become: what the kit's sample has, and what
 * happens more rarely.
 */
export type Facts = Partial<Readonly<Record<"invoices" | "transactions" | "credit_notes", ReadonlyArray<object>>>>

const at = (time: string) => Date.parse(`2026-${time}Z`) / 1000
const UPDATED = { updated_at: at("02-14T09:00:00"), resource_version: at("02-14T09:00:00") * 1000 }

const invoice = (more: object) => ({
  object: "invoice",
  id: "INV-1",
  customer_id: "cbdemo_richard",
  subscription_id: "cbdemo_sub",
  recurring: true,
  status: "paid",
  price_type: "tax_exclusive",
  date: at("01-31T09:00:00"),
  due_date: at("03-02T09:00:00"),
  net_term_days: 30,
  exchange_rate: 1,
  currency_code: "USD",
  base_currency_code: "USD",
  total: 10000,
  amount_paid: 10000,
  amount_adjusted: 0,
  write_off_amount: 0,
  credits_applied: 0,
  amount_due: 0,
  amount_to_collect: 0,
  paid_at: at("02-10T09:00:00"),
  ...UPDATED,
  deleted: false,
  tax: 0,
  sub_total: 10000,
  first_invoice: true,
  has_advance_charges: false,
  term_finalized: true,
  is_gifted: false,
  generated_at: at("01-31T09:00:00"),
  round_off_amount: 0,
  line_items: [],
  linked_payments: [],
  applied_credits: [],
  adjustment_credit_notes: [],
  issued_credit_notes: [],
  linked_orders: [],
  dunning_attempts: [],
  billing_address: {
    object: "billing_address",
    first_name: "Richard",
    last_name: "Fox",
    company: "Harbour Tea Ltd",
    line1: "1 Quay",
    city: "Bristol",
    country: "GB",
    validation_status: "not_validated"
  },
  ...more
})

const transaction = (more: object) => ({
  object: "transaction",
  id: "txn_1",
  customer_id: "cbdemo_richard",
  gateway_account_id: "gw_1",
  payment_source_id: "pm_1",
  payment_method: "direct_debit",
  gateway: "gocardless",
  type: "payment",
  date: at("02-10T09:00:00"),
  exchange_rate: 1,
  amount: 10000,
  id_at_gateway: "PM000AKWNP3RZC",
  status: "success",
  ...UPDATED,
  deleted: false,
  currency_code: "USD",
  base_currency_code: "USD",
  amount_unused: 0,
  linked_invoices: [
    {
      invoice_id: "INV-1",
      applied_amount: 10000,
      applied_at: at("02-10T09:00:00"),
      invoice_date: at("01-31T09:00:00"),
      invoice_total: 10000,
      invoice_status: "paid"
    }
  ],
  linked_refunds: [],
  ...more
})

const refund = (more: object) => {
  const { linked_invoices: _, ...rest } = transaction({ id: "txn_2", type: "refund", date: at("02-20T09:00:00") })
  return {
    ...rest,
    refunded_txn_id: "txn_1",
    linked_credit_notes: [
      {
        cn_id: "CN-1",
        applied_amount: 10000,
        applied_at: at("02-20T09:00:00"),
        cn_reason_code: "product_unsatisfactory",
        cn_create_reason_code: "Product Unsatisfactory",
        cn_date: at("02-20T09:00:00"),
        cn_total: 10000,
        cn_status: "refunded",
        cn_reference_invoice_id: "INV-1"
      }
    ],
    ...more
  }
}

const note = (more: object) => ({
  object: "credit_note",
  id: "CN-1",
  customer_id: "cbdemo_richard",
  reference_invoice_id: "INV-1",
  type: "refundable",
  reason_code: "product_unsatisfactory",
  create_reason_code: "Product Unsatisfactory",
  status: "refunded",
  date: at("02-20T09:00:00"),
  price_type: "tax_exclusive",
  currency_code: "USD",
  total: 10000,
  amount_allocated: 0,
  amount_refunded: 10000,
  amount_available: 0,
  ...UPDATED,
  deleted: false,
  linked_refunds: [],
  allocations: [],
  ...more
})

const allocation = (invoice_id: string, allocated_amount: number, day: string) => ({
  invoice_id,
  allocated_amount,
  allocated_at: at(`${day}T09:00:00`),
  invoice_date: at("01-31T09:00:00"),
  invoice_status: "paid"
})

const PARTY = `"party":{"id":"cbdemo_richard","name":"Harbour Tea Ltd","country":"GB"}`
const head = (status: string, currency = "USD", gross = "10000000000n") =>
  `{"kind":"invoice","id":"INV-1","number":"INV-1","status":"${status}",${PARTY},"currency":"${currency}","issued":"2026-01-31","due":"2026-03-02","gross":"${gross}"`
const open = (amount: string) => `,"stated":{"open":"${amount}","beforeReversals":true}}`
const share = (amount = "10000000000n", invoice = "INV-1") => `{"invoice":"${invoice}","amount":"${amount}"}`
const paid = (shares = share()) =>
  `{"kind":"payment","id":"txn_1","date":"2026-02-10","currency":"USD","shares":[${shares}],"reference":"PM000AKWNP3RZC","method":"bank"}`
const back = (type: string, details: string, amount?: string) =>
  `{"kind":"reversal","id":"txn_2","payment":"txn_1","date":"2026-02-20","currency":"USD","shares":[${share(amount)}],"type":"${type}","details":"${details}"}`
const credit = (date: string, ...shares: ReadonlyArray<string>) =>
  `{"kind":"credit_note","id":"CN-1","date":"2026-${date}","currency":"USD","shares":[${shares.join(",")}]}`

const CHARGED = { payment_method: "chargeback", reference_number: "dp_1" }

export const records: Readonly<Record<string, { readonly facts: Facts; readonly golden: ReadonlyArray<string> }>> = {
  "reads a paid invoice, its payment and its refund by a credit note as three facts": {
    facts: { invoices: [invoice({})], transactions: [transaction({}), refund({})], credit_notes: [note({})] },
    golden: [head("paid") + open("0n"), paid(), back("refund", "Product Unsatisfactory")]
  },
  "reads a chargeback as such, and a refund that is not made yet or failed not at all": {
    facts: {
      transactions: [
        refund(CHARGED),
        ...["in_progress", "failure", "voided", "timeout", "needs_attention"].map((status) =>
          refund({ id: `txn_${status}`, status })
        )
      ]
    },
    golden: [back("chargeback", "Product Unsatisfactory")]
  },
  "reads a payment for two invoices and in part for none, and one twice for the same invoice as one share": {
    facts: {
      transactions: [
        transaction({
          amount: 20000,
          amount_unused: 5000,
          linked_invoices: [
            { invoice_id: "INV-1", applied_amount: 4000, applied_at: at("02-10T09:00:00"), invoice_status: "paid" },
            { invoice_id: "INV-2", applied_amount: 5000, applied_at: at("02-10T09:00:00"), invoice_status: "paid" },
            { invoice_id: "INV-1", applied_amount: 6000, applied_at: at("02-12T09:00:00"), invoice_status: "paid" }
          ]
        })
      ]
    },
    golden: [paid(`${share()},${share("5000000000n", "INV-2")}`)]
  },
  "reads a direct debit that failed late as a payment and its reversal, and the invoice's figure before that": {
    facts: {
      invoices: [
        invoice({
          status: "not_paid",
          amount_paid: 0,
          amount_due: 10000,
          linked_payments: [
            {
              txn_id: "txn_1",
              applied_amount: 10000,
              applied_at: at("02-10T09:00:00"),
              txn_status: "late_failure",
              txn_date: at("02-10T09:00:00"),
              txn_amount: 10000
            }
          ]
        })
      ],
      transactions: [
        transaction({ status: "late_failure", settled_at: at("02-13T09:00:00"), error_text: "Insufficient funds" })
      ]
    },
    golden: [
      head("open") + open("0n"),
      paid(),
      `{"kind":"reversal","id":"txn_1","date":"2026-02-13","currency":"USD","shares":[${share()}],"payment":"txn_1","type":"error","details":"Insufficient funds"}`
    ]
  },
  "reads the reversal that a payment names, and does not read the reversal's own transaction as another": {
    facts: {
      transactions: [
        transaction({ settled_at: at("02-11T09:00:00"), reversal_transaction_id: "txn_3" }),
        transaction({ id: "txn_3", type: "payment_reversal", reference_transaction_id: "txn_1", linked_invoices: [] })
      ]
    },
    golden: [
      paid(),
      `{"kind":"reversal","id":"txn_1","date":"2026-02-11","currency":"USD","shares":[${share()}],"payment":"txn_1","type":"error"}`
    ]
  },
  "reads no payment of what was taken for no invoice, failed, or was only authorised, and no refund of it": {
    facts: {
      transactions: [
        transaction({ linked_invoices: [], amount_unused: 10000 }),
        transaction({ id: "txn_4", status: "failure", error_code: "3001" }),
        transaction({ id: "txn_5", type: "authorization", linked_payments: [] }),
        refund({ linked_credit_notes: [] })
      ]
    },
    golden: []
  },
  "keeps a void invoice void, and one that was written off open, whatever Chargebee calls it": {
    facts: {
      invoices: [
        invoice({ status: "voided", voided_at: at("02-20T09:00:00"), amount_paid: 0, amount_due: 10000 }),
        invoice({ id: "INV-2", amount_paid: 0, amount_adjusted: 10000, write_off_amount: 10000, due_date: null })
      ],
      credit_notes: [
        note({ type: "adjustment", status: "adjusted", reason_code: "write_off", reference_invoice_id: "INV-2" }),
        note({ id: "CN-2", type: "adjustment", status: "adjusted", reason_code: null, create_reason_code: "Write Off" })
      ]
    },
    golden: [`${head("void")}}`, `${head("open").replaceAll("INV-1", "INV-2").replace("2026-03-02", "2026-01-31")}}`]
  },
  "reads a credit note for what was not paid, and one that was allocated to other invoices, from its first allocation":
    {
      facts: {
        credit_notes: [
          note({ type: "adjustment", status: "adjusted", total: 2500, amount_refunded: 0 }),
          note({
            id: "CN-2",
            status: "refund_due",
            amount_refunded: 0,
            amount_allocated: 3000,
            allocations: [allocation("INV-7", 1000, "02-25"), allocation("INV-8", 2000, "02-22")]
          }),
          note({ id: "CN-3", type: "adjustment", status: "voided" })
        ]
      },
      golden: [
        credit("02-20", share("2500000000n")),
        credit("02-22", share("1000000000n", "INV-7"), share("2000000000n", "INV-8")).replace("CN-1", "CN-2")
      ]
    },
  "reads amounts without decimals as they are, and those of three decimals with two": {
    facts: {
      invoices: [
        invoice({ currency_code: "JPY", amount_paid: 0, status: "posted", amount_due: 10000 }),
        invoice({ id: "INV-2", currency_code: "KWD", status: "pending" })
      ]
    },
    golden: [
      head("open", "JPY", "1000000000000n") + open("1000000000000n"),
      `${head("draft", "KWD").replaceAll("INV-1", "INV-2")}}`
    ]
  },
  "reads days in the site's time zone where the record states it, and the name of a person": {
    facts: {
      invoices: [
        invoice({
          date: at("01-30T20:00:00"),
          due_date: at("03-01T18:30:00"),
          site_details_at_creation: { timezone: "Asia/Kolkata" },
          linked_taxes_withheld: [{ id: "tax_wh_1", amount: 1000, date: at("02-11T09:00:00") }],
          vat_number: "123456789",
          billing_address: { first_name: "Ann", last_name: "Lee", country: "XI" }
        })
      ]
    },
    golden: [
      `${head("paid").replace(PARTY, `"party":{"id":"cbdemo_richard","name":"Ann Lee","country":"GB","vat":"123456789"}`)}}`
    ]
  },
  "leaves out what is deleted": {
    facts: {
      invoices: [invoice({ deleted: true })],
      transactions: [transaction({ deleted: true }), refund({ deleted: true })],
      credit_notes: [note({ type: "adjustment", status: "adjusted", deleted: true })]
    },
    golden: []
  }
}
