/**
 * Kills the process before and after the requests and commits of scenarios that make every kind of call, and lets each request
 * fail in every way: one of 120 cases in a test run, all of them nightly.
 */
import { assert, describe, it } from "@effect/vitest"
import { claimsTooLate } from "../sync/Canary.ts"
import { each, failures, kills, type Point, play, type Played } from "./KillPoints.ts"
import { OPERATIONS, type Scenario, SCENARIOS } from "./Scenarios.ts"
import { apart, EFFORT, WHOLE } from "../support/Effort.ts"

const EVERY = apart(WHOLE)
/** More points take longer, and all the longer on a busy machine. */
const timeout = 60_000 * Math.max(2, EFFORT)

/** Those that are tried: neighbours of those that are not, in every scenario. */
const some = (points: ReadonlyArray<Point>): ReadonlyArray<Point> => points.filter((_, n) => n % EVERY === 0)

const wholes = new Map<Scenario, Promise<Played>>()

/** The scenario when nothing goes wrong. */
const wholeOf = (scenario: Scenario): Promise<Played> => {
  const known = wholes.get(scenario) ?? play(scenario)
  wholes.set(scenario, known)
  return known
}

const same = (played: Played, whole: Played, point: Point) => {
  const at = JSON.stringify(point)
  assert.deepStrictEqual(played.found, [], at)
  assert.deepStrictEqual(played.holds, whole.holds, at)
}

describe("every kind of call, and a kill at any step of it", () => {
  it("the scenarios make every call that there is", async () => {
    const made = new Set<string>()
    for (const scenario of SCENARIOS) {
      const { found, operations } = await wholeOf(scenario)
      assert.deepStrictEqual(found, [], scenario.name)
      for (const one of operations) made.add(one)
    }
    assert.sameMembers([...made], OPERATIONS)
  })

  for (const scenario of SCENARIOS) {
    it(`${scenario.name}: a kill at any step changes nothing in the end`, { timeout }, async () => {
      const whole = await wholeOf(scenario)
      await each(some(kills(whole)), async (point) => same(await play(scenario, point), whole, point))
    })

    it(`${scenario.name}: nor does a request that fails, in whatever way`, { timeout }, async () => {
      const whole = await wholeOf(scenario)
      await each(some(failures(whole)), async (point) => same(await play(scenario, point), whole, point))
    })
  }

  it("nor does a second kill, while the next run finds out about the first", { timeout }, async () => {
    const [scenario] = SCENARIOS
    const whole = await wholeOf(scenario!)
    const first = kills(whole).filter((_, n) => n % (7 * EVERY) === 0)
    let tried = 0
    await each(first, async (point) => {
      const { recovery } = await play(scenario!, point)
      for (let again = 1 + (point.kill! % 3); again <= recovery; again += 9) {
        same(await play(scenario!, { ...point, again }), whole, { ...point, again })
        tried++
      }
    })
    assert.isAtLeast(tried, 50 / EVERY)
  })

  it("there are hundreds of steps to die at, and of requests to fail", async () => {
    const played = await Promise.all(SCENARIOS.map(wholeOf))
    const count = (points: (one: Played) => ReadonlyArray<Point>) =>
      played.reduce((sum, one) => sum + points(one).length, 0)
    assert.isAtLeast(count(kills), 400)
    assert.isAtLeast(count(failures), 300)
  })

  it("a program that writes its claims after its requests is found out", { timeout }, async () => {
    const [scenario] = SCENARIOS
    const wrap = claimsTooLate
    const whole = await play(scenario!, undefined, { wrap })
    assert.deepStrictEqual(whole.found, [], "without a kill it looks well")
    // What it would do twice is found on the service before it leaves, as if another Daybook had sent it.
    const left = new Set(["has books/invoice/I4, which", "has books/payment/P4 on books/invoice/I2, which"])
    // A call takes four steps here, and one of them shows the mistake: those come first.
    const points = kills(whole).filter(({ run }) => run === 2)
    for (const point of points.toSorted((a, b) => (a.kill! % 4) - (b.kill! % 4))) {
      if (left.size === 0) break
      const { found } = await play(scenario!, point, { wrap })
      for (const part of left) if (found.some((one) => one.includes(part))) left.delete(part)
    }
    assert.deepStrictEqual([...left], [])
  })
})
