/**
 * Plays random histories of orders by seed, as many for each shop's arithmetic and for files: `node test/orders/run.ts 20000` plays
 * seeds 1 to 20000 of each, `run.ts 20000 4711` begins at 4711. Prints the first histories that break a law.
 */
import { playFiles } from "./laws/FileHistory.ts"
import { ARITHMETICS, play, tally } from "./laws/Laws.ts"
import { decide } from "./laws/Numbers.ts"

const [many = 2000, from = 1] = process.argv.slice(2).map(Number)
const SHOWN = 3
let broken = 0

const plays = (name: string, one: (seed: number) => ReadonlyArray<string>, told: () => string = () => ""): void => {
  const found: Array<string> = []
  for (let seed = from; seed < from + many; seed++) found.push(...one(seed).map((law) => `seed ${seed}: ${law}`))
  broken += found.length
  console.log(`${name}: ${many} histories, ${found.length} laws broken${told()}`)
  for (const law of found.slice(0, SHOWN)) console.log(law)
}

for (const [kind, rounding] of ARITHMETICS) {
  const count = tally()
  const name = rounding === undefined ? kind : `${kind}, rounded by ${rounding}`
  const told = () =>
    `, ${count.asked} asked of a person; ${count.syncs} syncs: ${count.captures} captures, ${count.refunds} refunds, ${count.voids} voids`
  plays(name, (seed) => play(decide, seed, count, [kind, rounding]), told)
}
plays("files", (seed) => playFiles(decide, seed))
process.exitCode = broken === 0 ? 0 : 1
