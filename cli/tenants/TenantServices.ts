/** Presents a tenant to the daemon's modules like a single state file: its configuration, its operations, its events. */
import { Effect, Result, Stream } from "effect"
import type { ManyTenants } from "../../sync/library/many/ManyTenants.ts"
import type { OpenTenant } from "../../sync/library/many/OpenTenant.ts"
import type { DaemonServices } from "../daemon/Main.ts"
import type { Token } from "../daemon/Tokens.ts"
import { baseOf } from "./Addresses.ts"

export interface TenantServices extends DaemonServices {
  readonly tenant: string
}

/**
 * @param url the daemon's address
 * @param tokens the tokens that are valid for every tenant
 */
export const servicesOf = (
  all: ManyTenants,
  { configuration, tenant: { name } }: OpenTenant,
  url: string,
  tokens: ReadonlyArray<Token>
): TenantServices => ({
  tenant: name,
  url: `${url}${baseOf(name)}`,
  configuration: Effect.succeed(configuration),
  daemon: {
    ask: (connection) => Effect.ignore(all.ask(name, connection)),
    wake: all.look(name)
  },
  // Each run reads the configuration again.
  reread: Effect.void,
  events: Stream.filterMap(all.events, ({ event, tenant }) =>
    tenant === name && event.type === "turn" ? Result.succeed(event.event) : Result.failVoid
  ),
  tokens
})
