/**
 * Tries every mutant, or those whose name has one of the given texts: `node test/simulation/tryMutants.ts "the claim"`; those that
 * a test of one part catches with `units` before them, those of the simulation with `seeds`.
 */
import { MUTANTS } from "./mutants.ts"
import { COVER_BY_SEEDS } from "./mutantsOfCoverBySeeds.ts"
import { type Decision, tryMutant, tryUnitMutant } from "./Trial.ts"
import { UNIT_MUTANTS } from "./unitMutants.ts"

const [first = "", ...rest] = process.argv.slice(2)
const which = first === "units" || first === "seeds" ? first : undefined
const texts = which === undefined ? process.argv.slice(2) : rest
const asked = <M extends { readonly name: string }>(
  kind: "units" | "seeds",
  all: ReadonlyArray<M>,
  tries: (mutant: M) => Promise<Decision>
) =>
  which !== undefined && which !== kind
    ? []
    : all
        .filter(({ name }) => texts.length === 0 || texts.some((text) => name.includes(text)))
        .map((mutant) => () => tries(mutant))

let failed = 0
const chosen = [
  ...asked("units", UNIT_MUTANTS, tryUnitMutant),
  ...asked("seeds", [...MUTANTS, ...COVER_BY_SEEDS], (one) =>
    tryMutant(one, undefined, undefined, one.history === undefined ? 1 : one.caughtBy)
  )
]
if (chosen.length === 0) throw new Error(`no mutant has a name with ${texts.join(" or ")}`)
for (const tries of chosen) {
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
console.log(failed === 0 ? `all ${chosen.length} are caught` : `${failed} of ${chosen.length} not caught`)
process.exitCode = failed === 0 ? 0 : 1
