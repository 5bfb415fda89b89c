/**
 * Prints what each life fails of, a line of JSON for each seed: `node test/world/failures.ts 200 "program xero" "debit booked"`. Lives
 * whose setting lacks the first words, or in which one of the others does not happen, are not played. For `mutants.ts`.
 */
import { lifeOf } from "./Lives.ts"

const [, , lives, where = "", ...needs] = process.argv
for (let seed = 1; seed <= Number(lives); seed++) {
  const life = lifeOf(seed)
  const isPlayed = life.setting.includes(where) && needs.every((kind) => life.kinds.has(kind))
  const { failures } = isPlayed ? await life.play() : { failures: [] }
  console.log(JSON.stringify(failures.map(({ about, kind, what }) => `${kind}: ${about}: ${what}`)))
}
