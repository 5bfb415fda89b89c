/**
 * What is decided about many tenants, by properties: whose time comes first, who gets the next turn, who is closed, which
 * shard a name is of, and how much later than its time a run begins.
 */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Heap } from "../../../sync/tenants/Heap.ts"
import { mostOpen, slotsOf } from "../../../sync/tenants/Limits.ts"
import { toReplace, unused } from "../../../sync/tenants/Residents.ts"
import { parseShard, shardOf, spotOf } from "../../../sync/tenants/Shard.ts"
import { spread, windowOf } from "../../../sync/tenants/Spread.ts"
import { type Slots, type Turn, Turns } from "../../../sync/tenants/Turns.ts"

const NAMES = Array.from({ length: 12 }, (_, n) => `t${n}`)
const name = fc.constantFrom(...NAMES)

describe("the heap of due times", () => {
  it("gives what a sorted list gives, whatever was set anew or taken out", () => {
    const step = fc.record({ name, at: fc.integer({ min: 0, max: 9 }), gone: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const heap = new Heap<{ name: string; at: number }>((a, b) => a.at < b.at || (a.at === b.at && a.name < b.name))
        const known = new Map<string, number>()
        for (const { at, gone, name } of steps) {
          if (gone) assert.strictEqual(heap.delete(name)?.at, known.get(name))
          else heap.set({ name, at })
          if (gone) known.delete(name)
          else known.set(name, at)
          assert.strictEqual(heap.size, known.size)
          assert.strictEqual(heap.get(name)?.at, known.get(name))
        }
        const sorted = [...known].toSorted(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([name]) => name)
        const taken: Array<string> = []
        for (let first = heap.first(); first !== undefined; first = heap.first()) {
          taken.push(first.name)
          heap.delete(first.name)
        }
        assert.deepStrictEqual(taken, sorted)
      }),
      { numRuns: 100 }
    )
  })
})

/** Takes all that may begin. */
const begin = (turns: Turns): ReadonlyArray<Turn> => {
  const begun: Array<Turn> = []
  for (let turn = turns.take(); turn !== undefined; turn = turns.take()) begun.push(turn)
  return begun
}

const SLOTS: Slots = { atOnce: 4, slow: 4, slowMost: 6 }

describe("who gets the next turn", () => {
  it("is who has none under way and is due longest; whoever a person asked for goes first", () => {
    const turns = new Turns({ ...SLOTS, atOnce: 2 })
    for (const [name, due] of [
      ["late", 5],
      ["early", 1],
      ["later", 9]
    ] as const)
      turns.add(name, due)
    turns.add("asked", 100, true)
    const begun = begin(turns)
    assert.deepStrictEqual(
      begun.map(({ name }) => name),
      ["asked", "early"]
    )
    turns.add("early", 0)
    turns.end(begun[0]!, false)
    // It has a turn already, so that it comes after those that wait for their first.
    assert.deepStrictEqual(
      begin(turns).map(({ name }) => name),
      ["late"]
    )
  })

  it("leaves a tenant with half of the slots at most, though nobody else waits", () => {
    const turns = new Turns(SLOTS)
    turns.add("greedy", 0)
    for (let n = 0; n < 6; n++) {
      begin(turns)
      turns.add("greedy", n)
    }
    assert.strictEqual(turns.runningOf("greedy"), 2)
    turns.add("modest", 1000)
    assert.deepStrictEqual(
      begin(turns).map(({ name }) => name),
      ["modest"]
    )
  })

  it("is not kept from anybody by slow sources: they move to slots of their own, and begin there the next time", () => {
    const turns = new Turns(SLOTS)
    for (const name of ["a", "b", "c", "d", "quick"]) turns.add(name, 0)
    const slow = begin(turns)
    assert.strictEqual(slow.length, 4)
    assert.strictEqual(turns.take(), undefined)
    for (const turn of slow) assert.isTrue(turns.slowed(turn))
    assert.deepStrictEqual(
      begin(turns).map(({ kind, name }) => [name, kind]),
      [["quick", "quick"]]
    )
    for (const turn of slow) turns.end(turn, true)
    turns.add("a", 0)
    assert.strictEqual(turns.take()?.kind, "slow")
  })

  it("keeps to the limits and loses nobody, whatever happens in whatever order", () => {
    const step = fc.record({
      what: fc.constantFrom("add", "end", "slow", "take", "forget"),
      name,
      due: fc.nat(50),
      slow: fc.constantFrom(true, false, undefined)
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 0, max: 3 }), (steps, slow) => {
        const slots = { atOnce: 3, slow, slowMost: slow + 1 }
        const turns = new Turns(slots)
        const waiting = new Set<string>()
        const running: Array<Turn> = []
        for (const { due, name, slow, what } of steps) {
          if (what === "add") {
            turns.add(name, due)
            waiting.add(name)
          } else if (what === "forget") {
            turns.remove(name)
            waiting.delete(name)
          } else if (what === "end") {
            const turn = running.shift()
            if (turn !== undefined) turns.end(turn, slow)
          } else if (what === "slow") {
            const [turn] = running
            if (turn !== undefined) turns.slowed(turn)
          } else {
            for (const turn of begin(turns)) {
              assert.isTrue(waiting.delete(turn.name))
              running.push(turn)
            }
          }
          const kinds = (kind: string) => running.filter((turn) => turn.kind === kind).length
          assert.isAtMost(kinds("quick"), slots.atOnce)
          assert.isAtMost(kinds("slow"), Math.max(slots.slowMost, slots.slow))
          assert.strictEqual(turns.waiting, waiting.size)
        }
        // Everybody has a turn in the end.
        for (let n = 0; n < 200 && (running.length > 0 || waiting.size > 0); n++) {
          for (const turn of running.splice(0)) turns.end(turn, false)
          for (const turn of begin(turns)) {
            waiting.delete(turn.name)
            running.push(turn)
          }
        }
        assert.strictEqual(waiting.size, 0)
      }),
      { numRuns: 150 }
    )
  })
})

