/** A decision about an item, whoever makes it: the first one counts, its connection runs, and who comes second changes nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import * as Items from "../../../sync/decisions/Items.ts"
import { alone } from "../../../sync/decisions/ConnectionLocks.ts"
import { Database, type Db } from "../../../sync/state/Database.ts"
import { paidInvoices } from "../InWorld.ts"
import { World } from "../World.ts"

const ITEMS = {
  refused: { subject: "books/invoice/I1", rule: "R1", fact: "books/invoice/I1" },
  cover: { subject: "books/cover", rule: "Q8", fact: "books/cover/payment" }
}

/** Works with the state file of a world whose books have this item. */
const withItem = async <A>(
  name: keyof typeof ITEMS,
  work: (db: Db, id: number) => Effect.Effect<A, unknown, Database>
): Promise<A> => {
  const world = new World()
  world.documents = paidInvoices(1)
  await world.sync({ digest: "of no plan" })
  const ended = await world.life(
    Effect.gen(function* () {
      const db = yield* Database
      const item = { ...ITEMS[name], why: "it waits for a person", todo: "decide" } as never
      yield* db.hold(db.transaction(() => AttentionStore.update(db, ITEMS[name].subject, [item], undefined, 0)))
      const [{ id } = { id: 0 }] = yield* db.read(() => AttentionStore.list(db, ITEMS[name].subject))
      return yield* work(db, id)
    })
  )
  world.close()
  if (ended._tag === "Failure") throw new Error(String(ended.cause))
  return ended.value
}

type Act = (context: Items.DecisionContext, id: number) => Effect.Effect<unknown, unknown, Database>

const decided = (name: keyof typeof ITEMS, act: Act) => {
  const woken: Array<string> = []
  const context = { connections: [], wake: (id: string) => Effect.sync(() => void woken.push(id)) }
  return withItem(name, (db, id) =>
    Effect.gen(function* () {
      const first = yield* act(context, id)
      const after = { first, woken: [...woken], how: yield* db.read(() => AttentionStore.closedHow(db, id)?.how) }
      const second = yield* act(context, id)
      const { why } = yield* db.read(() => Items.undecided(db, id))
      return { ...after, second, again: woken.length - after.woken.length, why }
    })
  )
}

describe("a decision about an item", () => {
  const acts: Readonly<Record<string, readonly [keyof typeof ITEMS, Act]>> = {
    "that it is closed": ["refused", (context, id) => Items.resolve(context, id, "by hand")],
    "that cover may be bought again": ["cover", (context, id) => Items.resolve(context, id, "by hand")],
    "that it is sent again": ["refused", (context, id) => Items.retry(context, [id])]
  }
  for (const [name, [item, act]] of Object.entries(acts))
    it(`${name}: it counts once, and its connection runs`, async () => {
      const { again, first, second, why, woken } = await decided(item, act)
      assert.isDefined(first)
      assert.notProperty(first, "why")
      assert.deepStrictEqual(woken, ["books"])
      assert.deepStrictEqual([second, again], [undefined, 0])
      assert.match(why, /^item \d+ was already closed at /)
    })

  it("that it cannot be is kept open, and nothing runs", async () => {
    const { first, how, woken } = await decided("refused", (context, id) => Items.sameMoney(context, id, undefined))
    assert.match((first as { why: string }).why, /does not ask whether two payments are the same money/)
    assert.deepStrictEqual([how, woken], [undefined, []])
  })

  it("changes nothing if somebody else decides while it waits for the connection", async () => {
    const acts: ReadonlyArray<Act> = [
      (context, id) => Items.resolve(context, id, "by hand"),
      (context, id) => Items.retry(context, [id])
    ]
    for (const act of acts)
      assert.deepStrictEqual(
        await withItem("refused", (db, id) =>
          Effect.gen(function* () {
            const [taken, free] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
            const run = Effect.andThen(Deferred.succeed(taken, undefined), Deferred.await(free))
            yield* Effect.forkChild(alone(db, [{ id: "books" }], run))
            yield* Deferred.await(taken)
            const waiting = yield* Effect.forkChild(act({ connections: [] }, id))
            yield* Effect.yieldNow
            yield* db.hold(db.transaction(() => AttentionStore.close(db, id, "called them", 0)))
            yield* Deferred.succeed(free, undefined)
            const done = yield* Fiber.join(waiting)
            return [done, yield* db.read(() => AttentionStore.closedHow(db, id)?.how)]
          })
        ),
        [undefined, "called them"]
      )
  })
})
