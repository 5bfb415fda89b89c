/**
 * Three hundred histories on every run of the tests; DAYBOOK_EFFORT asks for more of them. A failure names the seed that
 * replays it, and tells its shortest story.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { claimsTooLate } from "../sync/Canary.ts"
import { MUTANTS, mutated } from "./mutants.ts"
import { catches, isDouble, shortest, simulate } from "./Simulation.ts"
import { type Happening, shorten } from "./Story.ts"

const SEEDS = 300 * Number(process.env["DAYBOOK_EFFORT"] ?? 1)

describe("books, shop, source, network and machine, whatever fails", () => {
  it("every fact is told once, and nothing is lost", { timeout: 60_000 + SEEDS * 500 }, async () => {
    let [kills, conflicts] = [0, 0]
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = await simulate(seed)
      kills += outcome.kills
      conflicts += outcome.conflicts
      if (outcome.found.length > 0)
        assert.fail(
          `seed ${seed}; replay it with: node test/simulation/run.ts 1 ${seed}\n${(await shortest(seed)).join("\n")}`
        )
    }
    assert.isAtLeast(kills, SEEDS / 4, "the machine dies too seldom to show anything")
    assert.isAtLeast(conflicts, SEEDS / 10, "nobody is ever quicker")
  })

  it("the same seed is the same history, request by request", async () => {
    for (const seed of [3, 17, 40]) {
      const [one, other] = [await simulate(seed), await simulate(seed)]
      assert.isAbove(one.happened.length, 10)
      assert.deepStrictEqual(other, one)
    }
  })

  it("a program that writes its claims after its requests is caught, and its story is short", async () => {
    const caught = await catches(300, claimsTooLate)
    assert.isDefined(caught, "not caught in 300 seeds")
    const whole = await simulate(caught!, { wrap: claimsTooLate })
    const told = await shortest(caught!, claimsTooLate, isDouble)
    assert.isBelow(told.length, whole.happened.length / 3)
    assert.isTrue(isDouble(told))
  })
})

describe("programs with a mistake", () => {
  it("can all be made of the source as it is: node test/simulation/mutants.ts tries them", () => {
    assert.isAtLeast(MUTANTS.length, 6)
    for (const mutant of MUTANTS) {
      for (const [file, text] of mutated(mutant)) assert.notStrictEqual(text, readFileSync(file, "utf8"))
    }
  })
})

describe("shortening a story", () => {
  const all = Array.from({ length: 40 }, (_, n): Happening => ({ id: `${n}`, what: "" }))
  const needs = (...ids: ReadonlyArray<string>) => {
    let asked = 0
    const fails = async (without: ReadonlySet<string>) => {
      asked++
      return ids.every((id) => !without.has(id))
    }
    return shorten(all, fails).then((gone) => ({ asked, left: all.map(({ id }) => id).filter((id) => !gone.has(id)) }))
  }

  it("leaves what the failure needs, and nothing else", async () => {
    for (const ids of [[], ["0"], ["39"], ["7", "8"], ["3", "20", "38"]]) {
      const { asked, left } = await needs(...ids)
      assert.deepStrictEqual(left, ids)
      assert.isBelow(asked, 60)
    }
  })
})
