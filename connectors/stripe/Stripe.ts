/**
 * Stripe: invoices with their payments, refunds, disputes and credit notes.
 *
 * First every invoice, by cursor; from then on the events of the last days say which invoices to read again. Events are
 * kept for thirty days only: a bookmark older than that begins anew, so that nothing is missed. An event is a hint, its
 * content is never used.
 */
import { Array as Arr, Clock, Effect, Schema, Stream } from "effect"
import type { HttpClient } from "effect/http"
import * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The variable of the environment that holds the key; a restricted key that may read is enough. */
  key: Schema.Struct({ env: Schema.NonEmptyString }).annotate({
    message: 'the key is not written here; name the variable that holds it, like { "env": "STRIPE_KEY" }'
  }),
  /** The connected account to read, `acct_...`. */
  account: Schema.optionalKey(Schema.NonEmptyString)
})
type Settings = typeof Settings.Type

const Bookmark = Schema.Struct({
  /** While every invoice is read: the last one. */
  invoices: Schema.optionalKey(Schema.String),
  /** Seconds since the epoch: events from here on were not read yet. */
  since: Schema.Number,
  all: Schema.Boolean
})
type Bookmark = typeof Bookmark.Type

const OVERLAP = 300
/** How many are read again for one page. */
const CHUNK = 100
/** A day before what this machine's clock says, so that it may be wrong. */
const MARGIN = 86_400
/** A day less than Stripe keeps its events. */
const KEPT = 29 * 86_400
const limits = { perMinute: 4800, atOnce: 8, page: 100 }

const TYPES = [
  "invoice.*",
  "invoice_payment.*",
  "charge.refunded",
  "charge.refund.updated",
  "refund.*",
  "charge.dispute.*",
  "credit_note.*"
]
/** Whether an event may be about an invoice. */
const concerns = (type: string) =>
  TYPES.some((one) => (one.endsWith("*") ? type.startsWith(one.slice(0, -1)) : type === one))

type Read<A> = Effect.Effect<A, Connector.SourceError, HttpClient.HttpClient>

interface Listed {
  readonly records: ReadonlyArray<Json.Members>
  readonly last: string | undefined
}

/** A list that repeats its last page for ever is left when a page brings nothing new. */
const listing = (http: Http.Http, path: string, query: Http.Query, after?: string) =>
  Stream.paginate({ after, seen: new Set<string>() }, ({ after, seen }) =>
    Effect.gen(function* () {
      const answer = yield* http.get(path, { ...query, limit: limits.page, starting_after: after })
      const all = yield* Http.records("stripe", path, answer, "data")
      const fields = new Json.Fields(Json.isObject(answer.body) ? answer.body : {})
      const { news, records } = Json.unseen(all, "id", seen)
      const last = all.findLast((one) => Mapping.idOf(one) !== undefined)
      const more = fields.get("has_more") === true && news
      const next = more
        ? ({ _tag: "Some", value: { after: Mapping.idOf(last) ?? after, seen } } as const)
        : ({ _tag: "None" } as const)
      return [[{ records, last: Mapping.idOf(last) ?? after }], next] as never
    })
  ) as Stream.Stream<Listed, Connector.SourceError, HttpClient.HttpClient>

const collect = (http: Http.Http, path: string, query: Http.Query): Read<ReadonlyArray<unknown>> =>
  Effect.map(Stream.runCollect(listing(http, path, query)), (all) => all.flatMap(({ records }) => records))

/** An invoice with everything that hangs on it. */
const whole = (http: Http.Http, invoice: unknown): Read<Mapping.Whole> =>
  Effect.gen(function* () {
    const id = Json.isObject(invoice) ? Json.nameOf(invoice["id"]) : undefined
    if (id === undefined) return { id, invoice, payments: [], refunds: [], disputes: [], credit_notes: [] }
    const payments = yield* collect(http, "/v1/invoice_payments", { invoice: id })
    const refunds: Array<unknown> = []
    const disputes: Array<unknown> = []
    for (const payment of payments) {
      const fields = new Json.Fields(Json.isObject(payment) ? payment : {})
      const intent = Mapping.idOf(fields.get("payment.payment_intent"))
      const charge = Mapping.idOf(fields.get("payment.charge"))
      if (intent === undefined && charge === undefined) continue
      const about = { payment_intent: intent, charge: intent === undefined ? charge : undefined }
      refunds.push(...(yield* collect(http, "/v1/refunds", about)))
      disputes.push(...(yield* collect(http, "/v1/disputes", about)))
    }
    const notes = yield* collect(http, "/v1/credit_notes", { invoice: id })
    return { id, invoice, payments, refunds, disputes, credit_notes: notes }
  })

const decoded = (wholes: ReadonlyArray<Mapping.Whole>) => {
  const into = Json.batch()
  Json.decodeAll(into, wholes, { name: "invoices", kind: "invoice", id: "id", decode: Mapping.invoice })
  return into
}

const everything = (http: Http.Http, from: Bookmark) =>
  listing(http, "/v1/invoices", {}, from.invoices).pipe(
    Stream.mapEffect(({ last, records }) =>
      Effect.map(
        Effect.forEach(records, (one) => whole(http, one), { concurrency: limits.atOnce }),
        (wholes) => ({ ...decoded(wholes), bookmark: last === undefined ? from : { ...from, invoices: last } })
      )
    ),
    Stream.concat(Stream.make({ read: [], setAside: [], bookmark: { since: from.since, all: true } }))
  )

