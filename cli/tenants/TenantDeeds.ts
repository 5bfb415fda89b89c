/** What people and programs see of all tenants of a daemon and do to one, on the page and over HTTP. */
import { Effect } from "effect"
import { UsageError } from "../../sync/library/Exit.ts"
import type { ManyTenants } from "../../sync/library/many/ManyTenants.ts"
import * as Changes from "../../sync/library/many/TenantChanges.ts"
import type { TenantsOfCluster } from "../../sync/library/many/TenantsOfCluster.ts"
import type { StoreAway } from "../../sync/state/replication/Store.ts"
import type { FolderOfTenants } from "../../sync/library/many/TenantsOfFolder.ts"
import type { Token } from "../daemon/Tokens.ts"
import type { Sessions } from "../page/Sessions.ts"
import type { TenantRow } from "./TenantSearch.ts"

export interface AllOptions {
  readonly all: ManyTenants
  readonly files: FolderOfTenants & Partial<Pick<TenantsOfCluster, "node" | "others">>
  readonly sessions: Sessions
  /** Tokens that are valid for every tenant. */
  readonly tokens: ReadonlyArray<Token>
  /** Those of the database, in place of the ones of this process. */
  readonly kept?: KeptDeeds
}

export interface KeptDeeds {
  readonly list: Effect.Effect<ReadonlyArray<TenantRow>, StoreAway>
  readonly done: (tenant: string, deed: Deed, by: string) => Effect.Effect<boolean, StoreAway>
}

const DEEDS = ["sync", "pause", "resume"] as const
export type Deed = (typeof DEEDS)[number]

export const isDeed = (text: string | undefined): text is Deed => DEEDS.some((deed) => deed === text)

const doneElsewhere = (others: TenantsOfCluster["others"], tenant: string, deed: Deed) =>
  Effect.gen(function* () {
    if (deed !== "sync") return yield* new UsageError({ why: `${tenant} is on another node: ${deed} it there` })
    const isKnown = yield* Effect.mapError(others.ask(tenant), ({ why }) => new UsageError({ why }))
    if (!isKnown) return yield* new UsageError({ why: `the cluster has no tenant ${tenant}` })
  })

export const done = ({ all, files: { folder, others }, kept }: AllOptions, tenant: string, deed: Deed, by: string) =>
  Effect.gen(function* () {
    if (kept !== undefined) {
      const isDone = yield* Effect.mapError(kept.done(tenant, deed, by), ({ why }) => new UsageError({ why }))
      return isDone ? undefined : yield* new UsageError({ why: `the database has no tenant ${tenant} to ${deed}` })
    }
    if (others !== undefined && all.status(tenant) === undefined) return yield* doneElsewhere(others, tenant, deed)
    if (deed === "sync") return yield* all.ask(tenant)
    yield* deed === "pause" ? Changes.pause(folder, tenant, by) : Changes.resume(folder, tenant)
    yield* all.refresh(tenant)
  })

interface Everywhere {
  readonly tenants: ReadonlyArray<TenantRow>
  /** Why those of other nodes are missing. */
  readonly missing?: string
}

/** The tenants of this process and, in a cluster, of the other nodes. */
export const everywhere = ({ all, files: { others }, kept }: AllOptions): Effect.Effect<Everywhere> => {
  if (kept !== undefined)
    return Effect.match(kept.list, {
      onFailure: ({ why }) => ({ tenants: [], missing: why }),
      onSuccess: (tenants) => ({ tenants })
    })
  const own = all.list()
  return others === undefined
    ? Effect.succeed({ tenants: own })
    : Effect.match(others.all, {
        onFailure: ({ why }) => ({ tenants: own, missing: why }),
        onSuccess: (more) => ({ tenants: [...own, ...more] })
      })
}
