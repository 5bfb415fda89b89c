/** Copies all tenants, one after the other, while their runs continue: the state file, vault and configuration of each. */
import { Effect } from "effect"
import { copyFileSync, existsSync, mkdirSync } from "node:fs"
import { basename, join } from "node:path"
import type { Backup } from "../../state/Backup.ts"
import { Database, type StateError } from "../../state/Database.ts"
import { breathe } from "../../state/Breathe.ts"
import { backupApart } from "../BackupApart.ts"
import { configIn } from "../config/ConfigFile.ts"
import { messageOf } from "../Exit.ts"
import type { Tenant } from "./TenantSource.ts"

export interface TenantBackup {
  readonly tenant: string
  /** The copy; undefined if there is none. */
  readonly copy?: Backup
  /** Why there is none. */
  readonly failed?: string
}

/** Copies a tenant's configuration, if there is one, into a folder that is made for it. */
const copyConfiguration = (folder: string, to: string): void => {
  mkdirSync(to, { recursive: true })
  const config = existsSync(folder) ? configIn(folder) : undefined
  if (config !== undefined) copyFileSync(config, join(to, basename(config)))
}

const copied = ({ folder, name, state }: Tenant, to: string): Effect.Effect<Backup | undefined, Error | StateError> =>
  Effect.gen(function* () {
    const target = join(to, name)
    yield* Effect.try({
      try: () => copyConfiguration(folder, target),
      catch: (cause) => cause as Error
    })
    if (!existsSync(state)) return undefined
    return yield* Effect.provide(
      backupApart(join(target, basename(state))),
      Database.layer({ file: state, mode: "read" })
    )
  })

/** If one cannot be copied, the others still are. */
export const backupAll = (
  tenants: ReadonlyArray<Tenant>,
  to: string,
  onDone: (one: TenantBackup) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<ReadonlyArray<TenantBackup>> =>
  Effect.forEach(tenants, (tenant) =>
    copied(tenant, to).pipe(
      Effect.map((copy): TenantBackup => ({ tenant: tenant.name, ...(copy === undefined ? {} : { copy }) })),
      Effect.catch((error) => Effect.succeed<TenantBackup>({ tenant: tenant.name, failed: messageOf(error) })),
      Effect.tap(onDone),
      Effect.tap(() => breathe)
    )
  )
