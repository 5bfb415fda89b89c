/**
 * Reads QuickBooks Online's records by query, oldest first. Creation times never change, so edits and deletions meanwhile
 * hide no record. Records created in the same second are told apart by position: each page begins with the last record that
 * was read. If that is no longer at its position, a record before it was deleted, and the second is read again.
 */
import { Clock, Effect, Option, Stream } from "effect"
import type { HttpClient } from "effect/http"
import * as Instant from "../../core/wire/Instant.ts"
import type * as Connector from "../Connector.ts"
import type { Kind } from "../Document.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Paging from "../Paging.ts"
import * as Mapping from "./Mapping.ts"
import type { Bookmark, Settings } from "./Settings.ts"

export interface List {
  readonly name: string
  readonly kind: Kind
  readonly decode: Mapping.Mapping
}

export const LISTS: ReadonlyArray<List> = [
  { name: "Invoice", kind: "invoice", decode: Mapping.invoice },
  { name: "Payment", kind: "payment", decode: Mapping.payment },
  { name: "RefundReceipt", kind: "reversal", decode: Mapping.refund }
]

/** Maximum records per answer. */
export const SIZE = 1000
/** The minor version of the API that this was written for. */
export const MINOR = 75

export type Read<A> = Effect.Effect<A, Connector.SourceError, HttpClient.HttpClient>
export type Page = Connector.Page<Bookmark>

interface Answer {
  readonly records: ReadonlyArray<unknown>
  /** Milliseconds since the epoch, by QuickBooks's own clock. */
  readonly time: number
}

/** The time of the answer; by this machine's clock if QuickBooks does not state it. */
export const timeOf = (body: unknown): Read<number> => {
  const said = Json.fieldsOf(body).get("time")
  const millis = typeof said === "string" ? Instant.toEpochMillis(said) : Number.NaN
  return Number.isNaN(millis) ? Clock.currentTimeMillis : Effect.succeed(millis)
}

/** `QueryResponse` has no list at all when nothing matches; an answer without `QueryResponse` is invalid. */
export const query = (http: Http.Http, { name }: List, rest: string): Read<Answer> =>
  Effect.gen(function* () {
    const answer = yield* http.get("/query", { query: `SELECT * FROM ${name} ${rest}`, minorversion: MINOR })
    const found = Json.fieldsOf(answer.body).get("QueryResponse")
    const body = Json.isObject(found) ? { [name]: found[name] ?? [] } : answer.body
    const records = yield* Http.records("quickbooks", `/query of ${name}`, { ...answer, body }, name)
    return { records, time: yield* timeOf(answer.body) }
  })

export const idOf = (record: unknown): string => Json.nameOf(Json.fieldsOf(record).get("Id")) ?? ""
const createdOf = (record: unknown): string => Json.nameOf(Json.fieldsOf(record).get("MetaData.CreateTime")) ?? ""

export const decoded = (list: List, records: ReadonlyArray<unknown>, settings: Settings): Json.Batch => {
  const into = Json.batch()
  Json.decodeAll(into, records, { name: list.name, kind: list.kind, id: "Id", decode: list.decode(settings) })
  return into
}

interface At {
  readonly began: number | undefined
  readonly list: number
  readonly from: string | undefined
  readonly skip: number
  /** The record that was read last, if records are skipped. */
  readonly last: string | undefined
  /** How often a second was read again. */
  readonly again: number
  readonly seen: Paging.ReadPages
  readonly begins: boolean
}

/** A position once the source's time is known. */
type Begun = At & { readonly began: number }

/** The limit for reading a second again: nobody deletes more records in one second. */
const AGAIN = 10

const START = { from: undefined, skip: 0, last: undefined, again: 0, seen: Paging.nothing } as const

/** The position after these records; undefined if they bring nothing new. */
const behind = (at: At, records: ReadonlyArray<unknown>): Pick<At, keyof typeof START> | undefined => {
  const seen = records.length === 0 ? undefined : Paging.seeing(at.seen, Paging.keysOf(records, "Id"))
  if (seen === undefined) return undefined
  const dated = records.map(createdOf).filter((text) => !Number.isNaN(Instant.toEpochMillis(text)))
  const [first, last] = [dated[0] ?? "", dated[dated.length - 1] ?? ""]
  const [begun, ended] = [Instant.toEpochMillis(first), Instant.toEpochMillis(last)]
  const { again } = at
  if (ended > begun) return { from: last, skip: 0, last: undefined, again, seen }
  // All records of the page have the same time, or none: continue by position, within that time.
  const on = Number.isNaN(ended) || (at.from !== undefined && Instant.toEpochMillis(at.from) === ended)
  const its = idOf(records[records.length - 1])
  const { length } = records
  return on
    ? { from: at.from, skip: at.skip + length, last: its, again, seen }
    : { from: last, skip: length, last: its, again, seen }
}

/** Reads one page: the records that were not read yet, and the next position. */
const read = (http: Http.Http, list: List, at: At) =>
  Effect.gen(function* () {
    const where = at.from === undefined ? "" : `WHERE MetaData.CreateTime >= '${at.from}' `
    const position = at.last === undefined ? at.skip + 1 : at.skip
    const found = yield* query(
      http,
      list,
      `${where}ORDERBY MetaData.CreateTime STARTPOSITION ${position} MAXRESULTS ${SIZE}`
    )
    if (at.last === undefined) return { ...found, on: behind(at, found.records) }
    if (idOf(found.records[0]) !== at.last && at.again < AGAIN) {
      return { ...found, on: { ...START, from: at.from, again: at.again + 1 } }
    }
    const records = found.records.slice(1)
    return { ...found, records, on: behind(at, records) }
  })

/**
 * Reads every record of these lists. Each list is a part: records not seen between its beginning and its end were deleted.
 *
 * @param bookmark makes the bookmark of a page that another one follows
 * @param preview whether one full answer of each list is enough
 */
export const scan = (
  http: Http.Http,
  settings: Settings,
  lists: ReadonlyArray<List>,
  first: Partial<At>,
  bookmark: (next: Begun) => Bookmark,
  preview = false
) => {
  const begin: At = {
    ...START,
    began: undefined,
    list: 0,
    begins: true,
    ...first
  }
  return Stream.paginate(begin, (at) =>
    Effect.gen(function* () {
      const list = lists[at.list]
      if (list === undefined) return [[], Option.none<At>()] as const
      const { on, records, time } = yield* read(http, list, at)
      const began = at.began ?? time
      const next: Begun =
        on === undefined || (preview && records.length >= SIZE)
          ? { ...START, began, list: at.list + 1, begins: true }
          : { ...on, began, list: at.list, begins: false }
      const done = next.list === lists.length
      const page: Page = {
        ...decoded(list, records, settings),
        bookmark: done ? { since: began } : bookmark(next),
        scan: {
          name: list.name,
          ...(at.begins ? { begins: true } : {}),
          ...(on === undefined ? { ends: true } : {})
        }
      }
      return [[page], done ? Option.none<At>() : Option.some(next)] as const
    })
  )
}

/** Reads everything for the first time; continues where it was interrupted. */
export const everything = (http: Http.Http, settings: Settings, { now }: Bookmark, preview: boolean) => {
  const first = now === undefined ? {} : { ...now, begins: now.from === undefined }
  const bookmark = ({ began, from, last, list, skip }: Begun): Bookmark => ({
    now: {
      began,
      list,
      ...(from === undefined ? {} : { from, skip }),
      ...(from === undefined || last === undefined ? {} : { last })
    }
  })
  return scan(http, settings, LISTS, first, bookmark, preview)
}
