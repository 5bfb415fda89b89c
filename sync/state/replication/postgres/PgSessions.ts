/**
 * Manages sessions with PostgreSQL, using the driver `pg`, which is loaded only for tenants in PostgreSQL. An interrupted request closes
 * its session: a server that hangs blocks nobody, and whatever it does later is rejected by epoch and sequence.
 */
import { Effect, type Scope } from "effect"
import type { Pool, PoolClient } from "pg"
import { addressOf } from "./Address.ts"
import { StoreAway } from "../Store.ts"

/** The time limits for connecting, and for a statement on the server. Milliseconds. */
const CONNECT_MS = 5000
const STATEMENT_MS = 15_000
/**
 * How much longer its answer is waited for. A server that vanished behind a network that says nothing, as in a failover, would
 * otherwise be waited for until the system gives its connection up: for hours. Milliseconds.
 */
const ANSWER_MS = 5000
/** When the driver has waited so long. */
const NO_ANSWER = "Query read timeout"
/** How long a process that hangs in a transaction can hold its rows. Milliseconds. */
const IDLE_MS = 10_000

type Driver = Pick<typeof import("pg"), "Pool" | "Query">

type Values = ReadonlyArray<unknown>

export interface PgSession {
  /** @param name names a frequent statement, which is prepared once for each session */
  readonly ask: <Row>(sql: string, values?: Values, name?: string) => Promise<ReadonlyArray<Row>>
  /** Calls back with the columns of each row, in binary: for many bytes, which the driver otherwise reads as text. They are valid during the call. */
  readonly copy: (list: string, onRow: (columns: ReadonlyArray<Buffer>) => void) => Promise<void>
  /** As a literal, for `copy`, which takes no values. */
  readonly quoted: (text: string) => string
}

export interface PgSessions {
  /** Runs work with one session, which is closed if the work fails or is interrupted. */
  readonly use: <A>(work: (session: PgSession) => Promise<A>) => Effect.Effect<A, StoreAway>
  /** The same in a transaction, which is rolled back on failure. */
  readonly transaction: <A>(work: (session: PgSession) => Promise<A>) => Effect.Effect<A, StoreAway>
}

const words = (cause: unknown): string => {
  const { code, errors, message } = cause as { code?: string; message?: string; errors?: ReadonlyArray<Error> }
  if (message === NO_ANSWER) return "PostgreSQL: it does not answer"
  const said = message !== undefined && message !== "" ? message : (errors?.[0]?.message ?? code ?? String(cause))
  return `PostgreSQL: ${said}`
}

/** Behind a pooler each transaction may have another session, where nothing was prepared, or another's (PostgreSQL, appendix A). */
const NOT_PREPARED = ["26000", "42P05", "08P01"]

/** Whether statements are prepared by name with this server; false once it turned out that a pooler is in between. */
interface Preparing {
  isByName: boolean
}

/** What is before the first row: a signature, flags, and the length of what follows them (PostgreSQL, COPY, "Binary Format"). */
const COPY_HEAD = 19

/** The rows of a part of what is copied. */
const copiedRows = (part: Buffer, from: number, onRow: (columns: ReadonlyArray<Buffer>) => void): void => {
  for (let at = from; at < part.length; ) {
    // The end has no columns, but -1.
    const columns = Array.from<Buffer>({ length: Math.max(0, part.readInt16BE(at)) })
    at += 2
    for (const n of columns.keys()) {
      const end = at + 4 + Math.max(0, part.readInt32BE(at))
      columns[n] = part.subarray(at + 4, end)
      at = end
    }
    if (columns.length > 0) onRow(columns)
  }
}

/** A statement of the driver, which answers everything but the copied rows. */
interface Copying {
  handleCopyData: (message: { readonly chunk: Buffer }) => void
}

const asking = (client: PoolClient, preparing: Preparing, { Query }: Driver): PgSession => ({
  quoted: (text) => client.escapeLiteral(text),
  copy: (list, onRow) =>
    new Promise((resolve, reject) => {
      let isFirst = true
      const handleCopyData: Copying["handleCopyData"] = ({ chunk }) => {
        const head = isFirst ? COPY_HEAD + chunk.readInt32BE(COPY_HEAD - 4) : 0
        isFirst = false
        try {
          copiedRows(chunk, head, onRow)
        } catch (cause) {
          // The session is closed then.
          reject(cause)
        }
      }
      const text = `COPY (${list}) TO STDOUT (FORMAT binary)`
      const query = new Query({ text }, (error) => (error ? reject(error) : resolve()))
      client.query(Object.assign(query, { handleCopyData } satisfies Copying))
    }),
  ask: async <Row>(text: string, values: Values = [], name?: string) => {
    const named = name === undefined || !preparing.isByName ? {} : { name }
    try {
      // Several statements in one text have several answers.
      const answers = [await client.query({ text, values: [...values], ...named })].flat()
      return answers.flatMap(({ rows }) => rows as ReadonlyArray<Row>)
    } catch (cause) {
      if (NOT_PREPARED.includes((cause as { code?: string }).code ?? "")) preparing.isByName = false
      throw cause
    }
  }
})

const overPool = (pool: Pool, driver: Driver): PgSessions["use"] => {
  const preparing = { isByName: true }
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
          const result = await work(asking(client, preparing, driver))
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

/**
 * @param most the number of concurrent sessions
 * @param statementMs the time limit of a statement
 */
export const connect = (
  written: string,
  most: number,
  statementMs = STATEMENT_MS
): Effect.Effect<PgSessions, StoreAway, Scope.Scope> =>
  Effect.gen(function* () {
    const address = addressOf(written)
    if (typeof address === "string") return yield* Effect.fail(new StoreAway(`PostgreSQL: ${address}`))
    const { ssl, url } = address
    const driver = (yield* Effect.promise(() => import("pg"))).default
    const pool = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new driver.Pool({
            connectionString: url,
            ssl,
            application_name: "daybook",
            max: most,
            connectionTimeoutMillis: CONNECT_MS,
            query_timeout: statementMs + ANSWER_MS,
            keepAlive: true
          })
      ),
      // A server that vanished confirms nothing.
      (pool) =>
        Effect.promise(() => pool.end().catch(() => {})).pipe(Effect.timeoutOption(CONNECT_MS), Effect.interruptible)
    )
    // A session that is lost while idle is simply removed from the pool.
    pool.on("error", () => {})
    // Said once connected, because poolers such as PgBouncer refuse them at the start (their documentation: ignore_startup_parameters).
    pool.on("connect", (client) => {
      client.on("error", () => {})
      client.query(
        `SET statement_timeout = ${statementMs}; SET idle_in_transaction_session_timeout = ${IDLE_MS}`,
        () => {}
      )
    })
    const use = overPool(pool, driver)
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
