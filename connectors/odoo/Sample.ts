/** Provides fixtures for the Odoo connector, and a simulated JSON-2 API that serves them, for the conformance kit. */
import { isChanged, odooServer } from "../testing/OdooServer.ts"
import { type Record, textOf } from "../testing/Simulator.ts"
import { type Add, amountOf, type Lists, setting, spaced, staged, stamping } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { odoo } from "./Odoo.ts"

const GBP = { id: 147, name: "GBP" }
const EUR = { id: 125, name: "EUR" }

const move = (id: number, state: string, payment_state: string, amount_total: number, more: object = {}) => ({
  id,
  name: `INV/2026/${id}`,
  state,
  payment_state,
  commercial_partner_id: 11,
  invoice_date: "2026-01-31",
  invoice_date_due: "2026-03-02",
  date: "2026-01-31",
  currency_id: GBP,
  amount_untaxed: amount_total,
  amount_tax: 0,
  amount_total,
  amount_residual: payment_state === "paid" ? 0 : amount_total,
  ref: false,
  payment_reference: false,
  write_date: "2026-02-01 09:00:00",
  ...more
})

const MOVES = [
  move(101, "posted", "partial", 120, {
    amount_untaxed: 100,
    amount_tax: 20,
    amount_residual: 50.5,
    payment_reference: "+++090/9337/55493+++"
  }),
  move(102, "posted", "paid", 75.5, { currency_id: EUR, commercial_partner_id: 12 }),
  move(103, "draft", "not_paid", 10, { name: false, invoice_date: false, invoice_date_due: false }),
  move(104, "cancel", "not_paid", 40),
  move(105, "posted", "reversed", 60, { amount_residual: 0 }),
  ...[106, 107, 108].map((id) => move(id, "posted", "not_paid", 15)),
  move(109, "posted", "paid", 60),
  move(110, "posted", "paid", 40),
  // A payment is registered, of which there is no entry.
  move(111, "posted", "in_payment", 20),
  move(112, "posted", "paid", 30)
]

const PARTNERS = [
  { id: 11, name: "Harbour Tea Ltd", country_code: "GB", vat: "GB123456782" },
  { id: 12, name: "Peel Street Cafe", country_code: false, vat: false }
]

const line = (id: number, move_id: unknown, more: object = {}) => ({
  id,
  move_id,
  move_type: "entry",
  journal_id: { id: 1, type: "general" },
  currency_id: GBP,
  payment_id: false,
  statement_line_id: false,
  ref: false,
  date: "2026-02-10",
  ...more
})

/** The entry of money: the receivable, and what it was reconciled with. */
const entry = (id: number, amount: number, matched: Readonly<{ [partial: string]: number }>) => ({
  id,
  line_ids: [
    { id: id * 10, account_type: "asset_current", amount_currency: amount, matched_debit_ids: [] },
    {
      id: id * 10 + 1,
      account_type: "asset_receivable",
      amount_currency: -amount,
      matched_debit_ids: Object.entries(matched).map(([id, amount]) => ({
        id: Number(id),
        credit_amount_currency: amount
      }))
    }
  ]
})
const money = (id: number, amount: number, currency_id: object = GBP) => ({ id, amount, currency_id })
const BANK = { id: 2, type: "bank" }

const LINES = [
  ...[101, 102, 105, 109, 110, 112].map((move) => line(move * 10, move, { date: "2026-01-31" })),
  line(2001, entry(201, 60, { 1: 60 }), { payment_id: money(31, 60), ref: "HARBOUR TEA" }),
  line(2002, entry(202, 75.5, { 3: 75.5 }), { statement_line_id: money(41, 75.5, EUR), currency_id: EUR }),
  line(2003, 203, { move_type: "out_refund" }),
  line(2004, 204),
  // 98.00 came in for 100.00, and the rest was marked as fully paid.
  line(2005, entry(205, 100, { 6: 60, 7: 40 }), { payment_id: money(32, 98) }),
  // Money that was entered by hand.
  line(2006, 206, { journal_id: BANK })
]

const partial = (
  id: number,
  debit_move_id: number,
  credit_move_id: number,
  debit_amount_currency: number,
  debit_currency_id: unknown = GBP
) => ({
  id,
  debit_move_id,
  credit_move_id,
  debit_amount_currency,
  debit_currency_id,
  write_date: "2026-02-10 09:00:00"
})

const PARTIALS = [
  partial(1, 1010, 2001, 60),
  partial(2, 1010, 2004, 9.5),
  partial(3, 1020, 2002, 75.5, EUR),
  partial(4, 1050, 2003, 60),
  partial(5, 1020, 2004, 0, EUR),
  partial(6, 1090, 2005, 60),
  partial(7, 1100, 2005, 40),
  partial(8, 1120, 2006, 30)
]

const OPEN = ["not_paid", "partial", "in_payment"]

/** The models of the records that a field names. */
const MODELS = {
  commercial_partner_id: "res.partner",
  debit_move_id: "account.move.line",
  credit_move_id: "account.move.line"
}

