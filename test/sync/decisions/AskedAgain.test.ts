/** A payment that the rules matched with the wrong invoice is taken away from there by whoever knows, and asked about. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Items from "../../../sync/decisions/Items.ts"
import * as Undo from "../../../sync/decisions/Undo.ts"
import * as Choices from "../../../sync/matching/Choices.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { invoiceFacts } from "../../../sync/plan/Facts.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { inWorld } from "../InWorld.ts"
import { violations } from "../Invariants.ts"
import { BAKERY, received } from "../Paying.ts"
import type { World } from "../World.ts"

const LINE = "debits/payment/D1"
const WHO = { connections: [] }

const decide = async <A>(world: World, work: Effect.Effect<A, unknown, Database>): Promise<A> => {
  const ended = await world.life(work)
  if (ended._tag === "Failure") throw new Error(String(ended.cause))
  return ended.value
}

const synced = async (world: World): Promise<void> => {
  await world.sync()
  await world.sync()
  assert.deepStrictEqual(await violations(world), [])
}

const counted = (world: World, id: string) =>
  decide(
    world,
    Effect.flatMap(Database, (db) =>
      db.read(() => invoiceFacts(db, `books/invoice/${id}`).payments.map(({ amount }) => Decimal.format(amount, 2)))
    )
  )

const items = (world: World) =>
  decide(
    world,
    Effect.flatMap(Database, (db) =>
      db.read(
        () =>
          db
            .prepare("SELECT id, rule, why, todo FROM attention WHERE closed IS NULL ORDER BY id")
            .all() as ReadonlyArray<{
            readonly id: number
            readonly rule: string
            readonly why: string
            readonly todo: string
          }>
      )
    )
  )

/** 60.00 came that names one invoice over 120.00, where another of the same payer asks for as much. */
const matched = async (world: World): Promise<void> => {
  world.documents = ["1", "2"].map((n) => invoice({ id: `I${n}`, number: `INV-${n}` }))
  world.payments = [received("D1", { ...BAKERY, amount: "60.00", reference: "INV-1" })]
  await synced(world)
  assert.deepStrictEqual(await counted(world, "I1"), ["60.00"])
}

describe("a payment that is not for what it was matched with", () => {
  it("is taken back from there, asked about, and stays where a person places it", () =>
    inWorld({ pays: true }, async (world) => {
      await matched(world)
      assert.deepStrictEqual(await decide(world, Items.ask(WHO, LINE, false)), { invoices: ["books/invoice/I1"] })
      await synced(world)
      assert.deepStrictEqual(await counted(world, "I1"), [])
      const [item] = await items(world)
      assert.strictEqual(item?.rule, "M4")
      assert.match(
        item?.why ?? "",
        /somebody said that it is not for the invoice that it was matched with; it was reported as 60.00 GBP on 2026-01-31 on INV-1, which is taken back/
      )
      await decide(world, Items.assign(WHO, item?.id ?? 0, ["INV-2"], true))
      await synced(world)
      assert.deepStrictEqual([await counted(world, "I1"), await counted(world, "I2")], [[], ["60.00"]])
      assert.deepStrictEqual(await items(world), [])
    })())

  it("is matched by the rules again where somebody takes that back, by either way", () =>
    inWorld({ pays: true }, async (world) => {
      await matched(world)
      for (const way of ["undo", "unassign"] as const) {
        await decide(world, Items.ask(WHO, LINE, false))
        assert.deepStrictEqual(await counted(world, "I1"), [])
        const choices = await decide(
          world,
          Effect.map(Database, (db) => Choices.list(db, "debits"))
        )
        assert.deepStrictEqual(
          choices.map(({ asked, shares }) => [asked, shares]),
          [[true, []]]
        )
        const [offer] = await decide(
          world,
          Effect.map(Database, (db) => Undo.offers(db, 1))
        )
        if (way === "undo") await decide(world, Undo.undo([], { ...offer!, id: String(offer!.id) }))
        else await decide(world, Items.unassign(WHO, LINE))
        assert.deepStrictEqual(await counted(world, "I1"), ["60.00"], way)
        await synced(world)
      }
    })())

  it("is taken from what is marked as paid only by who knows that this stays so", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [invoice({ id: "I1", number: "INV-1" })]
      world.payments = [received("D1", { ...BAKERY, reference: "INV-1" })]
      await synced(world)
      const words = "INV-1 is marked as paid on the service, which cannot be undone"
      assert.deepStrictEqual(await decide(world, Items.ask(WHO, LINE, false)), { why: words, follows: [words] })
      assert.deepStrictEqual([await counted(world, "I1"), await items(world)], [["120.00"], []])
      await decide(world, Items.ask(WHO, LINE, true))
      await synced(world)
      assert.deepStrictEqual(await counted(world, "I1"), [])
      const [item, ...others] = await items(world)
      assert.deepStrictEqual([item?.rule, others], ["M4", []])
      assert.include(`${item?.why} ${item?.todo}`, "marked as paid")
    })())

  it("is taken from what is marked as paid likewise where somebody takes back the choice of that invoice", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = ["1", "2"].map((n) => invoice({ id: `I${n}`, number: `INV-${n}` }))
      world.payments = [received("D1", { ...BAKERY, reference: "thanks" })]
      await synced(world)
      const [asked] = await items(world)
      await decide(world, Items.assign(WHO, asked?.id ?? 0, ["INV-1"], true))
      await synced(world)
      const words = "INV-1 is marked as paid on the service, which cannot be undone"
      assert.deepStrictEqual(await decide(world, Items.unassign(WHO, LINE)), { why: words, follows: [words] })
      assert.deepStrictEqual(await counted(world, "I1"), ["120.00"])
      await decide(world, Items.unassign(WHO, LINE, { sure: true }))
      assert.deepStrictEqual(await counted(world, "I1"), [])
    })())

  it("is not taken from where its books have it, or if it has no invoice", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [invoice({ id: "I1", number: "INV-1" }), payment("P1", { I1: "120.00" }, "2026-02-01")]
      world.payments = [received("D1", { ...BAKERY, reference: "INV-1" }), received("D2", { amount: "7.00" })]
      await synced(world)
      const why = async (key: string) => {
        const done = await decide(world, Items.ask(WHO, key, false))
        return "why" in done ? done.why : ""
      }
      assert.match(await why(LINE), /is the same money as a payment of the books/)
      assert.match(await why("debits/payment/D2"), /has no invoice that it could be taken from/)
      assert.match(await why("books/payment/P1"), /is not a payment for invoices of another connection/)
      assert.strictEqual(await why("debits/payment/D9"), "no payment debits/payment/D9 is known")
    })())

  it("is named where more came than the invoice asks for", () =>
    inWorld({ pays: true }, async (world) => {
      await matched(world)
      world.payments = [...(world.payments ?? []), received("D2", { ...BAKERY, reference: "INV-9" })]
      await synced(world)
      await decide(
        world,
        Effect.flatMap(Database, (db) =>
          db.transaction(() =>
            Choices.choose(db, "debits/payment/D2", [{ invoice: "I1", amount: Decimal.of("120.00") }], 0)
          )
        )
      )
      await synced(world)
      const over = (await items(world)).find(({ rule }) => rule === "S2")
      assert.include(
        over?.todo ?? "",
        "daybook match payments ask PAYMENT, one of 60.00 GBP on 2026-01-31 (debits/payment/D1), 120.00 GBP on 2026-01-31 (debits/payment/D2);"
      )
    })())
})
