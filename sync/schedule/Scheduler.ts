/**
 * Implements the daemon's loop: runs each connection when it is due, several at the same time, but never two runs of one
 * connection, neither in this process nor in another. After a failure, a connection pauses for a while; the others are not
 * affected. The pause applies to every trigger: a schedule, a webhook, an approved plan or a request.
 *
 * When stopped, it interrupts its runs, which leaves nothing half done: the next start repeats an interrupted run first. The
 * loop does not know what a run consists of.
 */
import { Clock, Deferred, Effect, FiberSet, Queue, type Scope } from "effect"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import * as Schedule from "../model/Schedule.ts"
import { type LookedAt, lookAt } from "./Look.ts"
import { recorded } from "./RecordedRun.ts"
import { type Done, type Failure, isFatal, type RunEvent } from "./RunEvents.ts"
import type * as RunState from "./RunState.ts"
import { type AroundReading, RunSlots } from "./RunSlots.ts"
import type { Progress } from "./Standstill.ts"

export type { Done, Failure, RunEvent } from "./RunEvents.ts"
export type { Trigger } from "./RunState.ts"

export interface SchedulerOptions {
  /** How many connections run at the same time, apart from those that wait for slow sources. */
  readonly atOnce: number
  /** Whether this process is so busy that sources are not what it waits for; default: never. */
  readonly isBusy?: () => boolean
  /** How long a run may take. Milliseconds. */
  readonly runMs?: number
  /** The currently configured connections. */
  readonly connections: Effect.Effect<ReadonlyArray<Connection>>
  /** @param around is to wrap the reading of the source */
  readonly work: (connection: Connection, why: RunState.Trigger, around: AroundReading) => Effect.Effect<Done, Failure>
  /**
   * No other configuration uses this state file, so what it stores about connections that are not configured is deleted.
   */
  readonly sole?: boolean
  /** Connections of one family never run at the same time; by default, each is a family of its own. */
  readonly family?: (connection: Connection) => string
  readonly onEvent?: (event: RunEvent) => Effect.Effect<void>
}

export interface Daemon {
  /** Continues until interrupted, or until the state file cannot be used any more. */
  readonly run: Effect.Effect<never, StateError>
  /** Checks at once what is due: a webhook arrived, a plan was approved, the configuration changed. */
  readonly wake: Effect.Effect<void>
  /** Runs a connection now. */
  readonly ask: (connection: string) => Effect.Effect<void>
  /** How long a run has waited for others, and since when none began or ended. Milliseconds. */
  readonly progress: (now: number) => Progress
  /** The connections that are running. */
  readonly busy: () => ReadonlyArray<string>
}

/** How often old deliveries are deleted. */
const TIDIES_MS = 3_600_000

class Scheduler {
  readonly #db: Db
  readonly #options: SchedulerOptions
  readonly #slots: RunSlots
  /** Signals that there is something to check. */
  readonly #stirs: Queue.Queue<void>
  readonly #fatal: Deferred.Deferred<never, StateError>
  /** By family, the connection that runs or waits for a slot. */
  readonly #busy = new Map<string, string>()
  readonly #asked = new Set<string>()
  /** By family, how many consecutive runs could not even be recorded. */
  readonly #unwritten = new Map<string, number>()
  #tidied = 0

  constructor(
    db: Db,
    options: SchedulerOptions,
    stirs: Queue.Queue<void>,
    fatal: Deferred.Deferred<never, StateError>
  ) {
    this.#db = db
    this.#options = options
    this.#slots = new RunSlots(options.atOnce, options.isBusy)
    this.#stirs = stirs
    this.#fatal = fatal
  }

  daemon(): Daemon {
    return {
      // In a scope of its own: its runs end before the state file is closed.
      run: Effect.scoped(Effect.raceFirst(this.#loop(), Deferred.await(this.#fatal))),
      wake: this.#wake(),
      ask: (connection) =>
        Effect.suspend(() => {
          this.#asked.add(connection)
          return this.#wake()
        }),
      progress: (now) => this.#slots.progress(now),
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

  /** Finds the runs that are due now, and marks them as busy. */
  #look(all: ReadonlyArray<Connection>, now: number): Effect.Effect<LookedAt, StateError> {
    const tidies = Math.abs(now - this.#tidied) > TIDIES_MS
    const family = (connection: Connection) => this.#familyOf(connection)
    const asked = { now, asked: this.#asked, busy: [...this.#busy.keys()], family }
    return lookAt(this.#db, all, { ...asked, sole: this.#options.sole === true, tidies }).pipe(
      Effect.tap(({ start }) =>
        Effect.sync(() => {
          for (const [connection] of start) {
            this.#busy.set(family(connection), connection.id)
            this.#asked.delete(connection.id)
          }
          if (tidies) this.#tidied = now
        })
      ),
      // Another process writes, or the disk is full: this is temporary, or each run reports it.
      Effect.catch((error) =>
        isFatal(error) ? Effect.fail(error) : Effect.succeed({ drops: [], start: [], wakes: now + 1000 })
      )
    )
  }

  /** Performs a run in a slot, with the lock of the state file. */
  #permitted(connection: Connection, trigger: RunState.Trigger): Effect.Effect<void> {
    const family = this.#familyOf(connection)
    const onWait = ({ message }: StateError) => this.#publish({ type: "waits", connection: connection.id, message })
    return this.#slots
      .within((around) => this.#db.hold(this.#run(connection, trigger, around), { onWait }))
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

  #run(connection: Connection, trigger: RunState.Trigger, around: AroundReading): Effect.Effect<void, StateError> {
    const { runMs, work } = this.#options
    return recorded(this.#db, connection, trigger, {
      work: (connection, why) => work(connection, why, around),
      publish: (event) => this.#publish(event),
      runMs
    })
  }

  /** Handles a run whose beginning or end could not be recorded: the file does not say how long to pause. */
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

export const make = (options: SchedulerOptions): Effect.Effect<Daemon, never, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const stirs = yield* Queue.sliding<void>(1)
    const fatal = yield* Deferred.make<never, StateError>()
    return new Scheduler(db, options, stirs, fatal).daemon()
  })
