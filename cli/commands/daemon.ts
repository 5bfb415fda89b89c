/**
 * `daybook daemon`: runs on the schedules of the configuration, takes webhooks, serves the page, health checks and metrics.
 */
import { Effect, Layer, Option } from "effect"
import { Command } from "effect/cli"
import { address, isAddress } from "../../sync/library/config/DaemonSettings.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"

/** Of a daemon of earlier versions, which shared a folder of tenants with others. */
const NODE = {
  cluster: Flags.former("cluster"),
  node: Flags.former("node"),
  lease: Flags.former("lease"),
  page: Flags.former("page")
}

export const daemon = Command.make(
  "daemon",
  {
    listen: Flags.text(
      "listen",
      "ADDRESS:PORT",
      "Address and port to listen on (default: the configuration's, or 127.0.0.1:4020)"
    ),
    log: Flags.oneOf("log", ["text", "json"], "Log format (default: the configuration's, or text)"),
    tenants: Flags.text(
      "tenants",
      "FOLDER",
      "Run every tenant that has a subfolder in this folder, instead of one configuration"
    ),
    shard: Flags.text("shard", "N/M", "With --tenants: only the Nth of M parts of them, by a hash of their names"),
    ...NODE
  },
  Effect.fn(function* ({ cluster, listen, log, shard, tenants }) {
    const out = yield* CommandContext.output
    const debug = yield* CommandContext.debug
    if (Option.isSome(cluster)) {
      const { noNodes } = yield* Effect.promise(() => import("../tenants/ClusterUrl.ts"))
      return yield* new UsageError({
        why: noNodes(
          Option.getOrElse(tenants, () => "tenants"),
          (folder) =>
            `daybook tenants work --database URL --files ${folder}, on each machine, with --listen ADDRESS:PORT for the page`
        )
      })
    }
    if (Option.isSome(listen) && !isAddress(listen.value))
      return yield* new UsageError({
        why: `--listen ${listen.value}: write an address and a port, like 127.0.0.1:4020`
      })
    if (Option.isSome(tenants)) {
      const { runTenants } = yield* Effect.promise(() => import("../tenants/RunTenants.ts"))
      return yield* runTenants({
        folder: tenants.value,
        shard: Option.getOrUndefined(shard),
        listen: Option.map(listen, address),
        log: out.json ? Option.some("json" as const) : log,
        quiet: out.quiet,
        debug
      })
    }
    if (Option.isSome(shard))
      return yield* new UsageError({ why: "--shard is for many tenants; name their folder with --tenants FOLDER" })
    const configuration = yield* CommandContext.configuration
    const state = Option.getOrElse(yield* CommandContext.stateFile, () => CommandContext.DEFAULT_STATE)
    const { daemon: settings } = configuration
    const form = out.json ? "json" : Option.getOrElse(log, () => settings.log)
    // Loaded lazily, so that other commands start without it.
    const [{ main }, Log, Telemetry, { page }, remote, connect] = yield* Effect.promise(() =>
      Promise.all([
        import("../daemon/Main.ts"),
        import("../daemon/Log.ts"),
        import("../daemon/Telemetry.ts"),
        import("../page/RouteModule.ts"),
        settings.api.length > 0 ? import("../remote/HttpRoutes.ts") : undefined,
        settings.connect === undefined ? undefined : import("../connect/ConnectRoutes.ts")
      ])
    )
    const place = Option.isSome(listen) ? address(listen.value) : settings
    return yield* main({
      configuration,
      state,
      host: place.host,
      port: place.port,
      quiet: out.quiet,
      modules: [
        page,
        ...(remote === undefined ? [] : [remote.httpInterface]),
        ...(connect === undefined ? [] : [connect.connectRoutes])
      ]
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(Telemetry.layer(configuration), Log.layer(form, debug))))
  })
).pipe(
  CommandContext.help(
    "Run on the schedules of the configuration (every), receive webhooks, serve the page for operators, and report its health: /healthz, /readyz, /metrics. A connection that fails is tried again later and does not stop the others. The configuration is read again when it changes. When stopped, it exits with 0, or with 3 if something needs attention.",
    "Run on schedules, receive webhooks, serve the page",
    "daybook daemon # Run until stopped",
    "daybook daemon --log json --listen 127.0.0.1:8080 # Under a supervisor",
    "daybook daemon --tenants tenants # Every tenant that has a folder in tenants/",
    "daybook daemon --tenants tenants --shard 3/16 # The third of sixteen parts of them"
  )
)
