/** An order that somebody lowers once it was paid: whether the statement finds what was refunded in the shop's own sums. */
import { assert, describe, it } from "@effect/vitest"
import type { Order } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { RemoteOrder } from "../../../sync/model/RemoteOrder.ts"
import { compare } from "../../../sync/rules/OrderComparison.ts"

/** An order of 120.00 that comes to 110.00, all of which left; the shop gave nothing back. */
const order = (received: string): Order => {
  const [line, total] = [{ line: "1", left: Decimal.one, back: 0n, still: 0n }, Decimal.of("110")]
  return {
    ...{
      kind: "order",
      id: "1",
      number: "1",
      status: "closed",
      currency: "EUR",
      placed: "2026-01-01" as Order["placed"]
    },
    lines: [{ id: "1", type: "product", quantity: Decimal.one, gross: total }],
    state: {
      ...{ lines: [line], total, end: "complete" },
      own: { received: Decimal.of(received), given: 0n },
      others: { received: 0n, given: 0n }
    }
  }
}

/** All of it was captured, and 10.00 refunded. */
const remote = {
  ...{
    kind: "order",
    id: "defpay-1",
    order: "order-1",
    number: "1",
    status: "captured",
    currency: "EUR",
    began: "12000"
  },
  ...{ captured: "12000", refunded: "1000", voided: "0", open: "0", expired: "0" },
  postings: [
    { taking: "capture", amount: "12000", key: "1" },
    { taking: "refund", amount: "1000", key: "2" }
  ]
} as unknown as RemoteOrder

const totals = (received: string, more: Partial<RemoteOrder> = {}) =>
  compare({ movements: [] }, order(received), { ...remote, ...more }, {}).totals

describe("what was refunded of an order that was lowered", () => {
  it("is explained by what it was paid with, and only by as much", () => {
    assert.deepStrictEqual(totals("110"), { captured: true, refunded: true })
    const beyond = { began: "11500" }
    assert.deepStrictEqual(totals("110", beyond), { captured: true, refunded: false })
  })

  it("is not explained by a payment that stays", () => {
    assert.strictEqual(totals("120").refunded, false)
  })
})
