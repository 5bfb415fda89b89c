/** An order that was paid with several deferred payments: which of them each amount is taken from. */
import { assert, it } from "@effect/vitest"
import type { Document } from "../../../connectors/Document.ts"
import { advanceOrder, type RemoteOrder, together } from "../../../sync/model/RemoteOrder.ts"
import { reconcileOrder } from "../../../sync/rules/Orders.ts"
import { planning } from "../../support/Documents.ts"
import { aboutOrder, cancellation, order, parcel, returned } from "../../support/Orders.ts"

const plan = (documents: ReadonlyArray<Document>, remote?: RemoteOrder) =>
  reconcileOrder(aboutOrder(documents), remote, { ...planning, orders: {} })

const carryOut = (remote: RemoteOrder | undefined, { calls }: ReturnType<typeof plan>) =>
  calls.reduce<RemoteOrder | undefined>((now, call) => advanceOrder(now, call), remote)

it("O1: of several payments, the first that was authorised is captured first, and the last refunded and voided first", () => {
  const found = carryOut(undefined, plan([order()]))
  assert.isDefined(found)
  if (found === undefined) return
  const paid = (id: string, open: string) => {
    const { created: _, kind: __, number: ___, postings: ____, stale: _____, ...seen } = found
    return { ...seen, id, status: "accepted", open, captured: "0", refunded: "0", voided: "0", expired: "0" }
  }
  const facts = [
    parcel("1", { chairs: "4" }),
    parcel("2", { lamps: "1" }),
    returned("3", { chairs: "4" }, "2026-03-04"),
    cancellation("4", { lamps: "2", rug: "1" })
  ]
  let remote: RemoteOrder = { ...found, ...together([paid("defpay-1", "4000"), paid("defpay-2", "6000")]) }
  const shown = facts.map((_, n) => {
    const decision = plan([order(), ...facts.slice(0, n + 1)], remote)
    remote = carryOut(remote, decision) ?? remote
    return decision.calls.flatMap((call) =>
      "orderPosting" in call
        ? [`${call.orderPosting.taking} ${call.orderPosting.amount} ${call.params.deferred_payment_id}`]
        : []
    )
  })
  assert.deepStrictEqual(shown, [
    ["capture 4000 defpay-1", "capture 2667 defpay-2"],
    ["capture 740 defpay-2"],
    ["refund 3407 defpay-2", "refund 3259 defpay-1", "void 1 defpay-2"],
    ["void 2592 defpay-2"]
  ])
})
