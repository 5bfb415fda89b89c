/** What the guide tells a stranger to use is there for strangers: exported by the package, under that name. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import * as connectors from "../../../connectors/index.ts"
import * as testing from "../../../connectors/testing/index.ts"
import * as core from "../../../core/index.ts"

const GUIDE = readFileSync("connectors/GUIDE.md", "utf8")
const CONTRACT = readFileSync("connectors/Connector.ts", "utf8")
const all: Readonly<Record<string, unknown>> = { ...core, ...connectors, ...testing }

/** Whether the package has it: a value, or a type of the contract. */
const isThere = (name: string, member: string): boolean => {
  const held = all[name]
  if (typeof held === "object" && held !== null) return Object.hasOwn(held, member)
  return CONTRACT.includes(`export interface ${name} {`) && new RegExp(`readonly ${member}\\??:`).test(CONTRACT)
}

describe("the guide", () => {
  it("names nothing that the package does not have", () => {
    const prose = GUIDE.replaceAll(/^```[\s\S]*?^```/gm, "")
    const named = [...prose.matchAll(/`([A-Z]\w+)\.([a-z]\w+)\b[^`]*`/g)].map(
      ([, name = "", member = ""]) => [name, member] as const
    )
    assert.isAtLeast(named.length, 10)
    const missing = named.filter(([name, member]) => member !== "ts" && !isThere(name, member))
    assert.deepStrictEqual(
      missing.map((one) => one.join(".")),
      []
    )
  })
})
