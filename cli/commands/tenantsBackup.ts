/** `daybook tenants backup`: copies all tenants of a folder or a database. */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { join, resolve } from "node:path"
import { grouped, plural } from "../../core/Plural.ts"
import { Exit } from "../../sync/library/Exit.ts"
import { backupAll, type TenantBackup } from "../../sync/library/many/TenantBackups.ts"
import { tenantIn } from "../../sync/library/many/TenantSource.ts"
import * as CommandContext from "../CommandContext.ts"
import { folderOf, tenantsIn } from "../tenants/Folder.ts"
import { clusterFlag, folderFlag, shardFlag, shardIn } from "./tenantsFlags.ts"
import { copyAll, sealHere } from "./tenantsOfCluster.ts"

export const backup = Command.make(
  "backup",
  {
    tenants: folderFlag,
    shard: shardFlag,
    cluster: clusterFlag,
    to: Argument.String("to").pipe(
      Argument.withDescription("Folder for the copies, a folder for each tenant"),
      Argument.withMetavar("FOLDER")
    )
  },
  Effect.fn(function* ({ cluster, shard, tenants, to }) {
    const out = yield* CommandContext.output
    let done = 0
    const onDone = (one: TenantBackup, of: number) =>
      Effect.gen(function* () {
        yield* out.emit({ type: "backup", ...one })
        yield* out.tick(`${grouped(++done)} of ${grouped(of)}`)
        if (one.failed !== undefined) yield* out.complain(`${one.tenant}: ${one.failed}`)
      })
    const here = Effect.gen(function* () {
      const folder = yield* folderOf(tenants)
      const all = tenantsIn(folder, yield* shardIn(shard)).map((name) => tenantIn(join(folder, name), name))
      return yield* backupAll(all, to, (one) => onDone(one, all.length))
    })
    const copies = yield* Option.isSome(cluster) ? copyAll(cluster.value, resolve(to), onDone) : here
    yield* out.clear
    const failed = copies.filter((one) => one.failed !== undefined).length
    const made = copies.filter(({ copy }) => copy !== undefined).length
    yield* out.say(
      `${plural(made, "tenant")} copied to ${to}, each checked${failed === 0 ? "" : `; ${failed} could not be`}.`
    )
    if (Option.isSome(cluster) && (yield* sealHere) === undefined)
      yield* out.complain("DAYBOOK_SEAL is not set, so that their configurations are not part of the copies.")
    if (failed > 0) return yield* new Exit({ status: 1 })
  })
).pipe(
  CommandContext.help(
    "Copy every tenant's state file, encrypted tokens and configuration, even while a daemon is running, and check each copy. To restore a copy, see `daybook backup --help`.",
    "Copy all tenants, at any time",
    "daybook tenants backup backups/monday # All of them, while a daemon runs",
    "daybook tenants backup backups/monday --cluster postgres://daybook@db/daybook # Those of PostgreSQL, with DAYBOOK_SEAL"
  )
)
