/**
 * Five histories on every run of the tests, six hundred nightly. A failure names the seed that replays it, and tells its
 * shortest story.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { MUTANTS } from "./mutants.ts"
import { COVER_BY_SEEDS } from "./mutantsOfCoverBySeeds.ts"
import { mutated } from "./Trial.ts"
import { UNIT_MUTANTS } from "./unitMutants.ts"
import { shortest } from "./Shortest.ts"
import { simulate } from "./Simulation.ts"
import { type Happening, shorten } from "./Story.ts"
import { times } from "../support/Effort.ts"

const SEEDS = times(50)
const LYING = times(15)
const COVERED = times(10)

describe("books, shop, source, network and machine, whatever fails", () => {
  it("every fact is sent once, and nothing is lost", { timeout: 120_000 + SEEDS * 6000 }, async () => {
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

  it("a source whose records lose a payment, repeat a row or change a sum never agrees with its own balances", {
    timeout: 120_000 + LYING * 6000
  }, async () => {
    let lying = 0
    for (let seed = 1; seed <= LYING; seed++) {
      // What another source pays its balances may have or not.
      const pays = seed % 3 === 0
      const { found, lies } = await simulate(seed, { lies: true, pays })
      const replay = `node test/simulation/run.ts 1 ${seed} --lies${pays ? " --pays" : ""}`
      assert.deepStrictEqual(found, [], `seed ${seed}; replay it with: ${replay}`)
      if (lies > 0) lying++
    }
    assert.isAtLeast(lying, LYING / 5, "its records lie too seldom to show anything")
  })

  it("cover is bought once, within what a person wrote down, and handed over once, with their word, as they were shown it", {
    timeout: 120_000 + COVERED * 8000
  }, async () => {
    for (let seed = 1; seed <= COVERED; seed++)
      assert.deepStrictEqual(
        (await simulate(seed, { cover: true })).found,
        [],
        `seed ${seed}; replay it with: node test/simulation/run.ts 1 ${seed} --cover`
      )
  })

  it("the same seed is the same history, request by request", { timeout: 120_000 }, async () => {
    for (const seed of [3, 17, 40].slice(0, times(3))) {
      const [one, other] = [await simulate(seed), await simulate(seed)]
      assert.isAbove(one.happened.length, 10)
      assert.deepStrictEqual(other, one)
    }
  })
})

describe("programs with a mistake", () => {
  it("can all be made of the source as it is: node test/simulation/tryMutants.ts tries them", () => {
    assert.isAtLeast(MUTANTS.length, 6)
    for (const mutant of [...MUTANTS, ...COVER_BY_SEEDS, ...UNIT_MUTANTS])
      for (const [file, text] of mutated(mutant)) assert.notStrictEqual(text, readFileSync(file, "utf8"))
    for (const { caughtBy, name } of UNIT_MUTANTS) {
      const [file, words] = caughtBy
      assert.include(readFileSync(file, "utf8"), words, `${name}: ${file} has no such test`)
    }
    const names = [...MUTANTS, ...COVER_BY_SEEDS, ...UNIT_MUTANTS].map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
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
    return shorten(all, fails).then((deleted) => ({
      asked,
      left: all.map(({ id }) => id).filter((id) => !deleted.has(id))
    }))
  }

  it("leaves what the failure needs, and nothing else", async () => {
    for (const ids of [[], ["0"], ["39"], ["7", "8"], ["3", "20", "38"]]) {
      const { asked, left } = await needs(...ids)
      assert.deepStrictEqual(left, ids)
      assert.isBelow(asked, 60)
    }
  })
})
