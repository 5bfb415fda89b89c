/**
 * Decodes a configuration: the service and the connections. It is TypeScript (`daybook.config.ts`) or JSON with the same
 * contents. Decoding reports all mistakes at once, each with its place and what to write there.
 */
import { Duration, Effect, Redacted, Result, Schema } from "effect"
import { notSet } from "../../../connectors/Secrets.ts"
import { addressProblem } from "../../../core/Address.ts"
import type { Scheme } from "../../../core/wire/Auth.ts"
import { AlertSettings } from "../../model/AlertSettings.ts"
import { type Connection, Owner, Planning } from "../../model/Connection.ts"
import { Approve, approveOf } from "./Approve.ts"
import { Match, paysOf } from "./Match.ts"
import { Schedule } from "../../model/Schedule.ts"
import { DaemonFile, type DaemonSettings, daemonOf, Secret } from "./DaemonSettings.ts"
import type { Bounds } from "../../model/Bounds.ts"
import { alertProblems } from "./AlertProblems.ts"
import { boundsProblems } from "./BoundsProblems.ts"
import { problems } from "./ConfigProblems.ts"
import { handoverProblems, paperProblems, shipProblems } from "./HandoverProblems.ts"
import { unknownConnection } from "../UnknownConnection.ts"
import * as ConnectorRegistry from "../ConnectorRegistry.ts"

/** The configuration cannot be used. `problems` are complete sentences, each with its place. */
export class ConfigError extends Schema.TaggedError<ConfigError>()("ConfigError", {
  file: Schema.String,
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    const [first, ...rest] = this.problems
    if (rest.length === 0) return `${this.file}: ${first}`
    return `${this.file}:\n${this.problems.map((problem) => `  - ${problem}`).join("\n")}`
  }
}

const DurationText = Schema.String.check(
  Schema.makeFilter((text: string) => Duration.fromInput(text as Duration.Input)._tag === "Some", {
    message: 'write a duration like "30 seconds"'
  })
)

const Service = Schema.Struct({
  url: Schema.String.check(Schema.makeFilter((url: string) => addressProblem(url) ?? true)),
  key: Secret,
  scheme: Schema.optionalKey(Schema.Literals(["token", "basic"])),
  timeout: Schema.optionalKey(DurationText),
  settle_after: Schema.optionalKey(DurationText),
  concurrency: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 64 })))
})

const Id = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/u, {
    message: 'use letters, digits, "-" and "_" only: it becomes part of every document\'s key'
  })
)

export const isId = Schema.is(Id)

const ConnectionFile = Schema.Struct({
  id: Id,
  source: Schema.StructWithRest(Schema.Struct({ connector: Schema.String }), [
    Schema.Record(Schema.String, Schema.Unknown)
  ]),
  /** How many open or insured invoices one pull reads again by id, if the source allows it; default 100. */
  sweep: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 0, maximum: 100_000 }, { message: "write how many invoices, like 100; 0 for none" })
    )
  ),
  /** When the daemon runs it: `"15 minutes"`, or `{ cron: "0 6 * * 1-5", zone: "Europe/Paris" }`. */
  every: Schema.optionalKey(Schedule),
  /** The daemon sends a plan only once a person has approved it; another than who caused it. */
  approve: Schema.optionalKey(Approve),
  /** `"send"`: the first sync goes ahead. Otherwise it shows its totals and waits for a person. */
  first_sync: Schema.optionalKey(Schema.Literals(["send", "ask"])),
  /** The secret with which the source signs its webhooks, for sources that have them. */
  webhook: Schema.optionalKey(Schema.Struct({ secret: Secret })),
  /** The daily request cap, lower than the source's own. */
  requests_per_day: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { message: "write how many requests, at least 1" }))
  ),
  /** The connection whose invoices the payments of this one are for. */
  pays: Schema.optionalKey(Id),
  match: Schema.optionalKey(Match),
  ...Planning.fields,
  owner: Schema.optionalKey(Owner)
})

/** The whole file. */
export const ConfigurationFile = Schema.Struct({
  /** The path of the JSON Schema, for editors. */
  $schema: Schema.optionalKey(Schema.String),
  service: Service,
  connections: Schema.Array(ConnectionFile),
  daemon: Schema.optionalKey(DaemonFile),
  /** Who is alerted about problems. */
  alerts: Schema.optionalKey(AlertSettings)
})

/** The argument of `defineConfig`, and the contents of a JSON configuration. */
export type Config = typeof ConfigurationFile.Encoded

/** A secret that is read from an environment variable, never from the file. */
export const env = (name: string): { readonly env: string } => ({ env: name })

