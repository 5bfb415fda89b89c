/** The page of traps is true: its tests and mutants are there, and each mutant of replication is one of its traps. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { POSTGRES } from "../../../simulation/mutantsOfPostgres.ts"
import { REPLICATION } from "../../../simulation/mutantsOfReplication.ts"
import { LATE_ANSWERS } from "../../../simulation/mutantsOfLateAnswers.ts"
import { UNIT_MUTANTS } from "../../../simulation/unitMutants.ts"

const HERE = "test/sync/state/replication/Replicated.long.test.ts"

const rows = readFileSync("test/sync/state/replication/README.md", "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, number = "", , tests = "", mutants = ""] = line.split(/^\| | \| | \|$/)
    return /^\d+$/.test(number) ? [{ number, tests, mutants: mutants.split("; ") }] : []
  })

/** Titles of tests with the file in which each is said to be. */
const titles = (tests: string): ReadonlyArray<readonly [file: string, words: string]> =>
  tests.split("; ").flatMap((part) => {
    const [, file = HERE] = /`(test\/[^`]+\.test\.ts)`/.exec(part) ?? []
    return [...part.matchAll(/"([^"]+)"/g)].map(([, words = ""]) => [file, words] as const)
  })

describe("the page of traps", () => {
  it("has tests and mutants for each, which are there", () => {
    assert.deepStrictEqual(
      rows.map(({ number }) => Number(number)),
      rows.map((_, at) => at + 1)
    )
    for (const { mutants, number, tests } of rows) {
      const named = titles(tests)
      assert.isNotEmpty(named, number)
      for (const [file, words] of named) assert.include(readFileSync(file, "utf8"), words, `${number}: ${file}`)
      for (const name of mutants) {
        const mutant = UNIT_MUTANTS.find((one) => one.name === name)
        assert.isDefined(mutant, `${number}: ${name}`)
        const [file, words] = mutant!.caughtBy
        const isNamed = named.some(([of, title]) => of === file && (title.includes(words) || words.includes(title)))
        assert.isTrue(isNamed, `${number}: "${name}" is caught by ${file}, "${words}"`)
      }
    }
  })

  it("has every mutant of replication", () => {
    const known = new Set(rows.flatMap(({ mutants }) => mutants))
    const missing = [...LATE_ANSWERS, ...REPLICATION, ...POSTGRES]
      .map(({ name }) => name)
      .filter((name) => !known.has(name))
    assert.deepStrictEqual(missing, [])
  })
})
