/**
 * How due runs of many tenants are spread, so that a thousand whose time is the same minute do not begin in the same
 * instant: each a little later than its time, by its name, and never by more than a tenth of the way to the next one.
 */
import { spotOf } from "./Shard.ts"

/** The most by which a run begins later than its time, where there is room. Milliseconds. */
export const SPREAD_MS = 10_000

/** @param period milliseconds from one due time to the next */
export const windowOf = (period: number, most: number): number => Math.max(0, Math.min(most, Math.floor(period / 10)))

/** When a tenant's run begins that is due then. One that is late already begins within the window from now. */
export const spread = (
  name: string,
  { due, now, window }: { readonly due: number; readonly now: number; readonly window: number }
): number => (Number.isFinite(due) ? Math.max(due, now) + spotOf(name, window) : due)
