/** Shops by the seed; a failure names the seed that replays it. DAYBOOK_EFFORT asks for more of them. */
import { assert, describe, it } from "@effect/vitest"
import { simulateOrders } from "./Orders.ts"

const SEEDS = 60 * Number(process.env["DAYBOOK_EFFORT"] ?? 1)

describe("orders, whatever fails", () => {
  it("every fact is told once, to the minor unit", { timeout: 60_000 + SEEDS * 500 }, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) assert.deepStrictEqual(await simulateOrders(seed), [], `seed ${seed}`)
  })
})
