/** What every mapping of a shop relies on: amounts, quantities, times, addresses, and whether everything was packed. */
import { assert, describe, it } from "@effect/vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import { Json, Shop } from "../../../connectors/index.ts"

const fields = (record: Json.Members) => new Json.Fields(record)
const of = Decimal.of

describe("what shops have in common", () => {
  it("rounds an amount that is finer than its currency, and refuses what is none", () => {
    const read = (amount: string, currency = "EUR") => Shop.money(fields({ amount }), "amount", currency)
    assert.strictEqual(read("10.126"), of("10.13"))
    assert.strictEqual(read("-10.126"), of("-10.13"))
    assert.strictEqual(read("9.99999999999"), of("10"))
    assert.strictEqual(read("12.6", "JPY"), of("13"))
    assert.strictEqual(Shop.money(fields({}), "amount", "EUR"), 0n)
    for (const odd of ["1e3", "1.2.3", "a lot", "1.00x"]) assert.throws(() => read(odd), /is not a decimal number/)
  })

  it("refuses a quantity below zero, and none where there must be some", () => {
    const read = (quantity: string, least?: bigint) => Shop.quantity(fields({ quantity }), "quantity", least)
    assert.strictEqual(read("0"), 0n)
    assert.strictEqual(read("1.5"), of("1.5"))
    assert.throws(() => read("-1"), /is not a quantity/)
    assert.throws(() => read("0", 1n), /is not a quantity/)
  })

  it("takes a time without a zone as UTC, and keeps the instant of one that has a zone", () => {
    const read = (at: string) => Shop.when(fields({ at }), "at")
    assert.deepStrictEqual({ ...read("2026-01-29 23:40:11") }, { ...read("2026-01-29T23:40:11Z") })
    assert.strictEqual(read("2026-01-30T00:40:11+02:00").date, "2026-01-29")
    assert.throws(() => read("2026-02-30 10:00:00"), /is not a time/)
  })

  it("gives no address of which nothing is known, and countries in capital letters", () => {
    const members = { line1: "street", line2: "more", city: "city", postcode: "zip", country: "country" }
    const read = (to: object | null) => Shop.address(fields({ to }), "to", undefined, members)
    assert.isUndefined(read(null))
    assert.isUndefined(read({ street: "", city: null }))
    assert.deepStrictEqual(read({ city: "Wien", country: "at" }), { city: "Wien", country: "AT" })
  })
})
