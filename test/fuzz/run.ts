/**
 * Malformed records of every connector's sample: `node test/fuzz/run.ts 1000000` makes so many, `node test/fuzz/run.ts
 * 5000 7` begins with seed 7. Ends with 1 when one stops a run or is lost without a word.
 */
import { samples } from "../support/Samples.ts"
import { fuzz } from "./Fuzz.ts"

const [count = 100_000, first = 1] = process.argv.slice(2).map(Number)
const subjects = await Promise.all(Object.values(samples).map(async (load) => (await load()).subject))
const sums = new Map(subjects.map(({ connector }) => [connector.name, { records: 0, unreadable: 0, read: 0, lost: 0 }]))
const failures = new Map<string, string>()
const began = performance.now()
let records = 0
for (let seed = first; records < count; seed++) {
  const before = records
  for (const subject of subjects) {
    const { name } = subject.connector
    const made = await fuzz(subject, seed)
    const sum = sums.get(name)!
    records += made.records
    sum.records += made.records
    sum.unreadable += made.unreadable
    sum.read += made.read
    sum.lost += made.lost.length
    for (const what of [...made.found, ...made.lost.map((how) => `lost without a word: ${how}`)]) {
      const kind = `${name}: ${what.replace(/fz\d+z|x\d+\b/g, "").slice(0, 300)}`
      if (!failures.has(kind)) failures.set(kind, `${kind}  (seed ${seed})`)
    }
  }
  if (records === before) throw new Error("no connector has anything to break")
}
const seconds = (performance.now() - began) / 1000
for (const [name, sum] of sums) console.log(`${name}: ${JSON.stringify(sum)}`)
for (const what of [...failures.values()].slice(0, 60)) console.log(what)
console.log(
  `${records} malformed records in ${seconds.toFixed(0)} s: ${failures.size === 0 ? "none stops a run, none is lost" : `${failures.size} kinds of failure`}`
)
process.exitCode = failures.size === 0 ? 0 : 1
