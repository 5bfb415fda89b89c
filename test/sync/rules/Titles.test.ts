/** A rule's number leads to its test, `grep -rnw Q3 test`, and its row to the function: each of both is there. */
import { expect, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** `"Q3: nothing is asked for"`, `"G8 and G9, a source"`, `"counts a payment (T14)"`; titles are taken from tables as well. */
const TITLE = /["`](?:[^"`\n]* \()?([A-Z]\d+(?:(?:, | to | and )[A-Z]\d+)*)[:,)]/g

const TABLES = readFileSync("sync/rules/README.md", "utf8")

it("each rule's row names a function that is in the file beside it", () => {
  const rows = TABLES.split("\n").filter((row) => /^\| [A-Z]\d/.test(row))
  const wrong = rows.flatMap((row) => {
    const place = row.split("|").at(-2) ?? ""
    return [...place.matchAll(/`([\w./]+\.ts)`(?:: `(\w+)`)?/g)].flatMap(([named, file = "", name = ""]) =>
      new RegExp(`\\b${name}\\b`).test(readFileSync(join("sync/rules", file), "utf8")) ? [] : [named]
    )
  })
  expect(rows.length).toBeGreaterThan(70)
  expect(wrong).toEqual([])
})

it("each rule's number is in a test's title", () => {
  const rules = [...TABLES.matchAll(/^\| ([A-Z]\d+(?:, [A-Z]\d+)*) \|/gm)].flatMap(([, codes = ""]) =>
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
