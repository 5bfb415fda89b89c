/**
 * What a connector gets of the program around it: the configuration's folder, the environment, and for connectors that
 * authorise with tokens a vault beside the state file, where `daybook connect` keeps other
 * secrets as well. And one connection read with it: what changed, then the sweep.
 */
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { Misconfigured, type Requirements, SourceError, type Surroundings } from "../../connectors/Connector.ts"
import { Budget } from "../../connectors/Http.ts"
import type { Taken } from "../books/DocumentStore.ts"
import * as SourceBindings from "../plan/SourceBindings.ts"
import * as RequestQuota from "../pull/RequestQuota.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError } from "../state/Database.ts"
import * as Matching from "../matching/Run.ts"
import { pull } from "../pull/Pull.ts"
import { fromEnvironment, olderFromEnvironment, type SealKey } from "../vault/Encryption.ts"
import { sweep } from "../pull/Sweep.ts"
import * as Vault from "../vault/Vault.ts"
import type { Configuration } from "./config/Configuration.ts"

type Place = Pick<Configuration, "environment" | "folder">

/** Where the secrets of a state file are: beside it, sealed. */
const vaultFile = (state: string): string => (state === ":memory:" ? state : `${state}.vault`)

/** What secrets are sealed with now, and what some still were sealed with before. */
export interface Seals {
  readonly key: SealKey
  readonly older?: SealKey
}

/** Undefined where the environment names no key. */
export const seals = (
  { environment }: Pick<Place, "environment">,
  { connector, id }: Connection
): Effect.Effect<Seals | undefined, SourceError> =>
  Effect.try({
    try: () => {
      const key = fromEnvironment(environment)
      const older = olderFromEnvironment(environment)
      return key === undefined ? undefined : { key, ...(older === undefined ? {} : { older }) }
    },
    catch: (cause) =>
      new SourceError({
        connector: connector.name,
        connection: id,
        reason: new Misconfigured({
          what: "the key that its secrets are sealed with cannot be used",
          hint: cause instanceof Error ? cause.message : String(cause)
        })
      })
  })

/** Tokens of a connection, which change by themselves. */
export const tokens = (seals: Seals, { connector, id }: Connection, state: string): Vault.Keeping =>
  Vault.make({ ...seals, file: vaultFile(state), home: Vault.identityOf(state), name: id, connector: connector.name })

/** Values of variables that were given once (`daybook connect`) in place of the environment's, as JSON. */
export const secrets = (seals: Seals, { connector, id }: Connection, state: string): Vault.Keeping =>
  Vault.make({
    ...seals,
    file: vaultFile(state),
    home: Vault.identityOf(state),
    name: `${id}#secrets`,
    connector: connector.name
  })

/** What the environment says counts before what was kept. */
export const withSecrets = (
  environment: Place["environment"],
  kept: string | undefined
): Readonly<Record<string, string | undefined>> => ({
  ...(kept === undefined ? {} : (JSON.parse(kept) as Readonly<Record<string, string>>)),
  ...Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""))
})

/** @param state the state file */
export const of = (
  { environment, folder }: Place,
  connection: Connection,
  state: string
): Effect.Effect<Surroundings, SourceError> =>
  Effect.gen(function* () {
    const rotates = connection.connector.capabilities.authorises === "oauth2"
    if (!rotates && !existsSync(vaultFile(state))) return { folder, environment }
    const found = yield* seals({ environment }, connection)
    if (found === undefined) return { folder, environment }
    const kept = existsSync(vaultFile(state)) ? yield* secrets(found, connection, state).read : undefined
    return {
      folder,
      environment: withSecrets(environment, kept),
      ...(rotates ? { vault: tokens(found, connection, state) } : {})
    }
  })

/** Invoices that one pull reads again by id, unless the connection says otherwise. */
const SWEEP = 100

/** Reads one connection: what its bookmark shows to be new, then the next invoices of the sweep. */
export const read = (
  configuration: Pick<Configuration, "connections" | "environment" | "folder">,
  connection: Connection,
  onProgress?: (taken: Taken) => Effect.Effect<void>
): Effect.Effect<Taken, StateError | SourceError, Database | Requirements> =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* db.transaction(() => {
      SourceBindings.bind(
        db,
        connection,
        configuration.connections.map(({ id }) => id)
      )
      Matching.adopt(db, connection)
    })
    const options = {
      ...(yield* of(configuration, connection, db.file)),
      ...(onProgress === undefined ? {} : { onProgress })
    }
    const reading = Effect.gen(function* () {
      const pulled = yield* pull(connection, options)
      const swept = yield* sweep(connection, { ...options, budget: connection.sweep ?? SWEEP })
      return { pulled, swept }
    })
    const ended = yield* Effect.exit(Effect.provideService(reading, Budget, RequestQuota.of(db, connection)))
    // Also what a pull read that stopped halfway.
    if (Matching.roleOf(connection) !== undefined) yield* Matching.run
    const { pulled, swept } = yield* ended
    return {
      read: pulled.read + swept.read,
      added: pulled.added + swept.added,
      changed: pulled.changed + swept.changed,
      vanished: pulled.vanished + swept.vanished,
      setAside: pulled.setAside + swept.setAside
    }
  })
