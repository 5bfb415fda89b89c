/**
 * Orders on which more than one hand works: two machines at once, answers that are lost, keys that somebody else used,
 * captures by hand that a person accepts, and the guard before many voids.
 */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import * as AttentionActions from "../../../sync/apply/AttentionActions.ts"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import { Database } from "../../../sync/state/Database.ts"
import { GuardError } from "../../../sync/state/LedgerTrust.ts"
import * as OrderCompleteness from "../../../sync/reconciliation/OrderStatement.ts"
import type { OrderPostingKind } from "../../../sync/model/DeferredPayment.ts"
import { uuid } from "../../../sync/rules/OrderAttention.ts"
import { cancellation, order, parcel, returned } from "../../support/Orders.ts"
import { inWorld, open, report, requests } from "../InWorld.ts"
import { booked, byHand, checkout, payment } from "../Shop.ts"
import { World } from "../World.ts"

const attention = (world: World) =>
  open(world, "SELECT why FROM attention WHERE closed IS NULL ORDER BY id").map(({ why }) => String(why))

/** Everything that can happen to the order of 100.00, and it is closed. */
const whole = (deferredPayment: string): ReadonlyArray<Document> => [
  order({ deferredPayment, status: "closed" }),
  parcel("1", { chairs: "2", lamps: "1" }, "2026-03-02"),
  parcel("2", { chairs: "2" }, "2026-03-03"),
  cancellation("4", { rug: "1" }),
  parcel("3", { lamps: "2" }, "2026-03-05"),
  returned("5", { chairs: "1" })
]
/** What came back before anything was captured is voided with the rest. */
const AFTER = { open: 0, captured: 7222, voided: 2778, refunded: 0, status: "captured" }
const POSTINGS = 2

const isTaking = (method: string, path: string) => method === "POST" && path.includes("deferred_payments")

const statement = async (world: World): Promise<OrderCompleteness.OrderStatement> => {
  const exit = await world.life(
    Effect.flatMap(Database, (db) => db.read(() => OrderCompleteness.statements(db, ["books"])))
  )
  if (exit._tag === "Failure") throw new Error(Cause.pretty(exit.cause))
  return exit.value[0]!
}

describe("two hands on one order", () => {
  for (const behind of [0, 1, 3, 6, 10, 15, 25]) {
    it(
      `two machines with books of their own, one ${behind} turns behind: every effect once`,
      inWorld({}, async (world) => {
        const other = new World({ beside: world })
        try {
          const id = await checkout(world, order())
          other.documents = world.documents = whole(id)
          const late = async () => {
            for (let n = 0; n < behind; n++) await new Promise((resume) => setImmediate(resume))
            return other.sync()
          }
          for (const exit of await Promise.all([world.sync(), late()])) report(exit)
          for (let n = 0; n < 2; n++) for (const one of [world, other]) report(await one.sync())
          assert.deepStrictEqual(payment(world, id), AFTER)
          assert.strictEqual(booked(world, id).length, POSTINGS)
        } finally {
          other.close()
        }
      })
    )
  }

  for (const kind of ["lose_response", "lose_request", "garble", "late", "status"] as const) {
    it(`${kind} at each capture, void and refund in turn, and at all of them`, async () => {
      for (let at = 0; at <= POSTINGS; at++) {
        let [n, quiet] = [0, false]
        const strikes = (method: string, path: string) => !quiet && isTaking(method, path) && (++n === at || at === 0)
        const fault = (method: string, path: string) =>
          strikes(method, path) ? { kind, status: 503, delay_ms: 2000 } : undefined
        await inWorld({ fault }, async (world) => {
          const id = await checkout(world, order())
          world.documents = whole(id)
          // At all of them: what is not known in one run is looked up in the next, whose answers are lost as well.
          for (let runs = 0; runs < (at === 0 ? 3 : 1); runs++) report(await world.sync())
          quiet = true
          await world.clock.settle()
          report(await world.sync())
          assert.deepStrictEqual(payment(world, id), AFTER, `${kind} at ${at}`)
          assert.strictEqual(booked(world, id).length, POSTINGS, `${kind} at ${at}`)
          assert.deepStrictEqual(attention(world), [])
          const before = requests(world).length
          report(await world.sync())
          assert.strictEqual(requests(world).length, before)
        })()
      }
    })
  }

  it("a capture whose answers were all lost, of a parcel that grows meanwhile: each unit is charged once", async () => {
    let quiet = false
    const fault = (_: string, path: string) =>
      !quiet && path.endsWith("/capture") && !path.includes("orders") ? { kind: "lose_response" as const } : undefined
    await inWorld({ fault }, async (world) => {
      const id = await checkout(world, order())
      world.documents = [order({ deferredPayment: id }), parcel("1", { chairs: "1" })]
      assert.deepInclude(report(await world.sync()), { unknown: 1 })
      quiet = true
      world.documents = [order({ deferredPayment: id }), parcel("1", { chairs: "2" })]
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [
        ["capture", 1667],
        ["capture", 1666]
      ])
      assert.deepStrictEqual(attention(world), [])
    })()
  })

  const replayed: ReadonlyArray<readonly [OrderPostingKind, string, string, number]> = [
    ["capture", "2", "0 0>6667", 6667],
    ["void", "4", "0 0>1111", 1111]
  ]
  for (const [taking, fact, step] of replayed) {
    it(
      `the key of a ${taking} that somebody used with another amount: no double effect, and attention`,
      inWorld({}, async (world) => {
        const id = await checkout(world, order())
        const sold = order({ deferredPayment: id })
        const facts = taking === "capture" ? [parcel(fact, { chairs: "4" })] : [cancellation(fact, { rug: "1" })]
        world.documents = [sold]
        report(await world.sync())
        const key = uuid(["books", "books/order/O1", id, taking, step].join("\n"))
        // After the payment was read, and before the request is there.
        world.onSend = (_, __, path) => {
          if (!path.endsWith(`/${taking}`)) return
          world.onSend = undefined
          void byHand(world, id, taking, 100, key)
        }
        world.documents = [sold, ...facts]
        assert.deepInclude(report(await world.sync()), { failed: 1, attention: 1 })
        assert.match(attention(world)[0]!, /The idempotency key was used with another amount/)
        report(await world.sync())
        assert.deepStrictEqual(booked(world, id), [[taking, 100]])
      })
    )
  }
})

