/**
 * GoCardless: direct debits, their failures, chargebacks and refunds.
 *
 * First every payment, by cursor; from then on the events say which payments to read again, with all their events and
 * refunds and the customer who pays, so that nothing depends on the order in which events arrive. The bookmark moves
 * behind events only when all of them were read, because they come newest first.
 */
import { Array as Arr, Clock, Effect, Schema, Stream } from "effect"
import type { HttpClient } from "effect/http"
import * as Instant from "../../core/wire/Instant.ts"
import * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Signature from "../Signature.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The variable of the environment that holds the access token. */
  token: Schema.Struct({ env: Schema.NonEmptyString }).annotate({
    message: 'the token is not written here; name the variable that holds it, like { "env": "GOCARDLESS_TOKEN" }'
  }),
  environment: Schema.optionalKey(Schema.Literals(["live", "sandbox"])),
  /** Where a payment names its invoice; `metadata.invoice` unless given. */
  invoice: Schema.optionalKey(Schema.NonEmptyString),
  /** Another address than GoCardless's own: a proxy, a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const Bookmark = Schema.Struct({
  /** While every payment is read: the last one, and nothing before the first. */
  payments: Schema.optionalKey(Schema.String),
  /** Milliseconds since the epoch: events from here on were not read yet. */
  since: Schema.Number,
  /** Every payment was read once. */
  all: Schema.Boolean
})
type Bookmark = typeof Bookmark.Type

const OVERLAP_SECONDS = 300
/** How many are read again for one page. */
const CHUNK = 100
/** A day earlier than this machine's clock says, so that it may be wrong. */
const MARGIN_MS = 86_400_000
const HOSTS = { live: "https://api.gocardless.com", sandbox: "https://api-sandbox.gocardless.com" } as const
const limits = { perMinute: 1000, atOnce: 8, page: 500 }

type Read<A> = Effect.Effect<A, Connector.SourceError, HttpClient.HttpClient>

const fieldsOf = (body: unknown): Json.Fields => new Json.Fields(Json.isObject(body) ? body : {})

/** A source that repeats its pages for ever is left when a page brings nothing new. */
const listing = (http: Http.Http, path: string, member: string, query: Http.Query, after?: string) =>
  Stream.paginate({ after, seen: new Set<string>() }, ({ after, seen }) =>
    Effect.gen(function* () {
      const answer = yield* http.get(path, { ...query, limit: limits.page, after })
      const all = yield* Http.records("gocardless", path, answer, member)
      const fields = fieldsOf(answer.body)
      const { records } = Json.unseen(all, "id", seen)
      const next = fields.maybe("meta.cursors.after")
      const more = next !== undefined && next !== after
      return [[{ records, next }], more ? { _tag: "Some", value: { after: next, seen } } : { _tag: "None" }] as never
    })
  ) as Stream.Stream<
    { readonly records: ReadonlyArray<unknown>; readonly next: string | undefined },
    Connector.SourceError,
    HttpClient.HttpClient
  >

const collect = (http: Http.Http, path: string, member: string, query: Http.Query): Read<ReadonlyArray<unknown>> =>
  Effect.map(Stream.runCollect(listing(http, path, member, query)), (all) => all.flatMap(({ records }) => records))

/** More mandates than are worth remembering in one run. */
const MANY = 10_000

/** A record by its id; undefined where it is not there. */
const one = (http: Http.Http, list: string, id: string): Read<Json.Members | undefined> => {
  const path = `/${list}/${Http.segment(id)}`
  return Effect.flatMap(http.get(path), (answer) => Http.record("gocardless", path, answer, list))
}

/** The customer behind a mandate, of whom only the name is kept; undefined where the mandate is not there. */
const customerOf = (http: Http.Http, mandate: string): Read<Mapping.Customer | undefined> =>
  Effect.gen(function* () {
    const id = Json.nameOf(fieldsOf(yield* one(http, "mandates", mandate)).get("links.customer"))
    if (id === undefined) return undefined
    // One whose data was removed has no name any more.
    const its = fieldsOf(yield* one(http, "customers", id))
    const [company_name, given_name, family_name] = ["company_name", "given_name", "family_name"].map((name) =>
      its.get(name)
    )
    return { id, company_name, given_name, family_name }
  })

