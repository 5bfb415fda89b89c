/** The engine by pg-boss, which is loaded only where tenants are run from PostgreSQL. It uses our own sessions, with their rules for TLS. */
import { Clock, Effect, type Scope } from "effect"
import type { PgBoss } from "pg-boss"
import type { PgSession, PgSessions } from "../state/replication/postgres/PgSessions.ts"
import { StoreAway } from "../state/replication/Store.ts"
import type { Ended, Engine, Failed, TenantJob, QueueName } from "./Engine.ts"

const SCHEMA = "daybook_jobs"

/** A job that nobody keeps for so long is given to another. pg-boss accepts no less. */
const SILENT_SECONDS = 10
/** The attempts after the first. */
const RETRIES = 3
const SILENT = "the machine of its run was not heard of any more"
/** How often pg-boss looks for silent jobs. */
const LOOKS_SECONDS = 2
/** A tenant whose last run took longer, or that never ended one, has its jobs in the queue of long ones. Milliseconds. */
const LONG_MS = 60_000
/** How many tenants that share a vendor's limit run at the same time. */
const MOST_SHARING = 2
const MOST_SCHEDULED = 500
const QUEUES = "'run', 'long', 'next', 'held'"

/** Somebody waits for an answer, also of one that is paused. */
const ASKED = "EXISTS (SELECT 1 FROM daybook.inbox i WHERE i.tenant = key AND NOT i.begun)"

/** Both ways by their index, so that it costs what is due, and not how many tenants there are. */
const MAY_BEGIN = "queued IS NULL AND settings IS NOT NULL AND removed IS NULL"
const DUE = `UPDATE daybook.tenant SET queued = clock_timestamp() WHERE key = ANY (ARRAY(SELECT key FROM daybook.tenant
    WHERE key = ANY (ARRAY(
        (SELECT key FROM daybook.tenant WHERE due <= now() AND ${MAY_BEGIN} AND (paused IS NULL OR ${ASKED}) ORDER BY due LIMIT ${MOST_SCHEDULED})
        UNION (SELECT key FROM daybook.tenant WHERE asked IS NOT NULL AND held IS NULL AND ${MAY_BEGIN} AND (paused IS NULL OR ${ASKED}) LIMIT ${MOST_SCHEDULED})))
      AND ${MAY_BEGIN} ORDER BY due FOR UPDATE SKIP LOCKED))
  RETURNING key AS tenant, id AS name, least(due, clock_timestamp()) AS due, shares, coalesce(took > ${LONG_MS}, true) AS "isLong", next AS "isNext", ${ASKED} AS "isAsked"`

/** Of the opening that ends, and of none that has begun since. What was left for it meanwhile is taken at once. */
const ENDED = `UPDATE daybook.tenant SET queued = NULL, took = coalesce($4::int, took), held = $5::text,
    due = CASE WHEN NOT $6::boolean THEN due WHEN $5::text IS NULL AND (${ASKED} OR EXISTS (SELECT 1 FROM daybook.webhook WHERE tenant = $1)) THEN clock_timestamp()
      ELSE clock_timestamp() + $3::float8 * interval '1 ms' END
  WHERE key = $1 AND removed IS NULL AND ($2::bigint IS NULL OR epoch = $2) AND ($5::text IS NULL OR held IS NOT NULL)`

/** Who asks for it deletes the job (`cluster/Operations.ts`). */
const HELD = `UPDATE daybook.tenant SET held = $2, due = NULL WHERE key = $1 AND removed IS NULL
    AND EXISTS (SELECT 1 FROM ${SCHEMA}.job WHERE name = 'held' AND id = $3 AND state < 'completed')
  RETURNING key`

/** A mark without a job: somebody emptied the queue, or a failover lost the job. */
const MARKS = `UPDATE daybook.tenant t SET queued = NULL
  WHERE (queued < clock_timestamp() - interval '30 s' OR queued > clock_timestamp() + interval '5 s')
    AND NOT EXISTS (SELECT 1 FROM ${SCHEMA}.job j WHERE j.name IN (${QUEUES}) AND j.singleton_key = t.key AND j.state < 'completed')
  RETURNING key`
