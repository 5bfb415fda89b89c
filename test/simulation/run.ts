/**
 * Many seeds of the simulation, as many as asked for: `node test/simulation/run.ts 5000` begins with seed 1, and
 * `node test/simulation/run.ts 1 4711` replays seed 4711. Prints every seed that fails and what does not hold.
 */
import { simulate } from "./Simulation.ts"

const [count = 1000, first = 1] = process.argv.slice(2).map(Number)
if (!Number.isInteger(count) || !Number.isInteger(first)) {
  console.error("node test/simulation/run.ts [how many seeds] [the first seed]")
  process.exit(2)
}

const began = performance.now()
let failed = 0
let requests = 0
let kills = 0
let conflicts = 0
for (let seed = first; seed < first + count; seed++) {
  const outcome = await simulate(seed)
  requests += outcome.requests
  kills += outcome.kills
  conflicts += outcome.conflicts
  if (outcome.found.length === 0) continue
  failed++
  console.log(`seed ${seed}:\n${outcome.found.map((what) => `  ${what}`).join("\n")}`)
}
const seconds = (performance.now() - began) / 1000
console.log(
  `${count} seeds, ${requests} requests, ${kills} kills, ${conflicts} conflicts in ${seconds.toFixed(1)} s: ${failed} failed`
)
process.exitCode = failed === 0 ? 0 : 1
