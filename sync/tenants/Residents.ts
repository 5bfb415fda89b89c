/** Who is closed of the tenants that are open: never one that is in use, and of the others who was used longest ago. Pure. */

export interface Resident {
  readonly name: string
  /** How many use it now. */
  readonly users: number
  /** When it was last used. Milliseconds since the epoch. */
  readonly used: number
}

/** The one to close for another to be opened; undefined while there is room, or where all are in use. */
export const toReplace = (open: Iterable<Resident>, count: number, most: number): string | undefined => {
  if (count < most) return undefined
  let oldest: Resident | undefined
  for (const one of open) if (one.users === 0 && (oldest === undefined || one.used < oldest.used)) oldest = one
  return oldest?.name
}

/** Those that nobody has used for so long, of which each may go. A clock that was set back makes nobody idle for ever. */
export const unused = (open: Iterable<Resident>, now: number, after: number): ReadonlyArray<string> =>
  [...open].filter(({ used, users }) => users === 0 && Math.abs(now - used) >= after).map(({ name }) => name)
