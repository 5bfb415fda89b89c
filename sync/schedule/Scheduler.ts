/**
 * The daemon's loop: gives each connection its turn when it is due, some of them side by side and none twice at once,
 * neither in this process nor in another. A connection that fails is left alone for a while and stops no other; that
 * goes for every reason to give it a turn, be it a schedule, a webhook, an approved plan or somebody who asks.
 *
 * Stopped, it interrupts what goes on, which leaves nothing half done: a turn that was cut off is the first thing that
 * the next start does. What a turn consists of is not known here.
 */
import { Cause, Clock, Deferred, Effect, Exit, FiberSet, Queue, type Scope, Semaphore } from "effect"
import * as Approvals from "../plan/Approvals.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, StateError } from "../state/Database.ts"
import * as WebhookQueue from "../pull/WebhookQueue.ts"
import * as Schedule from "../model/Schedule.ts"
import * as RunState from "./RunState.ts"

export type { Trigger } from "./RunState.ts"

/** How a turn went that did not fail. */
export interface Done {
  readonly outcome: string
  readonly message: string
}

/** Any error with a message for people; a `StateError` that no retry mends ends the daemon. */
export type Failure = Error

export type Event =
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

export interface Options {
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
  readonly onEvent?: (event: Event) => Effect.Effect<void>
}

export interface Daemon {
  /** Goes on until it is interrupted, or the state file cannot be used any more. */
  readonly run: Effect.Effect<never, StateError, Scope.Scope>
  /** Looks at once at what is due: a webhook arrived, a plan was approved, the configuration changed. */
  readonly wake: Effect.Effect<void>
  /** Gives a connection its turn now. */
  readonly ask: (connection: string) => Effect.Effect<void>
  /** Those that have their turn. */
  readonly busy: () => ReadonlyArray<string>
}

/** Queue entries gather for a moment, so that many copies of a delivery cost one run. Milliseconds. */
const GATHERS_MS = 400
/** It looks at least this often, because clocks are set and other processes write. */
const LOOKS_MS = 30_000
/** How often old deliveries are forgotten. */
const TIDIES_MS = 3_600_000

const LASTING: ReadonlyArray<StateError["kind"]> = ["foreign", "newer", "damaged", "other service", "replaced"]

const isFatal = (error: unknown): boolean => error instanceof StateError && LASTING.includes(error.kind)

