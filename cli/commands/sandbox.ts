/** `daybook sandbox`: runs the service on this machine. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { start } from "../../core/sandbox/index.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"

export const sandbox = Command.make(
  "sandbox",
  {
    port: Flag.Int("port").pipe(Flag.withDescription("Port; 0 chooses a free one"), Flag.withDefault(4010)),
    framePort: Flag.Int("frame-port").pipe(
      Flag.withDescription("Port of the payment frame, which has its own origin (default: the one after --port)"),
      Flag.optional
    ),
    host: Flags.needed("host", "ADDRESS", "Address to listen on").pipe(Flag.withDefault("127.0.0.1")),
    keys: Flags.several("api-key", "KEY", "An API key; each key is a separate platform (default: sandbox-key)"),
    clock: Flags.text("clock", "INSTANT", "Initial time of its clock, like 2026-01-31T09:00:00Z"),
    webhookUrl: Flags.text("webhook-url", "URL", "URL that webhooks are sent to"),
    webhookAuth: Flags.text("webhook-auth", "TEXT", "Authorization header of webhooks"),
    interface: Flag.Literals("interface", ["both", "deferred-payment", "insurance"]).pipe(
      Flag.withDescription("Which interface to serve; if they differ on a path, both applies the looser rule"),
      Flag.withDefault("both" as const)
    ),
    lateDays: Flag.Int("late-days").pipe(
      Flag.withDescription("Days overdue before a policy may be handed over"),
      Flag.withDefault(45)
    ),
    windowDays: Flag.Int("window-days").pipe(
      Flag.withDescription("Days in which it can then be handed over"),
      Flag.withDefault(30)
    ),
    lenient: Flags.yes("lenient", "Accept orders as real clients send them: no category, tax on the net amount, guests")
  },
  Effect.fn(function* (flags) {
    const {
      clock,
      framePort,
      host,
      interface: spoken,
      keys,
      lateDays,
      lenient,
      port,
      webhookAuth,
      webhookUrl,
      windowDays
    } = flags
    const out = yield* CommandContext.output
    const state = yield* CommandContext.stateFile
    yield* Effect.gen(function* () {
      const running = yield* start({
        port,
        host,
        lenient,
        lateDays,
        windowDays,
        interface: spoken,
        ...(Option.isNone(framePort) ? {} : { framePort: framePort.value }),
        ...(keys.length === 0 ? {} : { keys }),
        ...(Option.isNone(clock) ? {} : { clock: clock.value }),
        ...(Option.isNone(state) ? {} : { state: state.value }),
        ...(Option.isNone(webhookUrl)
          ? {}
          : {
              webhook: {
                url: webhookUrl.value,
                ...(Option.isNone(webhookAuth) ? {} : { authorization: webhookAuth.value })
              }
            })
      })
      const { frame, keys: opened, publicKeys, sdk, url } = running
      const started = { url, keys: opened, public_keys: publicKeys, sdk, frame }
      if (out.json) yield* Effect.sync(() => void process.stdout.write(`${JSON.stringify(started)}\n`))
      yield* out.say(
        `The service runs at ${out.style.bold(url)}\nKeys: ${opened.join(", ")}   To read: ${url}/docs   Ctrl-C ends it.\nCheckout: ${sdk}   Public keys: ${publicKeys.join(", ")}   To try: ${url}/docs/checkout`
      )
      yield* Effect.never
    }).pipe(Effect.scoped)
  })
).pipe(
  CommandContext.help(
    "Run the service on this machine: every rule of its specification, with companies, decisions, time and faults on demand under /sandbox/. Everything is in memory, unless --state names a file.",
    "Run the service on this machine",
    "daybook sandbox # Listen on port 4010, with the key sandbox-key",
    "daybook sandbox --port 0 --json # Listen on a free port, which is printed as JSON"
  )
)
