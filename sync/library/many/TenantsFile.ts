/**
 * Reads the settings that all tenants of a folder share: the optional `daybook.tenants.json` in it. Where the daemon listens,
 * how much it does at once, whose tokens are valid for every tenant.
 */
import { Duration, Effect, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { problems } from "../config/ConfigProblems.ts"
import { ConfigError } from "../config/Configuration.ts"
import { DaemonFile, type DaemonSettings, daemonOf } from "../config/DaemonSettings.ts"
import * as Hidden from "../Hidden.ts"
import * as JsonText from "../config/JsonText.ts"
import type { TenantsSettings } from "./ManyTenants.ts"

const NAME = "daybook.tenants.json"

const DurationText = Schema.String.check(
  Schema.makeFilter((text: string) => Duration.fromInput(text as Duration.Input)._tag === "Some", {
    message: 'write a duration like "10 seconds"'
  })
)

const FileSchema = Schema.Struct({
  daemon: Schema.optionalKey(DaemonFile),
  max_open: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 100_000 }, { message: "write how many, at least 2" }))
  ),
  spread: Schema.optionalKey(DurationText),
  idle: Schema.optionalKey(DurationText)
})

export interface TenantsConfiguration {
  /** The file's name, for messages. */
  readonly file: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly daemon: DaemonSettings
  readonly settings: TenantsSettings
}

const millis = (text: string): number => Duration.toMillis(Duration.fromInputUnsafe(text as Duration.Input))

const decodeFile = Schema.decodeUnknownResult(FileSchema, { errors: "all", onExcessProperty: "error" })

export const tenantsFile = (folder: string): Effect.Effect<TenantsConfiguration, ConfigError> =>
  Effect.gen(function* () {
    const file = join(folder, NAME)
    const value = yield* Effect.try({
      try: () => (existsSync(file) ? JsonText.parse(readFileSync(file, "utf8")) : {}),
      catch: (cause) => new ConfigError({ file, problems: [`it cannot be read: ${(cause as Error).message}`] })
    })
    Hidden.learn(value, process.env)
    const decoded = decodeFile(value)
    if (decoded._tag === "Failure") return yield* new ConfigError({ file, problems: problems(decoded.failure.issue) })
    const { daemon, idle, max_open, spread } = decoded.success
    return {
      file,
      environment: process.env,
      daemon: daemonOf(daemon),
      settings: {
        ...(daemon?.at_once === undefined ? {} : { atOnce: daemon.at_once }),
        runMs: daemonOf(daemon).runMs,
        ...(max_open === undefined ? {} : { maxOpen: max_open }),
        ...(spread === undefined ? {} : { spreadMs: millis(spread) }),
        ...(idle === undefined ? {} : { idleMs: millis(idle) })
      }
    }
  })
