/** Says whether runs go on. */

/** How long the oldest due run has waited, and since when none began or ended. Milliseconds. */
export interface Progress {
  readonly lateMs: number
  readonly stillMs: number
}

/** For so long one may be due without any run beginning or ending. Milliseconds. */
const STILL_MS = 60_000

/** Why work does not progress; undefined if it does, or there is none. */
export const standstill = ({ lateMs, stillMs }: Progress, waiting = "a tenant"): string | undefined =>
  Math.min(lateMs, stillMs) > STILL_MS
    ? `${waiting} has been due for ${Math.round(lateMs / 1000)} seconds, and no run begins or ends`
    : undefined
