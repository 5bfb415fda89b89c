/** Where the time of a sync went: every millisecond is in one place, and what goes on side by side counts once. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as LimitWaits from "../../../connectors/LimitWaits.ts"
import * as Pace from "../../../connectors/Pace.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Timing from "../../../sync/Timing.ts"

/** Runs `work` on a clock of its own; all of its time is waiting but what `busy` says. */
const measured = (
  work: (stopwatch: Timing.Stopwatch, busy: (millis: number) => Effect.Effect<void>) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    let worked = 0
    const busy = (millis: number) =>
      Effect.andThen(
        Effect.sleep(millis),
        Effect.sync(() => void (worked += millis))
      )
    const idle = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6 - worked
    const program = Effect.gen(function* () {
      const stopwatch = yield* Timing.make
      yield* work(stopwatch, busy)
      return stopwatch.timing()
    })
    const running = yield* Effect.forkChild(Effect.provideService(program, Timing.Idle, idle))
    yield* TestClock.adjust("1 hour")
    return yield* Fiber.join(running)
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

describe("where the time of a sync went", () => {
  it.effect("is source, service and our own work, and no millisecond twice", () =>
    Effect.gen(function* () {
      const timing = yield* measured((stopwatch, busy) =>
        Effect.gen(function* () {
          yield* stopwatch.during("source")(
            Effect.gen(function* () {
              yield* Effect.all([Effect.sleep(200), Effect.sleep(150)], { concurrency: "unbounded" })
              yield* busy(30)
            })
          )
          yield* stopwatch.during("service")(Effect.andThen(Effect.sleep(70), busy(5)))
        })
      )
      assert.deepStrictEqual(timing, { source: 200, limits: 0, disk: 0, service: 70, us: 35, total: 305 })
    })
  )

  it.effect("counts the waits for a source's limits apart, side by side once", () =>
    Effect.gen(function* () {
      const timing = yield* measured((stopwatch) =>
        Effect.gen(function* () {
          const waits = Effect.all([LimitWaits.wait(400), LimitWaits.wait(300)], { concurrency: "unbounded" })
          yield* stopwatch.during("source")(Effect.andThen(Effect.sleep(100), waits))
          yield* Effect.sleep(1000)
        })
      )
      assert.deepStrictEqual(timing, { source: 100, limits: 400, disk: 0, service: 0, us: 0, total: 500 })
    })
  )

  it.effect("knows the pace that a source's limit sets, and adds up several readings", () =>
    Effect.gen(function* () {
      const timing = yield* measured((stopwatch) =>
        Effect.gen(function* () {
          const pace = Pace.make(1)
          yield* stopwatch.during("source")(pace)
          yield* stopwatch.during("source")(Effect.andThen(pace, Effect.sleep(1)))
        })
      )
      assert.deepStrictEqual(timing, { source: 1, limits: 60_000, disk: 0, service: 0, us: 0, total: 60_001 })
    })
  )

  it.live("counts what commits take as the disk's", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const before = db.onDisk()
      yield* db.transaction(() => {
        const until = performance.now() + 30
        while (performance.now() < until);
      })
      const after = db.onDisk()
      assert.isAbove(after, before)
    }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
  )
})
