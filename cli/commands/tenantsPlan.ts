/** `daybook tenants plan`: what other settings or another day would change in the plans of all tenants. Changes nothing. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readFileSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { grouped } from "../../core/Plural.ts"
import { overlayProblem } from "../../sync/library/config/Overlay.ts"
import * as JsonText from "../../sync/library/config/JsonText.ts"
import { Exit, SOMETHING_TO_DO, UsageError } from "../../sync/library/Exit.ts"
import type { PlanWanted } from "../../sync/library/many/PlanTenants.ts"
import { keptTenant } from "../../sync/library/many/KeptCopies.ts"
import { tenantIn } from "../../sync/library/many/TenantSource.ts"
import type { KeptSettings } from "../../sync/state/replication/postgres/KeptSettings.ts"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { fleetText } from "../render/FleetView.ts"
import { NO_SHARD } from "../tenants/ClusterUrl.ts"
import { folderOf, tenantsIn } from "../tenants/Folder.ts"
import { compareVersions } from "../OtherVersion.ts"
import { byFlag, readFlag } from "./plan.ts"
import { clusterFlag, folderFlag, shardFlag, shardIn } from "./tenantsFlags.ts"
import { withKept } from "./tenantsInDatabase.ts"
import { copyTo, placesIn } from "./tenantsOfCluster.ts"

const planning = Effect.promise(() => import("../../sync/library/many/PlanTenants.ts"))

/** What a file changes in the configuration of each tenant. */
export const overlayIn = (file: string): Effect.Effect<unknown, UsageError> =>
  Effect.gen(function* () {
    const over = yield* Effect.try({
      try: () => JsonText.parse(readFileSync(resolve(file), "utf8")),
      catch: (cause) => new UsageError({ why: `${file} cannot be read: ${(cause as Error).message}` })
    })
    const wrong = overlayProblem(over)
    return wrong === undefined ? over : yield* new UsageError({ why: `${file}: ${wrong}` })
  })

/** These tenants, or all of them. */
export const chosenOf = (
  known: ReadonlyArray<string>,
  names: ReadonlyArray<string>,
  where: string
): Effect.Effect<ReadonlyArray<string>, UsageError> => {
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    return Effect.fail(new UsageError({ why: `no such tenant in ${where}: ${unknown.join(", ")}` }))
  return Effect.succeed(names.length === 0 ? known : known.filter((name) => names.includes(name)))
}

/** How each tenant is planned, and which there are: those of a folder, or copies of what a database keeps. */
export const sourceOf = (
  tenants: string,
  shard: Option.Option<string>,
  cluster: Option.Option<string>,
  wanted: PlanWanted
) =>
  Effect.gen(function* () {
    if (Option.isSome(cluster) && Option.isSome(shard)) return yield* new UsageError({ why: NO_SHARD })
    const folder = yield* folderOf(tenants)
    const { planTenant, readBooks } = yield* planning
    if (Option.isNone(cluster)) {
      const known = tenantsIn(folder, yield* shardIn(shard))
      const own = (name: string) => tenantIn(join(folder, name), name)
      return { known, rows: [], plan: (name: string) => planTenant(name, (work) => readBooks(own(name), work), wanted) }
    }
    const { key, rows } = yield* withKept(cluster.value, [], Effect.succeed)
    const places = new Map((yield* placesIn(cluster.value)).map((one) => [one.id, one]))
    const work = yield* Effect.acquireRelease(
      Effect.sync(() => temporaryFolder("trial")),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const state = join(work, "tenant.db")
    const clear = Effect.sync(() => {
      for (const end of ["", "-wal", "-shm", ".vault"]) rmSync(state + end, { force: true })
    })
    const plan = (name: string) => {
      const copied = <A, E>(reading: (row: KeptSettings) => Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          const row = rows.find((one) => one.name === name)
          const place = places.get(row?.id ?? "")
          if (row === undefined || place === undefined)
            return yield* new UsageError({ why: "it was removed meanwhile" })
          yield* copyTo(cluster.value, place, state)
          return yield* reading(row)
        }).pipe(Effect.ensuring(clear))
      return planTenant(
        name,
        (read) => copied((row) => readBooks(keptTenant({ files: folder, key }, row, state), read)),
        wanted
      )
    }
    return { known: rows.map(({ name }) => name), rows, plan }
  })

