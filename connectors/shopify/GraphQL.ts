/**
 * Defines the queries sent to Shopify, and reads complete orders: lists within an order are read to their last page, because
 * a line, a parcel or a refund that does not fit into the first answer is money as well.
 *
 * Shopify limits a query to a cost of 1,000 points, computed from the records that it might return; the page sizes keep to
 * that.
 */
import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import { failing, Misconfigured, type SourceError, Unavailable } from "../Connector.ts"
import { errorsOf, words } from "../GraphQL.ts"
import type * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Buyers from "./Buyers.ts"
import * as Pages from "./Pages.ts"

export type Ask<A> = Effect.Effect<A, SourceError, HttpClient.HttpClient>

/** Records of each list in the first answer. */
const LINES = 20
const LIST = 5
const PARTS = 10
/** Records per further page, and the most records of a list that Shopify cannot paginate. */
const MORE = 50
const MOST = 250

const PAGE = "pageInfo { hasNextPage endCursor }"

export interface Options {
  readonly money: "presentment" | "shop"
  readonly metafield: string | undefined
  /** Whether buyers and addresses are read as well. */
  readonly buyers: boolean
}

const selections = ({ buyers, metafield, money }: Options) => {
  const set = `{ ${money}Money { amount currencyCode } }`
  const taxes = `taxLines { priceSet ${set} ${buyers ? Buyers.OF_TAX : ""} }`
  const line = `id name sku quantity currentQuantity unfulfilledQuantity ${buyers ? Buyers.OF_LINE : ""} originalTotalSet ${set} ${taxes} discountAllocations { allocatedAmountSet ${set} }`
  const shipping = `id title originalPriceSet ${set} ${taxes} discountAllocations { allocatedAmountSet ${set} }`
  const left = "id quantity lineItem { id }"
  const transaction = `id kind status gateway amountSet ${set}`
  const parcel = `id status createdAt ${Pages.TRACKING} fulfillmentLineItems(first: ${PARTS}) { nodes { ${left} } ${PAGE} }`
  const [namespace = "", key = ""] = metafield?.split(/\.(?=[^.]*$)/) ?? []
  const own =
    metafield === undefined
      ? ""
      : `metafield(namespace: ${JSON.stringify(namespace)}, key: ${JSON.stringify(key)}) { value }`
  const head = `id name createdAt processedAt updatedAt cancelledAt closedAt edited taxesIncluded sourceName
    paymentGatewayNames displayFinancialStatus currencyCode
    presentmentCurrencyCode tags customAttributes { key value } ${own}
    ${buyers ? Buyers.OF_ORDER : ""} totalPriceSet ${set} currentTotalPriceSet ${set} totalOutstandingSet ${set}
    originalTotalPriceSet ${set} totalTipReceivedSet ${set}
    originalTotalDutiesSet ${set} originalTotalAdditionalFeesSet ${set}`
  const order = `${head}
    lineItems(first: ${LINES}) { nodes { ${line} } ${PAGE} }
    shippingLines(first: ${LIST}) { nodes { ${shipping} } ${PAGE} }
    fulfillments(first: ${LIST}) { ${parcel} }
    transactions(first: ${LIST}) { ${transaction} }`
  return { line, shipping, left, transaction, parcel, head, order }
}

type Selections = ReturnType<typeof selections>

/** @param order the selection on each order */
export const orders = (order: string) => `query Orders($query: String, $after: String, $first: Int!) {
  orders(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) { nodes { id updatedAt ${order} } ${PAGE} }
  currentAppInstallation { accessScopes { handle } }
}`
const SCOPES = "query Scopes { currentAppInstallation { accessScopes { handle } } }"

/** A complete order, or what is known of one that could not be read completely, with the reason. */
export type Whole = { readonly order: Json.Members | null } | { readonly order: Json.Members; readonly why: string }

export interface Api {
  readonly ask: (query: string, variables: object) => Ask<Json.Fields>
  /** The key's access scopes; undefined if Shopify does not state them. */
  readonly scopes: Ask<ReadonlyArray<string> | undefined>
  readonly whole: (gid: string) => Ask<Whole>
  /** A page of the list of orders, each with as much as fits into a page. */
  readonly page: (variables: {
    readonly query: string | undefined
    readonly after: string | undefined
  }) => Ask<Json.Fields>
}

/** The record's id; empty if it has none. */
const nameOf = (one: unknown): string => (Json.isObject(one) ? Json.nameOf(one["id"]) : undefined) ?? ""

const { misconfigured, unreadable } = failing("shopify")

