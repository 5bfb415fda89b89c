/**
 * Notices nodes that have not renewed their leases for as long as they last, by this node's own monotonic clock: PostgreSQL's clock may
 * have been set back, and then a dead node would look alive for as long. And tenants that nobody takes for a lease, though some
 * node should have room.
 */

export interface NodeHeard {
  readonly id: string
  /** Another with each renewal. */
  readonly canary: string | null
  /** How long its lease lasts. Milliseconds; null: it did not say. */
  readonly leaseMs: number | null
}

/** A node that is silent, and what it said last. */
export interface Silent {
  readonly id: string
  readonly canary: string
}

export class Silence {
  readonly #heard = new Map<string, { readonly canary: string; readonly since: number }>()
  readonly #free = new Map<string, number>()

  /** @param now monotonic milliseconds */
  silent(nodes: ReadonlyArray<NodeHeard>, now: number): ReadonlyArray<Silent> {
    for (const id of this.#heard.keys()) if (!nodes.some((node) => node.id === id)) this.#heard.delete(id)
    return nodes.flatMap(({ canary, id, leaseMs }) => {
      if (canary === null || leaseMs === null) return []
      const before = this.#heard.get(id)
      if (before?.canary === canary) return now - before.since > leaseMs ? [{ id, canary }] : []
      this.#heard.set(id, { canary, since: now })
      return []
    })
  }

  /** Which of these free tenants have been free for so long. */
  orphans(free: ReadonlyArray<string>, leaseMs: number, now: number): ReadonlyArray<string> {
    const still = new Set(free)
    for (const id of this.#free.keys()) if (!still.has(id)) this.#free.delete(id)
    return free.filter((id) => {
      const since = this.#free.get(id) ?? now
      this.#free.set(id, since)
      return now - since > leaseMs
    })
  }
}
