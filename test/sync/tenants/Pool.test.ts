/**
 * The pool of open tenants and the loop over them, with tenants that only count: never more open than may be, never one
 * closed that is in use, and slow sources that keep nobody waiting.
 */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { StateError } from "../../../sync/state/Database.ts"
import { Loop, SLOW_MS, type TurnHandle } from "../../../sync/tenants/Loop.ts"
import { Pool } from "../../../sync/tenants/Pool.ts"

const counting = (
  most: number,
  fails: (name: string) => StateError | undefined = () => undefined,
  isRead: () => boolean = () => false
) => {
  const open = new Set<string>()
  const log: Array<string> = []
  let highest = 0
  let version = 1
  const opening = (name: string): Effect.Effect<{ name: string; version: number }, StateError, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.suspend(() => {
        const error = fails(name)
        if (error !== undefined) return Effect.fail(error)
        open.add(name)
        highest = Math.max(highest, open.size)
        log.push(`+${name}`)
        return Effect.succeed({ name, version })
      }),
      () =>
        Effect.sync(() => {
          log.push(`-${name}`)
          open.delete(name)
        })
    )
  const pool = new Pool<{ name: string; version: number }, StateError>({
    most,
    idleMs: 1000,
    open: opening,
    isCurrent: (_, open) => open.version === version,
    isRead
  })
  return { pool, open, log, highest: () => highest, change: () => void version++ }
}

const exhausted = new StateError({ kind: "descriptors", file: "x", why: "too many open files" })

describe("a pool of open tenants", () => {
  it.effect("keeps those open that fit, and closes who was used longest ago for another", () =>
    Effect.gen(function* () {
      const { log, pool } = counting(2)
      for (const name of ["a", "b", "a", "c", "a"]) {
        yield* pool.use(name, () => Effect.void)
        yield* TestClock.adjust(10)
      }
      assert.deepStrictEqual(log, ["+a", "+b", "-b", "+c"])
      yield* TestClock.adjust(5000)
      yield* pool.tidy
      assert.strictEqual(pool.open, 0)
    })
  )

  it.effect("opens a newer one of what is only read while the older is in use, and of nothing else", () =>
    Effect.gen(function* () {
      for (const isRead of [true, false]) {
        const { change, log, pool } = counting(3, undefined, () => isRead)
        const seen: Array<number> = []
        const look = pool.use("a", ({ version }) => Effect.sync(() => void seen.push(version)))
        const done = yield* Deferred.make<void>()
        const long = yield* Effect.forkChild(pool.use("a", () => Deferred.await(done)))
        yield* look
        change()
        yield* look
        yield* Deferred.succeed(done, undefined)
        yield* Fiber.join(long)
        yield* look
        assert.deepStrictEqual(seen, isRead ? [1, 2, 2] : [1, 1, 2])
        assert.deepStrictEqual(log, isRead ? ["+a", "+a", "-a"] : ["+a", "-a", "+a"])
      }
    })
  )

  it.effect("ends an opening that throws, and opens again the next time", () =>
    Effect.gen(function* () {
      let isGone = true
      const opening = (name: string): Effect.Effect<string, StateError> => {
        if (isGone) throw new Error(`${name} is no longer a tenant`)
        return Effect.succeed(name)
      }
      const pool = new Pool<string, StateError>({ most: 2, idleMs: 1000, open: opening, isCurrent: () => true })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(pool.use("a", () => Effect.void))))
      assert.strictEqual(pool.open, 0)
      yield* pool.close("a")
      isGone = false
      assert.strictEqual(yield* pool.use("a", Effect.succeed), "a")
    })
  )

  it.effect("never closes one that is in use: whoever finds all of them in use waits", () =>
    Effect.gen(function* () {
      const { log, open, pool } = counting(2)
      const gates = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const users = yield* Effect.forEach(["a", "b"], (name, n) =>
        Effect.forkChild(
          pool.use(name, () => Deferred.await(gates[n]!)),
          { startImmediately: true }
        )
      )
      const third = yield* Effect.forkChild(
        pool.use("c", () => Effect.sync(() => [...open])),
        { startImmediately: true }
      )
      const wait = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
      for (let n = 0; n < 500 && log.length < 2; n++) yield* wait
      yield* wait
      assert.deepStrictEqual(log, ["+a", "+b"])
      yield* Deferred.succeed(gates[0]!, undefined)
      assert.deepStrictEqual(yield* Fiber.join(third), ["b", "c"])
      yield* Deferred.succeed(gates[1]!, undefined)
      yield* Fiber.joinAll(users)
    })
  )

  it.live("is bounded whatever many do at once, and leaves nothing open behind", () =>
    Effect.gen(function* () {
      const { highest, open, pool } = counting(3)
      yield* Effect.forEach(
        Array.from({ length: 60 }, (_, n) => `t${(n * 7) % 11}`),
        (name) => pool.use(name, () => Effect.sync(() => assert.isTrue(open.has(name)))),
        { concurrency: 12, discard: true }
      )
      assert.isAtMost(highest(), 3)
      yield* pool.closeAll
      assert.strictEqual(open.size, 0)
    })
  )

  it.effect("tries what could not be opened anew, and opens again what has changed once nobody uses it", () =>
    Effect.gen(function* () {
      let broken = true
      const { change, log, pool } = counting(2, () =>
        broken ? new StateError({ kind: "failed", file: "x", why: "broken" }) : undefined
      )
      assert.isTrue(Exit.isFailure(yield* Effect.exit(pool.use("a", () => Effect.void))))
      assert.strictEqual(pool.open, 0)
      broken = false
      yield* pool.use("a", () =>
        Effect.gen(function* () {
          change()
          yield* pool.use("a", () => Effect.void)
        })
      )
      assert.deepStrictEqual(log, ["+a"])
      yield* pool.use("a", () => Effect.void)
      assert.deepStrictEqual(log, ["+a", "-a", "+a"])
    })
  )

  it.effect("opens fewer from the moment that the system gives no more files", () =>
    Effect.gen(function* () {
      const held = new Set<string>()
      const { open, pool } = counting(10, (name) => (!held.has(name) && open.size >= 5 ? exhausted : undefined))
      for (let n = 0; n < 8; n++) yield* pool.use(`t${n}`, () => Effect.void)
      assert.isAtMost(open.size, 5)
      assert.isAtMost(pool.most, 5)
    })
  )
})

