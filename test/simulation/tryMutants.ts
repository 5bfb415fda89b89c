/**
 * Tries every mutant, or those whose name has the given words: `node test/simulation/tryMutants.ts "the claim"`; those that
 * a test of one part catches with `units` before the words, those of the simulation with `seeds`.
 */
import { MUTANTS } from "./mutants.ts"
import { COVER_BY_SEEDS } from "./mutantsOfCoverBySeeds.ts"
import { type Decision, tryMutant, tryUnitMutant } from "./Trial.ts"
import { UNIT_MUTANTS } from "./unitMutants.ts"

const [first = "", ...rest] = process.argv.slice(2)
const which = first === "units" || first === "seeds" ? first : undefined
const words = (which === undefined ? [first, ...rest] : rest).join(" ")
const asked = <M extends { readonly name: string }>(
  kind: "units" | "seeds",
  all: ReadonlyArray<M>,
  tries: (mutant: M) => Promise<Decision>
) =>
  which !== undefined && which !== kind
    ? []
    : all.filter(({ name }) => name.includes(words)).map((mutant) => () => tries(mutant))

let failed = 0
for (const tries of [
  ...asked("units", UNIT_MUTANTS, tryUnitMutant),
  ...asked("seeds", [...MUTANTS, ...COVER_BY_SEEDS], (one) =>
    tryMutant(one, undefined, undefined, one.history === undefined ? 1 : one.caughtBy)
  )
]) {
  const { caught, name, unfair } = await tries()
  if (caught === undefined) failed++
  console.log(
    caught !== undefined
      ? `caught by ${caught.by}: ${name}\n    ${caught.found.slice(0, 200)}`
      : unfair !== undefined
        ? `NO MUTANT: ${name}\n${unfair}`
        : `SURVIVED: ${name}`
  )
}
console.log(failed === 0 ? "all of them are caught" : `${failed} not caught`)
process.exitCode = failed === 0 ? 0 : 1
