/**
 * Orders that the service does not know: their buyer, the order and an offer are brought there, what the service and the
 * buyer answer is read back, and what leaves the warehouse then follows as for any other order.
 */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { copyFileSync, rmSync } from "node:fs"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import { audit } from "../../../sync/reconciliation/Audit.ts"
import { backup } from "../../../sync/state/Backup.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as AttentionActions from "../../../sync/apply/AttentionActions.ts"
import { day, planning as plain } from "../../support/Documents.ts"
import { apart } from "../../support/Effort.ts"
import { cancellation, parcel } from "../../support/Orders.ts"
import { ask, inWorld, open, report, requests } from "../InWorld.ts"
import { attention, booked, buyer, creating, fresh, payment, take } from "../Shop.ts"
import type { World } from "../World.ts"

type Json = Readonly<Record<string, unknown>>

const posts = (world: World) => requests(world).filter((one) => /^(POST|PATCH)/.test(one))

/** A person asks for everything once more. */
const retry = (world: World) =>
  world.life(
    Effect.flatMap(Database, (db) =>
      db.transaction(() => {
        for (const { id } of AttentionStore.list(db)) AttentionActions.retry(db, id, 0)
      })
    )
  )

/** Answers to requests for offers are lost. */
let lost = false
const losing = (_: string, path: string) =>
  lost && path.startsWith("/v1/payment/offers") ? { kind: "lose_response" as const } : undefined

const CREATION = [
  "POST /v1/organisations",
  "POST /v1/users",
  "POST /v1/organisations/org-1/users",
  "POST /v1/payment/orders",
  "POST /v1/payment/offers"
]

