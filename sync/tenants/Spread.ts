/**
 * Spreads the due runs of many tenants, so that a thousand that are due in the same minute do not start at the same instant.
 * Each is delayed a little, depending on its name, but never by more than a tenth of the time to its next run.
 */
import { spotOf } from "./Shard.ts"

/** The longest delay of a run. Milliseconds. */
export const SPREAD_MS = 10_000

/** @param period milliseconds from one due time to the next */
export const windowOf = (period: number, most: number): number => Math.max(0, Math.min(most, Math.floor(period / 10)))

/** When a run that is due at that time starts. One that is already late starts within the window from now. */
export const spread = (
  name: string,
  { due, now, window }: { readonly due: number; readonly now: number; readonly window: number }
): number => (Number.isFinite(due) ? Math.max(due, now) + spotOf(name, window) : due)
