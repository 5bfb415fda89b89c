/**
 * Reads what the operator of a folder of tenants has written in `daybook.tenants.json`, which no tenant can write: also what
 * the JSON configurations of tenants may reach.
 */
import { Duration, Effect, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { variables } from "../../../connectors/Secrets.ts"
import { leadsHere } from "../../../core/Reach.ts"
import { AlertSettings } from "../../model/AlertSettings.ts"
import type { Bounds } from "../../model/Bounds.ts"
import { problems } from "../config/ConfigProblems.ts"
import { ConfigError } from "../config/Configuration.ts"
import { DaemonFile } from "../config/DaemonSettings.ts"
import * as Hidden from "../Hidden.ts"
import * as JsonText from "../config/JsonText.ts"

const NAME = "daybook.tenants.json"

const DurationText = Schema.String.check(
  Schema.makeFilter((text: string) => Duration.fromInput(text as Duration.Input)._tag === "Some", {
    message: 'write a duration like "10 seconds"'
  })
)

const Pinned = Schema.Struct({
  name: Schema.NonEmptyString,
  module: Schema.optionalKey(Schema.NonEmptyString),
  version: Schema.optionalKey(Schema.NonEmptyString),
  digest: Schema.String.check(
    Schema.isPattern(/^(sha256[-:])?[0-9a-fA-F]{64}$/u, {
      message: "write the SHA-256 of the module's file in hexadecimal, as sha256sum prints it"
    })
  )
})

const TenantsReach = Schema.Struct({
  /** Folders, besides each tenant's own, whose files any tenant may read; relative to this file's folder. */
  folders: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** Connectors, besides those of this program, that tenants may name. */
  connectors: Schema.optionalKey(Schema.Array(Pinned)),
  /**
   * Which variables of the daemon's environment tenants may use, each with the one place where it may be sent: an address
   * for the service or a source, a connector's name, a mail server. Default: those that the daemon does not need itself, to the
   * vendors of connectors that have one address.
   */
  variables: Schema.optionalKey(Schema.Record(Schema.String, Schema.NonEmptyString))
})

const FileSchema = Schema.Struct({
  daemon: Schema.optionalKey(DaemonFile),
  /** What the tenants' JSON configurations may reach. */
  tenants: Schema.optionalKey(TenantsReach),
  max_open: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 100_000 }, { message: "write how many, at least 2" }))
  ),
  /** Who is told of tenants that no node runs. */
  alerts: Schema.optionalKey(Schema.Struct({ channels: AlertSettings.fields.channels })),
  spread: Schema.optionalKey(DurationText),
  idle: Schema.optionalKey(DurationText)
})

const decodeFile = Schema.decodeUnknownResult(FileSchema, { errors: "all", onExcessProperty: "error" })

/** The file's contents; as if it were empty if there is none. */
export const operatorsSettings = (folder: string) =>
  Effect.gen(function* () {
    const file = join(folder, NAME)
    const value = yield* Effect.try({
      try: () => (existsSync(file) ? JsonText.parse(readFileSync(file, "utf8")) : {}),
      catch: (cause) => new ConfigError({ file, problems: [`it cannot be read: ${(cause as Error).message}`] })
    })
    Hidden.learn(file, value, process.env)
    const decoded = decodeFile(value)
    if (decoded._tag === "Failure") return yield* new ConfigError({ file, problems: problems(decoded.failure.issue) })
    return { file, ...decoded.success }
  })

export const operatorsFile = (folder: string): string => join(folder, NAME)

/** Whether nothing says that others than this machine reach the daemon. */
const isTriedOut = ({ connect, hosts = [], listen, proxies = [] }: typeof DaemonFile.Type = {}): boolean =>
  connect === undefined &&
  hosts.length + proxies.length === 0 &&
  (listen === undefined || leadsHere(`http://${listen}`))

/**
 * What the JSON configurations of a folder's tenants may reach.
 *
 * @param own the variables in a tenant's own file
 */
export const boundsOf = (folder: string, own: Bounds["own"]): Effect.Effect<Bounds, ConfigError> =>
  Effect.map(operatorsSettings(folder), ({ alerts, daemon, tenants = {} }) => ({
    file: NAME,
    home: folder,
    folders: (tenants.folders ?? []).map((one) => resolve(folder, one)),
    connectors: tenants.connectors ?? [],
    privateAddresses: daemon?.private_addresses ?? false,
    isTriedOut: isTriedOut(daemon),
    own,
    daemon: new Set(variables({ alerts, daemon })),
    ...(tenants.variables === undefined ? {} : { variables: tenants.variables })
  }))
