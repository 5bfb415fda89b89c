/**
 * The program is asked to end at every third step of a run (nightly: at each), one after the other. What it heard it keeps, and the next run goes
 * on. (A machine that dies at every step: `test/simulation/KillPoints.long.test.ts`.)
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import type { Document } from "../../../connectors/Document.ts"
import { apart } from "../../support/Effort.ts"
import { invoice, payment, reversal } from "../../support/Documents.ts"
import { violations } from "../Invariants.ts"
import { World } from "../World.ts"

const before: ReadonlyArray<Document> = [
  invoice(),
  invoice({ id: "I2", number: "INV-2", gross: "80.00" }),
  invoice({ id: "I3", number: "INV-3", gross: "15.50" }),
  payment("P1", "120.00"),
  payment("P2", { I2: "50.00" }),
  payment("P3", { I2: "10.00" }, "2026-01-12"),
  reversal("R1", { I2: "50.00" }, "error", { payment: "P2" })
]

/** These are few: enough of them are tried for some to interrupt it. */
const SOME = Math.min(15, apart(3))

/** A few at a time: they wait for the disk more than they work. */
const eachStep = async <A>(steps: number, work: (at: number) => Promise<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  const tried = Array.from({ length: Math.ceil(steps / SOME) }, (_, n) => steps - n * SOME).toReversed()
  for (let n = 0; n < tried.length; n += 6) all.push(...(await Promise.all(tried.slice(n, n + 6).map(work))))
  return all
}

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
    const ended = await eachStep(90, interrupted)
    assert.isAtLeast(ended.filter((one) => one).length, 45 / SOME)
    assert.isFalse(ended.at(-1), "all steps were tried")
  })
})
