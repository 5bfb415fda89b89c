/** Prints what each life fails of, a line of JSON for each seed: `node test/world/failures.ts 200`. For `mutants.ts`. */
import { lifeOf } from "./Lives.ts"

for (let seed = 1; seed <= Number(process.argv[2]); seed++) {
  const { failures } = await lifeOf(seed).play()
  console.log(JSON.stringify(failures.map(({ about, kind, what }) => `${kind}: ${about}: ${what}`)))
}
