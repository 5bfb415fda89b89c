/**
 * Plays lives by seed: `node test/world/run.ts 1000` plays seeds 1 to 1000, `run.ts 1000 4711` begins at 4711. Each kind of
 * failure is shown with its first seeds and its shortest story; with `--stories 5` those of five seeds, where they differ in
 * what happens, and with `--stories 0` none. The situations that were reached are counted.
 */
import { parseArgs } from "node:util"
import { KNOWN, unknown } from "./Known.ts"
import { lifeOf, nameOf, reached as situations, shortest, told } from "./Lives.ts"
import { neverReached } from "./Situations.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { stories: { type: "string", default: "1" } }
})
const [count = "200", from = "1"] = positionals
/** Beyond so many lives, a situation that none reached is a failure of the world itself. */
const ENOUGH = 10_000

const found = new Map<string, Array<number>>()
const reached = new Map<string, number>()
for (let seed = Number(from); seed < Number(from) + Number(count); seed++) {
  const life = lifeOf(seed)
  const played = await life.play()
  for (const name of new Set(played.failures.map((one) => nameOf(one, life))))
    found.set(name, [...(found.get(name) ?? []), seed])
  for (const one of situations(life, played)) reached.set(one, (reached.get(one) ?? 0) + 1)
}

for (const [name, seeds] of [...found].toSorted(([, a], [, b]) => b.length - a.length)) {
  console.log(`\n${name}: ${seeds.length} of ${count} lives, seeds ${seeds.slice(0, 6).join(", ")}`)
  const seen = new Set<string>()
  for (const seed of seeds.slice(0, Number(values.stories))) {
    const life = lifeOf(seed)
    const played = await shortest(life, name)
    const how = [...new Set(played.story.map(({ kind }) => kind))].toSorted().join(", ")
    if (seen.has(how)) continue
    seen.add(how)
    console.log(`  seed ${seed}: ${life.setting}`)
    for (const line of told(played)) console.log(`  ${line}`)
  }
}

console.log(`\n${reached.size} situations were reached:`)
for (const [name, lives] of [...reached].toSorted(([, a], [, b]) => b - a))
  console.log(`  ${String(lives).padStart(6)} ${name}`)
const never = neverReached(new Set(reached.keys()))
if (never.length > 0 && Number(count) >= ENOUGH) console.log(`never reached: ${never.join("; ")}`)
const mended = [...KNOWN.keys()].filter((name) => !found.has(name))
if (Number(count) >= ENOUGH && mended.length > 0)
  console.log(`no longer found, to be deleted from Known.ts:\n  ${mended.join("\n  ")}`)
const strange = unknown([...found.keys()])
console.log(
  strange.length === 0 ? `every kind of failure is known (${found.size})` : `not known:\n  ${strange.join("\n  ")}`
)
process.exitCode = strange.length > 0 || (never.length + mended.length > 0 && Number(count) >= ENOUGH) ? 1 : 0
