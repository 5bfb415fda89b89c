/**
 * What a configuration says: which service, which connections. As TypeScript (`daybook.config.ts`) or as the same
 * thing in JSON. Decoding names every mistake at once, with its place and what to write there.
 */
import { Duration, Effect, Redacted, Result, Schema, SchemaIssue } from "effect"
import { connectors } from "../connectors/index.ts"
import { addressProblem } from "../core/Client.ts"
import type { Scheme } from "../core/wire/Auth.ts"
import { type Connection, Planning } from "../sync/Connection.ts"

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

const Secret = Schema.Struct({ env: Schema.NonEmptyString })

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
  ...Planning.fields
})

const File = Schema.Struct({ service: Service, connections: Schema.Array(ConnectionFile) })

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
  /** Reads the key from the environment, when it is needed. */
  readonly key: Effect.Effect<Redacted.Redacted, ConfigError>
}

export interface Configuration {
  /** The file's name, for messages. */
  readonly file: string
  /** Paths in it are relative to this folder. */
  readonly folder: string
  readonly service: ServiceSettings
  readonly connections: ReadonlyArray<Connection>
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** `connections[0].owner.organisation.registered` */
const place = (path: ReadonlyArray<unknown>): string =>
  path
    .map((part) => (typeof part === "object" && part !== null && "key" in part ? part.key : part))
    .reduce<string>(
      (text, part) =>
        typeof part === "number" ? `${text}[${part}]` : text === "" ? String(part) : `${text}.${String(part)}`,
      ""
    )

const problems = (error: Schema.SchemaError, prefix: ReadonlyArray<unknown> = []): ReadonlyArray<string> =>
  format(error.issue).issues.map(({ message, path = [] }) => `${place([...prefix, ...path])}: ${plain(message)}`)

const plain = (message: string): string =>
  message
    .replace(/^Missing key$/, "is missing")
    .replace(/^Unexpected key.*$/s, "is not a setting that is known here; check its spelling")

const decodeFile = Schema.decodeUnknownResult(File, { errors: "all", onExcessProperty: "error" })

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
  if (Result.isFailure(decoded)) return fail(problems(decoded.failure))
  const { connections: written, service } = decoded.success
  if (written.length === 0) return fail(["connections: there is none; add one with an id, a source and an owner"])

  const found: Array<string> = []
  const connections: Array<Connection> = []
  for (const [index, { id, source, ...planning }] of written.entries()) {
    if (written.findIndex((other) => other.id === id) < index)
      found.push(`connections[${index}].id: ${id} is used twice`)
    const { connector: name, ...settings } = source
    const connector = connectors.find((one) => one.name === name)
    if (connector === undefined) {
      const known = connectors.map((one) => one.name).join(", ")
      found.push(
        `connections[${index}].source.connector: there is no connector ${JSON.stringify(name)}; there are: ${known}`
      )
      continue
    }
    const read = Schema.decodeUnknownResult(connector.settings, { errors: "all", onExcessProperty: "error" })(settings)
    if (Result.isFailure(read)) found.push(...problems(read.failure, ["connections", index, "source"]))
    else connections.push({ id, connector, settings: read.success, planning })
  }
  if (found.length > 0) return fail(found)

  const { env: variable } = service.key
  return Result.succeed({
    file,
    folder,
    connections,
    service: {
      url: service.url.replace(/\/+$/, ""),
      scheme: service.scheme ?? "token",
      timeout: Duration.fromInputUnsafe((service.timeout ?? "30 seconds") as Duration.Input),
      settleAfter: Duration.toMillis(Duration.fromInputUnsafe((service.settle_after ?? "5 seconds") as Duration.Input)),
      concurrency: service.concurrency ?? 16,
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
