/**
 * Prints what each life fails of, a line of JSON for each seed: `node test/world/failures.ts 200 xero`. Lives whose setting lacks the
 * word are not played. For `mutants.ts`.
 */
import { lifeOf } from "./Lives.ts"

const [, , lives, word = ""] = process.argv
for (let seed = 1; seed <= Number(lives); seed++) {
  const life = lifeOf(seed)
  const { failures } = life.setting.includes(word) ? await life.play() : { failures: [] }
  console.log(JSON.stringify(failures.map(({ about, kind, what }) => `${kind}: ${about}: ${what}`)))
}
