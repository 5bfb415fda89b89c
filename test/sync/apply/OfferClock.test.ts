/** An offer ends by the service's clock, whatever this machine's says. */
import { assert, describe, it } from "@effect/vitest"
import { parcel } from "../../support/Orders.ts"
import { inWorld, report } from "../InWorld.ts"
import { attention, booked, creating, fresh, take } from "../Shop.ts"

describe("an offer", () => {
  it(
    "that ended by this machine's clock alone, which was ahead: it stands, and what leaves is captured",
    inWorld({ planning: creating }, async (world) => {
      world.documents = [fresh()]
      report(await world.sync())
      world.time.ahead = 20 * 86_400_000
      world.clock.set(world.clock.currentTimeMillisUnsafe() + world.time.ahead)
      report(await world.sync())
      assert.deepStrictEqual(attention(world), [])
      world.clock.set(world.time.now)
      world.time.ahead = 0
      const deferred = await take(world)
      report(await world.sync())
      world.documents = [fresh(), parcel("1", { chairs: "2", lamps: "1" })]
      report(await world.sync())
      assert.isAbove(booked(world, deferred).filter(([kind]) => kind === "capture").length, 0)
    })
  )
})
