/** Who runs one state file loads nothing of many tenants, and nobody loads a database server's client who asks for none. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"

/** What a module reads at once, with what that reads: without types, and without what is imported when it is needed. */
const readWith = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(file)) return seen
  seen.add(file)
  if (!file.endsWith(".ts") || !existsSync(file)) return seen
  const text = readFileSync(file, "utf8")
  for (const [, words, target] of text.matchAll(/^(?:import|export)\b([^"'()=]*?)(?:from )?"([^"]+)"/gm)) {
    if (/^\s*type\b/.test(words!)) continue
    readWith(target!.startsWith(".") ? normalize(join(dirname(file), target!)) : target!, seen)
  }
  return seen
}

const many = (file: string) => /^(sync|cli)\/tenants\/|^sync\/library\/many\//.test(file)
const server = (file: string) => /^(pg|mysql2|@effect\/sql)/.test(file)

describe("what is loaded", () => {
  for (const entry of ["cli/main.ts", "cli/commands/daemon.ts", "cli/daemon/Main.ts", "sync/library/Daybook.ts"])
    it(`with ${entry}: nothing of many tenants, and no client of a database server`, () => {
      const read = [...readWith(entry)]
      assert.isAbove(read.length, 10)
      assert.deepStrictEqual(
        read.filter((file) => many(file) || server(file)),
        []
      )
    })

  for (const entry of ["cli/tenants/RunTenants.ts", "cli/commands/tenants.ts", "sync/library/many/Opened.ts"])
    it(`with ${entry}: many tenants, and no client of a database server`, () => {
      const read = [...readWith(entry)]
      assert.isTrue(read.some(many))
      assert.deepStrictEqual(read.filter(server), [])
    })
})
