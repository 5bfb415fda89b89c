/**
 * `node test/cluster/all.ts 200`: every trial of this folder, one after the other, with so many rounds of those that have rounds; or some
 * of them: `node test/cluster/all.ts 20 workers frozen`. Ends with 1 if one fails, and with 77 if there is no PostgreSQL here.
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { SKIPPED } from "../support/Skipped.ts"
import { programs } from "./Server.ts"

const words = process.argv.slice(2)
const rounds = words.find((word) => Number(word) > 0) ?? "20"
const chosen = words.filter((word) => !(Number(word) > 0))

/** The number that each is given. */
const TRIALS: Readonly<Record<string, string | undefined>> = {
  workers: rounds,
  suspended: rounds,
  opening: "66",
  stalled: "60",
  outside: undefined,
  promoted: rounds,
  behind: undefined,
  pooled: "5",
  frozen: "5",
  versions: undefined,
  rights: undefined,
  tls: undefined,
  random: "1000",
  real: "300"
}

const unknown = chosen.filter((name) => !(name in TRIALS))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}; available: ${Object.keys(TRIALS).join(", ")}`)
  process.exit(2)
}
try {
  programs()
} catch (cause) {
  console.log(`skipped: ${(cause as Error).message}`)
  process.exit(SKIPPED)
}

const failed: Array<string> = []
for (const [name, count] of Object.entries(TRIALS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const began = performance.now()
  const script = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  console.log(`--- ${name} ${count ?? ""}`)
  const { status } = spawnSync(process.execPath, [script, ...(count === undefined ? [] : [count])], {
    stdio: "inherit"
  })
  if (status !== 0) failed.push(name)
  console.log(`${status === 0 ? "held" : "FAILED"} in ${((performance.now() - began) / 60_000).toFixed(1)} min`)
}
console.log(failed.length === 0 ? "all of them held" : `failed: ${failed.join(", ")}`)
process.exitCode = failed.length === 0 ? 0 : 1
