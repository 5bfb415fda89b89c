/** Which expressions are flipped, and into what: each is a program, and none is of a type or in a text. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { flipped, flipsOf } from "./Flips.ts"

const folder = mkdtempSync(join(tmpdir(), "daybook-flips-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The whole text with each of its flips. */
const variants = (text: string): ReadonlyArray<string> => {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { noLib: true }, include: ["*.ts"] }))
  writeFileSync(join(folder, "one.ts"), text)
  return flipsOf(folder, ["one.ts"]).map((flip) => flipped(text, flip))
}

describe("a flip", () => {
  it.each([
    ["a === b", ["a !== b"]],
    ["a < b && c", ["a < b || c", "a <= b && c"]],
    ["!a", ["a"]],
    ["a + 1n", ["a - 1n", "a + 2n"]],
    ["all.some(is)", ["all.every(is)"]],
    ["Math.min(a, b)", ["Math.max(a, b)"]],
    ["a ? b : c", ["a ? c : b"]],
    ["if (is(a)) b()", ["if (!(is(a))) b()"]],
    ["if (a > b) c()", ["if (a >= b) c()"]],
    ["const a: true = true", ["const a: true = false"]],
    ["type A = 1 | true\ninterface B { readonly c: 2 }", []],
    ['const a = "b === c" // d === e', []],
    ["a ?? b.c", []]
  ])("of %s", (text, flips) => {
    expect(variants(text)).toEqual(flips)
  })

  it("says where it is", () => {
    writeFileSync(join(folder, "one.ts"), "\n\nconst a = 1n\n")
    const [{ from, line, to } = { from: "", line: 0, to: "" }] = flipsOf(folder, ["one.ts"])
    expect([line, from, to]).toEqual([3, "1n", "2n"])
  })
})
