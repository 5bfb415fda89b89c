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
const resolve = async ({ here }: Shop, about: RegExp, answer?: string) => {
  const found = ofType(await here.run("attention", "--json"), "attention").find(({ why }) => about.test(String(why)))
  const { status } = await here.run(
    "attention",
    "resolve",
    String(found?.["id"]),
    ...(answer === undefined ? ["--note", "seen to"] : ["--answer", answer])
  )
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
      assert.deepStrictEqual(requests, [reading, capture])
      since = last
    }
    await sync()
    assert.deepStrictEqual((await asked(since)).requests, [])
  })

  for (const [hand, kind, held] of [
    ["void", "cancellations", { voided: CHAIR }],
    ["refund", "returns", { captured: 2 * CHAIR, refunded: CHAIR }]
  ] as const) {
    for (const answer of ["it was for this order", undefined]) {
      it(`a ${hand} of which a person says ${answer ?? "nothing more than a note"} is not done again`, async () => {
        const here = await shop({})
        const { byHand, differs, holds, sell, sync, write } = here
        const payment = await sell("web-1")
        const orders = [{ ...A, payment }]
        const parcels = hand === "refund" ? [fact("1", 2)] : []
        write({ orders, parcels })
        assert.deepStrictEqual(await sync(), [])
        await byHand(payment, hand, CHAIR)
        const own = { ...(hand === "refund" ? { parcels } : {}), [kind]: [fact("late", 1, 9)] }
        // The first of them makes the sync look.
        const more = { ...own, parcels: [...(own.parcels ?? parcels), fact("other", 1, 5)] }
        write({ orders, ...more })
        assert.strictEqual((await sync()).length, 1)
        await resolve(here, /which this connection did not send/, answer)
        assert.deepStrictEqual(await sync(), [])
        assert.isFalse(await differs())
        const after = {
          void: { captured: CHAIR, voided: CHAIR },
          refund: { captured: 3 * CHAIR, refunded: CHAIR }
        }[hand]
        assert.deepStrictEqual(await holds(payment), holding(after), JSON.stringify(held))
      })
    }
  }

  it("a capture that comes with ours to what is due is not done again, and nobody is asked", async () => {
    const { byHand, differs, holds, sell, sync, write } = await shop({})
    const payment = await sell("web-1")
    write({ orders: [{ ...A, payment }] })
    await sync()
    await byHand(payment, "capture", CHAIR)
    for (const chairs of [2, 4]) {
      const status = chairs === 4 ? ("closed" as const) : undefined
      write({ orders: [{ ...A, payment, ...(status === undefined ? {} : { status }) }], parcels: [fact("1", chairs)] })
      assert.deepStrictEqual(await sync(), [])
      assert.isFalse(await differs())
      assert.deepStrictEqual(await holds(payment), holding({ captured: chairs * CHAIR }))
    }
  })

  it("what was for something else is left alone, and the order goes its own way", async () => {
    const here = await shop({})
    const { byHand, holds, sell, sync, write } = here
    const payment = await sell("web-1")
    write({ orders: [{ ...A, payment }] })
    await sync()
    await byHand(payment, "capture", CHAIR)
    const books = { orders: [{ ...A, payment, status: "closed" as const }], parcels: [fact("1", 2)] }
    write(books)
    assert.strictEqual((await sync()).length, 1)
    assert.deepStrictEqual(await holds(payment), holding({ captured: 2 * CHAIR }))
    await resolve(here, /which this connection did not send/, "it was for something else")
    await sync()
    assert.strictEqual((await holds(payment)).captured, 3 * CHAIR)
  })

  it("an answer that the question does not have is refused, with those that it has", async () => {
    const here = await shop({})
    const { byHand, sell, sync, write } = here
    const payment = await sell("web-1")
    write({ orders: [{ ...A, payment }] })
    await sync()
    await byHand(payment, "capture", CHAIR)
    write({ orders: [{ ...A, payment, status: "closed" }], parcels: [fact("1", 2)] })
    await sync()
    const [item] = ofType(await here.here.run("attention", "--json"), "attention")
    const { status, stderr } = await here.here.run("attention", "resolve", String(item?.["id"]), "--answer", "maybe")
    assert.notStrictEqual(status, 0)
    assert.include(stderr, '"it was for this order" or "it was for something else"')
  })
})
