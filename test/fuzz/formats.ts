/**
 * Damages files of every format: `node test/fuzz/formats.ts 1000000` makes so many, `… 5000 7` begins with seed 7, `… 5000 7 FOLDER`
 * damages the files in that folder too, such as public examples, and `… 5000 7 "" ksef` only formats of that name. Ends with 1
 * when one stops a run, or loses, adds or changes money without a word, though the file shows that it was damaged; of those whose
 * files show nothing it says how many there are.
 */
import { end } from "../support/AtEnd.ts"
import { Dice } from "../simulation/Dice.ts"
import { begin, damaged, finish, KINDS, onlyReversals, verdict, type Verdict } from "./Damaged.ts"
import { foreign, own } from "./DamagedFiles.ts"
import { isValid } from "./Valid.ts"

const [count = "10000", first = "1", folder = "", only = ""] = process.argv.slice(2)
begin()
const subjects = [...own(), ...(folder === "" ? [] : await foreign(folder))].filter(({ name }) => name.includes(only))
const SILENT: ReadonlySet<Verdict> = new Set(["lost", "added", "changed", "crash"])
/** Silent, and the file is a valid one with other contents. */
type Counted = Verdict | `${Verdict} unknowably`
const sums = new Map<string, Partial<Record<Counted, number>>>()
const shown = new Map<string, string>()
const began = performance.now()
const wholes = new Map<(typeof subjects)[number], Awaited<ReturnType<(typeof subjects)[number]["read"]>>>()
for (const one of subjects) {
  const whole = await one.read(one.bytes)
  wholes.set(one, whole)
  if (whole.documents.length === 0)
    console.log(`nothing is read of ${one.name} (${one.file}): ${whole.crash ?? whole.words.join("; ")}`)
}

/** The lines that are no more, and those that took their place. */
const difference = (was: Buffer, is: Buffer): string => {
  const [before, after] = [was, is].map((bytes) => bytes.toString("latin1").split(/(?<=\n)/))
  const only = (some: ReadonlyArray<string> = [], others: ReadonlyArray<string> = []) =>
    some
      .filter((line) => !others.includes(line))
      .map((line) => JSON.stringify(line).slice(0, 300))
      .slice(0, 4)
      .join(" ")
  return `${only(before, after)} became ${only(after, before)}`
}

const report = (made: number): void => {
  for (const [name, sum] of sums) console.log(`${name}: ${JSON.stringify(sum)}`)
  for (const text of [...shown.values()].slice(0, 100)) console.log(text)
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`${made} damaged files in ${seconds} s: ${shown.size} kinds of crash or silent loss`)
}

/** Of a connection that is pulled, one in so many seeds. */
const SELDOM = 4

let made = 0
for (let seed = Number(first); made < Number(count); seed++)
  for (const one of subjects) {
    if (one.isPulled === true && seed % SELDOM !== 0) continue
    const whole = wholes.get(one)!
    for (const kind of KINDS) {
      const dice = Dice.of(seed, `${one.name} ${one.file} ${kind}`)
      const bytes = damaged(one.bytes, kind, dice)
      const now = await one.read(bytes)
      const said = verdict(whole, now)
      const isUnknowable = SILENT.has(said) && isValid(one.name, bytes, onlyReversals(whole, now))
      const counted: Counted = isUnknowable ? `${said} unknowably` : said
      const sum = sums.get(one.name) ?? {}
      sum[counted] = (sum[counted] ?? 0) + 1
      sums.set(one.name, sum)
      if (++made % 50_000 === 0) report(made)
      if (!SILENT.has(said) || isUnknowable) continue
      const key = `${one.name} ${said} ${kind}`
      if (shown.has(key)) continue
      shown.set(key, `${key} (${one.file}, seed ${seed}): ${now.crash ?? difference(one.bytes, bytes)}`)
    }
  }
report(made)
finish()
await end()
process.exitCode = shown.size === 0 ? 0 : 1
