/** `daybook tenants change`: changes a setting for a group of tenants, as long as their plans stay within a limit. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { join } from "node:path"
import { plural } from "../../core/Plural.ts"
import { changeConfig, parsed, withSetting } from "../../sync/library/config/ChangeConfig.ts"
import { configIn } from "../../sync/library/config/ConfigFile.ts"
import * as ConnectionsFile from "../../sync/library/config/ConnectionsFile.ts"
import { overlaid, settingsChanged, touches } from "../../sync/library/config/Overlay.ts"
import { Exit, messageOf, UsageError } from "../../sync/library/Exit.ts"
import type { TenantPlanned } from "../../sync/library/many/PlanTenants.ts"
import { changeKept } from "../../sync/library/many/KeptCopies.ts"
import { leaveAsk } from "../../sync/library/many/TenantAsks.ts"
import { tenantIn } from "../../sync/library/many/TenantSource.ts"
import * as CommandContext from "../CommandContext.ts"
import { folderOf } from "../tenants/Folder.ts"
import { clusterFlag, folderFlag, shardFlag } from "./tenantsFlags.ts"
import { readFlag } from "./plan.ts"
import { readable, withKept } from "./tenantsInDatabase.ts"
import { chosenOf, overlayIn, sourceOf, withFlag } from "./tenantsPlan.ts"

/** As when a guard stops a run. */
const STOPPED = 4

/** Why a tenant's plan is beyond what was allowed; undefined: it is not. */
const beyond = ({ differ, notCovered, ways, why }: TenantPlanned, most: number): string | undefined => {
  if (why !== undefined) return `it could not be planned: ${why}`
  const [unseen] = notCovered
  if (unseen !== undefined) return `not all can be compared: ${unseen}`
  const guard = ways.find(({ change, what }) => what === "guard" && change === "only other")
  if (guard !== undefined) return `${guard.rule} would stop it: ${guard.example.document}, ${guard.example.why}`
  if (differ > most)
    return `${plural(differ, "document")} would be planned otherwise, and at most ${most} may be; for example ${ways[0]?.example.document} (${ways[0]?.rule})`
  return undefined
}

/** Writes the change into a tenant's configuration; the rest of the file stays as it is. */
const write = (folder: string, name: string, over: unknown) =>
  Effect.gen(function* () {
    const path = join(folder, name)
    const file = configIn(path) ?? path
    if (touches(over, ConnectionsFile.read(ConnectionsFile.fileOf(file))))
      return yield* new UsageError({
        why: "one of the connections was made by a link, and only the daemon writes that"
      })
    const { bounds, environment } = yield* tenantIn(path, name).read
    const edit = (text: string) => {
      const before = parsed(text)
      return settingsChanged(before, overlaid(before, over)).reduce(
        (now, { path, value }) => withSetting(now, [...path], value),
        text
      )
    }
    yield* changeConfig(file, { environment, edit, ...(bounds === undefined ? {} : { bounds }) })
    leaveAsk(folder, name, "refresh")
  })

export const change = Command.make(
  "change",
  {
    tenants: folderFlag,
    shard: shardFlag,
    cluster: clusterFlag,
    with: withFlag,
    read: readFlag,
    within: Flag.Int("within").pipe(
      Flag.withDescription("How many documents of one tenant may be planned otherwise by it"),
      Flag.withMetavar("NUMBER"),
      Flag.withDefault(0)
    ),
    names: Argument.String("name").pipe(
      Argument.withDescription("The tenants; default: all, or those of --shard"),
      Argument.withMetavar("NAME"),
      Argument.variadic()
    )
  },
  Effect.fn(function* ({ cluster, names, read, shard, tenants, with: file, within }) {
    const out = yield* CommandContext.output
    const folder = yield* folderOf(tenants)
    const over = yield* overlayIn(file)
    const { known, plan, rows } = yield* sourceOf(tenants, shard, cluster, { with: over, read })
    const all = yield* chosenOf(known, names, Option.isSome(cluster) ? "the database" : tenants)
    const counts = { changed: 0, untouched: 0 }
    const writing = (name: string) =>
      Option.isNone(cluster)
        ? write(folder, name, over)
        : withKept(cluster.value, [name], ({ key, rows: now, sessions }) => {
            // As it was planned.
            const row = rows.find((one) => one.name === name) ?? now[0]
            return row === undefined ? Effect.void : readable(changeKept(sessions, key, row, over))
          })
    const left = () => plural(all.length - counts.changed - counts.untouched, "tenant")
    for (const name of all) {
      const planned = yield* plan(name)
      if (planned.outcome === "untouched") {
        counts.untouched++
        continue
      }
      const why =
        beyond(planned, within) ??
        (yield* Effect.match(writing(name), { onSuccess: () => undefined, onFailure: messageOf }))
      if (why !== undefined) {
        yield* out.emit({ type: "stopped", tenant: name, why, ...counts })
        yield* out.complain(`Stopped at ${name}: ${why}`)
        yield* out.complain(`${plural(counts.changed, "tenant")} changed; ${left()} left as they are.`)
        return yield* new Exit({ status: STOPPED })
      }
      counts.changed++
      yield* out.emit({ type: "changed", tenant: name, differ: planned.differ })
      yield* out.say(`${name}: changed; ${plural(planned.differ, "document")} planned otherwise`)
    }
    yield* out.emit({ type: "summary", tenants: all.length, ...counts })
    yield* out.say(
      `${plural(counts.changed, "tenant")} changed, ${counts.untouched} have nothing that it changes. Each follows it with its next run.`
    )
  }, Effect.scoped)
).pipe(
  CommandContext.help(
    "Change settings of a group of tenants, one after the other: each is planned first as by daybook tenants plan, and its configuration is written only if at most --within documents would be planned otherwise, no guard would stop it, and everything can be compared. Stops with status 4 at the first tenant of which that is not so; those before it stay changed. Copy the configurations first with daybook tenants backup.",
    "Change a setting for a group of tenants, within a limit",
    "daybook tenants change --with change.json acme # One tenant first",
    "daybook tenants change --with change.json --shard 1/20 --within 3 # Then a twentieth of them, each with at most three documents planned otherwise"
  )
)
