/** `daybook daemon --tenants FOLDER`: reads the options and the folder, and starts the daemon. */
import { Duration, Effect, Layer, Option } from "effect"
import { existsSync, statSync } from "node:fs"
import { hostname } from "node:os"
import { resolve } from "node:path"
import { packageFile } from "../../sync/library/Beside.ts"
import { HandOver } from "../../sync/library/ConnectorRegistry.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import type { ClusterOptions } from "../../sync/library/many/NodeEndpoint.ts"
import { tenantsFile } from "../../sync/library/many/TenantsFile.ts"
import { parseShard } from "../../sync/tenants/Shard.ts"
import * as Log from "../daemon/Log.ts"
import { clusterProblem, NO_SHARD } from "./ClusterUrl.ts"

/** As they were written. */
export interface ClusterFlags {
  readonly url: string
  readonly node: string | undefined
  readonly lease: string | undefined
  readonly page: string | undefined
}

/** A lease that is shorter is over before it can be renewed. Milliseconds. */
const SHORTEST_LEASE_MS = 1500
const LEASE_MS = 10_000

export const clusterOf = ({ lease, node, page, url }: ClusterFlags): Effect.Effect<ClusterOptions, UsageError> =>
  Effect.suspend(() => {
    const wrong = clusterProblem(url)
    if (wrong !== undefined) return Effect.fail(new UsageError({ why: wrong }))
    const name = node ?? `${hostname()}-${process.pid}`
    if (!/^[\w.-]{1,100}$/.test(name))
      return Effect.fail(new UsageError({ why: `--node ${name}: use letters, digits, ".", "-" and "_"` }))
    const origin = page === undefined ? undefined : URL.parse(page)
    if (origin === null || (origin !== undefined && !/^https?:$/.test(origin.protocol)))
      return Effect.fail(new UsageError({ why: `--page ${page}: write an address like https://node-1.example.com` }))
    const written =
      lease === undefined ? Option.some(Duration.millis(LEASE_MS)) : Duration.fromInput(lease as Duration.Input)
    const leaseMs = Option.isSome(written) ? Duration.toMillis(written.value) : Number.NaN
    return leaseMs >= SHORTEST_LEASE_MS && Number.isFinite(leaseMs)
      ? Effect.succeed({ url, node: { name, leaseMs }, page: origin?.origin })
      : Effect.fail(
          new UsageError({ why: `--lease ${lease}: write a duration of 2 seconds or more, like "10 seconds"` })
        )
  })

export interface RunTenantsOptions {
  readonly folder: string
  /** As written on the command line. */
  readonly shard: string | undefined
  readonly cluster: ClusterFlags | undefined
  readonly listen: Option.Option<{ readonly host: string; readonly port: number }>
  readonly log: Option.Option<"text" | "json">
  readonly quiet: boolean
  readonly debug: boolean
}

export const runTenants = ({
  cluster: flags,
  debug,
  listen,
  log,
  quiet,
  shard: written,
  ...options
}: RunTenantsOptions) =>
  Effect.gen(function* () {
    const folder = resolve(options.folder)
    if (!existsSync(folder) || !statSync(folder).isDirectory())
      return yield* new UsageError({
        why: `--tenants ${options.folder}: this is not a folder; make it, and a folder in it for each tenant`
      })
    const shard = written === undefined ? undefined : parseShard(written)
    if (written !== undefined && shard === undefined)
      return yield* new UsageError({ why: `--shard ${written}: write which of how many, like 3/16` })
    if (shard !== undefined && flags !== undefined) return yield* new UsageError({ why: NO_SHARD })
    const cluster = flags === undefined ? undefined : yield* clusterOf(flags)
    // A tenant may use a third-party connector at any time, which the bundled command cannot load.
    const library = packageFile("lib/cli/main.js")
    if (library !== undefined) return yield* Effect.die(new HandOver(library))
    const configuration = yield* tenantsFile(folder)
    // The daemon with its page takes longer to load than other commands of tenants take to run.
    const { tenantsMain } = yield* Effect.promise(() => import("./TenantsMain.ts"))
    const Telemetry = yield* Effect.promise(() => import("../daemon/Telemetry.ts"))
    const { host, port } = Option.getOrElse(listen, () => configuration.daemon)
    const form = Option.getOrElse(log, () => configuration.daemon.log)
    return yield* tenantsMain({ folder, shard, cluster, configuration, host, port, quiet }).pipe(
      Effect.scoped,
      Effect.provide(Layer.provideMerge(Telemetry.layer(configuration), Log.layer(form, debug)))
    )
  })
