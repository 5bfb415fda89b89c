/** `daybook tenants sync`: one run of tenants, here or by the daemon that has them. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { join } from "node:path"
import { grouped, plural } from "../../core/Plural.ts"
import { ATTENTION, Exit, messageOf, UsageError } from "../../sync/library/Exit.ts"
import type { syncKept } from "../../sync/library/many/KeptTenants.ts"
import { leaveAsk } from "../../sync/library/many/TenantAsks.ts"
import { tenantIn } from "../../sync/library/many/TenantSource.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { noNodes } from "../tenants/ClusterUrl.ts"
import { folderOf, runsIn, tenantsIn } from "../tenants/Folder.ts"
import { withKept } from "./tenantsInDatabase.ts"
import { allFlag, databaseFor, filesFlag, folderFlag, namesArgument, shardFlag, shardIn } from "./tenantsFlags.ts"

/** What came of a tenant's run. */
type Ran = Effect.Success<ReturnType<typeof syncKept>>

/**
 * Runs tenants in this process, several at a time. Returns how many failed, and how many need attention.
 */
const each = <E, R>(names: ReadonlyArray<string>, run: (name: string) => Effect.Effect<Ran, E, R>) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    const counts = { failed: 0, attention: 0 }
    const one = (name: string) =>
      Effect.gen(function* () {
        const done = yield* Effect.result(run(name))
        if (done._tag === "Failure") {
          counts.failed++
          yield* out.emit({ type: "tenant", tenant: name, failed: messageOf(done.failure) })
          return yield* out.complain(`${name}: ${messageOf(done.failure)}`)
        }
        if ("isPaused" in done.success) return yield* out.say(`${name}: paused`)
        const { attention, done: sent, failed } = done.success.report
        if (attention > 0) counts.attention++
        yield* out.emit({ type: "tenant", tenant: name, sent, refused: failed, attention })
        yield* out.say(
          `${name}: ${plural(sent, "call")} sent${attention > 0 ? `, ${grouped(attention)} need attention` : ""}`
        )
      })
    yield* Effect.forEach(names, one, { concurrency: 4, discard: true })
    return counts
  })

const here = (folder: string, names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { ManyTenants } = yield* Effect.promise(() => import("../../sync/library/many/ManyTenants.ts"))
    const { asked } = yield* Effect.promise(() => import("../../sync/library/Library.ts"))
    const all = yield* ManyTenants.make({}, "daybook tenants sync")
    return yield* each(names, (name) =>
      Effect.gen(function* (): Effect.fn.Return<Ran, unknown> {
        yield* all.add(tenantIn(join(folder, name), name))
        if (all.status(name)?.paused !== undefined) return { isPaused: true }
        return { report: yield* all.use(name, ({ handle }) => asked({ ...handle, sendsAlerts: () => true }).sync()) }
      })
    )
  }).pipe(Effect.scoped)

/** Those whose configuration is in PostgreSQL; all of them if none is named. */
const inDatabase = (url: string, names: ReadonlyArray<string>, files: string | undefined) =>
  withKept(url, names, ({ key, rows, sessions }) =>
    Effect.gen(function* () {
      const { syncKept } = yield* Effect.promise(() => import("../../sync/library/many/KeptTenants.ts"))
      return yield* each(
        rows.map(({ name }) => name),
        (name) =>
          Effect.flatMap(Effect.fromNullishOr(rows.find((row) => row.name === name)), (row) =>
            syncKept({ sessions, key, files }, row)
          )
      )
    })
  )

const ended = ({ attention, failed }: { readonly attention: number; readonly failed: number }) =>
  failed > 0
    ? Effect.fail(new Exit({ status: 1 }))
    : attention > 0
      ? Effect.fail(new Exit({ status: ATTENTION }))
      : Effect.void

export const sync = Command.make(
  "sync",
  {
    tenants: folderFlag,
    shard: shardFlag,
    cluster: Flags.former("cluster"),
    database: databaseFor("The PostgreSQL that has their configurations as well: then no folder is needed"),
    files: filesFlag,
    all: allFlag,
    names: namesArgument
  },
  Effect.fn(function* ({ all, cluster, database, files, names, shard, tenants }) {
    const out = yield* CommandContext.output
    if (all === names.length > 0) return yield* new UsageError({ why: "name the tenants, or say --all" })
    if (Option.isSome(database))
      return yield* ended(yield* inDatabase(database.value, names, Option.getOrUndefined(files)))
    if (Option.isSome(cluster))
      return yield* new UsageError({
        why: noNodes(tenants, () => `daybook tenants sync ${names.join(" ") || "--all"} --database URL runs each once`)
      })
    const folder = yield* folderOf(tenants)
    const known = tenantsIn(folder, yield* shardIn(shard))
    const unknown = names.filter((name) => !known.includes(name))
    if (unknown.length > 0) return yield* new UsageError({ why: `no such tenant in ${tenants}: ${unknown.join(", ")}` })
    const wanted = all ? known : names
    const runs = yield* runsIn(folder)
    for (const name of wanted.filter(runs)) {
      leaveAsk(folder, name, "sync")
      yield* out.emit({ type: "asked", tenant: name })
      yield* out.say(`${name}: the daemon runs it as soon as it has its turn`)
    }
    yield* ended(
      yield* here(
        folder,
        wanted.filter((name) => !runs(name))
      )
    )
  })
).pipe(
  CommandContext.help(
    "Sync tenants now: through the daemon if one runs them, otherwise here, several at a time. With --database, each is run once, which any scheduler may do at any time. Exits with status 1 if one failed, and with 3 if one needs attention.",
    "Sync tenants now",
    "daybook tenants sync acme globex # These two",
    "daybook tenants sync --all # All of them, for instance from cron",
    "daybook tenants sync acme --database postgres://daybook@db/daybook # One run, for a scheduler of your own"
  )
)
