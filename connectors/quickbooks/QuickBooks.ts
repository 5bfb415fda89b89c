/**
 * QuickBooks Online: invoices, payments with the credit that they draw on, refund receipts, over OAuth 2.
 *
 * First every record, oldest first: creation times never move, so an edit or a deletion meanwhile pushes none out of
 * sight. From then on change data capture names what changed and what was deleted; it reaches thirty days back and
 * answers a thousand records at most, without pages. Behind either, every record is read once more, as a whole, because
 * deletions show nowhere else.
 */
import { Array as Arr, Clock, Effect, Option, Schema, Stream } from "effect"
import type { HttpClient } from "effect/http"
import { addressProblem } from "../../core/Client.ts"
import * as Instant from "../../core/wire/Instant.ts"
import * as Connector from "../Connector.ts"
import type { Kind } from "../Document.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as OAuth from "../OAuth.ts"
import { explain } from "./Faults.ts"
import * as Mapping from "./Mapping.ts"

const variable = Schema.Struct({ env: Schema.NonEmptyString }).annotate({
  message: 'a secret is not written here; name the variable that holds it, like { "env": "QUICKBOOKS_CLIENT_SECRET" }'
})

const Settings = Schema.Struct({
  /** The company's id, which QuickBooks calls realm: digits, shown when the connection is authorised. */
  company: Schema.String.check(
    Schema.isPattern(/^\d+$/, { message: "write the company's id (realm id) as QuickBooks shows it: digits only" })
  ),
  client_id: variable,
  client_secret: variable,
  /** The refresh token of the first authorisation; from then on the vault has the newest. */
  refresh_token: Schema.optionalKey(variable),
  environment: Schema.optionalKey(Schema.Literals(["production", "sandbox"])),
  /** The company's own currency, where its records name none. */
  currency: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/, { message: "write GBP" }))),
  /** Another address than QuickBooks's, for tests. */
  url: Schema.optionalKey(Schema.String.check(Schema.makeFilter((url: string) => addressProblem(url) ?? true)))
})
type Settings = typeof Settings.Type

const Bookmark = Schema.Struct({
  /** Milliseconds since the epoch: what changed from here on was not read yet. */
  since: Schema.optionalKey(Schema.Number),
  /** While every record is read for the first time: records of `list` created before `from` were read, and `skip` of then. */
  now: Schema.optionalKey(
    Schema.Struct({
      began: Schema.Number,
      list: Schema.Int,
      from: Schema.optionalKey(Schema.String),
      skip: Schema.optionalKey(Schema.Int)
    })
  )
})
type Bookmark = typeof Bookmark.Type

interface List {
  readonly name: string
  readonly kind: Kind
  readonly decode: Mapping.Mapping
}

const LISTS: ReadonlyArray<List> = [
  { name: "Invoice", kind: "invoice", decode: Mapping.invoice },
  { name: "Payment", kind: "payment", decode: Mapping.payment },
  { name: "RefundReceipt", kind: "reversal", decode: Mapping.refund }
]

const OVERLAP = 300
/** As many as change data capture answers at most. */
const FULL = 1000
/** A day less than it reaches back. */
const KEPT = 29 * 86_400_000
/** Ids in one query. */
const CHUNK = 40
const limits = { perMinute: 500, atOnce: 8, page: 1000 }
const MINOR = 75
const HOSTS = {
  production: "https://quickbooks.api.intuit.com",
  sandbox: "https://sandbox-quickbooks.api.intuit.com"
} as const
const TOKENS = "https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer"
const RECONNECT =
  "authorise it again with `daybook connect`, or set the variable that refresh_token names to a new token (an old one can be used once)"

type Read<A> = Effect.Effect<A, Connector.SourceError, HttpClient.HttpClient>
type Page = Connector.Page<Bookmark>

interface Answer {
  readonly records: ReadonlyArray<unknown>
  /** Milliseconds since the epoch, by QuickBooks's own clock. */
  readonly time: number
}

const fieldsOf = (body: unknown) => new Json.Fields(Json.isObject(body) ? body : {})

