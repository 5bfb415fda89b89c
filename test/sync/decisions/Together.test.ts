/** Several items decided about at once: what was shown is what is done, or nothing is. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import { decideTogether, foresee, MOST_OF_CAUSE, namedItems, type Several } from "../../../sync/decisions/Together.ts"
import { BUYER_LOST } from "../../../sync/rules/Buyers.ts"
import { planOne } from "../../../sync/plan/Plan.ts"
import { Database } from "../../../sync/state/Database.ts"
import { paidInvoices, requests } from "../InWorld.ts"
import { World } from "../World.ts"

type Db = Database["Service"]

const KEYS = ["books/invoice/I1", "books/invoice/I2", "books/invoice/I3"]

/** A world with three invoices that were read, each of whose calls the service refused. */
const refused = async () => {
  const world = new World()
  world.documents = paidInvoices(3)
  await world.sync({ digest: "of no plan" })
  const at = world.clock.currentTimeMillisUnsafe()
  const inside = async <A>(work: (db: Db) => A): Promise<A> => {
    const ended = await world.life(Effect.flatMap(Database, (db) => db.hold(db.transaction(() => work(db)))))
    if (ended._tag === "Failure") throw new Error(String(ended.cause))
    return ended.value
  }
  await inside((db) => {
    for (const subject of KEYS) {
      const attention = {
        subject,
        fact: subject,
        rule: "R1",
        why: "the service refused it",
        todo: "correct it"
      } as never
      AttentionStore.update(
        db,
        subject,
        [],
        { attention, state: planOne(db, world.connection, subject, { now: at }).fingerprint },
        at
      )
    }
  })
  const ids = await inside((db) => AttentionStore.list(db).map(({ id }) => id))
  const look = (several: Several) => inside((db) => foresee(db, [world.connection], several, at))
  const decide = (several: Several, digest: string) =>
    inside((db) => decideTogether(db, [world.connection], several, digest, at))
  return { world, inside, ids, look, decide }
}

describe("several items at once", () => {
  it("are sent again with exactly the calls that were shown, and no others", async () => {
    const { decide, ids, look, world } = await refused()
    await world.sync()
    assert.deepStrictEqual(requests(world), [], "what was refused is not sent by itself")
    const chosen = { what: "again", ids: ids.slice(0, 2) } as const
    const shown = await look(chosen)
    assert.isAbove(shown.calls, 0)
    assert.match(shown.figures, /^2 to create, 2 payments/)
    assert.isDefined(await decide(chosen, shown.digest))
    await world.sync()
    const created = requests(world).filter((one) => one === "POST /v1/transactions")
    assert.lengthOf(created, 2)
    const sent = requests(world).filter((one) => /^(POST|PUT|PATCH|DELETE) \/v1\/transactions/.test(one))
    assert.lengthOf(sent, shown.calls)
    world.close()
  })

  it("are left alone if it would be something else by now: an item is closed, has another reason, or sends something else", async () => {
    const changes: ReadonlyArray<readonly [string, (db: Db, id: number) => void]> = [
      ["one is closed", (db, id) => void AttentionStore.close(db, id, "closed by hand", 0)],
      ["another reason", (db, id) => void db.prepare("UPDATE attention SET why = 'another' WHERE id = ?").run(id)],
      [
        "another amount",
        (db) =>
          void db
            .prepare("UPDATE document SET body = replace(body, '120', '121') WHERE key = ?")
            .run("books/invoice/I1")
      ]
    ]
    for (const [name, change] of changes) {
      const { decide, ids, inside, look, world } = await refused()
      const chosen = { what: "again", ids } as const
      const { digest } = await look(chosen)
      await inside((db) => change(db, ids[0]!))
      const left = await inside((db) => AttentionStore.count(db))
      assert.isUndefined(await decide(chosen, digest), name)
      assert.strictEqual(await inside((db) => AttentionStore.count(db)), left, name)
      assert.notStrictEqual((await look(chosen)).digest, digest, name)
      world.close()
    }
  })

  it("leave out what needs its own decision, and say where the service is asked first", async () => {
    const { ids, inside, look, world } = await refused()
    const more = await inside((db) => {
      const item = { rule: "Q10", fact: "books/cover/spent", why: "no cover is bought", todo: "compare" } as never
      AttentionStore.update(db, "books/cover", [item], undefined, 0)
      db.prepare("UPDATE attention SET code = ? WHERE id = ?").run(BUYER_LOST, ids[0])
      return AttentionStore.list(db, "books/cover").map(({ id }) => id)
    })
    assert.include(await look({ what: "close", ids: [...ids, ...more] }), { apart: 1, unknown: 0 })
    const again = await look({ what: "again", ids })
    assert.include(again, { apart: 0, unknown: 1 })
    assert.match(again.figures, /^2 to create/)
    world.close()
  })

  it("are closed without anything being sent, and another decision about them is another one", async () => {
    const { decide, ids, inside, look, world } = await refused()
    const { digest } = await look({ what: "close", ids: ids.slice(1) })
    assert.isUndefined(await decide({ what: "again", ids: ids.slice(1) }, digest))
    assert.isUndefined(await decide({ what: "close", ids }, digest))
    assert.isUndefined(await decide({ what: "close", ids: [] }, (await look({ what: "close", ids: [] })).digest))
    assert.isDefined(await decide({ what: "close", ids: ids.slice(1) }, digest))
    assert.deepStrictEqual(await inside((db) => AttentionStore.list(db).map(({ id }) => id)), ids.slice(0, 1))
    assert.deepStrictEqual(requests(world), [])
    world.close()
  })
})

describe("the items that a form names", () => {
  it("are each one once, up to a limit, whatever else is written", () => {
    const named = (ids: string) => namedItems(new URLSearchParams({ ids }))
    assert.deepStrictEqual(named("3 x 03 -1  7\u00a08 9 1e3 9"), [3, 9])
    assert.deepStrictEqual(named(""), [])
    assert.deepStrictEqual(
      named(`${"y ".repeat(MOST_OF_CAUSE)}5`),
      [5],
      "what is not a number does not count towards the limit"
    )
    const all = Array.from({ length: 50_000 }, (_, n) => n)
    assert.strictEqual(named(all.join(" ")).length, MOST_OF_CAUSE)
  })
})
