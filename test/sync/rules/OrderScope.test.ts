/** Which orders are sent and created: those of this method, store and channel, and none that carries another's identifier. */
import { assert, describe, it } from "@effect/vitest"
import type { Order } from "../../../connectors/Document.ts"
import type { Planning } from "../../../sync/model/Connection.ts"
import { reconcileOrder } from "../../../sync/rules/Orders.ts"
import { toBeCreated } from "../../../sync/rules/OrderScope.ts"
import { planning } from "../../support/Documents.ts"
import { aboutOrder, order, parcel } from "../../support/Orders.ts"

const plan = (changes: Partial<Order>, orders: Planning["orders"] = {}) =>
  reconcileOrder(aboutOrder([order(changes), parcel("1")]), undefined, { ...planning, orders })

describe("orders that are none of the service's", () => {
  it("are not looked up: one carries another's identifier, and the others go on", () => {
    const { calls, reason, waits } = plan({ deferredPayment: "ch_3PqX" })
    assert.deepStrictEqual([calls, waits], [[], false])
    assert.match(reason!, /it carries "ch_3PqX", which is not an identifier of the service/)
  })

  it("are not waited for when the connection finds orders by their numbers: one is paid by another method", () => {
    const { deferredPayment: _, ...plain } = order()
    const facts = aboutOrder([{ ...plain, methods: ["checkmo"], otherwise: true }, parcel("1")])
    const { calls, reason, waits } = reconcileOrder(facts, undefined, { ...planning, orders: { link: "unique_id" } })
    assert.deepStrictEqual([calls, waits], [[], false])
    assert.match(reason!, /it is paid by checkmo, which is not the deferred payment's method/)
  })

  it("are of another store, channel, method or status than the settings name", () => {
    const only = { stores: ["1"], channels: ["web"], methods: ["pay_later"], statuses: ["processing"] }
    const mine = { store: "1", channel: "web", methods: ["pay_later"], said: "processing" }
    assert.isAbove(plan(mine, { only }).calls.length, 0)
    assert.isAbove(plan({}, { only }).calls.length, 0, "a source that does not say is not left out")
    for (const [other, why] of [
      [{ store: "2" }, /its store 2 is not one of 1/],
      [{ channel: "pos" }, /its channel pos/],
      [{ methods: ["card"] }, /its payment method card/],
      [{ said: "on-hold" }, /its status on-hold/]
    ] as const) {
      const { calls, reason } = plan({ ...mine, ...other }, { only })
      assert.deepStrictEqual(calls, [])
      assert.match(reason!, why)
    }
  })

  it("are not created when they failed or are paid by another method", () => {
    const { deferredPayment: _, ...plain } = order()
    const creating = { ...planning, orders: { create: {} } }
    assert.isTrue(toBeCreated(plain, creating))
    assert.isFalse(toBeCreated({ ...plain, payment: "failed" }, creating))
    assert.isFalse(toBeCreated({ ...plain, methods: ["card"], otherwise: true }, creating))
  })
})
