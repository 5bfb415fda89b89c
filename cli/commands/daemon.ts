/** `daybook daemon`: runs on the schedules of the configuration, takes webhooks, tells how it is. */
import { Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { address, isAddress } from "../../sync/library/config/DaemonSettings.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import * as CommandContext from "../CommandContext.ts"

export const daemon = Command.make(
  "daemon",
  {
    listen: Flag.String("listen").pipe(
      Flag.withDescription("Address and port of its server (127.0.0.1:4020, unless the configuration says)"),
      Flag.withMetavar("ADDRESS:PORT"),
      Flag.optional
    ),
    log: Flag.Literals("log", ["text", "json"]).pipe(
      Flag.withDescription("How it says what it does (text, unless the configuration says)"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ listen, log }) {
    const out = yield* CommandContext.output
    const debug = yield* CommandContext.debug
    const configuration = yield* CommandContext.configuration
    const state = Option.getOrElse(yield* CommandContext.stateFile, () => CommandContext.DEFAULT_STATE)
    const { daemon: settings } = configuration
    if (Option.isSome(listen) && !isAddress(listen.value))
      return yield* new UsageError({
        why: `--listen ${listen.value}: write an address and a port, like 127.0.0.1:4020`
      })
    const form = out.json ? "json" : Option.getOrElse(log, () => settings.log)
    // Read by those who want it: other commands start without it.
    const [{ main }, Log, Telemetry, { page }] = yield* Effect.promise(() =>
      Promise.all([
        import("../daemon/Main.ts"),
        import("../daemon/Log.ts"),
        import("../daemon/Telemetry.ts"),
        import("../page/RouteModule.ts")
      ])
    )
    const place = Option.isSome(listen) ? address(listen.value) : settings
    return yield* main({
      configuration,
      state,
      host: place.host,
      port: place.port,
      quiet: out.quiet,
      rooms: [page]
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(Telemetry.layer(configuration), Log.layer(form, debug))))
  })
).pipe(
  Command.withDescription(
    "Run on the schedules of the configuration (every), take webhooks, show a page in the browser, and tell how it is: /healthz, /readyz, /metrics. A connection that fails is tried again later and stops no other. The configuration is read again when it changes. Stopped, it ends with 0, or 3 when something needs a person."
  ),
  Command.withShortDescription("Run on schedules, take webhooks, show a page"),
  Command.withExamples([
    { command: "daybook daemon", description: "Until it is stopped" },
    { command: "daybook daemon --log json --listen 127.0.0.1:8080", description: "Under a supervisor" }
  ])
)
