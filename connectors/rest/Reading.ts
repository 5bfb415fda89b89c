/**
 * Reads a declared source: list after list, page after page.
 *
 * Each list has its own mark: the time, by the source's clock, at which its last complete read began. The mark moves when a
 * read is complete; until then the bookmark has the next page, from which an interrupted read continues.
 */
import { Array as Arr, Clock, Effect, Option, Schema, Stream } from "effect"
import type * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Instant from "../../core/wire/Instant.ts"
import * as Json from "../Json.ts"
import type { Answer } from "../Judge.ts"
import type { Asked, Read, Source } from "./Asking.ts"
import { again, atOnce, CHUNK } from "./Again.ts"
import { decoded, named, shared, strays, wholes } from "./Children.ts"
import type { Changes, Declaration, Root } from "./Declaration.ts"
import * as Joined from "./Joined.ts"
import * as Numbered from "./Numbered.ts"
import * as Parts from "./Parts.ts"
import * as Turn from "./Turn.ts"
import * as Windows from "./Windows.ts"

// biome-ignore lint/suspicious/noExplicitAny: any source
type Any = Declaration<string, any>

export const Bookmark = Schema.Struct({
  /** By list, milliseconds since the epoch: later changes are read next. */
  marks: Schema.Record(Schema.String, Schema.Number),
  /** The unfinished read: its list, when it began, and its position. */
  now: Schema.optionalKey(
    Schema.Struct({
      list: Schema.String,
      began: Schema.Number,
      page: Schema.Int,
      total: Schema.optionalKey(Schema.Int),
      from: Schema.optionalKey(Schema.String),
      window: Schema.optionalKey(Schema.Struct({ from: Schema.Number, until: Schema.Number, end: Schema.Number })),
      part: Schema.optionalKey(Schema.String)
    })
  )
})
export type Bookmark = typeof Bookmark.Type
type Page = Connector.Page<Bookmark>

/** By how much this machine's clock may be wrong; used if the source does not state its time. */
const MARGIN_MS = 86_400_000
interface State {
  readonly marks: Bookmark["marks"]
  readonly list: number
  readonly began: number | undefined
  readonly at: Turn.At
  /** For a list queried by time: the current period, once begun. */
  readonly window: Windows.Window | undefined
  /** For a list read per record of another one: the current record, once begun. `part` comes from a bookmark. */
  readonly parts: Parts.Parts | undefined
  readonly part: string | undefined
  /** Records of this list read so far. */
  readonly read: number
  /** For a first pull: the lists of all children, once read. */
  readonly joined: Joined.Joined | undefined
  /** The changed records that this pull read, of lists whose records another list names: `orders/71`. */
  readonly known: Set<string>
}

export interface Reading {
  readonly declaration: Any
  readonly settings: never
  readonly source: Source
  /** For a preview: the number of records of each list that are needed. */
  readonly wanted: number | undefined
}

/** The time of an answer by the source's clock, less a second, because the data was read before the answer was sent. */
const clock = (d: Any, answer: Answer): Effect.Effect<number> => {
  const said = Turn.said(answer, d.clock ?? "header:date")
  const at = said === undefined ? Number.NaN : Math.max(Date.parse(said), -1)
  if (at > 0) return Effect.succeed(at - 1000)
  return Effect.map(Clock.currentTimeMillis, (now) => now - MARGIN_MS)
}

const formatted = (millis: number, format: Extract<Changes, { since: unknown }>["format"]): string => {
  if (typeof format === "function") return format(millis)
  return format === "seconds" ? String(Math.floor(millis / 1000)) : new Date(millis).toISOString()
}

/** The query for changes since a list's mark; without a mark, for everything, or since the time in the settings. */
const changesOf = (
  { declaration: d, settings }: Reading,
  { changes, from: begin }: Root<never>,
  mark: number | undefined
): Http.Query => {
  if (typeof changes !== "object" || !("since" in changes)) return {}
  const { format, inclusive, look, resolution = 1, since } = changes
  if (mark === undefined) {
    const first = begin?.(settings)
    return first === undefined ? {} : typeof since === "string" ? { [since]: first } : since(String(first))
  }
  const unit = resolution * 1000
  const behind = mark - (d.overlapSeconds + (look?.back ?? 0)) * 1000
  const from = formatted(Math.floor(behind / unit) * unit - (inclusive ? 0 : unit), format)
  return typeof since === "string" ? { [since]: from } : since(from)
}

