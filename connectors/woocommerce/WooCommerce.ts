/**
 * WooCommerce: reads orders, parcels, cancellations and refunds over the REST API.
 *
 * Orders changed since the last pull are read in the order of their ids: an edit meanwhile may bring an order twice, but
 * never hides one; if orders are deleted meanwhile, the list is read again. Then the refunds since the last pull are read,
 * because they do not always count as a change of their order. In some versions an order does not list its refunds: the
 * first pull joins the list of all refunds to the orders, later pulls request each order's own. The bookmark's time is the
 * shop's own, from when the pull began.
 */
import { Array as Arr, Clock, Effect, Option, Schema, Stream } from "effect"
import * as Day from "../../core/wire/Day.ts"
import * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Paging from "../Paging.ts"
import { type AllRefunds, allRefunds, idOf, limits, list, missing, OWN, type Page, ROOT, wholes } from "./Lists.ts"
import * as Mapping from "./Mapping.ts"
import * as Webhook from "./Webhook.ts"

const variable = Schema.Struct({ env: Schema.NonEmptyString }).annotate({
  message: 'a key is not written here; name the variable that holds it, like { "env": "WOOCOMMERCE_SECRET" }'
})

const Settings = Schema.Struct({
  /** The shop's address: `https://shop.example`. */
  url: Http.Url,
  /** Environment variables with the consumer key and its secret; read permission is enough. */
  key: variable,
  secret: variable,
  /** The metadata in which orders hold their deferred-payment id; `deferred_payment` by default. */
  deferred_payment: Schema.optionalKey(Schema.NonEmptyString),
  /** Statuses in which everything has left; `completed` by default. */
  shipped: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** Maps the shop's own statuses; WooCommerce's statuses are built in. */
  statuses: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["open", "closed", "cancelled"]))),
  /** The metadata in which a plugin stores parcels; `_wc_shipment_tracking_items` by default. */
  parcels: Schema.optionalKey(Schema.NonEmptyString),
  /** Reads buyers and addresses as well, for orders that are to be created on the service. */
  buyers: Schema.optionalKey(
    Schema.Struct({
      /** The metadata in which checkout stores the service's id for the company; `company` by default. */
      company: Schema.optionalKey(Schema.NonEmptyString)
    })
  ),
  /** The first pull skips orders that last changed before this day. */
  since: Schema.optionalKey(Day.Day)
})
type Settings = typeof Settings.Type

const Bookmark = Schema.Struct({
  /** Milliseconds since the epoch: changes from this time on are read; everything if absent. */
  since: Schema.optionalKey(Schema.Number),
  /** The unfinished read: when it began, its list (0: orders, 1: refunds), and the page. */
  now: Schema.optionalKey(
    Schema.Struct({ began: Schema.Number, list: Schema.Int, page: Schema.Int, total: Schema.optionalKey(Schema.Int) })
  )
})
type Bookmark = typeof Bookmark.Type

const OVERLAP_SECONDS = 300
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

/** Reads these orders; those that the shop no longer has become `deleted`. */
const byId = (http: Http.Http, settings: Settings, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    // Ids in another format are not those of this shop's orders.
    const own = ids.filter((id) => OWN.test(id))
    const orders: Array<unknown> = []
    for (const chunk of Arr.chunksOf(own, limits.page)) {
      const found = yield* list(http, "/orders", { include: chunk.join(","), status: "any" }, 1)
      if (found === undefined) return yield* missing
      orders.push(...found.records)
    }
    const there = new Set(orders.map((order) => idOf(order)))
    // Orders missing from the list may be in the trash, or have a hidden status.
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
  /** Records of this list read so far. */
  readonly read: number
  /** Orders read and refunds seen, with their time of change. */
  readonly seen: Map<string, string>
}

const ORDERS = 0
const REFUNDS = 1

/** Identifies a record with its time of change, so that an edited record is read again. */
const keyOf = (record: unknown): string =>
  idOf(record) === "" ? (JSON.stringify(record) ?? "") : `${idOf(record)} ${idOf(record, "date_modified_gmt")}`

/** The time since which changes are queried, in GMT without a zone, as WooCommerce writes it; undefined for everything. */
const begins = (since: number | undefined, settings: Settings): string | undefined => {
  if (since !== undefined) return new Date(since - OVERLAP_SECONDS * 1000).toISOString().slice(0, 19)
  return settings.since === undefined ? undefined : `${settings.since}T00:00:00`
}

/** Quarantines the refunds that name no order. */
const strays = (refunds: ReadonlyArray<unknown>): Json.Batch => {
  const into = Json.batch()
  const decode = Json.refuse("parent_id", "names no order that the refund is of")
  const odd = refunds.filter((one) => !OWN.test(idOf(one, "parent_id")))
  Json.decodeAll(into, odd, { name: "refunds", kind: "return", id: "id", decode })
  return into
}

