/**
 * Whose a deferred payment is, over the real command: what several orders claim is nobody's until a person has decided,
 * what the source names anew is followed or stopped, and a buyer who tried twice is found. What should be captured is
 * written down beside each sync: a chair is 25.00 of 100.00.
 */
import { assert, describe, it } from "@effect/vitest"
import { useCommand } from "../support/Cli.ts"
import { holding, shop } from "../support/Shop.ts"

useCommand()

const NUMBER = { link: "unique_id" }
const CHAIR = 2500

const A = { id: "A" }
const B = { id: "B" }
const parcel = (of: string, chairs = 1, day = 2) => ({ id: `P-${of}-${day}`, of, chairs, day })

/** There is attention, and it names all of these. */
const names = (attention: ReadonlyArray<string>, ...all: ReadonlyArray<string>) => {
  assert.isNotEmpty(attention)
  for (const one of attention) for (const name of all) assert.include(one, name)
}

describe("a deferred payment is one order's", { timeout: 120_000 }, () => {
  it("two new orders carry the same one: nothing is taken for either before one of them is corrected", async () => {
    const { holds, sell, sync, write } = await shop({})
    const payment = await sell("web-1")
    const other = await sell("web-2")
    const both = [parcel("A"), parcel("B")]
    write({
      orders: [
        { ...A, payment },
        { ...B, payment }
      ],
      parcels: both
    })
    for (let n = 0; n < 2; n++) names(await sync(), "shop/order/A", "shop/order/B", payment)
    assert.deepStrictEqual(await holds(payment), holding())
    write({
      orders: [
        { ...A, payment },
        { ...B, payment: other }
      ],
      parcels: both
    })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(payment), holding({ captured: CHAIR }))
    assert.deepStrictEqual(await holds(other), holding({ captured: CHAIR }))
  })

  it("one carries its identifier, one the order's, one looks for the reference: all of them are stopped", async () => {
    const { ask, holds, sell, sync, write } = await shop(NUMBER)
    const payment = await sell("N-C")
    const { order } = await ask("GET", `/v1/payment/deferred_payments/${payment}`)
    const orders = [{ ...A, payment }, { ...B, order: String(order) }, { id: "C" }]
    write({ orders, parcels: [parcel("A"), parcel("B"), parcel("C")] })
    await sync()
    assert.isAtMost((await holds(payment)).captured, CHAIR)
    const { captured } = await holds(payment)
    assert.isAtLeast((await sync()).length, 2)
    assert.strictEqual((await holds(payment)).captured, captured)
  })

  it("an order that was entered anew under its number does not take what the first one has", async () => {
    const { holds, sell, sync, write } = await shop(NUMBER)
    const payment = await sell("N-A")
    write({ orders: [A], parcels: [parcel("A")] })
    assert.deepStrictEqual(await sync(), [])
    const again = { ...B, number: "N-A" }
    for (const orders of [[A, again], [{ ...A, status: "cancelled" as const }, again], [again]]) {
      write({ orders, parcels: [parcel("A"), parcel("B")] })
      const attention = await sync()
      names(
        attention.filter((one) => one.startsWith("shop/order/B")),
        "shop/order/A",
        "shop/order/B",
        "claim"
      )
      assert.deepStrictEqual(await holds(payment), holding({ captured: CHAIR }))
    }
  })

  it("a new order takes the number of one that gets another: each has its own payment", async () => {
    const { ask, holds, sell, sync, write } = await shop(NUMBER)
    const first = await sell("N-A")
    write({ orders: [A] })
    await sync()
    write({
      orders: [
        { ...A, number: "N-A2" },
        { ...B, number: "N-A" }
      ],
      parcels: [parcel("A", 2), parcel("B")]
    })
    // The new one has no checkout yet.
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(first), holding({ captured: 2 * CHAIR }))
    const second = await sell("N-A")
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(first), holding({ captured: 2 * CHAIR }))
    assert.deepStrictEqual(await holds(second), holding({ captured: CHAIR }))
    const { order } = await ask("GET", `/v1/payment/deferred_payments/${first}`)
    assert.strictEqual((await ask("GET", `/v1/payment/orders/${String(order)}`))["unique_id"], "N-A2")
  })

  it("orders of two connections claim the same one", async () => {
    const { holds, sell, sync, write } = await shop({}, NUMBER)
    const payment = await sell("N-B")
    write({ orders: [{ ...A, payment }], parcels: [parcel("A")] })
    write({ orders: [{ ...B, payment }], parcels: [parcel("B")] }, "second-")
    names(await sync(), "shop/order/A", "second/order/B")
    assert.deepStrictEqual(await holds(payment), holding())
  })
})

