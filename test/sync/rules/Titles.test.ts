/** A rule's number leads to its test: `grep -rnw Q3 test`. Each number of the tables is in the title of one at least. */
import { expect, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"

/** `"Q3: nothing is asked for"`, `"G8 and G9, a source"`, `"counts a payment (T14)"`; titles are taken from tables as well. */
const TITLE = /["`](?:[^"`\n]* \()?([A-Z]\d+(?:(?:, | to | and )[A-Z]\d+)*)[:,)]/g

it("each rule's number is in a test's title", () => {
  const tables = readFileSync("sync/rules/README.md", "utf8")
  const rules = [...tables.matchAll(/^\| ([A-Z]\d+(?:, [A-Z]\d+)*) \|/gm)].flatMap(([, codes = ""]) =>
    codes.split(", ")
  )
  const titles = new Set(
    globSync("test/**/*.test.ts").flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(TITLE)].flatMap(([, codes = ""]) => codes.split(/, | to | and /))
    )
  )
  expect(rules.length).toBeGreaterThan(70)
  expect(rules.filter((rule) => !titles.has(rule))).toEqual([])
})
