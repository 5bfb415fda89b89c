/**
 * Xero: invoices, payments, credit notes, over- and prepayments, over OAuth 2.
 *
 * Each list is read in the order of its ids, from those changed since the last time: an edit meanwhile may bring a record
 * twice, and never pushes one out of sight. The time to go on from is Xero's own, of when this reading began.
 */
import { Array as Arr, Clock, Effect, Option, Schema, Stream } from "effect"
import { addressProblem } from "../../core/Client.ts"
import type { Kind } from "../Document.ts"
import * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as OAuth from "../OAuth.ts"
import * as Mapping from "./Mapping.ts"

const variable = Schema.Struct({ env: Schema.NonEmptyString }).annotate({
  message: 'a secret is not written here; name the variable that holds it, like { "env": "XERO_CLIENT_SECRET" }'
})

const Settings = Schema.Struct({
  /** The organisation, as Xero's list of connections names it. */
  tenant: Schema.NonEmptyString,
  client_id: variable,
  client_secret: variable,
  /** The refresh token of the first authorisation; from then on the vault has the newest. */
  refresh_token: Schema.optionalKey(variable),
  /** Another address than Xero's, for tests. */
  url: Schema.optionalKey(Schema.String.check(Schema.makeFilter((url: string) => addressProblem(url) ?? true)))
})
type Settings = typeof Settings.Type

const Bookmark = Schema.Struct({
  /** Milliseconds since the epoch: what changed from here on is read; everything, where there is none. */
  since: Schema.optionalKey(Schema.Number),
  /** The reading that is going on. */
  now: Schema.optionalKey(Schema.Struct({ began: Schema.Number, list: Schema.Int, page: Schema.Int }))
})
type Bookmark = typeof Bookmark.Type

interface List {
  readonly name: string
  readonly id: string
  readonly kind: Kind
  readonly decode: (fields: Json.Fields) => Json.Decoded
  readonly where?: string
}

const LISTS: ReadonlyArray<List> = [
  { name: "Invoices", id: "InvoiceID", kind: "invoice", decode: Mapping.invoice, where: 'Type=="ACCREC"' },
  { name: "CreditNotes", id: "CreditNoteID", kind: "credit_note", decode: Mapping.creditNote },
  { name: "Overpayments", id: "OverpaymentID", kind: "payment", decode: Mapping.overpayment },
  { name: "Prepayments", id: "PrepaymentID", kind: "payment", decode: Mapping.prepayment },
  { name: "Payments", id: "PaymentID", kind: "payment", decode: Mapping.payment }
]

const OVERLAP = 300
/** Ids in one address. */
const CHUNK = 40
/** Pages without a record, one after the other, behind which no more are looked for. */
const EMPTY = 3
const limits = { perMinute: 60, perDay: 5000, atOnce: 5, page: 100 }
const TOKENS = "https://identity.xero.com/connect/token"
const RECONNECT =
  "authorise it in Xero again and set the variable that refresh_token names to the new token (an old one can be used once)"

interface At {
  readonly began: number | undefined
  readonly list: number
  readonly page: number
  /** Ids of this list that were seen by now, and pages without any in a row. */
  readonly seen: ReadonlySet<string>
  readonly empty: number
}

/** Whole seconds, as the header has them. */
const modified = (since: number | undefined): Readonly<Record<string, string>> =>
  since === undefined ? {} : { "if-modified-since": new Date(since - OVERLAP * 1000).toISOString().slice(0, 19) }

/** What one page holds, and whether another may follow: by Xero's own count, and by whether it brought anything new. */
const read = (
  list: List,
  { page, seen }: Pick<At, "page" | "seen">,
  records: ReadonlyArray<unknown>,
  body: unknown
) => {
  const fields = new Json.Fields(Json.isObject(body) ? body : {})
  const into = Json.batch()
  Json.decodeAll(into, records, list)
  const ids = records.map((record) => (Json.isObject(record) ? Json.nameOf(record[list.id]) : undefined) ?? "")
  const pages = Number(fields.maybe("pagination.pageCount") ?? Number.NaN)
  const repeated = ids.length > 0 && ids.every((id) => seen.has(id))
  const counted = Number.isNaN(pages) ? ids.length > 0 : page < pages
  const began = Mapping.millisOf(fields.maybe("DateTimeUTC") ?? "")
  return { into, ids, began, more: counted && !repeated }
}