describe("the source names another deferred payment", { timeout: 120_000 }, () => {
  it("is followed while nothing was taken", async () => {
    const { holds, sell, sync, write } = await shop({})
    const [first, second] = [await sell("web-1"), await sell("web-2")]
    write({ orders: [{ ...A, payment: first }] })
    await sync()
    write({ orders: [{ ...A, payment: second }], parcels: [parcel("A")] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(first), holding())
    assert.deepStrictEqual(await holds(second), holding({ captured: CHAIR }))
  })

  it("is waited for while the service does not have it; the old one is left alone", async () => {
    const { holds, sell, sync, write } = await shop({})
    const first = await sell("web-1")
    write({ orders: [{ ...A, payment: first }] })
    await sync()
    write({ orders: [{ ...A, payment: "defpay-unknown" }], parcels: [parcel("A")] })
    await sync()
    assert.deepStrictEqual(await holds(first), holding())
  })

  it("is for a person once something was taken, and nothing more is", async () => {
    const { holds, sell, sync, write } = await shop({})
    const [first, second] = [await sell("web-1"), await sell("web-2")]
    write({ orders: [{ ...A, payment: first }], parcels: [parcel("A")] })
    await sync()
    write({ orders: [{ ...A, payment: second, status: "closed" }], parcels: [parcel("A"), parcel("A", 1, 3)] })
    for (let n = 0; n < 2; n++) names(await sync(), first, second)
    assert.deepStrictEqual(await holds(first), holding({ captured: CHAIR }))
    assert.deepStrictEqual(await holds(second), holding())
    write({ orders: [{ ...A, payment: first, status: "closed" }], parcels: [parcel("A"), parcel("A", 1, 3)] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(first), holding({ captured: 2 * CHAIR, voided: 2 * CHAIR }))
  })
})

describe("a buyer who tried twice", { timeout: 120_000 }, () => {
  for (const [order, ...statuses] of [
    ["first", "rejected", "accepted"],
    ["second", "accepted", "rejected"]
  ] as const) {
    it(`a rejected checkout comes ${order}: the accepted one is taken`, async () => {
      const { holds, sell, sync, write } = await shop(NUMBER)
      const payments = [await sell("N-A", statuses[0]), await sell("N-A", statuses[1])]
      write({ orders: [A], parcels: [parcel("A")] })
      assert.deepStrictEqual(await sync(), [])
      for (const [n, status] of statuses.entries()) {
        assert.deepStrictEqual(await holds(payments[n]!), holding({ captured: status === "accepted" ? CHAIR : 0 }))
      }
    })
  }

  it("the second checkout comes after the first was found to be rejected", async () => {
    const { holds, move, sell, sync, write } = await shop(NUMBER)
    const first = await sell("N-A", "pending_review")
    write({ orders: [A], parcels: [parcel("A")] })
    assert.deepStrictEqual(await sync(), [])
    await move(first, "rejected")
    assert.deepStrictEqual(await holds(first), holding())
    await sync()
    const second = await sell("N-A")
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(second), holding({ captured: CHAIR }))
    assert.deepStrictEqual(await holds(first), holding())
  })

  it("two that can both be taken from are for a person; once one is voided, a retry takes the other", async () => {
    const { byHand, here, holds, sell, sync, write } = await shop(NUMBER)
    const [first, second] = [await sell("N-A"), await sell("N-A", "pending_review")]
    write({ orders: [A], parcels: [parcel("A")] })
    for (let n = 0; n < 2; n++) {
      const attention = await sync()
      names(attention, first, second)
      assert.lengthOf(attention, 1)
    }
    assert.deepStrictEqual([await holds(first), await holds(second)], [holding(), holding()])
    await byHand(first, "void", 10_000)
    const [open] = JSON.parse(`[${(await here.run("attention", "--json")).stdout.trim().split("\n")[0]}]`)
    assert.strictEqual((await here.run("attention", "retry", String(open.id))).status, 0)
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(second), holding())
  })
})
