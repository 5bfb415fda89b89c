/** Workers over a real queue in PostgreSQL, with slots that do what a test says. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber } from "effect"
import { erase, retire } from "../../../sync/cluster/Erasure.ts"
import { tryAgain } from "../../../sync/cluster/Operations.ts"
import type { Engine, TenantJob } from "../../../sync/engine/Engine.ts"
import { engineOver } from "../../../sync/engine/PgBoss.ts"
import type { RunOutcome } from "../../../sync/engine/Worker.ts"
import { clusterTables } from "../../support/ClusterTables.ts"
import { clusterOf, HOUR, PATIENT, ran, until, worker } from "./Workers.ts"

const cluster = clusterOf(clusterTables())
describe("workers", () => {
  it.live(
    "run each tenant once when it is due, and again when it is asked for",
    () =>
      Effect.gen(function* () {
        const { ask, row, sessions, tenants } = yield* cluster
        const names = Array.from({ length: 20 }, (_, n) => `t${n}`)
        yield* tenants(names)
        yield* tenants(["removed"], { removed: new Date() })
        yield* tenants(["folder"], { settings: null })
        yield* tenants(["later"], { due: new Date(Date.now() + HOUR) })
        const one = yield* worker(sessions, () => ran())
        const two = yield* worker(sessions, () => ran())
        yield* until("all ran", () => one.began.length + two.began.length >= 20)
        yield* ask("UPDATE daybook.tenant SET asked = clock_timestamp() WHERE key = 't3'")
        yield* until("it was asked for", () => one.began.length + two.began.length >= 21)
        // Whoever runs it clears that.
        yield* ask("UPDATE daybook.tenant SET asked = NULL")
        yield* Effect.sleep(2000)
        const all = [...one.began, ...two.began].toSorted()
        assert.sameMembers([...new Set(all)], names)
        assert.isAtMost(all.length, 20 + 5)
        assert.strictEqual((yield* row("t3"))["queued"], null)
      }),
    PATIENT
  )

  it.live(
    "take the next job as soon as a slot is free",
    () =>
      Effect.gen(function* () {
        const { sessions, tenants } = yield* cluster
        yield* tenants(Array.from({ length: 40 }, (_, n) => `n${n}`))
        const { began } = yield* worker(sessions, () => Effect.delay(ran(), 20))
        yield* until("they begin", () => began.length > 0)
        // Two slots that are looked at twice a second take ten seconds.
        yield* until("all have begun", () => began.length === 40, 8)
      }),
    PATIENT
  )

  it.live(
    "give up a tenant with which four processes ended, say so, and run the others",
    () =>
      Effect.gen(function* () {
        const { ask, row, sessions, tenants } = yield* cluster
        yield* tenants(["poison", "broken", "well"])
        const { began, given } = yield* worker(sessions, (tenant) =>
          tenant === "poison"
            ? Effect.succeed({ type: "died", why: "the process of its run ended: exit status 9" })
            : tenant === "broken"
              ? Effect.succeed({ type: "refused", why: "OWN_KEY is not set" })
              : ran()
        )
        yield* until("both are given up", () => given.length === 2, 90)
        yield* Effect.sleep(1500)
        assert.strictEqual(began.filter((one) => one === "poison").length, 4)
        assert.strictEqual(began.filter((one) => one === "broken").length, 4)
        assert.strictEqual(began.filter((one) => one === "well").length, 1)
        assert.sameDeepMembers(given, [
          ["poison", "the process of its run ended: exit status 9"],
          ["broken", "OWN_KEY is not set"]
        ])
        const { due, held } = yield* row("poison")
        assert.deepStrictEqual([due, held], [null, "the process of its run ended: exit status 9"])
        // It may have been the machine: what says why is tried again.
        assert.isAbove(Number((yield* row("broken"))["due"]), Date.now() + HOUR / 2)
        yield* ask("UPDATE daybook.tenant SET asked = clock_timestamp() WHERE key = 'poison'")
        yield* Effect.sleep(2000)
        assert.strictEqual(began.filter((one) => one === "poison").length, 4)
      }),
    PATIENT
  )

  it.live(
    "tell people again while nobody accepts it, and run it no more meanwhile",
    () =>
      Effect.gen(function* () {
        const { row, sessions, tenants } = yield* cluster
        yield* tenants(["poison"])
        let told = 0
        const { began } = yield* worker(sessions, () => Effect.succeed({ type: "died", why: "it ended" }), {
          giveUp: () => Effect.sync(() => ++told >= 2)
        })
        yield* until("it is told", () => told >= 2, 90)
        yield* Effect.sleep(1000)
        assert.strictEqual(began.length, 4)
        assert.strictEqual((yield* row("poison"))["held"], "it ended")
      }),
    PATIENT
  )

  it.live(
    "run it again once a person asks for it, also while people are told, or were not yet",
    () =>
      Effect.gen(function* () {
        const { row, sessions, tenants } = yield* cluster
        yield* tenants(["told", "untold"])
        const asked = new Set<string>()
        const { began } = yield* worker(
          sessions,
          (tenant) => (asked.has(tenant) ? ran() : Effect.succeed({ type: "died", why: "it ended" })),
          {
            giveUp: (tenant) =>
              Effect.gen(function* () {
                if (asked.has(tenant)) return true
                asked.add(tenant)
                assert.isTrue(yield* tryAgain(sessions, tenant))
                yield* Effect.sleep(3000)
                return tenant === "told"
              })
          }
        )
        yield* until("both ran again", () => began.length === 10, 120)
        yield* Effect.sleep(20_000)
        for (const tenant of ["told", "untold"]) assert.strictEqual((yield* row(tenant))["held"], null, tenant)
      }),
    PATIENT
  )

  it.live(
    "take the job of a worker that is not heard of any more, which ends its own slot",
    () =>
      Effect.gen(function* () {
        const { sessions, tenants } = yield* cluster
        yield* tenants(["t"])
        let isSilent = false
        const forever = Deferred.makeUnsafe<RunOutcome>()
        const own = yield* engineOver(sessions)
        const engine: Engine = { ...own, kept: (jobs) => (isSilent ? Effect.succeed([]) : own.kept(jobs)) }
        const one = yield* worker(sessions, () => Deferred.await(forever), { engine, count: 1 })
        yield* until("it runs", () => one.began.length === 1)
        isSilent = true
        const two = yield* worker(sessions, () => Effect.delay(ran(), 8000), { count: 1 })
        yield* until("the other has it", () => two.began.length === 1)
        isSilent = false
        yield* until("the first one ended its slot", () => one.ended() === 1)
        yield* Deferred.succeed(forever, { type: "ran", epoch: undefined, due: null })
        yield* Effect.sleep(8500)
        assert.strictEqual(one.began.length + two.began.length, 2)
      }),
    PATIENT
  )

  it.live(
    "give a job back uncounted when they stop, or nothing can be written here",
    () =>
      Effect.gen(function* () {
        const { row, sessions, tenants } = yield* cluster
        yield* tenants(["t"])
        let sick: string | undefined
        const one = yield* worker(
          sessions,
          () =>
            Effect.sync(() => {
              sick = "the disk is full"
              return { type: "died", why: "" }
            }),
          {
            sick: Effect.sync(() => sick)
          }
        )
        yield* until("it is sick", () => one.made.trouble === "the disk is full")
        assert.strictEqual((yield* row("t"))["queued"], null)
        assert.strictEqual(one.began.length, 1)
        sick = undefined
        yield* Fiber.interrupt(one.fiber)
        yield* tenants(["u"])
        const two = yield* worker(sessions, () => Effect.never)
        yield* until("it runs", () => two.began.length === 1)
        yield* Fiber.interrupt(two.fiber)
        const three = yield* worker(sessions, () => ran())
        yield* until("another runs it at once", () => three.began.includes("u"), 5)
        assert.deepStrictEqual(three.given, [])
      }),
    PATIENT
  )

  it.live(
    "leave half of their slots to others than long runs, and run two at once that share a limit",
    () =>
      Effect.gen(function* () {
        const { sessions, tenants } = yield* cluster
        yield* tenants(["a", "b", "c", "d"], { took: null })
        const long = yield* worker(sessions, () => Effect.never, { count: 4 })
        yield* until("two long ones run", () => long.began.length === 2)
        yield* tenants(["short"])
        yield* until("so does another", () => long.began.length === 3)
        yield* Fiber.interrupt(long.fiber)
        const { sessions: more, tenants: others } = yield* cluster
        yield* others(["a", "b", "c", "d"], { shares: "one app" })
        yield* others(["alone"])
        const shared = yield* worker(more, () => Effect.never, { count: 5 })
        yield* Effect.sleep(4000)
        assert.strictEqual(shared.began.length, 3)
        assert.include(shared.began, "alone")
      }),
    PATIENT
  )

  it.live(
    "run the tenants of the next version if they are its, and no others, and the others none of them",
    () =>
      Effect.gen(function* () {
        const { ask, sessions, tenants } = yield* cluster
        yield* tenants(["canary", "first"], { next: true })
        yield* tenants(["t", "u"])
        yield* tenants(["long"], { took: null })
        yield* ask("UPDATE daybook.tenant SET took = NULL WHERE key = 'first'")
        const others = yield* worker(sessions, () => ran())
        yield* until("the others ran", () => others.began.length === 3)
        yield* Effect.sleep(3000)
        assert.sameMembers(others.began, ["t", "u", "long"])
        const next = yield* worker(sessions, () => ran(), { isNext: true })
        yield* until("those ran", () => next.began.length === 2)
        assert.sameMembers(next.began, ["canary", "first"])
        yield* ask("UPDATE daybook.tenant SET next = false, due = now()")
        yield* until("all ran", () => others.began.length === 8)
        assert.strictEqual(next.began.length, 2)
      }),
    PATIENT
  )

  it.live(
    "leave no job of a tenant that was erased, and say which tables are missing",
    () =>
      Effect.gen(function* () {
        const { ask, row, sessions, tenants } = yield* cluster
        yield* tenants(["t"], { held: "it ended", shares: "one app" })
        const engine = yield* engineOver(sessions)
        yield* ask("UPDATE daybook.tenant SET held = NULL")
        assert.strictEqual(yield* engine.schedule, 1)
        yield* retire(sessions, ["t"])
        yield* erase(sessions, "t")
        assert.deepStrictEqual(yield* ask("SELECT 1 FROM daybook_jobs.job WHERE singleton_key = 't'"), [])
        const { due, held, paused, queued, settings, shares, took } = yield* row("t")
        assert.deepStrictEqual([due, held, paused, queued, settings, shares, took], Array(7).fill(null))
        assert.strictEqual(yield* engine.schedule, 0)
        yield* ask("ALTER SCHEMA daybook_jobs RENAME TO away")
        const { why } = yield* Effect.flip(Effect.scoped(engineOver(sessions)))
        yield* ask("ALTER SCHEMA away RENAME TO daybook_jobs")
        assert.include(why, "run daybook cluster init")
      }),
    PATIENT
  )

  it.live(
    "begin anew what waits for a clock that was set back",
    () =>
      Effect.gen(function* () {
        const { ask, sessions, tenants } = yield* cluster
        yield* tenants(["t", "u"])
        const engine = yield* engineOver(sessions)
        assert.strictEqual(yield* engine.schedule, 2)
        assert.strictEqual((yield* engine.take("run", 1)).length, 1)
        // As seen after the clock went back by an hour: the one waits to begin, and the other was heard of in the future.
        yield* ask(
          "UPDATE daybook_jobs.job SET start_after = start_after + interval '1 hour', heartbeat_on = heartbeat_on + interval '1 hour'"
        )
        yield* ask("UPDATE daybook.tenant SET queued = queued + interval '1 hour'")
        assert.strictEqual((yield* engine.take("run", 5)).length, 0)
        yield* engine.heal
        assert.strictEqual(yield* engine.schedule, 2)
        assert.strictEqual((yield* engine.take("run", 5)).length, 2)
      }),
    PATIENT
  )

  it.live(
    "run what a lost queue has forgotten, end nobody else's opening, and say when a tenant is due by PostgreSQL's clock",
    () =>
      Effect.gen(function* () {
        const { ask, row, sessions, tenants } = yield* cluster
        yield* tenants(["t"], { queued: new Date(Date.now() - 60_000), epoch: 7 })
        yield* tenants(["u"], { epoch: 7 })
        const engine = yield* engineOver(sessions)
        assert.strictEqual(yield* engine.heal, 1)
        assert.strictEqual(yield* engine.heal, 0)
        assert.strictEqual(yield* engine.schedule, 2)
        assert.strictEqual(yield* engine.schedule, 0)
        const jobs = yield* engine.take("run", 5)
        assert.strictEqual(jobs.length, 2)
        const of = (name: string) => jobs.find(({ tenant }) => tenant === name) as TenantJob
        yield* engine.finish(of("t"), { epoch: 6, due: null })
        assert.isNotNull((yield* row("t"))["due"])
        // By a clock that is an hour behind, and not by PostgreSQL's.
        const clock = { ...(yield* Clock.Clock), currentTimeMillis: Effect.sync(() => Date.now() - HOUR) }
        const ended = { epoch: 7, due: Date.now() - HOUR / 2, took: 90_000 }
        yield* Effect.provideService(engine.finish(of("u"), ended), Clock.Clock, clock)
        const { due, queued, took } = yield* row("u")
        assert.isAbove(Number(due), Date.now())
        assert.deepStrictEqual([queued, took], [null, 90_000])
        yield* ask("UPDATE daybook.tenant SET due = clock_timestamp() WHERE key = 'u'")
        yield* engine.schedule
        assert.strictEqual((yield* engine.take("run", 5)).length, 0)
        assert.strictEqual((yield* engine.take("long", 5)).length, 1, "its last run took long")
      }),
    PATIENT
  )
})
