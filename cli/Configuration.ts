/**
 * What a configuration says: which service, which connections. As TypeScript (`daybook.config.ts`) or as the same
 * thing in JSON. Decoding names every mistake at once, with its place and what to write there.
 */
import { Duration, Effect, Redacted, Result, Schema } from "effect"
import { connectors } from "../connectors/index.ts"
import { addressProblem } from "../core/Client.ts"
import type { Scheme } from "../core/wire/Auth.ts"
import { type Connection, Planning } from "../sync/Connection.ts"
import { Schedule } from "../sync/Schedule.ts"
import { DaemonFile, type DaemonSettings, daemonOf, Secret } from "./DaemonSettings.ts"
import { problems } from "./ConfigProblems.ts"
import { nearest } from "../core/Nearest.ts"

/** The configuration cannot be used. `problems` are whole sentences, each with its place. */
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
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/, {
    message: 'use letters, digits, "-" and "_" only: it becomes part of every document\'s key'
  })
)

const ConnectionFile = Schema.Struct({
  id: Id,
  source: Schema.StructWithRest(Schema.Struct({ connector: Schema.String }), [
    Schema.Record(Schema.String, Schema.Unknown)
  ]),
  /** Open or insured invoices to read again by id in one pull, where the source allows it; 100 unless given. */
  sweep: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 0, maximum: 100_000 }, { message: "write how many invoices, like 100; 0 for none" })
    )
  ),
  /** When the daemon reads it: `"15 minutes"`, or `{ cron: "0 6 * * 1-5", zone: "Europe/Paris" }`. */
  every: Schema.optionalKey(Schedule),
  /** The daemon shows its plan and sends it only once a person has approved it. */
  approve: Schema.optionalKey(Schema.Boolean),
  /** What the source signs its webhooks with, for sources that have them. */
  webhook: Schema.optionalKey(Schema.Struct({ secret: Secret })),
  ...Planning.fields
})

const File = Schema.Struct({
  service: Service,
  connections: Schema.Array(ConnectionFile),
  daemon: Schema.optionalKey(DaemonFile)
})

/** What `defineConfig` takes and a JSON configuration holds. */
export type Config = typeof File.Encoded

/** A secret that is read from an environment variable, never from the file. */
export const env = (name: string): { readonly env: string } => ({ env: name })

/** Checks a configuration in the editor, and gives it back. */
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
  /** Reads the key from the environment, when it is needed. */
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
}

const decodeFile = Schema.decodeUnknownResult(File, { errors: "all", onExcessProperty: "error" })

type Source = typeof ConnectionFile.fields.source.Type

const readSource = (
  { connector: name, ...settings }: Source,
  index: number
): Result.Result<Pick<Connection, "connector" | "settings">, ReadonlyArray<string>> => {
  const connector = connectors.find((one) => one.name === name)
  if (connector === undefined) {
    const known = connectors.map((one) => one.name)
    const meant = nearest(name, known)
    return Result.fail([
      `connections[${index}].source.connector: there is no connector ${JSON.stringify(name)}; ${
        meant === undefined ? "" : `did you mean "${meant}"? `
      }there are: ${known.join(", ")}`
    ])
  }
  return Schema.decodeUnknownResult(connector.settings, { errors: "all", onExcessProperty: "error" })(settings).pipe(
    Result.map((settings) => ({ connector, settings })),
    Result.mapError(({ issue }) => problems(issue, ["connections", index, "source"]))
  )
}

const isSource = Schema.is(ConnectionFile.fields.source)

/** What is wrong with the sources of a configuration that has other mistakes, too. */
const ofSources = (value: unknown): ReadonlyArray<string> => {
  const { connections } = (value ?? {}) as { readonly connections?: unknown }
  if (!Array.isArray(connections)) return []
  return connections.flatMap((one: { readonly source?: unknown } | null, index) => {
    const source = one?.source
    return isSource(source)
      ? Result.match(readSource(source, index), { onSuccess: () => [], onFailure: (all) => all })
      : []
  })
}

/**
 * @param value what the file holds
 * @param environment where secrets are read from
 */
export const decode = (
  value: unknown,
  {
    environment,
    file,
    folder
  }: {
    readonly file: string
    readonly folder: string
    readonly environment: Readonly<Record<string, string | undefined>>
  }
): Result.Result<Configuration, ConfigError> => {
  const fail = (problems: ReadonlyArray<string>) => Result.fail(new ConfigError({ file, problems }))
  const decoded = decodeFile(value)
  if (Result.isFailure(decoded)) return fail([...problems(decoded.failure.issue), ...ofSources(value)])
  const { connections: written, daemon, service } = decoded.success
  if (written.length === 0) return fail(["connections: there is none; add one with an id, a source and an owner"])

  const found: Array<string> = []
  const connections: Array<Connection> = []
  for (const [index, { approve, every, id, source, sweep, webhook, ...planning }] of written.entries()) {
    if (written.findIndex((other) => other.id === id) < index)
      found.push(`connections[${index}].id: ${id} is used twice`)
    const read = readSource(source, index)
    if (Result.isFailure(read)) found.push(...read.failure)
    else {
      const { connector } = read.success
      if (webhook !== undefined && connector.webhook === undefined)
        found.push(`connections[${index}].webhook: ${connector.name} has no webhooks that Daybook knows; leave it out`)
      const rest = { ...(sweep === undefined ? {} : { sweep }), ...(every === undefined ? {} : { every }) }
      const asked = { ...(approve === undefined ? {} : { approve }), ...(webhook === undefined ? {} : { webhook }) }
      connections.push({ id, ...read.success, planning, ...rest, ...asked })
    }
  }
  if (found.length > 0) return fail(found)

  const { env: variable } = service.key
  return Result.succeed({
    file,
    folder,
    environment,
    connections,
    daemon: daemonOf(daemon),
    service: {
      url: service.url.replace(/\/+$/, ""),
      scheme: service.scheme ?? "token",
      timeout: Duration.fromInputUnsafe((service.timeout ?? "30 seconds") as Duration.Input),
      settleAfter: Duration.toMillis(Duration.fromInputUnsafe((service.settle_after ?? "5 seconds") as Duration.Input)),
      concurrency: service.concurrency ?? 16,
      keyVariable: variable,
      key: Effect.suspend(() => {
        const text = environment[variable]
        return text === undefined || text === ""
          ? Effect.fail(
              new ConfigError({
                file,
                problems: [
                  `service.key: the environment variable ${variable} is not set; set it to the key of the service`
                ]
              })
            )
          : Effect.succeed(Redacted.make(text, { label: "service key" }))
      })
    }
  })
}
