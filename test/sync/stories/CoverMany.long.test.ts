/** Five thousand covered invoices of one account: each window is known and announced on its day, at few requests a day. */
import { assert, describe, it } from "@effect/vitest"
import { HANDOVER } from "../../simulation/Collector.ts"
import { covering, due, policies } from "../Covered.ts"
import { inWorld, open, report } from "../InWorld.ts"
import type { World } from "../World.ts"

const MANY = 5000

/** They are bought in so many syncs: what a month has spent and has on offer is looked at for each. */
const TIMES = 10

/** One in so many is due two months before the others. */
const EARLY = 5

const PLANNING = covering({ price: { currency: "GBP", per_month: "200000.00" }, handover: HANDOVER })

const invoiceOf = (n: number) => {
  const party = { id: `c-${n}`, name: `Buyer ${n} Ltd`, country: "GB" }
  return due(`${n}`, { party, due: n % EARLY === 0 ? "2026-03-31" : "2026-05-31" })
}

const count = (world: World, sql: string): number => Number(open(world, `SELECT count(*) AS n FROM ${sql}`)[0]?.["n"])

/** What the service was asked on a day. */
const readOn = async (world: World, day: number): Promise<number> => {
  const before = world.instance.journal.length
  world.clock.set(Date.UTC(2026, 2, day, 9))
  await world.sync()
  return world.instance.journal.slice(before).filter(({ method }) => method === "GET").length
}

describe("five thousand covered invoices", () => {
  it(
    "have their windows announced on the day on which they open, each once, and nothing else is read one by one",
    { timeout: 1_800_000 },
    inWorld({ planning: PLANNING, windows: { late: 3, handover: 14 } }, async (world) => {
      const all = Array.from({ length: MANY }, (_, n) => invoiceOf(n + 1))
      for (let n = 1; n <= TIMES; n++) {
        world.documents = all.slice(0, (n * MANY) / TIMES)
        report(await world.sync())
      }
      assert.strictEqual(policies(world).length, MANY)
      const told = () => count(world, "(SELECT DISTINCT subject FROM attention WHERE rule = 'H2')")
      const quiet = await readOn(world, 20)
      assert.isAtMost(quiet, 2 * Math.ceil(MANY / 100) + 10)
      // Those that were due on the 31st are late from the day after, and can be handed over from the fourth on.
      for (const day of [32, 33, 34]) await readOn(world, day)
      assert.strictEqual(told(), 0)
      await readOn(world, 36)
      assert.strictEqual(told(), MANY / EARLY)
      assert.strictEqual(count(world, "cover WHERE status = 'late_can_handover'"), MANY / EARLY)
      assert.strictEqual(count(world, "attention WHERE rule = 'H2'"), MANY / EARLY)
    })
  )
})
