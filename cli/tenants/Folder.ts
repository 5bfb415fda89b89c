/** Reads a folder of tenants for `daybook tenants`: its tenants, whether a daemon runs them, and the state of each. */
import { Effect } from "effect"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { UsageError } from "../../sync/library/Exit.ts"
import type { TenantStatus } from "../../sync/library/many/ManyTenants.ts"
import { ownFolder } from "../../sync/library/many/TenantAsks.ts"
import { glance } from "../../sync/library/many/TenantFigures.ts"
import { namesIn, pausedIn, tenantIn } from "../../sync/library/many/TenantSource.ts"
import { lock } from "../../sync/state/FileLock.ts"
import { type Shard, shardOf } from "../../sync/tenants/Shard.ts"

export const folderOf = (named: string): Effect.Effect<string, UsageError> =>
  Effect.suspend(() => {
    const folder = resolve(named)
    return existsSync(folder) && statSync(folder).isDirectory()
      ? Effect.succeed(folder)
      : Effect.fail(
          new UsageError({ why: `${named} is not a folder; name the folder of the tenants with --tenants FOLDER` })
        )
  })

export const tenantsIn = (folder: string, shard: Shard | undefined): ReadonlyArray<string> =>
  namesIn(folder)
    .filter((name) => shard === undefined || shardOf(name, shard.of) === shard.number)
    .toSorted()

const isHeld = (file: string): Effect.Effect<boolean> =>
  Effect.scoped(lock(file, "daybook tenants")).pipe(
    Effect.as(false),
    Effect.catch(({ kind }) => Effect.succeed(kind === "locked"))
  )

/** The shards for which a daemon runs; `undefined` stands for a daemon that runs all tenants. */
const daemonsOf = (folder: string): Effect.Effect<ReadonlyArray<Shard | undefined>> =>
  Effect.gen(function* () {
    const own = ownFolder(folder)
    const files = existsSync(own) ? readdirSync(own).filter((file) => /^daemon.*\.lock$/.test(file)) : []
    const running: Array<Shard | undefined> = []
    for (const file of files) {
      if (!(yield* isHeld(join(own, file.replace(/\.lock$/, ""))))) continue
      const [, number, of] = /^daemon-(\d+)-of-(\d+)\.lock$/.exec(file) ?? []
      running.push(number === undefined || of === undefined ? undefined : { number: Number(number), of: Number(of) })
    }
    return running
  })

/** Returns a function that says whether a daemon runs a tenant. */
export const runsIn = (folder: string): Effect.Effect<(name: string) => boolean> =>
  Effect.map(
    daemonsOf(folder),
    (daemons) => (name) => daemons.some((shard) => shard === undefined || shardOf(name, shard.of) === shard.number)
  )

/** A tenant's state according to its files. Only a daemon knows what is running now. */
export const statusIn = (folder: string, name: string, now: number): TenantStatus => {
  const tenant = tenantIn(join(folder, name), name)
  const paused = pausedIn(tenant.folder)
  const { due, figures } = glance(tenant, now)
  return {
    ...figures,
    name,
    state: paused === undefined ? "waiting" : "paused",
    next: paused === undefined && Number.isFinite(due) ? due : null,
    ...(paused === undefined ? {} : { paused })
  }
}
