/**
 * What is reported stays where it is: no later payment and no rule that became less certain takes it back, only its source or
 * a person. What the service holds says where it was, also to a state file that knows nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import type { Payment } from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as MatchChoices from "../../../sync/matching/Choices.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { audit } from "../../../sync/reconciliation/Audit.ts"
import { invoice } from "../../support/Documents.ts"
import { inWorld, open, report } from "../InWorld.ts"
import { violations } from "../Invariants.ts"
import { back, BAKERY, received } from "../Paying.ts"
import type { World } from "../World.ts"

const DUE = { issued: "2026-01-01", due: "2026-01-31" }
const one = invoice(DUE)
const two = invoice({ ...DUE, id: "I2", number: "INV-2" })

const synced = async (world: World, payments: World["payments"]) => {
  world.payments = payments
  return report(await world.sync())
}

/** What the service received on each invoice. */
const held = (world: World) =>
  Object.fromEntries(
    [...world.service.transaction.values()].map(({ id, number }) => [
      number,
      [...world.service.payment.values()]
        .filter(({ transaction }) => transaction === id)
        .map(({ amount }) => `${amount}`)
    ])
  )

const needs = (world: World) =>
  open(world, "SELECT subject || ' ' || rule AS item FROM attention WHERE closed IS NULL ORDER BY 1").map(
    ({ item }) => item
  )

describe("a payment that is reported", () => {
  it("stays where it is when another one of its amount makes it uncertain", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      await synced(world, [received("D1", BAKERY)])
      assert.deepStrictEqual(held(world), { "INV-1": ["120.00"] })
      world.documents = [one, two]
      await synced(world, [
        received("D0", { ...BAKERY, date: "2026-01-20" }),
        received("D1", BAKERY),
        received("D2", BAKERY)
      ])
      assert.deepStrictEqual(held(world), { "INV-1": ["120.00"], "INV-2": ["120.00"] })
      assert.deepStrictEqual(needs(world), ["debits/payment/D2 M3"])
      assert.deepStrictEqual(await violations(world), [])
    })())

  it("stays when a later one names its invoice, which is then asked about", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      await synced(world, [received("D1", BAKERY)])
      await synced(world, [received("D1", BAKERY), received("D2", { ...BAKERY, reference: "INV-1" })])
      assert.deepStrictEqual(held(world), { "INV-1": ["120.00"] })
      assert.deepStrictEqual(needs(world), ["debits/payment/D2 M2"])
      assert.deepStrictEqual(await violations(world), [])
    })())

  it("takes its invoice from then on, for what named it before as well", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one, { ...two, gross: of("50.00"), net: of("50.00") }]
      const both = received("D2", { ...BAKERY, amount: "100.00", reference: "INV-1 and INV-2" })
      for (let n = 0; n < 2; n++) await synced(world, [received("D1", BAKERY), both])
      assert.deepStrictEqual(held(world), { "INV-1": ["120.00"], "INV-2": [] })
      const [why] = open(world, "SELECT why FROM attention WHERE closed IS NULL").map((item) => String(item["why"]))
      assert.include(why, "it names INV-1 and INV-2, but only 50.00 GBP of that is open")
      assert.deepStrictEqual(await violations(world), [])
    })())

  it("is asked about once the invoice that its text names is there, and stays until somebody says", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      const named = received("D1", { ...BAKERY, reference: "INV-2" })
      await synced(world, [named])
      assert.deepStrictEqual(held(world), { "INV-1": ["120.00"] })
      world.documents = [one, two]
      for (let n = 0; n < 2; n++) await synced(world, [named])
      assert.deepStrictEqual(held(world), { "INV-1": ["120.00"], "INV-2": [] })
      const [why] = open(world, "SELECT why FROM attention WHERE closed IS NULL").map((item) => String(item["why"]))
      assert.include(why, "it is reported on INV-1, and its text names INV-2")
      assert.deepStrictEqual(await violations(world), [])
      await world.life(
        Effect.flatMap(Database, (db) =>
          db.transaction(() => MatchChoices.choose(db, "debits/payment/D1", [{ invoice: "I2" }], 0))
        )
      )
      await synced(world, [named])
      assert.deepStrictEqual(held(world), { "INV-1": ["120.00", "-120.00"], "INV-2": ["120.00"] })
      // It was marked as paid meanwhile, which only the service's operator can change.
      assert.deepStrictEqual([needs(world), await violations(world)], [["books/invoice/I1 T13"], []])
    })())

  it("counts on its invoice when that has another number", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      const part = received("D1", { ...BAKERY, amount: "80.00", reference: "INV-1" })
      await synced(world, [part])
      world.documents = [{ ...one, number: "INV-8" }]
      for (let n = 0; n < 2; n++)
        await synced(world, [part, received("D2", { ...BAKERY, amount: "120.00", reference: "INV-8" })])
      assert.deepStrictEqual(held(world), { "INV-8": ["80.00"] })
      const [why] = open(world, "SELECT why FROM attention WHERE closed IS NULL").map((item) => String(item["why"]))
      assert.include(why, "only 40.00 GBP of that is open")
      assert.deepStrictEqual(await violations(world), [])
    })())

  it("leaves its invoice to another one once all of it went back", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      const first = [received("D1", BAKERY), received("D2", { ...BAKERY, date: "2026-02-20" })]
      await synced(world, [first[0]!, back("B1", "D1")])
      await synced(world, [...first, back("B1", "D1")])
      assert.deepStrictEqual(held(world), { "INV-1": ["120.00", "-120.00", "120.00"] })
      assert.deepStrictEqual(await violations(world), [])
    })())

  it("leaves none for another one of its amount of which all went back, whichever was read first", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one, two]
      const all = ["D1", "D2", "D3"].map((id, n) => received(id, { ...BAKERY, date: `2026-01-2${n}` }))
      for (let n = 0; n < 2; n++) await synced(world, [...all, back("B3", "D3")])
      assert.deepStrictEqual(held(world), { "INV-1": ["120.00"], "INV-2": ["120.00"] })
      assert.deepStrictEqual(await violations(world), [])
    })())

  it("leaves none for another one of its amount of which all went back, read later", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      const first = received("D1", BAKERY)
      await synced(world, [first])
      for (let n = 0; n < 2; n++) await synced(world, [first, received("D2", BAKERY), back("B2", "D2")])
      assert.deepStrictEqual(held(world), { "INV-1": ["120.00"] })
      assert.deepStrictEqual(needs(world), ["debits/payment/D2 M3"])
      assert.deepStrictEqual(await violations(world), [])
    })())

  it("opens its invoice by no more than it was, however much its source says went back", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      const returned = [received("D1", BAKERY), back("B1", "D1"), back("B2", "D1")]
      for (let n = 0; n < 2; n++) await synced(world, returned)
      await synced(world, [...returned, received("D2", { ...BAKERY, amount: "240.00" })])
      assert.include(needs(world), "debits/payment/D2 M3")
      assert.deepStrictEqual(await violations(world), [])
    })())

  it("leaves an invoice that became void, and is asked about", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      await synced(world, [received("D1", BAKERY)])
      world.documents = [{ ...one, status: "void" }]
      for (let n = 0; n < 2; n++) await synced(world, world.payments)
      assert.include(needs(world), "debits/payment/D1 M3")
      assert.deepStrictEqual(await violations(world), [])
    })())

  it("leaves when its source says something else of it", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one, two]
      await synced(world, [received("D1", { ...BAKERY, reference: "INV-1" })])
      await synced(world, [received("D1", { ...BAKERY, reference: "INV-2" })])
      assert.deepStrictEqual(held(world), { "INV-1": ["120.00", "-120.00"], "INV-2": ["120.00"] })
      assert.deepStrictEqual(await violations(world), [])
    })())

  it("leaves when a person says so, and what came back of it follows", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one, two]
      const paid = received("D1", { ...BAKERY, reference: "INV-1" })
      await synced(world, [paid])
      await world.life(
        Effect.flatMap(Database, (db) =>
          Effect.andThen(
            db.transaction(() => MatchChoices.choose(db, "debits/payment/D1", [{ invoice: "INV-2" }], 0)),
            Matching.run
          )
        )
      )
      await synced(world, [paid, back("R1", "D1", { date: "2026-02-10" })])
      assert.deepStrictEqual(held(world), { "INV-1": ["120.00", "-120.00"], "INV-2": ["120.00", "-120.00"] })
      assert.deepStrictEqual(await violations(world), [])
    })())
})