describe("orders that are created on the service", () => {
  it(
    "are found again, and their offers, where a backup was put back in which they are not",
    inWorld({ planning: creating }, async (world) => {
      report(await world.sync())
      const copy = `${world.file}.copy`
      assert.strictEqual((await world.life(backup(copy)))._tag, "Success")
      world.documents = [fresh()]
      report(await world.sync())
      const before = posts(world)
      assert.include(before, "POST /v1/payment/offers")
      for (const suffix of ["", "-wal", "-shm"]) rmSync(`${world.file}${suffix}`, { force: true })
      copyFileSync(copy, world.file)
      const refused = await world.sync()
      assert.match(refused._tag === "Failure" ? Cause.pretty(refused.cause) : "", /it is a backup of/)
      const mended = await world.life(audit([world.connection], { fix: true, onFound: () => Effect.void }))
      assert.strictEqual(mended._tag, "Success")
      report(await world.sync())
      const more = posts(world).slice(before.length)
      assert.deepStrictEqual(
        more.filter((one) => /payment\/(orders|offers)/.test(one)),
        []
      )
      assert.deepStrictEqual([world.service.order.size, world.service.offer.size], [1, 1])
      assert.deepStrictEqual(open(world, "SELECT restored, behind FROM state"), [{ restored: 0, behind: null }])
    })
  )

  it(
    "buyer, order and offer first; the parcels once the buyer has taken a plan",
    inWorld({ planning: creating }, async (world) => {
      world.documents = [fresh(), parcel("1", { chairs: "2", lamps: "1" })]
      report(await world.sync())
      assert.deepStrictEqual(
        posts(world).map((one) => one.replace(/org-\w+/, "org-1")),
        CREATION
      )
      const [made] = [...world.service.order.values()]
      const items = made!["items"] as ReadonlyArray<Json>
      assert.deepStrictEqual(
        items.map(({ category, description, quantity, tax_rate, total_amount, unit_price }) => [
          description,
          category,
          quantity,
          unit_price,
          total_amount,
          tax_rate
        ]),
        [
          ["chairs", "/furniture/chairs", "4.000", 1500, 6000, "5.00"],
          // 20.00 is no multiple of a price of three lamps.
          ["3 × lamps", "/home", "1.000", 2000, 2000, "20.00"],
          ["rug", "/home", "1.000", 1000, 1000, "20.00"],
          ["delivery", "/home", "1.000", 1000, 1000, "20.00"]
        ]
      )
      assert.deepInclude(made, { unique_id: "SHOP-1", total_amount: 10_000, tax_amount: 300 + 400 + 200 + 200 })
      assert.deepStrictEqual(open(world, "SELECT reason FROM ledger WHERE subject LIKE '%/order/%'"), [
        { reason: "O5: its buyer has not accepted a plan yet" }
      ])
      assert.deepStrictEqual(attention(world), [])

      assert.deepStrictEqual(
        open(world, "SELECT 1 FROM receipt WHERE answer LIKE '%/pay/%'"),
        [],
        "no key to the checkout"
      )

      // Every run looks, and changes nothing.
      report(await world.sync())
      assert.strictEqual(posts(world).length, CREATION.length)

      const id = await take(world, "pending_review")
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [])
      await ask(world, "PUT", `/sandbox/deferred_payments/${id}/status`, { status: "accepted" })
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [["capture", 3333 + 741]])
      const quiet = requests(world).length
      report(await world.sync())
      assert.strictEqual(requests(world).length, quiet, "a further run makes no request")
      assert.strictEqual(payment(world, id).open, 10_000 - 4074)
    })
  )

  it(
    "two orders of one buyer: it is created once, and each order has an offer of its own",
    inWorld({ planning: creating }, async (world) => {
      world.documents = [fresh(), fresh({ id: "O2", number: "SHOP-2", placed: day("2026-03-05") })]
      report(await world.sync())
      assert.strictEqual(world.service.organisation.size, 1)
      assert.strictEqual(world.service.user.size, 1)
      assert.deepStrictEqual([world.service.order.size, world.service.offer.size], [2, 2])
      assert.strictEqual(posts(world).length, 3 + 4)
    })
  )

  it(
    "a buyer that is declined: a person is told why, and nothing is asked again until one says so",
    inWorld({ planning: creating, fault: losing }, async (world) => {
      await ask(world, "PUT", "/sandbox/companies/co-1000/decision", { code: "buyer-insolvent", params: {} })
      world.documents = [fresh()]
      report(await world.sync())
      const [[subject, why] = []] = attention(world)
      assert.strictEqual(subject, "books/order/O1")
      assert.match(why!, /^the service declines to let its buyer pay later: \w/)
      const quiet = requests(world).length
      report(await world.sync())
      assert.strictEqual(requests(world).length, quiet)

      // The service thinks better of its buyer, and a person asks for another offer; all answers to that are lost.
      await retry(world)
      lost = true
      report(await world.sync())
      lost = false
      report(await world.sync())
      assert.deepStrictEqual([world.service.offer.size, attention(world).length], [2, 1])
      await ask(world, "PUT", "/sandbox/companies/co-1000/decision", null)
      await retry(world)
      report(await world.sync())
      assert.deepStrictEqual([world.service.offer.size, attention(world).length], [3, 0])
      assert.deepStrictEqual(
        open(world, "SELECT held ->> '$.status' AS status FROM ledger WHERE subject LIKE '%/order/%'"),
        [{ status: "offered" }]
      )

      await ask(world, "PUT", "/sandbox/companies/co-1000/decision", { code: "buyer-insolvent", params: {} })
      world.documents = [fresh({ status: "cancelled" })]
      report(await world.sync())
      assert.deepStrictEqual(attention(world), [], "the shop cancelled it: nobody is needed any more")
    })
  )

  it(
    "an offer that nobody took: it is looked for until it ends, and then a person is told",
    inWorld({ planning: creating }, async (world) => {
      world.documents = [fresh()]
      report(await world.sync())
      world.clock.set(world.clock.currentTimeMillisUnsafe() + 15 * 86_400_000)
      report(await world.sync())
      assert.deepStrictEqual(attention(world), [
        ["books/order/O1", "the offer expired before its buyer accepted a plan"]
      ])
      const quiet = requests(world).length
      report(await world.sync())
      assert.strictEqual(requests(world).length, quiet)
    })
  )

  it(
    "a buyer takes a plan of an order that the shop has cancelled meanwhile: it is voided",
    inWorld({ planning: creating }, async (world) => {
      world.documents = [fresh()]
      report(await world.sync())
      world.documents = [fresh({ status: "cancelled" }), cancellation("1")]
      report(await world.sync())
      const id = await take(world)
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [["void", 10_000]])
    })
  )

  it(
    "what cannot be created is said, all of it at once",
    inWorld({ planning: { ...plain, orders: { create: { category: "/home" } } } }, async (world) => {
      world.documents = [fresh()]
      report(await world.sync())
      assert.deepStrictEqual(attention(world), [
        [
          "books/order/O1",
          'it cannot be created on the service: line "chairs" has the tax "reduced"; map it under orders.create.tax_rates; ' +
            'line "lamps" has no tax rate; set orders.create.tax_rate; line "rug" has no tax rate; set orders.create.tax_rate; ' +
            'line "delivery" has no tax rate; set orders.create.tax_rate'
        ]
      ])
      assert.strictEqual(world.service.order.size, 0)
    })
  )

  it(
    "a buyer that the service refuses: its order waits for it, and goes on once it is put right",
    inWorld({ planning: creating }, async (world) => {
      world.documents = [fresh({ buyer: { ...buyer, company: "co-unknown" } })]
      report(await world.sync())
      report(await world.sync())
      assert.deepStrictEqual(
        attention(world).map(([subject]) => subject),
        ["books/buyer/B1"]
      )
      assert.deepStrictEqual(posts(world), ["POST /v1/organisations"])
      world.documents = [fresh()]
      report(await world.sync())
      assert.deepStrictEqual([world.service.order.size, attention(world).length], [1, 0])
    })
  )

  it(
    "lines that change after it was created are for a person; its reference is sent",
    inWorld({ planning: creating }, async (world) => {
      world.documents = [fresh()]
      report(await world.sync())
      world.documents = [fresh({ number: "SHOP-1B" })]
      report(await world.sync())
      assert.deepStrictEqual(
        [...world.service.order.values()].map((one) => one["unique_id"]),
        ["SHOP-1B"]
      )
      assert.deepStrictEqual(attention(world), [])
      world.documents = [fresh({ number: "SHOP-1B", lines: fresh().lines.slice(1) })]
      report(await world.sync())
      assert.match(attention(world)[0]![1]!, /^its lines changed after it was created/)
    })
  )
})

