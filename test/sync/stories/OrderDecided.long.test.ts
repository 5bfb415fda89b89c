/**
 * What a person decides about orders, with a machine that dies at every step of the decision, and at every fourth step of
 * the run that carries it out (nightly: at every step). Made again where it was not made, each step is captured, voided or refunded once, what was accepted is
 * not done again, and the sums are those that are written out here. 100.00: two chairs are 33.33, a lamp 7.41, the rug 11.11.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import * as AttentionActions from "../../../sync/apply/AttentionActions.ts"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import type { OrderPostingKind } from "../../../sync/model/DeferredPayment.ts"
import * as Undo from "../../../sync/decisions/Undo.ts"
import * as Facts from "../../../sync/plan/Facts.ts"
import { Database } from "../../../sync/state/Database.ts"
import { Approver } from "../../simulation/Approver.ts"
import { configurationOf, WAYS } from "../../simulation/Ways.ts"
import { apart } from "../../support/Effort.ts"
import { cancellation, order, parcel, returned } from "../../support/Orders.ts"
import { ask, inWorld, open, report, requests } from "../InWorld.ts"
import { attention, booked, byHand, checkout, creating, fresh, payment } from "../Shop.ts"
import type { World } from "../World.ts"

type Booking = readonly [OrderPostingKind, number]

interface Decision {
  /** What the books say besides the order: when nothing is wrong, when a person is asked, and in the end. */
  readonly first: ReadonlyArray<Document>
  readonly asked: ReadonlyArray<Document>
  readonly last: ReadonlyArray<Document>
  /** What somebody does on the service before the person is asked. */
  readonly byHand?: Booking
  /** What they decide about, one after the other. */
  readonly about: ReadonlyArray<RegExp>
  /** All that is booked in the end, by hand too. */
  readonly booked: ReadonlyArray<Booking>
  readonly closed?: true
}

const all = parcel("1", { chairs: "4", lamps: "3", rug: "1" })
const chairs = parcel("1", { chairs: "2" })
const rug = parcel("9", { rug: "1" }, "2026-03-08")
const CHAIRS: Booking = ["capture", 3333]
const RUG: Booking = ["capture", 1111]

const DECISIONS: Readonly<Record<string, Decision>> = {
  "that a capture by hand was for goods to come": {
    first: [chairs],
    byHand: ["capture", 1667],
    asked: [chairs, cancellation("2", { rug: "1" })],
    about: [/others captured/],
    last: [chairs, cancellation("2", { rug: "1" }), parcel("3", { chairs: "1" }, "2026-03-04")],
    closed: true,
    booked: [CHAIRS, ["capture", 1667], ["void", 5000]]
  },
  "that a capture by hand was a parcel's": {
    first: [],
    byHand: CHAIRS,
    asked: [rug],
    about: [/others captured/],
    last: [rug, chairs],
    booked: [CHAIRS, RUG]
  },
  "that a void by hand was a cancellation's": {
    first: [],
    byHand: ["void", 1111],
    asked: [cancellation("2", { rug: "1" })],
    about: [/voided 11\.11 GBP/],
    last: [cancellation("2", { rug: "1" }), parcel("3", {}, "2026-03-05")],
    booked: [
      ["void", 1111],
      ["capture", 8889]
    ]
  },
  "that a refund by hand was a return's": {
    first: [all],
    byHand: ["refund", 1111],
    asked: [all, returned("2", { rug: "1" })],
    about: [/refunded 11\.11 GBP/],
    last: [all, returned("2", { rug: "1" }), returned("3", { lamps: "1" }, "2026-03-10")],
    booked: [
      ["capture", 10000],
      ["refund", 1111],
      ["refund", 741]
    ]
  }
}

/** The person closes each matter about this, if it is open. */
const resolve = (world: World, about: RegExp) =>
  world.life(
    Effect.flatMap(Database, (db) =>
      Effect.gen(function* () {
        for (const found of AttentionStore.list(db).filter(({ why }) => about.test(why)))
          yield* db.transaction(() => AttentionActions.resolve(db, found, "seen to", 0))
      })
    )
  )