describe("the loop over many tenants", () => {
  it.effect("begins who is due, one by one as there are slots, and nobody before", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const begun: Array<string> = []
        const loop = yield* Loop.make({
          slots: { atOnce: 1, slow: 0, slowMost: 0 },
          turn: ({ name }) =>
            Effect.andThen(
              Effect.sync(() => begun.push(name)),
              Effect.sleep(100)
            )
        })
        for (const [name, at] of [
          ["b", 2000],
          ["a", 1000],
          ["c", 60_000]
        ] as const)
          loop.dueAt(name, at)
        yield* Effect.forkScoped(loop.run)
        yield* TestClock.adjust(999)
        assert.deepStrictEqual(begun, [])
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(begun, ["a"])
        yield* TestClock.adjust(3000)
        assert.deepStrictEqual(begun, ["a", "b"])
        assert.strictEqual(loop.nextOf("c"), 60_000)
        loop.ask("c")
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(begun, ["a", "b", "c"])
        loop.forget("c")
        yield* TestClock.adjust(120_000)
        assert.deepStrictEqual(begun, ["a", "b", "c"])
      })
    )
  )

  it.effect("four slow sources keep nobody waiting for longer than it takes to see that they are slow", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const begun = new Map<string, number>()
        const clock = yield* Effect.clockWith(Effect.succeed)
        const turn = (handle: TurnHandle) =>
          Effect.gen(function* () {
            begun.set(handle.name, clock.currentTimeMillisUnsafe())
            handle.asksSource()
            yield* Effect.sleep(handle.name.startsWith("slow") ? 30_000 : 10)
            handle.sourceAnswered()
          })
        const loop = yield* Loop.make({ slots: { atOnce: 4, slow: 16, slowMost: 20 }, turn })
        for (let n = 0; n < 4; n++) loop.dueAt(`slow-${n}`, 0)
        for (let n = 0; n < 56; n++) loop.dueAt(`t${n}`, 0)
        yield* Effect.forkScoped(loop.run)
        yield* TestClock.adjust(SLOW_MS + 500)
        assert.strictEqual(begun.size, 60)
        yield* TestClock.adjust(60_000)
        // The next time they begin in slots of their own.
        for (const name of ["slow-0", "slow-1", "slow-2", "slow-3", "quick"]) loop.ask(name)
        yield* TestClock.adjust(1)
        assert.deepInclude(loop.counts, { slow: 4, waiting: 0 })
      })
    )
  )
})
