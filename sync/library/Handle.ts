/** Defines what every part of a handle needs: configuration, state file, services for its work, and the target of events. */
import { Clock, Effect, type Layer, Redacted } from "effect"
import type { Client } from "../../core/Client.ts"
import { type Connection, isCalled, nameOf } from "../model/Connection.ts"
import type { Person } from "../model/Person.ts"
import type { Database, StateError, Db } from "../state/Database.ts"
import type { Choice, Event } from "./Api.ts"
import { ConfigError, type Configuration } from "./config/Configuration.ts"
import { clientWith, type outside } from "./ServiceClient.ts"
import { unknownConnection } from "./UnknownConnection.ts"
import { given } from "../../core/Entry.ts"

export type Needs = Database | Client | Layer.Success<typeof outside>

export interface HandleContext {
  readonly configuration: Configuration
  readonly db: Db
  /** Provides the services that work needs. */
  readonly given: <A, E>(work: Effect.Effect<A, E, Needs>) => Effect.Effect<A, E>
  /**
   * The same with the service's current key, which may have changed since the handle was opened: the account that is asked is
   * that key's.
   */
  readonly withKey: <A, E>(
    work: (key: Redacted.Redacted) => Effect.Effect<A, E, Needs>
  ) => Effect.Effect<A, E | ConfigError>
  readonly publish: (event: Event) => Effect.Effect<void>
  /** Has a connection run, now that somebody decided something about it; nothing where no schedule runs. */
  readonly wake: (connection: string) => Effect.Effect<void>
  /** Who signed in, or has the token; absent where names are only given. */
  readonly person?: Person
  /** Whether alerts are sent after a sync: not while a schedule that runs does so. */
  readonly sendsAlerts?: () => boolean
}

/** The named connections of the configuration, or all of them. */
export const chosen = (
  { connections, file }: Configuration,
  { connections: ids }: Choice = {}
): Effect.Effect<ReadonlyArray<Connection>, ConfigError> => {
  if (ids === undefined) return Effect.succeed(connections)
  const unknown = ids.filter((id) => !connections.some((one) => isCalled(id, one)))
  return unknown.length === 0
    ? Effect.succeed(connections.filter((one) => ids.some((id) => isCalled(id, one))))
    : Effect.fail(
        new ConfigError({
          file,
          problems: unknown.map((id) => unknownConnection(id, connections.map(nameOf)))
        })
      )
}

/** The connection with this name. */
export const chosenOne = (configuration: Configuration, id: string): Effect.Effect<Connection, ConfigError> =>
  Effect.map(chosen(configuration, { connections: [id] }), ([connection]) => given(connection, id))

export const make = (
  configuration: Configuration,
  db: Db,
  publish: HandleContext["publish"]
): Effect.Effect<HandleContext, never, Needs> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Needs>()
    const { service } = configuration
    const opened = yield* Effect.option(service.key)
    const isOpened = (key: Redacted.Redacted) =>
      opened._tag === "Some" && Redacted.value(opened.value) === Redacted.value(key)
    const given: HandleContext["given"] = (work) => Effect.provide(work, context)
    const withKey: HandleContext["withKey"] = (work) =>
      Effect.flatMap(service.key, (key) =>
        given(isOpened(key) ? work(key) : Effect.provide(work(key), clientWith(configuration, key)))
      )
    return { configuration, db, given, withKey, publish, wake: () => Effect.void }
  })

/** Writes in a transaction; `work` gets the current time. */
export const writing = <A>({ db }: HandleContext, work: (now: number) => A): Effect.Effect<A, StateError> =>
  Effect.flatMap(Clock.currentTimeMillis, (millis) => db.transaction(() => work(millis)))
