/** `daybook daemon --tenants FOLDER`: reads the options and the folder, and starts the daemon. */
import { Effect, Layer, Option } from "effect"
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { packageFile } from "../../sync/library/Beside.ts"
import { HandOver } from "../../sync/library/ConnectorRegistry.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import { tenantsFile } from "../../sync/library/many/TenantsFile.ts"
import { parseShard } from "../../sync/tenants/Shard.ts"
import * as Log from "../daemon/Log.ts"

export interface RunTenantsOptions {
  readonly folder: string
  /** As written on the command line. */
  readonly shard: string | undefined
  readonly listen: Option.Option<{ readonly host: string; readonly port: number }>
  readonly log: Option.Option<"text" | "json">
  readonly quiet: boolean
  readonly debug: boolean
}

export const runTenants = ({ debug, listen, log, quiet, shard: written, ...options }: RunTenantsOptions) =>
  Effect.gen(function* () {
    const folder = resolve(options.folder)
    if (!existsSync(folder) || !statSync(folder).isDirectory())
      return yield* new UsageError({
        why: `--tenants ${options.folder}: this is not a folder; make it, and a folder in it for each tenant`
      })
    const shard = written === undefined ? undefined : parseShard(written)
    if (written !== undefined && shard === undefined)
      return yield* new UsageError({ why: `--shard ${written}: write which of how many, like 3/16` })
    // A tenant may use a third-party connector at any time, which the bundled command cannot load.
    const library = packageFile("lib/cli/main.js")
    if (library !== undefined) return yield* Effect.die(new HandOver(library))
    const configuration = yield* tenantsFile(folder)
    // The daemon with its page takes longer to load than other commands of tenants take to run.
    const { tenantsMain } = yield* Effect.promise(() => import("./TenantsMain.ts"))
    const Telemetry = yield* Effect.promise(() => import("../daemon/Telemetry.ts"))
    const { host, port } = Option.getOrElse(listen, () => configuration.daemon)
    const form = Option.getOrElse(log, () => configuration.daemon.log)
    return yield* tenantsMain({ folder, shard, configuration, host, port, quiet }).pipe(
      Effect.scoped,
      Effect.provide(Layer.provideMerge(Telemetry.layer(configuration), Log.layer(form, debug)))
    )
  })
