/**
 * What a node of a cluster knows of the folder of all tenants: which tenants there are, by name and identity, which of them the cluster
 * cannot have, and which were removed, of which everything is erased.
 */
import { Effect } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import * as ClusterTables from "../../cluster/ClusterTables.ts"
import { erase, retire } from "../../cluster/Erasure.ts"
import { clusterError, copyOf } from "../../cluster/Operations.ts"
import { heldBack, heldBackBecause } from "../../cluster/Risk.ts"
import { breathe } from "../../state/Breathe.ts"
import type { PgSessions } from "../../state/replication/postgres/PgSessions.ts"
import type { StoreAway } from "../../state/replication/Store.ts"
import { StateError } from "../../state/StateError.ts"
import { IDENTITY, identify, identityIn } from "./Identity.ts"
import { removedFolder } from "./TenantAsks.ts"
import { namesIn, STATE } from "./TenantSource.ts"

export interface KnownTenants {
  /** Identities by name. */
  readonly ids: ReadonlyMap<string, string>
  /** Why others do not run, by name. */
  readonly refused: ReadonlyMap<string, string>
}

export const NOBODY: KnownTenants = { ids: new Map(), refused: new Map() }

/** How many files are read before others have their turn. */
const READ_AT_ONCE = 100

/** Why a tenant of the folder does not run. */
export const reasonFor = ({ called, isKept, name, removed }: ClusterTables.Stranger): string =>
  isKept
    ? `its configuration is in PostgreSQL, so that this folder is not used: daybook tenants sync ${name} --database URL runs it`
    : removed
      ? `it was removed from the cluster; delete ${name}/${IDENTITY} to begin anew under this name`
      : called === null
        ? `the cluster keeps books of another tenant of this name: if this is a copy of its folder, copy ${IDENTITY} as well; ` +
          `if that tenant is gone, daybook tenants remove ${name} --cluster URL erases them`
        : `it is a copy of ${called}, as ${name}/${IDENTITY} says; delete that file if it is another tenant`

/** Fails with a text if the folder cannot be read. */
export const knownIn = (sessions: PgSessions, folder: string): Effect.Effect<KnownTenants, StoreAway | string> =>
  Effect.gen(function* () {
    const names = yield* Effect.try({ try: () => namesIn(folder), catch: String })
    const ids = new Map<string, string>()
    const refused = new Map<string, string>()
    for (const [at, name] of names.entries()) {
      if (at % READ_AT_ONCE === READ_AT_ONCE - 1) yield* breathe
      yield* Effect.try({
        try: () => void ids.set(name, identify(join(folder, name), name)),
        catch: (cause) => (cause as Error).message
      }).pipe(Effect.catch((why) => Effect.sync(() => void refused.set(name, why))))
    }
    for (const stranger of yield* ClusterTables.announce(sessions, ids)) {
      ids.delete(stranger.name)
      refused.set(stranger.name, reasonFor(stranger))
    }
    for (const { tenant, tries } of yield* heldBack(sessions))
      if (ids.has(tenant)) refused.set(tenant, heldBackBecause(tries) ?? "")
    return { ids, refused }
  })

/** The folders of removed tenants, by identity. */
const removedIn = (folder: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const all = removedFolder(folder)
  for (const name of existsSync(all) ? readdirSync(all) : [])
    try {
      const id = identityIn(join(all, name))
      if (id !== undefined) found.set(id, join(all, name))
    } catch {
      // Nobody knows whose it was; `daybook tenants remove NAME --cluster URL` erases by name.
    }
  return found
}

/**
 * Copies what the cluster keeps of removed tenants into their folders, like a state file of one machine, and erases it then. Done again
 * from the start by whoever comes next if it is cut off.
 */
export const eraseRemoved = (sessions: PgSessions, folder: string): Effect.Effect<void, StoreAway> =>
  Effect.gen(function* () {
    const removed = removedIn(folder)
    if (removed.size === 0) return
    for (const one of yield* retire(sessions, [...removed.keys()])) {
      const file = join(removed.get(one.id) ?? folder, STATE)
      const copying = existsSync(file) ? Effect.void : Effect.asVoid(copyOf(sessions, one, file))
      yield* copying.pipe(
        Effect.mapError((error) => (error instanceof StateError ? error : clusterError(error)).message),
        Effect.andThen(Effect.mapError(erase(sessions, one.id), ({ why }) => why)),
        Effect.andThen(Effect.logInfo(`${one.tenant} was removed: what the cluster kept of it is erased`)),
        Effect.catch((why) => Effect.logError(`${one.tenant} was removed, and is not erased yet: ${why}`))
      )
    }
  })
