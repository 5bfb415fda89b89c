/**
 * Sends a tenant's alerts once its run has ended, from the tenant's own queue: what was not accepted is tried again by its next run, with
 * which quiet hours and digests end. Disk and clock are those of the machine, and no tenant's concern.
 */
import { Cause, Effect } from "effect"
import * as Watching from "../../alerts/Watching.ts"
import { Database } from "../../state/Database.ts"
import type { TurnHandle } from "../../tenants/Loop.ts"
import { messageOf } from "../Exit.ts"
import { hide } from "../Hidden.ts"
import type { OpenTenant } from "./OpenTenant.ts"

/** A channel that does not answer holds up no other tenant, as a slow source does not. */
export const tellPeople = (
  { configuration, db, handle, tenant }: OpenTenant,
  turn: TurnHandle
): Effect.Effect<void> => {
  if (configuration.alerts === undefined) return Effect.void
  const telling = Watching.once({
    setup: Effect.succeed(configuration),
    tenant: true,
    hide,
    onDelivered: (delivered) => handle.publish({ type: "alert", ...delivered })
  }).pipe(Effect.provideService(Database, db))
  return Effect.suspend(() => {
    turn.asksSource()
    return handle.given(telling)
  }).pipe(
    Effect.ensuring(Effect.sync(() => turn.sourceAnswered())),
    Effect.catchCause((cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.interrupt
        : Effect.annotateLogs(Effect.logWarning(hide(`alerts could not be sent: ${messageOf(Cause.squash(cause))}`)), {
            tenant: tenant.name
          })
    )
  )
}