/** Type-checks a configuration in the editor, and returns it. */
export const defineConfig = (config: Config): Config => config

export interface ServiceSettings {
  readonly url: string
  readonly scheme: Scheme
  readonly timeout: Duration.Duration
  /** Milliseconds, see `ApplyOptions.settleAfter`. */
  readonly settleAfter: number
  readonly concurrency: number
  /** The environment variable that holds the key. */
  readonly keyVariable: string
  /** Reads the key from the environment when needed. */
  readonly key: Effect.Effect<Redacted.Redacted, ConfigError>
}

export interface Configuration {
  /** The file's name, for messages. */
  readonly file: string
  /** Paths in it are relative to this folder. */
  readonly folder: string
  /** Where secrets are read from. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly service: ServiceSettings
  readonly connections: ReadonlyArray<Connection>
  readonly daemon: DaemonSettings
  /** Not set: nobody is alerted. */
  readonly alerts?: AlertSettings
  /** What it may reach; not set for an operator's own. */
  readonly bounds?: Bounds
}

const decodeFile = Schema.decodeUnknownResult(ConfigurationFile, { errors: "all", onExcessProperty: "error" })

type Source = typeof ConnectionFile.fields.source.Type

const readSource = (
  { connector: name, ...settings }: Source,
  index: number,
  connectors: ConnectorRegistry.Loaded
): Result.Result<Pick<Connection, "connector" | "settings">, ReadonlyArray<string>> => {
  const connector = connectors.get(name) ?? ConnectorRegistry.unknown(name)
  if (typeof connector === "string") return Result.fail([`connections[${index}].source.connector: ${connector}`])
  return Schema.decodeUnknownResult(connector.settings, { errors: "all", onExcessProperty: "error" })(settings).pipe(
    Result.map((settings) => ({ connector, settings })),
    Result.mapError(({ issue }) => problems(issue, ["connections", index, "source"]))
  )
}

/** Problems with who pays for whom, and with other settings of a connection. */
const ofPaying = (written: ReadonlyArray<typeof ConnectionFile.Type>): ReadonlyArray<string> =>
  written.flatMap(
    ({ cover, creditor, first_sync, guards, id, match, orders, owner, pays, report_paid, scope }, index) => {
      const at = `connections[${index}]`
      if (pays === undefined) {
        return [
          ...(owner === undefined ? [`${at}.owner: is missing`] : []),
          ...(match === undefined
            ? []
            : [`${at}.match: applies only to a connection that "pays" for another; remove it`])
        ]
      }
      const others = { cover, creditor, first_sync, guards, orders, owner, report_paid, scope }
      const unfit = Object.entries(others).flatMap(([name, value]) =>
        value === undefined
          ? []
          : [`${at}.${name}: its payments are for the invoices of ${pays}; write it there and leave it out here`]
      )
      const target = written.find((other) => other.id === pays)
      if (target === undefined) {
        const known = written.filter((other) => other.pays === undefined).map((other) => other.id)
        return [...unfit, `${at}.pays: ${unknownConnection(pays, known)}`]
      }
      if (target.id === id)
        return [...unfit, `${at}.pays: a connection cannot pay for itself; remove it, or name another connection`]
      if (target.pays !== undefined) {
        return [
          ...unfit,
          `${at}.pays: ${pays} has no invoices to pay, it pays for ${target.pays} itself; name the connection that has the invoices`
        ]
      }
      return unfit
    }
  )

const isSource = Schema.is(ConnectionFile.fields.source)

/** Problems with the sources of a configuration that has other mistakes, too. */
const ofSources = (value: unknown, loaded: ConnectorRegistry.Loaded): ReadonlyArray<string> => {
  const { connections } = (value ?? {}) as { readonly connections?: unknown }
  if (!Array.isArray(connections)) return []
  return connections.flatMap((one: { readonly source?: unknown } | null, index) => {
    const source = one?.source
    return isSource(source)
      ? Result.match(readSource(source, index, loaded), { onSuccess: () => [], onFailure: (all) => all })
      : []
  })
}

/** The context in which a configuration is read. */
export interface ConfigContext {
  /** The file's name, for messages. */
  readonly file: string
  readonly folder: string
  /** Where secrets are read from. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** What it may reach; not set for an operator's own. */
  readonly bounds?: Bounds | undefined
}

/**
 * Loads the connectors that a configuration names, and decodes it.
 *
 * @param value the file's contents
 */
