/** Seeds that showed a mistake once, and moves that a sample of seeds may miss. */
import { assert, describe, it } from "@effect/vitest"
import { simulate } from "./Simulation.ts"

describe("books, shop, source, network and machine, whatever fails", () => {
  it("each move of cover can be made, and is made", { timeout: 240_000 }, async () => {
    const moves = ["cover_no", "cover_ahead", "cover_foreign", "cover_removed", "cover_stuck"] as const
    const often = Object.fromEntries([...moves, "cover_days" as const].map((name) => [name, 1]))
    const made = new Set<string>()
    for (let seed = 1; seed <= 40 && made.size < moves.length; seed++)
      for (const { id } of (await simulate(seed, { cover: true, moves: often })).happened)
        if (moves.some((name) => name === id)) made.add(id)
    assert.deepStrictEqual([...made].toSorted(), [...moves].toSorted())
  })

  it("histories that showed a mistake once hold", { timeout: 240_000 }, async () => {
    // 1621: of two parcels alike, the one that was captured before the state file was lost is not guessed.
    // 124: what went back of a payment that the books state as well.
    // 502: a payment counts by itself again when it no longer equals another list's. 638: a parcel moves to another order.
    for (const seed of [124, 502, 638, 1025, 1202, 1621, 2044])
      assert.deepStrictEqual((await simulate(seed)).found, [], `seed ${seed}`)
    // 154: a person settles an item about a payment. 238: what is paid sends its own while what pays has another name.
    for (const seed of [154, 238, 300241])
      assert.deepStrictEqual((await simulate(seed, { pays: true })).found, [], `seed ${seed} with payments`)
    // 37: a person attached the copy of an invoice. 48: an invoice that another payment names is taken by its amount.
    // 423: what stands under one list's key is the money that only another still states.
    for (const seed of [37, 48, 423, 677, 50028, 50332, 75176, 200038])
      assert.deepStrictEqual((await simulate(seed, { cover: true })).found, [], `seed ${seed} with cover`)
  })
})
