/**
 * Many real kills: `node test/crash/run.ts 500`, or with a seed of its own `node test/crash/run.ts 500 7`. Ends with 1
 * when something does not hold, and names the seed.
 */
import { crash } from "./Crash.ts"
import { Program } from "./Program.ts"

const [count = 500, first = 1] = process.argv.slice(2).map(Number)
/** Kills of one seller's books, before another begins. */
const EACH = 25

const program = new Program()
const began = performance.now()
const sum = { kills: 0, pendingCalls: 0, requests: 0, transactions: 0, captures: 0 }
let failed = 0
try {
  for (let seed = first; sum.kills < count; seed++) {
    const { found, ...survey } = await crash(program, seed, Math.min(EACH, count - sum.kills))
    for (const name of Object.keys(sum) as ReadonlyArray<keyof typeof sum>) sum[name] += survey[name]
    console.log(`seed ${seed}: ${JSON.stringify(survey)}`)
    if (survey.kills === 0) throw new Error("no run could be killed")
    if (found.length === 0) continue
    failed++
    console.log(found.map((what) => `  ${what}`).join("\n"))
  }
} finally {
  await program.close()
}
const seconds = (performance.now() - began) / 1000
console.log(
  `${sum.kills} kills, ${sum.pendingCalls} of them with a call whose outcome was not known, ${sum.requests} requests, ${sum.transactions} transactions, ${sum.captures} captures in ${seconds.toFixed(0)} s: ${failed === 0 ? "everything held" : `${failed} failed`}`
)
process.exitCode = failed === 0 ? 0 : 1
