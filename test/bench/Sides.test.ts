/** What a bench runs in a process of its own goes by a name: there is a function of that name in its file. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { MODULES } from "./Bundles.ts"

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8")

describe("the sides of the benches", () => {
  it("are functions that their files export", () => {
    let named = 0
    for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith(".ts"))) {
      const text = read(file)
      if (/\brun(<.*>)?\(import\.meta\.url/.test(text)) assert.include([...MODULES.map((name) => `${name}.ts`)], file)
      for (const [, where = "", side = ""] of text.matchAll(
        /\b(?:run|side)\S*\((import\.meta\.url|LOOP|LOAD), "(\w+)"/g
      )) {
        named++
        assert.match(
          where === "LOOP" ? read("Loop.ts") : where === "LOAD" ? read("Load.ts") : text,
          RegExp(`^export const ${side} `, "m"),
          `${file}: ${side}`
        )
      }
    }
    assert.isAtLeast(named, 5)
  })
})