export const decode = (value: unknown, surroundings: ConfigContext): Effect.Effect<Configuration, ConfigError> =>
  Effect.gen(function* () {
    const { bounds, file, folder } = surroundings
    const connectors = yield* Effect.promise(() => ConnectorRegistry.load(value, folder, bounds))
    const decoded = yield* Effect.fromResult(decodeWith(value, { ...surroundings, connectors }))
    if (bounds === undefined) return decoded
    const problems = yield* Effect.promise(() => boundsProblems(value, folder, bounds))
    return problems.length > 0 ? yield* new ConfigError({ file, problems }) : { ...decoded, bounds }
  })

/** The same with connectors that are already loaded. */
export const decodeWith = (
  value: unknown,
  { connectors, environment, file, folder }: ConfigContext & { readonly connectors: ConnectorRegistry.Loaded }
): Result.Result<Configuration, ConfigError> => {
  const fail = (problems: ReadonlyArray<string>) => Result.fail(new ConfigError({ file, problems }))
  const decoded = decodeFile(value)
  if (Result.isFailure(decoded)) return fail([...problems(decoded.failure.issue), ...ofSources(value, connectors)])
  const { alerts, connections: written, daemon, service } = decoded.success
  // Where other people connect their own, or the page has a password, the first may still be to come.
  if (written.length === 0 && daemon?.connect === undefined && daemon?.page === undefined)
    return fail(["connections: the list is empty; add one with an id, a source and an owner"])

  const ids = written.map(({ id }) => id)
  const found: Array<string> = [
    ...ofPaying(written),
    ...handoverProblems(written, connectors),
    ...paperProblems(written, connectors),
    ...shipProblems(written, connectors),
    ...alertProblems(alerts, ids)
  ]
  const connections: Array<Connection> = []
  for (const [index, one] of written.entries()) {
    const { id, source, webhook } = one
    if (written.findIndex((other) => other.id === id) < index)
      found.push(`connections[${index}].id: ${id} is used twice`)
    const read = readSource(source, index, connectors)
    if (Result.isFailure(read)) {
      found.push(...read.failure)
      continue
    }
    const { connector } = read.success
    if (webhook !== undefined && connector.webhook === undefined)
      found.push(`connections[${index}].webhook: ${connector.name} sends no webhooks that Daybook supports; remove it`)
    connections.push(connectionOf(written, one, read.success))
  }
  if (found.length > 0) return fail(found)
  return Result.succeed({
    ...{ file, folder, environment, connections },
    daemon: daemonOf(daemon),
    ...(alerts === undefined ? {} : { alerts }),
    service: serviceOf(service, { environment, file })
  })
}

const connectionOf = (
  written: ReadonlyArray<typeof ConnectionFile.Type>,
  one: typeof ConnectionFile.Type,
  source: Pick<Connection, "connector" | "settings">
): Connection => {
  const {
    approve,
    every,
    first_sync,
    id,
    match,
    owner,
    pays,
    requests_per_day,
    source: _,
    sweep,
    webhook,
    ...rest
  } = one
  // A connection that pays for another is planned with it.
  const planning = { ...rest, owner: owner ?? written.find((other) => other.id === pays)?.owner }
  return {
    id,
    ...source,
    planning: planning as Planning,
    ...(sweep === undefined ? {} : { sweep }),
    ...(every === undefined ? {} : { every }),
    ...(approve === undefined ? {} : approveOf(approve)),
    ...(first_sync === "send" ? { firstSync: first_sync } : {}),
    ...(webhook === undefined ? {} : { webhook }),
    ...(requests_per_day === undefined ? {} : { requestsPerDay: requests_per_day }),
    ...(pays === undefined ? {} : { pays: paysOf(pays, match) }),
    ...(written.some((other) => other.pays === id) ? { paid: true } : {})
  }
}

const serviceOf = (
  { concurrency, key: { env: variable }, scheme, settle_after, timeout, url }: typeof Service.Type,
  { environment, file }: Pick<ConfigContext, "environment" | "file">
): ServiceSettings => ({
  url: url.replace(/(?<!\/)\/+$/, ""),
  scheme: scheme ?? "token",
  timeout: Duration.fromInputUnsafe((timeout ?? "30 seconds") as Duration.Input),
  settleAfter: Duration.toMillis(Duration.fromInputUnsafe((settle_after ?? "5 seconds") as Duration.Input)),
  concurrency: concurrency ?? 16,
  keyVariable: variable,
  key: Effect.suspend(() => {
    const text = environment[variable]
    return text === undefined || text === ""
      ? Effect.fail(
          new ConfigError({ file, problems: [`service.key: ${notSet(variable)}; set it to the key of the service`] })
        )
      : Effect.succeed(Redacted.make(text, { label: "service key" }))
  })
})
