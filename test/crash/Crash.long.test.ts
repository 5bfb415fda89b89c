/**
 * A few real kills on every run of the tests; `node test/crash/run.ts 500` makes five hundred. And a few steps of three
 * processes at once; `node test/crash/model.ts` takes two thousand.
 */
import { assert, describe, it } from "@effect/vitest"
import { crash } from "./Crash.ts"
import { Program } from "./Program.ts"
import { steps } from "./Steps.ts"
import { EFFORT, times } from "../support/Effort.ts"

const KILLS = times(8)
const STEPS = times(30)

describe("the program, killed with kill -9 while books change and the service fails", () => {
  it("loses nothing and does nothing twice", { timeout: 60_000 + 60_000 * EFFORT }, async () => {
    const program = new Program()
    try {
      const { captures, found, kills, transactions, pendingCalls } = await crash(program, 1, KILLS, 2)
      assert.deepStrictEqual(found, [], `node test/crash/run.ts ${KILLS} 1`)
      assert.isAtLeast(kills, KILLS)
      assert.isAtLeast(pendingCalls, 2, "the kills came when nothing was going on")
      assert.isAtLeast(transactions, 1)
      // A few kills may all come before the first parcel.
      if (KILLS > 5) assert.isAtLeast(captures, 1)
    } finally {
      await program.close()
    }
  })
})

describe("three processes of the program at once, stopped, continued and killed", () => {
  it("lose nothing and do nothing twice, or say so", { timeout: 60_000 + 60_000 * EFFORT }, async () => {
    const program = new Program()
    const key = "sk-steps-1"
    const sandbox = await program.sandbox([key])
    try {
      const setting = { url: sandbox.url, key, seed: 1, steps: STEPS }
      const { found, story, transactions } = await steps(program, setting)
      assert.deepStrictEqual(found, [], [`node test/crash/model.ts ${STEPS} 1`, ...story].join("\n"))
      assert.isAtLeast(transactions, 3)
    } finally {
      await sandbox.end()
      await program.close()
    }
  })
})
