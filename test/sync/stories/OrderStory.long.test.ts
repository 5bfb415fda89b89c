/**
 * A marketplace sells with deferred payment. Goods leave the warehouse in three parcels, one line is cancelled, one comes
 * back. Each is sent to the service, once, to the minor unit, in time to pay the seller.
 */
import { assert, describe, it } from "@effect/vitest"
import { rmSync } from "node:fs"
import { planning } from "../../support/Documents.ts"
import { cancellation, order, parcel, returned } from "../../support/Orders.ts"
import { ask, inWorld, open, report, requests } from "../InWorld.ts"
import { booked, byHand, checkout, payment } from "../Shop.ts"
import type { World } from "../World.ts"

const parcels = [
  parcel("1", { chairs: "2", lamps: "1" }, "2026-03-02"),
  parcel("2", { chairs: "2" }, "2026-03-03"),
  parcel("3", { lamps: "2" }, "2026-03-05")
]

const attention = (world: World) =>
  open(world, "SELECT why FROM attention WHERE closed IS NULL ORDER BY id").map(({ why }) => String(why))

/** Everything that can happen to the order, and it is closed. */
const whole = (deferredPayment: string) => [
  order({ deferredPayment, status: "closed" }),
  ...parcels,
  cancellation("4", { rug: "1" }),
  returned("5", { chairs: "1" })
]

/** What the service then holds: the third parcel used up most of what one chair was charged before it came back. */
const AFTER = { open: 0, captured: 7408, voided: 2592, refunded: 186, status: "captured" }

/** What the buyer is charged in the end, however often the shop was read. */
const CHARGED = 7222

describe("a shop's order, from checkout to the last return", () => {
  it(
    "three parcels, a cancellation, a return: each is sent once, to the minor unit",
    inWorld({}, async (world) => {
      // The buyer orders for 100.00, and the payment is looked at by a person first.
      const id = await checkout(world, order(), "pending_review")
      world.documents = [order({ deferredPayment: id }), parcels[0]!]
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [], "nothing is captured before the payment is accepted")
      assert.deepStrictEqual(attention(world), [])
      assert.deepStrictEqual(open(world, "SELECT reason FROM ledger"), [
        { reason: "O5: waiting, the deferred payment is pending_review" }
      ])

      // It is accepted. Nothing changed in the shop, and the parcel that waited is captured: 2 of 4 chairs at 60.00,
      // 1 of 3 lamps at 20.00, and their shares of 10.00 for the delivery.
      await ask(world, "PUT", `/sandbox/deferred_payments/${id}/status`, { status: "accepted" })
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [["capture", 4074]])

      // The second parcel leaves, the rug is sold out.
      world.documents = [...world.documents, parcels[1]!, cancellation("4", { rug: "1" })]
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id).slice(1), [
        ["capture", 3334],
        ["void", 1111]
      ])

      // The third parcel leaves, and one chair comes back.
      world.documents = [...world.documents, parcels[2]!, returned("5", { chairs: "1" })]
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id).slice(3), [
        ["refund", 186],
        ["void", 1481]
      ])
      assert.deepStrictEqual(payment(world, id), AFTER)

      // The shop closes the order: nothing is left to void. Nothing is sent twice, and nobody is needed.
      world.documents = whole(id)
      report(await world.sync())
      const quiet = requests(world).length
      report(await world.sync())
      assert.strictEqual(requests(world).length, quiet, "a further run makes no request")
      assert.deepStrictEqual(payment(world, id), AFTER)
      assert.deepStrictEqual(attention(world), [])
    })
  )

  it(
    "an order that is closed early gives up what is left of it",
    inWorld({}, async (world) => {
      const id = await checkout(world, order())
      world.documents = [order({ deferredPayment: id, status: "closed" }), parcels[0]!]
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [
        ["capture", 4074],
        ["void", 5926]
      ])
    })
  )

  it(
    "an order without an identifier is found by its reference, and its new reference is sent",
    inWorld({ planning: { ...planning, orders: { link: "unique_id" } } }, async (world) => {
      const { deferredPayment: _, ...plain } = order()
      world.documents = [plain, parcels[0]!]
      report(await world.sync())
      assert.deepStrictEqual(open(world, "SELECT reason FROM ledger"), [
        { reason: "O5: the service has no deferred payment for it yet" }
      ])
      const id = await checkout(world, order())
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [["capture", 4074]])
      world.documents = [{ ...plain, number: "SHOP-1B" }, parcels[0]!]
      report(await world.sync())
      assert.deepStrictEqual(
        [...world.service.order.values()].map((one) => one["unique_id"]),
        ["SHOP-1B"]
      )
      assert.deepStrictEqual(booked(world, id).length, 1)
    })
  )
})