/** A person closes the matter about this. */
const resolve = (world: World, about: RegExp) =>
  world.life(
    Effect.flatMap(Database, (db) =>
      db.transaction(() => {
        const found = AttentionStore.list(db).find(({ why }) => about.test(why))
        return found === undefined ? undefined : AttentionActions.resolve(db, found, "I captured it", 0)
      })
    )
  )

describe("what was sent by hand", () => {
  it(
    "a capture by hand: nothing is captured twice, a difference is named, and once a person says so it was for this order",
    inWorld({}, async (world) => {
      const id = await checkout(world, order())
      await byHand(world, id, "capture", 4075, "by-hand")
      world.documents = whole(id).slice(0, 2)
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [["capture", 4075]])
      const [apart] = (await statement(world)).differences
      assert.deepInclude(apart, { document: "books/order/O1", what: "charged", source: "40.74", service: "40.75" })

      assert.deepInclude(await resolve(world, /others captured 40\.75 GBP/), { _tag: "Success", value: true })
      report(await world.sync())
      assert.deepStrictEqual(attention(world), [])
      assert.deepStrictEqual(booked(world, id), [
        ["capture", 4075],
        ["void", 5925]
      ])
      assert.deepInclude(await statement(world), {
        authorised: "100.00",
        captured: "40.75",
        voided: "59.25",
        open: "0.00",
        differences: []
      })
    })
  )

  it(
    "what it is beyond the parcel's is a question of its own once the order is closed",
    inWorld({}, async (world) => {
      const id = await checkout(world, order())
      await byHand(world, id, "capture", 5000, "by-hand")
      world.documents = whole(id).slice(0, 2)
      report(await world.sync())
      await resolve(world, /others captured 50\.00 GBP/)
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [
        ["capture", 5000],
        ["void", 5000]
      ])
      await resolve(world, /50\.00 GBP was charged and 40\.74 GBP is owed/)
      report(await world.sync())
      assert.deepStrictEqual([booked(world, id).length, attention(world).length], [2, 0])
    })
  )

  it(
    "a void by hand keeps a cancellation from being sent again",
    inWorld({}, async (world) => {
      const id = await checkout(world, order())
      await byHand(world, id, "void", 1111, "by-hand")
      world.documents = [order({ deferredPayment: id }), cancellation("4", { rug: "1" })]
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [["void", 1111]])
      await resolve(world, /voided 11\.11 GBP/)
      report(await world.sync())
      assert.deepStrictEqual([booked(world, id).length, attention(world).length], [1, 0])
    })
  )
})

describe("amounts without goods", () => {
  it(
    "a discount after the sale: voided off what is open, refunded off what was captured",
    inWorld({}, async (world) => {
      const id = await checkout(world, order())
      const off = { ...cancellation("off"), amount: of("20.00") }
      world.documents = [order({ deferredPayment: id }), off, parcel("1", {}, "2026-03-05")]
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [
        ["capture", 8000],
        ["void", 2000]
      ])
      const back = { ...returned("back"), amount: of("10.00") }
      world.documents = [...world.documents, back, returned("all", {}, "2026-03-12")]
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id).slice(2), [["refund", 8000]])
      assert.deepStrictEqual(attention(world), [])
    })
  )
})

describe("the guard", () => {
  it(
    "stops a run that would void most orders, the first one too",
    inWorld({}, async (world) => {
      const documents: Array<Document> = []
      for (let n = 1; n <= 6; n++) {
        const one = order({ id: `O${n}`, number: `SHOP-${n}` })
        documents.push({ ...one, deferredPayment: await checkout(world, one), status: n < 5 ? "cancelled" : "open" })
      }
      world.documents = documents
      const exit = await world.sync({ allow: [] })
      const [reason] = exit._tag === "Failure" ? exit.cause.reasons : []
      assert.isTrue(reason?._tag === "Fail" && reason.error instanceof GuardError)
      assert.include((reason as { readonly error: GuardError }).error.message, "would make 4 calls")
      assert.isFalse(requests(world).some((one) => one.endsWith("/void")))
    })
  )
})