describe("a decision that is reported", () => {
  it("leaves when a person takes the decision back", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one, invoice({ ...DUE, id: "INV-2", number: "INV-2" })]
      const paid = received("D1", { party: { name: "Somebody Else" }, reference: "for INV-2", amount: "100.00" })
      await synced(world, [paid])
      const decide = (work: (db: Database["Service"]) => unknown) =>
        world.life(
          Effect.flatMap(Database, (db) =>
            Effect.andThen(
              db.transaction(() => work(db)),
              Matching.run
            )
          )
        )
      await decide((db) => MatchChoices.choose(db, "debits/payment/D1", [{ invoice: "INV-2" }], 0))
      await synced(world, [paid])
      assert.deepStrictEqual(held(world), { "INV-1": [], "INV-2": ["100.00"] })
      await decide((db) => MatchChoices.forget(db, "debits/payment/D1", 0))
      await synced(world, [paid])
      assert.deepStrictEqual(held(world), { "INV-1": [], "INV-2": ["100.00", "-100.00"] })
      assert.deepStrictEqual(await violations(world), [])
    })())
})

describe("a state file that is lost", () => {
  const stranger: Payment = received("D1", { party: { name: "Somebody Else" }, reference: "thanks", amount: "100.00" })

  it("learns from the service which invoice a person chose", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one, two]
      await synced(world, [stranger])
      assert.deepStrictEqual(needs(world), ["debits/payment/D1 M3"])
      await world.life(
        Effect.flatMap(Database, (db) =>
          Effect.andThen(
            db.transaction(() => MatchChoices.choose(db, "debits/payment/D1", [{ invoice: "INV-2" }], 0)),
            Matching.run
          )
        )
      )
      await synced(world, [stranger])
      assert.deepStrictEqual(held(world), { "INV-1": [], "INV-2": ["100.00"] })
      for (const end of ["", "-wal", "-shm"]) rmSync(world.file + end, { force: true })
      await world.sync({ guarded: true })
      await world.life(audit(world.connections, { fix: true, onFound: () => Effect.void }))
      await synced(world, [stranger])
      assert.deepStrictEqual(held(world), { "INV-1": [], "INV-2": ["100.00"] })
      assert.deepStrictEqual(needs(world), [])
      assert.deepStrictEqual(await violations(world, undefined, true), [])
    })())
})
