/** `daybook tenants`: manages the tenants of a folder, each with its own configuration and state file. */
import { Clock, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { grouped, plural } from "../../core/Plural.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import type { TenantStatus } from "../../sync/library/many/ManyTenants.ts"
import { identityIn } from "../../sync/library/many/Identity.ts"
import * as Changes from "../../sync/library/many/TenantChanges.ts"
import { backup } from "./tenantsBackup.ts"
import { change } from "./tenantsChange.ts"
import { plan } from "./tenantsPlan.ts"
import { doctor } from "./tenantsDoctor.ts"
import { exportOut, importIn } from "./tenantsInDatabase.ts"
import { sync } from "./tenantsSync.ts"
import { nextTenants } from "./tenantsNext.ts"
import { work } from "./tenantsWork.ts"
import { clusterFlag, clusterFor, databaseFor, folderFlag, shardFlag, shardIn } from "./tenantsFlags.ts"
import { tooLong } from "../../sync/reports/SearchText.ts"
import { isInCluster } from "../../sync/state/replication/HighWater.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { userName } from "../Me.ts"
import { instant } from "../render/Instants.ts"
import { headings, table } from "../render/Table.ts"
import { noNodes, NO_SHARD } from "../tenants/ClusterUrl.ts"
import { found, isOnly, ONLY } from "../tenants/TenantSearch.ts"
import { eraseIn, pausedIn, placeOf, restore, statusesIn, triedAgain, where } from "./tenantsOfCluster.ts"
import { checkApart } from "../tenants/CheckApart.ts"
import { folderOf, statusIn, tenantsIn } from "../tenants/Folder.ts"

const nameArgument = Argument.String("name").pipe(
  Argument.withDescription("The tenant: the name of its folder"),
  Argument.withMetavar("NAME")
)

const stateOf = ({ failures, paused, state }: TenantStatus): string =>
  paused !== undefined
    ? `paused by ${paused.by}${paused.why === undefined ? "" : `: ${paused.why}`}`
    : failures > 0
      ? `failed ${plural(failures, "time")}`
      : state

const minute = (millis: number | null): string => (millis === null ? "" : instant(millis))

const statusesOf = (tenants: string, shard: Option.Option<string>) =>
  Effect.gen(function* () {
    const folder = yield* folderOf(tenants)
    const now = yield* Clock.currentTimeMillis
    return tenantsIn(folder, yield* shardIn(shard)).map((name) => statusIn(folder, name, now))
  })

const list = Command.make(
  "list",
  {
    tenants: folderFlag,
    shard: shardFlag,
    cluster: clusterFlag,
    search: Flags.needed("search", "TEXT", "Only names that contain this").pipe(Flag.withDefault("")),
    only: Flags.text("only", "WHICH", `Only some of them: ${Object.keys(ONLY).join(", ")}`)
  },
  Effect.fn(function* ({ cluster, only: which, search, shard, tenants }) {
    const out = yield* CommandContext.output
    const why = tooLong(search)
    if (why !== undefined) return yield* new UsageError({ why })
    const only = Option.getOrUndefined(which)
    if (only !== undefined && !isOnly(only))
      return yield* new UsageError({ why: `--only ${only}: one of ${Object.keys(ONLY).join(", ")}` })
    if (Option.isSome(cluster) && Option.isSome(shard)) return yield* new UsageError({ why: NO_SHARD })
    const all = yield* Option.isSome(cluster) ? statusesIn(cluster.value) : statusesOf(tenants, shard)
    const rows = found(all, { search, after: "", ...(only === undefined ? {} : { only }) })
    for (const row of rows) yield* out.emit({ type: "tenant", ...row })
    const columns = headings("Tenant, ~State, >Attention, >To approve, Last success, Next run")
    const cells = rows.map((one) => [
      one.name,
      stateOf(one),
      one.attention === 0 ? "" : grouped(one.attention),
      one.approvals === 0 ? "" : grouped(one.approvals),
      minute(one.succeeded),
      minute(one.next)
    ])
    if (rows.length > 0) yield* out.say(table(columns, cells, out))
    yield* out.say(
      `${plural(rows.length, "tenant")} of ${grouped(all.length)} in ${Option.isSome(cluster) ? "the database" : tenants}`
    )
    const elsewhere = Option.isSome(cluster) ? [] : rows.filter(({ name }) => isInCluster(join(tenants, name)))
    if (elsewhere.length > 0)
      yield* out.say(`In PostgreSQL, so that only --database URL shows their state: ${grouped(elsewhere.length)}`)
  })
).pipe(
  CommandContext.help(
    "List the tenants of a folder with what needs attention. Opens no state file for writing.",
    "List tenants and what needs attention",
    "daybook tenants list --only attention # Those that need attention",
    "daybook tenants list --search acme --json # One JSON object per tenant",
    "daybook tenants list --database postgres://daybook@db/daybook # Those in PostgreSQL"
  )
)

const add = Command.make(
  "add",
  {
    tenants: folderFlag,
    name: nameArgument,
    from: Argument.String("from").pipe(
      Argument.withDescription("Its configuration, or a folder with it and the files that it names"),
      Argument.withMetavar("FROM")
    )
  },
  Effect.fn(function* ({ from, name, tenants }) {
    const out = yield* CommandContext.output
    yield* Changes.add(yield* folderOf(tenants), name, from, checkApart)
    yield* out.emit({ type: "added", tenant: name })
    yield* out.say(`${name} is added. A daemon over ${tenants} runs it from now on.`)
  })
).pipe(
  CommandContext.help(
    "Add a tenant: checks its configuration, and puts it into a folder with its name.",
    "Add a tenant",
    "daybook tenants add acme acme.json # With this configuration"
  )
)

/** Whether that folder is the one of the database's tenant with this name, and not of another, or gone. */
const isThatOf = (cluster: string, name: string, path: string) =>
  Effect.map(placeOf(cluster, name), (place) => {
    const id = existsSync(path) ? (identityIn(path) ?? name) : undefined
    return id !== undefined && (place === undefined || place.id === id)
  })

const remove = Command.make(
  "remove",
  {
    tenants: folderFlag,
    name: nameArgument,
    cluster: clusterFor("The PostgreSQL that has it: erases what is kept of it there")
  },
  Effect.fn(function* ({ cluster, name, tenants }) {
    const out = yield* CommandContext.output
    const folder = yield* folderOf(tenants)
    const path = join(folder, name)
    if (Option.isSome(cluster) && !(yield* isThatOf(cluster.value, name, path))) {
      const isErased = yield* eraseIn(cluster.value, name, undefined, undefined)
      if (!isErased) return yield* new UsageError({ why: `the database has no tenant ${JSON.stringify(name)}` })
      yield* out.emit({ type: "removed", tenant: name, kept: null })
      return yield* out.say(
        `What the database kept of ${name} is erased.${existsSync(path) ? ` The folder ${path} is another tenant's, and stays.` : ""}`
      )
    }
    if (Option.isNone(cluster) && isInCluster(path))
      return yield* new UsageError({
        why: `the books of ${name} are in PostgreSQL: daybook tenants remove ${name} --database URL erases them there as well`
      })
    const kept = yield* Changes.remove(folder, name, userName())
    if (Option.isSome(cluster)) yield* eraseIn(cluster.value, name, identityIn(kept), kept)
    yield* out.emit({ type: "removed", tenant: name, kept })
    const copied = Option.isSome(cluster) ? " What the database kept of it is copied to there, and erased." : ""
    yield* out.say(`${name} is removed; its folder is ${kept}.${copied} Nothing on the service has changed.`)
  })
).pipe(
  CommandContext.help(
    "Remove a tenant once no run has it. Its folder is kept in .daybook/removed, with its state file; `daybook tenants add` puts it back. With --database, PostgreSQL keeps nothing of it, also if its folder was deleted by hand. What the service holds stays as it is.",
    "Remove a tenant; its folder is kept",
    "daybook tenants remove acme # It no longer runs"
  )
)

const pause = Command.make(
  "pause",
  {
    tenants: folderFlag,
    name: nameArgument,
    database: databaseFor("Pauses a tenant whose configuration is in this PostgreSQL"),
    why: Flag.String("why").pipe(Flag.withDescription("Shown with the tenant"), Flag.withMetavar("TEXT"), Flag.optional)
  },
  Effect.fn(function* ({ database, name, tenants, why: written }) {
    const out = yield* CommandContext.output
    const why = Option.getOrUndefined(written)
    yield* Option.isSome(database)
      ? pausedIn(database.value, name, { by: userName(), ...(why === undefined ? {} : { why }) })
      : Changes.pause(yield* folderOf(tenants), name, userName(), why)
    yield* out.emit({ type: "paused", tenant: name })
    yield* out.say(`${name} is paused: no run of it begins until daybook tenants resume ${name}.`)
  })
).pipe(
  CommandContext.help(
    "Pause a tenant: no new run starts. A run in progress continues to its end.",
    "Pause a tenant",
    'daybook tenants pause acme --why "an audit" # Until it is resumed'
  )
)

const resume = Command.make(
  "resume",
  {
    tenants: folderFlag,
    name: nameArgument,
    cluster: clusterFor("Lets a tenant of this PostgreSQL run again that was held back or paused there")
  },
  Effect.fn(function* ({ cluster, name, tenants }) {
    const out = yield* CommandContext.output
    if (Option.isSome(cluster)) {
      const was = yield* triedAgain(cluster.value, name)
      yield* out.emit({ type: "resumed", tenant: name, was })
      return yield* out.say(was ? `${name} runs again.` : `${name} was neither held back nor paused.`)
    }
    const was = yield* Changes.resume(yield* folderOf(tenants), name)
    yield* out.emit({ type: "resumed", tenant: name, was })
    yield* out.say(was ? `${name} runs again.` : `${name} was not paused.`)
  })
).pipe(
  CommandContext.help(
    "Resume the runs of a paused tenant.",
    "Resume a tenant",
    "daybook tenants resume acme # Runs that are due start at once"
  )
)

const move = Command.make(
  "move",
  {
    tenants: folderFlag,
    name: nameArgument,
    to: Flags.needed("to", "FOLDER", "The other folder of tenants, such as another shard's volume"),
    cluster: Flags.former("cluster")
  },
  Effect.fn(function* ({ cluster, name, tenants, to }) {
    const out = yield* CommandContext.output
    if (Option.isSome(cluster))
      return yield* new UsageError({
        why: noNodes(tenants, () => "any worker runs any of them, and none has to be moved")
      })
    const folder = yield* folderOf(tenants)
    const target = yield* Changes.move(folder, name, yield* folderOf(to), userName())
    yield* out.emit({ type: "moved", tenant: name, to: target })
    yield* out.say(`${name} is in ${target} now, and nowhere else.`)
  })
).pipe(
  CommandContext.help(
    "Move a tenant to another folder of tenants, with its state file, locks and secrets. It leaves its old place before it gets the new one, so that it never runs twice. After an interruption, run the same command again.",
    "Move a tenant to another folder",
    "daybook tenants move acme --to /volumes/5 # To another shard's volume"
  )
)

export const tenants = Command.make("tenants").pipe(
  CommandContext.help(
    "Manage many tenants: a folder for each, with its own configuration and state file",
    "Manage many tenants in one folder"
  ),
  Command.withSubcommands([
    list,
    add,
    remove,
    pause,
    resume,
    sync,
    plan,
    change,
    move,
    backup,
    where,
    restore,
    importIn,
    exportOut,
    work,
    nextTenants,
    doctor
  ])
)
