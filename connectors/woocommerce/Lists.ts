/** Reads WooCommerce's lists, a hundred records per page; and joins orders with their refunds. */
import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import * as Connector from "../Connector.ts"
import type * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Paging from "../Paging.ts"
import type * as Mapping from "./Mapping.ts"

export const limits = { atOnce: 2, page: 100 }
export const ROOT = "/wp-json/wc/v3"

export type Read<A> = Effect.Effect<A, Connector.SourceError, HttpClient.HttpClient>

export interface Page {
  readonly records: ReadonlyArray<unknown>
  /** Undefined if the shop does not state the number of pages. */
  readonly more: boolean | undefined
  readonly total: number | undefined
  /** By the shop's clock. */
  readonly now: number
}

const fail = (reason: Connector.SourceError["reason"]) =>
  new Connector.SourceError({ connector: "woocommerce", reason })

/** Reads one page of a list; undefined if the shop has no such list. */
export const list = (
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

export const OWN = /^\d+$/

export const missing = fail(
  new Connector.Misconfigured({
    what: "there is no WooCommerce at this address",
    hint: "check url; in WordPress, permalinks must be other than plain, and WooCommerce active"
  })
)

/** The record's id; empty if it has none. */
export const idOf = (record: unknown, member = "id"): string =>
  (Json.isObject(record) ? Json.nameOf(record[member]) : undefined) ?? ""

/** Every record of a list, ordered by id; undefined if the shop has no such list, or if it has more than `most`. */
const whole = (http: Http.Http, path: string, most = Number.POSITIVE_INFINITY): Read<Listed | undefined> =>
  Effect.gen(function* () {
    const records = new Map<string, unknown>()
    let began: number | undefined
    for (let at: Paging.At | undefined = Paging.from(); at !== undefined; ) {
      // Also when the list is read again because a record was deleted meanwhile.
      if (at.page === 1) records.clear()
      const found: Page | undefined = yield* list(http, path, { orderby: "id", order: "asc" }, at.page)
      if (found === undefined || (found.total ?? 0) > most) return undefined
      began ??= found.now
      const keys = Paging.keysOf(found.records, "id")
      // Records without an id are all kept, even if they are equal.
      for (const [n, key] of keys.entries())
        records.set(idOf(found.records[n]) === "" ? `#${records.size}` : key, found.records[n])
      at = Paging.turn(at, { keys, total: found.total, more: found.more }).next
    }
    return { records: [...records.values()], began }
  })

interface Listed {
  readonly records: ReadonlyArray<unknown>
  /** By the shop's clock. */
  readonly began: number | undefined
}

/** Every refund of the shop, by order. */
export interface AllRefunds {
  readonly of: ReadonlyMap<string, ReadonlyArray<unknown>>
  readonly began: number | undefined
  readonly records: ReadonlyArray<unknown>
}

/**
 * Reads all refunds from one list, which WooCommerce has since version 9; undefined before that.
 *
 * @param wanted the number of records that a preview needs
 */
export const allRefunds = (http: Http.Http, wanted: number | undefined): Read<AllRefunds | undefined> =>
  Effect.map(whole(http, "/refunds", wanted), (found) => {
    if (found === undefined) return undefined
    const of = new Map<string, Array<unknown>>()
    for (const refund of found.records) {
      const parent = idOf(refund, "parent_id")
      const its = of.get(parent)
      if (its === undefined) of.set(parent, [refund])
      else its.push(refund)
    }
    return { ...found, of }
  })

/** An order's refunds from the list of all; undefined if one that the order names is missing, because it was made meanwhile. */
const joined = (order: unknown, all: AllRefunds | undefined): ReadonlyArray<unknown> | undefined => {
  if (all === undefined) return undefined
  const found = all.of.get(idOf(order)) ?? []
  const ids = new Set(found.map((refund) => idOf(refund)))
  const named = Json.isObject(order) ? Json.objects(order["refunds"]) : []
  return named.every((refund) => ids.has(idOf(refund))) ? found : undefined
}

/** Joins orders with their refunds: from the list of all, or requested order by order. */
export const wholes = (
  http: Http.Http,
  orders: ReadonlyArray<unknown>,
  all?: AllRefunds
): Read<ReadonlyArray<Mapping.Whole>> =>
  Effect.forEach(
    orders,
    (order): Read<Mapping.Whole> => {
      const id = idOf(order)
      if (!OWN.test(id)) return Effect.succeed({ id, order, refunds: [] })
      const known = joined(order, all)
      if (known !== undefined) return Effect.succeed({ id, order, refunds: known })
      return Effect.map(whole(http, `/orders/${id}/refunds`), (found) =>
        found === undefined ? { id, order } : { id, order, refunds: found.records }
      )
    },
    { concurrency: limits.atOnce }
  )