/** When QuickBooks answered; by this machine's clock where it does not say. */
const timeOf = (body: unknown): Read<number> => {
  const said = fieldsOf(body).get("time")
  const millis = typeof said === "string" ? Instant.toEpochMillis(said) : Number.NaN
  return Number.isNaN(millis) ? Clock.currentTimeMillis : Effect.succeed(millis)
}

/** `QueryResponse` has no list at all when there is nothing to list; an answer without it is no answer. */
const query = (http: Http.Http, { name }: List, rest: string): Read<Answer> =>
  Effect.gen(function* () {
    const answer = yield* http.get("/query", { query: `SELECT * FROM ${name} ${rest}`, minorversion: MINOR })
    const found = fieldsOf(answer.body).get("QueryResponse")
    const body = Json.isObject(found) ? { [name]: found[name] ?? [] } : answer.body
    const records = yield* Http.records("quickbooks", `/query of ${name}`, { ...answer, body }, name)
    return { records, time: yield* timeOf(answer.body) }
  })

const idOf = (record: unknown): string => String(Json.isObject(record) ? record["Id"] : "")
const createdOf = (record: unknown): string =>
  String(new Json.Fields(record as Json.Members).get("MetaData.CreateTime"))

const decoded = (list: List, records: ReadonlyArray<unknown>, { currency }: Settings): Json.Batch => {
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
  const dated = records.filter((record) => Json.isObject(record)).map(createdOf)
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
const scan = (
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
      const rest = `${where}ORDERBY MetaData.CreateTime STARTPOSITION ${at.skip + 1} MAXRESULTS ${limits.page}`
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
const everything = (http: Http.Http, settings: Settings, { now }: Bookmark) => {
  const first = now === undefined ? {} : { ...now, begins: now.from === undefined }
  return scan(http, settings, LISTS, first, ({ began, from, list, skip }) => ({
    now: { began: began!, list, ...(from === undefined ? {} : { from, skip }) }
  }))
}

const captured = (http: Http.Http, lists: ReadonlyArray<List>, since: number) =>
  Effect.gen(function* () {
    const changedSince = `${new Date(since - OVERLAP * 1000).toISOString().slice(0, 19)}Z`
    const entities = lists.map(({ name }) => name).join(",")
    const answer = yield* http.get("/cdc", { entities, changedSince, minorversion: MINOR })
    const responses = Json.objects(yield* Http.records("quickbooks", "/cdc", answer, "CDCResponse"))
    const found = responses.flatMap((one) => Json.objects(one["QueryResponse"]))
    const changed = lists.map((list) => ({
      list,
      records: found.flatMap(
        (one): ReadonlyArray<unknown> => (Array.isArray(one[list.name]) ? (one[list.name] as never) : [])
      )
    }))
    const full = changed.reduce((sum, { records }) => sum + records.length, 0) >= FULL
    return { changed, full, time: yield* timeOf(answer.body) }
  })

/** What changed since the bookmark, and what was deleted. */
const changes = (http: Http.Http, settings: Settings, after: Bookmark, since: number) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const all = yield* captured(http, LISTS, since)
      const each = all.full ? yield* Effect.forEach(LISTS, (list) => captured(http, [list], since)) : [all]
      const full = LISTS.filter((_, n) => all.full && each[n]!.full)
      const pages = each
        .flatMap(({ changed }) => changed)
        .filter(({ list, records }) => records.length > 0 && !full.includes(list))
        .map(({ list, records }): Page => {
          return { ...decoded(list, records, settings), bookmark: after, part: { name: list.name } }
        })
      const end =
        full.length > 0
          ? scan(http, settings, full, { began: all.time }, () => after)
          : Stream.make<[Page]>({ read: [], setAside: [], bookmark: { since: all.time } })
      return Stream.concat(Stream.fromIterable(pages), end)
    })
  )

const quoted = (ids: ReadonlyArray<string>) => ids.map((id) => `'${id.replace(/[\\']/g, "\\$&")}'`).join(",")

