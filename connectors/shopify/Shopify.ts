/**
 * Shopify: reads orders, as they stand, and their fulfilments over the GraphQL Admin API.
 *
 * Orders are read in the order of their last change and id, from a little before the last one that was read, because
 * Shopify's search index lags at times. Shopify returns at most 25,000 records per query, so long lists are queried again
 * from where they stopped. An order that does not fit into a page is then read separately.
 */
import { Clock, Effect, Option, Schema, Stream } from "effect"
import * as Instant from "../../core/wire/Instant.ts"
import * as Day from "../../core/wire/Day.ts"
import { captureOf, onceComplete } from "../CaptureTrigger.ts"
import * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Credentials from "./Credentials.ts"
import * as GraphQL from "./GraphQL.ts"
import * as Mapping from "./Mapping.ts"
import * as Pages from "./Pages.ts"
import { tail } from "./Records.ts"
import * as Rest from "../rest/index.ts"
import * as Webhook from "./Webhook.ts"

const variable = Rest.secret("SHOPIFY_TOKEN")

const Settings = Schema.Struct({
  /** The `my-shop` in `my-shop.myshopify.com`. */
  shop: Schema.String.check(
    Schema.makeFilter((shop: string) =>
      /^[a-z0-9][a-z0-9-]*(\.myshopify\.com)?$/.test(shop) ? true : "write the shop's name before .myshopify.com"
    )
  ),
  /** Environment variables: the Admin API access token, or a client id and its secret (see `Credentials.ts`). */
  token: Schema.optionalKey(variable),
  client_id: Schema.optionalKey(variable),
  client_secret: Schema.optionalKey(variable),
  /** Where orders hold their deferred-payment id; by default in the attribute `deferred_payment`. */
  deferred_payment: Schema.optionalKey(
    Schema.Struct({
      /** `namespace.key` */
      metafield: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^.+\..+$/u))),
      attribute: Schema.optionalKey(Schema.NonEmptyString),
      /** The tag's prefix, such as `defpay-` or `deferred:`. */
      tag: Schema.optionalKey(Schema.NonEmptyString)
    })
  ),
  /** The gateways of the deferred payment; by default the only one that is not a gift card or store credit. */
  method: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** What makes an amount due: a shipment (the default), or the order being complete. */
  capture: captureOf("Shopify", ["shipment", "complete"], "it has no invoices of its own"),
  /** `presentment` (the default): amounts in the buyer's currency; `shop`: in the shop's own. */
  money: Schema.optionalKey(Schema.Literals(["presentment", "shop"])),
  /** Reads buyers and addresses as well, for orders that are to be created on the service. */
  buyers: Schema.optionalKey(
    Schema.Struct({
      /** The attribute in which checkout stores the service's id for the company; `company` by default. */
      company: Schema.optionalKey(Schema.NonEmptyString)
    })
  ),
  /** The first pull skips orders that last changed before this day. */
  since: Schema.optionalKey(Day.Day),
  /** The version of the Admin API. */
  version: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}$/u))),
  /** Replaces Shopify's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
}).check(Schema.makeFilter((settings) => Credentials.problem(settings) ?? true))
type Settings = typeof Settings.Type

const Bookmark = Schema.Struct({
  /** The time of change and the id of the last order that was read. */
  at: Schema.String,
  id: Schema.String
})
type Bookmark = typeof Bookmark.Type

const OVERLAP_SECONDS = 300
/** By how much this machine's clock may be behind. */
const MARGIN_MS = 86_400_000
const VERSION = "2026-07"
/** A valid order id; orders with another one are quarantined. */
const ORDER = /^gid:\/\/shopify\/Order\/\w+(\?.*)?$/
const UNNAMED = "is not the id of an order, so Shopify cannot be asked for it"
/** Fewer than the 25,000 records that Shopify returns per query. */
const DEEP = 20_000
const limits = { atOnce: 2, by: "account", page: Pages.SIZE } as const

/** The part of the host name before `.myshopify.com`. */
const nameOf = (shop: string): string => shop.replace(/\.myshopify\.com$/, "")

const optionsOf = (settings: Settings): Mapping.Options => ({
  money: settings.money ?? "presentment",
  methods: settings.method,
  company: settings.buyers === undefined ? undefined : (settings.buyers.company ?? "company"),
  carried: settings.deferred_payment ?? { attribute: "deferred_payment" }
})

const explain: Http.Options["explain"] = (status, body) => {
  const said = Json.isObject(body) && typeof body["errors"] === "string" ? { said: body["errors"] } : {}
  if (status === 402) return { ...said, hint: "the shop is frozen: its owner must settle its bill with Shopify" }
  if (status === 423) return { ...said, hint: "the shop is locked: its owner must ask Shopify's support" }
  if (status === 403) return { ...said, hint: "give the app the scope read_orders, then install it again" }
  return said
}

