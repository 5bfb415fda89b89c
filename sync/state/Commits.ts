/**
 * Writes to a state file in transactions; writes in one turn of the event loop share a transaction. If the file is replicated,
 * a commit is reported only once it is stored elsewhere, too: every way to commit goes through here.
 */
import type Sqlite from "better-sqlite3"
import { Effect } from "effect"
import type { Chaining } from "./chain/Chain.ts"
import { type StateError, stateError } from "./StateError.ts"

/** What delays the report of a commit. */
export interface Gate {
  /** Throws once commits can no longer be stored elsewhere. */
  readonly alive: () => void
  /** Calls back once everything that is committed now is stored elsewhere, or says why it never will be. */
  readonly whenShipped: (done: (failed?: StateError) => void) => void
  readonly shipped: Effect.Effect<void, StateError>
  /** Whether much is committed that is not stored elsewhere yet. */
  readonly isFarBehind: () => boolean
}

export interface WaysToCommit {
  /**
   * Runs `work` in one transaction, now. If it throws, the transaction is rolled back and the error becomes a `StateError`.
   */
  readonly transaction: <A>(work: () => A) => Effect.Effect<A, StateError>
  /**
   * Like `transaction`, for what nobody is told: it is stored elsewhere with the next commit that somebody waits for, and is lost with
   * this process until then, as if it had ended before.
   */
  readonly soon: <A>(work: () => A) => Effect.Effect<A, StateError>
  /** Like `transaction`, but shares the transaction with other commits of this turn; on disk when it returns. */
  readonly commit: <A>(work: () => A) => Effect.Effect<A, StateError>
  readonly read: <A>(work: () => A) => Effect.Effect<A, StateError>
  /** Runs several reads as one: they see the same state and share the cost of its lock. */
  readonly snapshot: <A>(work: () => A) => Effect.Effect<A, StateError>
}

type Run = <A>(work: () => A) => A

/** @param run runs work in one transaction, see `committing` */
export const waysToCommit = (raw: Sqlite.Database, file: string, run: Run, gate: Gate | undefined): WaysToCommit => {
  const attempt = <A>(work: () => A): Effect.Effect<A, StateError> =>
    Effect.try({ try: work, catch: (cause) => stateError(file, cause) })
  const deferred = <A>(work: () => A) => raw.transaction(work).deferred()
  if (gate === undefined) {
    return {
      transaction: (work) => attempt(() => run(work)),
      soon: (work) => attempt(() => run(work)),
      commit: groupCommit(run, file),
      read: attempt,
      snapshot: (work) => attempt(() => deferred(work))
    }
  }
  const changes = raw.prepare("SELECT total_changes()").pluck()
  // Few reads write something as well; those wait like all other commits.
  const looking = <A>(work: () => A): Effect.Effect<A, StateError> =>
    Effect.uninterruptible(
      Effect.flatMap(
        attempt(() => {
          gate.alive()
          const before = changes.get()
          const result = work()
          return { result, wrote: changes.get() !== before }
        }),
        ({ result, wrote }) => (wrote ? Effect.as(gate.shipped, result) : Effect.succeed(result))
      )
    )
  const running = <A>(work: () => A) =>
    attempt(() => {
      gate.alive()
      return run(work)
    })
  return {
    transaction: (work) => Effect.uninterruptible(Effect.tap(running(work), () => gate.shipped)),
    soon: (work) =>
      Effect.uninterruptible(Effect.tap(running(work), () => (gate.isFarBehind() ? gate.shipped : Effect.void))),
    commit: groupCommit(run, file, gate),
    read: looking,
    snapshot: (work) => looking(() => deferred(work))
  }
}

/**
 * Runs work in transactions, and measures how long they take to begin and end: the time spent waiting for the disk.
 *
 * @param chain notes what the work writes of facts, and appends it
 */
export const committing = (db: Sqlite.Database, now: () => bigint, chain: Chaining) => {
  let nanoseconds = 0n
  let inside = 0n
  /** Whether the open transaction was checked; undefined if there is none. */
  let looked: boolean | undefined
  // Created once: a transaction consists of a dozen objects, and there is one for every few calls.
  const transaction = db.transaction((work: () => unknown) => {
    const began = now()
    try {
      return chain.run(work)
    } finally {
      inside = now() - began
    }
  })
  const run = <A>(work: () => A): A => {
    const before = now()
    inside = 0n
    looked = false
    chain.note()
    try {
      return transaction.immediate(work) as A
    } finally {
      looked = undefined
      nanoseconds += now() - before - inside
    }
  }
  /** A check that runs once in each transaction, and every time outside of one. */
  const once = (look: () => void) => () => {
    if (looked === true) return
    look()
    if (looked === false) looked = true
  }
  return { run, once, milliseconds: () => Number(nanoseconds) / 1e6 }
}

interface Waiting {
  readonly work: () => unknown
  readonly done: (result: Effect.Effect<unknown, StateError>) => void
}

/** Runs all writes of a turn in one transaction; if one of them fails, each is tried alone. */
const groupCommit = (run: Run, file: string, gate?: Gate): WaysToCommit["commit"] => {
  let queue: Array<Waiting> = []

  const alone = (work: () => unknown): Effect.Effect<unknown, StateError> => {
    try {
      return Effect.succeed(run(work))
    } catch (cause) {
      return Effect.fail(stateError(file, cause))
    }
  }

  const together = (batch: ReadonlyArray<Waiting>): ReadonlyArray<Effect.Effect<unknown, StateError>> => {
    try {
      gate?.alive()
      return run(() => batch.map(({ work }) => work())).map(Effect.succeed)
    } catch (cause) {
      return batch.length === 1 ? [Effect.fail(stateError(file, cause))] : batch.map(({ work }) => alone(work))
    }
  }

  const flush = () => {
    const batch = queue
    queue = []
    const results = together(batch)
    const tell = (failed?: StateError) => {
      for (const [index, { done }] of batch.entries())
        done(failed === undefined ? (results[index] ?? Effect.void) : Effect.fail(failed))
    }
    if (gate === undefined) tell()
    else gate.whenShipped(tell)
  }

  // Uninterruptible: the caller must learn how it ended, and the file must not be closed meanwhile.
  return <A>(work: () => A): Effect.Effect<A, StateError> =>
    Effect.callback<A, StateError>((resume) => {
      if (queue.length === 0) setImmediate(flush)
      queue.push({ work, done: (result) => resume(result as Effect.Effect<A, StateError>) })
    }).pipe(Effect.uninterruptible)
}
