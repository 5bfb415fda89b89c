/**
 * Somebody with the service's key works on an order beside the real command: what they did is recognised before anything is
 * sent, and what a person accepted holds when its goods come into the books. A chair is 25.00 of 100.00.
 */
import { assert, describe, it } from "@effect/vitest"
import { ofType, useCommand } from "../support/Cli.ts"
import { holding, type Shop, shop } from "../support/Shop.ts"

useCommand()

const CHAIR = 2500
const A = { id: "A" }
const fact = (id: string, chairs: number, day = 2) => ({ id, of: "A", chairs, day })

/** A person resolves what is about this. */
const resolve = async ({ here }: Shop, about: RegExp) => {
  const found = ofType(await here.run("attention", "--json"), "attention").find(({ why }) => about.test(String(why)))
  const { status } = await here.run("attention", "resolve", String(found?.["id"]), "--note", "seen to")
  assert.strictEqual(status, 0)
}

describe("by hand", { timeout: 120_000 }, () => {
  it("a payment is read once by each run that takes of it, before it does, and not by others", async () => {
    const { asked, sell, sync, write } = await shop({})
    const payment = await sell("web-1")
    const reading = `GET /v1/payment/deferred_payments/${payment}`
    const capture = `POST /v1/payment/deferred_payments/${payment}/capture`
    let since = (await asked()).last
    for (const parcels of [
      [fact("1", 1), fact("2", 1, 3)],
      [fact("1", 1), fact("2", 1, 3), fact("3", 1, 4)]
    ]) {
      write({ orders: [{ ...A, payment }], parcels })
      assert.deepStrictEqual(await sync(), [])
      const { last, requests } = await asked(since)
      const captures = parcels.length === 2 ? [capture, capture] : [capture]
      assert.deepStrictEqual(requests, [reading, ...captures])
      since = last
    }
    await sync()
    assert.deepStrictEqual((await asked(since)).requests, [])
  })

  for (const [hand, kind, held] of [
    ["capture", "parcels", { captured: CHAIR }],
    ["void", "cancellations", { voided: CHAIR }],
    ["refund", "returns", { captured: 2 * CHAIR, refunded: CHAIR }]
  ] as const) {
    for (const accepted of ["before", "after"] as const) {
      it(`a ${hand} that a person accepts ${accepted} its goods are in the books is not done again`, async () => {
        const here = await shop({})
        const { byHand, differs, holds, sell, sync, write } = here
        const payment = await sell("web-1")
        const orders = [{ ...A, payment }]
        const parcels = hand === "refund" ? [fact("1", 2)] : []
        write({ orders, parcels })
        assert.deepStrictEqual(await sync(), [])
        await byHand(payment, hand, CHAIR)
        const own = { ...(hand === "refund" ? { parcels } : {}), [kind]: [fact("late", 1, 9)] }
        // Something else makes the sync look.
        const other = {
          ...(hand === "capture"
            ? { cancellations: [fact("other", 1, 5)] }
            : { parcels: [...parcels, fact("other", 1, 5)] })
        }
        const both = { ...own, ...other }
        write({ orders, parcels, ...(accepted === "before" ? other : both) })
        assert.isNotEmpty(await sync())
        // A refund by hand stops refunds; what leaves is captured all the same.
        const first = hand === "refund" ? { captured: 3 * CHAIR, refunded: CHAIR } : held
        assert.deepStrictEqual(await holds(payment), holding(first))
        await resolve(here, new RegExp(`for ${hand} in all`))
        write({ orders, parcels, ...both })
        assert.deepStrictEqual(await sync(), [])
        const more =
          hand === "capture"
            ? { ...held, voided: CHAIR }
            : hand === "void"
              ? { ...held, captured: CHAIR }
              : { captured: 3 * CHAIR, refunded: CHAIR }
        assert.deepStrictEqual(await holds(payment), holding(more))
        assert.isFalse(await differs(), "the facts come to what the service holds")
        assert.deepStrictEqual(await holds(payment), holding(more))
      })
    }
  }

  it("an amount that is no parcel's: the parcel waits, and goes in full once a person says that it is for none", async () => {
    const here = await shop({})
    const { byHand, holds, sell, sync, write } = here
    const payment = await sell("web-1")
    const orders = [{ ...A, payment }]
    write({ orders, parcels: [fact("1", 1)] })
    await sync()
    await byHand(payment, "capture", 700)
    write({ orders, parcels: [fact("1", 1)], cancellations: [fact("2", 1, 3)] })
    await sync()
    await resolve(here, /for capture in all/)
    const books = { orders, parcels: [fact("1", 1), fact("3", 1, 4)], cancellations: [fact("2", 1, 3)] }
    write(books)
    assert.match((await sync()).join(), /comes to 25\.00 GBP, and 7\.00 GBP was done by hand/)
    assert.deepStrictEqual(await holds(payment), holding({ captured: CHAIR + 700, voided: CHAIR }))
    await resolve(here, /was done by hand/)
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(payment), holding({ captured: 2 * CHAIR + 700, voided: CHAIR }))
  })

  it("one amount by hand for two parcels that come one after the other", async () => {
    const here = await shop({})
    const { byHand, holds, sell, sync, write } = here
    const payment = await sell("web-1")
    const orders = [{ ...A, payment }]
    write({ orders })
    await sync()
    await byHand(payment, "capture", 2 * CHAIR)
    write({ orders, cancellations: [fact("1", 1, 3)] })
    await sync()
    await resolve(here, /for capture in all/)
    for (const parcels of [[fact("2", 1, 4)], [fact("2", 1, 4), fact("3", 1, 5)]]) {
      write({ orders, cancellations: [fact("1", 1, 3)], parcels })
      assert.deepStrictEqual(await sync(), [])
      assert.deepStrictEqual(await holds(payment), holding({ captured: 2 * CHAIR, voided: CHAIR }))
    }
    write({
      orders: [{ ...A, payment, status: "closed" as const }],
      cancellations: [fact("1", 1, 3)],
      parcels: [fact("2", 1, 4), fact("3", 1, 5)]
    })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(payment), holding({ captured: 2 * CHAIR, voided: 2 * CHAIR }))
  })

  it("an amount by hand for two parcels, of which one is still to come when the order is closed: nothing is voided", async () => {
    const here = await shop({})
    const { byHand, holds, sell, sync, write } = here
    const payment = await sell("web-1")
    const open = [{ ...A, payment }]
    const closed = [{ ...A, payment, status: "closed" as const }]
    write({ orders: open })
    await sync()
    await byHand(payment, "capture", 2 * CHAIR)
    write({ orders: open, cancellations: [fact("1", 1, 3)] })
    await sync()
    await resolve(here, /for capture in all/)
    const cancellations = [fact("1", 1, 3)]
    write({ orders: closed, cancellations, parcels: [fact("2", 1, 4)] })
    assert.match((await sync()).join(), /the rest is not voided: of what was captured, 25\.00 GBP was done by hand/)
    assert.deepStrictEqual(await holds(payment), holding({ captured: 2 * CHAIR, voided: CHAIR }))
    write({ orders: closed, cancellations, parcels: [fact("2", 1, 4), fact("3", 1, 5)] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(payment), holding({ captured: 2 * CHAIR, voided: 2 * CHAIR }))
  })

  it("the same, and a person says that the rest is for none of the goods: what is left is voided", async () => {
    const here = await shop({})
    const { byHand, holds, sell, sync, write } = here
    const payment = await sell("web-1")
    write({ orders: [{ ...A, payment }] })
    await sync()
    await byHand(payment, "capture", 2 * CHAIR)
    write({ orders: [{ ...A, payment }], parcels: [fact("2", 1, 4)] })
    await sync()
    await resolve(here, /for capture in all/)
    write({ orders: [{ ...A, payment, status: "closed" as const }], parcels: [fact("2", 1, 4)] })
    await sync()
    assert.deepStrictEqual(await holds(payment), holding({ captured: 2 * CHAIR }))
    await resolve(here, /was done by hand/)
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await holds(payment), holding({ captured: 2 * CHAIR, voided: 2 * CHAIR }))
  })
})
