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
import * as Events from "./Events.ts"
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

/**
 * The version of the interface that the mapping was written for: the first with several payments for an invoice and credit
 * notes of both kinds. Without it Stripe answers in that of the account, which anybody may change there.
 */
const VERSION = "2025-05-28.basil"
const OVERLAP_SECONDS = 300
/** How many are read again for one page. */
const CHUNK = 100
/** A day before what this machine's clock says, so that it may be wrong. */
const MARGIN_SECONDS = 86_400
/** A day less than Stripe keeps its events. */
const KEPT_SECONDS = 29 * 86_400
const limits = { perMinute: 4800, atOnce: 8, page: 100 }

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

/**
 * What a payment intent pays of which invoices. Stripe cannot be asked that of a charge; one without a payment intent is of an
 * invoice before March 2019, and of that one alone.
 */
const paymentsBy = (http: Http.Http, intent: string, more: Http.Query = {}) =>
  collect(http, "/v1/invoice_payments", {
    "payment[type]": "payment_intent",
    "payment[payment_intent]": intent,
    ...more
  })

/** An invoice with everything that hangs on it. */
const whole = (http: Http.Http, invoice: unknown): Read<Mapping.Whole> =>
  Effect.gen(function* () {
    const id = Json.isObject(invoice) ? Json.nameOf(invoice["id"]) : undefined
    if (id === undefined) return { id, invoice, payments: [], refunds: [], disputes: [], shared: [], credit_notes: [] }
    const payments = yield* collect(http, "/v1/invoice_payments", { invoice: id })
    const refunds: Array<unknown> = []
    const disputes: Array<unknown> = []
    const shared: Array<unknown> = []
    const asked = new Set<string>()
    for (const payment of payments) {
      const fields = new Json.Fields(Json.isObject(payment) ? payment : {})
      if (fields.get("status") !== "paid") continue
      const intent = Mapping.idOf(fields.get("payment.payment_intent"))
      const charge = Mapping.idOf(fields.get("payment.charge"))
      const way = intent ?? charge
      if (way === undefined || asked.has(way)) continue
      asked.add(way)
      const about = { payment_intent: intent, charge: intent === undefined ? charge : undefined }
      const back = yield* collect(http, "/v1/refunds", about)
      const disputed = yield* collect(http, "/v1/disputes", about)
      refunds.push(...back)
      disputes.push(...disputed)
      // One payment may be for several invoices, and what comes back of it is then theirs as well.
      if (intent !== undefined && back.length + disputed.length > 0) {
        shared.push(...(yield* paymentsBy(http, intent, { status: "paid" })))
      }
    }
    const notes = yield* collect(http, "/v1/credit_notes", { invoice: id })
    return { id, invoice, payments, refunds, disputes, shared, credit_notes: notes }
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
    Stream.concat(Stream.make({ read: [], quarantined: [], bookmark: { since: from.since, all: true } }))
  )

const one = (http: Http.Http, path: string) =>
  Effect.flatMap(http.get(path), (answer) => Http.record("stripe", path, answer))

/** These invoices once more; `deleted` where Stripe knows them no longer. */
const byId = (http: Http.Http, ids: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(
      ids,
      (id) =>
        Effect.flatMap(
          one(http, `/v1/invoices/${Http.segment(id)}`),
          (invoice): Read<Mapping.Whole | undefined> =>
            invoice === undefined || invoice["deleted"] === true ? Effect.succeed(undefined) : whole(http, invoice)
        ),
      { concurrency: limits.atOnce }
    ),
    (found) => {
      const into = decoded(found.filter((one) => one !== undefined))
      into.deleted.push(...ids.filter((_, n) => found[n] === undefined).map((id) => ({ kind: "invoice" as const, id })))
      return into
    }
  )

/** The invoices that this is, or leads to; and payments on the way that name none. */
const invoicesOf = (
  http: Http.Http,
  about: string
): Read<{ readonly ids: ReadonlyArray<string>; readonly odd: ReadonlyArray<unknown> }> => {
  const type = about.slice(0, about.indexOf(":"))
  const id = about.slice(type.length + 1)
  if (type === "invoice") return Effect.succeed({ ids: [id], odd: [] })
  if (type !== "payment_intent") return Effect.succeed({ ids: [], odd: [] })
  const named = (one: unknown) => (Json.isObject(one) ? Mapping.idOf(one["invoice"]) : undefined)
  return Effect.map(paymentsBy(http, id), (all) => ({
    ids: all.flatMap((one) => named(one) ?? []),
    odd: all.filter((one) => named(one) === undefined)
  }))
}

const changes = (http: Http.Http, from: Bookmark) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const events = yield* collect(http, "/v1/events", { "created[gte]": from.since - OVERLAP_SECONDS })
      const quarantined: Array<Connector.QuarantinedRecord> = []
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const ids = new Set<string>()
      /** Payments that were taken off their invoice: its list does not show them any more. */
      const detached = new Set<string>()
      let latest = from.since
      for (const event of events) {
        const fields = new Json.Fields(Json.isObject(event) ? event : {})
        const at = Number(Json.nameOf(fields.get("created")) ?? 0)
        // A time that has not come yet would hide everything until then.
        if (at > latest && at <= now + MARGIN_SECONDS) latest = at
        const object = fields.get("data.object")
        if (!Events.concerns(Json.nameOf(fields.get("type")) ?? "") || !Json.isObject(object)) continue
        const about = Events.aboutOf(new Json.Fields(object))
        const led = about === undefined ? { ids: [], odd: [] } : yield* invoicesOf(http, about)
        for (const id of led.ids) ids.add(id)
        for (const one of led.odd) quarantined.push(unnamed(one))
        const its = Mapping.idOf(object["id"])
        if (fields.get("type") === "invoice_payment.detached" && its !== undefined) detached.add(its)
      }
      const first = {
        read: [],
        quarantined: [],
        deleted: [...detached].map((id) => ({ kind: "payment" as const, id }))
      }
      const chunks = Arr.chunksOf(ids, CHUNK)
      const reread = Stream.mapEffect(Stream.fromIterable(chunks), (chunk) => byId(http, chunk))
      return Stream.concat(Stream.fromIterable(detached.size === 0 ? [] : [first]), reread).pipe(
        Stream.map((page): Connector.Page<Bookmark> => ({ ...page, bookmark: from })),
        Stream.concat(Stream.make({ read: [], quarantined, bookmark: { since: latest, all: true } }))
      )
    })
  )

