/**
 * Whether a request may leave now, asked at the last moment before its bytes are written: of a program that does its work under a
 * lease, and may have stood still since it looked last. Always, unless the work is given something else.
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
