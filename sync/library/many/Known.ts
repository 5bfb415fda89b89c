/** Describes what a process remembers of a tenant that it runs. */
import { Effect } from "effect"
import type { ConfigError, Configuration } from "../config/Configuration.ts"
import { NO_FIGURES, type TenantFigures } from "./TenantFigures.ts"
import type { Paused, Tenant } from "./TenantSource.ts"
import type { Work } from "./TenantTurn.ts"

export interface Known {
  tenant: Tenant
  figures: TenantFigures
  paused: Paused | undefined
  trouble: { readonly message: string; readonly failures: number } | undefined
  readonly work: Work
  /** Its configuration as it was last read, for whom it knows. */
  configured: { readonly version: string; readonly configuration: Configuration } | undefined
  /** Whether it was already reported that another process has its state file. */
  isLocked: boolean
}

export const newlyKnown = (tenant: Tenant): Known => ({
  tenant,
  figures: NO_FIGURES,
  paused: undefined,
  trouble: undefined,
  configured: undefined,
  work: { busy: new Map(), asked: new Set() },
  isLocked: false
})

/** The configuration, read again once it has changed: strangers who send much must not make much work. */
export const configurationOf = (known: Known | undefined): Effect.Effect<Configuration, ConfigError> | undefined =>
  known &&
  Effect.suspend(() => {
    const { configured, tenant } = known
    const version = tenant.version()
    if (configured?.version === version) return Effect.succeed(configured.configuration)
    return Effect.tap(tenant.read, (configuration) =>
      Effect.sync(() => void (known.configured = { version, configuration }))
    )
  })
