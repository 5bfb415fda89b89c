/** Describes a tenant's state for people: what is known about it, and what of that matters most. */
import type { TenantFigures } from "./TenantFigures.ts"
import type { Paused } from "./TenantSource.ts"

export interface TenantStatus extends TenantFigures {
  readonly name: string
  readonly state: "paused" | "running" | "queued" | "in trouble" | "waiting"
  /** When it is due next; null if it has no schedule, or that is not known yet. Milliseconds. */
  readonly next: number | null
  readonly paused?: Paused
  /** Why it cannot be opened, in words. */
  readonly trouble?: string
}

interface Standing {
  readonly name: string
  readonly figures: TenantFigures
  readonly paused: Paused | undefined
  readonly trouble: { readonly message: string } | undefined
  readonly next: number | null
  readonly isRunning: boolean
  readonly isQueued: boolean
}

export const tenantStatus = ({ figures, isQueued, isRunning, name, next, paused, trouble }: Standing): TenantStatus => {
  const state =
    paused !== undefined
      ? "paused"
      : isRunning
        ? "running"
        : isQueued
          ? "queued"
          : trouble !== undefined
            ? "in trouble"
            : "waiting"
  return {
    ...figures,
    name,
    state,
    next,
    ...(paused === undefined ? {} : { paused }),
    ...(trouble === undefined ? {} : { trouble: trouble.message })
  }
}
