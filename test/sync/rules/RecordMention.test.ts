/** A record that cannot be read names an invoice, its buyer or its amount in many spellings: none of them is overlooked. */
import { assert, describe, it } from "@effect/vitest"
import { mayMention } from "../../../sync/model/RecordMention.ts"

const INVOICE = { numbers: ["INV-1204", "a7"], buyer: "Harbour Lane Bakery Ltd", open: "1000.00" }

describe("a record that cannot be read", () => {
  it.each([
    "B1,2026-13-45,5.00,for inv-1204",
    "B1,2026-13-45,5.00,for INV 1204 thanks",
    "B1,2026-13-45,5.00,inv1204",
    "B1,2026-13-45,5.00,HARBOUR LANE BAKERY",
    "B1,2026-13-45,5.00,Harbour  Lane\u00a0Bakery Limited",
    "B1,2026-13-45,1000,thanks",
    "B1,2026-13-45,1000.0,thanks",
    'B1,2026-13-45,"1,000.00",thanks',
    "B1;2026-13-45;1.000,00;thanks",
    "B1;2026-13-45;1 000,00;thanks",
    "B1;2026-13-45;-1'000.00;thanks",
    '{"amount":100000,"status":"?"}',
    ""
  ])("may be about the invoice that it names otherwise: %s", (record) => {
    assert.isTrue(mayMention(record, INVOICE))
  })

  it.each([
    "B1,2026-13-45,5.00,for INV-1304",
    "B1,2026-13-45,1000.50,thanks",
    "B1,2026-13-45,11000.00,thanks",
    "B1,2026-13-45,10000.00,thanks",
    "B1,2026-13-45,5.00,INV,1204",
    "B1,2026-13-45,5.00,Quay Lane Bakery Ltd"
  ])("is about another one: %s", (record) => {
    assert.isFalse(mayMention(record, INVOICE))
  })

  it("is known by an amount with decimals", () => {
    const invoice = { ...INVOICE, open: "1234567.50" }
    for (const record of ["x 1.234.567,50", "x 1234567.5", "x 1,234,567.50", '{"cents":123456750}'])
      assert.isTrue(mayMention(record, invoice), record)
    for (const record of ["x 1234567.55", "x 1234567"]) assert.isFalse(mayMention(record, invoice), record)
  })
})
