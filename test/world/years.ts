/**
 * Plays years of sellers by seed: `node test/world/years.ts 10 300` plays seeds 0 to 9 with about 300 payments each, a run of
 * Daybook every 28 days; `years.ts 10 300 7000 7` begins at seed 7000 and runs it every week. With `--today` seeds are counted from those
 * of the day, so that each night plays others. Prints what failed, how often a person was asked for each 1,000 payments, and what
 * people caused who answered wrongly. Fails if anything did. `--items` shows the questions.
 */
import { parseArgs } from "node:util"
import { play } from "./Life.ts"
import { yearOf } from "./truth/year/Year.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { items: { type: "boolean", default: false }, today: { type: "boolean", default: false } }
})
const [sellers = 5, payments = 300, first = 0, every = 28] = positionals.map(Number)
const DAY_MS = 86_400_000
/** No two nights share a seed. */
const from = first + (values.today ? Math.floor(Date.now() / DAY_MS) * 1000 : 0)

/** What each failure is to whoever reads the sums. */
const SUMS: ReadonlyArray<readonly [string, RegExp]> = [
  ["doubles", /^wrong money: (more is received|an invoice is there twice)/],
  ["marked as paid though open", /^wrong money: marked/],
  ["taken back", /^wrong money: what was paid/],
  ["losses", /^silence|lacks|is not told|waits for ever/],
  ["questions without an answer", /^a question nobody/],
  ["said to agree", /^false agree/]
]

const found = new Map<string, Array<string>>()
let moved = 0
let asked = 0
let erred = 0
/** About payments of customers abroad. */
let foreign = 0
const caused = new Map<string, number>()
for (let seed = from; seed < from + sellers; seed++) {
  const plan = yearOf(seed, payments, every)
  const began = performance.now()
  const played = await play(plan)
  const { failures, mistakes, questions } = played
  const count = plan.happenings.filter(({ id }) => /^[MD]\d+$/.test(id)).length
  moved += count
  asked += questions.size
  erred += mistakes.length
  const names = plan.customers.flatMap((one) => ("abroad" in one ? [one.name.slice(0, 8).toUpperCase()] : []))
  for (const why of questions.values())
    if (names.some((name) => why.toUpperCase().includes(name)) || /USD/.test(why)) foreign++
  for (const { about, kind } of played.caused)
    caused.set(`${kind}: ${about}`, (caused.get(`${kind}: ${about}`) ?? 0) + 1)
  const { bank, processor } = plan.style
  const more = [bank?.dollars && "dollars", bank?.details && "details", plan.style.mistaken && "errs"].filter(Boolean)
  const setting = [bank?.format, bank?.files, processor?.api, plan.style.books.dollars && "abroad", ...more]
    .filter(Boolean)
    .join(" ")
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(
    `seed ${seed}: ${count} payments, ${questions.size} questions, ${mistakes.length} mistakes, ${failures.length} failures, ${seconds} s (${setting})`
  )
  for (const { about, day, kind, what } of failures) {
    const name = `${kind}: ${about}`
    found.set(name, [...(found.get(name) ?? []), `seed ${seed}, day ${day}: ${what}`])
    console.log(`  → day ${day}, ${name}: ${what}`)
  }
  if (!values.items) continue
  for (const why of questions.values()) console.log(`  ${why}`)
  for (const what of mistakes) console.log(`  wrongly: ${what}`)
}
const count = (names: ReadonlyArray<string>) => names.reduce((all, name) => all + found.get(name)!.length, 0)
const known = SUMS.map(([word, of], at) => {
  const names = [...found.keys()].filter((name) => SUMS.findIndex(([, one]) => one.test(name)) === at && of.test(name))
  return `${count(names)} ${word}`
})
for (const [name, times] of caused) console.log(`caused by a person, and made good: ${times} ${name}`)
console.log(
  `${moved} payments of ${sellers} sellers, ${((asked * 1000) / moved).toFixed(1)} questions for each 1,000 (${foreign} of ${asked} about money from abroad), ${erred} answered wrongly; ${known.join(", ")}; ${count([...found.keys()])} failures`
)
process.exitCode = found.size > 0 ? 1 : 0
