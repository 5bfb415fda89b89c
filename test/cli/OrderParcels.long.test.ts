/** Orders of one connection that another one ships, over the command: its parcels name orders by id or number. A chair is 25.00. */
import { assert, describe, it } from "@effect/vitest"
import { ofType, useCommand } from "../support/Cli.ts"
import { holding, shop } from "../support/Shop.ts"

useCommand()

const CHAIR = 2500
const SHIPPED = { ships: "second" }
const parcel = (id: string, of: string, chairs?: number) => ({
  id,
  of,
  day: 2,
  ...(chairs === undefined ? {} : { chairs })
})

describe("parcels of another connection", { timeout: 120_000 }, () => {
  it("capture orders that they name by id or number, as they come, change and go", async () => {
    const { holds, sell, sync, write } = await shop(SHIPPED, {})
    const [a, b] = [await sell("web-1"), await sell("web-2")]
    const orders = [
      { id: "A", payment: a },
      { id: "B", number: "1042", payment: b }
    ]
    write({ orders, parcels: [parcel("own", "A", 4)] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(a), holding())
    write({ parcels: [parcel("1", "A", 1), parcel("2", "1042", 2), parcel("3", "other", 1)] }, "second-")
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(a), holding({ captured: CHAIR }))
    assert.deepStrictEqual(await holds(b), holding({ captured: 2 * CHAIR }))
    write({ parcels: [parcel("1", "A", 3), parcel("4", "B")] }, "second-")
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(a), holding({ captured: 3 * CHAIR }))
    assert.deepStrictEqual(await holds(b), holding({ captured: 4 * CHAIR }))
  })

  it("are read after the setting, and before their order is there", async () => {
    const { configure, here, holds, sell, sync, write } = await shop({}, {})
    const payment = await sell("web-1")
    write({ parcels: [parcel("1", "N-A", 1)] }, "second-")
    assert.match((await sync()).join(), /a fulfilment of an order that was not found/)
    configure(SHIPPED, {})
    write({ orders: [{ id: "A", payment }] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(payment), holding({ captured: CHAIR }))
    const [statement] = ofType(await here.run("sync", "--json"), "orders")
    assert.deepStrictEqual(statement?.["differences"], [])
  })

  it("of goods that the order does not have wait for a person, and so do those of two orders of one number", async () => {
    const { holds, sell, sync, write } = await shop(SHIPPED, {})
    const payment = await sell("web-1")
    const orders = ["A", "B"].map((id) => ({ id, number: "1042", payment: id === "A" ? payment : "" }))
    write({ orders: orders.slice(0, 1) })
    write({ parcels: [parcel("1", "A", 5)] }, "second-")
    assert.match((await sync()).join(), /more of line chairs left or was cancelled than was ordered/)
    assert.deepStrictEqual(await holds(payment), holding())
    write({ orders })
    write({ parcels: [parcel("1", "1042", 2)] }, "second-")
    await sync()
    assert.deepStrictEqual(await holds(payment), holding())
  })

  it("wait while that connection cannot be read to its end", async () => {
    const { here, holds, sell, sync, write } = await shop(SHIPPED, {})
    const payment = await sell("web-1")
    write({ orders: [{ id: "A", payment, status: "closed" }] })
    here.write("second-fulfilments.csv", "id,order,date,line,quantity,currency\n1,A,2026-03-02,chairs,x,\n")
    await sync()
    assert.deepStrictEqual(await holds(payment), holding())
    write({ parcels: [parcel("1", "A", 4)] }, "second-")
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(payment), holding({ captured: 4 * CHAIR }))
  })
})
