/** When a worker is ready: by what its queue answers, and by whether its disk takes writes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Engine } from "../../../sync/engine/Engine.ts"
import { JobWorker } from "../../../sync/engine/Worker.ts"
import { filesTest } from "../../../sync/library/many/FilesTest.ts"
import { markOf } from "../../../sync/library/many/KeptTenants.ts"
import { WritingTest } from "../../../sync/library/many/WritingTest.ts"
import { StoreAway } from "../../../sync/state/replication/Store.ts"
import { Loop } from "../../../sync/tenants/Loop.ts"
import { folder } from "../../support/Replicas.ts"

/** A queue without jobs, which answers as a test says. */
const queue = () => {
  const state: { answer: "answers" | "away" | "hangs" } = { answer: "answers" }
  const said = <A>(value: A): Effect.Effect<A, StoreAway> =>
    Effect.suspend(() =>
      state.answer === "answers"
        ? Effect.succeed(value)
        : state.answer === "away"
          ? Effect.fail(new StoreAway("PostgreSQL: nobody answers"))
          : Effect.never
    )
  const engine: Engine = {
    schedule: said(0),
    take: () => said([]),
    finish: () => Effect.void,
    fail: () => Effect.void,
    hold: () => said(true),
    kept: () => said([]),
    heal: said(0)
  }
  return { engine, state }
}

describe("a worker", () => {
  it.effect(
    "is not ready while PostgreSQL is away, however long, nor while it hangs, and goes on when it is back",
    () =>
      Effect.gen(function* () {
        const { engine, state } = queue()
        const worker = yield* JobWorker.make({
          engine,
          slots: [],
          sick: Effect.succeed(undefined),
          giveUp: () => Effect.succeed(true)
        })
        yield* Effect.forkScoped(worker.run)
        yield* TestClock.adjust("2 seconds")
        assert.isUndefined(worker.trouble)
        state.answer = "away"
        yield* TestClock.adjust("2 seconds")
        assert.include(worker.trouble ?? "", "nobody answers")
        yield* TestClock.adjust("20 minutes")
        assert.include(worker.trouble ?? "", "nobody answers")
        state.answer = "answers"
        yield* TestClock.adjust("2 seconds")
        assert.isUndefined(worker.trouble)
        state.answer = "hangs"
        yield* TestClock.adjust("30 seconds")
        assert.include(worker.trouble ?? "", "it has taken no jobs for")
      })
  )

  it.live("knows that nothing can be written where its copies are, and that it can again", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const test = new WritingTest(path)
      let now = 0
      /** The disk takes its own time, and what it said is known with the next look. */
      const found = Effect.gen(function* () {
        now += 4000
        yield* test.look(now)
        yield* Effect.sleep(300)
        return yield* test.look(now)
      })
      assert.isUndefined(yield* found)
      rmSync(path, { recursive: true })
      assert.include(yield* found, "nothing can be written in")
      mkdirSync(path)
      assert.isUndefined(yield* found)
    })
  )

  it.live("knows that the volume of its files is not mounted, and makes nothing in its place", () =>
    Effect.gen(function* () {
      const files = join(yield* folder, "files")
      assert.isUndefined(yield* yield* filesTest(undefined))
      const problem = yield* filesTest(files)
      assert.include(yield* problem, "the folder of files cannot be read: ENOENT")
      assert.isUndefined(markOf(files, "acme"))
      assert.isFalse(existsSync(files))
      // Only what workers remember may ever have been there.
      mkdirSync(join(files, ".daybook"), { recursive: true })
      assert.isUndefined(yield* problem)
      mkdirSync(join(files, "acme"))
      assert.isUndefined(yield* problem)
      assert.strictEqual(markOf(files, "acme"), join(files, ".daybook", "shipped", "acme"))
      rmSync(join(files, "acme"), { recursive: true })
      assert.include(yield* problem, "is empty, and was not before: is it mounted?")
      mkdirSync(join(files, "acme"))
      assert.isUndefined(yield* problem)
    })
  )

  it.effect("and a daemon know how long the oldest due tenant has waited, and whether any run begins or ends", () =>
    Effect.gen(function* () {
      const loop = yield* Loop.make({ slots: { atOnce: 1, slow: 0, slowMost: 0 }, turn: () => Effect.never })
      yield* Effect.forkScoped(loop.run)
      loop.dueAt("a", 0)
      loop.dueAt("b", 0)
      yield* TestClock.adjust("90 seconds")
      assert.deepStrictEqual(loop.progress, { lateMs: 90_000, stillMs: 90_000 })
    })
  )
})
