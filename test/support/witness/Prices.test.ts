/** Tests how the witness prices the facts of an order: in fractions of a minor unit, without rounding. */
import { assert, it } from "@effect/vitest"
import { OrderWitness } from "./Orders.ts"
import { FINE, judgeOrder, priced } from "../../../sync/witness/Orders.ts"
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

it("an amount beyond its goods may lower what comes back without one, by so much at most", () => {
  const back = (id: string, quantity: bigint, amount?: string): PlainDocument => {
    const one: PlainDocument = { ...about, kind: "return", id, lines: [{ line: "chairs", quantity: quantity * E8 }] }
    return amount === undefined ? one : { ...one, amount: units(amount) }
  }
  /** The differences found if the service refunded this much, in pence. */
  const found = (refunded: bigint, ...returns: ReadonlyArray<PlainDocument>) => {
    const payment = { id: "defpay-1", currency: "GBP", open: 0n, captured: 6000n, voided: 0n, refunded }
    return judgeOrder("O1", priced(order, [parcel, ...returns], {}), payment).map(({ source }) => source)
  }
  // A chair is 15.00; 17.00 for the first is a discount of 2.00 on the others.
  const first = back("R1", 1n, "17")
  assert.deepStrictEqual(found(1700n + 3000n, first, back("R2", 2n)), [])
  assert.deepStrictEqual(found(1700n + 2867n, first, back("R2", 2n)), [])
  assert.deepStrictEqual(found(1700n + 2700n, first, back("R2", 2n)), ["13.00 GBP"])
  // If each return states its amount, nothing may be missing.
  assert.deepStrictEqual(found(1600n, first), ["43.00 GBP"])
})

it("a parcel without lines has what the others leave, later ones too", () => {
  const named: PlainDocument = {
    ...parcel,
    id: "P2",
    date: "2026-03-05",
    lines: [{ line: "chairs", quantity: 3n * E8 }]
  }
  assert.strictEqual(priced(order, [{ ...parcel, lines: [] }, named], {}).captured, 6000n * FINE)
})

it("what was captured may be given back where its parcel is stated no more and its goods are cancelled, and no more", () => {
  const chairs = (quantity: bigint) => ({ lines: [{ line: "chairs", quantity: quantity * E8 }] })
  const cancelled: PlainDocument = { ...about, kind: "cancellation", id: "C1", ...chairs(2n) }
  /** What is named if so much was captured and given back, once the parcel of two chairs is this. */
  const found = (refunded: bigint, parcels: ReadonlyArray<PlainDocument>) => {
    const witness = new OrderWitness("books", "value")
    witness.see([order, { ...parcel, ...chairs(2n) }])
    witness.see([order, cancelled, ...parcels])
    const payment = { id: "defpay-1", currency: "GBP", open: 3000n, captured: 3000n, voided: 0n, refunded }
    return witness.always({ payments: new Map([["O1", payment]]) })
  }
  assert.deepStrictEqual(found(3000n, []), [])
  assert.include(found(3005n, []).join(), "3005 is refunded")
  assert.include(found(3000n, [{ ...parcel, ...chairs(2n) }]).join(), "3000 is refunded")
})
