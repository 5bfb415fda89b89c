/** A process's connection to a cluster: sessions with PostgreSQL, and a folder for working copies that is deleted with it. */
import { Effect, type Scope } from "effect"
import { rmSync } from "node:fs"
import type { Membership, NodeOptions } from "../../cluster/Membership.ts"
import { connect, type PgSessions } from "../../state/replication/postgres/PgSessions.ts"
import { tablesProblem } from "../../state/replication/postgres/Schema.ts"
import type { StoreAway } from "../../state/replication/Store.ts"
import { temporaryFolder } from "../../../core/TemporaryFolder.ts"
import { UsageError } from "../Exit.ts"

export interface ClusterOptions {
  readonly url: string
  readonly node: NodeOptions
  /** The address of this node's page, for links on the pages of the others. */
  readonly page?: string | undefined
}

/** A process's connection to a cluster, before it has any tenants. */
export interface NodeEndpoint {
  readonly node: NodeOptions
  readonly sessions: PgSessions
  /** Only for leases, so that shipping does not delay renewals. */
  readonly beats: PgSessions
  /** The folder of working copies. */
  readonly work: string
  /** The address of this node's page, once it listens. */
  page: string | undefined
  membership: Membership | undefined
}

const SESSIONS = 8

const away = ({ why }: Pick<StoreAway, "why">): UsageError =>
  new UsageError({ why: `the cluster cannot be used: ${why}` })

/** Releases its tenants when the scope ends, which must be after they are closed. */
export const endpointOf = ({ node, page, url }: ClusterOptions): Effect.Effect<NodeEndpoint, UsageError, Scope.Scope> =>
  Effect.gen(function* () {
    const work = yield* Effect.acquireRelease(
      Effect.sync(() => temporaryFolder("node")),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const endpoint: NodeEndpoint = {
      node,
      sessions: yield* Effect.mapError(connect(url, SESSIONS), away),
      beats: yield* Effect.mapError(connect(url, 1), away),
      work,
      page,
      membership: undefined
    }
    // A server that does not answer yet is waited for: after a power failure it may start later than this node.
    const problem = yield* Effect.catch(tablesProblem(endpoint.sessions), ({ why }) =>
      Effect.as(Effect.logError(`the cluster cannot be used yet: ${why}`), undefined)
    )
    if (problem !== undefined) return yield* away({ why: problem })
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.suspend(() => endpoint.membership?.leave ?? Effect.void)))
    return endpoint
  })
