/** Years of three sellers, one of them with batches, payouts and a person who errs, one abroad: nothing is wrong at any run of Daybook. `node test/world/years.ts` plays as many as wanted, and larger ones. */
import { assert, describe, it } from "@effect/vitest"
import { play } from "./Life.ts"
import { yearOf } from "./truth/year/Year.ts"

describe("a year of a seller", () => {
  for (const seed of [9, 10, 105])
    it(`is told rightly, with few questions: seed ${seed}`, { timeout: 600_000 }, async () => {
      const plan = yearOf(seed, 200, 28)
      const { failures, questions } = await play(plan)
      assert.deepStrictEqual(
        failures.map(({ about, day, kind, what }) => `day ${day}, ${kind}: ${about}: ${what}`),
        []
      )
      assert.isAtMost(questions.size, 25)
    })
})
