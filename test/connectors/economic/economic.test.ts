/** e-conomic: how much of an entry is for which other, and what a match by hand changes. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/economic/Sample.ts"
import * as Mapping from "../../../connectors/economic/Mapping.ts"
import * as Json from "../../../connectors/Json.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

const payment = {
  ...{ entryNumber: "9", type: "2", amount: "-130", remainder: "0", currencyCode: "EUR", customerNumber: "1" },
  ...{ date: "2026-02-03T00:00:00Z", customer: [{ name: "A" }] }
}
const pair = (other: string, amount: string) => ({
  fromEntry: "9",
  fromEntryAmount: "-130",
  toEntry: other,
  toEntryAmount: amount
})
const mapped = (more: object) => Mapping.entry("DKK")(new Json.Fields({ ...payment, ...more })).documents[0]!
const said = (more: object) => {
  const one = mapped(more)
  assert(one.kind === "payment")
  return [one.shares.map(({ amount, invoice }) => `${invoice}: ${amount / 100_000_000n}`).join(), one.unallocated ?? 0n]
}

describe("economic", () => {
  it("allocates what must be so, and nothing that may be otherwise", () => {
    assert.deepStrictEqual(said({ from: [pair("1", "500")] }), ["1: 130", 0n])
    assert.deepStrictEqual(said({ from: [pair("1", "100"), pair("2", "30")] }), ["1: 100,2: 30", 0n])
    assert.deepStrictEqual(said({ from: [pair("1", "100"), pair("2", "100")] }), ["", 13_000_000_000n])
    assert.deepStrictEqual(said({}), ["", 13_000_000_000n])
    // The same pair, named from both sides, and money that is left over.
    const back = { fromEntry: "1", fromEntryAmount: "500", toEntry: "9", toEntryAmount: "-130" }
    assert.deepStrictEqual(said({ from: [pair("1", "500")], to: [back] }), ["1: 130", 0n])
    assert.deepStrictEqual(said({ from: [pair("1", "100")], remainder: "-30" }), ["1: 100", 3_000_000_000n])
  })

  it("quarantines journal entries of customers, and a remainder that no entry can have", () => {
    for (const type of ["0", "3", "4", "5", "9", "11"])
      assert.throws(() => mapped({ type }), /not a known type of an entry/)
    assert.throws(() => mapped({ remainder: "-131" }), /is -131, of an entry of -130/)
    assert.throws(() => mapped({ remainder: "1" }), /is 1, of an entry of -130/)
    assert.throws(() => mapped({ remainder: undefined }), /is missing/)
  })

  it("reads the payment with an invoice that was matched by hand, and the invoice with a new payment", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    const before = fold(first.pages)
    assert.include(before.get("payment/70014"), `"shares":[]`)
    const late = await run(subject, stage, { reread: [stage.edit!()] })
    assert.include(
      fold(late.pages, before).get("payment/70014"),
      `"shares":[{"invoice":"70015","amount":"1000000000n"}]`
    )

    const { entries, pairs } = stage.source!.lists
    entries!.records[0].remainder = 0
    entries!.records.push({ ...entries!.records[1], entryNumber: 80_000, amount: -750, text: null })
    pairs!.records.push({ ...pairs!.records[0], id: "new", fromEntry: 80_000, fromEntryAmount: -750 })
    const next = await run(subject, stage, { after: bookmark(subject.connector, first.pages.at(-1)!) })
    const after = fold(next.pages, before)
    assert.include(after.get("payment/80000"), `"shares":[{"invoice":"70001","amount":"75000000000n"}]`)
    assert.include(after.get("invoice/70001"), `"stated":{"open":"0n"}`)
  })
})
