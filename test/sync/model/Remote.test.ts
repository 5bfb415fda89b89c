/** What the ledger holds of an invoice is stored shorter than it is, and read as it was. */
import { assert, describe, it } from "@effect/vitest"
import * as Day from "../../../core/wire/Day.ts"
import { decodeRemote, encodeRemote } from "../../../sync/model/Remote.ts"
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

const held = (fields: Fields): RemoteInvoice => {
  const date = Day.of("2026-01-03")
  const posting = {
    key: "bank/payment/1",
    fact: "bank/payment/1",
    undo: false,
    date,
    amount: 12_050_000_000n,
    id: "pay-1"
  }
  const back = { ...posting, key: "bank/payment/1#2", undo: true, amount: -12_050_000_000n, id: "pay-2" }
  return {
    kind: "invoice",
    id: "trns-1",
    status: "paid",
    insured: false,
    fields,
    postings: [posting, back, { ...posting, key: "bank/payment/1#3" }],
    others: [{ id: "pay-3", date: null, amount: "1" }],
    paidDate: date,
    stated: { due_date: "2026-02-02" }
  }
}

describe("what the ledger holds of an invoice", () => {
  it("is read as it was, in the same order, whatever does not follow from other fields", () => {
    for (const fields of [FIELDS, ...OTHERS]) {
      const read = decodeRemote(encodeRemote(held(fields)))
      assert.deepStrictEqual(read, held(fields))
      assert.strictEqual(JSON.stringify(read.kind === "invoice" ? read.fields : {}), JSON.stringify(fields))
    }
  })

  it("is stored in three fifths of its length", () => {
    const { others: _, stated: __, ...common } = { ...held(FIELDS), postings: held(FIELDS).postings.slice(0, 1) }
    const long = JSON.stringify(common, (_, value: unknown) => (typeof value === "bigint" ? "120.5" : value))
    assert.isBelow(encodeRemote(common).length, long.length * 0.6)
  })
})