const lists = (http: Http.Http, after: Bookmark | undefined) => {
  const { now, since } = after ?? {}
  const first: At = { began: now?.began, list: now?.list ?? 0, page: now?.page ?? 1, seen: new Set(), empty: 0 }
  const of = (next: Bookmark["now"]): Bookmark => ({
    ...(since === undefined ? {} : { since }),
    ...(next === undefined ? {} : { now: next })
  })
  return Stream.paginate(first, (at) =>
    Effect.gen(function* () {
      const list = LISTS[at.list]!
      const query = { page: at.page, pageSize: limits.page, order: `${list.id} ASC`, where: list.where }
      const answer = yield* http.get(`/${list.name}`, query, modified(since))
      const records = yield* Http.records("xero", `/${list.name}`, answer, list.name)
      const { began: said, ids, into, more } = read(list, at, records, answer.body)
      const began = at.began ?? said ?? (yield* Clock.currentTimeMillis)
      const empty = ids.length === 0 ? at.empty + 1 : 0
      const stay = more && empty < EMPTY
      const next: At = stay
        ? { began, list: at.list, page: at.page + 1, seen: new Set([...at.seen, ...ids]), empty }
        : { began, list: at.list + 1, page: 1, seen: new Set(), empty: 0 }
      const done = next.list === LISTS.length
      const bookmark: Bookmark = done ? { since: began } : of({ began, list: next.list, page: next.page })
      const page: Connector.Page<Bookmark> = { ...into, bookmark }
      return [[page], done ? Option.none<At>() : Option.some(next)] as const
    })
  )
}

const explain: Http.Options["explain"] = (status, body) => {
  const fields = new Json.Fields(Json.isObject(body) ? body : {})
  const detail = [fields.get("Detail"), fields.get("Message")].find((one) => typeof one === "string") as
    | string
    | undefined
  const said = detail === undefined ? {} : { said: detail }
  if (/AuthorizationUnsuccessful|insufficient_scope/i.test(detail ?? "")) {
    return { ...said, hint: "authorise it with the scopes offline_access and accounting.transactions.read" }
  }
  if (status === 403) {
    const hint = "check tenant: this authorisation knows other organisations only, or the organisation was disconnected"
    return { ...said, hint }
  }
  return said
}

const httpOf = (settings: Settings, surroundings: Connector.Surroundings) => {
  const { environment } = surroundings
  const first = settings.refresh_token?.env
  return Http.make({
    connector: "xero",
    base: (settings.url ?? "https://api.xero.com/api.xro/2.0").replace(/\/+$/, ""),
    authority: OAuth.make({
      connector: "xero",
      tokens: TOKENS,
      client: Effect.all({
        id: Http.secret("xero", environment, settings.client_id.env),
        secret: Http.secret("xero", environment, settings.client_secret.env)
      }),
      first: Effect.sync(() => (first === undefined ? undefined : environment?.[first])),
      surroundings,
      reconnect: RECONNECT
    }),
    headers: { "xero-tenant-id": settings.tenant },
    limits,
    explain
  })
}

export const xero = Connector.make({
  name: "xero",
  title: "Xero: invoices, payments, credit notes, over- and prepayments",
  capabilities: {
    kinds: ["invoice", "payment", "credit_note"],
    deletions: "status",
    blindSpots: ["the due date of a partly paid invoice: Xero does not mark that as a change"],
    authorises: "oauth2",
    overlapSeconds: OVERLAP,
    limits
  },
  settings: Settings,
  bookmark: Bookmark,
  pull: (settings: Settings, after, surroundings) => lists(httpOf(settings, surroundings), after),
  reread: (settings: Settings, ids, surroundings) => {
    const http = httpOf(settings, surroundings)
    const list = LISTS[0]!
    return Stream.fromIterable(Arr.chunksOf(ids, CHUNK)).pipe(
      Stream.mapEffect((chunk) =>
        Effect.gen(function* () {
          const answer = yield* http.get(`/${list.name}`, { IDs: chunk.join(","), pageSize: limits.page })
          const records = yield* Http.records("xero", `/${list.name}`, answer, list.name)
          const { ids: there, into } = read(list, { page: 1, seen: new Set() }, records, answer.body)
          const gone = chunk.filter((id) => !there.includes(id)).map((id) => ({ kind: "invoice" as const, id }))
          return { ...into, gone: [...into.gone, ...gone] }
        })
      )
    )
  }
})
