/**
 * Reads the settings that all tenants of a folder share: the optional `daybook.tenants.json` in it. Where the daemon listens,
 * how much it does at once, whose tokens are valid for every tenant.
 */
import { Duration, Effect } from "effect"
import type { AlertSettings } from "../../model/AlertSettings.ts"
import type { ConfigError } from "../config/Configuration.ts"
import { type DaemonSettings, daemonOf } from "../config/DaemonSettings.ts"
import type { TenantsSettings } from "./ManyTenants.ts"
import { operatorsSettings } from "./OperatorsFile.ts"

export interface TenantsConfiguration {
  /** The file's name, for messages. */
  readonly file: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly daemon: DaemonSettings
  /** Who is told of tenants that no node runs; not set: nobody. */
  readonly alerts?: Pick<AlertSettings, "channels"> | undefined
  readonly settings: TenantsSettings
}

const millis = (text: string): number => Duration.toMillis(Duration.fromInputUnsafe(text as Duration.Input))

export const tenantsFile = (folder: string): Effect.Effect<TenantsConfiguration, ConfigError> =>
  Effect.gen(function* () {
    const { alerts, daemon, file, idle, max_open, spread } = yield* operatorsSettings(folder)
    return {
      file,
      environment: process.env,
      daemon: daemonOf(daemon),
      alerts,
      settings: {
        ...(daemon?.at_once === undefined ? {} : { atOnce: daemon.at_once }),
        runMs: daemonOf(daemon).runMs,
        ...(max_open === undefined ? {} : { maxOpen: max_open }),
        ...(spread === undefined ? {} : { spreadMs: millis(spread) }),
        ...(idle === undefined ? {} : { idleMs: millis(idle) })
      }
    }
  })
