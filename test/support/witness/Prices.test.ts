/** How the witness prices the facts of an order: in fractions of a minor unit, of which nothing is dropped. */
import { assert, it } from "@effect/vitest"
import { FINE, priced } from "../../../sync/witness/Orders.ts"
import { type PlainDocument, units } from "../../../sync/witness/Plain.ts"

const E8 = 100_000_000n
const order: PlainDocument = {
  kind: "order",
  id: "O1",
  status: "open",
  currency: "GBP",
  lines: [{ id: "chairs", type: "product", quantity: 4n * E8, gross: units("60") }]
}
const about = { order: "O1", date: "2026-03-02" }
const parcel: PlainDocument = { ...about, kind: "fulfilment", id: "P1", lines: [{ line: "chairs", quantity: 4n * E8 }] }

it("an amount that is finer than its currency counts as what it is", () => {
  const refund: PlainDocument = { ...about, kind: "return", id: "R1", lines: [], amount: units("0.005") }
  const { captured, refunded } = priced(order, [parcel, refund], {})
  assert.deepStrictEqual([captured, refunded], [6000n * FINE, FINE / 2n])
})
