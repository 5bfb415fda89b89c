/**
 * SQL: reads any query of a PostgreSQL, MySQL, MariaDB or SQLite database. Columns are configured as for files.
 *
 * A stream with a cursor reads what changed, ordered by cursor and id, from a little before the end of the last read; rows
 * without a cursor value are read every time. A stream without a cursor is read completely every time, and missing rows
 * count as deleted. All streams of a pull see the same snapshot of the database.
 */
import { Array as Arr, Clock, Effect, Schema, Stream } from "effect"
import { hash } from "node:crypto"
import * as Connector from "../Connector.ts"
import * as CountryNames from "../../core/wire/CountryNames.ts"
import { TABLE_KINDS } from "../tabular/RowReader.ts"
import { STREAMS, type Stream as StreamName } from "../tabular/Streams.ts"
import * as Address from "./Address.ts"
import * as Cursor from "./Cursor.ts"
import type { Driver } from "./Driver.ts"
import { sourceError } from "./Failures.ts"
import * as Reading from "./Reading.ts"
import { Settings } from "./Settings.ts"

const Bookmark = Schema.Struct({ streams: Schema.Record(Schema.String, Cursor.Mark) })
type Bookmark = typeof Bookmark.Type
type Page = Connector.Page<Bookmark>

/** Part of every digest. Raise it when the same rows are mapped differently, so that everything is read again. */
const READER = 1
const PAGE = 500
/** Invoices per query. */
const CHUNK = 200

const streamsOf = (settings: Settings): ReadonlyArray<Reading.Stream> =>
  STREAMS.flatMap((name) => (settings[name] === undefined ? [] : [{ name, settings: settings[name] }]))

/** Loads what the stream needs beforehand. */
const prepared = async (stream: Reading.Stream): Promise<Reading.Stream> => {
  const { language } = stream.settings
  return language === undefined ? stream : { ...stream, countries: await CountryNames.load(language) }
}

/** What reading needs beside the settings. */
interface Surroundings extends Connector.ConnectorContext {
  /** Ends what is read, whatever it waits for. */
  readonly signal: AbortSignal
}

/** Ends what is read as soon as nobody reads it any more, even if the database does not answer. */
const ending = <A>(
  surroundings: Connector.ConnectorContext,
  read: (surroundings: Surroundings) => AsyncGenerator<A>
): AsyncIterable<A> => ({
  [Symbol.asyncIterator]: () => {
    const end = new AbortController()
    const each = read({ ...surroundings, signal: end.signal })
    return {
      next: () => each.next(),
      return: () => {
        end.abort()
        return each.return(undefined)
      }
    }
  }
})

/** Opens the database for one task. Turns every error into a message without secrets. */
async function* within<A>(
  settings: Settings,
  surroundings: Surroundings,
  work: (driver: Driver, at: (where: string) => void) => AsyncGenerator<A>
): AsyncGenerator<A> {
  const { open, place } = Address.of(settings, surroundings)
  let where = "the connection"
  let driver: Driver | undefined
  try {
    driver = await open(surroundings.signal)
    yield* work(driver, (next) => {
      where = next
    })
  } catch (cause) {
    throw sourceError(cause, place, where)
  } finally {
    await driver?.close()
  }
}

const digestOf = (stream: Reading.Stream, table: Reading.Table): string =>
  hash("sha1", JSON.stringify([READER, stream.settings, table.cursor?.type, table.id.type]), "base64url")

const read = (settings: Settings, after: Bookmark | undefined, surroundings: Surroundings, now: number) =>
  within(settings, surroundings, async function* (driver, at): AsyncGenerator<Page> {
    const marks: { [stream: string]: Cursor.Mark } = { ...after?.streams }
    for (const stream of streamsOf(settings)) {
      at(`the query for ${stream.name}`)
      const table = await Reading.table(driver, stream)
      const of = digestOf(stream, table)
      const held = marks[stream.name]
      const from = held?.of === of ? held : undefined
      const { first = Number.POSITIVE_INFINITY } = surroundings
      const options = { from, of, now, size: Math.min(settings.page ?? PAGE, first) }
      let records = 0
      for await (const { mark, ...page } of Reading.pages(driver, await prepared(stream), table, options)) {
        if (mark === undefined) delete marks[stream.name]
        else marks[stream.name] = mark
        yield { ...page, bookmark: { streams: { ...marks } } }
        records += page.read.length + page.quarantined.length
        if (records >= first) break
      }
    }
  })

