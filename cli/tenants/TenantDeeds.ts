/** What people and programs see of all tenants of a daemon and do to one, on the page and over HTTP. */
import { Effect } from "effect"
import { UsageError } from "../../sync/library/Exit.ts"
import type { ManyTenants, TenantStatus } from "../../sync/library/many/ManyTenants.ts"
import * as Changes from "../../sync/library/many/TenantChanges.ts"
import type { StoreAway } from "../../sync/state/replication/Store.ts"
import type { FolderOfTenants } from "../../sync/library/many/TenantsOfFolder.ts"
import type { Token } from "../daemon/Tokens.ts"
import type { Sessions } from "../page/Sessions.ts"

export interface AllOptions {
  readonly all: ManyTenants
  readonly files: FolderOfTenants
  readonly sessions: Sessions
  /** Tokens that are valid for every tenant. */
  readonly tokens: ReadonlyArray<Token>
  /** Those of the database, in place of the ones of this process. */
  readonly kept?: KeptDeeds
}

export interface KeptDeeds {
  readonly list: Effect.Effect<ReadonlyArray<TenantStatus>, StoreAway>
  readonly done: (tenant: string, deed: Deed, by: string) => Effect.Effect<boolean, StoreAway>
}

const DEEDS = ["sync", "pause", "resume"] as const
export type Deed = (typeof DEEDS)[number]

export const isDeed = (text: string | undefined): text is Deed => DEEDS.some((deed) => deed === text)

export const done = ({ all, files: { folder }, kept }: AllOptions, tenant: string, deed: Deed, by: string) =>
  Effect.gen(function* () {
    if (kept !== undefined) {
      const isDone = yield* Effect.mapError(kept.done(tenant, deed, by), ({ why }) => new UsageError({ why }))
      return isDone ? undefined : yield* new UsageError({ why: `the database has no tenant ${tenant} to ${deed}` })
    }
    if (deed === "sync") return yield* all.ask(tenant)
    yield* deed === "pause" ? Changes.pause(folder, tenant, by) : Changes.resume(folder, tenant)
    yield* all.refresh(tenant)
  })

interface Everywhere {
  readonly tenants: ReadonlyArray<TenantStatus>
  /** Why they are missing. */
  readonly missing?: string
}

/** The tenants of this process, or of the database. */
export const everywhere = ({ all, kept }: AllOptions): Effect.Effect<Everywhere> =>
  kept === undefined
    ? Effect.succeed({ tenants: all.list() })
    : Effect.match(kept.list, {
        onFailure: ({ why }) => ({ tenants: [], missing: why }),
        onSuccess: (tenants) => ({ tenants })
      })