/** How payments are read in one run: each mandate is looked up once. */
interface Source {
  readonly http: Http.Http
  readonly customer: (mandate: string) => Read<Mapping.Customer | undefined>
}

const sourceOf = (http: Http.Http): Source => {
  const known = new Map<string, ReturnType<Source["customer"]>>()
  const customer: Source["customer"] = (mandate) =>
    Effect.flatMap(Effect.cached(customerOf(http, mandate)), (cached) => {
      if (known.size >= MANY) known.clear()
      const one = known.get(mandate) ?? cached
      known.set(mandate, one)
      return one
    })
  return { http, customer }
}

/** A payment with everything that happened to it, and who pays. */
const history = ({ customer, http }: Source, payment: unknown): Read<Mapping.History> =>
  Effect.gen(function* () {
    const id = Json.isObject(payment) ? Json.nameOf(payment["id"]) : undefined
    if (id === undefined) return { id, payment, events: [], refunds: [] }
    const mandate = Json.nameOf(fieldsOf(payment).get("links.mandate"))
    const payer = mandate === undefined ? undefined : yield* customer(mandate)
    const events = yield* collect(http, "/events", "events", { payment: id })
    const refunds = yield* collect(http, "/refunds", "refunds", { payment: id })
    const refund_events: Array<unknown> = []
    for (const refund of refunds) {
      const { id: its, status } = Json.isObject(refund) ? refund : {}
      const name = Json.nameOf(its)
      if (name === undefined || !Mapping.RETURNED.includes(Json.nameOf(status) ?? "")) continue
      refund_events.push(...(yield* collect(http, "/events", "events", { refund: name })))
    }
    const all = { id, payment, events: [...events].reverse(), refunds, refund_events }
    return payer === undefined ? all : { ...all, customer: payer }
  })

const page = (
  histories: ReadonlyArray<Mapping.History>,
  invoice: string,
  bookmark: Bookmark
): Connector.Page<Bookmark> => {
  const into = Json.batch()
  Json.decodeAll(into, histories, { name: "payments", kind: "payment", id: "id", decode: Mapping.payment(invoice) })
  return { ...into, bookmark }
}

const everything = (source: Source, invoice: string, from: Bookmark) =>
  listing(source.http, "/payments", "payments", {}, from.payments).pipe(
    Stream.mapEffect(({ next, records }) =>
      Effect.map(
        Effect.forEach(records, (one) => history(source, one), { concurrency: limits.atOnce }),
        (histories) => page(histories, invoice, next === undefined ? from : { ...from, payments: next })
      )
    ),
    Stream.concat(
      Stream.make<[Connector.Page<Bookmark>]>({ read: [], quarantined: [], bookmark: { since: from.since, all: true } })
    )
  )

/** These payments once more, each with all its events and refunds. */
const byId = (source: Source, invoice: string, ids: Iterable<string>, bookmark: Bookmark) => {
  const read = (id: string) =>
    Effect.flatMap(one(source.http, "payments", id), (payment) =>
      payment === undefined ? Effect.succeedNone : Effect.asSome(history(source, payment))
    )
  return Stream.fromIterable(Arr.chunksOf(ids, CHUNK)).pipe(
    Stream.mapEffect((chunk) => Effect.forEach(chunk, read, { concurrency: limits.atOnce })),
    Stream.map((found) =>
      page(
        found.flatMap((one) => (one._tag === "Some" ? [one.value] : [])),
        invoice,
        bookmark
      )
    )
  )
}

/** The payment that a refund is of. */
const paymentOf = (http: Http.Http, refund: string): Read<string | undefined> =>
  Effect.map(one(http, "refunds", refund), (found) => {
    const its = fieldsOf(found).get("links.payment")
    return typeof its === "string" ? its : undefined
  })

