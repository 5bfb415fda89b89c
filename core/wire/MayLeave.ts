/**
 * Decides whether a request may be sent, at the last moment before its bytes are written: a process that works for others may
 * have been suspended since it last knew that the work is still its own. By default, every request may be sent.
 */
import { Context, Effect } from "effect"

export interface Permission {
  /** Whether a request may leave now. */
  readonly may: () => boolean
  /** Asks for permission if it is too old. Whether it was given, `may` says. */
  readonly ask: Effect.Effect<void>
}

export const MayLeave = Context.Reference<Permission>("daybook/core/wire/MayLeave", {
  defaultValue: () => ({ may: () => true, ask: Effect.void })
})

/** Of a process that only reads what others work on. */
export const NEVER: Permission = { may: () => false, ask: Effect.void }

/** With permission that is as new as can be had; the last moment is the request's own. */
export const permitted = <A, E, R>(
  request: (permission: Permission) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(MayLeave, (permission) =>
    permission.may() ? request(permission) : Effect.flatMap(permission.ask, () => request(permission))
  )

export class LeaseOver extends Error {
  constructor() {
    super("not sent: nobody has confirmed just now that this process still has the tenant; another may have it")
  }
}