/** Shopify answers 200 to nearly every request that it rejects. */
export const inspect: NonNullable<Http.Options["inspect"]> = (body) => {
  const errors = errorsOf(body)
  const code = (is: string) => errors.some((error) => error.get("extensions.code") === is)
  const what = words(errors)
  if (errors.length === 0) {
    const said = Json.isObject(body) ? body["errors"] : undefined
    if (typeof said !== "string") return undefined
    const hint = "check shop, version and the access token"
    return { again: false, error: new Misconfigured({ what: `it refuses: ${said.slice(0, 200)}`, hint }) }
  }
  if (code("THROTTLED")) {
    const cost = new Json.Fields(body as Json.Members)
    const n = (path: string) => Number(Json.nameOf(cost.get(`extensions.cost.${path}`)) ?? Number.NaN)
    const missing = n("requestedQueryCost") - n("throttleStatus.currentlyAvailable")
    const wait = Math.ceil((missing / n("throttleStatus.restoreRate")) * 1000) + 100
    const why = "its request cost limit is used up; nothing is lost: run again in a few minutes"
    return { again: true, ...(wait > 0 ? { wait } : {}), error: new Unavailable({ why }) }
  }
  if (code("ACCESS_DENIED")) {
    const hint =
      "give the app the scope read_orders (and read_all_orders for those older than 60 days), then install it again"
    return { again: false, error: new Misconfigured({ what: `the token may not read this (it says: ${what})`, hint }) }
  }
  if (code("INTERNAL_SERVER_ERROR") || /internal error|timeout/i.test(what)) {
    const why = `a fault of the source (it says: ${what}); run again later, nothing is lost`
    return { again: true, error: new Unavailable({ why }) }
  }
  // The caller can retry with a smaller query.
  if (code("MAX_COST_EXCEEDED")) return undefined
  // Part of the answer is present, or the requested id does not exist: the caller decides whether that is enough.
  if (Json.isObject(body) && Json.isObject(body["data"])) return undefined
  if (code("INVALID_VARIABLE") || /\$id of type ID! was provided invalid value/.test(what)) return undefined
  const hint = "set version to one that Shopify still serves; else this connector is too old for it"
  return { again: false, error: new Misconfigured({ what: `it rejected the query (it says: ${what})`, hint }) }
}

/** Sends queries, and returns their complete data. */
interface Asking {
  readonly path: string
  readonly post: (query: string, variables: object) => Ask<Json.Members>
  readonly ask: Api["ask"]
}

const asking = (http: Http.Http, path: string): Asking => {
  const post: Asking["post"] = (query, variables) =>
    Effect.flatMap(http.post(path, { query, variables }), ({ body, status }) => {
      if (status === 404) {
        const what = "there is no such shop, or it does not serve this version"
        const hint = "check shop (its name before .myshopify.com) and version"
        return Effect.fail(misconfigured(what, hint))
      }
      return Json.isObject(body) ? Effect.succeed(body) : Effect.fail(unreadable(path, "the answer is not an object"))
    })
  const ask: Api["ask"] = (query, variables) =>
    Effect.flatMap(post(query, variables), (body) => {
      const errors = errorsOf(body)
      if (errors.length > 0)
        return Effect.fail(unreadable(path, `it answered only in part (it says: ${words(errors)})`))
      return Effect.succeed(Json.fieldsOf(body["data"]))
    })
  return { path, post, ask }
}

/** A connection or list within an order: its member, its type, and the selection on each element. */
interface Part {
  readonly type: string
  readonly member: string
  readonly selection: string
}

/** The elements of a connection after its first page. */
const rest = ({ ask, path }: Asking, { member, selection, type }: Part, gid: string, first: unknown) =>
  Effect.gen(function* () {
    const all: Array<unknown> = []
    const seen = new Set<string>()
    let at = first
    for (;;) {
      const page = Json.fieldsOf(at)
      const list = page.get("nodes")
      if (!Array.isArray(list)) return yield* unreadable(path, `the answer has no list ${member}`)
      all.push(...list)
      const after = Json.nameOf(page.get("pageInfo.endCursor"))
      if (page.get("pageInfo.hasNextPage") !== true || after === undefined || seen.has(after)) return { nodes: all }
      seen.add(after)
      const query = `query Rest($id: ID!, $after: String) { node(id: $id) { ... on ${type} { ${member}(first: ${MORE}, after: $after) { nodes { ${selection} } ${PAGE} } } } }`
      at = (yield* ask(query, { id: gid, after })).get(`node.${member}`)
    }
  })

/** Reads one element of a list, by id. */
const member = ({ ask, path }: Asking, { selection, type }: Part, id: string) =>
  Effect.flatMap(ask(`query One($id: ID!) { node(id: $id) { ... on ${type} { ${selection} } } }`, { id }), (of) => {
    const one = of.get("node")
    return Json.isObject(one) ? Effect.succeed(one) : Effect.fail(unreadable(path, `${id} is not there`))
  })

