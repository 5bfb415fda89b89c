/**
 * QuickBooks Online's records by query, the oldest first. Creation times never move, so that an edit or a deletion
 * meanwhile pushes no record out of sight; records of one second are told apart by position.
 */
import { Clock, Effect, Option, Stream } from "effect"
import type { HttpClient } from "effect/http"
import * as Instant from "../../core/wire/Instant.ts"
import type * as Connector from "../Connector.ts"
import type { Kind } from "../Document.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
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

/** Records of one answer, at most. */
export const SIZE = 1000
/** The version of the interface that this was written for. */
export const MINOR = 75

export type Read<A> = Effect.Effect<A, Connector.SourceError, HttpClient.HttpClient>
export type Page = Connector.Page<Bookmark>

interface Answer {
  readonly records: ReadonlyArray<unknown>
  /** Milliseconds since the epoch, by QuickBooks's own clock. */
  readonly time: number
}

const fieldsOf = (body: unknown) => new Json.Fields(Json.isObject(body) ? body : {})

/** When QuickBooks answered; by this machine's clock where it does not say. */
export const timeOf = (body: unknown): Read<number> => {
  const said = fieldsOf(body).get("time")
  const millis = typeof said === "string" ? Instant.toEpochMillis(said) : Number.NaN
  return Number.isNaN(millis) ? Clock.currentTimeMillis : Effect.succeed(millis)
}

/** `QueryResponse` has no list at all when there is nothing to list; an answer without it is no answer. */
export const query = (http: Http.Http, { name }: List, rest: string): Read<Answer> =>
  Effect.gen(function* () {
    const answer = yield* http.get("/query", { query: `SELECT * FROM ${name} ${rest}`, minorversion: MINOR })
    const found = fieldsOf(answer.body).get("QueryResponse")
    const body = Json.isObject(found) ? { [name]: found[name] ?? [] } : answer.body
    const records = yield* Http.records("quickbooks", `/query of ${name}`, { ...answer, body }, name)
    return { records, time: yield* timeOf(answer.body) }
  })

export const idOf = (record: unknown): string => Json.nameOf(fieldsOf(record).get("Id")) ?? ""
const createdOf = (record: unknown): string => Json.nameOf(fieldsOf(record).get("MetaData.CreateTime")) ?? ""

export const decoded = (list: List, records: ReadonlyArray<unknown>, { currency }: Settings): Json.Batch => {
  const into = Json.batch()
  Json.decodeAll(into, records, { name: list.name, kind: list.kind, id: "Id", decode: list.decode(currency) })
  return into
}

interface At {
  readonly began: number | undefined
  readonly list: number
  readonly from: string | undefined
  readonly skip: number
  /** Ids of the last page. */
  readonly seen: ReadonlySet<string>
  readonly begins: boolean
}

/** Where to go on behind these records; nowhere, when they bring nothing new. */
const behind = (at: At, records: ReadonlyArray<unknown>): Pick<At, "from" | "skip" | "seen"> | undefined => {
  const seen = new Set(records.map(idOf))
  if ([...seen].every((id) => at.seen.has(id))) return undefined
  const dated = records.map(createdOf).filter((text) => !Number.isNaN(Instant.toEpochMillis(text)))
  const [first, last] = [dated[0] ?? "", dated[dated.length - 1] ?? ""]
  const [begun, ended] = [Instant.toEpochMillis(first), Instant.toEpochMillis(last)]
  if (ended > begun) return { from: last, skip: 0, seen }
  // A page of one and the same second, or without any time: on by position, and only within it.
  const on = Number.isNaN(ended) || (at.from !== undefined && Instant.toEpochMillis(at.from) === ended)
  return on ? { from: at.from, skip: at.skip + records.length, seen } : { from: last, skip: records.length, seen }
}

/**
 * Every record of these lists, each list as a part: what is not seen from its beginning to its end was deleted.
 *
 * @param bookmark of a page that another one follows
 */
export const scan = (
  http: Http.Http,
  settings: Settings,
  lists: ReadonlyArray<List>,
  first: Partial<At>,
  bookmark: (next: At) => Bookmark
) => {
  const begin: At = { began: undefined, list: 0, from: undefined, skip: 0, seen: new Set(), begins: true, ...first }
  return Stream.paginate(begin, (at) =>
    Effect.gen(function* () {
      const list = lists[at.list]!
      const where = at.from === undefined ? "" : `WHERE MetaData.CreateTime >= '${at.from}' `
      const rest = `${where}ORDERBY MetaData.CreateTime STARTPOSITION ${at.skip + 1} MAXRESULTS ${SIZE}`
      const { records, time } = yield* query(http, list, rest)
      const began = at.began ?? time
      const on = behind(at, records)
      const next: At =
        on === undefined
          ? { began, list: at.list + 1, from: undefined, skip: 0, seen: new Set(), begins: true }
          : { began, list: at.list, ...on, begins: false }
      const done = next.list === lists.length
      const page: Page = {
        ...decoded(list, records, settings),
        bookmark: done ? { since: began } : bookmark(next),
        part: {
          name: list.name,
          ...(at.begins ? { begins: true } : {}),
          ...(on === undefined ? { ends: true } : {})
        }
      }
      return [[page], done ? Option.none<At>() : Option.some(next)] as const
    })
  )
}

/** The first reading of all, which goes on where it was left. */
export const everything = (http: Http.Http, settings: Settings, { now }: Bookmark) => {
  const first = now === undefined ? {} : { ...now, begins: now.from === undefined }
  return scan(http, settings, LISTS, first, ({ began, from, list, skip }) => ({
    now: { began: began!, list, ...(from === undefined ? {} : { from, skip }) }
  }))
}