const isOpen = (world: World, about: RegExp) => attention(world).some(([, why]) => about.test(why))

/** Where the machine dies: at a step of the decisions, or of the run after them. */
interface Death {
  readonly deciding?: number
  readonly sending?: number
}

/** Nothing more is sent. */
const isQuiet = async (world: World) => {
  const before = requests(world).length
  report(await world.sync())
  assert.strictEqual(requests(world).length, before)
}

/** Answers whether it died. */
const play = async (decision: Decision, { deciding, sending }: Death): Promise<boolean> => {
  let died = false
  await inWorld({}, async (world) => {
    const id = await checkout(world, order())
    const sold = order({ deferredPayment: id })
    const says = async (facts: ReadonlyArray<Document>) => {
      world.documents = [sold, ...facts]
      report(await world.sync())
    }
    await says(decision.first)
    assert.deepStrictEqual(attention(world), [])
    if (decision.byHand !== undefined) await byHand(world, id, ...decision.byHand, "by-hand")
    await says(decision.asked)
    for (const about of decision.about) {
      assert.isTrue(isOpen(world, about), `${about} in ${attention(world).join("; ")}`)
      world.killAt = deciding
      await resolve(world, about)
      died ||= world.dead
      world.killAt = undefined
      // What the machine left is whole: it is sent once before the person tries again.
      if (isOpen(world, about)) {
        report(await world.sync())
        assert.strictEqual((await resolve(world, about))._tag, "Success")
      }
      if (about !== decision.about.at(-1)) report(await world.sync())
    }
    const ended = decision.closed === true ? { ...sold, status: "closed" as const } : sold
    world.documents = [ended, ...decision.last]
    world.killAt = sending
    await world.sync()
    died ||= world.dead
    world.killAt = undefined
    report(await world.sync())
    assert.deepStrictEqual(attention(world), [])
    const sorted = (all: ReadonlyArray<readonly [unknown, number]>) => all.map((one) => one.join(" ")).toSorted()
    assert.deepStrictEqual(sorted(booked(world, id)), sorted(decision.booked))
    const sum = (kind: OrderPostingKind) =>
      decision.booked.reduce((all, [taking, amount]) => (taking === kind ? all + amount : all), 0)
    const { captured, open, refunded, voided } = payment(world, id)
    assert.deepStrictEqual([captured, voided, refunded], [sum("capture"), sum("void"), sum("refund")])
    assert.strictEqual(open, 10000 - captured - voided)
    await isQuiet(world)
  })()
  return died
}

/** An answer is given and taken back, as the machine is now. */
const takingBack = (world: World, about: RegExp) =>
  world.life(
    Effect.gen(function* () {
      const db = yield* Database
      const answers = () => Object.keys(Facts.remoteOrder(db, item!.subject)?.answers ?? {})
      const item = AttentionStore.list(db).find(({ why }) => about.test(why))
      // Texts are for people: another version has other words.
      const reworded = { ...item!, why: "in other words" }
      assert.isTrue(yield* db.transaction(() => AttentionActions.resolve(db, reworded, "it was for this order", 0)))
      assert.lengthOf(answers(), 1)
      const [{ digest, id }] = Undo.offers(db, 1) as [Undo.Offered]
      assert.notProperty(yield* Undo.undo([world.connection], { id: String(id), digest }), "why")
      assert.deepStrictEqual([answers(), AttentionStore.find(db, item!.id)], [[], item])
    })
  )

/** One step after the other, so far apart, until there is none left to die at. Answers at which there was none. */
const everywhere = async (dies: (at: number) => Promise<boolean>, steps = 1, first = 1): Promise<number> => {
  for (let at = first; ; at += steps) if (!(await dies(at))) return at - 1
}

/** Of the steps of a run, which are many: not the same ones for each decision. */
const SOME = apart(4)

const LIMIT = { timeout: 120_000 }