describe("orders when things go wrong", () => {
  it("a kill at every step: whatever was sent is sent once", async () => {
    for (let at = 1; ; at++) {
      let dead = false
      await inWorld({}, async (world) => {
        const id = await checkout(world, order())
        world.documents = whole(id).slice(0, 4)
        world.killAt = at
        await world.sync()
        dead = world.dead
        world.killAt = undefined
        // Meanwhile the shop has cancelled something on an earlier day than the last parcel.
        world.documents = whole(id)
        report(await world.sync())
        const { captured, open, refunded } = payment(world, id)
        assert.deepStrictEqual([open, captured - refunded], [0, CHARGED], `killed at ${at}`)
        assert.deepStrictEqual(attention(world), [], `killed at ${at}`)
        const quiet = requests(world).length
        report(await world.sync())
        assert.strictEqual(requests(world).length, quiet)
      })()
      if (!dead) {
        assert.isAbove(at, 20)
        return
      }
    }
  }, 60_000)

  it(
    "its deferred payment is in the shop's own currency, and the buyer was shown another one: the payment's counts",
    inWorld({}, async (world) => {
      const own = order()
      const id = await checkout(world, own)
      const { lines } = own
      const shown = lines.map((one) => ({ ...one, gross: (one.gross * 6n) / 5n }))
      const seen = { currency: "USD", lines: shown, deferredPayment: id, also: { currency: own.currency, lines } }
      world.documents = [order(seen), parcels[0]!]
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [["capture", 4074]])
      assert.deepStrictEqual(attention(world), [])
    })
  )

  it(
    "somebody else captured more than is due: nothing is captured twice, and a person is told",
    inWorld({}, async (world) => {
      const id = await checkout(world, order())
      await byHand(world, id, "capture", 4080, "by-hand")
      world.documents = [order({ deferredPayment: id }), parcels[0]!]
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [["capture", 4080]])
      assert.isTrue(attention(world).some((why) => why.includes("others captured 40.80 GBP")))
    })
  )

  it(
    "more is to be captured than was authorised: all of that, nothing beyond, and somebody is told",
    inWorld({}, async (world) => {
      const { lines } = order()
      const id = await checkout(world, order({ lines: lines.slice(0, 1) }))
      world.documents = [order({ deferredPayment: id }), parcels[0]!, parcels[1]!]
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [["capture", 6000]])
      assert.match(attention(world)[0]!, /40\.00 GBP of the order is not authorised/)
    })
  )

  it(
    "a state file that was lost: nothing is told a second time, and a person is told",
    inWorld({}, async (world) => {
      const id = await checkout(world, order())
      world.documents = whole(id)
      report(await world.sync())
      for (const part of ["", "-wal", "-shm"]) rmSync(world.file + part, { force: true })
      const [before, after] = [booked(world, id), payment(world, id)]
      assert.strictEqual(after.captured - after.refunded, CHARGED)
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), before)
      assert.deepStrictEqual(payment(world, id), after)
      assert.isTrue(attention(world).some((why) => why.includes("which this connection did not send")))
    })
  )
})
