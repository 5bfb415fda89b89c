/** What the handlers of the HTTP interface share: the library on the daemon's state file, its errors as answers, pages. */
import { Effect, Layer } from "effect"
import { ConfigError, type Configuration } from "../../sync/library/config/Configuration.ts"
import * as CoverInvoice from "../../sync/library/CoverInvoice.ts"
import { messageOf, UsageError } from "../../sync/library/Exit.ts"
import * as Handle from "../../sync/library/Handle.ts"
import { asked } from "../../sync/library/Library.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { HERE, type Person } from "../../sync/model/Person.ts"
import { Database, type StateError, type Db } from "../../sync/state/Database.ts"
import type { DaemonServices } from "../daemon/Main.ts"
import { Caller, Conflict, NotFound, Unreachable } from "./Access.ts"

/** The library's methods that return one result. */
export type Library = ReturnType<typeof asked>

/**
 * Calls the library, with the configuration as it is now, while the state file is held for it. What somebody decides is carried
 * out by the run that follows at once.
 */
export const library = (
  { configuration, daemon }: Pick<DaemonServices, "configuration" | "daemon">,
  db: Db,
  person?: Person
) => {
  return <A, E>(
    work: (library: Library, now: Configuration, handle: Handle.HandleContext) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | ConfigError | StateError> =>
    Effect.flatMap(configuration, (now) =>
      Handle.make(now, db, () => Effect.void).pipe(
        Effect.flatMap((handle) =>
          db.hold(
            work(asked({ ...handle, wake: daemon.ask, ...(person === undefined ? {} : { person }) }), now, handle)
          )
        ),
        Effect.provide(Layer.merge(ServiceClient.client(now), ServiceClient.outside)),
        Effect.provideService(Database, db)
      )
    )
}

const isAsked = (error: unknown): error is UsageError | ConfigError =>
  error instanceof UsageError || error instanceof ConfigError

const answering =
  <Wrong>(wrong: (message: string) => Wrong) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, Wrong, R> =>
    Effect.catch(work, (error) => (isAsked(error) ? Effect.fail(wrong(error.message)) : Effect.die(error)))

/** Answers "not found" for something that does not exist. */
export const missing = answering((message) => new NotFound({ message }))

/** Answers "conflict" for a decision that cannot be made as things are. */
export const refused = answering((message) => new Conflict({ message }))

/** For work that calls a source or the service: if they fail, the answer is 502, and the daemon is not at fault. */
export const outside = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, NotFound | Unreachable, R> =>
  Effect.catch(work, (error): Effect.Effect<never, NotFound | Unreachable> => {
    if (isAsked(error)) return Effect.fail(new NotFound({ message: error.message }))
    const tag = (error as { readonly _tag?: unknown })._tag
    return tag === "StateError" ? Effect.die(error) : Effect.fail(new Unreachable({ message: messageOf(error) }))
  })

/** The connection with this name in the current configuration. */
export const connectionOf = ({ configuration }: Pick<DaemonServices, "configuration">, name: string) =>
  missing(Effect.flatMap(configuration, (now) => Handle.chosenOne(now, name)))

/** The connections that a request names, or all. */
export const chosenBy = (now: Configuration, connection: string | undefined) =>
  Handle.chosen(now, connection === undefined ? {} : { connections: [connection] })

/** The invoice with this number, id or key, and its connection. */
export const invoiceOf = (
  { configuration }: Pick<DaemonServices, "configuration">,
  db: Db,
  name: string
): Effect.Effect<CoverInvoice.CoverInvoice, NotFound> =>
  Effect.flatMap(configuration, (now) =>
    Effect.flatMap(Effect.orDie(db.read(() => CoverInvoice.find(db, now, name))), (found) =>
      "why" in found ? Effect.fail(new NotFound({ message: found.why })) : Effect.succeed(found)
    )
  )

/** The person who decides, with the token's name. Where the token is a person's, nobody else's name is taken. */
export const signed = (by: string): Effect.Effect<string, never, Caller> =>
  Effect.map(Caller, ({ issuer, name }) => (issuer === HERE ? name : `${by.trim()} (${name})`))
