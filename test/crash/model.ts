/**
 * Many steps against the real command: `node test/crash/model.ts 2000`, or with a seed of its own `node
 * test/crash/model.ts 200 7`. Ends with 1 when something does not hold, names the seed, and tells what happened since it
 * was last quiet and right.
 */
import { Program } from "./Program.ts"
import { steps } from "./Steps.ts"

/** Steps of one seller's books, before another begins. */
const EACH = 200

const [count = 2000, first = 1] = process.argv.slice(2).map(Number)
const sellers = Math.ceil(count / EACH)
const keyOf = (seed: number) => `sk-steps-${seed}`

const program = new Program()
const began = performance.now()
const sandbox = await program.sandbox(Array.from({ length: sellers }, (_, n) => keyOf(first + n)))
const sum = { steps: 0, quiet: 0, kills: 0, transactions: 0 }
let failed = 0
try {
  for (let n = 0; n < sellers; n++) {
    const seed = first + n
    const many = Math.min(EACH, count - n * EACH)
    const { found, story, ...outcome } = await steps(program, {
      url: sandbox.url,
      key: keyOf(seed),
      seed,
      steps: many
    })
    for (const name of Object.keys(sum) as ReadonlyArray<keyof typeof sum>) sum[name] += outcome[name]
    console.log(`seed ${seed}: ${JSON.stringify(outcome)}`)
    if (found.length === 0) continue
    failed++
    console.log([...found.map((what) => `  ${what}`), ...story.map((what) => `      ${what}`)].join("\n"))
  }
} finally {
  await sandbox.end()
  await program.close()
}
const seconds = (performance.now() - began) / 1000
console.log(
  `${sum.steps} steps, ${sum.kills} kills, ${sum.transactions} transactions, quiet ${sum.quiet} times in ${seconds.toFixed(0)} s: ${failed === 0 ? "everything held" : `${failed} failed`}`
)
process.exitCode = failed === 0 ? 0 : 1
