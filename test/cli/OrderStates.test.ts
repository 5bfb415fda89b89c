/**
 * Orders in every state that they can have, over the real command: `reconcile` walks through all of them, an order that ended
 * before its buyer took the shop's own offer is voided, and what the service ends or changes by itself is never taken from.
 */
import { assert, describe, it } from "@effect/vitest"
import { ofType, useCommand } from "../support/Cli.ts"
import { ALL, holding, type Shop, shop } from "../support/Shop.ts"

useCommand()

const CHAIR = 2500
const create = { category: "/home", tax_rate: "20" }
const parcel = (of: string, day = 2) => ({ id: `P-${of}-${day}`, of, chairs: 1, day })

type Json = Readonly<Record<string, unknown>>

/** The service's order with this number. */
const placed = async ({ ask }: Shop, number: string): Promise<Json> => {
  const { results } = await ask("GET", "/v1/payment/orders?limit=100")
  return (results as ReadonlyArray<Json>).find((one) => one["unique_id"] === number)!
}

/** The buyer takes the offer that the order bears, or one that the shop asks for now. */
const take = async (here: Shop, number: string, status = "accepted"): Promise<string> => {
  const { id: order, payment_offer: offer } = await placed(here, number)
  const urls = { success: "", failure: "", cancel: "", notification: "" }
  const made =
    typeof offer === "string"
      ? await here.ask("GET", `/v1/payment/offers/${offer}`)
      : await here.ask("POST", "/v1/payment/offers", { order, locale: "en-gb", urls })
  const [plan] = made["offered_payment_plans"] as ReadonlyArray<Json>
  const path = `offers/${String(made["id"])}/plans/${String(plan!["id"])}/accept`
  return String((await here.there.control<Json>("POST", path, { status }))["id"])
}

describe("every state of an order", { timeout: 120_000 }, () => {
  it("is walked through by reconcile, which names what changed and puts the ledger right", async () => {
    const here = await shop({ create })
    const { move, sync, write } = here
    const ids = ["waiting", "pending_review", "accepted", "rejected", "expired", "cancelled"]
    write({ orders: ids.map((id) => ({ id })) })
    assert.deepStrictEqual(await sync(), [])
    assert.strictEqual((await here.here.run("reconcile")).status, 0, "all of them wait for their buyers")
    const payments = new Map<string, string>()
    for (const id of ids.slice(1)) {
      const payment = await take(here, `N-${id}`)
      payments.set(id, payment)
      if (id !== "accepted") await move(payment, id)
    }
    const named = await here.here.run("reconcile", "--json")
    assert.strictEqual(named.status, 3, named.stderr)
    const found = ofType(named, "difference").map(({ document, service }) => [document, service])
    assert.deepStrictEqual(
      found.toSorted(),
      [...payments].map(([id, payment]) => [`shop/order/${id}`, payment]).toSorted()
    )
    assert.notStrictEqual((await here.here.run("reconcile", "--fix")).status, 1)
    assert.deepStrictEqual(ofType(await here.here.run("reconcile", "--json"), "difference"), [])
    write({ orders: ids.map((id) => ({ id })), parcels: ids.map((id) => parcel(id)) })
    const attention = await sync()
    const itemsOf = (id: string) => attention.filter((one) => one.startsWith(`shop/order/${id}:`)).join()
    for (const id of ["rejected", "expired", "cancelled"]) {
      assert.include(itemsOf(id), `goods left, but the deferred payment is ${id}`)
    }
    for (const id of ["waiting", "pending_review", "accepted"]) assert.strictEqual(itemsOf(id), "")
    for (const [id, payment] of payments) {
      assert.strictEqual((await here.holds(payment)).captured, id === "accepted" ? CHAIR : 0, id)
    }
    assert.notStrictEqual((await here.here.run("reconcile")).status, 1)
  })

  it("cancelled before its buyer takes the shop's own offer: it is voided in the end", async () => {
    const here = await shop({ create: { ...create, offers: false } })
    const { holds, sync, write } = here
    write({ orders: [{ id: "A" }] })
    await sync()
    write({ orders: [{ id: "A", status: "cancelled" }] })
    for (let n = 0; n < 2; n++) assert.deepStrictEqual(await sync(), [])
    const payment = await take(here, "N-A")
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(payment), holding({ voided: ALL }))
  })

  it("authorised for less or more on the service: never taken beyond, and the rest of a closed one is given up", async () => {
    const here = await shop({})
    const { holds, sell, sync, there, write } = here
    const payment = await sell("web-1")
    const sold = { id: "A", payment }
    write({ orders: [sold], parcels: [parcel("A")] })
    await sync()
    await there.control("PUT", `deferred_payments/${payment}/authorisation`, { amount: 1000 })
    write({ orders: [sold], parcels: [parcel("A"), parcel("A", 3)] })
    assert.match((await sync()).join(), /65\.00 GBP of the order is not authorised/)
    assert.strictEqual((await holds(payment)).captured, CHAIR + 1000)
    await there.control("PUT", `deferred_payments/${payment}/authorisation`, { amount: 9000 })
    write({ orders: [{ ...sold, status: "closed" }], parcels: [parcel("A"), parcel("A", 3), parcel("A", 4)] })
    await sync()
    assert.deepStrictEqual(await holds(payment), { captured: 3 * CHAIR, voided: 2500, refunded: 0, open: 2500 })
  })

  it("ended by the service after a capture: nothing more is taken", async () => {
    const here = await shop({})
    const { holds, move, sell, sync, write } = here
    const [first, second] = [await sell("web-1"), await sell("web-2")]
    const [a, b] = [
      { id: "A", payment: first },
      { id: "B", payment: second }
    ]
    write({ orders: [a, b], parcels: [parcel("A")] })
    await sync()
    await move(first, "expired")
    await move(second, "cancelled")
    write({ orders: [a, { ...b, status: "cancelled" }], parcels: [parcel("A"), parcel("A", 3)] })
    const attention = await sync()
    assert.include(attention.join("\n"), "shop/order/A: goods left, but the deferred payment is expired")
    assert.strictEqual((await holds(first)).captured, CHAIR)
  })
})
