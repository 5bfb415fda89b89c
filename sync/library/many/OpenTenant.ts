/** Opens a tenant's state file: its configuration, its books, and the services for its runs and people's decisions. */
import { Effect, Layer, Scope } from "effect"
import { MayLeave, NEVER } from "../../../core/wire/MayLeave.ts"
import { ALONE, OtherMachines } from "../../../connectors/OtherMachines.ts"
import * as SourceBindings from "../../plan/SourceBindings.ts"
import { Database, type Db } from "../../state/Database.ts"
import type { Configuration } from "../config/Configuration.ts"
import { renamedBy } from "../config/Renames.ts"
import * as Handle from "../Handle.ts"
import * as Hidden from "../Hidden.ts"
import { outside } from "../ServiceClient.ts"
import { claim } from "../SharedHandles.ts"
import type { Tenant } from "./TenantSource.ts"

export interface OpenTenant {
  readonly tenant: Tenant
  readonly configuration: Configuration
  readonly db: Db
  readonly handle: Handle.HandleContext
  /** The version of the configuration that was read, see `Tenant`. */
  readonly version: string
  /** Whether old deliveries were deleted since it was opened. */
  tidied: boolean
}

/** What tenants share: one client for each account, one for sources. */
const memo = Layer.makeMemoMapUnsafe()

/**
 * @param publish receives the tenant's events
 * @param command what holds the state file, for the error message of another process
 */
export const openTenant = (tenant: Tenant, publish: Handle.HandleContext["publish"], command: string) =>
  Effect.gen(function* () {
    const version = tenant.version()
    const written = yield* tenant.read
    yield* Effect.addFinalizer(() => Effect.sync(() => Hidden.forget(written.file)))
    const reads = tenant.copy !== undefined
    if (reads) yield* tenant.copy
    const held = yield* claim(written, { state: tenant.state, command, replica: tenant.replica, reads })
    const layer = Layer.mergeAll(held.state, held.client, outside)
    const context = yield* Layer.buildWithMemoMap(layer, memo, yield* Scope.Scope)
    const db = yield* Effect.provide(Database, context)
    const opening = Effect.gen(function* () {
      const configuration = yield* renamedBy(written, yield* db.read(() => SourceBindings.namesIn(db)))
      const handle = yield* Handle.make(configuration, db, publish)
      const open: OpenTenant = { tenant, configuration, db, handle, version, tidied: false }
      return open
    }).pipe(Effect.provide(context), Effect.provideService(OtherMachines, tenant.machines ?? ALONE))
    // What the handle does later asks this as well, at the last moment before a request leaves.
    const permission = reads ? NEVER : db.permission
    return yield* permission === undefined ? opening : Effect.provideService(opening, MayLeave, permission)
  })
