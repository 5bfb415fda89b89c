/**
 * GoCardless: reads direct debits, their failures, chargebacks and refunds.
 *
 * The first pull reads every list, by cursor (`First.ts`). Later pulls read the events since then, and read again each
 * payment named there, with all its events and its customer, and each refund, so the order in which events arrive does not
 * matter. Events come newest first, so the bookmark moves only after all of them were read.
 */
import { Effect, Schema, Stream } from "effect"
import * as Instant from "../../core/wire/Instant.ts"
import * as Connector from "../Connector.ts"
import * as EventLog from "../EventLog.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import * as Signature from "../Signature.ts"
import * as First from "./First.ts"
import * as Histories from "./Histories.ts"
import { collect, idOf, limits, listing } from "./Lists.ts"
import * as Names from "./Names.ts"
import { payoutsById } from "./Payouts.ts"

const Settings = Schema.Struct({
  /** The environment variable with the access token. */
  token: Rest.secret("GOCARDLESS_TOKEN"),
  environment: Schema.optionalKey(Schema.Literals(["live", "sandbox"])),
  /** The member of a payment that names its invoice; `metadata.invoice` by default. */
  invoice: Schema.optionalKey(Schema.NonEmptyString),
  /** Replaces GoCardless's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

type Source = Histories.Source

const OVERLAP_SECONDS = 300
const HOSTS = { live: "https://api.gocardless.com", sandbox: "https://api-sandbox.gocardless.com" } as const

/** Events of payments, with the current state of those payments, and events of refunds and payouts. */
const eventsSince = (http: Http.Http, since: string) =>
  Effect.gen(function* () {
    const asked = { resource_type: "payments", include: "payment", "created_at[gte]": since }
    const pages = yield* Stream.runCollect(listing(http, "events", asked))
    const back = yield* collect(http, "events", { resource_type: "refunds", "created_at[gte]": since })
    const paidOut = yield* collect(http, "events", { resource_type: "payouts", "created_at[gte]": since })
    const records = new Map<string, Json.Members>()
    // A payment may be on several pages: the state read last is used.
    for (const payment of pages.flatMap(({ body }) => Json.objects(body.get("linked.payments")))) {
      const id = idOf(payment)
      if (id !== undefined) records.set(id, payment)
    }
    return { events: [...pages.flatMap((page) => page.records), ...back, ...paidOut], records }
  })

/** The payments, refunds and payouts that these events name. An event of a payment that is paid out names its payout, too. */
const namedIn = (events: ReadonlyArray<unknown>) => {
  const [payments, back, payouts] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const event of events) {
    const [payment, refund, payout] = ["payment", "refund", "payout"].map((of) =>
      Json.fieldsOf(event).get(`links.${of}`)
    )
    if (typeof payment === "string") payments.add(payment)
    else if (typeof refund === "string") back.add(refund)
    else if (typeof payout === "string") payouts.add(payout)
  }
  return { payments, back, payouts }
}

const logOf = (source: Source, wanted: number | undefined): EventLog.EventLog => ({
  second: 1000,
  overlapSeconds: OVERLAP_SECONDS,
  newest: Effect.flatMap(source.http.get("/events", { limit: 1 }), (answer) =>
    Http.records("gocardless", "/events", answer, "events")
  ),
  since: (at) =>
    Effect.map(eventsSince(source.http, new Date(at).toISOString()), ({ events, records }) => ({
      events,
      again: (fresh) => {
        const { back, payments, payouts } = namedIn(fresh)
        return [
          ...Histories.wholes(source, payments, Histories.none, records),
          ...Histories.refunds(source, back),
          ...payoutsById(source.http, payouts)
        ]
      }
    })),
  idOf,
  timeOf: (event) => Instant.toEpochMillis(idOf(event, "created_at") ?? ""),
  everything: (after) => First.everything(source, after, wanted)
})

const explain: Http.Options["explain"] = (status, body) => {
  const error = Json.fieldsOf(body)
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

const PAYOUT = "payout:"

const webhook: Connector.Webhook<Settings> = {
  verify: ({ body, headers }, secret) =>
    Signature.isSame(headers["webhook-signature"], Signature.hmac(secret, "hex", body)),
  events: (delivery) => {
    const events = Signature.fields(delivery)?.get("events")
    if (!Array.isArray(events)) return undefined
    return Json.objects(events).flatMap((one): ReadonlyArray<Connector.WebhookEvent> => {
      const event = new Json.Fields(one)
      const id = Json.nameOf(event.get("id"))
      const about = ["payment", "refund", "payout"].flatMap((of) => {
        const named = Json.nameOf(event.get(`links.${of}`))
        return named === undefined ? [] : [`${of}:${named}`]
      })[0]
      return id === undefined || about === undefined ? [] : [{ about, event: id }]
    })
  },
  reread: (settings, about, surroundings) => {
    const source = sourceOf(settings, surroundings)
    const ofPayments = about.filter((one) => !one.startsWith(PAYOUT))
    const payouts = about.filter((one) => one.startsWith(PAYOUT)).map((one) => one.slice(PAYOUT.length))
    const payment = (one: string) =>
      one.startsWith("refund:")
        ? Histories.paymentOf(source.http, one.slice(7))
        : Effect.succeed(one.slice("payment:".length))
    return Stream.unwrap(
      Effect.map(Effect.forEach(ofPayments, payment, { concurrency: limits.atOnce }), (found) =>
        Stream.mapEffect(
          Stream.fromIterable([
            ...Histories.wholes(source, new Set(found.filter((id) => id !== undefined))),
            ...payoutsById(source.http, payouts)
          ]),
          (reading) => reading
        )
      )
    )
  }
}

export const gocardless = Connector.make({
  name: "gocardless",
  title: "GoCardless: direct debits, failures, chargebacks, refunds, payouts",
  capabilities: {
    kinds: ["payment", "reversal", "payout"],
    deletions: "status",
    blindSpots: [
      "metadata added after a payment was created: GoCardless has no event for that",
      "a customer's new name: it is read with the next change of a payment",
      "what is in payouts that are older than six months when they are first read"
    ],
    authorises: "key",
    overlapSeconds: OVERLAP_SECONDS,
    limits
  },
  settings: Settings,
  identity: ({ environment = "live" }: Settings) => `${environment} account`,
  bookmark: EventLog.Bookmark,
  webhook,
  pull: (settings: Settings, after, surroundings) =>
    EventLog.pull(logOf(sourceOf(settings, surroundings), surroundings.first), after)
})
