/**
 * A few thousand malformed records of every connector that there is, on every run of the tests; `node test/fuzz/run.ts
 * 1000000` makes a million.
 */
import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { samples } from "../support/Samples.ts"
import { fuzz } from "./Fuzz.ts"
import { times } from "../support/Effort.ts"

const SEEDS = times(2)

describe("damaged files of every format", () => {
  it("none stops a run, and none loses, adds or changes money in silence", { timeout: 300_000 }, async () => {
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ["test/fuzz/formats.ts", String(4000 * SEEDS), "8"], {
      maxBuffer: 2 ** 24
    })
    assert.match(stdout, /damaged files in \d+ s: 0 kinds of crash or silent loss/)
  })
})

describe("malformed records", () => {
  for (const [name, load] of Object.entries(samples)) {
    it(`of ${name}: none stops a run, each is quarantined with a reason or harmless`, {
      timeout: 120_000
    }, async () => {
      const { subject } = await load()
      let [unreadable, records] = [0, 0]
      for (let seed = 1; seed <= SEEDS; seed++) {
        const made = await fuzz(subject, seed)
        unreadable += made.unreadable
        records += made.records
        assert.deepStrictEqual([...made.found, ...made.lost], [], `node test/fuzz/run.ts 1 ${seed}`)
      }
      // What is read from the outside at all can be broken.
      const stage = subject.open()
      const isOfTables = stage.folder === undefined || readdirSync(stage.folder).some((file) => file.endsWith(".csv"))
      stage.close?.()
      if (!isOfTables) return console.info(`${name} is not tried: its files are no tables`)
      if (stage.source === undefined && stage.folder === undefined)
        return console.info(`${name} is not tried: its sample has neither a source nor a folder`)
      assert.isAbove(records, 40 * SEEDS)
      assert.isAbove(unreadable, 10 * SEEDS)
    })
  }
})