export const make = (options: Options): Effect.Effect<Daemon, never, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const { atOnce, connections, onEvent = () => Effect.void, work } = options
    const family = options.family ?? (({ id }: Connection) => id)
    const permits = yield* Semaphore.make(atOnce)
    const stirs = yield* Queue.sliding<void>(1)
    const wake = Effect.asVoid(Queue.offer(stirs, undefined))
    const fatal = yield* Deferred.make<never, StateError>()
    /** By family, the connection that has its turn or waits for a permit. */
    const busy = new Map<string, string>()
    const asked = new Set<string>()
    /** By family, how many turns in a row could not even be written down. */
    const unwritten = new Map<string, number>()
    let tidied = 0

    const turn = (connection: Connection, why: RunState.Trigger) =>
      Effect.gen(function* () {
        const began = yield* Clock.currentTimeMillis
        yield* db.transaction(() => RunState.begin(db, connection, began))
        yield* onEvent({ type: "began", connection: connection.id, why })
        const exit = yield* Effect.exit(work(connection, why))
        if (Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)) return yield* Effect.interrupt
        const now = yield* Clock.currentTimeMillis
        const millis = now - began
        if (Exit.isSuccess(exit)) {
          yield* db.transaction(() => RunState.end(db, connection.id, { failed: false, ...exit.value }, now))
          return yield* onEvent({ type: "ended", connection: connection.id, why, millis, ...exit.value })
        }
        const error: unknown = Cause.squash(exit.cause)
        const message = error instanceof Error ? error.message : String(error)
        yield* db.transaction(() => RunState.end(db, connection.id, { failed: true, outcome: "failed", message }, now))
        // Nothing is tried again: whoever runs the daemon says it, once.
        if (isFatal(error)) return yield* Deferred.fail(fatal, error as StateError)
        const failures = RunState.all(db).get(connection.id)?.failures ?? 1
        yield* onEvent({ type: "failed", connection: connection.id, why, millis, message, failures })
      })

    /** A turn whose beginning or end could not be written: nothing in the file says how long to leave it alone. */
    const notWritten = (connection: Connection, why: RunState.Trigger, { message }: StateError) =>
      Effect.gen(function* () {
        const failures = (unwritten.get(family(connection)) ?? 0) + 1
        unwritten.set(family(connection), failures)
        yield* onEvent({ type: "failed", connection: connection.id, why, millis: 0, message, failures })
        yield* Effect.sleep(Schedule.backoff(failures))
      })

    const given = (connection: Connection, why: RunState.Trigger) =>
      permits
        .withPermits(1)(
          db.hold(turn(connection, why), {
            onWait: ({ message }) => onEvent({ type: "waits", connection: connection.id, message })
          })
        )
        .pipe(
          Effect.tap(() => Effect.sync(() => unwritten.delete(family(connection)))),
          Effect.catch((error: StateError) =>
            isFatal(error) ? Deferred.fail(fatal, error) : notWritten(connection, why, error)
          ),
          Effect.ensuring(
            Effect.suspend(() => {
              busy.delete(family(connection))
              return wake
            })
          )
        )

    /** Plans of connections that no longer ask for approval: nobody will send them as approved. */
    const dropped = (all: ReadonlyArray<Connection>) => {
      const own = new Map(all.map((connection) => [connection.id, connection]))
      return Approvals.list(db).flatMap(({ connection, decision, why }) => {
        const asks = own.has(connection) ? own.get(connection)!.approve === true || why !== null : options.sole !== true
        if (asks) return []
        Approvals.clear(db, connection)
        const message = `it no longer asks for approval; the plan that ${decision === null ? "was waiting" : `was ${decision}`} is dropped`
        return [{ type: "approval dropped", connection, message } as const]
      })
    }

    /** Whose turn it is now, and when to look again. */
    const look = (all: ReadonlyArray<Connection>, now: number) => {
      const drops = dropped(all)
      const turns = RunState.all(db)
      const hinted = WebhookQueue.since(db)
      const approved = new Set(Approvals.approved(db))
      const start: Array<readonly [Connection, RunState.Trigger]> = []
      let wakes = now + LOOKS_MS
      for (const connection of all) {
        const { every, id } = connection
        if (busy.has(family(connection))) continue
        const turn = RunState.current(db, turns.get(id), connection, now)
        const came = hinted.get(id)
        const gathered = came !== undefined && (came > now || now - came >= GATHERS_MS)
        // One place for all of them: a reason that is not due by the schedule waits, too, while a failure is left alone.
        const pressing = asked.has(id) ? "asked" : approved.has(id) ? "approved" : undefined
        const soon = RunState.rested(turn, now)
        const why =
          (soon ? pressing : undefined) ??
          RunState.ready(turn, every, now) ??
          (gathered && soon ? "webhook" : undefined)
        if (why !== undefined) {
          busy.set(family(connection), id)
          asked.delete(id)
          start.push([connection, why])
          continue
        }
        if (came !== undefined && soon) wakes = Math.min(wakes, came + GATHERS_MS)
        wakes = Math.min(wakes, RunState.next(turn, every, now))
      }
      if (Math.abs(now - tidied) > TIDIES_MS) {
        WebhookQueue.forget(db, now)
        tidied = now
      }
      return { drops, start, wakes }
    }

    const run = Effect.gen(function* () {
      const fibers = yield* FiberSet.make()
      const loop = Effect.gen(function* () {
        for (;;) {
          const all = yield* connections
          const now = yield* Clock.currentTimeMillis
          const { drops, start, wakes } = yield* db
            .transaction(() => {
              db.verify()
              return look(all, now)
            })
            .pipe(
              // Another process writes, or the disk is full: that passes, or each turn says so.
              Effect.catch((error) =>
                isFatal(error) ? Effect.fail(error) : Effect.succeed({ drops: [], start: [], wakes: now + 1000 })
              )
            )
          for (const drop of drops) yield* onEvent(drop)
          for (const [connection, why] of start) yield* FiberSet.run(fibers, given(connection, why))
          yield* Effect.raceFirst(Queue.take(stirs), Effect.sleep(Math.max(wakes - now, 50)))
        }
      })
      return yield* Effect.raceFirst(loop, Deferred.await(fatal))
    })

    return {
      run: run as Effect.Effect<never, StateError, Scope.Scope>,
      wake,
      ask: (connection) =>
        Effect.andThen(
          Effect.sync(() => asked.add(connection)),
          wake
        ),
      busy: () => [...busy.values()]
    }
  })
