/**
 * WooCommerce: orders, what left, what was cancelled, what came back, over its REST interface.
 *
 * Orders that changed are read in the order of their ids, from those changed since the last time: an edit meanwhile may
 * bring one twice, and never pushes one out of sight; where some are taken away meanwhile, the list is read again. Then
 * the refunds since the last time, because those do not always count as a change of their order. An order's refunds are
 * asked for always: what the order says of them is empty in some versions. The time to go on from is the shop's own, of
 * when this reading began.
 */
import { Array as Arr, Clock, Effect, Option, Schema, Stream } from "effect"
import type { HttpClient } from "effect/http"
import * as Day from "../../core/wire/Day.ts"
import * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Paging from "../Paging.ts"
import * as Mapping from "./Mapping.ts"
import * as Webhook from "./Webhook.ts"

const variable = Schema.Struct({ env: Schema.NonEmptyString }).annotate({
  message: 'a key is not written here; name the variable that holds it, like { "env": "WOOCOMMERCE_SECRET" }'
})

const Settings = Schema.Struct({
  /** The shop's address, `https://shop.example`. */
  url: Http.Url,
  /** The consumer key and its secret; reading is enough. */
  key: variable,
  secret: variable,
  /** Metadata in which orders carry the identifier of their deferred payment; `deferred_payment` unless given. */
  deferred_payment: Schema.optionalKey(Schema.NonEmptyString),
  /** Statuses in which everything has left; `completed` unless given. */
  shipped: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** What the shop's own statuses come to; those of WooCommerce are known. */
  statuses: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["open", "closed", "cancelled"]))),
  /** Metadata in which a plugin keeps parcels; `_wc_shipment_tracking_items` unless given. */
  parcels: Schema.optionalKey(Schema.NonEmptyString),
  /** Who ordered and where it goes is read as well: for orders that are to be created on the service. */
  buyers: Schema.optionalKey(
    Schema.Struct({
      /** The metadata in which checkout keeps the service's identifier of the company; `company` unless given. */
      company: Schema.optionalKey(Schema.NonEmptyString)
    })
  ),
  /** Orders that changed before this day are not read at first. */
  since: Schema.optionalKey(Day.Day)
})
type Settings = typeof Settings.Type

const Bookmark = Schema.Struct({
  /** Milliseconds since the epoch: what changed from here on is read; everything, where there is none. */
  since: Schema.optionalKey(Schema.Number),
  /** The reading that is going on: its beginning, the list (0: orders, 1: refunds), the page. */
  now: Schema.optionalKey(
    Schema.Struct({ began: Schema.Number, list: Schema.Int, page: Schema.Int, total: Schema.optionalKey(Schema.Int) })
  )
})
type Bookmark = typeof Bookmark.Type

const OVERLAP_SECONDS = 300
const limits = { atOnce: 2, page: 100 }
const ROOT = "/wp-json/wc/v3"

type Read<A> = Effect.Effect<A, Connector.SourceError, HttpClient.HttpClient>

interface Page {
  readonly records: ReadonlyArray<unknown>
  /** Undefined where the shop does not say how many pages there are. */
  readonly more: boolean | undefined
  readonly total: number | undefined
  /** By the shop's clock. */
  readonly now: number
}

const fail = (reason: Connector.SourceError["reason"]) =>
  new Connector.SourceError({ connector: "woocommerce", reason })

/** One page of a list; undefined where the shop has no such list. */
const list = (
  http: Http.Http,
  path: string,
  query: Http.Query,
  page: number,
  per_page = limits.page
): Read<Page | undefined> =>
  Effect.gen(function* () {
    const answer = yield* http.get(`${ROOT}${path}`, { ...query, per_page, page })
    if (answer.status === 404) return undefined
    if (!Array.isArray(answer.body)) {
      const why = `the answer has no list of ${path.slice(1)}; a plugin or the theme may have changed the answer`
      return yield* fail(new Connector.Unreadable({ where: path, why }))
    }
    const pages = Paging.count(answer.headers["x-wp-totalpages"])
    return {
      records: answer.body,
      more: pages === undefined ? undefined : page < pages,
      total: Paging.count(answer.headers["x-wp-total"]),
      now: Date.parse(answer.headers["date"] ?? "")
    }
  })

const OWN = /^\d+$/

const missing = fail(
  new Connector.Misconfigured({
    what: "there is no WooCommerce at this address",
    hint: "check url; in WordPress, permalinks must be other than plain, and WooCommerce active"
  })
)

/** Empty where there is none. */
const idOf = (record: unknown, member = "id"): string =>
  (Json.isObject(record) ? Json.nameOf(record[member]) : undefined) ?? ""

