/** How often a source is asked, and how long it asks to wait, by whatever header. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import * as Pace from "../../../connectors/Pace.ts"
import * as Waits from "../../../connectors/Waits.ts"

it.effect("no more requests leave in any sixty seconds than are allowed in one minute", () =>
  Effect.gen(function* () {
    const pace = Pace.make(60)
    const at: Array<number> = []
    const one = Effect.andThen(
      pace,
      Effect.map(Clock.currentTimeMillis, (now) => void at.push(now))
    )
    // A slow drip, and then as fast as it goes: a window or a bucket that begins anew lets far more leave.
    const drip = Effect.forEach(Array.from({ length: 40 }), () => Effect.andThen(one, Effect.sleep("1100 millis")))
    const all = Effect.andThen(
      drip,
      Effect.forEach(Array.from({ length: 200 }), () => one)
    )
    const fiber = yield* Effect.forkChild(all)
    for (let n = 0; n < 600; n++) yield* TestClock.adjust("1 second")
    yield* Fiber.join(fiber)
    assert.strictEqual(at.length, 240)
    for (const end of at) {
      assert.isAtMost(at.filter((one) => one > end - 60_000 && one <= end).length, 60)
    }
  })
)

describe("how long a source asks to wait", () => {
  const NOW = Date.UTC(2026, 2, 1, 12)
  const SECONDS = NOW / 1000
  const YEAR_MS = 366 * 86_400_000

  for (const [headers, millis] of [
    [{}, undefined],
    [{ "retry-after": "30", "x-ratelimit-reset": "50" }, 30_000],
    [{ "retry-after": "soon", "x-ratelimit-reset": "50" }, 50_000],
    [{ "retry-after": "Sun, 01 Mar 2026 12:00:20 GMT" }, 20_000],
    [{ "retry-after": "Sun, 01 Mar 2026 12:00:20 GMT", date: "Sun, 01 Mar 2026 12:00:05 GMT" }, 15_000],
    [{ "retry-after-ms": "1500" }, 1500],
    [{ "x-ms-retry-after-ms": "250.5" }, 251],
    [{ "ratelimit-reset": "50" }, 50_000],
    [{ "ratelimit-reset": "Sun, 01 Mar 2026 12:01:00 GMT" }, 60_000],
    [{ "x-ratelimit-reset": String(SECONDS + 40) }, 40_000],
    [{ "x-ratelimit-reset": `${SECONDS + 40}.5` }, 40_500],
    [{ "x-ratelimit-reset": String(NOW + 7000) }, 7000],
    [{ "x-ratelimit-reset": "2026-03-01T12:00:09Z" }, 9000],
    [{ "x-rate-limit-reset": "8" }, 8000],
    [{ "x-ratelimit-reset-after": "3.5" }, 3500],
    [{ "x-rate-limit-time-reset-ms": "15000", "x-rate-limit-time-window-ms": "30000" }, 15_000],
    [{ "x-ratelimit-reset": String(SECONDS - 40) }, 0],
    [{ "x-ratelimit-reset": "99999999999999999999" }, undefined],
    [{ "x-ratelimit-reset": "999999999999999" }, YEAR_MS],
    [{ "x-ratelimit-reset": "1s" }, undefined],
    // What is left of a limit was not what was used up.
    [{ "x-ratelimit-reset": String(NOW + 3_600_000), "x-ratelimit-remaining": "4000" }, undefined],
    [
      {
        "x-ratelimit-remaining": "4000",
        "x-ratelimit-reset": String(NOW + 3_600_000),
        "x-ratelimit-minutely-remaining": "0",
        "x-ratelimit-minutely-reset": String(NOW + 20_000)
      },
      20_000
    ],
    [{ ratelimit: "limit=100, remaining=0, reset=50" }, 50_000],
    [{ ratelimit: "limit=100, remaining=7, reset=50" }, undefined],
    [{ ratelimit: '"burst";r=0;t=4, "day";r=900;t=40000' }, 4000],
    [{ "x-rate-limit-problem": "minute" }, 60_000],
    [{ "x-rate-limit-problem": "Day" }, 86_400_000],
    [{ "x-rate-limit-problem": "concurrent" }, undefined]
  ] as const) {
    it(`${JSON.stringify(headers)}: ${millis}`, () => {
      assert.strictEqual(Waits.untilReset(headers, NOW), millis)
    })
  }

  it("is between nothing and a year, or nothing at all, whatever anybody wrote", () => {
    const anything = fc.oneof(
      fc.string(),
      fc.bigInt().map(String),
      fc.double().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString())
    )
    const names = ["retry-after", "retry-after-ms", "ratelimit", "x-ratelimit-reset", "ratelimit-reset-after", "date"]
    const headers = fc.dictionary(fc.constantFrom(...names), anything)
    fc.assert(
      fc.property(headers, (headers) => {
        const wait = Waits.untilReset(headers, NOW)
        assert.isTrue(wait === undefined || (wait >= 0 && wait <= YEAR_MS), `${wait}`)
      }),
      { numRuns: 2000 }
    )
  })
})
