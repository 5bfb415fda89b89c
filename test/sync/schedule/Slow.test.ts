/** Runs whose sources are slow, hang, or never let go, on a test clock: the others run on time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as RunState from "../../../sync/schedule/RunState.ts"
import { type Machine, MINUTE, machine, of } from "../Machine.ts"

const runsOf = ({ ran }: Machine, id: string) => ran.filter((one) => one.id === id)

describe("connections", () => {
  it("whose sources hang keep no others waiting, and are given up in the end", async () => {
    const hung = Array.from({ length: 5 }, (_, n) => of(`hung${n}`, "1 minute"))
    const there = await machine("2026-06-01T00:00:00Z", [...hung, of("good", "1 minute"), of("well", "1 minute")], {
      atOnce: 2
    })
    there.runMs = 20 * MINUTE
    there.work = ({ id }, _, around) =>
      Effect.gen(function* () {
        yield* around(id.startsWith("hung") ? Effect.never : Effect.sleep(100))
        yield* Effect.sleep(5000)
        return { outcome: "done", message: "" }
      })
    await there.start()
    await there.pass(19 * MINUTE)
    for (const id of ["good", "well"]) assert.isAtLeast(runsOf(there, id).length, 18, id)
    for (const { id } of hung) assert.strictEqual(runsOf(there, id).length, 1, id)
    assert.isBelow(there.daemon.progress(there.clock.currentTimeMillisUnsafe()).lateMs, MINUTE)
    await there.pass(2 * MINUTE)
    for (const { id } of hung) {
      const failed = there.events.find((one) => one.type === "failed" && one.connection === id)
      assert.match(
        String((failed as { message?: string })?.message),
        /^the run took longer than 20 minutes and was stopped; /
      )
      assert.strictEqual(RunState.all(there.db).get(id)!.failures, 1)
    }
    await there.stop()
    await there.close()
  })

  it("whose sources are slow send only as many at once as are allowed", async () => {
    const all = Array.from({ length: 6 }, (_, n) => of(`c${n}`, "1 hour"))
    const there = await machine("2026-06-01T00:00:00Z", all, { atOnce: 2 })
    let [sending, most] = [0, 0]
    there.work = (_, __, around) =>
      Effect.gen(function* () {
        yield* around(Effect.sleep(30_000))
        most = Math.max(most, ++sending)
        yield* Effect.sleep(20_000)
        sending--
        return { outcome: "done", message: "" }
      })
    await there.start()
    await there.pass(10_000)
    assert.strictEqual(there.now, 6)
    await there.pass(30_000)
    assert.strictEqual(most, 2)
    // Those who wait to send are seen by monitoring.
    assert.isAbove(there.daemon.progress(there.clock.currentTimeMillisUnsafe()).lateMs, 5000)
    await there.pass(2 * MINUTE)
    assert.strictEqual(most, 2)
    assert.strictEqual(there.events.filter(({ type }) => type === "ended").length, 6)
    await there.stop()
    await there.close()
  })

  it("that let nobody interrupt them are left behind", async () => {
    const there = await machine("2026-06-01T00:00:00Z", [of("bad", "1 minute"), of("good", "1 minute")], { atOnce: 1 })
    there.runMs = 2 * MINUTE
    let free = () => {}
    const stubborn = Effect.uninterruptible(Effect.callback<void>((resume) => void (free = () => resume(Effect.void))))
    there.work = ({ id }, _, around) =>
      Effect.as(id === "bad" ? around(stubborn) : Effect.void, { outcome: "done", message: "" })
    await there.start()
    await there.pass(10 * MINUTE)
    assert.isAtLeast(runsOf(there, "good").length, 9)
    assert.isAtLeast(RunState.all(there.db).get("bad")!.failures, 1)
    free()
    await there.stop()
    free()
    await there.close()
  })
})
