/**
 * Reads a declared source: list after list, page after page.
 *
 * Each list has its own mark: the time, by the source's clock, at which its last complete read began. The mark moves when a
 * read is complete; until then the bookmark has the next page, from which an interrupted read continues.
 */
import { Array as Arr, Clock, Effect, Option, Schema, Stream } from "effect"
import type * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import type { Asked, Read } from "./Asking.ts"
import { again, atOnce, CHUNK, withAlong } from "./Again.ts"
import { type Any, changesOf, clock, happened, highest, isBehind, type Reading } from "./Changes.ts"
import { decoded, named, shared, strays, together, wholes } from "./Children.ts"
import type { Root } from "./Declaration.ts"
import * as Joined from "./Joined.ts"
import * as Numbered from "./Numbered.ts"
import * as Parts from "./Parts.ts"
import * as Turn from "./Turn.ts"
import * as Unchanged from "./Unchanged.ts"
import * as Windows from "./Windows.ts"

export const Bookmark = Schema.Struct({
  /** By list, milliseconds since the epoch, or the highest number of a ledger: what is later is read next. */
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
  ),
  /** By list, its last complete read, for lists that are left out where nothing changed. */
  scans: Schema.optionalKey(Schema.Record(Schema.String, Unchanged.Read))
})
export type Bookmark = typeof Bookmark.Type
type Page = Connector.Page<Bookmark>

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
  /** What this pull learns of lists that are read completely. */
  readonly scan: Unchanged.Scan
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
      Effect.flatMap(wholes(source, root, chunk, known), (found) => {
        const into = decoded(root, settings, found, known)
        // A first pull reads all of them anyway.
        return marks[root.name] === undefined ? Effect.succeed(into) : withAlong(reading, root, found, into)
      })
    )
    const whole = root.together === undefined ? [] : [Effect.sync(() => together(root, records))]
    return [...(known.strays.quarantined.length === 0 ? [] : [Effect.succeed(known.strays)]), ...all, ...whole]
  })
}

const isLedger = (changes: Root<never>["changes"]): boolean => typeof changes === "object" && "above" in changes

/** The next list. A first pull skips lists with `reads: "changes"`; later ones, those of which another names what to read. */
const passing = (d: Any, marks: Bookmark["marks"], list: number): Pick<State, "marks" | "list"> => {
  const root = d.lists[list]
  if (root?.changes === "named" && marks[root.name] !== undefined) return passing(d, marks, list + 1)
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

const stateOf = (d: Any, { marks, now, scans }: Bookmark): State => {
  const found = now === undefined ? -1 : d.lists.findIndex(({ name }) => name === now.list)
  const all = { known: new Set<string>(), scan: Unchanged.begin(scans) }
  if (now === undefined || found < 0) return { ...passing(d, marks, 0), ...BEGIN, ...all }
  // An interrupted complete scan starts again.
  const isScan = listAt(d, found).changes === "complete scan"
  if (isScan) return { marks, list: found, ...BEGIN, ...all }
  const at = Turn.begin({ page: now.page, ...Json.present({ total: now.total, from: now.from }) })
  return { ...BEGIN, marks, list: found, began: now.began, at, window: now.window, part: now.part, ...all }
}

const bookmarkOf = (d: Any, { at, began, list, marks, parts, scan, window }: State): Bookmark => {
  const root = d.lists[list]
  const kept = { marks, ...(scan.done.size === 0 ? {} : { scans: Object.fromEntries(scan.done) }) }
  // For a list that was not begun, the bookmark is the end of the previous list.
  if (root === undefined || began === undefined) return { ...kept, ...ahead(d, list) }
  const part = Parts.current(parts)
  return { ...kept, now: { list: root.name, began, ...Turn.kept(at), ...Json.present({ window, part }) } }
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
  const { wanted = Number.POSITIVE_INFINITY } = reading
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
  const target = reading.declaration.lists.find(({ name }) => name === root.of?.list)
  const other = target === undefined || target.changes === "named" ? began : (state.marks[target.name] ?? began)
  const mark = isLedger(root.changes) ? began : isNumbered ? page : Math.min(began, other, state.window?.end ?? began)
  return { state: afterList(reading, state, root, mark), isLeft, notices }
}

/** The state after a list. */
const afterList = (
  { declaration: d }: Reading,
  { known, list, marks, scan }: State,
  { name }: Root<never>,
  mark: number
) => ({
  ...passing(d, { ...marks, [name]: mark }, list + 1),
  ...BEGIN,
  known,
  scan
})

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
  if (root.unless !== undefined)
    Unchanged.add(state.scan, root, asked, {
      part: Parts.current(state.parts),
      begins: "begins" in begins,
      isLast: next.list !== state.list || next.parts?.at !== state.parts?.at
    })
  // If any list is scanned, every page must name its own list, or it would count as part of the previous scan.
  const isScanned = isLeft || d.lists.some(({ changes }) => changes === "complete scan")
  const odd = notices.map((what) => ({ origin: `${root.name}, page ${state.at.page}`, what }))
  const all = each.length === 0 ? [Effect.succeed(Json.batch())] : each
  const pages = all.map((part, n) => {
    const isLast = n === all.length - 1
    return Effect.map(part, (into): Page => {
      if (isLast) into.notices.push(...odd)
      if (into.quarantined.length > 0) state.scan.isReadable = false
      if (isLast && "ends" in ends) Unchanged.end(state.scan, root, began)
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
  const query = { ...(isHeader ? {} : changes), ...Parts.query(root, Parts.current(state.parts)) }
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

/** Since when a list, of which nothing was read yet, is the same; undefined if it must be read. */
const sameSince = (reading: Reading, root: Root<never>, state: State) => {
  const mark = state.marks[root.name]
  const isBegun = state.began !== undefined && state.began !== 0
  return mark === undefined || isBegun || reading.wanted !== undefined
    ? Effect.succeed(undefined)
    : Unchanged.since(reading, root, state.scan, mark, state.parts)
}

export const pull = (
  reading: Reading,
  after: Bookmark | undefined
): Stream.Stream<Page, Connector.SourceError, Connector.Requirements> => {
  const { declaration: d } = reading
  return Stream.paginate(stateOf(d, after ?? { marks: {} }), (before) =>
    Effect.gen(function* () {
      const root = listAt(d, before.list)
      const ready = yield* begun(reading, root, before)
      const same = yield* sameSince(reading, root, ready)
      if (same !== undefined) {
        const next = afterList(reading, ready, root, same)
        const page: Page = { ...Json.batch(), bookmark: bookmarkOf(d, next), scan: { name: root.name } }
        return [[Effect.succeed(page)], next.list < d.lists.length ? Option.some(next) : Option.none<State>()] as const
      }
      const { asked, state } = yield* ask(reading, root, ready)
      const isBegun = state.began !== undefined && state.began !== 0
      const number = highest(root, asked.records, isBegun ? state.began : state.marks[root.name])
      const began = number ?? (isBegun ? state.began : yield* clock(d, asked.answer))
      const records = happened(d, root, state.marks[root.name], asked.records)
      const joining = yield* joinedWith(reading, root, state)
      const each = yield* parts(reading, root, joining, records)
      const odd = state.joined === undefined ? (joining.joined?.strays ?? []) : []
      return pagesOf(reading, joining, asked, began, [...odd.map((one) => Effect.succeed(one)), ...each])
    })
  ).pipe(Stream.mapEffect((page) => page))
}
