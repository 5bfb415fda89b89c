/**
 * Five histories on every run of the tests, six hundred nightly. A failure names the seed that replays it, and tells its
 * shortest story.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { claimsTooLate } from "../sync/Canary.ts"
import { MUTANTS } from "./mutants.ts"
import { COVER_BY_SEEDS } from "./mutantsOfCoverBySeeds.ts"
import { mutated, tryMutant, tryUnitMutant } from "./Trial.ts"
import { UNIT_MUTANTS } from "./unitMutants.ts"
import { catches, isDouble, shortest } from "./Shortest.ts"
import { simulate } from "./Simulation.ts"
import { type Happening, shorten } from "./Story.ts"
import { EFFORT, times, WHOLE } from "../support/Effort.ts"

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

  it("histories that showed a mistake once hold", { timeout: 120_000 }, async () => {
    // 1621: of two parcels alike, the one that was captured before the state file was lost is not guessed.
    // 124: what went back of a payment that the books state as well.
    for (const seed of [124, 1025, 1202, 1621, 2044])
      assert.deepStrictEqual((await simulate(seed)).found, [], `seed ${seed}`)
    // 154: a person settles an item about a payment. 238: what is paid sends its own while what pays has another name.
    for (const seed of [154, 238])
      assert.deepStrictEqual((await simulate(seed, { pays: true })).found, [], `seed ${seed} with payments`)
    // 37: a person attached the copy of an invoice. 48: an invoice that another payment names is taken by its amount.
    for (const seed of [37, 48])
      assert.deepStrictEqual((await simulate(seed, { cover: true })).found, [], `seed ${seed} with cover`)
  })

  it("the same seed is the same history, request by request", { timeout: 120_000 }, async () => {
    for (const seed of [3, 17, 40].slice(0, times(3))) {
      const [one, other] = [await simulate(seed), await simulate(seed)]
      assert.isAbove(one.happened.length, 10)
      assert.deepStrictEqual(other, one)
    }
  })

  it("a program that writes its claims after its requests is caught, and its story is short", {
    timeout: 240_000
  }, async () => {
    // Few seeds show it; 135 and 218 do. Where the draws change, it takes longer to come to one.
    const caught = await catches(300, claimsTooLate, { from: 135 })
    assert.isDefined(caught, "not caught in 300 seeds")
    // The story is played again for every part that may be left out.
    if (EFFORT < WHOLE) return
    const whole = await simulate(caught!, { wrap: claimsTooLate })
    const played = await shortest(caught!, claimsTooLate, isDouble)
    assert.isBelow(played.length, whole.happened.length / 3)
    assert.isTrue(isDouble(played))
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

  it("are caught by the tests that they name: here by one, in the nightly run by all", {
    timeout: 120_000
  }, async () => {
    const one = UNIT_MUTANTS.find(({ caughtBy: [file] }) => file === "test/sync/rules/Rules.test.ts")!
    const { caught, unfair } = await tryUnitMutant(one)
    assert.include(caught?.by, one.caughtBy[1], unfair)
  })
})

/** How long mutants are tried in a run of the tests; those that are left are tried by `node test/simulation/tryMutants.ts`. */
const TRIED_MS = times(4000)

describe("mutants, each on the seed that is known to catch it", () => {
  it("are caught there, and the program as it is passes: in the order of their names, as many as there is time for", {
    timeout: 60_000 + 15 * TRIED_MS
  }, async () => {
    const known = MUTANTS.filter(({ caughtBy }) => caughtBy !== undefined)
    const began = performance.now()
    let tried = 0
    for (const mutant of known.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (tried > 0 && performance.now() - began > TRIED_MS) break
      const { found } = await simulate(mutant.caughtBy!, { pays: mutant.pays === true, lies: mutant.lies === true })
      assert.deepStrictEqual(found, [], `seed ${mutant.caughtBy} fails without a mistake`)
      const { caught, unfair } = await tryMutant(mutant, 1, 1, mutant.caughtBy)
      assert.strictEqual(
        caught?.by,
        `seed ${mutant.caughtBy}`,
        `${mutant.name}: ${unfair ?? "it is not caught any more"}`
      )
      tried++
    }
    console.info(`${tried} of ${known.length} mutants were tried`)
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
