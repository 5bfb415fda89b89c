/**
 * Runs everything that takes too long for a normal test run, one after the other: `npm run nightly`, or some of it by name:
 * `npm run nightly -- kills orders`. Prints the result and the duration of each; the output of each is in a file in the folder
 * printed at the beginning. Exits with 1 if anything fails. What this machine lacks something for is skipped, with the reason.
 */
import { spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { WHOLE } from "./Effort.ts"
import { SKIPPED } from "./Skipped.ts"

interface Work {
  readonly script: string
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

const WORKS: Readonly<Record<string, Work>> = {
  tests: { script: "test/support/run.ts", env: { DAYBOOK_EFFORT: String(WHOLE), DAYBOOK_LONG: "all" } },
  histories: { script: "test/simulation/run.ts", args: ["10000"] },
  collections: { script: "test/simulation/CollectionHistory.ts", args: ["1000"] },
  lies: { script: "test/simulation/run.ts", args: ["2000", "1", "--lies", "--plain"] },
  mutants: { script: "test/simulation/tryMutants.ts" },
  flips: { script: "test/flips/run.ts" },
  orders: { script: "test/orders/run.ts", args: ["20000"] },
  world: { script: "test/world/run.ts", args: ["10000"] },
  years: { script: "test/world/years.ts", args: ["50", "2000", "0", "7", "--today"] },
  "small-years": { script: "test/world/years.ts", args: ["40", "300", "500", "7", "--today"] },
  "world-mutants": { script: "test/world/mutants.ts" },
  kills: { script: "test/crash/run.ts", args: ["500"] },
  steps: { script: "test/crash/model.ts", args: ["2000"] },
  year: { script: "test/year/run.ts" },
  "year-mutants": { script: "test/year/mutants.ts" },
  cluster: { script: "test/cluster/all.ts", args: ["200"] },
  garbage: { script: "test/fuzz/run.ts", args: ["1000000"] },
  still: { script: "test/security/still.ts" },
  "still-unsent": { script: "test/security/still.ts", args: ["20000", "", "unsent"] },
  flood: { script: "test/security/flood.ts", args: ["10000"] },
  bench: { script: "test/bench/all.ts" }
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in WORKS))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}; available: ${Object.keys(WORKS).join(", ")}`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), "daybook-nightly-"))
console.log(`What each of them prints: ${folder}`)
let failed = 0
for (const name of asked.length === 0 ? Object.keys(WORKS) : asked) {
  const { args = [], env = {}, script } = WORKS[name]!
  const log = join(folder, `${name}.log`)
  const file = openSync(log, "w")
  const began = performance.now()
  const { status } = spawnSync(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", file, file]
  })
  closeSync(file)
  const isSkipped = status === SKIPPED
  if (status !== 0 && !isSkipped) failed++
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  const last = readFileSync(log, "utf8").trimEnd().split("\n").at(-1)
  const result = status === 0 ? "held" : isSkipped ? "skipped" : "FAILED"
  console.log(`${result.padEnd(7)} ${name.padEnd(14)} ${minutes.padStart(6)} min  ${last}`)
}
process.exitCode = failed === 0 ? 0 : 1
