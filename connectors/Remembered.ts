/**
 * Remembers which of a source's recent events were read. Each read begins a little before the end of the previous one, so
 * that events listed late are seen; without this, the documents of the overlap would all be read again.
 */

/** Maximum number of events that a bookmark keeps. */
const MOST = 2000

/** An event's id, and when it happened, in the source's own unit. */
interface Event {
  readonly id: string | undefined
  readonly at: number
}

/** The ids of the events from `since` on, which will be listed again. */
export const remembered = (events: ReadonlyArray<Event>, since: number): ReadonlyArray<string> =>
  events
    .filter(({ at }) => at >= since)
    .flatMap(({ id }) => id ?? [])
    .slice(0, MOST)
