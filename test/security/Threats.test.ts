/** Every threat that is answered names the tests that show the answer, and these exist. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync, statSync } from "node:fs"

const rows = readFileSync("sync/THREATS.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| **"))
  .map((line) => line.slice(2, -2).split(" | "))

/** Whether a path is a file of tests, or a folder with one. */
const tests = (path: string): boolean =>
  existsSync(path) &&
  (statSync(path).isDirectory()
    ? globSync(`${path}/**/*.ts`).length > 0
    : /\b(it|test)(\.\w+)?[(<`]/.test(readFileSync(path, "utf8")))

describe("the threats", () => {
  it("have a column for what happens, what is done and which tests show it", () => {
    assert.isAbove(rows.length, 35)
    for (const row of rows) assert.lengthOf(row, 3, row[0])
  })

  it("each name tests that exist", () => {
    const wrong = rows.flatMap(([threat = "", , shown = ""]) => {
      const named = [...shown.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path)
      const missing = named.filter((path) => !tests(path))
      return named.length === 0 || missing.length > 0 ? [`${threat}: ${missing.join(", ") || "no test"}`] : []
    })
    assert.deepStrictEqual(wrong, [])
  })
})
