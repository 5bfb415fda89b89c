/** A plan is carried out for a document only as long as it stands as it was planned, whoever else is at work. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ChangedDocuments from "../../../sync/books/ChangedDocuments.ts"
import { isCurrent } from "../../../sync/apply/Job.ts"
import { planOne } from "../../../sync/plan/Plan.ts"
import { Database } from "../../../sync/state/Database.ts"
import { paidInvoices, report } from "../InWorld.ts"
import { World } from "../World.ts"

describe("a document's plan", () => {
  it("is no longer current once another run has claimed a call of it, though nothing of it is marked as changed", async () => {
    const world = new World()
    world.documents = paidInvoices(1)
    report(await world.sync())
    const seen = await world.life(
      Effect.map(Database, (db) => {
        const subject = "books/invoice/I1"
        const plan = planOne(db, world.connection, subject)
        const run = Number(db.prepare("SELECT max(run) FROM claim").pluck().get()) + 1
        const current = () => isCurrent(db, { plan, run })
        const claims = (by: number, of: string) =>
          db
            .prepare(
              "INSERT INTO claim (run, subject, fact, rule, operation, request, reason, claimed) VALUES (?, ?, 'f', 'P1', 'transactions.createPayment', '{}', '', 0)"
            )
            .run(by, of)
        const before = current()
        claims(run, subject)
        claims(run + 1, "books/invoice/I2")
        const own = current()
        claims(run + 1, subject)
        return { before, own, others: current(), marked: ChangedDocuments.count(db, subject) }
      })
    )
    if (seen._tag === "Failure") throw new Error("it fails")
    assert.deepStrictEqual(seen.value, { before: true, own: true, others: false, marked: 0 })
    world.close()
  })
})
