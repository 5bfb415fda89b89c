/**
 * A year of cover over the command line: `npm run year`, or of another seed `npm run year -- 7`. Ends with 1 when something does
 * not hold on a day of it, or when the year did not bring all that it is to bring.
 */
import { CODES, DAYS } from "./Script.ts"
import { year } from "./Year.ts"

const [seed = 1, days = DAYS] = process.argv.slice(2).map(Number)
const began = performance.now()
const { found, seen } = await year(seed, days, (day) => {
  if (day % 30 === 0) console.log(`${day} days, ${((performance.now() - began) / 1000).toFixed(0)} s`)
})

/** All of it must have happened in a whole year. */
const lacks = [
  ...CODES.filter((code) => !seen.codes.has(code)).map((code) => `nothing was declined by ${code}`),
  ...["insured", "offered", "declined", "unselected", "collection", "lapsed", "closed"]
    .filter((part) => !seen.parts.has(part))
    .map((part) => `nothing was ${part}`),
  ...[
    "active",
    "late",
    "late_can_handover",
    "under_collection",
    "recovery_underway",
    "recovery_complete",
    "lapsed",
    "paid"
  ]
    .filter((status) => !seen.statuses.has(status))
    .map((status) => `no policy was ${status}`),
  ...["issue", "pay", "fail", "credit", "decide", "approve", "reject", "hand over", "recover"]
    .filter((what) => !seen.done.has(what))
    .map((what) => `nobody did: ${what}`),
  ...(seen.full === 0 ? ["the month's limit was never reached"] : [])
]
const wrong = [...found, ...(found.length === 0 && days >= DAYS ? lacks : [])]
for (const [what, times] of seen.done) console.log(`  ${String(times).padStart(5)}  ${what}`)
console.log(`  policies: ${[...seen.statuses].join(", ")}; quotes: ${[...seen.quotes].join(", ")}`)
if (wrong.length > 0) console.log(wrong.map((what) => `  ${what}`).join("\n"))
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(
  `seed ${seed}: ${seen.days} days, ${seen.invoices} invoices, ${seen.codes.size} codes, ${seen.full} days with the month's limit reached, in ${seconds} s: ${wrong.length === 0 ? "everything held" : "FAILED"}`
)
process.exit(wrong.length === 0 ? 0 : 1)
