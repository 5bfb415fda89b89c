/**
 * Decides which node owns which tenant. Decisions only: no clock, no effects. Each node takes free tenants until it has its
 * share, and releases those beyond it; a tenant that a person wants on another node moves there.
 */

export interface NodeSeen {
  readonly id: string
  readonly name: string
  readonly draining: boolean
  /** How many tenants it knows, and has; null: it has not said. */
  readonly knows?: number | null
  readonly holds?: number
}

export interface TenantHeld {
  readonly id: string
  /** The name of the node that should own it. */
  readonly wanted: string | null
  /** Nobody else took it for a lease. */
  readonly isOrphan?: boolean
}

export interface ClusterSeen {
  /** Nodes with a valid lease, including this one. */
  readonly nodes: ReadonlyArray<NodeSeen>
  /** Tenants whose configuration this node knows. */
  readonly tenants: Pick<ReadonlySet<string>, "has" | "size">
  /** Tenants that this node owns. */
  readonly held: ReadonlyArray<TenantHeld>
}

export interface Placing {
  readonly release: ReadonlyArray<string>
  /** How many more it may take, in addition to those that are wanted here. */
  readonly room: number
}

/** How many are released at once, so that the others continue. */
const MOST_RELEASED = 50

/** @param isBusy whether a tenant has a run in progress: it is released only if no other can be */
export const placing = (
  me: string,
  { held, nodes, tenants }: ClusterSeen,
  isBusy: (tenant: string) => boolean
): Placing => {
  const own = nodes.find(({ id }) => id === me)
  const taking = nodes.filter(({ draining, knows }) => !draining && knows !== 0)
  const isThere = (name: string) => taking.some((node) => node.name === name)
  const leaving = held.filter(
    ({ id, wanted }) => !tenants.has(id) || (wanted !== null && wanted !== own?.name && isThere(wanted))
  )
  const staying = held.filter((one) => !leaving.includes(one))
  const share = Math.ceil(tenants.size / Math.max(1, taking.length))
  const isDraining = own === undefined || own.draining
  const free = staying.filter(({ isOrphan, wanted }) => wanted !== own?.name && isOrphan !== true)
  // What no other node would take is kept: some may know fewer tenants, from an older copy of the folder.
  const places = taking.reduce(
    (sum, { holds = 0, id, knows }) =>
      sum + (id === me ? 0 : Math.max(0, Math.min(share, knows ?? tenants.size) - holds)),
    0
  )
  const surplus = isDraining ? staying.length : Math.max(0, Math.min(staying.length - share, free.length, places))
  const going = (isDraining ? staying : free).toSorted((a, b) => Number(isBusy(a.id)) - Number(isBusy(b.id)))
  return {
    release: [...leaving, ...going.slice(0, surplus)].slice(0, MOST_RELEASED).map(({ id }) => id),
    room: isDraining ? 0 : Math.max(0, share - staying.length)
  }
}
