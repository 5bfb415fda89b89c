/** What the ledger holds of an invoice is stored shorter than it is, and read as it was. */
import { assert, describe, it } from "@effect/vitest"
import * as Day from "../../../core/wire/Day.ts"
import { decodeRemote, encodeRemote, saysSame } from "../../../sync/model/Remote.ts"
import type { Fields, RemoteInvoice } from "../../../sync/model/RemoteInvoice.ts"

const FIELDS: Fields = {
  unique_id: "books/invoice/INV-1",
  number: "INV-1",
  debtor_name: "Harbour Bakery",
  currency: "GBP",
  net_amount: "100.00",
  gross_amount: "120.00",
  issue_date: "2026-01-01",
  due_date: "2026-02-01",
  scheduled_payments: [{ date: "2026-02-01", amount: "120.00" }],
  metadata: { connection: "books", source_id: "INV-1" }
}

/** Each says something else than what mostly follows. */
const OTHERS: ReadonlyArray<Fields> = [
  {},
  { ...FIELDS, number: null },
  { ...FIELDS, number: "INV-2" },
  { ...FIELDS, gross_amount: null, scheduled_payments: [{ date: "2026-02-01", amount: "100.00" }] },
  { ...FIELDS, scheduled_payments: [{ date: "2026-02-01", amount: "120.01" }] },
  { ...FIELDS, scheduled_payments: [{ amount: "120.00", date: "2026-02-01" }] },
  { ...FIELDS, scheduled_payments: [] },
  { ...FIELDS, metadata: { source_id: "INV-1", connection: "books" } },
  { ...FIELDS, metadata: { connection: "books", source_id: "INV-1", shop: "1" } },
  { ...FIELDS, unique_id: "books/invoice/a/invoice/b", number: "a", metadata: { connection: "books", source_id: "a" } },
  { number: "undefined", metadata: null, scheduled_payments: null },
  { constructor: "x", pay_method: "bank" }
]

/** Subjects, each with facts that have more or less in common with it. */
const SUBJECTS: ReadonlyArray<readonly [subject: string, ...facts: ReadonlyArray<string>]> = [
  [
    "books/invoice/INV-1",
    ...["bank/payment/1", "books/payment/1", "books/payment/1/INV-1", "books/payment/INV-1", "books/payment//INV-1"],
    ...["books/payment/1/", "books/payment/1/INV-1/", "bookshop/payment/1/INV-1", "books/payment/1/XINV-1"]
  ],
  ["books/invoice/", "books/payment/1", "books/payment/1/"],
  ["books/invoice/a/invoice/b", "books/payment/1/b", "books/payment/1/a/invoice/b"],
  ["books/invoice/a/b", "books/payment/1/a/b", "books/payment/1/b"]
]

const there = (subject: string, remote: RemoteInvoice) =>
  decodeRemote({ subject, remote: remote.id, held: encodeRemote(subject, remote) })

const held = (fields: Fields, fact = "bank/payment/1"): RemoteInvoice => {
  const date = Day.of("2026-01-03")
  const posting = {
    key: fact,
    fact,
    undo: false,
    date,
    amount: 12_050_000_000n,
    id: "pay-1"
  }
  const back = { ...posting, key: `${fact}#2`, undo: true, amount: -12_050_000_000n, id: "pay-2" }
  return {
    kind: "invoice",
    id: "trns-1",
    status: "paid",
    insured: false,
    fields,
    postings: [posting, back, { ...posting, key: `${fact}#3` }],
    others: [{ id: "pay-3", date: null, amount: "1" }],
    paidDate: date,
    stated: { due_date: "2026-02-02" }
  }
}

describe("what the ledger holds of an invoice", () => {
  it("is read as it was, in the same order, whatever does not follow from other fields", () => {
    for (const fields of [FIELDS, ...OTHERS])
      for (const [subject] of SUBJECTS) {
        const read = there(subject, held(fields))
        assert.deepStrictEqual(read, held(fields))
        assert.strictEqual(JSON.stringify(read.kind === "invoice" ? read.fields : {}), JSON.stringify(fields))
      }
  })

  it("has the facts that were reported, whatever their keys have in common with its own", () => {
    for (const [subject, ...facts] of SUBJECTS)
      for (const fact of facts) assert.deepStrictEqual(there(subject, held(FIELDS, fact)), held(FIELDS, fact))
  })

  it("says what is asked, received, paid, insured and its id", () => {
    const plain = { ...held(FIELDS), postings: [] }
    const { paidDate: _, ...unpaid } = plain
    const [posting] = held(FIELDS).postings
    for (const remote of [
      { ...plain, insured: true },
      { ...plain, id: "trns-2" },
      { ...held(FIELDS), paidDate: Day.of("2026-01-04") },
      { ...plain, postings: [{ ...posting!, amount: 12_000_000_000n }] },
      unpaid
    ])
      assert.deepStrictEqual(there("books/invoice/INV-1", remote), remote)
  })

  it("is the same only where everything is, its id as well", () => {
    assert.isTrue(saysSame(held(FIELDS), held({ ...FIELDS })))
    for (const other of [{ ...held(FIELDS), id: "trns-2" }, held({}), { ...held(FIELDS), insured: true }])
      assert.isFalse(saysSame(held(FIELDS), other))
  })

  it("is stored in two fifths of its length", () => {
    const { others: _, stated: __, ...common } = held(FIELDS, "books/payment/1/INV-1")
    const one = { ...common, postings: common.postings.slice(0, 1) }
    const long = JSON.stringify(one, (_, value: unknown) => (typeof value === "bigint" ? "120.5" : value))
    assert.isBelow(encodeRemote("books/invoice/INV-1", one).length, long.length * 0.4)
  })
})
