/**
 * Stripe: reads invoices with their payments, refunds, disputes and credit notes.
 *
 * The first pull reads every list, by cursor (`First.ts`). Later pulls read recent events to find what to read again
 * (`Changes.ts`). Stripe keeps events for thirty days only: with an older bookmark, everything is read again, so that
 * nothing is missed. An event is a hint; its content is never used.
 */
import { Array as Arr, Effect, Schema, Stream } from "effect"
import * as Connector from "../Connector.ts"
import * as EventLog from "../EventLog.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import { CHUNK, invoicesOf, readings, unnamed } from "./Changes.ts"
import * as Events from "./Events.ts"
import * as First from "./First.ts"
import { collect, limits } from "./Lists.ts"
import * as Mapping from "./Mapping.ts"
import { byId } from "./Whole.ts"

const Settings = Schema.Struct({
  /** The environment variable with the key; a restricted read-only key is enough. */
  key: Rest.secret("STRIPE_KEY"),
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

const logOf = (http: Http.Http, wanted: number | undefined): EventLog.EventLog => ({
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
      "give the restricted key read access to invoices, charges, refunds, disputes, credit notes and events, and check account"
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

const httpOf = (settings: Settings, context: Connector.ConnectorContext) =>
  Rest.httpOf(REQUESTS, settings as never, context)

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
  bookmark: EventLog.Bookmark,
  pull: (settings: Settings, after, surroundings) =>
    EventLog.pull(logOf(httpOf(settings, surroundings), surroundings.first), after),
  webhook,
  reread: (settings: Settings, ids, surroundings) => {
    const http = httpOf(settings, surroundings)
    const chunks = Arr.chunksOf(ids, CHUNK)
    return Stream.mapEffect(Stream.fromIterable(chunks), (chunk) => byId(http, chunk))
  }
})