/** A record with those that it names; Odoo writes `false` for none. */
const whole =
  (all: Lists) =>
  (record: Record): Record => {
    const fields = Object.entries(MODELS).filter(([field]) => field in record)
    const named = fields.map(([field, model]) => [
      field,
      all[model]!.find(({ id }) => textOf(id) === textOf(record[field])) ?? false
    ])
    return { ...record, ...Object.fromEntries(named) }
  }

const stamp = stamping("write_date", spaced)

/** Every second invoice is paid. */
const grow = (add: Add, n: number): void => {
  const id = 10_000 + n
  add("account.move", move(id, "posted", n % 2 === 0 ? "paid" : "not_paid", 12))
  if (n % 2 !== 0) return
  add("account.move.line", line(id * 10, id))
  add("account.move.line", line(id * 10 + 1, entry(id + 1_000_000, 12, { [id]: 12 }), { payment_id: money(id, 12) }))
  add("account.partial.reconcile", partial(id, id * 10, id * 10 + 1, 12))
}

const PARTY = `"party":{"id":"11","name":"Harbour Tea Ltd","country":"GB","vat":"GB123456782"},"currency":"GBP"`
const head = (id: number, status: string, party = PARTY) =>
  `{"kind":"invoice","id":"${id}","number":"INV/2026/${id}","status":"${status}",${party},"issued":"2026-01-31","due":"2026-03-02"`
const of = (kind: string, id: string, invoice: string, amount: string, currency = "GBP") =>
  `{"kind":"${kind}","id":"${id}","date":"2026-02-10","currency":"${currency}","shares":[{"invoice":"${invoice}","amount":"${amount}"}]`

export const subject: Subject = {
  connector: odoo,
  settings: { url: "https://acme.example", key: { env: "ODOO_KEY" }, database: "acme" },
  environment: { ODOO_KEY: "sample-secret" },
  unread: {
    "account.move.amount_residual": "the status says that it is paid; with a balance, that money is on its way"
  },
  skips: {
    "keeps the minor units of each currency":
      "an amount is matched in the currency of the other side, which the kit does not turn"
  },
  golden: [
    `${head(101, "open")},"net":"10000000000n","gross":"12000000000n","reference":"+++090/9337/55493+++","stated":{"open":"5050000000n"}}`,
    `${head(102, "paid", `"party":{"id":"12","name":"Peel Street Cafe"},"currency":"EUR"`)},"net":"7550000000n","gross":"7550000000n","stated":{"open":"0n"}}`,
    `{"kind":"invoice","id":"103","number":"103","status":"draft",${PARTY},"issued":"2026-01-31","due":"2026-01-31","net":"1000000000n","gross":"1000000000n"}`,
    `${head(104, "void")},"net":"4000000000n","gross":"4000000000n"}`,
    `${head(105, "paid")},"net":"6000000000n","gross":"6000000000n","stated":{"open":"0n"}}`,
    ...[106, 107, 108].map(
      (id) => `${head(id, "open")},"net":"1500000000n","gross":"1500000000n","stated":{"open":"1500000000n"}}`
    ),
    `${head(109, "paid")},"net":"6000000000n","gross":"6000000000n","stated":{"open":"0n"}}`,
    `${head(110, "paid")},"net":"4000000000n","gross":"4000000000n","stated":{"open":"0n"}}`,
    `${head(111, "open")},"net":"2000000000n","gross":"2000000000n","stated":{"open":"2000000000n"}}`,
    `${head(112, "paid")},"net":"3000000000n","gross":"3000000000n","stated":{"open":"0n"}}`,
    `${of("payment", "6", "109", "5880000000n")},"method":"unknown"}`,
    `${of("credit_note", "6", "109", "120000000n")}}`,
    `${of("payment", "7", "110", "3920000000n")},"method":"unknown"}`,
    `${of("credit_note", "7", "110", "80000000n")}}`,
    `${of("payment", "8", "112", "3000000000n")},"method":"unknown"}`,
    `${of("payment", "1", "101", "6000000000n")},"reference":"HARBOUR TEA","method":"unknown"}`,
    `${of("credit_note", "2", "101", "950000000n")}}`,
    `${of("payment", "3", "102", "7550000000n", "EUR")},"method":"unknown"}`,
    `${of("credit_note", "4", "105", "6000000000n")}}`
  ],
  open: staged(
    {
      "account.move": MOVES,
      "account.partial.reconcile": PARTIALS,
      "account.move.line": LINES,
      "res.partner": PARTNERS
    },
    {
      lists: { "account.move": { stamp }, "account.partial.reconcile": { stamp } },
      answer: (all) =>
        odooServer(all, (one, term) => isChanged(one, term) || OPEN.includes(one.payment_state), whole(all)),
      grow,
      changes: ({ "account.move": moves, "account.partial.reconcile": partials }) => ({
        remove: () => {
          partials.splice(0, 1)
          return "payment/1"
        },
        edit: setting(moves[0], { name: "INV/2026/101b" }, "101"),
        ...amountOf("invoice/101", (value) => void Object.assign(moves[0], { amount_total: value, amount_tax: false }))
      })
    }
  )
}
