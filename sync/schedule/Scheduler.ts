/**
 * The daemon's loop: runs each connection when it is due, some of them side by side and none twice at once, neither in
 * this process nor in another. A connection that fails is left alone for a while and stops no other; that goes for every
 * trigger, be it a schedule, a webhook, an approved plan or somebody who asks.
 *
 * Stopped, it interrupts what goes on, which leaves nothing half done: a run that was cut off is the first thing that
 * the next start does. What a run consists of is not known here.
 */
import { Cause, Clock, Deferred, Effect, Exit, FiberSet, Queue, type Scope, Semaphore } from "effect"
import * as Approvals from "../plan/Approvals.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, StateError } from "../state/Database.ts"
import * as WebhookQueue from "../pull/WebhookQueue.ts"
import * as Schedule from "../model/Schedule.ts"
import { type DueRuns, due } from "./Due.ts"
import * as RunState from "./RunState.ts"

export type { Trigger } from "./RunState.ts"

/** How a run went that did not fail. */
export interface Done {
  readonly outcome: string
  readonly message: string
}

/** Any error with a message for people; a `StateError` that no retry mends ends the daemon. */
export type Failure = Error

export type RunEvent =
  | { readonly type: "began"; readonly connection: string; readonly why: RunState.Trigger }
  | ({
      readonly type: "ended"
      readonly connection: string
      readonly why: RunState.Trigger
      readonly millis: number
    } & Done)
  | {
      readonly type: "failed"
      readonly connection: string
      readonly why: RunState.Trigger
      readonly millis: number
      readonly message: string
      readonly failures: number
    }
  /** Its plan needs no approval any more: what was waiting or approved is dropped. */
  | { readonly type: "approval dropped"; readonly connection: string; readonly message: string }
  | { readonly type: "waits"; readonly connection: string; readonly message: string }

export interface SchedulerOptions {
  /** Connections that are worked on side by side. */
  readonly atOnce: number
  /** Those of the configuration as it is now. */
  readonly connections: Effect.Effect<ReadonlyArray<Connection>>
  readonly work: (connection: Connection, why: RunState.Trigger) => Effect.Effect<Done, Failure>
  /**
   * No other configuration uses this state file: what it keeps about connections that this one does not name is dropped.
   */
  readonly sole?: boolean
  /** Connections of one family are never worked on side by side; each is its own unless said. */
  readonly family?: (connection: Connection) => string
  readonly onEvent?: (event: RunEvent) => Effect.Effect<void>
}

export interface Daemon {
  /** Goes on until it is interrupted, or the state file cannot be used any more. */
  readonly run: Effect.Effect<never, StateError, Scope.Scope>
  /** Looks at once at what is due: a webhook arrived, a plan was approved, the configuration changed. */
  readonly wake: Effect.Effect<void>
  /** Runs a connection now. */
  readonly ask: (connection: string) => Effect.Effect<void>
  /** Those that run. */
  readonly busy: () => ReadonlyArray<string>
}

/** How often old deliveries are forgotten. */
const TIDIES_MS = 3_600_000

const LASTING: ReadonlyArray<StateError["kind"]> = ["foreign", "newer", "damaged", "other service", "replaced"]

const isFatal = (error: unknown): boolean => error instanceof StateError && LASTING.includes(error.kind)

class Scheduler {
  readonly #db: Database["Service"]
  readonly #options: SchedulerOptions
  readonly #permits: Semaphore.Semaphore
  /** Something to look at. */
  readonly #stirs: Queue.Queue<void>
  readonly #fatal: Deferred.Deferred<never, StateError>
  /** By family, the connection that runs or waits for a permit. */
  readonly #busy = new Map<string, string>()
  readonly #asked = new Set<string>()
  /** By family, how many runs one after the other could not even be written down. */
  readonly #unwritten = new Map<string, number>()
  #tidied = 0

  constructor(
    db: Database["Service"],
    options: SchedulerOptions,
    permits: Semaphore.Semaphore,
    stirs: Queue.Queue<void>,
    fatal: Deferred.Deferred<never, StateError>
  ) {
    this.#db = db
    this.#options = options
    this.#permits = permits
    this.#stirs = stirs
    this.#fatal = fatal
  }

