/**
 * Keeps the tenants of a folder up to date: subfolders that appear and disappear, and requests of other processes. With a
 * shard, only tenants of that shard are kept; the others are only counted.
 */
import { Effect, type Scope } from "effect"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { breathe } from "../../state/Breathe.ts"
import { type Shard, shardOf } from "../../tenants/Shard.ts"
import { UsageError } from "../Exit.ts"
import type { ManyTenants } from "./ManyTenants.ts"
import { takeAsks } from "./TenantAsks.ts"
import { namesIn, tenantIn } from "./TenantSource.ts"

export interface FolderOptions {
  readonly folder: string
  readonly shard?: Shard | undefined
}

export interface FolderOfTenants {
  readonly folder: string
  /** Looks for tenants that were added or removed. */
  readonly scan: Effect.Effect<void, UsageError>
  /** Tenants in the folder that belong to another shard. */
  readonly elsewhere: () => ReadonlyArray<string>
  /** Continues until interrupted. */
  readonly follow: Effect.Effect<never, never, Scope.Scope>
}

/** How often to check the folder. Milliseconds. */
const SCANS_MS = 15_000
/** How often to check for requests of other processes. Milliseconds. */
const ASKS_MS = 1000

export const ofFolder = (all: ManyTenants, { folder: named, shard }: FolderOptions): FolderOfTenants => {
  const folder = resolve(named)
  let elsewhere: ReadonlyArray<string> = []
  const isOurs = (name: string) => shard === undefined || shardOf(name, shard.of) === shard.number
  const scan = Effect.gen(function* () {
    const names = yield* Effect.try({
      try: () => namesIn(folder),
      catch: (cause) =>
        new UsageError({ why: `the folder of tenants ${folder} cannot be read: ${(cause as Error).message}` })
    })
    const ours = new Set(names.filter(isOurs))
    elsewhere = names.filter((name) => !ours.has(name))
    for (const name of all.names()) if (!ours.has(name)) yield* all.forget(name)
    // While others were added, one may have been removed.
    for (const name of ours)
      if (all.status(name) === undefined && existsSync(join(folder, name)))
        yield* all.add(tenantIn(join(folder, name), name))
  })
  const scanned = Effect.catch(scan, ({ message }) => Effect.logError(message))
  const asked = Effect.gen(function* () {
    for (const { ask, tenant } of takeAsks(folder, isOurs)) {
      if ((all.status(tenant) === undefined) === existsSync(join(folder, tenant))) yield* scanned
      yield* ask === "sync" ? Effect.ignore(all.ask(tenant)) : all.refresh(tenant)
    }
    yield* breathe
  })
  const follow = Effect.gen(function* () {
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(SCANS_MS), scanned)))
    return yield* Effect.forever(Effect.andThen(asked, Effect.sleep(ASKS_MS)))
  })
  return { folder, scan, elsewhere: () => elsewhere, follow }
}
