/**
 * Random histories of orders of shops and in files keep the laws of the order rules: what is captured, refunded and voided
 * always follows from what is true of the goods and the money.
 */
import { assert, describe, it } from "@effect/vitest"
import { times } from "../../support/Effort.ts"
import { playFiles } from "./FileHistory.ts"
import { play } from "./Laws.ts"
import { decide } from "./Numbers.ts"

const MANY = times(60_000)

describe("order laws", () => {
  it(`hold in ${MANY} histories of shops`, { timeout: 300_000 }, () => {
    for (let seed = 1; seed <= MANY; seed++) assert.deepStrictEqual(play(decide, seed), [], `seed ${seed}`)
  })

  it(`hold in ${MANY} histories in files`, { timeout: 300_000 }, () => {
    for (let seed = 1; seed <= MANY; seed++) assert.deepStrictEqual(playFiles(decide, seed), [], `seed ${seed}`)
  })
})
