/** An order that became dearer, and for which the buyer took a second payment. */
import { assert, it } from "@effect/vitest"
import type { RemoteOrder } from "../../../sync/model/RemoteOrder.ts"
import { advanceOrder } from "../../../sync/model/RemoteOrder.ts"
import { reconcileOrder } from "../../../sync/rules/Orders.ts"
import { planning } from "../../support/Documents.ts"
import { aboutOrder, order, parcel } from "../../support/Orders.ts"

it("what a second payment authorises of an order that became dearer is no question", () => {
  const first = reconcileOrder(aboutOrder([order()]), undefined, planning)
  const known = first.calls.reduce<RemoteOrder | undefined>((now, call) => advanceOrder(now, call), undefined)
  const { began: _, ...remote } = known!
  const one = { ...remote, order: undefined, expired: "0" }
  const each = [
    { ...one, open: "6000" },
    { ...one, id: "defpay-2", open: "4000" }
  ]
  const facts = aboutOrder([order({ status: "closed" }), parcel("1", { chairs: "2" })])
  const { attention, calls } = reconcileOrder(
    facts,
    { ...remote, began: "6000", each } as unknown as RemoteOrder,
    planning
  )
  assert.deepStrictEqual(attention, [])
  assert.deepStrictEqual(
    calls.flatMap((call) => ("orderPosting" in call ? [[call.rule, call.orderPosting.amount]] : [])),
    [
      ["O1", "3333"],
      ["O2", "4000"],
      ["O2", "2667"]
    ]
  )
})
