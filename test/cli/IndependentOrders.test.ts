/** `daybook reconcile --independent` on orders of a shop: what is charged, against what the shop's files come to. */
import { assert, describe, it } from "@effect/vitest"
import { type Desk, ofType, service, useCommand } from "../support/Cli.ts"
import { shopFiles, type ShopFact, STANDARD } from "../support/ShopFiles.ts"

useCommand()

const LIMIT = { timeout: 120_000 }

/** What it names: document, what, and the amounts. */
const named = (ran: Awaited<ReturnType<Desk["run"]>>) =>
  ofType(ran, "difference").map(({ document, says, service, source, what }) => [document, what, says, source, service])

const independent = (here: Desk, ...more: ReadonlyArray<string>) => here.run("reconcile", "--independent", ...more)

describe("the independent witness of orders", LIMIT, () => {
  it("takes no order for different that was edited after parcels of it were captured", async () => {
    const { buys, here, reads, say } = await shopFiles(await service(), {})
    await buys()
    // Until nothing is to leave, what was charged ahead is used up by the rest.
    const parcels = [parcel("P1", { chairs: 4 })]
    const cancellations = [parcel("C1", { lamps: 3, rug: 1 })]
    await reads({ cancellations, parcels })
    const lines = STANDARD.map((one) => (one.line === "chairs" ? { ...one, gross: 5000 } : one))
    say({ orders: [{ id: "1041", lines }], cancellations, parcels })
    const ran = await independent(here, "--json")
    assert.deepStrictEqual(named(ran), [])
    assert.strictEqual(ran.status, 0)
    assert.deepInclude(ofType(ran, "not_checked")[0], {
      document: "shop/order/1041",
      why: "it was edited since it was paid: it comes to 90.00 GBP, and 100.00 GBP was authorised; charged 66.67 GBP, and 56.25 GBP by its prices now"
    })
    // An order that comes to what was authorised has no such excuse.
    const swapped = STANDARD.map((one) =>
      one.line === "chairs" ? { ...one, gross: 5000 } : one.line === "lamps" ? { ...one, gross: 3000 } : one
    )
    say({ orders: [{ id: "1041", lines: swapped }], cancellations, parcels })
    const apart = await independent(here, "--json")
    assert.deepStrictEqual(named(apart), [["shop/order/1041", "charged", undefined, "55.56 GBP", "66.67 GBP"]])
    assert.deepStrictEqual(ofType(apart, "not_checked"), [])
  })

  const parcel = (id: string, lines: ShopFact["lines"] = {}): ShopFact => ({ id, lines })

  it("agrees, and names what was captured by hand, or was not captured", async () => {
    const { buys, byHand, here, reads, say } = await shopFiles(await service(), {})
    const payment = await buys()
    const parcels = [parcel("P1", { chairs: 4 })]
    const returns = [parcel("R1", { chairs: 1 })]
    await reads({ parcels, returns })
    const agreed = await independent(here, "--json")
    assert.strictEqual(agreed.status, 0, agreed.stdout)
    assert.include(ofType(agreed, "summary")[0], { orders: 1, differences: 0 })
    await byHand(payment, "capture", 500)
    // What still leaves may use it up.
    assert.deepStrictEqual(named(await independent(here, "--json")), [])
    const cancellations = [parcel("C1", { lamps: 3, rug: 1 })]
    say({ cancellations, parcels, returns })
    const [taken] = named(await independent(here, "--json"))
    assert.deepStrictEqual(taken, ["shop/order/1041", "charged", undefined, "50.00 GBP", "55.00 GBP"])
    say({ parcels: [...parcels, parcel("P2", { rug: 1 })], returns })
    assert.deepStrictEqual(named(await independent(here, "--json")), [
      ["shop/order/1041", "charged", undefined, "61.11 GBP", "55.00 GBP"]
    ])
  })
})
