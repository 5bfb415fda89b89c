/**
 * Plays years of sellers by seed: `node test/world/years.ts 10 300` plays seeds 0 to 9 with about 300 payments each, a run of
 * Daybook every 28 days; `years.ts 10 300 7000 7` begins at seed 7000 and runs it every week. Prints each kind of failure, and
 * how many questions a person was asked for each 1,000 payments. `--items` shows the questions.
 */
import { parseArgs } from "node:util"
import { play } from "./Life.ts"
import { yearOf } from "./truth/year/Year.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { items: { type: "boolean", default: false } }
})
const [sellers = 5, payments = 300, from = 0, every = 28] = positionals.map(Number)

const found = new Map<string, Array<string>>()
let moved = 0
let asked = 0
for (let seed = from; seed < from + sellers; seed++) {
  const plan = yearOf(seed, payments, every)
  const began = performance.now()
  const { failures, questions } = await play(plan)
  const count = plan.happenings.filter(({ id }) => /^[MD]\d+$/.test(id)).length
  moved += count
  asked += questions.size
  for (const { about, day, kind, what } of failures) {
    const name = `${kind}: ${about}`
    found.set(name, [...(found.get(name) ?? []), `seed ${seed}, day ${day}: ${what}`])
  }
  const setting = `${plan.style.bank?.format} ${plan.style.bank?.files} ${plan.style.processor?.api ?? ""}`
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(
    `seed ${seed}: ${count} payments, ${questions.size} questions, ${failures.length} failures, ${seconds} s (${setting})`
  )
  if (values.items) for (const why of questions.values()) console.log(`  ${why}`)
}
for (const [name, all] of [...found].toSorted(([, a], [, b]) => b.length - a.length)) {
  console.log(`\n${name}: ${all.length}`)
  for (const one of all.slice(0, 5)) console.log(`  ${one}`)
}
console.log(
  `\n${moved} payments, ${((asked * 1000) / moved).toFixed(1)} questions for each 1,000; ${[...found.values()].flat().length} failures`
)
process.exitCode = found.size > 0 ? 1 : 0