const apiOf = (settings: Settings, surroundings: Connector.ConnectorContext): GraphQL.Api => {
  const host = `https://${nameOf(settings.shop)}.myshopify.com`
  const base = (settings.url ?? host).replace(/(?<!\/)\/+$/, "")
  const http = Http.make({
    connector: "shopify",
    base,
    authority: Credentials.authority(settings, base, surroundings),
    account: nameOf(settings.shop),
    limits,
    explain,
    inspect: GraphQL.inspect
  })
  const { carried, company, money } = optionsOf(settings)
  return GraphQL.make(http, `/admin/api/${settings.version ?? VERSION}/graphql.json`, {
    money,
    buyers: company !== undefined,
    metafield: carried.metafield
  })
}

interface Listed {
  readonly id: string
  readonly at: string
  /** Present if the page has the complete order. */
  readonly order?: Json.Members | undefined
}

const reading = (api: GraphQL.Api, settings: Settings, wanted: ReadonlyArray<Pick<Listed, "id" | "order">>) =>
  Effect.map(
    Effect.forEach(
      wanted,
      ({ id: gid, order }): GraphQL.Ask<{ readonly gid: string; readonly whole: GraphQL.Whole }> =>
        order === undefined
          ? Effect.map(api.whole(gid), (whole) => ({ gid, whole }))
          : Effect.succeed({ gid, whole: { order } }),
      { concurrency: limits.atOnce }
    ),
    (found) => {
      const into = Json.batch()
      const order = Mapping.order(optionsOf(settings))
      const decode = settings.capture === "complete" ? (fields: Json.Fields) => onceComplete(order(fields)) : order
      const missing: Array<string> = []
      for (const { gid, whole } of found) {
        if (whole.order === null) {
          missing.push(tail(gid))
          continue
        }
        // Adds the id that its documents have.
        const record = { ...whole.order, legacy: tail(gid) }
        Json.decodeAll(into, [record], {
          name: "orders",
          kind: "order",
          id: "legacy",
          decode: (fields) => {
            if ("why" in whole) throw new Json.Unfit("", whole.why)
            return decode(fields)
          }
        })
      }
      return { into, missing }
    }
  )

const BLIND =
  "this token sees orders of the last 60 days only: give the app the scope read_all_orders, or older ones are never read again"

interface At {
  /** Where the current query began, and its position. */
  readonly from: string | undefined
  readonly after: string | undefined
  readonly depth: number
  readonly last: ReadonlyArray<string>
  readonly bookmark: Bookmark | undefined
  /** The time of change of the last order listed, and whether all came in that order: only then does the bookmark move. */
  readonly latest: number
  readonly sorted: boolean
  /** The orders read in this run, with their time of change. */
  readonly seen: Map<string, string>
  readonly begun: boolean
}

/** One page of the list: the orders with their times of change. */
const listOf = (data: Json.Fields) => {
  const records = data.get("orders.nodes")
  if (!Array.isArray(records)) {
    const why = "the answer has no list orders; the source may have changed its interface"
    return Effect.fail(Connector.failing("shopify").unreadable("orders", why))
  }
  const listed = records.map((one): Listed => {
    const [id = "", at = ""] = Json.isObject(one) ? [Json.nameOf(one["id"]), Json.nameOf(one["updatedAt"])] : []
    return { id: ORDER.test(id) ? id : "", at, order: Pages.wholeIn(one) }
  })
  const cursor = Json.nameOf(data.get("orders.pageInfo.endCursor"))
  return Effect.succeed({
    listed,
    unnamed: records.filter((_, n) => listed[n]?.id === ""),
    cursor: data.get("orders.pageInfo.hasNextPage") === true ? cursor : undefined
  })
}

/** How far the bookmark may move after these orders. */
const reaching = (at: At, listed: ReadonlyArray<Listed>, now: number): Pick<At, "bookmark" | "latest" | "sorted"> => {
  let { bookmark, latest, sorted } = at
  for (const one of listed) {
    const when = Instant.toEpochMillis(one.at)
    // Ignores times in the future: as a bookmark, they would hide all changes until then.
    if (Number.isNaN(when) || one.id === "" || when > now + MARGIN_MS) continue
    if (when < latest) sorted = false
    latest = when
    if (bookmark === undefined || when >= Instant.toEpochMillis(bookmark.at))
      bookmark = { at: one.at, id: tail(one.id) }
  }
  return { bookmark, latest, sorted }
}

/** The next request: the next page, or a new query from the bookmark once the current one has returned many records. */
const onward = (
  at: At,
  listed: ReadonlyArray<Listed>,
  cursor: string | undefined,
  reached: ReturnType<typeof reaching>,
  deep: number
): At => {
  const { bookmark, latest, sorted } = reached
  const depth = at.depth + listed.length
  const anew = depth >= deep && sorted && bookmark !== undefined && bookmark.at !== at.from
  return {
    ...(anew ? { from: bookmark.at, after: undefined, depth: 0 } : { from: at.from, after: cursor, depth }),
    last: listed.map(({ id }) => id),
    bookmark,
    latest: anew ? 0 : latest,
    sorted,
    seen: anew ? new Map([...at.seen].filter(([, when]) => when === bookmark.at)) : at.seen,
    begun: true
  }
}

