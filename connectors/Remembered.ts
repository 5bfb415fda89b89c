/**
 * Which events of a source were read: the next reading begins a little before the end of the last one, so that what was
 * listed late is seen, and would read again all that the events of that time are about.
 */

/** Events that a bookmark names at most. */
const MOST = 2000

/** What an event is called, and when it happened, in whatever unit the source counts. */
interface Event {
  readonly id: string | undefined
  readonly at: number
}

/** The names of those that will be listed again: from `since` on. */
export const remembered = (events: ReadonlyArray<Event>, since: number): ReadonlyArray<string> =>
  events
    .filter(({ at }) => at >= since)
    .flatMap(({ id }) => id ?? [])
    .slice(0, MOST)
