/**
 * Stripe: reads invoices with their payments, refunds, disputes and credit notes.
 *
 * The first pull reads every list, by cursor (`First.ts`). Later pulls read recent events to find what to read again
 * (`Changes.ts`). Stripe keeps events for thirty days only: with an older bookmark, everything is read again, so that
 * nothing is missed. An event is a hint; its content is never used.
 */
import { Array as Arr, Clock, Effect, Schema, Stream } from "effect"
import * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import { remembered } from "../Remembered.ts"
import { CHUNK, invoicesOf, readings, unnamed } from "./Changes.ts"
import * as Events from "./Events.ts"
import * as First from "./First.ts"
import { collect, fieldsOf, limits } from "./Lists.ts"
import * as Mapping from "./Mapping.ts"
import { byId } from "./Whole.ts"

const Settings = Schema.Struct({
  /** The environment variable with the key; a restricted read-only key is enough. */
  key: Schema.Struct({ env: Schema.NonEmptyString }).annotate({
    message: 'the key is not written here; name the variable that holds it, like { "env": "STRIPE_KEY" }'
  }),
  /** The connected account to read: `acct_...`. */
  account: Schema.optionalKey(Schema.NonEmptyString),
  /** Replaces Stripe's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const Bookmark = Schema.Struct({
  /** During the first pull: the last invoice that was read. */
  invoices: Schema.optionalKey(Schema.String),
  /** Seconds since the epoch: later events were not read yet. */
  since: Schema.Number,
  all: Schema.Boolean,
  /** Events already read that will be listed again, because each read begins a little before the end of the previous one. */
  read: Schema.optionalKey(Schema.Array(Schema.String))
})
type Bookmark = typeof Bookmark.Type

/**
 * The API version that the mapping was written for: the first with several payments per invoice and credit notes of both
 * kinds. Without it Stripe uses the account's version, which anybody with access to the account may change.
 */
const VERSION = "2025-05-28.basil"
const OVERLAP_SECONDS = 300
/** By how much this machine's clock may be wrong: a day. */
const MARGIN_SECONDS = 86_400
/** One day less than Stripe keeps its events. */
const KEPT_SECONDS = 29 * 86_400

/** The time of the newest event, by Stripe's clock; without events, a day ago by this machine's clock. */
const newest = (http: Http.Http, now: number) =>
  Effect.map(Effect.flatMap(http.get("/v1/events", { limit: 1 }), listed), (events) => {
    const times = events.map(createdOf).filter((at) => at > now - MARGIN_SECONDS && at <= now + MARGIN_SECONDS)
    return times.reduce((latest, at) => Math.max(latest, at), now - MARGIN_SECONDS)
  })

const listed = (answer: Http.Answer) => Http.records("stripe", "/v1/events", answer, "data")
const createdOf = (event: unknown) => Number(Json.nameOf(fieldsOf(event).get("created")) ?? 0)

const changes = (http: Http.Http, from: Bookmark) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const events = yield* collect(http, "/v1/events", { "created[gte]": from.since - OVERLAP_SECONDS })
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const known = new Set(from.read)
      const touched = Events.untouched()
      let latest = Math.max(from.since, now - MARGIN_SECONDS)
      for (const event of events) {
        const fields = fieldsOf(event)
        const at = createdOf(event)
        // Ignores times in the future: as a bookmark, they would hide all events until then.
        if (at > latest && at <= now + MARGIN_SECONDS) latest = at
        if (known.has(Mapping.idOf(event) ?? "")) continue
        Events.touch(touched, Json.nameOf(fields.get("type")) ?? "", fieldsOf(fields.get("data.object")))
      }
      const seen = events.map((event) => ({ id: Mapping.idOf(event), at: createdOf(event) }))
      const behind: Bookmark = { since: latest, all: true, read: remembered(seen, latest - OVERLAP_SECONDS) }
      return Stream.fromIterable(readings(http, touched)).pipe(
        Stream.mapEffect((reading) => reading),
        Stream.map((page): Connector.Page<Bookmark> => ({ ...page, bookmark: from })),
        Stream.concat(Stream.make({ read: [], quarantined: [], bookmark: behind }))
      )
    })
  )

/** Reads every invoice, and then what changed meanwhile. */
const everything = (http: Http.Http, from: Bookmark, wanted: number | undefined) => {
  const invoices = First.everything(http, from.invoices, wanted).pipe(
    Stream.map(({ into, last }): Connector.Page<Bookmark> => {
      return { ...into, bookmark: last === undefined ? from : { ...from, invoices: last } }
    })
  )
  const all: Bookmark = { since: from.since, all: true }
  const end = Stream.make<[Connector.Page<Bookmark>]>({ read: [], quarantined: [], bookmark: all })
  return Stream.concat(
    Stream.concat(invoices, end),
    Stream.suspend(() => changes(http, all))
  )
}

const explain: Http.Options["explain"] = (status, body) => {
  const said = new Json.Fields(Json.isObject(body) ? body : {}).get("error.message")
  // Stripe's message about a wrong key quotes part of it.
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
    base: settings.url ?? "https://api.stripe.com",
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
  // Otherwise it is the key's own account, which the settings do not name.
  identity: ({ account }: Settings) => (account === undefined ? undefined : `account ${account}`),
  bookmark: Bookmark,
  pull: (settings: Settings, after, surroundings) => {
    const http = httpOf(settings, surroundings)
    return Stream.unwrap(
      Effect.map(Clock.currentTimeMillis, (now) => {
        const seconds = Math.floor(now / 1000)
        const wanted = surroundings.first
        if (after !== undefined && after.since >= seconds - KEPT_SECONDS) {
          return after.all ? changes(http, after) : everything(http, after, wanted)
        }
        return Stream.unwrap(
          Effect.map(newest(http, seconds), (since) => everything(http, { since, all: false }, wanted))
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
