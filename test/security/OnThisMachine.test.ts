/** What reads files or databases of this machine is configured by the operator alone: every connector of that kind says so. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { connectors } from "../../connectors/list.ts"
import { needsOf } from "../../sync/library/SourceNeeds.ts"

/** What reads something that is not at the other end of an HTTP request. */
const READS = /from "(node:(fs|fs\/promises|net|child_process)|better-sqlite3|pg|mysql2[^"]*)"/

/** Its code, without its sample. */
const codeOf = (name: string): string =>
  globSync(`connectors/${name}/**/*.ts`)
    .filter((path) => !/Sample\w*\.ts$|testing/.test(path))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n")

describe("a connector that reads this machine", () => {
  for (const { load, name } of connectors)
    it(`says so: ${name}`, async () => {
      const { capabilities, ...connector } = await load()
      const asked = needsOf({ capabilities, ...connector }, {}).map((one) => one.name)
      const reads = READS.test(codeOf(name)) || asked.some((one) => /^(path|file|folder)$/.test(one))
      assert.strictEqual(capabilities.onThisMachine === true, reads)
    })
})
