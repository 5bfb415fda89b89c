/**
 * The daemon's loop: gives each connection its turn when it is due, some of them side by side and none twice at once,
 * neither in this process nor in another. A connection that fails is left alone for a while and stops no other.
 *
 * Stopped, it interrupts what goes on, which leaves nothing half done: a turn that was cut off is the first thing that
 * the next start does. What a turn consists of is not known here.
 */
import { Cause, Clock, Deferred, Effect, Exit, FiberSet, Queue, type Scope, Semaphore } from "effect"
import * as Approvals from "../plan/Approvals.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, StateError } from "../state/Database.ts"
import * as Hints from "../pull/WebhookQueue.ts"
import * as Turns from "./RunState.ts"

export type { Why } from "./RunState.ts"

/** How a turn went that did not fail. */
export interface Done {
  readonly outcome: string
  readonly message: string
}

/** Any error with a message for people; a `StateError` that no retry mends ends the daemon. */
export type Failure = Error

export type Event =
  | { readonly type: "began"; readonly connection: string; readonly why: Turns.Why }
  | ({ readonly type: "ended"; readonly connection: string; readonly why: Turns.Why; readonly millis: number } & Done)
  | {
      readonly type: "failed"
      readonly connection: string
      readonly why: Turns.Why
      readonly millis: number
      readonly message: string
      readonly failures: number
    }
  | { readonly type: "waits"; readonly connection: string; readonly message: string }

export interface Options {
  /** Connections that are worked on side by side. */
  readonly atOnce: number
  /** Those of the configuration as it is now. */
  readonly connections: Effect.Effect<ReadonlyArray<Connection>>
  readonly work: (connection: Connection, why: Turns.Why) => Effect.Effect<Done, Failure>
  /** Connections of one family are never worked on side by side; each is its own unless said. */
  readonly family?: (connection: Connection) => string
  readonly onEvent?: (event: Event) => Effect.Effect<void>
}

export interface Daemon {
  /** Goes on until it is interrupted, or the state file cannot be used any more. */
  readonly run: Effect.Effect<never, StateError, Scope.Scope>
  /** Looks at once at what is due: a hint came, a plan was approved, the configuration changed. */
  readonly wake: Effect.Effect<void>
  /** Gives a connection its turn now. */
  readonly ask: (connection: string) => Effect.Effect<void>
  /** Those that have their turn. */
  readonly busy: () => ReadonlyArray<string>
}

/** Hints gather for a moment, so that the copies of a flood cost nothing. Milliseconds. */
const GATHERS = 400
/** It looks at least this often, because clocks are set and other processes write. */
const LOOKS = 30_000
/** How often old deliveries are forgotten. */
const TIDIES = 3_600_000

const LASTING: ReadonlyArray<StateError["kind"]> = ["foreign", "newer", "damaged", "other service"]

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
    let tidied = 0

    const turn = (connection: Connection, why: Turns.Why) =>
      Effect.gen(function* () {
        const began = yield* Clock.currentTimeMillis
        yield* db.transaction(() => Turns.begin(db, connection, began))
        yield* onEvent({ type: "began", connection: connection.id, why })
        const exit = yield* Effect.exit(work(connection, why))
        if (Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)) return yield* Effect.interrupt
        const now = yield* Clock.currentTimeMillis
        const millis = now - began
        if (Exit.isSuccess(exit)) {
          yield* db.transaction(() => Turns.end(db, connection.id, { failed: false, ...exit.value }, now))
          return yield* onEvent({ type: "ended", connection: connection.id, why, millis, ...exit.value })
        }
        const error: unknown = Cause.squash(exit.cause)
        const message = error instanceof Error ? error.message : String(error)
        yield* db.transaction(() => Turns.end(db, connection.id, { failed: true, outcome: "failed", message }, now))
        const failures = Turns.all(db).get(connection.id)?.failures ?? 1
        yield* onEvent({ type: "failed", connection: connection.id, why, millis, message, failures })
        if (isFatal(error)) yield* Deferred.fail(fatal, error as StateError)
      })

    const given = (connection: Connection, why: Turns.Why) =>
      permits
        .withPermits(1)(
          db.hold(turn(connection, why), {
            onWait: ({ message }) => onEvent({ type: "waits", connection: connection.id, message })
          })
        )
        .pipe(
          // The state file itself could not be written; the next look tries again, a while later.
          Effect.catch((error: StateError) =>
            isFatal(error)
              ? Deferred.fail(fatal, error)
              : Effect.andThen(
                  onEvent({
                    type: "failed",
                    connection: connection.id,
                    why,
                    millis: 0,
                    message: error.message,
                    failures: 1
                  }),
                  Effect.sleep(LOOKS)
                )
          ),
          Effect.ensuring(
            Effect.suspend(() => {
              busy.delete(family(connection))
              return wake
            })
          )
        )

    /** Whose turn it is now, and when to look again. */
    const look = (all: ReadonlyArray<Connection>, now: number) => {
      const turns = Turns.all(db)
      const hinted = Hints.since(db)
      const approved = new Set(Approvals.approved(db))
      const start: Array<readonly [Connection, Turns.Why]> = []
      let wakes = now + LOOKS
      for (const connection of all) {
        const { every, id } = connection
        if (busy.has(family(connection))) continue
        const turn = Turns.settle(db, turns.get(id), connection, now)
        const came = hinted.get(id)
        const gathered = came !== undefined && (came > now || now - came >= GATHERS)
        const why = asked.has(id)
          ? "asked"
          : approved.has(id)
            ? "approved"
            : (Turns.ready(turn, every, now) ?? (gathered && Turns.rested(turn, now) ? "hints" : undefined))
        if (why !== undefined) {
          busy.set(family(connection), id)
          asked.delete(id)
          start.push([connection, why])
          continue
        }
        if (came !== undefined && Turns.rested(turn, now)) wakes = Math.min(wakes, came + GATHERS)
        wakes = Math.min(wakes, Turns.next(turn, every, now))
      }
      if (Math.abs(now - tidied) > TIDIES) {
        Hints.forget(db, now)
        tidied = now
      }
      return { start, wakes }
    }

    const run = Effect.gen(function* () {
      const fibers = yield* FiberSet.make()
      const loop = Effect.gen(function* () {
        for (;;) {
          const all = yield* connections
          const now = yield* Clock.currentTimeMillis
          const { start, wakes } = yield* db
            .transaction(() => look(all, now))
            .pipe(
              // Another process writes, or the disk is full: that passes, or each turn says so.
              Effect.catch((error) =>
                isFatal(error) ? Effect.fail(error) : Effect.succeed({ start: [], wakes: now + 1000 })
              )
            )
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
