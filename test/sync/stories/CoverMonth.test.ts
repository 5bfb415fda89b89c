/** The month of a budget is the service's, whatever this machine's clock says, and whatever is not known yet. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as CoverFacts from "../../../sync/plan/CoverFacts.ts"
import * as ServiceTime from "../../../sync/plan/ServiceTime.ts"
import { audit } from "../../../sync/reconciliation/Audit.ts"
import * as Cover from "../../../sync/reports/Cover.ts"
import { covering, due, items, look, policies, TIGHT } from "../Covered.ts"
import { inWorld, open, report } from "../InWorld.ts"
import { World } from "../World.ts"

const MINUTE = 60_000
const DAY = 86_400_000
/** Room for one quote of 22.40 in a month. */
const ONE = { price: { currency: "GBP", per_month: "25.00" } }
const APRIL = Date.UTC(2026, 3, 1)

const later = (id: string) => due(id, { due: "2026-05-20" })

/** Sets this machine's clock, which is ahead of the service's by so much. */
const set = (world: World, service: number, ahead: number): void => {
  world.time.ahead = ahead
  world.clock.set(service + ahead)
}

const spent = (world: World) => look(world, (db, now) => Decimal.format(CoverFacts.spent(db, "books", "GBP", now), 2))

const budget = (world: World) => look(world, (db, now) => Cover.budget(db, world.connection, now)?.month)

describe("a clock that was wrong", () => {
  it(
    "is known to be right once it was set, though nothing else is asked of the service",
    inWorld({ planning: covering({ ...ONE, select: [{ min: "5000.00" }] }) }, async (world) => {
      set(world, APRIL, 3 * DAY)
      world.documents = [later("1")]
      report(await world.sync())
      assert.match(String(items(world)[0]?.["why"]), /this machine's clock is 3d ahead/)
      set(world, APRIL + MINUTE, 0)
      report(await world.sync())
      assert.deepStrictEqual(items(world), [])
    })
  )

  it(
    "counts as right within a second, so that the day on the service is not the one before",
    inWorld({ planning: covering(ONE) }, async (world) => {
      report(await world.sync())
      const ahead = await look(world, (db) => {
        ServiceTime.remember(db, 2 * DAY)
        ServiceTime.remember(db, 10)
        return ServiceTime.aheadOf(db)
      })
      assert.strictEqual(ahead, 0)
    })
  )
})

describe("the month of a budget", () => {
  it(
    "is the one before while only this machine's clock has passed its end: nobody is asked, and it is bought a moment later",
    inWorld({ planning: covering(ONE) }, async (world) => {
      world.documents = [later("1")]
      report(await world.sync())
      set(world, APRIL - 2 * MINUTE, 4 * MINUTE)
      world.documents = [later("1"), later("2")]
      report(await world.sync())
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, items(world), await budget(world)], [1, [], "2026-03"])
      world.clock.set(APRIL + 5 * MINUTE)
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, await spent(world), await budget(world)], [2, "22.40", "2026-04"])
    })
  )

  it(
    "counts what was bought while only this machine's clock was in the month before",
    inWorld({ planning: covering(ONE) }, async (world) => {
      set(world, APRIL + MINUTE, -3 * MINUTE)
      world.documents = [later("1")]
      report(await world.sync())
      assert.strictEqual(policies(world).length, 1)
      set(world, APRIL + DAY, 0)
      world.documents = [later("1"), later("2")]
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, await spent(world)], [1, "22.40"])
    })
  )

  it("counts a purchase in both months of which it is not known when it was made, and then in its own", async () => {
    let isOut = false
    const world: World = new World({
      planning: covering(ONE),
      fault: (method, path) => {
        if (method === "POST" && path === "/v1/policies" && !isOut) {
          isOut = true
          return { kind: "lose_response" }
        }
        return isOut && method === "GET" ? { kind: "status", status: 503 } : undefined
      }
    })
    try {
      world.clock.set(APRIL - 2 * MINUTE)
      world.documents = [later("1")]
      await world.sync()
      assert.deepStrictEqual([policies(world).length, await spent(world)], [1, "22.40"])
      world.clock.set(APRIL + MINUTE)
      assert.strictEqual(await spent(world), "22.40")
      isOut = false
      // Not again.
      world.service.policy.size
      world.documents = [later("1")]
      report(await world.sync())
      assert.strictEqual(policies(world).length, 1)
    } finally {
      world.close()
    }
  })

  it(
    "is known after a lost state file though this machine's clock is in another",
    inWorld({ planning: covering(ONE) }, async (world) => {
      world.documents = [later("1")]
      report(await world.sync())
      for (const part of ["", "-wal", "-shm"]) rmSync(world.file + part, { force: true })
      set(world, APRIL - DAY, 3 * DAY)
      assert.strictEqual((await world.sync({ guarded: true }))._tag, "Failure")
      await world.life(audit(world.connections, { fix: true, onFound: () => Effect.void }))
      set(world, APRIL - DAY, 0)
      world.documents = [later("1"), later("2")]
      await world.sync()
      await world.sync()
      assert.deepStrictEqual([policies(world).length, await spent(world)], [1, "22.40"])
    })
  )

  it(
    "is the service's, and so is the window to hand an invoice over: this machine's clock moves it by no day",
    inWorld({ planning: covering(), windows: { late: 3, handover: 30 } }, async (world) => {
      world.documents = [due("1", { due: "2026-03-31" })]
      report(await world.sync())
      for (const day of [1, 5]) {
        set(world, Date.UTC(2026, 3, day, 9), 12 * DAY)
        await world.sync()
      }
      assert.deepStrictEqual(open(world, "SELECT status, window_ends FROM cover"), [
        // From the reading of 1 April on, 30 days.
        { status: "late_can_handover", window_ends: "2026-04-30" }
      ])
      set(world, Date.UTC(2026, 3, 6, 9), 0)
      await world.sync()
      assert.match(String(open(world, "SELECT window_ends FROM cover")[0]?.["window_ends"]), /^2026-04-30$/)
    })
  )

  it(
    "and the end of an offer are the service's: an offer that ended by this machine's clock alone stands",
    inWorld({ planning: covering(TIGHT) }, async (world) => {
      world.documents = [due("1", { due: "2026-06-20" })]
      report(await world.sync())
      set(world, Date.UTC(2026, 2, 2), 60 * DAY)
      report(await world.sync())
      report(await world.sync())
      const offers = await look(world, (db, now) => Cover.offers(db, world.connection, now))
      assert.deepStrictEqual([offers.length, world.service.quote.size], [1, 1])
    })
  )
})