/** Whether a list that comes newest first has reached records that were read before and are too old to change. */
const isBehind = ({ changes }: Root<never>, mark: number | undefined, records: ReadonlyArray<unknown>): boolean => {
  if (mark === undefined || changes === "complete scan" || !("newest" in changes) || records.length === 0) return false
  return records.every((record) => {
    const said = Json.isObject(record) ? Json.nameOf(new Json.Fields(record).get(changes.newest)) : undefined
    return Instant.toEpochMillis(said ?? "") < mark - changes.reach * 1000
  })
}

/** The queried records in which something happened since the list's mark. */
const happened = (d: Any, { changes }: Root<never>, mark: number | undefined, records: ReadonlyArray<unknown>) => {
  const look = typeof changes === "object" && "since" in changes ? changes.look : undefined
  if (look === undefined || mark === undefined) return records
  const from = mark - d.overlapSeconds * 1000 - 1000
  return records.filter((record) => {
    try {
      // A record with an unreadable time is included.
      return (
        !Json.isObject(record) || look.times(new Json.Fields(record)).some((at) => !(Instant.toEpochMillis(at) < from))
      )
    } catch (cause) {
      if (cause instanceof Json.Unfit) return true
      throw cause
    }
  })
}

/** Splits a page into parts that are stored separately. */
const parts = (
  reading: Reading,
  root: Root<never>,
  { joined, known: there, marks }: State,
  records: ReadonlyArray<unknown>
): Read<ReadonlyArray<Read<Json.Batch>>> => {
  const { declaration, settings, source } = reading
  const { of } = root
  if (of !== undefined) {
    const target = listAt(
      declaration,
      declaration.lists.findIndex(({ name }) => name === of.list)
    )
    const odd = strays(root, records, of.by)
    const unread = named(records, of.by).filter((id) => !there.has(`${of.list}/${id}`))
    const all = Arr.chunksOf(unread, atOnce(target)).map((ids) => again(reading, target, ids))
    return Effect.succeed(odd.quarantined.length === 0 ? all : [Effect.succeed(odd), ...all])
  }
  if (marks[root.name] !== undefined && declaration.lists.some((other) => other.of?.list === root.name))
    for (const record of records) there.add(`${root.name}/${Json.nameAt(record, root.id ?? "id")}`)
  const isDear = Object.entries(root.children ?? {}).some(
    ([name, { by }]) => by === "each" && joined?.of.has(name) !== true
  )
  const most = isDear ? CHUNK : Numbered.isNumbered(root) ? root.size.most : Math.max(1, records.length)
  const chunks = Arr.chunksOf(records, most)
  return Effect.map(shared(source, root, records, joined), (known) => {
    const all = chunks.map((chunk) =>
      Effect.map(wholes(source, root, chunk, known), (found) => decoded(root, settings, found, known))
    )
    return known.strays.quarantined.length === 0 ? all : [Effect.succeed(known.strays), ...all]
  })
}

/** The next list; in a first pull, lists with `reads: "changes"` are skipped. */
const passing = (d: Any, marks: Bookmark["marks"], list: number): Pick<State, "marks" | "list"> => {
  const root = d.lists[list]
  if (root?.reads !== "changes" || marks[root.name] !== undefined) return { marks, list }
  const first = marks[d.lists[0].name]
  return passing(d, first === undefined ? marks : { ...marks, [root.name]: first }, list + 1)
}

/** The list with this index; bookmarks and states have no other. */
const listAt = (d: Any, number: number): Root<never> => {
  const list = d.lists[number]
  if (list === undefined) throw new Error(`${d.name} has no list ${number}`)
  return list
}

/** The state before a list is begun. */
const BEGIN = {
  began: undefined,
  at: Turn.begin(),
  window: undefined,
  parts: undefined,
  part: undefined,
  read: 0,
  joined: undefined
}

