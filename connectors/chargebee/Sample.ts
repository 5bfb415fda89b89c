/** Provides fixtures for the Chargebee connector, and a simulated API that serves them, for the conformance kit. */
import { digits, type Source } from "../testing/Simulator.ts"
import { type Add, amountOf, type Lists, staged, stamping } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { chargebee } from "./Chargebee.ts"

const at = (day: string) => Date.parse(`2026-${day}T09:00:00Z`) / 1000
const ITS = { customer_id: "c1", currency_code: "GBP", updated_at: at("02-14"), deleted: false }
const EUR = { currency_code: "EUR" }

const invoice = (id: string, status: string, total: number, amount_due: number, more: object = {}) => ({
  ...{ ...ITS, id, status, total, amount_due, date: at("01-31"), due_date: at("03-02") },
  ...{ billing_address: { company: "Harbour Tea Ltd", city: "Bristol", country: "GB" }, ...more }
})
const INVOICES = [
  invoice("i1", "not_paid", 12000, 4800, {
    price_type: "tax_exclusive",
    sub_total: 10000,
    tax: 2000,
    round_off_amount: 0
  }),
  invoice("i2", "paid", 7550, 0, { ...EUR, billing_address: { first_name: "Ann", last_name: "Lee" } }),
  invoice("i3", "pending", 1000, 1000, { due_date: null, billing_address: null })
]

const transaction = (id: string, type: string, status: string, amount: number, more: object = {}) => ({
  ...{ ...ITS, id, type, status, amount, payment_method: "bank_transfer", date: at("02-10"), ...more }
})
const paying = (invoice_id: string, applied_amount: number) => ({
  linked_invoices: [{ invoice_id, applied_amount, applied_at: at("02-10") }]
})
const REFUNDED = [{ cn_id: "c3", applied_amount: 1200, applied_at: at("02-10"), cn_reference_invoice_id: "i2" }]
const TRANSACTIONS = [
  transaction("p1", "payment", "success", 8000, { reference_number: "REF 1", ...paying("i1", 5000) }),
  transaction("p2", "payment", "success", 7550, { ...EUR, payment_method: "card", ...paying("i2", 7550) }),
  transaction("p3", "payment", "failure", 4800, paying("i1", 4800)),
  transaction("r1", "refund", "success", 1200, { ...EUR, refunded_txn_id: "p2", linked_credit_notes: REFUNDED })
]

const note = (id: string, type: string, status: string, total: number, more: object) => ({
  ...{ ...ITS, id, type, status, total, date: at("02-12"), allocations: [], ...more }
})
const PAID_BACK = [{ txn_id: "r1", applied_amount: 1200, txn_status: "success", txn_date: at("02-10") }]
const TAKEN = [{ invoice_id: "i1", allocated_amount: 1200, allocated_at: at("02-13") }]
const NOTES = [
  note("n1", "adjustment", "adjusted", 1000, { reference_invoice_id: "i1" }),
  note("n3", "refundable", "refunded", 1200, { ...EUR, reference_invoice_id: "i2", linked_refunds: PAID_BACK }),
  note("n2", "store", "refund_due", 1500, { allocations: TAKEN })
]

const answerOf =
  (all: Lists): Source["answer"] =>
  ({ headers, path, query }, paging) => {
    if (headers["authorization"] !== `Basic ${btoa("live_sample:")}`)
      return { status: 401, body: { message: "No access" } }
    const [, , , list = "", id] = path.split("/")
    const [records, one] = [all[list], list.slice(0, -1)]
    const found = records?.find((its) => its.id === id && !its.deleted)
    if (records === undefined || id !== undefined) return found === undefined ? undefined : { body: { [one]: found } }
    const [after, ids] = [query.get("updated_at[after]"), query.get("id[in]")]
    const isWanted = ({ deleted, id, updated_at }: (typeof records)[number]) =>
      (after === null || updated_at > Number(after)) &&
      (ids === null || JSON.parse(ids).includes(id)) &&
      (!deleted || query.get("include_deleted") === "true")
    const its = records.filter(isWanted)
    if (query.get("sort_by[asc]") === "updated_at") its.sort((a, b) => a.updated_at - b.updated_at)
    const cut = paging.after(its, query.get("offset"), "id", query.get("limit"))
    const next = cut.more ? { next_offset: cut.records.at(-1)?.id } : {}
    return { body: { list: cut.records.map((record) => ({ [one]: record })), ...next } }
  }

