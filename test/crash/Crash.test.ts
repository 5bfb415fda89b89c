/** A few real kills on every run of the tests; `node test/crash/run.ts 500` makes five hundred. */
import { assert, describe, it } from "@effect/vitest"
import { crash } from "./Crash.ts"
import { Program } from "./Program.ts"

describe("the program, killed with kill -9 while books change and the service fails", () => {
  it("loses nothing and does nothing twice", { timeout: 180_000 }, async () => {
    const program = new Program()
    try {
      const { captures, found, kills, transactions, unsettled } = await crash(program, 1, 10)
      assert.deepStrictEqual(found, [], "node test/crash/run.ts 10 1")
      assert.isAtLeast(kills, 10)
      assert.isAtLeast(unsettled, 2, "the kills came when nothing was going on")
      assert.isAtLeast(transactions, 5)
      assert.isAtLeast(captures, 1)
    } finally {
      program.close()
    }
  })
})