describe("a person decides about an order", () => {
  for (const [n, [name, decision]] of Object.entries(DECISIONS).entries()) {
    it(`${name}: a kill at any step of it, and of the run after it`, LIMIT, async () => {
      assert.isAtLeast(await everywhere((at) => play(decision, { deciding: at })), 2)
      assert.isAtLeast(await everywhere((at) => play(decision, { sending: at }), SOME, 1 + (n % SOME)), 8)
    })
  }

  it(
    "that a declined buyer is asked about again: a kill at any step leaves one order, and one more offer",
    LIMIT,
    async () => {
      const dies = async ({ deciding, sending }: Death) => {
        let died = false
        await inWorld({ planning: creating }, async (world) => {
          const decide = (decision: unknown) => ask(world, "PUT", "/sandbox/companies/co-1000/decision", decision)
          await decide({ code: "buyer-insolvent", params: {} })
          world.documents = [fresh()]
          report(await world.sync())
          await decide(null)
          const retry = () =>
            world.life(
              Effect.flatMap(Database, (db) =>
                db.transaction(() => {
                  for (const { id } of AttentionStore.list(db)) AttentionActions.retry(db, id, 0)
                })
              )
            )
          world.killAt = deciding
          await retry()
          died = world.dead
          world.killAt = undefined
          if (attention(world).length > 0) assert.strictEqual((await retry())._tag, "Success")
          world.killAt = sending
          await world.sync()
          died ||= world.dead
          world.killAt = undefined
          report(await world.sync())
          assert.deepStrictEqual(attention(world), [])
          assert.deepStrictEqual([world.service.order.size, world.service.offer.size], [1, 2])
        })()
        return died
      }
      assert.isAtLeast(await everywhere((at) => dies({ deciding: at })), 2)
      assert.isAtLeast(await everywhere((at) => dies({ sending: at }), SOME), 4)
    }
  )
})

describe("a person approves a plan about orders", () => {
  it("a kill at any step of the asking, the approval and the sending: each step is booked once", LIMIT, async () => {
    const facts = [chairs, cancellation("2", { rug: "1" }), parcel("3", { lamps: "3" }, "2026-03-05")]
    const dies = async (life: number, at: number) => {
      let died = false
      await inWorld({}, async (world) => {
        const id = await checkout(world, order())
        world.documents = [order({ deferredPayment: id }), ...facts]
        const asking = [{ ...world.connection, approve: true }]
        const approver = new Approver(world, () => asking)
        const configuration = configurationOf(asking, 1)
        const turn = () => world.life(WAYS.turns(configuration, ["books"]))
        const lives = [turn, () => world.life(approver.agree), turn]
        for (const [n, live] of lives.entries()) {
          world.killAt = n === life ? at : undefined
          await live()
          died ||= world.dead
          world.killAt = undefined
        }
        for (let n = 0; n < 6; n++) {
          assert.strictEqual((await turn())._tag, "Success")
          if (!approver.waits) break
          await world.life(approver.agree)
        }
        assert.deepStrictEqual(attention(world), [])
        assert.deepStrictEqual(
          booked(world, id)
            .map((one) => one.join(" "))
            .toSorted(),
          ["capture 5556", "void 1111"]
        )
        assert.deepStrictEqual(open(world, "SELECT * FROM approval"), [])
      })()
      return died
    }
    for (const [life, least] of [4, 2, 15].entries())
      assert.isAtLeast(await everywhere((at) => dies(life, at), SOME), least, `life ${life}`)
  })

  it("asks again once an answer was taken back, and nothing is sent on it", () =>
    inWorld({}, async (world) => {
      const id = await checkout(world, order())
      world.documents = [order({ deferredPayment: id })]
      report(await world.sync())
      await byHand(world, id, "capture", 3333, "by-hand")
      world.documents = [...world.documents, rug]
      report(await world.sync())
      const asked = attention(world)
      const taken = await takingBack(world, /others captured/)
      assert.strictEqual(taken._tag, "Success", String(taken))
      await isQuiet(world)
      assert.deepStrictEqual(attention(world), asked)
    })())
})
