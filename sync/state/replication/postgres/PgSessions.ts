/**
 * PgSessions to PostgreSQL, by its driver `pg`, which is loaded by those who have a cluster. A request that nobody waits for any
 * more takes its session with it: a server that hangs keeps nobody, and what it does later is refused by epoch and sequence.
 */
import { Effect, type Scope } from "effect"
import type { Pool, PoolClient } from "pg"
import { StoreAway } from "../Store.ts"

/** How long it may take to connect, and how long a statement. Milliseconds. */
const CONNECT_MS = 5000
const STATEMENT_MS = 15_000
/** A process that stands still in a transaction keeps its rows no longer than this. Milliseconds. */
const IDLE_MS = 10_000

type Values = ReadonlyArray<unknown>

export interface PgSession {
  /** @param name of a statement that is asked often: it is prepared once for each session */
  readonly ask: <Row>(sql: string, values?: Values, name?: string) => Promise<ReadonlyArray<Row>>
}

export interface PgSessions {
  /** With one session, which is closed where that fails or nobody waits for it any more. */
  readonly use: <A>(work: (session: PgSession) => Promise<A>) => Effect.Effect<A, StoreAway>
  /** The same in a transaction: what fails leaves nothing behind. */
  readonly transaction: <A>(work: (session: PgSession) => Promise<A>) => Effect.Effect<A, StoreAway>
}

const words = (cause: unknown): string => {
  const { code, errors, message } = cause as { code?: string; message?: string; errors?: ReadonlyArray<Error> }
  const said = message !== undefined && message !== "" ? message : (errors?.[0]?.message ?? code ?? String(cause))
  return `PostgreSQL: ${said}`
}

const asking = (client: PoolClient): PgSession => ({
  ask: async <Row>(text: string, values: Values = [], name?: string) => {
    const { rows } = await client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) })
    return rows as ReadonlyArray<Row>
  }
})

const overPool = (pool: Pool): PgSessions["use"] => {
  return <A>(work: (session: PgSession) => Promise<A>) =>
    Effect.callback<A, StoreAway>((resume) => {
      let client: PoolClient | undefined
      let isOver = false
      const release = (broken: boolean) => {
        client?.release(broken)
        client = undefined
      }
      const run = async () => {
        client = await pool.connect()
        if (isOver) return release(false)
        try {
          const result = await work(asking(client))
          release(false)
          resume(Effect.succeed(result))
        } catch (cause) {
          release(true)
          resume(Effect.fail(new StoreAway(words(cause))))
        }
      }
      run().catch((cause: unknown) => resume(Effect.fail(new StoreAway(words(cause)))))
      return Effect.sync(() => {
        isOver = true
        release(true)
      })
    })
}

/** @param most sessions at once */
export const connect = (url: string, most: number): Effect.Effect<PgSessions, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { Pool } = (yield* Effect.promise(() => import("pg"))).default
    const pool = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Pool({
            connectionString: url,
            application_name: "daybook",
            max: most,
            connectionTimeoutMillis: CONNECT_MS,
            statement_timeout: STATEMENT_MS,
            idle_in_transaction_session_timeout: IDLE_MS,
            keepAlive: true
          })
      ),
      (pool) => Effect.promise(() => pool.end().catch(() => {}))
    )
    // A session that is lost while nobody uses it is not there for the next one: that is all.
    pool.on("error", () => {})
    pool.on("connect", (client) => void client.on("error", () => {}))
    const use = overPool(pool)
    return {
      use,
      transaction: (work) =>
        use(async (session) => {
          await session.ask("BEGIN ISOLATION LEVEL REPEATABLE READ")
          const result = await work(session)
          await session.ask("COMMIT")
          return result
        })
    }
  })
