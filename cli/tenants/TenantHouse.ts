/** A tenant as the daemon's rooms know one state file: its configuration, what can be asked of it, what happens in it. */
import { Effect, Result, Stream } from "effect"
import type { ManyTenants } from "../../sync/library/many/ManyTenants.ts"
import type { OpenTenant } from "../../sync/library/many/OpenTenant.ts"
import type { House } from "../daemon/Main.ts"
import type { Token } from "../daemon/Tokens.ts"
import { baseOf } from "./Addresses.ts"

export interface TenantHouse extends House {
  readonly tenant: string
}

/**
 * @param url of the daemon
 * @param tokens those that are good for every tenant
 */
export const houseOf = (
  all: ManyTenants,
  { configuration, tenant: { name } }: OpenTenant,
  url: string,
  tokens: ReadonlyArray<Token>
): TenantHouse => ({
  tenant: name,
  url: `${url}${baseOf(name)}`,
  configuration: Effect.succeed(configuration),
  daemon: {
    ask: (connection) => Effect.ignore(all.ask(name, connection)),
    wake: all.look(name)
  },
  // Each run reads the configuration anew.
  reread: Effect.void,
  events: Stream.filterMap(all.events, ({ event, tenant }) =>
    tenant === name && event.type === "turn" ? Result.succeed(event.event) : Result.failVoid
  ),
  tokens
})
