/**
 * Which orders of a shop are the service's: those that carry the public number of a deferred payment in place of its identifier,
 * as the service's Magento plugin leaves it in `last_trans_id` (Gateway/Response/DeferredPaymentOrderHandler.php), are; those that
 * are paid otherwise, and that nobody left out, cost one request in a run and are no difference.
 */
import { assert, describe, it } from "@effect/vitest"
import { ofType, useCommand } from "../support/Cli.ts"
import { holding, shop } from "../support/Shop.ts"

useCommand()

const parcel = (id: string, of: string, chairs: number) => ({ id, of, chairs })

describe("orders of a shop", { timeout: 120_000 }, () => {
  it("are found by the number of their deferred payment, also with the time that a plugin puts behind it", async () => {
    const { ask, holds, sell, sync, write } = await shop({})
    const payment = await sell("web-1")
    const { number } = await ask("GET", `/v1/payment/deferred_payments/${payment}`)
    write({ orders: [{ id: "A", payment: String(number) }], parcels: [parcel("1", "A", 2)] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(payment), holding({ captured: 5000 }))
    write({
      orders: [{ id: "A", payment: `${String(number)}-1761990000` }],
      parcels: [parcel("1", "A", 2), parcel("2", "A", 2)]
    })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(payment), holding({ captured: 10_000 }))
  })

  it("that carry another service's transaction are nobody's here, whatever it looks like", async () => {
    const { asked, here, sync, write } = await shop({})
    const ids = ["pi_3MtwBwLkdIwHu7ix28a3tqPa", "8MC585209K746392H", "ch_1", "ABCDEF123"]
    write({
      orders: ids.map((payment, n) => ({ id: `${n}`, payment })),
      parcels: ids.map((_, n) => parcel(`${n}`, `${n}`, 1))
    })
    assert.deepStrictEqual(await sync(), [])
    const { requests } = await asked()
    assert.deepStrictEqual(requests, ["GET /v1/payment/orders"])
    const [statement] = ofType(await here.run("status", "--json"), "orders")
    assert.deepInclude(statement ?? { unfound: 1, pending: 0 }, { unfound: 1, pending: 0 })
  })

  it("that the service does not know cost one request in each run, and the others agree", async () => {
    const { asked, here, holds, sell, sync, write } = await shop({ link: "unique_id" })
    const payment = await sell("N-own")
    const others = Array.from({ length: 40 }, (_, n) => `other-${n}`)
    write({
      orders: ["own", ...others].map((id) => ({ id })),
      parcels: ["own", ...others].map((id) => parcel(id, id, 4))
    })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(payment), holding({ captured: 10_000 }))
    const { last } = await asked()
    const ran = await here.run("sync")
    assert.deepStrictEqual((await asked(last)).requests, ["GET /v1/payment/orders"])
    assert.match(ran.stdout, /shop +GBP +1 +service .* agree/)
    assert.include(ran.stdout, "the service has no deferred payment for 40 orders")
  })
})
