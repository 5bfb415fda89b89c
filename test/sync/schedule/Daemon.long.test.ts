/**
 * The daemon's loop on a test clock: a day of it, with the clocks going forward and back, stops and starts in between;
 * connections side by side; one that fails.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { RunError } from "../../../sync/schedule/RunEvents.ts"
import * as Approvals from "../../../sync/plan/Approvals.ts"
import { StateError } from "../../../sync/state/Database.ts"
import * as WebhookQueue from "../../../sync/pull/WebhookQueue.ts"
import * as RunState from "../../../sync/schedule/RunState.ts"
import { at, HOUR, iso, type Machine, MINUTE, machine, of } from "../Machine.ts"

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

const runsOf = ({ ran }: Machine, id: string) => ran.filter((one) => one.id === id)

describe("a day of the daemon", () => {
  const connections = [
    of("often", "15 minutes"),
    of("nightly", { cron: "30 2 * * *", zone: "Europe/Paris" }),
    of("mornings", { cron: "0 6 * * *", zone: "Europe/Paris" }),
    of("never")
  ]

  for (const [what, from, hours, nightly] of [
    ["on which the clocks go forward", "2026-03-28T23:00:00Z", 23, "2026-03-29T01:00:00.000Z"],
    ["on which the clocks go back", "2026-10-24T22:00:00Z", 25, "2026-10-25T00:30:00.000Z"]
  ] as const) {
    it(`${what}: every due run once`, async () => {
      const there = await machine(from, connections)
      await there.start()
      await there.pass(hours * HOUR - 1)
      assert.strictEqual(runsOf(there, "often").length, hours * 4)
      assert.deepStrictEqual(
        runsOf(there, "often").map(({ at }) => at),
        Array.from({ length: hours * 4 }, (_, n) => at(from) + n * 15 * MINUTE)
      )
      assert.deepStrictEqual(
        runsOf(there, "nightly").map(({ at }) => iso(at)),
        [nightly]
      )
      assert.strictEqual(runsOf(there, "mornings").length, 1)
      assert.strictEqual(runsOf(there, "never").length, 0)
      await there.stop()
      await there.close()
    })
  }

  it("with the machine's clock set forward and back, and daemons that stop and start: every due run once", async () => {
    const there = await machine("2026-06-01T00:00:00Z", connections)
    await there.start()
    await there.pass(20 * MINUTE)
    // Paris has 02:20. A stop over half past two, and the run is made up for.
    await there.stop()
    await there.pass(30 * MINUTE)
    assert.strictEqual(runsOf(there, "nightly").length, 0)
    await there.start()
    await there.pass(MINUTE)
    assert.deepStrictEqual(
      runsOf(there, "nightly").map(({ at }) => iso(at)),
      ["2026-06-01T00:50:00.000Z"]
    )
    // Three missed quarters of an hour are one run.
    assert.strictEqual(runsOf(there, "often").length, 3)
    // Set back to before half past two, and again to its right time: nothing comes twice.
    there.clock.set(at("2026-06-01T00:10:00Z"))
    await there.pass(35 * MINUTE)
    assert.strictEqual(runsOf(there, "nightly").length, 1)
    // Set forward over six o'clock: that one is due at once, and not once more at the right time.
    there.clock.set(at("2026-06-01T04:30:00Z"))
    await there.pass(MINUTE)
    assert.strictEqual(runsOf(there, "mornings").length, 1)
    there.clock.set(at("2026-06-01T00:55:00Z"))
    await there.stop()
    await there.start()
    await there.pass(22 * HOUR)
    assert.strictEqual(runsOf(there, "mornings").length, 1)
    assert.strictEqual(runsOf(there, "nightly").length, 1)
    await there.pass(7 * HOUR)
    assert.strictEqual(runsOf(there, "mornings").length, 2)
    assert.strictEqual(runsOf(there, "nightly").length, 2)
    await there.stop()
    await there.close()
  })
})

describe("connections", () => {
  it("are worked on side by side, as many as are allowed, and none twice at once", async () => {
    const all = Array.from({ length: 7 }, (_, n) => of(`c${n}`, "1 minute"))
    const there = await machine("2026-06-01T00:00:00Z", all, { atOnce: 3 })
    const now = new Set<string>()
    there.work = ({ id }) =>
      Effect.gen(function* () {
        assert.isFalse(now.has(id), `${id} twice at once`)
        now.add(id)
        yield* Effect.sleep(5 * MINUTE)
        now.delete(id)
        return { outcome: "done", message: "" }
      })
    await there.start()
    await there.pass(HOUR)
    assert.strictEqual(there.most, 3)
    for (const { id } of all) assert.isAbove(runsOf(there, id).length, 3, id)
    await there.stop()
    await there.close()
  })

  it("of one family wait for each other", async () => {
    const all = [of("books", "1 minute"), of("debits", "1 minute"), of("other", "1 minute")]
    const there = await machine("2026-06-01T00:00:00Z", all, {
      family: ({ id }) => (id === "debits" ? "books" : id)
    })
    const now = new Set<string>()
    there.work = ({ id }) =>
      Effect.gen(function* () {
        now.add(id)
        assert.isFalse(now.has("books") && now.has("debits"))
        yield* Effect.sleep(20_000)
        now.delete(id)
        return { outcome: "done", message: "" }
      })
    await there.start()
    await there.pass(10 * MINUTE)
    for (const { id } of all) assert.isAbove(runsOf(there, id).length, 6, id)
    await there.stop()
    await there.close()
  })

  it("that fail are tried again later and later, stop no other, and are soon on their schedule again", async () => {
    const there = await machine("2026-06-01T00:00:00Z", [of("bad", "1 minute"), of("good", "1 minute")])
    let broken = true
    there.work = ({ id }) =>
      id === "bad" && broken
        ? Effect.fail(new RunError({ why: "no" }))
        : Effect.succeed({ outcome: "done", message: "" })
    await there.start()
    await there.pass(32 * MINUTE)
    assert.deepStrictEqual(
      runsOf(there, "bad").map((one) => (one.at - at("2026-06-01T00:00:00Z")) / MINUTE),
      [0, 1, 3, 7, 15, 31]
    )
    assert.isAtLeast(runsOf(there, "good").length, 32)
    const failed = there.events.filter(({ type }) => type === "failed")
    assert.deepStrictEqual(failed.at(-1), {
      type: "failed",
      connection: "bad",
      why: "retry",
      millis: 0,
      message: "no",
      failures: 6
    })
    assert.strictEqual(RunState.all(there.db).get("bad")!.message, "no")
    broken = false
    await there.pass(33 * MINUTE)
    assert.strictEqual(RunState.all(there.db).get("bad")!.failures, 0)
    assert.isAtLeast(runsOf(there, "bad").length, 7)
    await there.stop()
    await there.close()
  })

  it("whose work throws are failures like others", async () => {
    const there = await machine("2026-06-01T00:00:00Z", [of("bad", "1 hour"), of("good", "1 minute")])
    there.work = ({ id }) =>
      id === "bad" ? Effect.die(new TypeError("a defect")) : Effect.succeed({ outcome: "done", message: "" })
    await there.start()
    await there.pass(5 * MINUTE)
    assert.isAtLeast(runsOf(there, "good").length, 5)
    assert.strictEqual(RunState.all(there.db).get("bad")!.message, "a defect")
    await there.stop()
    await there.close()
  })

  it("that the configuration no longer names get no turn, and new ones do", async () => {
    const there = await machine("2026-06-01T00:00:00Z", [of("old", "1 minute")])
    await there.start()
    await there.pass(3 * MINUTE)
    there.connections = [of("new", "1 minute")]
    const before = runsOf(there, "old").length
    await there.pass(3 * MINUTE)
    assert.isAtMost(runsOf(there, "old").length - before, 1)
    assert.isAtLeast(runsOf(there, "new").length, 2)
    await there.stop()
    await there.close()
  })
})

describe("a connection that gets a schedule later", () => {
  it("has its first turn at once, as a new one has", async () => {
    const there = await machine("2026-06-01T00:00:00Z", [of("late")])
    await there.start()
    await there.pass(3 * MINUTE)
    assert.strictEqual(runsOf(there, "late").length, 0)
    there.connections = [of("late", "1 hour")]
    await there.pass(2 * MINUTE)
    assert.strictEqual(runsOf(there, "late").length, 1)
    await there.pass(HOUR)
    assert.strictEqual(runsOf(there, "late").length, 2)
    await there.stop()
    await there.close()
  })
})

describe("a turn", () => {
  it("that was cut off is the first thing that the next start does", async () => {
    const there = await machine("2026-06-01T00:00:00Z", [of("books", { cron: "5 0 * * *" })])
    let finished = 0
    there.work = () =>
      Effect.sleep(HOUR).pipe(
        Effect.andThen(Effect.sync(() => void finished++)),
        Effect.as({ outcome: "done", message: "" })
      )
    await there.start()
    await there.pass(30 * MINUTE)
    await there.stop()
    assert.deepStrictEqual([there.ran.length, finished], [1, 0])
    await there.start()
    await there.pass(2 * HOUR)
    assert.deepStrictEqual(
      there.ran.map(({ why }) => why),
      ["schedule", "interrupted"]
    )
    assert.strictEqual(finished, 1)
    await there.stop()
    await there.close()
  })

  it("comes at once when it is asked for, when a plan was approved, and a moment after a hint", async () => {
    const there = await machine("2026-06-01T00:00:00Z", [{ ...of("books"), approve: true }])
    const { clock, db } = there
    await there.start()
    await there.pass(MINUTE)
    assert.strictEqual(there.ran.length, 0)
    await Effect.runPromise(there.daemon.ask("books"))
    await there.rest()
    await there.pass(2000)

    Approvals.ask(db, "books", summary, clock.currentTimeMillisUnsafe())
    const decide = (digest: string) =>
      Approvals.decide(db, { connection: "books", digest, decision: "approved", who: "Ann" }, 1)
    assert.isFalse(decide("another"), "a plan that was not seen")
    assert.isTrue(decide("d1"))
    assert.isFalse(decide("d1"), "once is enough")
    there.work = () =>
      Effect.sync(() => {
        Approvals.clear(db, "books")
        WebhookQueue.done(db, "books", WebhookQueue.waiting(db, "books", 10))
        return { outcome: "done", message: "" }
      })
    await Effect.runPromise(there.daemon.wake)
    await there.rest()
    await there.pass(2000)

    for (let copy = 0; copy < 50; copy++) {
      WebhookQueue.enqueue(db, "books", [{ about: "source:in_1", event: "evt_1" }], clock.currentTimeMillisUnsafe())
    }
    await Effect.runPromise(there.daemon.wake)
    await there.pass(2000)
    assert.deepStrictEqual(
      there.ran.map(({ why }) => why),
      ["asked", "approved", "webhook"]
    )
    await there.stop()
    await there.close()
  })

  it("that finds the state file damaged ends the daemon; one that finds the disk full does not", async () => {
    const there = await machine("2026-06-01T00:00:00Z", [of("books", "1 minute")])
    const file = "daybook.db"
    there.work = () => Effect.fail(new StateError({ kind: "full", file, why: "the disk is full" }))
    await there.start()
    await there.pass(4 * MINUTE)
    assert.isAtLeast(there.ran.length, 3)
    const damaged = new StateError({ kind: "damaged", file, why: "it is damaged" })
    there.work = () => Effect.fail(damaged)
    await there.pass(10 * MINUTE)
    assert.deepStrictEqual(await there.ended(), Exit.fail(damaged))
    await there.close()
  })
})