/** Payments that events since the bookmark are about, read whole. */
const changes = (source: Source, invoice: string, from: Bookmark) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { http } = source
      const since = new Date(from.since - OVERLAP_SECONDS * 1000).toISOString()
      const events = yield* collect(http, "/events", "events", { "created_at[gte]": since })
      const now = yield* Clock.currentTimeMillis
      const ids = new Set<string>()
      let latest = from.since
      for (const event of events) {
        const fields = fieldsOf(event)
        const at = Instant.toEpochMillis(Json.nameOf(fields.get("created_at")) ?? "")
        // A time that has not come yet would hide everything until then.
        if (at > latest && at <= now + MARGIN_MS) latest = at
        const payment = fields.get("links.payment")
        const refund = fields.get("links.refund")
        if (typeof payment === "string") ids.add(payment)
        else if (typeof refund === "string") {
          const its = yield* paymentOf(http, refund)
          if (its !== undefined) ids.add(its)
        }
      }
      return byId(source, invoice, ids, from).pipe(
        Stream.concat(Stream.make({ read: [], quarantined: [], bookmark: { since: latest, all: true } }))
      )
    })
  )

const explain: Http.Options["explain"] = (status, body) => {
  const error = fieldsOf(body)
  const said = error.get("error.message")
  const words = typeof said === "string" ? { said } : {}
  if (status === 403) return { ...words, hint: "make an access token with read access in GoCardless, and use that one" }
  return words
}

const httpOf = (settings: Settings, { environment }: Connector.ConnectorContext) => {
  const place = settings.environment ?? "live"
  const variable = settings.token.env
  const held = Http.secret("gocardless", environment, variable)
  const key = Http.key(held, variable, (token) => ({ authorization: `Bearer ${token}` }))
  const refused = `${key.refused} (tokens of the sandbox work with "environment": "sandbox" only, and live ones with "live")`
  return Http.make({
    connector: "gocardless",
    base: settings.url ?? HOSTS[place],
    authority: { ...key, refused },
    headers: { "gocardless-version": "2015-07-06" },
    limits,
    explain
  })
}

const invoiceOf = ({ invoice }: Settings): string => invoice ?? "metadata.invoice"

const webhook: Connector.Webhook<Settings> = {
  verify: ({ body, headers }, secret) =>
    Signature.isSame(headers["webhook-signature"], Signature.hmac(secret, "hex", body)),
  events: (delivery) => {
    const events = Signature.fields(delivery)?.get("events")
    if (!Array.isArray(events)) return undefined
    return Json.objects(events).flatMap((one): ReadonlyArray<Connector.WebhookEvent> => {
      const event = new Json.Fields(one)
      const [id, payment, refund] = ["id", "links.payment", "links.refund"].map((name) => Json.nameOf(event.get(name)))
      const about = payment !== undefined ? `payment:${payment}` : refund === undefined ? undefined : `refund:${refund}`
      return id === undefined || about === undefined ? [] : [{ about, event: id }]
    })
  },
  reread: (settings, about, surroundings) => {
    const http = httpOf(settings, surroundings)
    const payment = (one: string) =>
      one.startsWith("refund:") ? paymentOf(http, one.slice(7)) : Effect.succeed(one.slice("payment:".length))
    return Stream.unwrap(
      Effect.map(Effect.forEach(about, payment, { concurrency: limits.atOnce }), (found) =>
        byId(sourceOf(http), invoiceOf(settings), new Set(found.filter((id) => id !== undefined)), {
          since: 0,
          all: true
        })
      )
    )
  }
}

export const gocardless = Connector.make({
  name: "gocardless",
  title: "GoCardless: direct debits, failures, chargebacks, refunds",
  capabilities: {
    kinds: ["payment", "reversal"],
    deletions: "status",
    blindSpots: [
      "metadata that is written after a payment was made: GoCardless makes no event of it",
      "a customer's new name: it is read with the next change of a payment"
    ],
    authorises: "key",
    overlapSeconds: OVERLAP_SECONDS,
    limits
  },
  settings: Settings,
  identity: ({ environment = "live" }: Settings) => `${environment} account`,
  bookmark: Bookmark,
  webhook,
  pull: (settings: Settings, after, surroundings) => {
    const source = sourceOf(httpOf(settings, surroundings))
    const invoice = invoiceOf(settings)
    return Stream.unwrap(
      Effect.map(Clock.currentTimeMillis, (now) => {
        const from: Bookmark = after ?? { since: now - MARGIN_MS, all: false }
        if (from.all) return changes(source, invoice, from)
        const then = Stream.suspend(() => changes(source, invoice, { since: from.since, all: true }))
        return Stream.concat(everything(source, invoice, from), then)
      })
    )
  }
})