const stateOf = (d: Any, { marks, now }: Bookmark): State => {
  const found = now === undefined ? -1 : d.lists.findIndex(({ name }) => name === now.list)
  const known = new Set<string>()
  if (now === undefined || found < 0) return { ...passing(d, marks, 0), ...BEGIN, known }
  // An interrupted complete scan starts again.
  const isScan = listAt(d, found).changes === "complete scan"
  if (isScan) return { marks, list: found, ...BEGIN, known }
  const at = Turn.begin({ page: now.page, ...Json.present({ total: now.total, from: now.from }) })
  return { ...BEGIN, marks, list: found, began: now.began, at, window: now.window, part: now.part, known }
}

const bookmarkOf = (d: Any, { at, began, list, marks, parts, window }: State): Bookmark => {
  const root = d.lists[list]
  // For a list that was not begun, the bookmark is the end of the previous list.
  if (root === undefined || began === undefined) return { marks, ...ahead(d, list) }
  return {
    marks,
    now: { list: root.name, began, ...Turn.kept(at), ...Json.present({ window, part: parts?.ids[parts.at] }) }
  }
}

const ahead = (d: Any, list: number): Pick<Bookmark, "now"> => {
  const root = d.lists[list]
  return root === undefined || list === 0 ? {} : { now: { list: root.name, began: 0, page: 1 } }
}

interface Step {
  readonly state: State
  readonly isLeft: boolean
  readonly notices: ReadonlyArray<string>
}

/** The state after this page. */
const step = (reading: Reading, state: State, root: Root<never>, asked: Asked, began: number): Step => {
  const { declaration: d, wanted = Number.POSITIVE_INFINITY } = reading
  const isNumbered = Numbered.isNumbered(root)
  const { page } = state.at
  const turned = isNumbered
    ? Numbered.turn(asked, page, state.read === 0 && state.marks[root.name] === undefined)
    : Turn.turn(state.at, root, asked.answer, asked.keys)
  const { notices } = turned
  const window =
    state.window === undefined || turned.next !== undefined ? state.window : Windows.next(root, state.window)
  const parts = state.parts === undefined || turned.next !== undefined ? state.parts : Parts.next(state.parts)
  const isMore = window !== undefined || parts !== undefined
  const next = turned.next ?? (isMore ? Turn.begin() : undefined)
  const read = state.read + asked.records.length
  const isLeft = next !== undefined && read >= wanted
  if (next !== undefined && !isLeft && !isBehind(root, state.marks[root.name], asked.records))
    return { state: { ...state, began, at: next, window, parts, read }, isLeft, notices }
  // What was changed since this pull read its record is named again by the next one.
  const other = root.of === undefined ? began : (state.marks[root.of.list] ?? began)
  const mark = isNumbered ? page : Math.min(began, other, state.window?.end ?? began)
  const passed = passing(d, { ...state.marks, [root.name]: mark }, state.list + 1)
  return { state: { ...passed, ...BEGIN, known: state.known }, isLeft, notices }
}

/** The pages made from one answer. */
const pagesOf = (
  reading: Reading,
  state: State,
  asked: Asked,
  began: number,
  each: ReadonlyArray<Read<Json.Batch>>
) => {
  const { declaration: d } = reading
  const root = listAt(d, state.list)
  const { isLeft, notices, state: next } = step(reading, state, root, asked, began)
  const isScan = root.changes === "complete scan"
  const begins = isScan && state.at.page === 1 && (state.parts?.at ?? 0) === 0 ? { begins: true } : {}
  const ends = isScan && next.list !== state.list && !isLeft ? { ends: true } : {}
  // If any list is scanned, every page must name its own list, or it would count as part of the previous scan.
  const isScanned = isLeft || d.lists.some(({ changes }) => changes === "complete scan")
  const odd = notices.map((what) => ({ origin: `${root.name}, page ${state.at.page}`, what }))
  const all = each.length === 0 ? [Effect.succeed(Json.batch())] : each
  const pages = all.map((part, n) => {
    const isLast = n === all.length - 1
    return Effect.map(part, (into): Page => {
      if (isLast) into.notices.push(...odd)
      const scan = { name: root.name, ...(n === 0 ? begins : {}), ...(isLast ? ends : {}) }
      return {
        ...into,
        bookmark: bookmarkOf(d, isLast ? next : { ...state, began }),
        ...(isScanned ? { scan: isLeft && n === 0 ? { ...scan, begins: true } : scan } : {})
      }
    })
  })
  return [pages, next.list < d.lists.length ? Option.some(next) : Option.none<State>()] as const
}

