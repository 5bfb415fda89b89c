/**
 * What a connector gets of the program around it: the configuration's folder, the environment, and for connectors that
 * authorise with tokens a vault beside the state file, where `daybook connect` keeps other secrets as well.
 */
import { Effect } from "effect"
import { existsSync } from "node:fs"
import * as OAuth from "../../connectors/OAuth.ts"
import { Misconfigured, SourceError, type ConnectorContext } from "../../connectors/Connector.ts"
import type { Connection } from "../model/Connection.ts"
import { fromEnvironment, olderFromEnvironment, type SealKey } from "../vault/Encryption.ts"
import * as Vault from "../vault/Vault.ts"

/** Where the configuration is. */
export interface Place {
  /** Paths in the configuration are relative to this folder. */
  readonly folder: string
  /** Where secrets are read from. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

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

/** When the authorisation of a connection ends, in milliseconds since the epoch; undefined where nobody says. */
export const authorisedUntil = (
  { environment }: Pick<Place, "environment">,
  connection: Connection,
  state: string
): Effect.Effect<number | undefined> =>
  Effect.gen(function* () {
    if (connection.connector.capabilities.authorises !== "oauth2" || !existsSync(vaultFile(state))) return undefined
    const found = yield* seals({ environment }, connection)
    const held = found === undefined ? undefined : yield* tokens(found, connection, state).read
    return held === undefined ? undefined : OAuth.authorisedUntil(held)
    // A vault that cannot be opened is said where the source is read.
  }).pipe(Effect.orElseSucceed(() => undefined))

/** @param state the state file */
export const of = (
  { environment, folder }: Place,
  connection: Connection,
  state: string
): Effect.Effect<ConnectorContext, SourceError> =>
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
