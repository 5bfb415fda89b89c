/** Describes what a process remembers of a tenant that it runs. */
import { NO_FIGURES, type TenantFigures } from "./TenantFigures.ts"
import type { Paused, Tenant } from "./TenantSource.ts"
import type { Work } from "./TenantTurn.ts"

export interface Known {
  tenant: Tenant
  figures: TenantFigures
  paused: Paused | undefined
  trouble: { readonly message: string; readonly failures: number } | undefined
  readonly work: Work
  /** Whether it was already reported that another process has its state file. */
  isLocked: boolean
}

export const newlyKnown = (tenant: Tenant): Known => ({
  tenant,
  figures: NO_FIGURES,
  paused: undefined,
  trouble: undefined,
  work: { busy: new Map(), asked: new Set() },
  isLocked: false
})