describe("who is closed for another", () => {
  const resident = fc.record({ name, users: fc.constantFrom(0, 0, 1), used: fc.nat(20) })

  it("is never one that is in use, and nobody while there is room", () => {
    fc.assert(
      fc.property(fc.uniqueArray(resident, { selector: ({ name }) => name }), fc.nat(12), (open, most) => {
        const leaves = open.find(({ name }) => name === toReplace(open, open.length, most))
        if (open.length < most || open.every(({ users }) => users > 0)) assert.strictEqual(leaves, undefined)
        else {
          assert.strictEqual(leaves!.users, 0)
          assert.isFalse(open.some(({ used, users }) => users === 0 && used < leaves!.used))
        }
      }),
      { numRuns: 100 }
    )
    const all = [
      { name: "used", users: 1, used: 0 },
      { name: "idle", users: 0, used: 10 },
      { name: "fresh", users: 0, used: 95 }
    ]
    assert.deepStrictEqual(unused(all, 100, 50), ["idle"])
  })
})

describe("the shard of a name", () => {
  it("is the same for ever, and most names keep theirs when a shard is added", () => {
    assert.deepStrictEqual(
      ["acme", "Globex", "t-1"].map((name) => [1, 2, 16, 17].map((shards) => shardOf(name, shards))),
      [
        [1, 2, 11, 11],
        [1, 2, 5, 5],
        [1, 1, 9, 9]
      ]
    )
    const names = Array.from({ length: 4000 }, (_, n) => `tenant-${n}`)
    const moved = names.filter((name) => shardOf(name, 16) !== shardOf(name, 17))
    assert.isTrue(moved.every((name) => shardOf(name, 17) === 17))
    assert.isBelow(moved.length, (names.length / 17) * 1.3)
    for (let shard = 1; shard <= 16; shard++)
      assert.approximately(names.filter((name) => shardOf(name, 16) === shard).length, 250, 75)
  })

  it("is written as N/M, N from 1 to M", () => {
    assert.deepStrictEqual(parseShard("3/16"), { number: 3, of: 16 })
    for (const text of ["0/4", "5/4", "1/0", "a/b", "1", "1/2/3", "1/9999", "-1/2", ""])
      assert.strictEqual(parseShard(text), undefined, text)
  })
})

describe("how much later than its time a run begins", () => {
  it("is by its name, within the window, and never by more than a tenth of the way to the next", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(100_000), fc.nat(100_000), fc.nat(60_000), (name, due, now, most) => {
        const window = windowOf(Math.max(0, due - now), most)
        const at = spread(name, { due, now, window })
        assert.isAtLeast(at, Math.max(due, now))
        assert.isAtMost(at - Math.max(due, now), Math.max(0, due - now) / 10)
        assert.strictEqual(spread(name, { due, now, window }), at)
      }),
      { numRuns: 100 }
    )
    assert.strictEqual(spread("a", { due: Number.POSITIVE_INFINITY, now: 0, window: 10 }), Number.POSITIVE_INFINITY)
    const spots = new Set(Array.from({ length: 1000 }, (_, n) => Math.floor(spotOf(`t${n}`, 10_000) / 1000)))
    assert.strictEqual(spots.size, 10)
  })
})

describe("how many are open", () => {
  it("follows from open files and memory, and leaves room for people", () => {
    assert.isBelow(mostOpen({ descriptors: 1024, megabytes: 100_000 }) * 7, 1024)
    assert.strictEqual(mostOpen({ descriptors: 1_000_000, megabytes: 800 }), 100)
    assert.strictEqual(mostOpen({ descriptors: 64, megabytes: 64 }), 2)
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 2000 }), fc.integer({ min: 1, max: 64 }), (open, asked) => {
        const { atOnce, slow, slowMost } = slotsOf(open, asked)
        assert.isAtLeast(atOnce, 1)
        assert.isAtMost(slow, slowMost)
        assert.isBelow(atOnce + slowMost, open)
      }),
      { numRuns: 50 }
    )
  })
})