/** PostgreSQL's clock was set back: these would wait for as long. No schedule is further ahead than a year. */
const AHEAD_JOBS = `SELECT id, name FROM ${SCHEMA}.job WHERE name IN (${QUEUES}) AND name <> 'held' AND state < 'completed'
  AND greatest(heartbeat_on, start_after) > clock_timestamp() + interval '2 minutes'`

interface DueRow {
  readonly tenant: string
  readonly name: string
  readonly due: Date
  readonly shares: string | null
  readonly isLong: boolean
  readonly isNext: boolean
  readonly isAsked: boolean
}

interface JobData {
  readonly due: number
  readonly name: string
}

const away = (cause: unknown) => new StoreAway(`PostgreSQL: ${(cause as Error).message}`)

/** What pg-boss says when its tables are not there, or those of another version. */
const awayAtStart = (cause: unknown) =>
  /is not installed|requires migrations/.test((cause as Error).message)
    ? new StoreAway("the database has no tables of this version's engine; run daybook cluster init")
    : away(cause)

/** pg-boss asks through this. */
const through = ({ ask }: PgSession) => ({
  executeSql: async (text: string, values: unknown[] = []) => ({ rows: [...(await ask(text, values))] })
})

const bossOver = (sessions: PgSessions, options: { readonly migrate: boolean; readonly supervise: boolean }) =>
  Effect.gen(function* () {
    const { PgBoss: Boss } = yield* Effect.promise(() => import("pg-boss"))
    const boss = new Boss({
      db: {
        executeSql: (text, values) =>
          Effect.runPromise(
            Effect.mapError(
              sessions.use((session) => through(session).executeSql(text, values)),
              ({ why }) => new Error(why.replace(/^PostgreSQL: /, ""))
            )
          )
      },
      schema: SCHEMA,
      createSchema: options.migrate,
      migrate: options.migrate,
      supervise: options.supervise,
      schedule: false,
      superviseIntervalSeconds: LOOKS_SECONDS,
      monitorIntervalSeconds: LOOKS_SECONDS,
      maintenanceIntervalSeconds: 30
    })
    // Each call says itself what failed; what pg-boss does beside is repeated by it.
    boss.on("error", () => {})
    return yield* Effect.acquireRelease(
      Effect.as(Effect.tryPromise({ try: () => boss.start(), catch: awayAtStart }), boss),
      (started) => Effect.promise(() => started.stop({ graceful: false }).catch(() => {}))
    )
  })

/** Makes or upgrades the tables of the engine, with a role that may create a schema. */
export const initEngine = (sessions: PgSessions): Effect.Effect<void, StoreAway> =>
  Effect.gen(function* () {
    const boss = yield* bossOver(sessions, { migrate: true, supervise: false })
    const run = {
      policy: "exclusive",
      retryLimit: RETRIES,
      retryDelay: 2,
      retryBackoff: true,
      retryDelayMax: 60,
      // A run may take long; who works on it says so again and again.
      expireInSeconds: 86_000,
      heartbeatSeconds: SILENT_SECONDS,
      deleteAfterSeconds: 60
    } as const
    const make = (name: QueueName, options: Parameters<PgBoss["createQueue"]>[1]) =>
      Effect.tryPromise({
        try: async () => {
          if ((await boss.getQueue(name)) === null) await boss.createQueue(name, options)
        },
        catch: away
      })
    yield* make("held", { ...run, retryLimit: 1000 })
    yield* make("run", { ...run, deadLetter: "held" })
    yield* make("long", { ...run, deadLetter: "held" })
    yield* make("next", { ...run, deadLetter: "held" })
  }).pipe(Effect.scoped)

