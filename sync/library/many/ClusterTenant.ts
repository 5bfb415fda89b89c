/** A tenant as a process of a cluster has it: its configuration in the folder, its state a working copy of what PostgreSQL keeps. */
import { join } from "node:path"
import type { Membership } from "../../cluster/Membership.ts"
import { riskOf } from "../../cluster/Risk.ts"
import { SHIPPED } from "../../state/replication/HighWater.ts"
import { take } from "../../state/replication/postgres/PostgresStore.ts"
import { sharedTurns } from "../../state/replication/postgres/SharedTurns.ts"
import type { NodeEndpoint } from "./NodeEndpoint.ts"
import { type Tenant, tenantIn } from "./TenantSource.ts"

/** @param id its identity */
export const clusterTenant = (
  { sessions, work }: Pick<NodeEndpoint, "sessions" | "work">,
  path: string,
  name: string,
  id: string,
  membership: Membership
): Tenant => {
  const tenant = tenantIn(path, name)
  const highWater = join(tenant.folder, SHIPPED)
  const replica = { take: take(sessions, id, membership.id), lease: membership, seed: tenant.state, highWater }
  const beside = { risk: riskOf(sessions, id, membership.id), machines: sharedTurns(sessions) }
  return { ...tenant, state: join(work, `${id}.db`), replica, ...beside }
}
