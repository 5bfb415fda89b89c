/**
 * A connection that fails is left alone for a while, whatever would give it a turn; and plans that need no approval any
 * more.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { RunError } from "../../../sync/schedule/RunEvents.ts"
import * as Approvals from "../../../sync/plan/Approvals.ts"
import { StateError } from "../../../sync/state/Database.ts"
import * as WebhookQueue from "../../../sync/pull/WebhookQueue.ts"
import { at, type Machine, MINUTE, machine, of } from "../Machine.ts"

const summary = {
  calls: 2,
  readings: 0,
  attention: 0,
  documents: 1,
  digest: "d1",
  reductions: new Map(),
  found: new Map(),
  rules: new Map(),
  guarded: new Map(),
  figures: new Map()
}

/** A person has approved the plan of a connection. */
const approvedOf = ({ db }: Machine, connection: string) => {
  Approvals.ask(db, connection, summary, 0)
  Approvals.decide(db, { connection, digest: "d1", decision: "approved", who: "Ann" }, 1)
}

/** When it ran, in minutes since the start. */
const minutes = (there: Machine, id: string, start: string) =>
  runsOf(there, id).map((one) => (one.at - at(start)) / MINUTE)

const runsOf = ({ ran }: Machine, id: string) => ran.filter((one) => one.id === id)

// Each of these fails when the line of `look` that asks `Turns.rested` for pressing reasons goes.
describe("a reason that cannot wait for the schedule", () => {
  const START = "2026-06-01T00:00:00Z"

  it("waits all the same while a failure is left alone: an approved plan, one who asks, a webhook", async () => {
    const there = await machine(START, [
      { ...of("books"), approve: true },
      of("asked"),
      { ...of("hinted", "1 hour"), approve: true }
    ])
    there.work = () => Effect.fail(new RunError({ why: "the service does not accept the key" }))
    approvedOf(there, "books")
    approvedOf(there, "hinted")
    await there.start()
    await Effect.runPromise(there.daemon.ask("asked"))
    await there.rest()
    for (let n = 0; n < 20 * 60; n++) {
      if (n % 10 === 0) {
        WebhookQueue.enqueue(
          there.db,
          "hinted",
          [{ about: `source:${n}`, event: `${n}` }],
          there.clock.currentTimeMillisUnsafe()
        )
        await Effect.runPromise(there.daemon.wake)
        await Effect.runPromise(there.daemon.ask("asked"))
      }
      await there.pass(1000)
    }
    for (const id of ["books", "asked", "hinted"])
      assert.deepStrictEqual(minutes(there, id, START).map(Math.floor), [0, 1, 3, 7, 15], id)
    assert.strictEqual(Approvals.of(there.db, "books")!.decision, "approved")
    await there.stop()
    await there.close()
  })

  it("of a plan that needs no approval any more is dropped, and that is said; plans of others stay", async () => {
    const there = await machine(START, [{ ...of("books"), approve: true }, of("free")])
    for (const id of ["books", "free", "of another configuration"]) approvedOf(there, id)
    await there.start()
    await there.pass(10 * MINUTE)
    assert.strictEqual(runsOf(there, "free").length, 0)
    assert.deepStrictEqual(
      there.events.filter(({ type }) => type === "approval dropped"),
      [
        {
          type: "approval dropped",
          connection: "free",
          message: "it no longer asks for approval; the plan that was approved is dropped"
        }
      ]
    )
    assert.deepStrictEqual(
      Approvals.list(there.db).map(({ connection }) => connection),
      ["books", "of another configuration"]
    )
    await there.stop()
    await there.close()
  })

  it("does not hurry a turn that cannot even be written down", async () => {
    const there = await machine(START, [{ ...of("books"), approve: true }])
    approvedOf(there, "books")
    there.db.raw.exec("CREATE TRIGGER full BEFORE UPDATE ON run_state BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END")
    await there.start()
    await there.pass(20 * MINUTE)
    assert.strictEqual(there.ran.length, 0)
    const failures = there.events.flatMap((event) => (event.type === "failed" ? [event.failures] : []))
    assert.deepStrictEqual(failures, [1, 2, 3, 4, 5])
    there.db.raw.exec("DROP TRIGGER full")
    await there.pass(20 * MINUTE)
    assert.isAtLeast(there.ran.length, 1)
    await there.stop()
    await there.close()
  })

  it("does not say that it tries again what ends the daemon", async () => {
    const there = await machine(START, [of("books", "1 minute")])
    const other = new StateError({ kind: "other service", file: "daybook.db", why: "it belongs to another" })
    there.work = () => Effect.fail(other)
    await there.start()
    await there.pass(MINUTE)
    assert.deepStrictEqual(await there.ended(), Exit.fail(other))
    assert.deepStrictEqual(
      there.events.map(({ type }) => type),
      ["began"]
    )
    await there.close()
  })
})
