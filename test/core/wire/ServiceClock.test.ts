/** What was read is as old as the service said, whatever this machine's clock was before and after. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ServiceClock } from "../../../core/wire/ServiceClock.ts"

const NINE = Date.parse("2026-03-01T09:00:00Z")
const stated = (at: number) => new Date(at).toUTCString()

describe("the service's clock", () => {
  it.effect("says what time it was first while something was read, of readings at the same time of each its own", () =>
    Effect.gen(function* () {
      const clock = new ServiceClock()
      clock.note(stated(NINE - 60_000), NINE)
      const inner = clock.during(
        Effect.sync(() => {
          clock.note(stated(NINE + 5000), NINE + 86_400_000)
          clock.note(stated(NINE + 9000), NINE - 86_400_000)
          return "read"
        })
      )
      const outer = yield* clock.during(
        Effect.suspend(() => {
          clock.note(stated(NINE), NINE)
          return inner
        })
      )
      assert.deepStrictEqual(outer, { stated: NINE, value: { stated: NINE + 5000, value: "read" } })
      assert.strictEqual(clock.ahead, -86_400_000 - 9000)
      assert.deepStrictEqual(yield* clock.during(Effect.succeed(1)), { stated: undefined, value: 1 })
      clock.note("no day", NINE)
      yield* Effect.flip(clock.during(Effect.fail("gone")))
      assert.strictEqual(clock.ahead, -86_400_000 - 9000)
    })
  )
})
