/** Simulates Shopify's GraphQL API over the orders of a test: pagination, costs, and records as its answers have them. */
import { copy, type Paging, type Record, type Source } from "../testing/Simulator.ts"

const sized = (records: ReadonlyArray<Record>, after: string | undefined, size: number) => {
  const from = after === undefined ? 0 : records.findIndex(({ id }) => id === after) + 1
  const nodes = records.slice(from, from + size)
  return { nodes, pageInfo: { hasNextPage: from + size < records.length, endCursor: nodes.at(-1)?.id ?? null } }
}

const CONNECTIONS = ["lineItems", "shippingLines", "fulfillmentLineItems"]

/** A record as answers have it: connections cut to their first two records, lists to their first five. */
const shown = (record: Record): Record =>
  Object.fromEntries(
    Object.entries(record).map(([member, value]) => [
      member,
      !Array.isArray(value)
        ? value
        : CONNECTIONS.includes(member)
          ? sized(value.map(shown), undefined, 2)
          : value.every((one) => typeof one === "object" && one !== null && "id" in one)
            ? value.slice(0, 5).map(shown)
            : value
    ])
  )

const THROTTLED = {
  errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }],
  extensions: {
    cost: {
      requestedQueryCost: 700,
      throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 200, restoreRate: 100 }
    }
  }
}

const INVALID_KEY = {
  status: 401,
  body: { errors: "[API] Invalid API key or access token (unrecognized login or wrong password)" }
}

const invalidId = (value: string) => ({
  body: {
    errors: [
      {
        message: "Variable $id of type ID! was provided invalid value",
        extensions: { value, problems: [{ path: [], explanation: "Invalid global id" }] }
      }
    ]
  }
})

interface Shop {
  readonly records: Array<Record>
  readonly installation: object
}

interface Query {
  readonly query: string
  readonly variables: { readonly [name: string]: string }
}

const LISTS = ["fulfillments", "transactions"]

/** An order within a page: each list has no more records than requested. */
const inPage = (record: Record, query: string): Record => {
  const rest = shown(record)
  for (const list of LISTS)
    rest[list] = rest[list].slice(0, Number(new RegExp(`${list}\\(first: (\\d+)\\)`).exec(query)![1]))
  return rest
}

/** Orders from the time in the query on, as many as the pagination allows. */
const listed = ({ installation, records }: Shop, { query, variables }: Query, paging: Paging) => {
  const from = Date.parse(/updated_at:>='(.*)'/.exec(variables["query"] ?? "")?.[1] ?? "1970-01-01T00:00:00Z")
  const at = ({ updatedAt }: Record) => Date.parse(updatedAt ?? "1970-01-01T00:00:00Z")
  const fit = records.filter((one) => at(one) >= from).sort((a, b) => at(a) - at(b) || (a.id < b.id ? -1 : 1))
  const cut = paging.after(fit, variables["after"] ?? null, "id", variables["first"])
  const isWhole = query.includes("lineItems")
  const nodes = cut.records.map((one) => (isWhole ? inPage(one, query) : { id: one.id, updatedAt: one.updatedAt }))
  const pageInfo = { hasNextPage: cut.more, endCursor: nodes.at(-1)?.id ?? null }
  return { orders: { nodes, pageInfo }, currentAppInstallation: installation }
}

/** The data for a query; undefined if it asks for something that does not exist. */
const dataOf = (shop: Shop, { query, variables }: Query, paging: Paging): object | undefined => {
  const all = shop.records.flatMap((one) => [one, ...one.fulfillments, ...one.transactions])
  const found = all.find((one) => one.id === variables["id"])
  switch (/^query (\w+)/.exec(query)?.[1]) {
    case "Scopes":
      return { currentAppInstallation: shop.installation }
    case "Orders":
      return listed(shop, { query, variables }, paging)
    case "Whole": {
      if (found === undefined) return { order: null }
      return { order: shown(found) }
    }
    case "All": {
      const member = /\{ (\w+)\(first: 250\)/.exec(query)![1]!
      return { order: found && { [member]: found[member].map(({ id }: Record) => ({ id })) } }
    }
    case "One":
      return { node: found && shown(found) }
    case "Rest": {
      const member = /\{ (\w+)\(first: 50/.exec(query)![1]!
      return { node: found && { [member]: sized(found[member].map(shown), variables["after"], 2) } }
    }
    default:
      return undefined
  }
}

/** Serves these orders. `throttle`: the numbers of the requests, counted from 1, that are rate-limited. */
export const shopOf = (
  orders: ReadonlyArray<object>,
  scopes: ReadonlyArray<string> = ["read_orders", "read_all_orders"],
  throttle: ReadonlyArray<number> = []
): Source => {
  const records = copy(orders)
  let asked = 0
  const shop: Shop = { records, installation: { accessScopes: scopes.map((handle) => ({ handle })) } }
  return {
    lists: {
      orders: {
        records,
        id: "id",
        stamp: (record, millis) => {
          record.updatedAt = millis === null ? null : new Date(millis).toISOString()
        }
      }
    },
    answer: ({ body, headers, method, path }, paging) => {
      if (method !== "POST" || !/^\/admin\/api\/\d{4}-\d\d\/graphql\.json$/.test(path)) return undefined
      if (headers["x-shopify-access-token"] !== "shpat_sample") return INVALID_KEY
      if (throttle.includes(++asked)) return { body: THROTTLED }
      const query = JSON.parse(body) as Query
      const { id } = query.variables
      if (id?.startsWith("gid://") === false) return invalidId(id)
      const data = dataOf(shop, query, paging)
      if (data !== undefined) return { body: { data } }
      return { body: { errors: [{ message: "Field doesn't exist", extensions: { code: "undefinedField" } }] } }
    }
  }
}