const again = (settings: Settings, ids: ReadonlyArray<string>, surroundings: Surroundings) =>
  within(settings, surroundings, async function* (driver, at): AsyncGenerator<Connector.PageContents> {
    // Streams without a cursor are skipped: every pull reads them completely anyway.
    const asked: Array<{ readonly stream: Reading.Stream; readonly table: Reading.Table; readonly by: string }> = []
    for (const stream of streamsOf(settings)) {
      const about = ABOUT[stream.name]
      const columns = stream.settings.columns as { readonly [field: string]: string | undefined }
      const by = about === undefined ? undefined : columns[about]
      if (stream.settings.cursor === undefined || by === undefined) continue
      at(`the query for ${stream.name}`)
      asked.push({ stream: await prepared(stream), table: await Reading.table(driver, stream), by })
    }
    for (const chunk of Arr.chunksOf(ids, CHUNK)) {
      for (const { by, stream, table } of asked) {
        at(`the query for ${stream.name}`)
        yield* Reading.again(driver, stream, table, by, chunk)
      }
    }
  })

/** The column by which a stream is queried for what belongs to an invoice. */
const ABOUT: { readonly [name in StreamName]?: "id" | "invoice" } = {
  invoices: "id",
  payments: "invoice",
  credit_notes: "invoice"
}

/** What `daybook doctor` reports about each query. */
async function* checked(settings: Settings, surroundings: Surroundings): AsyncGenerator<string> {
  for (const stream of streamsOf(settings)) {
    try {
      const each = within<never>(settings, surroundings, async function* (driver, at) {
        at(`the query for ${stream.name}`)
        await Reading.table(driver, stream)
      })
      for await (const _ of each);
    } catch (cause) {
      const { message, reason } = cause as Connector.SourceError
      yield message.replace(/^sql: /, "")
      if (reason._tag === "Unreachable" || reason._tag === "Unavailable") return
    }
  }
}

const failed = (cause: unknown): Connector.SourceError =>
  cause instanceof Connector.SourceError
    ? cause
    : sourceError(cause, { name: "the database", setting: "the settings", secrets: [] })

export const sql = Connector.make({
  name: "sql",
  title: "PostgreSQL, MySQL, MariaDB and SQLite, by query",
  capabilities: {
    kinds: TABLE_KINDS,
    onThisMachine: true,
    deletions: "complete scan",
    blindSpots: [
      "of a query with a cursor: deleted rows (remove the cursor, or name a column with deleted), and edits that do not change the cursor"
    ],
    authorises: "key",
    firstOfEach: true,
    linksByNumber: true,
    overlapSeconds: Cursor.OVERLAP_SECONDS,
    limits: { page: PAGE }
  },
  settings: Settings,
  bookmark: Bookmark,
  check: (settings: Settings, surroundings) =>
    Effect.tryPromise({
      try: async (signal) => {
        const problems = new Set<string>()
        for await (const problem of checked(settings, { ...surroundings, signal })) problems.add(problem)
        return [...problems]
      },
      catch: failed
    }),
  pull: (settings: Settings, after, surroundings) =>
    Stream.unwrap(
      Effect.map(Clock.currentTimeMillis, (now) =>
        Stream.fromAsyncIterable(
          ending(surroundings, (all) => read(settings, after, all, now)),
          failed
        )
      )
    ),
  reread: (settings: Settings, ids, surroundings) =>
    Stream.fromAsyncIterable(
      ending(surroundings, (all) => again(settings, ids, all)),
      failed
    )
})
