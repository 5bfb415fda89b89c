/**
 * Many orders by chance: `node test/orders/run.ts 2000`, with a seed of its own `node test/orders/run.ts 40 7`, or through
 * a shop's interface `node test/orders/run.ts 40 7 shopify`. Ends with 1 when something does not hold, names the seed, and
 * tells the story of each order that went wrong.
 */
import { Program } from "../crash/Program.ts"
import { FRONTS } from "./Fronts.ts"
import { MOVES } from "./Moves.ts"
import { world } from "./World.ts"

/** Orders of one desk. */
const EACH = 40
/** Stories that are told of one desk. */
const STORIES = 60

const [count = 2000, first = 1] = process.argv.slice(2, 4).map(Number)
const shop = process.argv[4]
if (shop !== undefined && FRONTS[shop] === undefined) throw new Error(`${shop} is none of ${Object.keys(FRONTS)}`)
const desks = Math.ceil(count / EACH)
const keyOf = (seed: number) => `sk-orders-${seed}`

const program = new Program()
const began = performance.now()
const sandbox = await program.sandbox(Array.from({ length: desks }, (_, n) => keyOf(first + n)))
const drawn = new Map<string, number>()
const sum = { orders: 0, moves: 0, syncs: 0, odd: 0, exported: 0 }
let failed = 0
try {
  for (let n = 0; n < desks; n++) {
    const seed = first + n
    const orders = Math.min(EACH, count - sum.orders)
    const front = shop === undefined ? undefined : await FRONTS[shop]!()
    const where = { url: sandbox.url, key: keyOf(seed), ...(front === undefined ? {} : { front }) }
    const survey = await world(program, { ...where, seed, orders })
    await front?.close()
    for (const name of Object.keys(sum) as ReadonlyArray<keyof typeof sum>) sum[name] += survey[name]
    for (const [name, times] of survey.drawn) drawn.set(name, (drawn.get(name) ?? 0) + times)
    console.log(`seed ${seed}: ${orders} orders, ${survey.moves} moves, ${survey.syncs} syncs`)
    if (survey.found.length === 0) continue
    failed++
    console.log(
      `seed ${seed} failed:\n${survey.found
        .slice(0, STORIES)
        .map((what) => `  ${what}`)
        .join("\n")}`
    )
  }
} finally {
  await sandbox.end()
  await program.close()
}
for (const { item, name } of MOVES)
  console.log(`  ${String(drawn.get(name) ?? 0).padStart(5)}  ${name}${item === undefined ? "" : ` (item ${item})`}`)
const seconds = (performance.now() - began) / 1000
console.log(
  `${sum.orders} orders (${sum.odd} with a contradiction, ${sum.exported} compared with what is exported), ${sum.moves} moves, ${sum.syncs} syncs in ${seconds.toFixed(0)} s: ${failed === 0 ? "everything held" : `${failed} desks failed`}`
)
process.exitCode = failed === 0 ? 0 : 1
