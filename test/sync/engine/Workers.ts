/** Workers over a real queue, for tests. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { engineOver, initEngine } from "../../../sync/engine/PgBoss.ts"
import { type RunOutcome, type Slot, JobWorker, type WorkerOptions } from "../../../sync/engine/Worker.ts"
import { connect, type PgSessions } from "../../../sync/state/replication/postgres/PgSessions.ts"

/** Attempts wait for seconds in between. */
export const PATIENT = { timeout: 120_000 }

/** @param url of PostgreSQL with the tables of tenants */
export const clusterOf = (url: () => string) =>
  Effect.gen(function* () {
    const sessions = yield* connect(url(), 6)
    yield* initEngine(sessions)
    const ask = (sql: string, values: ReadonlyArray<unknown> = []) =>
      sessions.use((session) => session.ask<Record<string, unknown>>(sql, values))
    yield* ask("DELETE FROM daybook_jobs.job")
    yield* ask("DELETE FROM daybook.tenant")
    /** Tenants that are due, and have run before. */
    const tenants = (names: ReadonlyArray<string>, columns: Record<string, unknown> = {}) =>
      Effect.forEach(names, (name) =>
        Effect.gen(function* () {
          yield* ask(
            "INSERT INTO daybook.tenant (key, id, settings, due, took) VALUES ($1, $1, 'sealed', clock_timestamp(), 10)",
            [name]
          )
          for (const [column, value] of Object.entries(columns))
            yield* ask(`UPDATE daybook.tenant SET ${column} = $2 WHERE key = $1`, [name, value])
        })
      )
    const row = (name: string) =>
      Effect.map(ask("SELECT * FROM daybook.tenant WHERE key = $1", [name]), ([one]) => one ?? {})
    return { ask, row, sessions, tenants }
  })

/** A worker with slots that each run by this. */
export const worker = (
  sessions: PgSessions,
  run: (tenant: string, job: number) => Effect.Effect<RunOutcome>,
  { count = 2, ...more }: Partial<WorkerOptions> & { readonly count?: number } = {}
) =>
  Effect.gen(function* () {
    const engine = yield* engineOver(sessions)
    const began: Array<string> = []
    const given: Array<readonly [tenant: string, why: string]> = []
    let ended = 0
    const slot = (): Slot => ({
      run: (tenant) =>
        Effect.suspend(() => run(tenant, began.push(tenant))).pipe(Effect.onInterrupt(() => Effect.sync(() => ended++)))
    })
    const made = yield* JobWorker.make({
      engine,
      slots: Array.from({ length: count }, slot),
      sick: Effect.succeed(undefined),
      giveUp: (tenant, why) => Effect.sync(() => given.push([tenant, why]) > 0),
      ...more
    })
    const fiber = yield* Effect.forkScoped(made.run)
    return { began, engine, fiber, given, ended: () => ended, made }
  })

/** Waits until it is so. */
export const until = (what: string, is: () => boolean, seconds = 60) =>
  Effect.gen(function* () {
    for (let n = 0; n < seconds * 20; n++) {
      if (is()) return
      yield* Effect.sleep(50)
    }
    assert.fail(`not in time: ${what}`)
  })

export const HOUR = 3_600_000
export const ran = (due: number | null = Date.now() + HOUR): Effect.Effect<RunOutcome> =>
  Effect.succeed({ type: "ran", epoch: undefined, due })