/** The answer for a list that is read per record of another list, when there are no such records. */
const NOTHING: Asked = { answer: { status: 204, body: undefined, headers: {} }, records: [], keys: [] }

interface Answered {
  readonly asked: Asked
  readonly state: State
}

/** Requests a page; if the source no longer accepts the cursor, requests the list's first page again. */
const ask = (reading: Reading, root: Root<never>, state: State): Read<Answered> => {
  const { declaration: d, source } = reading
  if (Numbered.isNumbered(root))
    return Effect.map(Numbered.ask(d.name, source, root, state.at.page), (asked) => ({ asked, state }))
  if (state.parts?.ids.length === 0) return Effect.succeed({ asked: NOTHING, state })
  const changes =
    state.window === undefined ? changesOf(reading, root, state.marks[root.name]) : Windows.query(root, state.window)
  const isHeader = typeof root.changes === "object" && "since" in root.changes && root.changes.in === "header"
  const query = { ...(isHeader ? {} : changes), ...Parts.query(root, state.parts) }
  const headers = isHeader ? Http.texts(changes) : {}
  const page = Effect.map(source.page(root, state.at, root.path, query, headers), (asked) => ({ asked, state }))
  return Effect.catch(page, (error) => {
    if (error.reason._tag !== "Misconfigured") return Effect.fail(error)
    const half = state.window === undefined ? undefined : Windows.halved(root, state.window, error.reason.what)
    if (half !== undefined) return ask(reading, root, { ...state, window: half, at: Turn.begin() })
    const first = Turn.isCursor(root, state.at) ? Turn.restarted(state.at) : undefined
    return first === undefined ? Effect.fail(error) : ask(reading, root, { ...state, at: first })
  })
}

/** Begins a list that is queried by time or number with its first period or number. */
const begun = ({ declaration: d, settings, source }: Reading, root: Root<never>, state: State): Read<State> => {
  const mark = state.marks[root.name]
  if (Numbered.isNumbered(root)) {
    const page = Math.max(state.at.page, Numbered.first(root, settings, mark))
    return Effect.succeed({ ...state, at: Turn.begin({ page }) })
  }
  const parts = state.parts === undefined ? Parts.begin(d.name, source, root, state.part) : Effect.succeed(state.parts)
  return Effect.zipWith(Clock.currentTimeMillis, parts, (now, parts) => ({
    ...state,
    parts,
    window: state.window ?? Windows.first(root, settings, mark, d.overlapSeconds, now)
  }))
}

/** In a first pull, the lists of all children are read once. A preview reads too few records for that to take less. */
const joinedWith = ({ source, wanted }: Reading, root: Root<never>, state: State): Read<State> =>
  state.joined !== undefined || wanted !== undefined || state.marks[root.name] !== undefined
    ? Effect.succeed(state)
    : Effect.map(Joined.begin(source, root), (joined) => ({ ...state, joined }))

export const pull = (
  reading: Reading,
  after: Bookmark | undefined
): Stream.Stream<Page, Connector.SourceError, Connector.Requirements> => {
  const { declaration: d } = reading
  return Stream.paginate(stateOf(d, after ?? { marks: {} }), (before) =>
    Effect.gen(function* () {
      const root = listAt(d, before.list)
      const { asked, state } = yield* ask(reading, root, yield* begun(reading, root, before))
      const began = state.began === undefined || state.began === 0 ? yield* clock(d, asked.answer) : state.began
      const records = happened(d, root, state.marks[root.name], asked.records)
      const joining = yield* joinedWith(reading, root, state)
      const each = yield* parts(reading, root, joining, records)
      const odd = state.joined === undefined ? (joining.joined?.strays ?? []) : []
      return pagesOf(reading, joining, asked, began, [...odd.map((one) => Effect.succeed(one)), ...each])
    })
  ).pipe(Stream.mapEffect((page) => page))
}