/** The time since which changes are queried; undefined for everything. */
const begins = (from: Bookmark | undefined, settings: Settings): string | undefined => {
  if (from !== undefined)
    return new Date(Instant.toEpochMillis(from.at) - OVERLAP_SECONDS * 1000).toISOString().replace(/\.\d+/, "")
  return settings.since === undefined ? undefined : `${settings.since}T00:00:00Z`
}

/** @param deep the number of orders after which a query is replaced by a new one */
export const listing = (api: GraphQL.Api, settings: Settings, from: Bookmark | undefined, deep = DEEP) => {
  const start = begins(from, settings)
  const first: At = {
    from: start,
    after: undefined,
    depth: 0,
    last: [],
    bookmark: from,
    latest: 0,
    sorted: true,
    seen: new Map(),
    begun: false
  }
  return Stream.paginate(first, (at) =>
    Effect.gen(function* () {
      const query = at.from === undefined ? undefined : `updated_at:>='${at.from}'`
      const data = yield* api.page({ query, after: at.after })
      const { cursor, listed, unnamed } = yield* listOf(data)
      const fresh = listed.filter((one) => one.id !== "" && at.seen.get(one.id) !== one.at)
      const { into, missing } = yield* reading(api, settings, fresh)
      Json.decodeAll(into, unnamed, { name: "orders", kind: "order", id: "id", decode: Json.refuse("id", UNNAMED) })
      for (const one of fresh) at.seen.set(one.id, one.at)
      const reached = reaching(at, listed, yield* Clock.currentTimeMillis)
      const repeated = listed.length > 0 && listed.map(({ id }) => id).join() === at.last.join()
      const more = cursor !== undefined && !repeated
      const scopes = at.begun ? undefined : GraphQL.scopesOf(data)
      if (scopes !== undefined && !scopes.includes("read_all_orders"))
        into.notices.unshift({ origin: "orders", what: BLIND })
      const kept = reached.sorted || !more ? reached.bookmark : from
      const page: Connector.Page<Bookmark> = {
        ...into,
        deleted: [...into.deleted, ...missing.map((id) => ({ kind: "order" as const, id }))],
        bookmark: kept ?? { at: start ?? "1970-01-01T00:00:00Z", id: "" }
      }
      return [[page], more ? Option.some(onward(at, listed, cursor, reached, deep)) : Option.none<At>()] as const
    })
  )
}

/** Reads these orders again, by number. */
const reread = (settings: Settings, ids: ReadonlyArray<string>, surroundings: Connector.ConnectorContext) => {
  const api = apiOf(settings, surroundings)
  // Ids in another format are not those of Shopify orders.
  const [own, strange] = [ids.filter((id) => /^\d+$/.test(id)), ids.filter((id) => !/^\d+$/.test(id))]
  return Stream.fromEffect(
    Effect.gen(function* () {
      const { into, missing } = yield* reading(
        api,
        settings,
        own.map((id) => ({ id: `gid://shopify/Order/${id}` }))
      )
      // With a token that may not read old orders, they look the same as deleted ones.
      const scopes = missing.length === 0 ? undefined : yield* api.scopes
      const sees = scopes?.includes("read_all_orders") ?? false
      const deleted = [...(sees ? missing : []), ...strange].map((id) => ({ kind: "order" as const, id }))
      const notices = missing.length > 0 && !sees ? [{ origin: "orders", what: BLIND }] : []
      return { ...into, notices: [...into.notices, ...notices], deleted: [...into.deleted, ...deleted] }
    })
  )
}

const webhook: Connector.Webhook<Settings> = {
  verify: Webhook.verify,
  events: (delivery, { shop }) => Webhook.events(delivery, nameOf(shop)),
  reread
}

export const shopify = Connector.make({
  name: "shopify",
  title: "Shopify: orders as they stand, with their fulfilments",
  capabilities: {
    kinds: ["order", "fulfilment"],
    deletions: "status",
    blindSpots: [
      "orders older than 60 days, for a token without read_all_orders: a pull says so",
      "a metafield that is set later: it is read with the order's next change, such as its first parcel",
      "orders that were deleted: seen when they are read again by id",
      "disputes: they are about cards, not about what was deferred"
    ],
    authorises: "key",
    overlapSeconds: OVERLAP_SECONDS,
    limits
  },
  settings: Settings,
  identity: ({ shop }: Settings) => `shop ${nameOf(shop)}`,
  page: ({ shop }: Settings, kind, id) =>
    kind === "order" ? `https://admin.shopify.com/store/${nameOf(shop)}/orders/${id}` : undefined,
  bookmark: Bookmark,
  check: (settings: Settings, surroundings) =>
    Effect.map(apiOf(settings, surroundings).scopes, (scopes) =>
      scopes === undefined || scopes.includes("read_orders") ? [] : ["the app lacks the scope read_orders"]
    ),
  pull: (settings: Settings, after, surroundings) => listing(apiOf(settings, surroundings), settings, after),
  webhook,
  reread
})
