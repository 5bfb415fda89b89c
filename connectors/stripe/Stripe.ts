/**
 * Stripe: reads invoices with their payments, refunds, disputes and credit notes.
 *
 * The first pull reads every list, by cursor (`First.ts`). Later pulls read recent events to find what to read again
 * (`Changes.ts`). Stripe keeps events for thirty days only: with an older bookmark, everything is read again, so that
 * nothing is missed. An event is a hint; its content is never used.
 */
import { Array as Arr, Effect, Schema, Stream } from "effect"
import * as Connector from "../Connector.ts"
import type { Read } from "../Cursors.ts"
import * as EventLog from "../EventLog.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import * as Dates from "../tabular/Dates.ts"
import { dayOf, TimeZone } from "../TimeZone.ts"
import { CHUNK, invoicesOf, readings, unnamed } from "./Changes.ts"
import * as Events from "./Events.ts"
import * as First from "./First.ts"
import { type Api, collect, limits } from "./Lists.ts"
import * as Mapping from "./Mapping.ts"
import { payoutsById } from "./Payouts.ts"
import { byId } from "./Whole.ts"

const Settings = Schema.Struct({
  /** The environment variable with the key; a restricted read-only key is enough. */
  key: Rest.secret("STRIPE_KEY"),
  /** Whose days are used: by default those of the account, which the key must be allowed to read. */
  time_zone: Schema.optionalKey(TimeZone),
  /** The connected account to read: `acct_...`. */
  account: Schema.optionalKey(Schema.NonEmptyString),
  /** Replaces Stripe's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

/**
 * The API version that the mapping was written for: the first with several payments per invoice and credit notes of both
 * kinds. Without it Stripe uses the account's version, which anybody with access to the account may change.
 */
const VERSION = "2025-05-28.basil"
const OVERLAP_SECONDS = 300
/** One day less than Stripe keeps its events. */
const KEPT_SECONDS = 29 * 86_400

const logOf = (http: Api, wanted: number | undefined): EventLog.EventLog => ({
  second: 1,
  overlapSeconds: OVERLAP_SECONDS,
  keptSeconds: KEPT_SECONDS,
  newest: Effect.flatMap(http.get("/v1/events", { limit: 1 }), (answer) =>
    Http.records("stripe", "/v1/events", answer, "data")
  ),
  since: (at) =>
    Effect.map(collect(http, "/v1/events", { "created[gte]": at }), (events) => ({
      events,
      again: (fresh) => {
        const touched = new Events.Touched()
        for (const event of fresh.map(Json.fieldsOf))
          Events.touch(touched, Json.nameOf(event.get("type")) ?? "", Json.fieldsOf(event.get("data.object")))
        return readings(http, touched)
      }
    })),
  idOf: Mapping.idOf,
  timeOf: (event) => Number(Json.nameAt(event, "created") ?? 0),
  everything: (after) => First.everything(http, after, wanted)
})

const explain: Http.Options["explain"] = (status, body) => {
  const said = Json.fieldsOf(body).get("error.message")
  // Stripe's message about a wrong key quotes part of it.
  const words = typeof said === "string" && !/key/i.test(said) ? { said } : {}
  if (status === 403) {
    const hint =
      "give the restricted key read access to invoices, charges, refunds, disputes, credit notes, payouts, balance and events, and check account"
    return { ...words, hint }
  }
  return words
}

const REQUESTS: Rest.Requesting = {
  name: "stripe",
  base: ({ url }: Settings) => url ?? "https://api.stripe.com",
  authorise: Rest.bearer(({ key }: Settings) => key),
  headers: ({ account }: Settings) => ({
    "stripe-version": VERSION,
    ...(account === undefined ? {} : { "stripe-account": account })
  }),
  limits,
  explain
}

const NO_ZONE =
  "the key may not read the account's time zone, so days are those of UTC, except of invoices that are due at the end of a day: give the key read access to the account, or set time_zone"

/**
 * Stripe's times are instants, and its invoices and its dashboard show them in the account's time zone, of which it is
 * `settings.dashboard.timezone` (docs.stripe.com/api/accounts/object).
 */
const apiOf = (settings: Settings, context: Connector.ConnectorContext) => {
  const http = Rest.httpOf(REQUESTS, settings as never, context)
  const api = (zone: string | undefined): Api => ({ ...http, dayOf: zone === undefined ? undefined : dayOf(zone) })
  if (settings.time_zone !== undefined) return Effect.succeed({ api: api(settings.time_zone), notices: [] })
  const read = Effect.map(http.get("/v1/account"), ({ body }) => {
    const zone = Json.fieldsOf(body).maybe("settings.dashboard.timezone")
    return zone !== undefined && Dates.wrongZone(zone) === undefined ? zone : undefined
  })
  return Effect.catchIf(
    read,
    ({ reason }) => reason._tag === "Misconfigured" && reason.unauthorised !== true,
    () => Effect.succeed(undefined)
  ).pipe(
    Effect.map((zone) => {
      const notices = zone === undefined ? [{ origin: "account", what: NO_ZONE }] : []
      return { api: api(zone), notices }
    })
  )
}

/** Adds notices to the first page. */
const noting =
  (notices: ReadonlyArray<Connector.Notice>) =>
  <A extends Connector.PageContents>(page: A, n: number): A =>
    n > 0 || notices.length === 0 ? page : { ...page, notices: [...notices, ...(page.notices ?? [])] }

/** Reads again what these names are about, a chunk at a time. */
const again = (
  settings: Settings,
  surroundings: Connector.ConnectorContext,
  about: ReadonlyArray<string>,
  read: (http: Api, chunk: ReadonlyArray<string>) => Read<Json.Batch>
) =>
  Stream.unwrap(
    Effect.map(apiOf(settings, surroundings), ({ api }) =>
      Stream.mapEffect(Stream.fromIterable(Arr.chunksOf(about, CHUNK)), (chunk) => read(api, chunk))
    )
  )

const PAYOUT = "payout:"

const webhook: Connector.Webhook<Settings> = {
  verify: Events.verify,
  events: (delivery, { account }) => Events.pointed(delivery, account),
  reread: (settings, about, surroundings) =>
    again(settings, surroundings, about, (http, chunk) =>
      Effect.gen(function* () {
        const found = yield* Effect.forEach(chunk, (one) => invoicesOf(http, one), { concurrency: limits.atOnce })
        const into = yield* byId(http, [...new Set(found.flatMap(({ ids }) => ids))])
        into.quarantined.push(...found.flatMap(({ odd }) => odd.map(unnamed)))
        const payouts = chunk.flatMap((one) => (one.startsWith(PAYOUT) ? [one.slice(PAYOUT.length)] : []))
        if (payouts.length === 0) return into
        const { notices, quarantined, read } = yield* payoutsById(http, payouts)
        into.read.push(...read)
        into.quarantined.push(...quarantined)
        into.notices.push(...notices)
        return into
      })
    )
}

export const stripe = Connector.make({
  name: "stripe",
  title: "Stripe: invoices, payments, refunds, disputes, credit notes, payouts",
  capabilities: {
    kinds: ["invoice", "payment", "reversal", "credit_note", "payout"],
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
  bookmark: EventLog.Bookmark,
  pull: (settings: Settings, after, surroundings) =>
    Stream.unwrap(
      Effect.map(apiOf(settings, surroundings), ({ api, notices }) =>
        Stream.map(EventLog.pull(logOf(api, surroundings.first), after), noting(notices))
      )
    ),
  webhook,
  reread: (settings: Settings, ids, surroundings) => again(settings, surroundings, ids, byId)
})