/** Orders with their refunds. */
const wholes = (http: Http.Http, orders: ReadonlyArray<unknown>): Read<ReadonlyArray<Mapping.Whole>> =>
  Effect.forEach(
    orders,
    (order) =>
      Effect.gen(function* () {
        const id = idOf(order)
        if (!OWN.test(id)) return { id, order, refunds: [] }
        const refunds = new Map<string, unknown>()
        for (let at: Paging.At | undefined = Paging.from(); at !== undefined; ) {
          // Read from its beginning, also where it is read again because one was deleted.
          if (at.page === 1) refunds.clear()
          const found: Page | undefined = yield* list(http, `/orders/${id}/refunds`, {}, at.page)
          if (found === undefined) return { id, order }
          const { more, records, total }: Page = found
          const keys = Paging.keysOf(records, "id")
          for (const [n, key] of keys.entries()) refunds.set(key, records[n])
          at = Paging.turn(at, { keys, total, more }).next
        }
        return { id, order, refunds: [...refunds.values()] }
      }),
    { concurrency: limits.atOnce }
  )

const decoded = (settings: Settings, records: ReadonlyArray<Mapping.Whole>) => {
  const into = Json.batch()
  const decode = Mapping.order({
    carried: settings.deferred_payment ?? "deferred_payment",
    shipped: settings.shipped ?? ["completed"],
    statuses: settings.statuses ?? {},
    company: settings.buyers === undefined ? undefined : (settings.buyers.company ?? "company"),
    parcels: settings.parcels ?? "_wc_shipment_tracking_items"
  })
  Json.decodeAll(into, records, { name: "orders", kind: "order", id: "id", decode })
  return into
}

/** These orders; `deleted` where the shop has them no longer. */
const byId = (http: Http.Http, settings: Settings, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    // Ids of another making are of no order of this shop's.
    const own = ids.filter((id) => OWN.test(id))
    const orders: Array<unknown> = []
    for (const chunk of Arr.chunksOf(own, limits.page)) {
      const found = yield* list(http, "/orders", { include: chunk.join(","), status: "any" }, 1)
      if (found === undefined) return yield* missing
      orders.push(...found.records)
    }
    const there = new Set(orders.map((order) => idOf(order)))
    // What no list has may lie in the trash, or be of a status that is hidden.
    for (const id of own.filter((one) => !there.has(one))) {
      const path = `${ROOT}/orders/${id}`
      const order = yield* Http.record("woocommerce", path, yield* http.get(path))
      if (order === undefined) continue
      orders.push(order)
      there.add(id)
    }
    const into = decoded(settings, yield* wholes(http, orders))
    const deleted = ids.filter((id) => !there.has(id)).map((id) => ({ kind: "order" as const, id }))
    return { ...into, deleted: [...into.deleted, ...deleted] }
  })

interface At {
  readonly began: number | undefined
  readonly list: number
  readonly page: Paging.At
  /** Records of this list, so far. */
  readonly read: number
  /** Orders that were read, and refunds that were seen: when they had changed. */
  readonly seen: Map<string, string>
}

const ORDERS = 0
const REFUNDS = 1

/** A record and when it had changed: one that was edited is another. */
const keyOf = (record: unknown): string =>
  idOf(record) === "" ? (JSON.stringify(record) ?? "") : `${idOf(record)} ${idOf(record, "date_modified_gmt")}`

/** Since when changes are asked for, in GMT without a zone, as WooCommerce writes it; undefined for everything. */
const begins = (since: number | undefined, settings: Settings): string | undefined => {
  if (since !== undefined) return new Date(since - OVERLAP_SECONDS * 1000).toISOString().slice(0, 19)
  return settings.since === undefined ? undefined : `${settings.since}T00:00:00`
}

/** Orders that were refunded, those that were not read just now. */
const ofRefunds = (
  http: Http.Http,
  settings: Settings,
  refunds: ReadonlyArray<unknown>,
  isRead: (order: string) => boolean
) => {
  const parents = new Set(refunds.map((one) => idOf(one, "parent_id")).filter((id) => /^[1-9]\d*$/.test(id)))
  const decode = Json.refuse("parent_id", "names no order that the refund is of")
  const unread = [...parents].filter((id) => !isRead(id))
  return Effect.map(byId(http, settings, unread), (into) => {
    const strays = refunds.filter((one) => !OWN.test(idOf(one, "parent_id")))
    Json.decodeAll(into, strays, { name: "refunds", kind: "return", id: "id", decode })
    return into
  })
}

