/** Takes one turn of a tenant: checks what is due in its state file, and runs one connection. */
import { Clock, Effect } from "effect"
import * as Matching from "../../matching/Run.ts"
import type { Connection } from "../../model/Connection.ts"
import { type LookedAt, lookAt } from "../../schedule/Look.ts"
import { recorded } from "../../schedule/RecordedRun.ts"
import type { RunEvent } from "../../schedule/RunEvents.ts"
import type { Trigger } from "../../schedule/RunState.ts"
import { Database, type StateError } from "../../state/Database.ts"
import type { TurnHandle } from "../../tenants/Loop.ts"
import { alone } from "../../decisions/ConnectionLocks.ts"
import * as Counters from "../Counters.ts"
import { runWith } from "../RunConnection.ts"
import type { OpenTenant } from "./OpenTenant.ts"
import { tellPeople } from "./TenantAlerts.ts"

/** Stands for every connection of a tenant. */
export const ALL = "*"

/** What is running and requested in one tenant. */
export interface Work {
  /** The running connection of each family. */
  readonly busy: Map<string, string>
  /** Ids of connections that somebody wants to run now, or `ALL`. */
  readonly asked: Set<string>
}

export interface TurnContext {
  readonly work: Work
  readonly publish: (event: RunEvent) => Effect.Effect<void>
  /** How long a run may take. Milliseconds. */
  readonly runMs: number | undefined
  /** Runs something short that blocks the thread. */
  readonly apart: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Sets when the tenant must be checked again, as far as is known now. */
  readonly again: (wakes: number) => void
}

/** @param most how many runs may start */
const looking = (open: OpenTenant, { apart, work }: TurnContext, most: number): Effect.Effect<LookedAt, StateError> =>
  Effect.suspend(() => {
    const { configuration, db } = open
    const { asked, busy } = work
    if (asked.delete(ALL)) for (const { id } of configuration.connections) asked.add(id)
    const tidies = !open.tidied
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      apart(
        lookAt(db, configuration.connections, {
          now,
          asked,
          busy: [...busy.keys()],
          family: Matching.family,
          most,
          looksMs: Number.POSITIVE_INFINITY,
          sole: true,
          tidies
        })
      )
    ).pipe(Effect.tap(() => Effect.sync(() => void (open.tidied = true))))
  })

const running = (
  { configuration, db, handle }: OpenTenant,
  connection: Connection,
  trigger: Trigger,
  turn: TurnHandle,
  { publish, runMs }: TurnContext
) =>
  recorded(db, connection, trigger, {
    publish,
    runMs,
    work: (connection, why) =>
      handle.withKey((key) =>
        alone(
          db,
          [connection],
          runWith(key, configuration, connection, why, (reading) =>
            Effect.suspend(() => {
              turn.asksSource()
              return Effect.ensuring(
                reading,
                Effect.sync(() => turn.sourceAnswered())
              )
            })
          )
        ).pipe(Effect.provideService(Database, db), Effect.provideService(Counters.PerConnection, false))
      )
  })

/** Fails if the state file cannot be used. */
export const takeTurn = (open: OpenTenant, turn: TurnHandle, context: TurnContext): Effect.Effect<void, StateError> =>
  Effect.gen(function* () {
    const { again, publish, work } = context
    const { drops, start, wakes } = yield* looking(open, context, 1)
    for (const drop of drops) yield* publish(drop)
    const [first] = start
    again(wakes)
    if (first === undefined) return
    const [connection, trigger] = first
    const family = Matching.family(connection)
    work.busy.set(family, connection.id)
    work.asked.delete(connection.id)
    yield* Effect.ensuring(
      running(open, connection, trigger, turn, context),
      Effect.sync(() => work.busy.delete(family))
    )
    yield* tellPeople(open, turn)
    again((yield* looking(open, context, 0)).wakes)
  })
