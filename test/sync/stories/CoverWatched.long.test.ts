/** What is covered is watched to its end, whatever becomes of the settings, of one invoice, or of a clock. */
import { assert, describe, it } from "@effect/vitest"
import * as CollectionReading from "../../../sync/apply/CollectionReading.ts"
import { inWindow, late, party, sync } from "../Collected.ts"
import { asked, covering, due, items, look, policies } from "../Covered.ts"
import { ask, inWorld, open, report } from "../InWorld.ts"

const DAY_MS = 86_400_000
const statusOf = (n: number, status: string) => (world: Parameters<typeof policies>[0]) =>
  ask(world, "PUT", `/sandbox/policies/${String(policies(world)[n]?.["id"])}/status`, { status })

describe("a covered invoice", () => {
  for (const status of [
    "cancelled",
    "elapsed",
    "claim_rejected",
    "not_collectable",
    "not_collectable_dispute",
    "recovery_rejected"
  ])
    it(
      `H10: has an item when its policy ends as ${status}`,
      inWorld({ planning: covering() }, async (world) => {
        world.documents = [due("1")]
        report(await world.sync())
        await statusOf(0, status)(world)
        world.clock.set(world.clock.currentTimeMillisUnsafe() + DAY_MS)
        report(await world.sync())
        assert.deepStrictEqual(
          items(world).map(({ rule, subject }) => [rule, subject]),
          [["H10", "books/invoice/1"]]
        )
      })
    )

  it(
    "H1: is read on though another one cannot be, which has an item of its own until it can",
    inWorld({ planning: covering() }, async (world) => {
      world.documents = Array.from({ length: 12 }, (_, n) => due(`${n + 1}`))
      report(await world.sync())
      assert.strictEqual(policies(world).length, 12)
      const [row] = open(world, "SELECT remote AS id FROM ledger WHERE subject = 'books/invoice/1'")
      for (const { id } of policies(world) as ReadonlyArray<{ id: string }>)
        await ask(world, "PUT", `/sandbox/policies/${id}/status`, { status: "late" })
      world.instance.faults.add({
        kind: "status",
        status: 403,
        path: `/v1/transactions/${String(row?.["id"])}`,
        method: "GET",
        times: 1000
      })
      world.clock.set(world.clock.currentTimeMillisUnsafe() + DAY_MS)
      await world.sync()
      const late = open(world, "SELECT count(*) AS n FROM cover WHERE status = 'late'")
      assert.strictEqual(late[0]?.["n"], 11)
      assert.deepStrictEqual(
        items(world).map(({ rule, subject }) => [rule, subject]),
        [["H1", "books/cover"]]
      )
      world.instance.faults.clear()
      report(await world.sync())
      assert.deepStrictEqual(items(world), [])
    })
  )

  it(
    "H4: is read by itself while what is known of its collection is in doubt, though a list says that its status is the same",
    inWindow(
      async (world) => {
        const doubted = () =>
          open(world, "SELECT count(*) AS n FROM ledger WHERE held ->> '$.cover.collection.isDoubted'")[0]?.["n"]
        await look(world, (db) => CollectionReading.doubt(db, world.connection))
        assert.strictEqual(doubted(), 6)
        await sync(world)
        assert.strictEqual(doubted(), 0)
      },
      { documents: Array.from({ length: 6 }, (_, n) => due(`${n + 1}`, { party })), policies: 6 }
    )
  )

  for (const fault of [{ kind: "status", status: 403 }, { kind: "status", status: 500 }, { kind: "garble" }] as const)
    it(
      `H1: is read by itself where the service does not show its list of policies (${fault.kind} ${"status" in fault ? fault.status : ""})`,
      inWorld({ planning: covering() }, async (world) => {
        world.documents = Array.from({ length: 12 }, (_, n) => due(`${n + 1}`))
        report(await world.sync())
        await statusOf(3, "late")(world)
        world.instance.faults.add({ ...fault, method: "GET", path: "/v1/policies" })
        world.clock.set(world.clock.currentTimeMillisUnsafe() + DAY_MS)
        report(await world.sync())
        assert.strictEqual(open(world, "SELECT count(*) AS n FROM cover WHERE status = 'late'")[0]?.["n"], 1)
      })
    )

  it(
    "H1: takes one request for a hundred policies, and is read by itself only where its status moved",
    inWorld({ planning: covering() }, async (world) => {
      world.documents = Array.from({ length: 40 }, (_, n) => due(`${n + 1}`))
      report(await world.sync())
      await statusOf(3, "late")(world)
      world.clock.set(world.clock.currentTimeMillisUnsafe() + DAY_MS)
      const reads = () =>
        world.instance.journal.filter(({ method, path }) => method === "GET" && path.startsWith("/v1/")).length
      const before = reads()
      report(await world.sync())
      assert.isAtMost(reads() - before, 4)
      assert.strictEqual(open(world, "SELECT count(*) AS n FROM cover WHERE status = 'late'")[0]?.["n"], 1)
    })
  )

  it(
    "H1: is read again after a clock that was ahead, and is not said to agree before",
    inWorld({ planning: covering() }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      const now = world.clock.currentTimeMillisUnsafe()
      world.clock.set(now + 3 * DAY_MS)
      report(await world.sync())
      world.clock.set(now)
      await statusOf(0, "cancelled")(world)
      world.clock.set(now + DAY_MS)
      report(await world.sync())
      assert.deepStrictEqual(
        items(world).map(({ rule }) => rule),
        ["H10"]
      )
    })
  )

  it("H1: is read again after a clock that was put right while the service answered", () => {
    let underWay = () => {}
    const fault = () => {
      underWay()
      return undefined
    }
    return inWorld({ planning: covering(), fault }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      const now = world.clock.currentTimeMillisUnsafe()
      world.clock.set(now + DAY_MS)
      underWay = () => world.clock.set(now + 1000)
      report(await world.sync())
      underWay = () => {}
      await statusOf(0, "cancelled")(world)
      world.clock.set(now + DAY_MS)
      report(await world.sync())
      assert.deepStrictEqual(
        items(world).map(({ rule }) => rule),
        ["H10"]
      )
    })()
  })

  it(
    "H2: is announced though its connection has no cover in the configuration any more, and nothing is bought",
    inWindow(async (world) => {
      const { cover: _, ...planning } = world.connection.planning
      ;(world.connection as { planning: object }).planning = planning
      world.documents = [...world.documents, due("2")]
      await late(world, 20)
      const quotes = asked(world, "/v1/quotes")
      await sync(world)
      assert.include(
        items(world).map(({ rule }) => rule),
        "H2"
      )
      assert.strictEqual(asked(world, "/v1/quotes"), quotes)
    })
  )
})
