/** The first month of the year that `npm run year` plays to its end. */
import { assert, describe, it } from "@effect/vitest"
import { year } from "./Year.ts"

describe("a year of cover", () => {
  it("agrees on each day of its first month with an account that knows nothing of Daybook", async () => {
    const { found, seen } = await year(1, 31)
    assert.deepStrictEqual(found, [])
    assert.includeMembers([...seen.quotes], ["offered", "declined", "accepted"])
    assert.isAbove(seen.codes.size, 4)
    assert.strictEqual(seen.days, 31)
  }, 180_000)
})