const scheduling = (sessions: PgSessions, boss: PgBoss) =>
  sessions.use(async (session) => {
    await session.ask("BEGIN")
    const rows = await session.ask<DueRow>(DUE, [], "due")
    for (const queue of ["run", "long", "next"] as const) {
      const jobs = rows.flatMap(({ due, isAsked, isLong, isNext, name, shares, tenant }) =>
        queue === (isNext ? "next" : isLong ? "long" : "run")
          ? [
              {
                data: { name, due: due.getTime() },
                singletonKey: tenant,
                ...(isAsked ? { priority: 1 } : {}),
                ...(shares === null ? {} : { group: { id: shares } })
              }
            ]
          : []
      )
      if (jobs.length > 0) await boss.insert(queue, jobs, { db: through(session) })
    }
    await session.ask("COMMIT")
    return rows.length
  })

const taking = async (boss: PgBoss, queue: QueueName, most: number): Promise<ReadonlyArray<TenantJob>> => {
  const taken = await boss.fetch<JobData>(queue, {
    batchSize: most,
    includeMetadata: true,
    ...(queue === "held" ? {} : { groupConcurrency: MOST_SHARING })
  })
  return taken.map(({ data, id, retryCount, singletonKey, ...job }) => {
    // What pg-boss says itself, when a job is not heard of any more, has another form.
    const { isDead = true, why = SILENT } = (("sourceOutput" in job ? job.sourceOutput : null) ?? {}) as Partial<Failed>
    return {
      id,
      queue,
      tenant: singletonKey ?? "",
      name: data.name,
      retryCount,
      due: data.due,
      ...(queue === "held" ? { why, isDead } : {})
    }
  })
}

const finishing = (sessions: PgSessions, boss: PgBoss, job: TenantJob, { due, epoch, held, took }: Ended) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    sessions.use(async (session) => {
      await session.ask("BEGIN")
      // By PostgreSQL's clock: by one that is behind, a tenant would be due at once for ever.
      const left = due === undefined || due === null ? null : due - now
      const values = [job.tenant, epoch ?? null, left, took ?? null, held ?? null, due !== undefined]
      await session.ask(ENDED, values, "ended")
      await boss.complete(job.queue, job, null, { db: through(session) })
      await session.ask("COMMIT")
    })
  )

const healing = (sessions: PgSessions, boss: PgBoss) =>
  sessions.use(async (session) => {
    const ahead = await session.ask<{ readonly id: string; readonly name: string }>(AHEAD_JOBS)
    for (const { id, name } of ahead) await boss.deleteJob(name, id)
    return (await session.ask(MARKS)).length + ahead.length
  })

export const engineOver = (sessions: PgSessions): Effect.Effect<Engine, StoreAway, Scope.Scope> =>
  Effect.map(bossOver(sessions, { migrate: false, supervise: true }), (boss) => {
    const said = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: away })
    return {
      schedule: scheduling(sessions, boss),
      take: (queue, most) => said(() => taking(boss, queue, most)),
      finish: (job, ended) => finishing(sessions, boss, job, ended),
      hold: ({ id, tenant }, why) =>
        Effect.map(
          sessions.use(({ ask }) => ask(HELD, [tenant, why, id], "held")),
          (rows) => rows.length > 0
        ),
      fail: (job, failed) => Effect.asVoid(said(() => boss.fail(job.queue, job, failed))),
      kept: (jobs) =>
        Effect.gen(function* () {
          const lost: Array<TenantJob> = []
          for (const queue of ["run", "long", "next", "held"] as const) {
            const own = jobs.filter((job) => job.queue === queue)
            if (own.length === 0) continue
            // Its types do not say so.
            const { settled } = (yield* said(() => boss.touch(queue, [...own]))) as {
              readonly settled?: ReadonlyArray<string>
            }
            lost.push(...own.filter(({ id }) => settled?.includes(id) === false))
          }
          return lost
        }),
      heal: healing(sessions, boss)
    }
  })