/** Records by id, and which of the ids QuickBooks does not know. */
const byId = (http: Http.Http, list: List, ids: ReadonlyArray<string>) =>
  Effect.map(query(http, list, `WHERE Id IN (${quoted(ids)}) MAXRESULTS ${limits.page}`), ({ records }) => {
    const there = new Set(records.map(idOf))
    return { records, missing: ids.filter((id) => !there.has(id)) }
  })

/** Payments that an invoice says it is linked to. */
const linked = (records: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  Json.objects(records).flatMap((record) =>
    Json.objects(record["LinkedTxn"]).flatMap(({ TxnId, TxnType }) =>
      TxnType === "Payment" && typeof TxnId === "string" ? [TxnId] : []
    )
  )

const reread = (http: Http.Http, settings: Settings, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [invoices, payments] = [LISTS[0]!, LISTS[1]!]
    const { missing, records } = yield* byId(http, invoices, ids)
    const into = decoded(invoices, records, settings)
    for (const chunk of Arr.chunksOf(new Set(linked(records)), CHUNK)) {
      const paid = decoded(payments, (yield* byId(http, payments, chunk)).records, settings)
      for (const name of ["read", "setAside", "notices", "gone"] as const) into[name].push(...(paid[name] as never[]))
    }
    // As a deletion would be told.
    const deleted = missing.map((Id) => ({ Id, status: "Deleted" }))
    into.gone.push(...decoded(invoices, deleted, settings).gone)
    return into
  })

const httpOf = (settings: Settings, surroundings: Connector.Surroundings) => {
  const { environment } = surroundings
  const first = settings.refresh_token?.env
  const host = (settings.url ?? HOSTS[settings.environment ?? "production"]).replace(/\/+$/, "")
  return Http.make({
    connector: "quickbooks",
    base: `${host}/v3/company/${settings.company}`,
    authority: OAuth.make({
      connector: "quickbooks",
      tokens: TOKENS,
      client: Effect.all({
        id: Http.secret("quickbooks", environment, settings.client_id.env),
        secret: Http.secret("quickbooks", environment, settings.client_secret.env)
      }),
      first: Effect.sync(() => (first === undefined ? undefined : environment?.[first])),
      surroundings,
      reconnect: RECONNECT
    }),
    limits,
    explain
  })
}

export const quickbooks = Connector.make({
  name: "quickbooks",
  title: "QuickBooks Online: invoices, payments, credit memos, refund receipts",
  capabilities: {
    kinds: ["invoice", "payment", "credit_note", "reversal"],
    deletions: "tombstones",
    blindSpots: [
      "money that went back by a journal entry or an expense (a bounced cheque): QuickBooks does not link it to an invoice",
      "refund receipts that name no invoice"
    ],
    authorises: "oauth2",
    overlapSeconds: OVERLAP,
    limits
  },
  settings: Settings,
  bookmark: Bookmark,
  authorisation: ({ client_id, client_secret }: Settings) => ({
    page: "https://appcenter.intuit.com/connect/oauth2",
    tokens: TOKENS,
    scopes: ["com.intuit.quickbooks.accounting"],
    client: { id: client_id.env, secret: client_secret.env },
    // The page sends the company's id back with the code.
    reaches: (_, answered) => {
      const company = answered.get("realmId")
      return Effect.succeed(company === null ? [] : [{ setting: "company", value: company }])
    }
  }),
  pull: (settings: Settings, after, surroundings) => {
    const http = httpOf(settings, surroundings)
    return Stream.unwrap(
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (after?.since === undefined) return everything(http, settings, after ?? {})
        if (after.since < now - KEPT) return scan(http, settings, LISTS, {}, () => after)
        return changes(http, settings, after, after.since)
      })
    )
  },
  reread: (settings: Settings, ids, surroundings) => {
    const http = httpOf(settings, surroundings)
    return Stream.mapEffect(Stream.fromIterable(Arr.chunksOf(ids, CHUNK)), (chunk) => reread(http, settings, chunk))
  }
})
