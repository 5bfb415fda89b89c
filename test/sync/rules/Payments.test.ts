/** One example per rule of what is taken back, P2 to P8, as it would be sent. What is received is in `Reconcile.test.ts`. */
import { assert, describe, it } from "@effect/vitest"
import type { Document, ReversalType } from "../../../connectors/Document.ts"
import type { RemoteInvoice } from "../../../sync/model/RemoteInvoice.ts"
import { invoice, payment, reversal } from "../../support/Documents.ts"
import { heldFor, plan, sent } from "../../support/Plans.ts"

const paid = [invoice(), payment("P1", "50.00")]
const reversed = [...paid, reversal("R1", "50.00", "chargeback", { payment: "P1" })]

/** Each posting: its rule, its amount, and its type where money goes back. */
const posted = (documents: ReadonlyArray<Document>, remote: RemoteInvoice | undefined) =>
  sent(plan(documents, remote)).map(([rule, , { amount, type }]) => [rule, amount, type])

describe("what is taken back", () => {
  const kinds: ReadonlyArray<readonly [string, ReversalType]> = [
    ["P2: a debit that failed", "error"],
    ["P3: a chargeback", "chargeback"],
    ["P4: a refund", "refund"]
  ]
  for (const [title, type] of kinds)
    it(`${title} is a negative payment of its type`, () => {
      const documents = [...paid, reversal("R1", "20.00", type, { payment: "P1" })]
      assert.deepStrictEqual(posted(documents, heldFor(paid)), [[title.slice(0, 2), "-20.00", type]])
      assert.deepStrictEqual(posted(documents, heldFor(documents)), [])
    })

  it("P5: a payment that its source deleted is taken back as unknown, and says so", () => {
    const [call] = plan([invoice()], heldFor(paid)).calls
    assert.deepStrictEqual(posted([invoice()], heldFor(paid)), [["P5", "-50.00", "unknown"]])
    assert.match(call?.reason ?? "", /^the payment was deleted in the source or moved to another invoice$/)
  })

  it("P6: a payment whose amount was edited is taken back, and reported again", () => {
    const edited = [invoice(), payment("P1", "40.00")]
    assert.deepStrictEqual(posted(edited, heldFor(paid)), [
      ["P6", "-50.00", "unknown"],
      ["P6", "40.00", undefined]
    ])
  })

  it("P7: a payment that moved to another invoice is taken back here as P5, and reported there as P1", () => {
    const moved = [invoice(), payment("P1", { I2: "50.00" })]
    assert.deepStrictEqual(posted(moved, heldFor(paid)), [["P5", "-50.00", "unknown"]])
    assert.deepStrictEqual(posted(paid, heldFor(moved)), [["P1", "50.00", undefined]])
  })

  it("P8: a chargeback that was won is a payment again", () => {
    assert.deepStrictEqual(posted(paid, heldFor(reversed)), [["P8", "50.00", undefined]])
  })
})