const stamp = stamping("updated_at", (millis) => Math.floor(millis / 1000))

/** Every second invoice is paid, every twentieth credited. */
const grow = (add: Add, n: number): void => {
  const id = `in${n}`
  add("invoices", invoice(id, "posted", 1200, 1200))
  if (n % 2 === 0) add("transactions", transaction(`pn${n}`, "payment", "success", 1200, paying(id, 1200)))
  if (n % 20 === 3) add("credit_notes", note(`nn${n}`, "adjustment", "adjusted", 100, { reference_invoice_id: id }))
}

const HARBOUR = `"party":{"id":"c1","name":"Harbour Tea Ltd","country":"GB"},"currency":"GBP"`
const DAYS = `"issued":"2026-01-31","due":"2026-03-02"`
const SENT = `"date":"2026-02-10","currency"`

export const subject: Subject = {
  connector: chargebee,
  settings: { site: "acme", key: { env: "CHARGEBEE_KEY" } },
  environment: { CHARGEBEE_KEY: "live_sample" },
  nothing: ["p3"],
  unread: {
    "transactions.amount": "what was applied to each invoice is the payment",
    "transactions.linked_invoices.*.invoice_id": "money that is for no invoice changes none",
    "transactions.linked_credit_notes.*.cn_reference_invoice_id": "money that is for no invoice changes none"
  },
  golden: [
    `{"kind":"invoice","id":"i1","number":"i1","status":"open",${HARBOUR},${DAYS},"gross":"12000000000n","stated":{"open":"4800000000n","beforeReversals":true}}`,
    `{"kind":"invoice","id":"i2","number":"i2","status":"paid","party":{"id":"c1","name":"Ann Lee"},"currency":"EUR",${DAYS},"gross":"7550000000n","stated":{"open":"0n","beforeReversals":true}}`,
    `{"kind":"invoice","id":"i3","number":"i3","status":"draft","party":{"id":"c1","name":"c1"},"currency":"GBP","issued":"2026-01-31","due":"2026-01-31","gross":"1000000000n"}`,
    `{"kind":"payment","id":"p1",${SENT}:"GBP","shares":[{"invoice":"i1","amount":"5000000000n"}],"reference":"REF 1","method":"bank"}`,
    `{"kind":"payment","id":"p2",${SENT}:"EUR","shares":[{"invoice":"i2","amount":"7550000000n"}],"method":"card"}`,
    `{"kind":"reversal","id":"r1","payment":"p2",${SENT}:"EUR","shares":[{"invoice":"i2","amount":"1200000000n"}],"type":"refund"}`,
    `{"kind":"credit_note","id":"n1","date":"2026-02-12","currency":"GBP","shares":[{"invoice":"i1","amount":"1000000000n"}]}`,
    `{"kind":"credit_note","id":"n3/refunded","date":"2026-02-10","currency":"EUR","shares":[{"invoice":"i2","amount":"1200000000n"}],"refunded":true}`,
    `{"kind":"credit_note","id":"n2","date":"2026-02-13","currency":"GBP","shares":[{"invoice":"i1","amount":"1200000000n"}]}`
  ],
  open: staged(
    { invoices: INVOICES, transactions: TRANSACTIONS, credit_notes: NOTES },
    {
      lists: { invoices: { stamp }, transactions: { stamp }, credit_notes: { stamp } },
      ...{ answer: answerOf, grow },
      changes: ({ invoices, transactions }) => ({
        remove: () => {
          Object.assign(transactions[0], { deleted: true, updated_at: at("03-02") })
          return "payment/p1"
        },
        edit: () => {
          invoices[0].billing_address.company = "Harbour Tea"
          return "i1"
        },
        ...amountOf(
          "invoice/i1",
          (value) => void Object.assign(invoices[0], { total: value, sub_total: null }),
          digits("9007199254740993")
        )
      })
    }
  )
}
