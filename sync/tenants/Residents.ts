/** Decides which open tenant to close: the least recently used one, never one in use. Pure. */

export interface Resident {
  readonly name: string
  /** How many users it has now. */
  readonly users: number
  /** When it was last used. Milliseconds since the epoch. */
  readonly used: number
}

/** The one to close so that another can be opened; undefined if there is room, or if all are in use. */
export const toReplace = (open: Iterable<Resident>, count: number, most: number): string | undefined => {
  if (count < most) return undefined
  let oldest: Resident | undefined
  for (const one of open) if (one.users === 0 && (oldest === undefined || one.used < oldest.used)) oldest = one
  return oldest?.name
}

/** Those that have not been used for this long and may be closed. Setting the clock back keeps none open forever. */
export const unused = (open: Iterable<Resident>, now: number, after: number): ReadonlyArray<string> =>
  [...open].filter(({ used, users }) => users === 0 && Math.abs(now - used) >= after).map(({ name }) => name)
