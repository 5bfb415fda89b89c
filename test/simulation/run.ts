/**
 * Many seeds of the simulation, as many as asked for: `node test/simulation/run.ts 5000` begins with seed 1, and
 * `node test/simulation/run.ts 1 4711` replays seed 4711. Prints every seed that fails, what does not hold, and the
 * shortest story in which it does not. Before that a canary, a program with a known mistake, must be caught.
 *
 *     --first     ends at the first seed that fails
 *     --canary    runs the program with the known mistake
 *     --calm      nothing goes wrong
 *     --double    counts only what was done twice
 *     --move=NAME=RATE   draws a move as often as this at most, in place of its rate in `Moves.ts`
 *     --pays      a second connection pays in every seed, not in a quarter of them
 *     --cover     cover is quoted and bought in every seed
 *     --lies      the source states its balances and its records lie in every seed
 *     --plain     without the canary before, and without shortening
 */
import { claimsTooLateAndBelieves } from "../sync/Canary.ts"
import { movesOf } from "./Moves.ts"
import { catches, isDouble, shortest } from "./Shortest.ts"
import { simulate } from "./Simulation.ts"

const words = process.argv.slice(2).filter((one) => one.startsWith("--"))
const [count = 1000, first = 1] = process.argv
  .slice(2)
  .filter((one) => !one.startsWith("--"))
  .map(Number)
if (!Number.isInteger(count) || !Number.isInteger(first)) {
  console.error(
    "node test/simulation/run.ts [how many seeds] [the first seed] [--first] [--canary] [--calm] [--double] [--move=NAME=RATE] [--pays] [--lies] [--cover] [--plain]"
  )
  process.exit(2)
}
const wrap = words.includes("--canary") ? claimsTooLateAndBelieves : undefined
const pays = words.includes("--pays")
const lies = words.includes("--lies")
const cover = words.includes("--cover")
const drawn = words.filter((one) => one.startsWith("--move="))
const moves = movesOf(drawn.map((one) => one.slice("--move=".length)))
const plain = words.includes("--plain") || wrap !== undefined

/** How many seeds may pass until the canary is caught. */
const CANARY = 300

if (!plain) {
  const caught = await catches(CANARY, claimsTooLateAndBelieves)
  if (caught === undefined) {
    console.log(`the canary, which writes its claims after its requests, was not caught in ${CANARY} seeds`)
    process.exit(1)
  }
  console.log(`the canary, which writes its claims after its requests, is caught by seed ${caught}`)
}

const began = performance.now()
let failed = 0
let requests = 0
let kills = 0
let conflicts = 0
let done = 0
let lying = 0
let handedOver = 0
for (let seed = first; seed < first + count; seed++) {
  const outcome = await simulate(seed, { wrap, pays, lies, cover, moves, calm: words.includes("--calm") })
  done++
  requests += outcome.requests
  kills += outcome.kills
  conflicts += outcome.conflicts
  if (outcome.lies > 0) lying++
  handedOver += outcome.handedOver
  const found = words.includes("--double") ? outcome.found.filter((one) => isDouble([one])) : outcome.found
  if (found.length === 0) continue
  failed++
  const more = [...(pays ? ["--pays"] : []), ...(lies ? ["--lies"] : []), ...(cover ? ["--cover"] : []), ...drawn]
    .map((one) => ` ${one}`)
    .join("")
  console.log(`seed ${seed}: replay it with node test/simulation/run.ts 1 ${seed}${more}`)
  const lines = plain ? found : await shortest(seed, undefined, undefined, { pays, lies, cover, moves })
  console.log(lines.map((what) => `  ${what}`).join("\n"))
  if (words.includes("--first")) break
}
const seconds = (performance.now() - began) / 1000
console.log(
  `${done} seeds, ${requests} requests, ${kills} kills, ${conflicts} conflicts, ${lying} with lies, ${handedOver} handed over in ${seconds.toFixed(1)} s: ${failed} failed`
)
process.exitCode = failed === 0 ? 0 : 1