/** Reads a list without pagination: if it is full, its elements are requested one by one. */
const list = (asking: Asking, part: Part, gid: string, first: unknown): Ask<ReadonlyArray<unknown>> =>
  Effect.gen(function* () {
    const { ask, path } = asking
    if (!Array.isArray(first)) return yield* unreadable(path, `the answer has no list ${part.member}`)
    const there: ReadonlyArray<unknown> = first
    if (there.length < LIST) return there
    const named = yield* ask(`query All($id: ID!) { order(id: $id) { ${part.member}(first: ${MOST}) { id } } }`, {
      id: gid
    })
    const all = named.get(`order.${part.member}`)
    const ids = (Array.isArray(all) ? all : [undefined]).map(nameOf)
    if (ids.some((id) => id === "")) return yield* unreadable(path, `one of its ${part.member} has no id`)
    if (ids.length >= MOST) return yield* unreadable(path, `an order has more ${part.member} than Shopify lists`)
    const known = new Map(there.map((one) => [nameOf(one), one]))
    const one = (id: string) => (known.has(id) ? Effect.succeed(known.get(id)) : member(asking, part, id))
    return yield* Effect.forEach(ids, one, { concurrency: 2 })
  })

/** Leaves values that are not records unchanged: the mapping reports them. */
const within = (asking: Asking, part: Part) => (one: unknown) =>
  Json.isObject(one)
    ? Effect.map(rest(asking, part, nameOf(one), one[part.member]), (all) => ({ ...one, [part.member]: all }))
    : Effect.succeed(one)

/** Reads the rest of an order into `order`, so that what was read before a failure is kept. */
const complete = (asking: Asking, select: Selections, gid: string, order: { [member: string]: unknown }): Ask<void> =>
  Effect.gen(function* () {
    const part = (type: string, member: string, selection: string): Part => ({ type, member, selection })
    const ofOrder = (member: string, selection: string) =>
      rest(asking, part("Order", member, selection), gid, order[member])
    const listed = (type: string, member: string, selection: string) =>
      list(asking, part(type, member, selection), gid, order[member])
    order["lineItems"] = yield* ofOrder("lineItems", select.line)
    order["shippingLines"] = yield* ofOrder("shippingLines", select.shipping)
    order["transactions"] = yield* listed("OrderTransaction", "transactions", select.transaction)
    const parcels = yield* listed("Fulfillment", "fulfillments", select.parcel)
    order["fulfillments"] = parcels
    const goods = within(asking, part("Fulfillment", "fulfillmentLineItems", select.left))
    order["fulfillments"] = yield* Effect.forEach(parcels, goods)
  })

const wholeOf = (asking: Asking, select: Selections, gid: string): Ask<Whole> =>
  Effect.gen(function* () {
    const body = yield* asking.post(`query Whole($id: ID!) { order(id: $id) { ${select.order} } }`, { id: gid })
    const data = Json.isObject(body["data"]) ? body["data"] : {}
    const order = data["order"]
    const errors = errorsOf(body)
    if (errors.length > 0) {
      // One order that Shopify cannot deliver must not stop the others.
      const left = Json.isObject(order) ? order : { id: gid }
      return { order: left, why: `Shopify returns only part of it (it says: ${words(errors)})` }
    }
    if (order === null) return { order: null }
    if (!Json.isObject(order)) return yield* unreadable(asking.path, "the answer has no order")
    const all = { ...order }
    return yield* complete(asking, select, gid, all).pipe(
      Effect.as({ order: all }),
      Effect.catch((error) =>
        error.reason._tag === "Unreadable" ? Effect.succeed({ order: all, why: error.reason.why }) : Effect.fail(error)
      )
    )
  })

/** A page of orders. If Shopify fails to answer it, or finds it too costly, requests only the ids and then each order. */
const pageOf = ({ ask }: Asking, options: Options, variables: object): Ask<Json.Fields> =>
  ask(orders(Pages.selection(selections(options))), { ...variables, first: Pages.sizeOf(options) }).pipe(
    Effect.catch((error) =>
      error.reason._tag === "Unreadable" ? ask(orders(""), { ...variables, first: MORE }) : Effect.fail(error)
    )
  )

export const make = (http: Http.Http, path: string, options: Options): Api => {
  const all = asking(http, path)
  const select = selections(options)
  return {
    ask: all.ask,
    scopes: Effect.map(all.ask(SCOPES, {}), (data) => scopesOf(data)),
    whole: (gid) => wholeOf(all, select, gid),
    page: (variables) => pageOf(all, options, variables)
  }
}

export const scopesOf = (data: Json.Fields): ReadonlyArray<string> | undefined => {
  const list = data.get("currentAppInstallation.accessScopes")
  return Array.isArray(list) ? Json.objects(list).map(({ handle }) => Json.nameOf(handle) ?? "") : undefined
}
