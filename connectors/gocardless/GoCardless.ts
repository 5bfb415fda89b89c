/**
 * GoCardless: reads direct debits, their failures, chargebacks and refunds.
 *
 * The first pull reads every list, by cursor (`First.ts`). Later pulls read the events since then, and read again each
 * payment named there, with all its events and its customer, and each refund, so the order in which events arrive does not
 * matter. Events come newest first, so the bookmark moves only after all of them were read.
 */
import { Clock, Effect, Schema, Stream } from "effect"
import * as Instant from "../../core/wire/Instant.ts"
import * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import { remembered } from "../Remembered.ts"
import * as Signature from "../Signature.ts"
import * as First from "./First.ts"
import * as Histories from "./Histories.ts"
import { collect, fieldsOf, idOf, limits, listing, type Read } from "./Lists.ts"
import * as Names from "./Names.ts"

const Settings = Schema.Struct({
  /** The environment variable with the access token. */
  token: Schema.Struct({ env: Schema.NonEmptyString }).annotate({
    message: 'the token is not written here; name the variable that holds it, like { "env": "GOCARDLESS_TOKEN" }'
  }),
  environment: Schema.optionalKey(Schema.Literals(["live", "sandbox"])),
  /** The member of a payment that names its invoice; `metadata.invoice` by default. */
  invoice: Schema.optionalKey(Schema.NonEmptyString),
  /** Replaces GoCardless's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const Bookmark = Schema.Struct({
  /** During the first pull: the last payment that was read. */
  payments: Schema.optionalKey(Schema.String),
  /** Milliseconds since the epoch: later events were not read yet. */
  since: Schema.Number,
  /** Whether the first pull is complete. */
  all: Schema.Boolean,
  /** Events already read that will be listed again, because each read begins a little before the end of the previous one. */
  read: Schema.optionalKey(Schema.Array(Schema.String))
})
type Bookmark = typeof Bookmark.Type
type Source = Histories.Source

const OVERLAP_SECONDS = 300
const OVERLAP_MS = OVERLAP_SECONDS * 1000
/** By how much this machine's clock may be wrong: a day. */
const MARGIN_MS = 86_400_000
const HOSTS = { live: "https://api.gocardless.com", sandbox: "https://api-sandbox.gocardless.com" } as const

/** The time of the newest event, by GoCardless's clock; without events, a day ago by this machine's clock. */
const newest = (http: Http.Http, now: number): Read<number> =>
  Effect.map(
    Effect.flatMap(http.get("/events", { limit: 1 }), (answer) =>
      Http.records("gocardless", "/events", answer, "events")
    ),
    (events) =>
      events
        .map(createdOf)
        .filter((at) => at > now - MARGIN_MS && at <= now + MARGIN_MS)
        .reduce((latest, at) => Math.max(latest, at), now - MARGIN_MS)
  )

const createdOf = (event: unknown): number => Instant.toEpochMillis(idOf(event, "created_at") ?? "")

/** Events of payments, with the current state of those payments, and events of refunds. */
const eventsSince = (http: Http.Http, since: string) =>
  Effect.gen(function* () {
    const asked = { resource_type: "payments", include: "payment", "created_at[gte]": since }
    const pages = yield* Stream.runCollect(listing(http, "events", asked))
    const back = yield* collect(http, "events", { resource_type: "refunds", "created_at[gte]": since })
    const records = new Map<string, Json.Members>()
    // A payment may be on several pages: the state read last is used.
    for (const payment of pages.flatMap((page) => page.payments)) {
      const id = idOf(payment)
      if (id !== undefined) records.set(id, payment)
    }
    return { events: [...pages.flatMap((page) => page.records), ...back], records }
  })

/** Reads the payments and refunds named in events since the bookmark. */
const changes = (source: Source, from: Bookmark) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { events, records } = yield* eventsSince(source.http, new Date(from.since - OVERLAP_MS).toISOString())
      const now = yield* Clock.currentTimeMillis
      const known = new Set(from.read)
      const [payments, back] = [new Set<string>(), new Set<string>()]
      let latest = Math.max(from.since, now - MARGIN_MS)
      for (const event of events) {
        const at = createdOf(event)
        // Ignores times in the future: as a bookmark, they would hide all events until then.
        if (at > latest && at <= now + MARGIN_MS) latest = at
        if (known.has(idOf(event) ?? "")) continue
        const [payment, refund] = ["links.payment", "links.refund"].map((path) => fieldsOf(event).get(path))
        if (typeof payment === "string") payments.add(payment)
        else if (typeof refund === "string") back.add(refund)
      }
      const seen = events.map((event) => ({ id: idOf(event), at: createdOf(event) }))
      const behind: Bookmark = { since: latest, all: true, read: remembered(seen, latest - OVERLAP_MS) }
      return Stream.fromIterable([
        ...Histories.alone(source, payments, records),
        ...Histories.refunds(source, back)
      ]).pipe(
        Stream.mapEffect((reading) => reading),
        Stream.map((page): Connector.Page<Bookmark> => ({ ...page, bookmark: from })),
        Stream.concat(Stream.make({ read: [], quarantined: [], bookmark: behind }))
      )
    })
  )

/** Reads every payment, and then what changed meanwhile. */
const everything = (source: Source, from: Bookmark, wanted: number | undefined) => {
  const payments = First.everything(source, from.payments, wanted).pipe(
    Stream.map(({ into, next }): Connector.Page<Bookmark> => {
      return { ...into, bookmark: next === undefined ? from : { ...from, payments: next } }
    })
  )
  const all: Bookmark = { since: from.since, all: true }
  const end = Stream.make<[Connector.Page<Bookmark>]>({ read: [], quarantined: [], bookmark: all })
  return Stream.concat(
    Stream.concat(payments, end),
    Stream.suspend(() => changes(source, all))
  )
}

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

const sourceOf = (settings: Settings, surroundings: Connector.ConnectorContext): Source => {
  const http = httpOf(settings, surroundings)
  return { http, names: Names.make(http), invoice: settings.invoice ?? "metadata.invoice" }
}

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
    const source = sourceOf(settings, surroundings)
    const payment = (one: string) =>
      one.startsWith("refund:")
        ? Histories.paymentOf(source.http, one.slice(7))
        : Effect.succeed(one.slice("payment:".length))
    return Stream.unwrap(
      Effect.map(Effect.forEach(about, payment, { concurrency: limits.atOnce }), (found) =>
        Stream.mapEffect(
          Stream.fromIterable(Histories.wholes(source, new Set(found.filter((id) => id !== undefined)))),
          (reading) => reading
        )
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
      "metadata added after a payment was created: GoCardless has no event for that",
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
    const source = sourceOf(settings, surroundings)
    return Stream.unwrap(
      Effect.map(Clock.currentTimeMillis, (now) => {
        const wanted = surroundings.first
        if (after !== undefined) return after.all ? changes(source, after) : everything(source, after, wanted)
        return Stream.unwrap(
          Effect.map(newest(source.http, now), (since) => everything(source, { since, all: false }, wanted))
        )
      })
    )
  }
})
