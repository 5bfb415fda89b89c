/**
 * Decides whether a request may be sent, at the last moment before its bytes are written: a process that works under a lease may
 * have been suspended since it last checked the lease. By default, every request may be sent.
 */
import { Context } from "effect"

export const MayLeave = Context.Reference<() => boolean>("daybook/core/wire/MayLeave", {
  defaultValue: () => () => true
})

export class LeaseOver extends Error {
  constructor() {
    super("not sent: the lease of this node is over, and another may have its tenants")
  }
}