/** @param most how many of each list are wanted, where not all are */
const lists = (
  http: Http.Http,
  settings: Settings,
  bookmark: Bookmark | undefined,
  most = Number.POSITIVE_INFINITY
) => {
  const { now, since } = bookmark ?? {}
  const first: At = {
    began: now?.began,
    list: now?.list ?? ORDERS,
    page: Paging.from(now?.page, now?.total),
    read: 0,
    seen: new Map()
  }
  const from = begins(since, settings)
  const ask = ({ list: which, page: { page } }: At) => {
    const sorted = { orderby: "id", order: "asc", ...(from === undefined ? {} : { dates_are_gmt: "true" }) }
    return which === ORDERS
      ? list(http, "/orders", { ...sorted, status: "any", modified_after: from }, page)
      : list(http, "/refunds", { ...sorted, after: from }, page)
  }
  /** What of a page was not read yet, with all that belongs to it. */
  const read = ({ list: which, seen }: At, records: ReadonlyArray<unknown>) => {
    const fresh = records.filter((one) => idOf(one) === "" || seen.get(`${which}/${idOf(one)}`) !== keyOf(one))
    for (const one of fresh) if (idOf(one) !== "") seen.set(`${which}/${idOf(one)}`, keyOf(one))
    if (which === ORDERS) return Effect.map(wholes(http, fresh), (all) => decoded(settings, all))
    // At first every order is read with its refunds.
    return ofRefunds(http, settings, fresh, (id) => from === undefined || seen.has(`${ORDERS}/${id}`))
  }
  return Stream.paginate(first, (at) =>
    Effect.gen(function* () {
      const found = yield* ask(at)
      if (found === undefined && at.list === ORDERS) return yield* missing
      // Before WooCommerce 9 there was no list of all refunds.
      const { more, now, records, total }: Page = found ?? { records: [], more: false, total: undefined, now: 0 }
      const began = at.began ?? (Number.isNaN(now) ? yield* Clock.currentTimeMillis : now)
      const into = yield* read(at, records)
      const { next: follows, notices } = Paging.turn(at.page, { keys: records.map(keyOf), total, more })
      const origin = `${at.list === ORDERS ? "orders" : "refunds"}, page ${at.page.page}`
      into.notices.push(...notices.map((what) => ({ origin, what })))
      const count = at.read + records.length
      const isLeft = follows !== undefined && count >= most
      const next: At =
        follows === undefined || isLeft
          ? { began, list: at.list + 1, page: Paging.from(), read: 0, seen: at.seen }
          : { began, list: at.list, page: follows, read: count, seen: at.seen }
      const done = next.list > REFUNDS
      const going = { began, list: next.list, ...Paging.kept(next.page) }
      const kept: Bookmark = done ? { since: began } : { ...(since === undefined ? {} : { since }), now: going }
      const whole: Connector.Page<Bookmark> = {
        ...into,
        bookmark: kept,
        ...(isLeft ? { scan: { name: `list ${at.list}`, begins: true } } : {})
      }
      return [[whole], done ? Option.none<At>() : Option.some(next)] as const
    })
  )
}

const explain: Http.Options["explain"] = (status, body) => {
  const fields = new Json.Fields(Json.isObject(body) ? body : {})
  const [said, code] = [fields.get("message"), fields.get("code")]
  const words = typeof said === "string" ? { said } : {}
  if (status === 403 || code === "woocommerce_rest_cannot_view") {
    const hint =
      "make a key with the permission to read for a manager of the shop (WooCommerce, Settings, Advanced, REST API); if it is right, the host drops the header Authorization: ask it to pass that on"
    return { ...words, hint }
  }
  return words
}

const httpOf = (settings: Settings, { environment }: Connector.ConnectorContext) => {
  const [key, secret] = [settings.key.env, settings.secret.env]
  const both = Effect.all([
    Http.secret("woocommerce", environment, key),
    Http.secret("woocommerce", environment, secret)
  ])
  return Http.make({
    connector: "woocommerce",
    base: settings.url,
    authority: Http.key(
      Effect.map(both, (pair) => Buffer.from(pair.join(":")).toString("base64")),
      `${key} or ${secret}`,
      (pair) => ({ authorization: `Basic ${pair}` })
    ),
    limits,
    explain
  })
}

/** These orders, by their numbers. */
const reread = (settings: Settings, ids: ReadonlyArray<string>, surroundings: Connector.ConnectorContext) =>
  Stream.mapEffect(Stream.fromIterable(Arr.chunksOf(ids, limits.page)), (chunk) =>
    byId(httpOf(settings, surroundings), settings, chunk)
  )

const webhook: Connector.Webhook<Settings> = { verify: Webhook.verify, events: Webhook.events, reread }

export const woocommerce = Connector.make({
  name: "woocommerce",
  title: "WooCommerce: orders with fulfilments, cancellations and returns",
  capabilities: {
    kinds: ["order", "fulfilment", "cancellation", "return"],
    deletions: "status",
    blindSpots: [
      "edits of metadata alone, and of lines in some versions: WooCommerce does not mark them as a change",
      "refunds that gateways made, before WooCommerce 9",
      "orders in the trash: seen when they are read again by id",
      "a refund that was deleted: seen with the order's next change, or when it is read again by id"
    ],
    authorises: "key",
    firstOfEach: true,
    overlapSeconds: OVERLAP_SECONDS,
    limits
  },
  settings: Settings,
  identity: ({ url }: Settings) => `shop ${new URL(url).host}${new URL(url).pathname.replace(/\/+$/, "")}`,
  bookmark: Bookmark,
  check: (settings: Settings, surroundings) =>
    Effect.flatMap(list(httpOf(settings, surroundings), "/orders", { status: "any" }, 1, 1), (found) =>
      found === undefined ? missing : Effect.succeed([])
    ),
  pull: (settings: Settings, after, surroundings) =>
    lists(httpOf(settings, surroundings), settings, after, surroundings.first),
  webhook,
  reread
})
