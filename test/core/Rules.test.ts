/**
 * Every row of the service's documents has a test, and the table that says which is not stale. Names are read as they
 * stand in the sources.
 */
import { describe, expect, test } from "vitest"
import { readFileSync } from "node:fs"
import { assumptions, assumptionsOf, beginning, FILE, generate, names, namesOf, shownBy } from "../support/rules.ts"
import { type Row, SPECIFICATION } from "../support/SpecificationRows.ts"

const all = names()

describe("the rows of the documents", () => {
  test("each has a test", () => {
    expect(SPECIFICATION.filter((row) => shownBy(row, all).length === 0).map(beginning)).toEqual([])
  })

  test("each is there once", () => {
    expect(new Set(SPECIFICATION.map(beginning)).size).toBe(SPECIFICATION.length)
  })

  test("no test is named after an endpoint, a note, a case, an event or an option that there is not", () => {
    const rows = new Set(SPECIFICATION.flatMap((row) => shownBy(row, all)))
    const endpoints = /^(DP|II) 4:? (GET|POST|PUT|PATCH|DELETE)\b|^DP [47]\.\d|^DP 6\.\d: /
    expect(all.filter((one) => endpoints.test(one.name) && !rows.has(one))).toEqual([])
  })

  test(`${FILE} is what \`node test/support/rules.ts\` writes`, () => {
    expect(readFileSync(FILE, "utf8")).toBe(generate())
  })
})

describe("how they are found", () => {
  const row = (row: string, section = "4"): Row => ({ document: "II", section, row, words: "" })
  const shown = (one: Row, name: string) => shownBy(one, [{ name, path: "x" }]).length === 1

  test("a name shows the row that it begins with, and none that only begins likewise", () => {
    const made = ["GET /v1/users", "1"].map((name) => row(name))
    expect(made.map((one) => shown(one, ["II", "4: GET /v1/users: a page"].join(" ")))).toEqual([true, false])
    expect(made.map((one) => shown(one, ["II", "4 GET /v1/users: a page"].join(" ")))).toEqual([true, false])
    expect(made.map((one) => shown(one, ["II", "4: GET /v1/users/<user_id>: one"].join(" ")))).toEqual([false, false])
    expect(made.map((one) => shown(one, ["II", "4.1: a note"].join(" ")))).toEqual([false, true])
    expect(made.map((one) => shown(one, ["II", "4.10: another note"].join(" ")))).toEqual([false, false])
  })

  test("titles of groups are no tests; names in tables are", () => {
    const name = ["II", "4: GET /v1/users"].join(" ")
    const source = `describe("${name}: a", () => {})\ndescribe.each(all)("${name}: b", f)\ntest("${name}: c", f)\nconst t = [["${name}: d", 1]]`
    expect(namesOf("x", source).map(({ name }) => name.slice(-1))).toEqual(["c", "d"])
  })

  test("an assumption is listed with its place, whole", () => {
    const source = `/**\n * Top. Assumption: one\n * of two lines.\n *\n * More.\n */\n/** Assumption: b. */\nexport const B = 1\nconst f = () => {\n  // Assumption: c\n  // and on.\n  return 1\n}\n`
    expect(assumptionsOf("x", source)).toEqual([
      { path: "x", at: "", words: "Top. Assumption: one of two lines." },
      { path: "x", at: "B", words: "Assumption: b." },
      { path: "x", at: "f", words: "Assumption: c and on." }
    ])
    expect(assumptions().length).toBeGreaterThan(50)
  })
})