  daemon(): Daemon {
    return {
      run: Effect.raceFirst(this.#loop(), Deferred.await(this.#fatal)),
      wake: this.#wake(),
      ask: (connection) =>
        Effect.suspend(() => {
          this.#asked.add(connection)
          return this.#wake()
        }),
      busy: () => [...this.#busy.values()]
    }
  }

  #wake(): Effect.Effect<void> {
    return Effect.asVoid(Queue.offer(this.#stirs, undefined))
  }

  #publish(event: RunEvent): Effect.Effect<void> {
    return this.#options.onEvent?.(event) ?? Effect.void
  }

  #familyOf(connection: Connection): string {
    return this.#options.family?.(connection) ?? connection.id
  }

  #loop(): Effect.Effect<never, StateError, Scope.Scope> {
    const scheduler = this
    return Effect.gen(function* () {
      const fibers = yield* FiberSet.make()
      for (;;) {
        const all = yield* scheduler.#options.connections
        const now = yield* Clock.currentTimeMillis
        const { drops, start, wakes } = yield* scheduler.#look(all, now)
        for (const drop of drops) yield* scheduler.#publish(drop)
        for (const [connection, trigger] of start)
          yield* FiberSet.run(fibers, scheduler.#permitted(connection, trigger))
        yield* Effect.raceFirst(Queue.take(scheduler.#stirs), Effect.sleep(Math.max(wakes - now, 50)))
      }
    })
  }

  /** Whose run is due now; those count as busy from here on. */
  #look(
    all: ReadonlyArray<Connection>,
    now: number
  ): Effect.Effect<DueRuns & { readonly drops: ReadonlyArray<RunEvent> }, StateError> {
    const db = this.#db
    return db
      .transaction(() => {
        db.verify()
        const drops = dropped(db, all, this.#options.sole === true)
        const family = (connection: Connection) => this.#familyOf(connection)
        const found = due(db, all, { now, asked: this.#asked, busy: [...this.#busy.keys()], family })
        if (Math.abs(now - this.#tidied) > TIDIES_MS) WebhookQueue.forget(db, now)
        return { ...found, drops }
      })
      .pipe(
        Effect.tap(({ start }) =>
          Effect.sync(() => {
            for (const [connection] of start) {
              this.#busy.set(this.#familyOf(connection), connection.id)
              this.#asked.delete(connection.id)
            }
            if (Math.abs(now - this.#tidied) > TIDIES_MS) this.#tidied = now
          })
        ),
        // Another process writes, or the disk is full: that passes, or each run says so.
        Effect.catch((error) =>
          isFatal(error) ? Effect.fail(error) : Effect.succeed({ drops: [], start: [], wakes: now + 1000 })
        )
      )
  }

  /** A run with its permit and the lock of the state file. */
  #permitted(connection: Connection, trigger: RunState.Trigger): Effect.Effect<void> {
    const family = this.#familyOf(connection)
    const onWait = ({ message }: StateError) => this.#publish({ type: "waits", connection: connection.id, message })
    return this.#permits
      .withPermits(1)(this.#db.hold(this.#run(connection, trigger), { onWait }))
      .pipe(
        Effect.tap(() => Effect.sync(() => this.#unwritten.delete(family))),
        Effect.catch((error: StateError) =>
          isFatal(error) ? Deferred.fail(this.#fatal, error) : this.#notWritten(connection, trigger, error)
        ),
        Effect.ensuring(
          Effect.suspend(() => {
            this.#busy.delete(family)
            return this.#wake()
          })
        ),
        Effect.asVoid
      )
  }

  #run(connection: Connection, trigger: RunState.Trigger): Effect.Effect<void, StateError> {
    const scheduler = this
    const db = this.#db
    const { id } = connection
    return Effect.gen(function* () {
      const began = yield* Clock.currentTimeMillis
      yield* db.transaction(() => RunState.begin(db, connection, began))
      yield* scheduler.#publish({ type: "began", connection: id, why: trigger })
      const exit = yield* Effect.exit(scheduler.#options.work(connection, trigger))
      if (Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)) return yield* Effect.interrupt
      const now = yield* Clock.currentTimeMillis
      const millis = now - began
      if (Exit.isSuccess(exit)) {
        yield* db.transaction(() => RunState.end(db, id, { failed: false, ...exit.value }, now))
        return yield* scheduler.#publish({ type: "ended", connection: id, why: trigger, millis, ...exit.value })
      }
      const error: unknown = Cause.squash(exit.cause)
      const message = error instanceof Error ? error.message : String(error)
      yield* db.transaction(() => RunState.end(db, id, { failed: true, outcome: "failed", message }, now))
      // Nothing is tried again: whoever runs the daemon says it, once.
      if (isFatal(error)) return void (yield* Deferred.fail(scheduler.#fatal, error as StateError))
      const failures = RunState.all(db).get(id)?.failures ?? 1
      yield* scheduler.#publish({ type: "failed", connection: id, why: trigger, millis, message, failures })
    })
  }

  /** A run whose beginning or end could not be written: nothing in the file says how long to leave it alone. */
  #notWritten(connection: Connection, trigger: RunState.Trigger, { message }: StateError): Effect.Effect<void> {
    return Effect.suspend(() => {
      const family = this.#familyOf(connection)
      const failures = (this.#unwritten.get(family) ?? 0) + 1
      this.#unwritten.set(family, failures)
      const event: RunEvent = { type: "failed", connection: connection.id, why: trigger, millis: 0, message, failures }
      return Effect.andThen(this.#publish(event), Effect.sleep(Schedule.backoff(failures)))
    })
  }
}

/** Plans of connections that no longer ask for approval: nobody will send them as approved. */
const dropped = (db: Database["Service"], all: ReadonlyArray<Connection>, sole: boolean): ReadonlyArray<RunEvent> => {
  const own = new Map(all.map((connection) => [connection.id, connection]))
  return Approvals.list(db).flatMap(({ connection, decision, why }) => {
    const configured = own.get(connection)
    const asks = configured === undefined ? !sole : configured.approve === true || why !== null
    if (asks) return []
    Approvals.clear(db, connection)
    const message = `it no longer asks for approval; the plan that ${decision === null ? "was waiting" : `was ${decision}`} is dropped`
    return [{ type: "approval dropped", connection, message } as const]
  })
}

export const make = (options: SchedulerOptions): Effect.Effect<Daemon, never, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const permits = yield* Semaphore.make(options.atOnce)
    const stirs = yield* Queue.sliding<void>(1)
    const fatal = yield* Deferred.make<never, StateError>()
    return new Scheduler(db, options, permits, stirs, fatal).daemon()
  })