/** What the service holds once an order was created, whatever failed on the way. */
const once = (world: World, label: string) => {
  const { offer, order, organisation, user } = world.service
  assert.deepStrictEqual([organisation.size, user.size, order.size, offer.size], [1, 1, 1, 1], label)
  assert.deepStrictEqual(attention(world), [], label)
}

describe("creating orders when things go wrong", () => {
  // Fails without the line of `awaiting` (sync/rules/OrderCreation.ts) that names an order which ended before its offer.
  it("one that ends before its offer was made is done with: nobody makes one, so there is nothing to look for", async () => {
    for (const ended of ["closed", "cancelled", "gone"] as const) {
      const fault = (_: string, path: string) =>
        path.startsWith("/v1/payment/offers") ? { kind: "status" as const, status: 503 } : undefined
      await inWorld({ planning: creating, fault }, async (world) => {
        world.documents = [fresh()]
        await world.sync()
        assert.deepStrictEqual([world.service.order.size, world.service.offer.size], [1, 0], ended)
        world.documents = ended === "gone" ? [] : [fresh({ status: ended })]
        // Reads what became of the request for an offer.
        report(await world.sync())
        const asked = requests(world).length
        report(await world.sync())
        assert.deepStrictEqual(requests(world).slice(asked), [], ended)
        assert.deepStrictEqual(attention(world), [], ended)
        assert.deepStrictEqual(
          open(world, "SELECT reason FROM ledger WHERE subject LIKE '%/order/%'"),
          [{ reason: "offer: the order ended before one was made" }],
          ended
        )
      })()
    }
  })

  for (const kind of ["lose_response", "lose_request", "garble", "late", "status"] as const) {
    it(`${kind} on each of its calls: there is one of everything`, async () => {
      for (let at = 1; at <= CREATION.length; at++) {
        let n = 0
        const fault = (method: string) =>
          method === "POST" && ++n === at ? { kind, delay_ms: 2000, status: 503 } : undefined
        await inWorld({ planning: creating, fault }, async (world) => {
          world.documents = [fresh()]
          report(await world.sync())
          await world.clock.settle()
          report(await world.sync())
          once(world, `${kind} at ${at}`)
        })()
      }
    })
  }

  it("a kill at every step: there is one of everything, and the plan is empty afterwards", async () => {
    // Every third one in a run of the tests.
    for (let at = 1; ; at += apart(3)) {
      let dead = false
      await inWorld({ planning: creating }, async (world) => {
        world.documents = [fresh()]
        world.killAt = at
        await world.sync()
        dead = world.dead
        world.killAt = undefined
        await world.clock.settle()
        report(await world.sync())
        once(world, `killed at ${at}`)
        const quiet = posts(world).length
        report(await world.sync())
        assert.strictEqual(posts(world).length, quiet)
      })()
      if (!dead) return assert.isAbove(at, 20)
    }
  })
})