/** These invoices once more; `gone` where Stripe knows them no longer. */
const byId = (http: Http.Http, ids: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(
      ids,
      (id) =>
        Effect.flatMap(
          http.get(`/v1/invoices/${Http.segment(id)}`),
          ({ body }): Read<Mapping.Whole | undefined> =>
            Json.isObject(body) && body["deleted"] !== true ? whole(http, body) : Effect.succeed(undefined)
        ),
      { concurrency: limits.atOnce }
    ),
    (found) => ({
      ...decoded(found.filter((one) => one !== undefined)),
      gone: ids.filter((_, n) => found[n] === undefined).map((id) => ({ kind: "invoice" as const, id }))
    })
  )

/** The invoice that an event is about, found by way of its payment where it must be; `odd` is a payment that names none. */
const invoiceOf = (http: Http.Http, object: Json.Fields): Read<string | { readonly odd: unknown } | undefined> =>
  Effect.gen(function* () {
    if (object.get("object") === "invoice") return Mapping.idOf(object.get("id"))
    const named = Mapping.idOf(object.get("invoice"))
    if (named !== undefined) return named
    const intent = Mapping.idOf(object.get("payment_intent"))
    const charge =
      object.get("object") === "charge" ? Json.nameOf(object.get("id")) : Mapping.idOf(object.get("charge"))
    if (intent === undefined && charge === undefined) return undefined
    const type = intent === undefined ? "charge" : "payment_intent"
    const query = { "payment[type]": type, [`payment[${type}]`]: intent ?? charge }
    const [payment] = yield* collect(http, "/v1/invoice_payments", query)
    if (payment === undefined) return undefined
    return (Json.isObject(payment) ? Mapping.idOf(payment["invoice"]) : undefined) ?? { odd: payment }
  })

const changes = (http: Http.Http, from: Bookmark) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const events = yield* collect(http, "/v1/events", { "created[gte]": from.since - OVERLAP })
      const setAside: Array<Connector.SetAside> = []
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const ids = new Set<string>()
      let latest = from.since
      for (const event of events) {
        const fields = new Json.Fields(Json.isObject(event) ? event : {})
        const at = Number(Json.nameOf(fields.get("created")) ?? 0)
        // A time that has not come yet would hide everything until then.
        if (at > latest && at <= now + MARGIN) latest = at
        const object = fields.get("data.object")
        if (!concerns(Json.nameOf(fields.get("type")) ?? "") || !Json.isObject(object)) continue
        const id = yield* invoiceOf(http, new Json.Fields(object))
        if (typeof id === "string") ids.add(id)
        else if (id !== undefined) setAside.push(unnamed(id.odd))
      }
      const chunks = Arr.chunksOf(ids, CHUNK)
      return Stream.fromIterable(chunks).pipe(
        Stream.mapEffect((chunk) => Effect.map(byId(http, chunk), (page) => ({ ...page, bookmark: from }))),
        Stream.concat(Stream.make({ read: [], setAside, bookmark: { since: latest, all: true } }))
      )
    })
  )

const unnamed = (payment: unknown): Connector.SetAside => ({
  kind: "payment",
  origin: "invoice_payments",
  raw: JSON.stringify(payment) ?? "null",
  why: "it names no invoice, so what an event says of it belongs to nothing"
})

const explain: Http.Options["explain"] = (status, body) => {
  const said = new Json.Fields(Json.isObject(body) ? body : {}).get("error.message")
  // Stripe repeats part of a wrong key in its message.
  const words = typeof said === "string" && !/key/i.test(said) ? { said } : {}
  if (status === 403) {
    const hint =
      "give the restricted key read access to invoices, charges, refunds, disputes, credit notes and events, and check account"
    return { ...words, hint }
  }
  return words
}

const httpOf = (settings: Settings, { environment }: Connector.Surroundings) => {
  const variable = settings.key.env
  return Http.make({
    connector: "stripe",
    base: "https://api.stripe.com",
    authority: Http.key(Http.secret("stripe", environment, variable), variable, (key) => ({
      authorization: `Bearer ${key}`
    })),
    headers: settings.account === undefined ? {} : { "stripe-account": settings.account },
    limits,
    explain
  })
}

export const stripe = Connector.make({
  name: "stripe",
  title: "Stripe: invoices, payments, refunds, disputes, credit notes",
  capabilities: {
    kinds: ["invoice", "payment", "reversal", "credit_note"],
    deletions: "status",
    blindSpots: ["changes older than the thirty days for which Stripe keeps events: every invoice is then read again"],
    authorises: "key",
    overlapSeconds: OVERLAP,
    limits
  },
  settings: Settings,
  bookmark: Bookmark,
  pull: (settings: Settings, after, surroundings) => {
    const http = httpOf(settings, surroundings)
    return Stream.unwrap(
      Effect.map(Clock.currentTimeMillis, (now) => {
        const seconds = Math.floor(now / 1000)
        const fresh: Bookmark = { since: seconds - MARGIN, all: false }
        const from = after === undefined || after.since < seconds - KEPT ? fresh : after
        if (from.all) return changes(http, from)
        return Stream.concat(
          everything(http, from),
          Stream.suspend(() => changes(http, { since: from.since, all: true }))
        )
      })
    )
  },
  reread: (settings: Settings, ids, surroundings) => {
    const http = httpOf(settings, surroundings)
    const chunks = Arr.chunksOf(ids, CHUNK)
    return Stream.mapEffect(Stream.fromIterable(chunks), (chunk) => byId(http, chunk))
  }
})