/** Orders with new refunds, except those that were read just now. */
const ofRefunds = (
  http: Http.Http,
  settings: Settings,
  refunds: ReadonlyArray<unknown>,
  isRead: (order: string) => boolean
) => {
  const parents = new Set(refunds.map((one) => idOf(one, "parent_id")).filter((id) => /^[1-9]\d*$/.test(id)))
  const unread = [...parents].filter((id) => !isRead(id))
  return Effect.map(byId(http, settings, unread), (into) => {
    into.quarantined.push(...strays(refunds).quarantined)
    return into
  })
}

/** A read of both lists. */
interface Reading {
  readonly http: Http.Http
  readonly settings: Settings
  readonly since: number | undefined
  /** Set in the first pull, if the shop has a list of all refunds: only those made meanwhile are read at its end. */
  readonly all: AllRefunds | undefined
  /** How many records of each list are needed. */
  readonly most: number
}

const ask = ({ all, http, settings, since }: Reading, { began, list: which, page: { page } }: At) => {
  const from = begins(since, settings)
  const sorted = { orderby: "id", order: "asc", ...(from === undefined ? {} : { dates_are_gmt: "true" }) }
  if (which === ORDERS) return list(http, "/orders", { ...sorted, status: "any", modified_after: from }, page)
  if (all === undefined) return list(http, "/refunds", { ...sorted, after: from }, page)
  return list(http, "/refunds", { ...sorted, dates_are_gmt: "true", after: begins(began, settings) }, page)
}

/** The records of a page that were not read yet, with everything that belongs to them. */
const read = ({ all, http, settings, since }: Reading, { list: which, seen }: At, records: ReadonlyArray<unknown>) => {
  const fresh = records.filter((one) => idOf(one) === "" || seen.get(`${which}/${idOf(one)}`) !== keyOf(one))
  for (const one of fresh) if (idOf(one) !== "") seen.set(`${which}/${idOf(one)}`, keyOf(one))
  if (which === ORDERS) return Effect.map(wholes(http, fresh, all), (found) => decoded(settings, found))
  // If refunds are requested order by order, the first pull has read every order with its refunds.
  const isFirst = begins(since, settings) === undefined
  return ofRefunds(http, settings, fresh, (id) => all === undefined && (isFirst || seen.has(`${ORDERS}/${id}`)))
}

const pages = (reading: Reading, first: At) =>
  Stream.paginate(first, (at) =>
    Effect.gen(function* () {
      const { most, since } = reading
      const found = yield* ask(reading, at)
      if (found === undefined && at.list === ORDERS) return yield* missing
      // Before WooCommerce 9 there was no list of all refunds.
      const { more, now, records, total }: Page = found ?? { records: [], more: false, total: undefined, now: 0 }
      const began = at.began ?? (Number.isNaN(now) ? yield* Clock.currentTimeMillis : now)
      const into = yield* read(reading, at, records)
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

/** @param most how many records of each list are needed, if not all */
const lists = (
  http: Http.Http,
  settings: Settings,
  bookmark: Bookmark | undefined,
  most = Number.POSITIVE_INFINITY
) => {
  const { now, since } = bookmark ?? {}
  return Stream.unwrap(
    Effect.gen(function* () {
      // Only the first pull reads every order: the list of all refunds then takes fewer requests than one for each order.
      const all = since === undefined ? yield* allRefunds(http, most) : undefined
      const clock = all === undefined || Number.isNaN(all.began) ? undefined : all.began
      const began = now?.began ?? clock ?? (all === undefined ? undefined : yield* Clock.currentTimeMillis)
      const seen = new Map<string, string>()
      // Orders read before an interruption may have been refunded since.
      const joined = now === undefined ? (all?.records ?? []) : []
      for (const one of joined) if (idOf(one) !== "") seen.set(`${REFUNDS}/${idOf(one)}`, keyOf(one))
      // The refunds made since then are not the list that an interrupted pull was reading, so its page does not apply.
      const isLast = all !== undefined && now?.list === REFUNDS
      const page = isLast ? Paging.from() : Paging.from(now?.page, now?.total)
      const first: At = { began, list: now?.list ?? ORDERS, page, read: 0, seen }
      const odd = strays(all?.records ?? [])
      const rest = pages({ http, settings, since, all, most }, first)
      if (began === undefined || odd.quarantined.length === 0) return rest
      const kept: Bookmark = { now: { began, list: first.list, ...Paging.kept(page) } }
      return Stream.concat(Stream.make<[Connector.Page<Bookmark>]>({ ...odd, bookmark: kept }), rest)
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

/** Reads these orders again, by number. */
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