const unnamed = (payment: unknown): Connector.QuarantinedRecord => ({
  kind: "payment",
  origin: "invoice_payments",
  raw: JSON.stringify(payment) ?? "null",
  why: "it names no invoice, so its events belong to none"
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

const httpOf = (settings: Settings, { environment }: Connector.ConnectorContext) => {
  const variable = settings.key.env
  return Http.make({
    connector: "stripe",
    base: "https://api.stripe.com",
    authority: Http.key(Http.secret("stripe", environment, variable), variable, (key) => ({
      authorization: `Bearer ${key}`
    })),
    headers: {
      "stripe-version": VERSION,
      ...(settings.account === undefined ? {} : { "stripe-account": settings.account })
    },
    limits,
    explain
  })
}

const webhook: Connector.Webhook<Settings> = {
  verify: Events.verify,
  events: (delivery, { account }) => Events.pointed(delivery, account),
  reread: (settings, about, surroundings) => {
    const http = httpOf(settings, surroundings)
    return Stream.fromIterable(Arr.chunksOf(about, CHUNK)).pipe(
      Stream.mapEffect((chunk) =>
        Effect.forEach(chunk, (one) => invoicesOf(http, one), { concurrency: limits.atOnce }).pipe(
          Effect.flatMap((found) =>
            Effect.map(byId(http, [...new Set(found.flatMap(({ ids }) => ids))]), (into) => {
              into.quarantined.push(...found.flatMap(({ odd }) => odd.map(unnamed)))
              return into
            })
          )
        )
      )
    )
  }
}

export const stripe = Connector.make({
  name: "stripe",
  title: "Stripe: invoices, payments, refunds, disputes, credit notes",
  capabilities: {
    kinds: ["invoice", "payment", "reversal", "credit_note"],
    deletions: "status",
    blindSpots: [
      "changes older than the thirty days for which Stripe keeps events: every invoice is then read again",
      "refunds of an invoice that was finalised before March 2019: seen with its next change, or when it is read again by id"
    ],
    authorises: "key",
    overlapSeconds: OVERLAP_SECONDS,
    limits
  },
  settings: Settings,
  // Without one it is the key's own account, which only the key knows.
  identity: ({ account }: Settings) => (account === undefined ? undefined : `account ${account}`),
  bookmark: Bookmark,
  pull: (settings: Settings, after, surroundings) => {
    const http = httpOf(settings, surroundings)
    return Stream.unwrap(
      Effect.map(Clock.currentTimeMillis, (now) => {
        const seconds = Math.floor(now / 1000)
        const fresh: Bookmark = { since: seconds - MARGIN_SECONDS, all: false }
        const from = after === undefined || after.since < seconds - KEPT_SECONDS ? fresh : after
        if (from.all) return changes(http, from)
        return Stream.concat(
          everything(http, from),
          Stream.suspend(() => changes(http, { since: from.since, all: true }))
        )
      })
    )
  },
  webhook,
  reread: (settings: Settings, ids, surroundings) => {
    const http = httpOf(settings, surroundings)
    const chunks = Arr.chunksOf(ids, CHUNK)
    return Stream.mapEffect(Stream.fromIterable(chunks), (chunk) => byId(http, chunk))
  }
})
