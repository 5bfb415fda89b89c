/** `daybook tenants work`: runs tenants from PostgreSQL when they are due, together with other machines. */
import { Effect, Option, References } from "effect"
import { Command, Flag } from "effect/cli"
import { resolve } from "node:path"
import { packageFile } from "../../sync/library/Beside.ts"
import { address, isAddress } from "../../sync/library/config/DaemonSettings.ts"
import { HandOver } from "../../sync/library/ConnectorRegistry.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import { sealProblem } from "../../sync/library/many/KeptTexts.ts"
import { tenantsFile } from "../../sync/library/many/TenantsFile.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { databaseAt, readable, waitFor } from "./tenantsInDatabase.ts"
import { databaseFlag, filesFlag } from "./tenantsFlags.ts"

const MOST_SLOTS = 64

export const work = Command.make(
  "work",
  {
    database: databaseFlag,
    slots: Flag.Int("slots").pipe(
      Flag.withDescription("How many tenants run here at the same time, each in a process of about 100 MB"),
      Flag.withMetavar("N"),
      Flag.withDefault(4)
    ),
    files: filesFlag,
    listen: Flag.String("listen").pipe(
      Flag.withDescription(
        "Address and port of the page of all tenants, their webhooks, /readyz and /metrics (default: none)"
      ),
      Flag.withMetavar("ADDRESS:PORT"),
      Flag.optional
    ),
    next: Flags.yes("next", "Only the tenants that daybook tenants next names, and those alone: for the next version"),
    log: Flag.Literals("log", ["text", "json"]).pipe(Flag.withDescription("Log format (default: text)"), Flag.optional)
  },
  Effect.fn(function* ({ database, files, listen, log, next, slots }) {
    const out = yield* CommandContext.output
    const debug = yield* CommandContext.debug
    if (slots < 1 || slots > MOST_SLOTS)
      return yield* new UsageError({ why: `--slots ${slots}: write a number from 1 to ${MOST_SLOTS}` })
    if (Option.isSome(listen) && !isAddress(listen.value))
      return yield* new UsageError({
        why: `--listen ${listen.value}: write an address and a port, like 127.0.0.1:4020`
      })
    const [{ SLOT, workerMain }, { slotMain }, Log] = yield* Effect.promise(() =>
      Promise.all([import("../tenants/WorkerMain.ts"), import("../tenants/SlotMain.ts"), import("../daemon/Log.ts")])
    )
    const cache = process.env[SLOT]
    // A tenant may use a third-party connector at any time, which the bundled command cannot load.
    const library = cache === undefined ? undefined : packageFile("lib/cli/main.js")
    if (library !== undefined) return yield* Effect.die(new HandOver(library))
    const form = out.json ? "json" : Option.getOrElse(log, () => "text" as const)
    const folder = Option.getOrUndefined(files)
    const configuration = yield* tenantsFile(resolve(folder ?? "."))
    if (cache === undefined) yield* Effect.provide(waitFor(database), Log.layer(form, debug))
    return yield* Effect.gen(function* () {
      const place = { ...(yield* databaseAt(database)), files: folder, cache }
      if (cache !== undefined) return yield* slotMain(place, configuration)
      // With another seal it would fail with each of them.
      const wrong = yield* readable(sealProblem(place.sessions, place.key))
      if (wrong !== undefined) return yield* new UsageError({ why: wrong })
      const where = Option.match(listen, { onNone: () => undefined, onSome: address })
      return yield* readable(workerMain({ place, configuration, slots, listen: where, isNext: next }))
    }).pipe(
      Effect.scoped,
      Effect.provideService(References.MinimumLogLevel, Log.level(out.quiet)),
      Effect.provide(Log.layer(form, debug))
    )
  })
).pipe(
  Command.withDescription(
    "Run the tenants whose configuration is in PostgreSQL, each when it is due, together with other workers: start as many as needed, on any machines. A tenant runs on one of them at a time; with whichever a run ends, another continues it, and nothing is sent twice. One that ends its process again and again is held back, and its operators are told."
  ),
  Command.withShortDescription("Run tenants from PostgreSQL when they are due"),
  Command.withExamples([
    {
      command: "daybook tenants work --database postgres://daybook@db/daybook --slots 8",
      description: "Eight tenants at the same time on this machine"
    }
  ])
)
