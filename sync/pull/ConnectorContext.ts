/**
 * Provides connectors with their environment: the configuration's folder, environment variables, and for connectors that
 * authorise with tokens a vault beside the state file. `daybook connect` stores other secrets there as well.
 */
import { Context, Effect } from "effect"
import { existsSync } from "node:fs"
import * as OAuth from "../../connectors/OAuth.ts"
import { Misconfigured, SourceError, type ConnectorContext } from "../../connectors/Connector.ts"
import { reachProblem } from "../../core/Reach.ts"
import { onInternet } from "../../core/wire/Undici.ts"
import type { Bounds } from "../model/Bounds.ts"
import type { Connection } from "../model/Connection.ts"
import { addressesIn } from "./BoundedAddresses.ts"
import { fromEnvironment, olderFromEnvironment, type SealKey } from "../vault/Encryption.ts"
import * as Vault from "../vault/Vault.ts"

/** The location of the configuration. */
export interface Place {
  /** Paths in the configuration are relative to this folder. */
  readonly folder: string
  /** The variables that secrets are read from. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** If set, what the configuration may reach. */
  readonly bounds?: Bounds
  /** The state file beside which the vault is; default: the one that is open. */
  readonly vaultOf?: string
}

/** The encrypted vault of a state file, beside it. */
const vaultFile = (state: string): string => (state === ":memory:" ? state : `${state}.vault`)

export const hasVault = (state: string): boolean => existsSync(vaultFile(state))

/** The current encryption key, and the previous one that some secrets may still be encrypted with. */
export interface Seals {
  readonly key: SealKey
  readonly older?: SealKey
}

/** Undefined if the environment has no key. */
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

/** A connection's tokens, which change by themselves. */
export const tokens = (seals: Seals, { connector, id }: Connection, state: string): Vault.Keeping =>
  Vault.make({ ...seals, file: vaultFile(state), home: Vault.identityOf(state), name: id, connector: connector.name })

/** Values of variables that were entered once (`daybook connect`) instead of set in the environment, as JSON. */
export const secrets = (seals: Seals, { connector, id }: Connection, state: string): Vault.Keeping =>
  Vault.make({
    ...seals,
    file: vaultFile(state),
    home: Vault.identityOf(state),
    name: `${id}#secrets`,
    connector: connector.name
  })

/** The environment takes precedence over stored secrets. */
export const withSecrets = (
  environment: Place["environment"],
  kept: string | undefined
): Readonly<Record<string, string | undefined>> => ({
  ...(kept === undefined ? {} : (JSON.parse(kept) as Readonly<Record<string, string>>)),
  ...Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""))
})

/** When a connection's authorisation ends, in milliseconds since the epoch; undefined if unknown. */
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
    // If the vault cannot be opened, reading the source reports it.
  }).pipe(Effect.orElseSucceed(() => undefined))

/** Addresses in the settings lead to the internet. Names are looked up here, where the source is about to be read. */
const reaches = ({ bounds }: Place, { connector, id, settings }: Connection): Effect.Effect<void, SourceError> =>
  Effect.gen(function* () {
    if (bounds === undefined || bounds.privateAddresses) return
    for (const { text, where } of addressesIn(settings, bounds.own)) {
      const problem = yield* Effect.promise(() => reachProblem(text, ""))
      if (problem !== undefined)
        return yield* new SourceError({
          connector: connector.name,
          connection: id,
          reason: new Misconfigured({
            what: `${where}: ${problem}`,
            hint: `the operator can allow addresses of this network, as daemon.private_addresses in ${bounds.file}`
          })
        })
    }
  })

/** Where a connector's requests may lead. */
export const reachOf = ({ entered }: ConnectorContext): Context.Context<never> =>
  entered === "internet" ? onInternet : Context.empty()

/** @param state the state file */
export const of = (place: Place, connection: Connection, open: string): Effect.Effect<ConnectorContext, SourceError> =>
  Effect.gen(function* () {
    const state = place.vaultOf ?? open
    yield* reaches(place, connection)
    const { bounds, environment } = place
    const own = bounds === undefined ? {} : { folders: [place.folder, ...bounds.folders] }
    const entered = bounds === undefined ? connection.entered : bounds.privateAddresses ? "anywhere" : "internet"
    const folder = { folder: place.folder, ...own, ...(entered === undefined ? {} : { entered }) }
    const rotates = connection.connector.capabilities.authorises === "oauth2"
    if (!rotates && !existsSync(vaultFile(state))) return { ...folder, environment }
    const found = yield* seals({ environment }, connection)
    if (found === undefined) return { ...folder, environment }
    const kept = existsSync(vaultFile(state)) ? yield* secrets(found, connection, state).read : undefined
    return {
      ...folder,
      environment: withSecrets(environment, kept),
      ...(rotates ? { vault: tokens(found, connection, state) } : {})
    }
  })
