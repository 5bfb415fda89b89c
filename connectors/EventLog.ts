/**
 * Reads sources that list everything for the first pull, and whose events then say what to read again. An event is a hint: its
 * content is never used, so the order in which events arrive does not matter. They come newest first, so the bookmark moves
 * only after all of them were read. Where events are kept for some time only, an older bookmark means that everything is read
 * again.
 */
import { Clock, Effect, Schema, Stream } from "effect"
import type { Page, PageContents, Requirements, SourceError } from "./Connector.ts"
import type { Read } from "./Cursors.ts"
import { remembered } from "./Remembered.ts"

export const Bookmark = Schema.Struct({
  /** During the first pull: the cursor after the last record that was read. */
  after: Schema.optionalKey(Schema.String),
  /** The source's time, in its own unit since the epoch: later events were not read yet. */
  since: Schema.Number,
  /** Whether the first pull is complete. */
  all: Schema.Boolean,
  /** Events already read that will be listed again, because each read begins a little before the end of the previous one. */
  read: Schema.optionalKey(Schema.Array(Schema.String))
})
type Bookmark = typeof Bookmark.Type

type Readings = ReadonlyArray<Read<PageContents>>

export interface EventLog {
  /** How many of the source's units of time a second has. */
  readonly second: number
  readonly overlapSeconds: number
  /** For how many seconds events are kept; undefined if for ever. */
  readonly keptSeconds?: number
  /** The newest event, if there is one. */
  readonly newest: Read<ReadonlyArray<unknown>>
  /** The events since this time, and what to read again because of some of them. */
  readonly since: (
    at: number
  ) => Read<{ readonly events: ReadonlyArray<unknown>; readonly again: (fresh: ReadonlyArray<unknown>) => Readings }>
  readonly idOf: (event: unknown) => string | undefined
  readonly timeOf: (event: unknown) => number
  /** Everything after this cursor, page by page, with the cursor after each. */
  readonly everything: (
    after: string | undefined
  ) => Stream.Stream<{ readonly into: PageContents; readonly next: string | undefined }, SourceError, Requirements>
}

/** By how much this machine's clock may be wrong: a day. */
const MARGIN_SECONDS = 86_400

const nowOf = ({ second }: EventLog) => Effect.map(Clock.currentTimeMillis, (now) => Math.floor((now * second) / 1000))

/** The latest of these times. Ignores those in the future: as a bookmark, they would hide all events until then. */
const latestOf = ({ second, timeOf }: EventLog, events: ReadonlyArray<unknown>, now: number, least: number): number => {
  const margin = MARGIN_SECONDS * second
  const times = events.map(timeOf).filter((at) => at <= now + margin)
  return times.reduce((latest, at) => Math.max(latest, at), Math.max(least, now - margin))
}

const changes = (log: EventLog, from: Bookmark) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { idOf, overlapSeconds, second, timeOf } = log
      const overlap = overlapSeconds * second
      const { again, events } = yield* log.since(from.since - overlap)
      const known = new Set(from.read)
      const fresh = events.filter((event) => !known.has(idOf(event) ?? ""))
      const since = latestOf(log, events, yield* nowOf(log), from.since)
      const seen = events.map((event) => ({ id: idOf(event), at: timeOf(event) }))
      const behind: Bookmark = { since, all: true, read: remembered(seen, since - overlap) }
      return Stream.fromIterable(again(fresh)).pipe(
        Stream.mapEffect((reading) => reading),
        Stream.map((page): Page<Bookmark> => ({ ...page, bookmark: from })),
        Stream.concat(Stream.make({ read: [], quarantined: [], bookmark: behind }))
      )
    })
  )

/** Reads everything, and then what changed meanwhile. */
const everything = (log: EventLog, from: Bookmark) => {
  const first = log.everything(from.after).pipe(
    Stream.map(
      ({ into, next }): Page<Bookmark> => ({
        ...into,
        bookmark: next === undefined ? from : { ...from, after: next }
      })
    )
  )
  const all: Bookmark = { since: from.since, all: true }
  const end = Stream.make<[Page<Bookmark>]>({ read: [], quarantined: [], bookmark: all })
  return Stream.concat(
    Stream.concat(first, end),
    Stream.suspend(() => changes(log, all))
  )
}

export const pull = (
  log: EventLog,
  after: Bookmark | undefined
): Stream.Stream<Page<Bookmark>, SourceError, Requirements> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const now = yield* nowOf(log)
      const { keptSeconds = Number.POSITIVE_INFINITY, second } = log
      if (after !== undefined && after.since >= now - keptSeconds * second)
        return after.all ? changes(log, after) : everything(log, after)
      // Without events, a day ago by this machine's clock.
      const since = latestOf(log, yield* log.newest, now, 0)
      return everything(log, { since, all: false })
    })
  )
