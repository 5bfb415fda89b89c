/**
 * What an attack on orders found, item by item, over the real command with figures that are written out; and a few
 * orders with moves by chance. `node test/orders/run.ts` plays two thousand, `node test/orders/mutants.ts` tries them all.
 */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { ALONE } from "./Alone.ts"
import { EFFORT } from "../support/Effort.ts"
import { MUTANTS } from "./MutantList.ts"
import { mutated, changesOf, tryMutant } from "./mutants.ts"
import { filesIn } from "./Storefront.ts"
import { CASES, cases, keysOf, useProgram } from "./Suite.ts"

const key = "sk-orders"
const program = useProgram(keysOf({ key }))

describe("orders", () => cases({ key, program }, filesIn("")))

describe("orders with one mistake", () => {
  it("can all be made of the source as it is: node test/orders/mutants.ts tries them", () => {
    const items = [...CASES, ...ALONE].map(({ item }) => item)
    for (const mutant of MUTANTS) {
      for (const change of changesOf(mutant))
        assert.notStrictEqual(mutated(mutant.name, change), readFileSync(change.file, "utf8"))
      assert.include(items, mutant.item)
    }
  })

  const tried = ["contradictions do not stop what follows", "claims of one payment are not compared"]
  // None in a normal run, because each is built first.
  for (const name of EFFORT < 1 ? [] : tried) {
    it(`are caught: ${name}`, { timeout: 120_000 }, async () => {
      assert.isDefined(await tryMutant(MUTANTS.find((mutant) => mutant.name === name)!))
    })
  }
})
