/**
 * Tries every mutant, or those whose name has the given words: `node test/simulation/tryMutants.ts "the claim"`.
 */
import { MUTANTS } from "./mutants.ts"
import { tryMutant } from "./Trial.ts"

const words = process.argv.slice(2).join(" ")
let failed = 0
for (const mutant of MUTANTS.filter(({ name }) => name.includes(words))) {
  const { caught, name, unfair } = await tryMutant(mutant)
  if (caught === undefined) failed++
  console.log(
    caught !== undefined
      ? `caught by seed ${caught.seed}: ${name}\n    ${caught.found.slice(0, 200)}`
      : unfair !== undefined
        ? `NO MUTANT: ${name}\n${unfair}`
        : `SURVIVED: ${name}`
  )
}
console.log(failed === 0 ? "all of them are caught" : `${failed} not caught`)
process.exitCode = failed === 0 ? 0 : 1
