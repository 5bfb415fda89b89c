/** Weeks by chance in which invoices may be handed over; `CollectionHistory.ts` tries as many as one likes. */
import { assert, describe, it } from "@effect/vitest"
import { EFFORT, times } from "../support/Effort.ts"
import { collectionHistory } from "./CollectionHistory.ts"

describe("weeks of collections by chance", () => {
  it("hand over what a person was shown, once, and let nothing lapse unannounced", {
    timeout: 60_000 * Math.max(2, EFFORT)
  }, async () => {
    for (let seed = 1; seed <= times(5); seed++) {
      const { found, sent } = await collectionHistory(seed)
      assert.deepStrictEqual([seed, ...found], [seed])
      assert.isAbove(sent, 0, `seed ${seed}`)
    }
  })
})