const byVersion =
  (program: string): NonNullable<PlanWanted["by"]> =>
  ({ configuration, db }, onDocument) =>
    Effect.map(compareVersions(db, configuration, program, onDocument), ({ same }) => same)

export const withFlag = Flags.needed(
  "with",
  "FILE",
  "The settings to be changed, as in a configuration: the rest of each tenant's stays as it is"
)

export const plan = Command.make(
  "plan",
  {
    tenants: folderFlag,
    shard: shardFlag,
    cluster: clusterFlag,
    with: Flag.optional(withFlag),
    read: readFlag,
    by: byFlag,
    asOf: Flags.text("as-of", "DAY", "Another day: shows what the plans would have otherwise"),
    detailed: Flags.yes("detailed-exitcode", "Exit with status 6 if a tenant differs"),
    names: Argument.String("name").pipe(
      Argument.withDescription("The tenants; default: all"),
      Argument.withMetavar("NAME"),
      Argument.variadic()
    )
  },
  Effect.fn(function* ({ asOf, by, cluster, detailed, names, read, shard, tenants, with: file }) {
    const out = yield* CommandContext.output
    if (Option.isNone(file) && Option.isNone(asOf) && Option.isNone(by))
      return yield* new UsageError({ why: "say what is compared: --with FILE, --as-of DAY, or both; or --by PROGRAM" })
    if (Option.isSome(by) && [asOf, file].some(Option.isSome))
      return yield* new UsageError({ why: "--by compares plans under today's settings; give it alone" })
    if (read && Option.isNone(file)) return yield* new UsageError({ why: "--read goes with --with FILE" })
    const { writtenDay } = yield* Effect.promise(() => import("../../sync/library/Views.ts"))
    const wanted: PlanWanted = {
      read,
      ...(Option.isNone(by) ? {} : { by: byVersion(by.value) }),
      ...(Option.isNone(file) ? {} : { with: yield* overlayIn(file.value) }),
      asOf: yield* writtenDay(Option.getOrUndefined(asOf))
    }
    const source = yield* sourceOf(tenants, shard, cluster, wanted)
    const all = yield* chosenOf(source.known, names, Option.isSome(cluster) ? "the database" : tenants)
    const { planTenants } = yield* planning
    let done = 0
    const fleet = yield* planTenants(all, source.plan, wanted, (one) =>
      Effect.gen(function* () {
        yield* out.emit({ type: "tenant", ...one })
        yield* out.tick(`${grouped(++done)} of ${grouped(all.length)}`)
        if (one.why !== undefined) yield* out.complain(`${one.tenant}: ${one.why}`)
      })
    )
    yield* out.clear
    const { ways, ...summary } = fleet
    for (const one of ways) yield* out.emit({ type: "way", ...one })
    yield* out.emit({ type: "summary", ways: ways.length, ...summary })
    yield* out.say(fleetText(fleet, out, Option.isSome(by) ? "the other version" : undefined))
    if (fleet.failed > 0) return yield* new Exit({ status: 1 })
    if (detailed && fleet.differ > 0) return yield* new Exit({ status: SOMETHING_TO_DO })
  }, Effect.scoped)
).pipe(
  CommandContext.help(
    "Make the plan of each tenant twice, as it is set and with other settings or by another version, and count in which ways they differ, each with the rule responsible, documents, amounts and an example. A daemon may go on meanwhile; nothing is written or sent. Exits with status 1 if a tenant could not be planned, and with --detailed-exitcode with 6 if one differs.",
    "What other settings would change for all tenants",
    "daybook tenants plan --with change.json # All of them, one after the other",
    "daybook tenants plan --with change.json --shard 1/20 # A twentieth of them",
    "daybook tenants plan --by ../next/dist/daybook.js # What an upgrade would change"
  )
)
