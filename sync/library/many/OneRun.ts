/**
 * Takes one tenant of a cluster for one run, and gives it back: for schedulers of others, which may start it twice, end it at
 * any moment, or run it beside daemons. Nothing rests on the scheduler: whoever opens the tenant fences all who had it before.
 *
 * The process joins as a node that takes nothing by itself. A tenant of another living node is left to it.
 */
import { Clock, Effect } from "effect"
import { join } from "node:path"
import * as ClusterTables from "../../cluster/ClusterTables.ts"
import { Membership } from "../../cluster/Membership.ts"
import * as Operations from "../../cluster/Operations.ts"
import { Silence } from "../../cluster/Silence.ts"
import { StateError } from "../../state/StateError.ts"
import { StoreAway } from "../../state/replication/Store.ts"
import { UsageError } from "../Exit.ts"
import { asked } from "../Library.ts"
import { clusterTenant } from "./ClusterTenant.ts"
import { ManyTenants } from "./ManyTenants.ts"
import { type ClusterOptions, endpointOf, type NodeEndpoint } from "./NodeEndpoint.ts"
import { NodeErrands } from "./NodeErrands.ts"
import { knownIn } from "./TenantsKnown.ts"

/** How often to look whether the tenant is free. Milliseconds. */
const LOOKS_MS = 500

const away = ({ why }: StoreAway): UsageError => new UsageError({ why: `the cluster cannot be used: ${why}` })

/** Renews the lease for as long as the work lasts. It knows no tenants, so that nobody counts on it for any. */
const renewing = (membership: Membership) =>
  Effect.gen(function* () {
    for (let canary = 1; !membership.isLost; canary++) {
      yield* Effect.ignore(membership.renew({ canary, leaseMs: membership.millis, knows: 0, isOneRun: true }))
      yield* Effect.sleep(membership.millis / 3)
    }
  })

/**
 * Waits until the tenant is free: who had it may have died, which nobody knows before its lease is over.
 *
 * @returns undefined once it is taken; otherwise the living daemon that has it, and was asked to run it
 */
const taken = ({ sessions }: NodeEndpoint, membership: Membership, name: string, id: string) =>
  Effect.gen(function* () {
    const silence = new Silence()
    const monotonic = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))
    const until = (yield* monotonic) + 2 * membership.millis
    for (let silent: ReturnType<Silence["silent"]> = []; ; yield* Effect.sleep(LOOKS_MS)) {
      const { nodes } = yield* ClusterTables.look(sessions, membership.id, silent)
      const [got] = yield* ClusterTables.takeFree(sessions, membership, [id], 1)
      if (got !== undefined) return undefined
      const now = yield* monotonic
      silent = silence.silent(nodes, now)
      const [place] = yield* Operations.where(sessions, name)
      if (place?.id !== id)
        return yield* Effect.fail(new UsageError({ why: `the cluster has no tenant ${name} any more` }))
      const node = nodes.find((one) => one.name === (place.node ?? place.wanted))
      // One that knows no tenants has it for one run as well.
      if (node !== undefined && node.knows !== 0 && !node.draining) {
        yield* Operations.askRun(sessions, name)
        return node.name
      }
      if (now > until)
        return yield* new StateError({
          kind: "locked",
          file: name,
          why: node === undefined ? "no node may take it now" : `${node.name} runs it; try again once that has ended`
        })
    }
  })

/**
 * One run of a tenant. What others left for it in PostgreSQL is done first, as a daemon does.
 *
 * @returns the report; or the name of the daemon that has the tenant and was asked to run it; or that it is paused
 */
export const syncOnce = (options: ClusterOptions, folder: string, name: string) =>
  Effect.gen(function* () {
    const endpoint = yield* endpointOf(options)
    const { sessions } = endpoint
    const { ids, refused } = yield* Effect.mapError(knownIn(sessions, folder), (error) =>
      typeof error === "string" ? new UsageError({ why: error }) : away(error)
    )
    const why = refused.get(name)
    const id = ids.get(name)
    if (why !== undefined || id === undefined)
      return yield* new UsageError({
        why: why === undefined ? `there is no tenant ${name} in ${folder}` : `${name}: ${why}`
      })
    const membership = yield* Effect.mapError(Membership.join(endpoint.beats, options.node), away)
    endpoint.membership = membership
    yield* Effect.mapError(membership.drain(true), away)
    yield* Effect.forkScoped(renewing(membership))
    const daemon = yield* taken(endpoint, membership, name, id).pipe(
      Effect.mapError((error) => (error instanceof StoreAway ? away(error) : error))
    )
    if (daemon !== undefined) return { daemon } as const
    const all = yield* ManyTenants.make({}, "daybook tenants sync")
    yield* all.add(clusterTenant(endpoint, join(folder, name), name, id, membership))
    if (all.status(name)?.paused !== undefined) return { isPaused: true } as const
    // Whoever opens it may find that the service is to be read first.
    yield* all.use(name, () => Effect.void)
    const { held } = yield* Effect.mapError(ClusterTables.look(sessions, membership.id), away)
    yield* new NodeErrands(all, folder, sessions).owed(membership.id, held)
    const report = yield* all.use(name, ({ handle }) => asked({ ...handle, sendsAlerts: () => true }).sync())
    const body = JSON.stringify(all.status(name))
    yield* Effect.ignore(ClusterTables.report(sessions, membership.id, [{ id, body }]))
    return { report } as const
  }).pipe(Effect.scoped)
