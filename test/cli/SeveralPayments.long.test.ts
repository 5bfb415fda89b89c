/**
 * An order with several deferred payments, such as a dearer exchange with one of its own, over the command: the first authorised is
 * captured first, the last is refunded and voided first. An order is four chairs at 25.00; 60.00 and 40.00 are authorised.
 */
import { assert, describe, it } from "@effect/vitest"
import { checkout } from "../support/Checkout.ts"
import { ofType, useCommand } from "../support/Cli.ts"
import { holding, shop } from "../support/Shop.ts"

useCommand()

const [FIRST, SECOND] = [6000, 4000]

const desk = async (status = "accepted") => {
  const made = await shop({})
  const first = await checkout(made.there, "web-1", FIRST, "accepted", "GBP")
  const second = await checkout(made.there, "web-1b", SECOND, status, "GBP")
  const { holds, here } = made
  return {
    ...made,
    first,
    second,
    both: `${first} ${second}`,
    hold: async (one: object, other: object) => {
      assert.deepStrictEqual(await holds(first), holding({ total: FIRST, ...one }))
      assert.deepStrictEqual(await holds(second), holding({ total: SECOND, ...other }))
    },
    agrees: async () => {
      const [said] = ofType(await here.run("reconcile", "--json"), "orders")
      assert.deepStrictEqual(said?.["differences"], [])
      const independent = await here.run("reconcile", "--independent", "--json")
      assert.strictEqual(independent.status, 0, independent.stdout)
    }
  }
}
const order = (payment: string, status: "open" | "closed" = "open") => ({ id: "A", payment, status })
const goods = (id: string, chairs: number) => ({ id, of: "A", chairs })

describe("several deferred payments of an order", { timeout: 120_000 }, () => {
  it("are captured in their order, and refunded the last first", async () => {
    const { agrees, both, hold, sync, write } = await desk()
    const orders = [order(both)]
    write({ orders, parcels: [goods("1", 1)] })
    assert.deepStrictEqual(await sync(), [])
    await hold({ captured: 2500 }, {})
    write({ orders, parcels: [goods("1", 1), goods("2", 2)] })
    assert.deepStrictEqual(await sync(), [])
    await hold({ captured: FIRST }, { captured: 1500 })
    const parcels = [goods("1", 1), goods("2", 2), goods("3", 1)]
    write({ orders, parcels })
    assert.deepStrictEqual(await sync(), [])
    await hold({ captured: FIRST }, { captured: SECOND })
    write({ orders: [order(both, "closed")], parcels, returns: [goods("r", 2)] })
    assert.deepStrictEqual(await sync(), [])
    await hold({ captured: FIRST, refunded: 1000 }, { captured: SECOND, refunded: SECOND })
    assert.deepStrictEqual(await sync(), [])
    await hold({ captured: FIRST, refunded: 1000 }, { captured: SECOND, refunded: SECOND })
    await agrees()
  })

  it("are voided the last first", async () => {
    const { agrees, both, hold, sync, write } = await desk()
    const cancellations = [goods("c", 3)]
    write({ orders: [order(both)], cancellations })
    assert.deepStrictEqual(await sync(), [])
    await hold({ voided: 3500 }, { voided: SECOND })
    write({ orders: [order(both, "closed")], cancellations, parcels: [goods("1", 1)] })
    assert.deepStrictEqual(await sync(), [])
    await hold({ voided: 3500, captured: 2500 }, { voided: SECOND })
    await agrees()
  })

  it("are used from when they are named and accepted, and what lacks until then is told", async () => {
    const { agrees, both, first, hold, move, second, sync, write } = await desk("pending_review")
    const parcels = [goods("1", 4)]
    write({ orders: [order(first)], parcels })
    assert.match((await sync()).join(), /40\.00 GBP of the order is not authorised/)
    await hold({ captured: FIRST }, {})
    write({ orders: [order(both)], parcels })
    assert.match((await sync()).join(), /40\.00 GBP of the order is not authorised/)
    await hold({ captured: FIRST }, {})
    await move(second, "accepted")
    assert.deepStrictEqual(await sync(), [])
    await hold({ captured: FIRST }, { captured: SECOND })
    await agrees()
  })

  it("end with what is not owed voided, without a question what it is for", async () => {
    const { agrees, both, hold, sync, write } = await desk()
    write({ orders: [order(both, "closed")], parcels: [goods("1", 2)] })
    assert.deepStrictEqual(await sync(), [])
    await hold({ captured: 5000, voided: 1000 }, { voided: SECOND })
    await agrees()
  })

  it("of which another order names one wait for a person", async () => {
    const { both, hold, second, sync, write } = await desk()
    write({
      orders: [
        { id: "B", number: "N-B", payment: second },
        { ...order(both), number: "N-A" }
      ],
      parcels: [goods("1", 4), { ...goods("2", 1), of: "B" }]
    })
    const said = (await sync()).join()
    assert.match(said, /order\/A and shop\/order\/B claim the deferred payment/)
    assert.match(said, /order\/B and shop\/order\/A claim the deferred payment/)
    await hold({}, {})
  })

  it("of another currency than the order's hold it", async () => {
    const { first, holds, sync, there, write } = await desk()
    const other = await checkout(there, "web-1c", SECOND, "accepted", "EUR")
    write({ orders: [order(`${first} ${other}`)], parcels: [goods("1", 1)] })
    assert.match((await sync()).join(), /the order is in GBP, and its deferred payment in EUR/)
    assert.deepStrictEqual(await holds(first), holding({ total: FIRST }))
  })
})
