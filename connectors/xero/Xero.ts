/**
 * Xero: reads invoices, payments, credit notes, overpayments and prepayments, over OAuth 2.
 *
 * Records changed since the last pull are read in the order of their ids: an edit meanwhile may bring a record twice, but
 * never hides one. The bookmark's time is Xero's own, from when the pull began.
 */
import { Array as Arr, Clock, Effect, Option, Schema, Stream } from "effect"
import type { Kind } from "../Document.ts"
import * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as OAuth from "../OAuth.ts"
import * as Paging from "../Paging.ts"
import * as Signature from "../Signature.ts"
import * as Mapping from "./Mapping.ts"

const variable = Schema.Struct({ env: Schema.NonEmptyString }).annotate({
  message: 'a secret is not written here; name the variable that holds it, like { "env": "XERO_CLIENT_SECRET" }'
})

const Settings = Schema.Struct({
  /** The organisation's tenant id, as in Xero's list of connections. */
  tenant: Schema.NonEmptyString,
  client_id: variable,
  client_secret: variable,
  /** The refresh token of the first authorisation; later ones are in the vault. */
  refresh_token: Schema.optionalKey(variable),
  /** Replaces Xero's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const Bookmark = Schema.Struct({
  /** Milliseconds since the epoch: changes from this time on are read; everything if absent. */
  since: Schema.optionalKey(Schema.Number),
  /** The unfinished read. */
  now: Schema.optionalKey(
    Schema.Struct({
      began: Schema.Number,
      list: Schema.Int,
      page: Schema.Int,
      /** Records per page. */
      size: Schema.optionalKey(Schema.Int),
      total: Schema.optionalKey(Schema.Int)
    })
  )
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

const OVERLAP_SECONDS = 300
/** Ids per request, which are part of the URL. */
const CHUNK = 40
const UNNAMED = "is not an id that Xero can be asked for"
/** Ids that are safe in a query condition. */
const ID = /^[\w-]{1,64}$/
const limits = { perMinute: 60, perDay: 5000, atOnce: 5, page: 1000 }
/** The page size of bookmarks that do not state one. */
const OLD_PAGE = 100
const TOKENS = "https://identity.xero.com/connect/token"
const RECONNECT =
  "authorise it again with `daybook connect`, or set the variable that refresh_token names to a new token (an old one can be used once)"
const SCOPES = ["offline_access", "accounting.transactions.read", "accounting.contacts.read"]

interface At {
  readonly began: number | undefined
  readonly list: number
  readonly page: Paging.At
}

/** Formats the time in whole seconds, in UTC. */
const modified = (since: number | undefined): Readonly<Record<string, string>> =>
  since === undefined
    ? {}
    : { "if-modified-since": `${new Date(since - OVERLAP_SECONDS * 1000).toISOString().slice(0, 19)}Z` }

/** The records of a page, and the next page by Xero's own count if it gives one. */
const read = (list: List, at: Paging.At, records: ReadonlyArray<unknown>, body: unknown) => {
  const fields = new Json.Fields(Json.isObject(body) ? body : {})
  const into = Json.batch()
  Json.decodeAll(into, records, list)
  const [pages, total] = ["pageCount", "itemCount"].map((name) => Paging.count(fields.get(`pagination.${name}`)))
  const more = pages === undefined ? undefined : at.page < pages
  const { next, notices } = Paging.turn(at, { keys: Paging.keysOf(records, list.id), total, more })
  into.notices.push(
    ...notices.map((what) => ({ origin: `${list.name}, page ${at.page}`, what: `${list.name}: ${what}` }))
  )
  return { into, next, began: Mapping.millisOf(fields.maybe("DateTimeUTC") ?? "") }
}

/** The page to resume at, if the page size may have changed since: it begins no later than the first unread record. */
const pageOf = (now: Bookmark["now"]): number | undefined =>
  now === undefined ? undefined : Math.floor(((now.page - 1) * (now.size ?? OLD_PAGE)) / limits.page) + 1

/** @param wanted the number of records of each list that a preview needs */
const lists = (http: Http.Http, after: Bookmark | undefined, wanted = Number.POSITIVE_INFINITY) => {
  const { now, since } = after ?? {}
  const first: At = { began: now?.began, list: now?.list ?? 0, page: Paging.from(pageOf(now), now?.total) }
  const of = (next: Bookmark["now"]): Bookmark => ({
    ...(since === undefined ? {} : { since }),
    ...(next === undefined ? {} : { now: next })
  })
  return Stream.paginate(first, (at) =>
    Effect.gen(function* () {
      const list = LISTS[at.list]
      if (list === undefined) return [[], Option.none<At>()] as const
      const query = { page: at.page.page, pageSize: limits.page, order: `${list.id} ASC`, where: list.where }
      const answer = yield* http.get(`/${list.name}`, query, modified(since))
      const records = yield* Http.records("xero", `/${list.name}`, answer, list.name)
      const { began: said, into, next: follows } = read(list, at.page, records, answer.body)
      const began = at.began ?? said ?? (yield* Clock.currentTimeMillis)
      const next: At =
        follows === undefined || at.page.page * limits.page >= wanted
          ? { began, list: at.list + 1, page: Paging.from() }
          : { began, list: at.list, page: follows }
      const done = next.list === LISTS.length
      const going = { began, list: next.list, size: limits.page, ...Paging.kept(next.page) }
      const whole: Connector.Page<Bookmark> = { ...into, bookmark: done ? { since: began } : of(going) }
      return [[whole], done ? Option.none<At>() : Option.some(next)] as const
    })
  )
}

const [INVOICES, NOTES, OVERPAYMENTS, PREPAYMENTS, PAYMENTS] = LISTS as [List, List, List, List, List]

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

const httpOf = (settings: Settings, surroundings: Connector.ConnectorContext) => {
  const { environment } = surroundings
  const first = settings.refresh_token?.env
  return Http.make({
    connector: "xero",
    base: settings.url ?? "https://api.xero.com/api.xro/2.0",
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

/** Reads invoices again, with the payments, credit notes, overpayments and prepayments that they name. */
const again = (http: Http.Http, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const ask = (list: List, query: Http.Query) =>
      Effect.flatMap(http.get(`/${list.name}`, { ...query, pageSize: limits.page }), (answer) =>
        Http.records("xero", `/${list.name}`, answer, list.name)
      )
    const into = Json.batch()
    // A webhook does not say whether it is about a bill.
    const all = yield* ask(INVOICES, { IDs: ids.join(",") })
    const sold = all.filter((one) => !Json.isObject(one) || one["Type"] !== "ACCPAY")
    const invoices = Json.objects(sold)
    Json.decodeAll(into, sold, INVOICES)
    Json.decodeAll(into, invoices.flatMap(Mapping.paymentsOf), PAYMENTS)
    for (const list of [NOTES, OVERPAYMENTS, PREPAYMENTS]) {
      const held = invoices.flatMap((invoice) => {
        const its = invoice[list.name] ?? []
        return Array.isArray(its) ? its : [its]
      })
      const nameOf = (one: unknown) => (Json.isObject(one) ? (Json.nameOf(one[list.id]) ?? "") : "")
      const isNamed = (one: unknown) => ID.test(nameOf(one))
      Json.decodeAll(
        into,
        Arr.filter(held, (one) => !isNamed(one)),
        { ...list, decode: Json.refuse(list.id, UNNAMED) }
      )
      const named = held.map(nameOf).filter((name) => ID.test(name))
      for (const chunk of Arr.chunksOf(new Set(named), CHUNK)) {
        const where = chunk.map((id) => `${list.id}==guid("${id}")`).join(" OR ")
        Json.decodeAll(into, yield* ask(list, { where, page: 1 }), list)
      }
    }
    const there = new Set(invoices.map(({ InvoiceID }) => InvoiceID))
    into.deleted.push(...ids.filter((id) => !there.has(id)).map((id) => ({ kind: "invoice" as const, id })))
    return into
  })

const reread = (settings: Settings, ids: ReadonlyArray<string>, surroundings: Connector.ConnectorContext) => {
  const http = httpOf(settings, surroundings)
  return Stream.mapEffect(Stream.fromIterable(Arr.chunksOf(ids, CHUNK)), (chunk) => again(http, chunk))
}

/** Downloads an invoice in the layout that the organisation chose. */
const documents = (
  settings: Settings,
  { id, kind }: Connector.Named,
  surroundings: Connector.ConnectorContext,
  largest: number
) => {
  if (kind !== "invoice") return Stream.empty
  const file = httpOf(settings, surroundings).file(`/Invoices/${Http.segment(id)}`, "application/pdf", largest)
  return Http.fileOf(file, `${id}.pdf`)
}

/** Xero tests a new address with wrong signatures as well, and expects 401 for those ("intent to receive"). */
const webhook: Connector.Webhook<Settings> = {
  verify: ({ body, headers }, secret) =>
    Signature.isSame(headers["x-xero-signature"], Signature.hmac(secret, "base64", body)),
  events: (delivery, { tenant }) => {
    const events = Signature.fields(delivery)?.get("events")
    if (!Array.isArray(events)) return undefined
    return Json.objects(events).flatMap((one): ReadonlyArray<Connector.WebhookEvent> => {
      const event = new Json.Fields(one)
      const [id, type, at] = ["resourceId", "eventType", "eventDateUtc"].map((name) => Json.nameOf(event.get(name)))
      if (id === undefined || event.get("tenantId") !== tenant || event.get("eventCategory") !== "INVOICE") return []
      return [{ about: id, event: `${id} ${type ?? ""} ${at ?? ""}` }]
    })
  },
  reread
}

export const xero = Connector.make({
  name: "xero",
  title: "Xero: invoices, payments, credit notes, over- and prepayments",
  capabilities: {
    kinds: ["invoice", "payment", "credit_note"],
    deletions: "status",
    blindSpots: ["the due date of a partly paid invoice: Xero does not mark that as a change"],
    authorises: "oauth2",
    firstOfEach: true,
    overlapSeconds: OVERLAP_SECONDS,
    limits
  },
  settings: Settings,
  identity: ({ tenant }: Settings) => `tenant ${tenant}`,
  bookmark: Bookmark,
  authorisation: ({ client_id, client_secret }: Settings) => ({
    page: "https://login.xero.com/identity/connect/authorize",
    tokens: TOKENS,
    scopes: SCOPES,
    client: { id: client_id.env, secret: client_secret.env },
    reaches: (access) =>
      Effect.map(
        Http.make({
          connector: "xero",
          base: "https://api.xero.com",
          authority: { headers: Effect.succeed({ authorization: `Bearer ${access}` }), refused: RECONNECT },
          limits
        }).get("/connections"),
        ({ body }) =>
          Json.objects(Array.isArray(body) ? body : []).map(({ tenantId, tenantName }) => ({
            setting: "tenant",
            value: String(tenantId),
            name: String(tenantName)
          }))
      )
  }),
  pull: (settings: Settings, after, surroundings) => lists(httpOf(settings, surroundings), after, surroundings.first),
  webhook,
  reread,
  documents
})
