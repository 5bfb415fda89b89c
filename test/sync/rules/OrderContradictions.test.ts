/**
 * What was sent of an order and then says something else in the source: nothing more of that order is sent.
 */
import { assert, describe, it } from "@effect/vitest"
import { of } from "../../../core/money/Decimal.ts"
import { advanceOrder, type RemoteOrder } from "../../../sync/model/RemoteOrder.ts"
import { reconcileOrder } from "../../../sync/rules/Orders.ts"
import { planning } from "../../support/Documents.ts"
import { aboutOrder, order, parcel } from "../../support/Orders.ts"

describe("a parcel that is edited after its capture", () => {
  // Fails without the currency in `differs` (sync/rules/OrderContradictions.ts), as the simulation's seed 293 does.
  it("into another currency: what follows waits, and there is an attention item", () => {
    const first = parcel("1", { chairs: "1" })
    const { calls } = reconcileOrder(aboutOrder([order(), first]), undefined, planning)
    const remote = calls.reduce<RemoteOrder | undefined>((now, call) => advanceOrder(now, call), undefined)
    const edited = aboutOrder([order(), { ...first, currency: "USD" }, parcel("2", { rug: "1" })])
    const after = reconcileOrder(edited, remote, planning)
    assert.deepStrictEqual(
      after.calls.filter((call) => "orderPosting" in call),
      []
    )
    const whys = after.attention.map(({ why }) => why).join("\n")
    assert.match(whys, /now says something else: it is in USD, and the order in GBP/)
    assert.match(whys, /blocked by another problem on this order/)
  })
})

describe("an order that no JSON number can say exactly", () => {
  it("is not sent, and a person is told", () => {
    const lines = [{ ...order().lines[0]!, gross: of("90071992547409.93") }]
    const decision = reconcileOrder(aboutOrder([order({ lines }), parcel("1")]), undefined, planning)
    assert.deepStrictEqual(
      decision.calls.filter((call) => "orderPosting" in call),
      []
    )
    assert.match(decision.attention[0]!.why, /90,071,992,547,409\.93 GBP, more than can be sent to the service exactly/)
  })
})
