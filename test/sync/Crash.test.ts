/**
 * The machine dies at every step of a run, one after the other: before each request, after it was carried out and
 * before its answer was kept, around each commit. Whatever was lost from memory, the next run finds out and goes on.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Cause } from "effect"
import type { Document } from "../../connectors/Document.ts"
import { creditNote, invoice, payment, reversal } from "../support/Documents.ts"
import { claimsTooLate } from "./Canary.ts"
import { violations } from "./Invariants.ts"
import { World, type WorldOptions } from "./World.ts"

const before: ReadonlyArray<Document> = [
  invoice(),
  invoice({ id: "I2", number: "INV-2", gross: "80.00" }),
  invoice({ id: "I3", number: "INV-3", gross: "15.50" }),
  payment("P1", "120.00"),
  payment("P2", { I2: "50.00" }),
  payment("P3", { I2: "10.00" }, "2026-01-12"),
  reversal("R1", { I2: "50.00" }, "error", { payment: "P2" })
]

/** Edited, moved, credited, voided and taken back. */
const after: ReadonlyArray<Document> = [
  invoice(),
  invoice({ id: "I2", number: "INV-2", gross: "80.00", due: "2026-02-15" }),
  invoice({ id: "I3", number: "INV-3", gross: "15.50", status: "void" }),
  payment("P1", "120.00"),
  payment("P2", { I2: "50.00" }),
  payment("P3", { I2: "20.00" }, "2026-01-12"),
  reversal("R1", { I2: "50.00" }, "error", { payment: "P2" }),
  payment("P4", { I2: "55.00" }, "2026-01-25"),
  creditNote("C1", { I2: "5.00" }),
  invoice({ id: "I4", number: "INV-4", gross: "7.25" }),
  payment("P5", { I4: "1.25" })
]

const withMember = {
  owner: {
    organisation: {
      unique_id: "seller",
      registered: "2020-01-01T00:00:00Z",
      members: [{ email: "ada@example.com", name: "Ada", role: "admin" }]
    }
  }
} as const

/** Dies at one step of one of the two runs, and goes on. */
const dying = async (run: 0 | 1, at: number | undefined, options: WorldOptions = {}) => {
  const world = new World({ planning: withMember, ...options })
  const succeed = async () => {
    const exit = await world.sync({ concurrency: 1 })
    if (exit._tag === "Failure") throw new Error(`step ${at} of run ${run + 1}: ${Cause.pretty(exit.cause)}`)
  }
  try {
    const steps: Array<number> = []
    for (const [n, documents] of [before, after].entries()) {
      world.documents = documents
      if (n === run && at !== undefined) {
        world.killAt = at
        const exit = await world.sync({ concurrency: 1 })
        assert.strictEqual(exit._tag, "Failure", `it did not die at step ${at}`)
        world.killAt = undefined
      }
      await succeed()
      steps.push(world.steps.length)
    }
    const found = await violations(world)
    const { changes } = world
    const requests = world.instance.journal.length
    await succeed()
    const { organisation, membership, user } = world.service
    assert.deepStrictEqual([organisation.size, user.size, membership.size], [1, 1, 1])
    const quiet = world.instance.journal.length === requests ? [] : ["a further run makes requests"]
    return { steps, changes, found: [...found, ...quiet] }
  } finally {
    world.close()
  }
}

/** A few at a time: they wait for the disk more than they work. */
const eachStep = async <A>(steps: number, work: (at: number) => Promise<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for (let at = 1; at <= steps; at += 6) {
    const some = Array.from({ length: Math.min(6, steps - at + 1) }, (_, i) => work(at + i))
    all.push(...(await Promise.all(some)))
  }
  return all
}

describe("a machine that dies", () => {
  it("at any step: each fact is on the service once", async () => {
    const whole = await dying(1, undefined)
    assert.deepStrictEqual(whole.found, [])
    assert.isAtLeast(whole.changes, 19)
    assert.isAtLeast(whole.steps[0]! + whole.steps[1]!, 80)
    for (const run of [0, 1] as const) {
      await eachStep(whole.steps[run]!, async (at) => {
        const { changes, found } = await dying(run, at)
        assert.deepStrictEqual(found, [], `killed at step ${at} of run ${run + 1}`)
        // Owner, member and membership are upserts, which may be sent twice.
        assert.isAtMost(changes, whole.changes + 3)
      })
    }
  })

  it("a program that writes its claims after its requests is found out", async () => {
    const wrap = claimsTooLate
    const whole = await dying(1, undefined, { wrap })
    assert.deepStrictEqual(whole.found, [], "without a kill it looks well")
    const found = await eachStep(whole.steps[1]!, async (at) => (await dying(1, at, { wrap })).found)
    assert.include(found.flat(), "books/invoice/I4 is on the service 2 times")
    assert.include(found.flat(), "books/invoice/I2: books/payment/P4 was reported twice")
  })
})

describe("a program that is asked to end", () => {
  it("at any step: keeps every answer that it heard, and goes on later", async () => {
    const interrupted = async (at: number) => {
      const world = new World()
      try {
        world.documents = before
        world.interruptAt = at
        const exit = await world.sync({ concurrency: 2 })
        const steps = world.steps.length
        world.interruptAt = undefined
        const db = new Sqlite(world.file, { readonly: true })
        const kept =
          steps < at || db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'call'").get() === undefined
            ? world.heard
            : db.prepare("SELECT count(*) FROM call WHERE outcome = 'done'").pluck().get()
        db.close()
        assert.strictEqual(kept, world.heard, `interrupted at step ${at} (${world.steps.at(-1)})`)
        await world.sync({ concurrency: 2 })
        assert.deepStrictEqual(await violations(world), [], `interrupted at step ${at}`)
        return exit._tag === "Failure"
      } finally {
        world.close()
      }
    }
    const ended = await eachStep(70, interrupted)
    assert.isAtLeast(ended.filter((one) => one).length, 45)
    assert.isFalse(ended.at(-1), "all steps were tried")
  })
})
