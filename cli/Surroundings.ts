/**
 * What a connector gets of the program around it: the configuration's folder, the environment, and for connectors that
 * authorise with tokens a vault beside the state file. And one connection read with it: what changed, then the sweep.
 */
import { Effect } from "effect"
import { Misconfigured, type Requirements, SourceError, type Surroundings } from "../connectors/Connector.ts"
import { Budget } from "../connectors/Http.ts"
import type { Taken } from "../sync/Books.ts"
import * as Requests from "../sync/Budget.ts"
import type { Connection } from "../sync/Connection.ts"
import { Database, type StateError } from "../sync/Database.ts"
import * as Match from "../sync/Match.ts"
import { pull } from "../sync/Pull.ts"
import { fromEnvironment } from "../sync/Seal.ts"
import { sweep } from "../sync/Sweep.ts"
import * as Vault from "../sync/Vault.ts"
import type { Configuration } from "./Configuration.ts"

/** @param state the state file */
export const of = (
  { environment, folder }: Pick<Configuration, "environment" | "folder">,
  { connector, id }: Connection,
  state: string
): Effect.Effect<Surroundings, SourceError> =>
  connector.capabilities.authorises !== "oauth2"
    ? Effect.succeed({ folder, environment })
    : Effect.try({
        try: () => {
          const key = fromEnvironment(environment)
          const file = state === ":memory:" ? state : `${state}.vault`
          return key === undefined
            ? { folder, environment }
            : { folder, environment, vault: Vault.make({ file, key, name: id, connector: connector.name }) }
        },
        catch: (cause) =>
          new SourceError({
            connector: connector.name,
            connection: id,
            reason: new Misconfigured({
              what: "the key that its tokens are sealed with cannot be used",
              hint: cause instanceof Error ? cause.message : String(cause)
            })
          })
      })

/** Invoices that one pull reads again by id, unless the connection says otherwise. */
const SWEEP = 100

/** Reads one connection: what its bookmark shows to be new, then the next invoices of the sweep. */
export const read = (
  configuration: Pick<Configuration, "environment" | "folder">,
  connection: Connection,
  onProgress?: (taken: Taken) => Effect.Effect<void>
): Effect.Effect<Taken, StateError | SourceError, Database | Requirements> =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* db.transaction(() => Match.adopt(db, connection))
    const options = {
      ...(yield* of(configuration, connection, db.file)),
      ...(onProgress === undefined ? {} : { onProgress })
    }
    const reading = Effect.gen(function* () {
      const pulled = yield* pull(connection, options)
      const swept = yield* sweep(connection, { ...options, budget: connection.sweep ?? SWEEP })
      return { pulled, swept }
    })
    const ended = yield* Effect.exit(Effect.provideService(reading, Budget, Requests.of(db, connection)))
    // Also what a pull read that stopped halfway.
    if (Match.roleOf(connection) !== undefined) yield* Match.run
    const { pulled, swept } = yield* ended
    return {
      read: pulled.read + swept.read,
      added: pulled.added + swept.added,
      changed: pulled.changed + swept.changed,
      vanished: pulled.vanished + swept.vanished,
      setAside: pulled.setAside + swept.setAside
    }
  })
