/**
 * A shop that does not exist, declared, and the mistakes that can be planted in its connector. Its golden documents are
 * whatever the connector makes: the kit must find each mistake without being told what is right.
 */
import { Clock, Effect, Schema, Stream } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import * as Decimal from "../../../core/money/Decimal.ts"
import { type Connector, type Page, SourceError, Unreachable } from "../../../connectors/Connector.ts"
import { Http, type Json, Rest } from "../../../connectors/index.ts"
import type { Declaration, Root } from "../../../connectors/rest/Declaration.ts"
import { copy, digits, type Subject, textOf } from "../../../connectors/testing/index.ts"

type S = Schema.Codec<{ readonly key: { readonly env: string } }>
type Declared = Declaration<"planted", S>

const order = (fields: Json.Fields): Json.Decoded => {
  const id = fields.text("id")
  const currency = fields.currency("currency")
  const lines = fields.list("lines").map((line) => ({
    id: line.text("id"),
    type: "product" as const,
    quantity: Decimal.of(line.text("quantity")),
    gross: line.major("total", currency)
  }))
  const fact = (of: Json.Fields) => ({
    id: `${id}/${of.text("id")}`,
    order: id,
    date: of.instantDay("updated"),
    currency
  })
  const parts = (of: Json.Fields) => [{ line: of.text("line"), quantity: Decimal.of("1") }]
  const status = fields.oneOf("status", ["open", "cancelled"]) as "open"
  return {
    documents: [
      { kind: "order", id, number: id, status, currency, placed: fields.instantDay("placed"), lines },
      ...fields.list("parcels").map((one) => ({ kind: "fulfilment" as const, ...fact(one), lines: parts(one) })),
      ...fields.list("returns").map((one) => {
        const amount = one.major("amount", currency)
        return { kind: "return" as const, ...fact(one), lines: parts(one), ...(amount === 0n ? {} : { amount }) }
      })
    ]
  }
}

const list = { size: { most: 100, param: "limit" }, pagination: { by: "page", param: "page", total: "total" } } as const
const since = { since: "since", inclusive: true } as const

const orders: Root<S["Type"]> = {
  ...list,
  name: "orders",
  kind: "order",
  path: "/orders",
  records: "orders",
  changes: since,
  decode: () => order,
  one: { path: "/orders/{id}" },
  children: {
    parcels: {
      ...list,
      by: "each",
      path: "/orders/{id}/parcels",
      records: "parcels",
      expects: (one) => Number(one.text("parcel_count"))
    },
    returns: { ...list, by: "ids", param: "orders", key: "order_id", path: "/returns", records: "returns" }
  }
}
const returns: Root<S["Type"]> = {
  ...list,
  name: "returns",
  kind: "return",
  path: "/returns",
  records: "returns",
  changes: since,
  reads: "changes",
  of: { list: "orders", by: "order_id" },
  decode: () => () => ({ documents: [] })
}

export const DECLARED: Declared = {
  name: "planted",
  title: "A shop that does not exist",
  settings: Schema.Struct({ key: Rest.secret("KEY") }),
  kinds: ["order", "fulfilment", "return"],
  deletions: "status",
  blindSpots: ["a parcel that is edited"],
  limits: { atOnce: 2 },
  overlapSeconds: 0,
  base: () => "https://planted.example",
  authorise: Rest.bearer(({ key }) => key),
  lists: [orders, returns]
}

export const of = (
  change: (all: { readonly orders: typeof orders; readonly returns: typeof returns }) => Declared["lists"]
) => Rest.make({ ...DECLARED, lists: change({ orders, returns }) }) as Connector

export const right = of(({ orders, returns }) => [orders, returns])

/** With this in place of what it makes of an order. */
export const making = (change: (decoded: Json.Decoded, fields: Json.Fields) => Json.Decoded) =>
  of(({ orders, returns }) => [{ ...orders, decode: () => (fields) => change(order(fields), fields) }, returns])

type Pages = ReturnType<Connector["pull"]>
/** With its pages changed. */
export const paging = (change: (pages: Pages) => Pages): Connector => ({
  ...right,
  pull: (...all) => change(right.pull(...all))
})

interface Marked {
  readonly marks: Readonly<Record<string, number>>
  readonly now?: unknown
}

export const marking = (mark: (page: Page<Marked>, now: number) => number | undefined): Connector =>
  paging((pages) =>
    Stream.mapEffect(pages, (page) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const at = mark(page, now)
        const { marks } = page.bookmark as { readonly marks: Readonly<Record<string, number>> }
        if (at === undefined || page.bookmark.now !== undefined) return page
        const all = Object.fromEntries(Object.keys(marks).map((name) => [name, at]))
        return { ...page, bookmark: { ...page.bookmark, marks: all } }
      })
    )
  )

/** Where an invoice has its file, and how a connector asks for it; undefined where there is none. */
export const FILE = { id: "1", path: "/invoices/1/file" }

/** With files of invoices, as `answered` gives them. */
export const filing = (
  answered: (
    response: HttpClientResponse.HttpClientResponse,
    largest: number
  ) => Effect.Effect<Uint8Array | undefined, unknown>
): Connector => ({
  ...right,
  documents: (_, { id }, __, largest) =>
    Stream.fromEffect(
      Effect.flatMap(HttpClient.HttpClient, (client) => client.get(`https://planted.example/invoices/${id}/file`)).pipe(
        Effect.flatMap((response) => answered(response, largest)),
        Effect.mapError(
          (cause) => new SourceError({ connector: "planted", reason: new Unreachable({ why: String(cause) }) })
        )
      )
    ).pipe(Stream.flatMap((bytes) => (bytes === undefined ? Stream.empty : Stream.make({ name: `${id}.pdf`, bytes }))))
})

/** With answers that arrive changed: their headers, and what they say. */
export const hearing = (
  change: (
    status: number,
    headers: Readonly<Record<string, string>>,
    text: string
  ) => readonly [headers: object, text: string]
) =>
  paging((pages) =>
    Stream.updateService(
      pages,
      HttpClient.HttpClient,
      HttpClient.transformResponse(
        Effect.flatMap((response) =>
          Effect.map(response.text, (text) => {
            const { request, status } = response
            const [headers, said] = change(status, response.headers, text)
            const body = status === 204 ? null : said
            return HttpClientResponse.fromWeb(request, new Response(body, { status, headers: { ...headers } }))
          })
        )
      )
    )
  )

/** That asks for its orders once more before it begins, and looks into the answer. */
export const asking = (look: (status: number) => void) =>
  paging((pages) => {
    const ask = Effect.flatMap(HttpClient.HttpClient, (client) => client.get("https://planted.example/orders"))
    const looked = Effect.map(Effect.orDie(ask), ({ status }) => look(status))
    return Stream.concat(Stream.drain(Stream.fromEffect(looked)), pages)
  })

const AT = "2026-02-01T10:00:00.000Z"
const line = (id: number) => ({ id: `${id}-1`, quantity: 3, total: "30.00" })
const record = (id: number, more: object = {}) => ({
  id,
  status: "open",
  currency: "EUR",
  placed: AT,
  parcel_count: 0,
  lines: [line(id)],
  updated: AT,
  ...more
})
const part = (id: number, order_id: number, more: object = {}) => ({
  id,
  order_id,
  line: `${order_id}-1`,
  updated: AT,
  ...more
})

/** How the shop takes the time that is asked for: changes since then, or after it. */
export const subjectOf = (connector: Connector, { hasFile = true, isExclusive = false } = {}): Subject => ({
  connector,
  ...(hasFile ? { file: FILE } : {}),
  settings: { key: { env: "KEY" } },
  environment: { KEY: "sample-secret" },
  golden: [],
  skips: { "makes the golden documents of them": "whatever the mistake makes of the fixtures" },
  open: () => {
    const lists = {
      orders: copy([record(1, { parcel_count: 2 }), record(2), record(3, { parcel_count: 1 }), record(4)]),
      parcels: copy([part(11, 1), part(12, 1), part(13, 3)]),
      returns: copy([
        part(21, 1, { amount: "10.00" }),
        part(22, 1, { amount: "0.00" }),
        part(23, 3, { amount: "1.00" })
      ])
    }
    const stamp = (one: { updated: unknown }, millis: number | null) => {
      one.updated = millis === null ? null : new Date(millis).toISOString()
    }
    const number = (one: unknown) => BigInt(textOf(one))
    return {
      source: {
        lists: {
          orders: { records: lists.orders, id: "id", stamp },
          parcels: { records: lists.parcels, id: "id" },
          returns: { records: lists.returns, id: "id", stamp }
        },
        answer: ({ headers, path, query }, paging) => {
          if (headers["authorization"] !== "Bearer sample-secret") return { status: 401, body: {} }
          const [, name = "", id, child] = path.split("/")
          const from = query.get("since")
          const among = query.get("orders")?.split(",")
          const isOf = (one: { order_id: unknown }, ids: ReadonlyArray<string>) => ids.includes(textOf(one.order_id))
          const isSince = ({ updated }: { updated: string }) =>
            from === null || (isExclusive ? updated > from : updated >= from)
          if (id !== undefined && child === undefined) {
            const found = lists.orders.find((one) => textOf(one.id) === id)
            return found === undefined ? undefined : { body: found }
          }
          const all = child !== undefined ? lists.parcels.filter((one) => isOf(one, [id!])) : lists[name as "orders"]
          const found = all
            .filter((one) => isSince(one) && (among === undefined || isOf(one, among)))
            .sort((a, b) => (number(a.id) < number(b.id) ? -1 : 1))
          const { records } = paging.numbered(found, Number(query.get("page") ?? 1), query.get("limit"))
          return { body: { [child ?? name]: records, total: found.length } }
        }
      },
      grow: (count) => {
        for (let n = 100; n < count + 100; n++) lists.orders.push(...copy([record(n)]))
      },
      malform: () => {
        lists.orders[3].lines[0].total = "a hundred"
        return "a hundred"
      },
      remove: () => {
        lists.orders[0].status = "cancelled"
        stamp(lists.orders[0], Date.parse("2026-03-01T12:30:00Z"))
        return "order/1"
      },
      edit: () => {
        lists.parcels[2].line = "other"
        lists.orders[2].lines[0].total = "40.00"
        return "3"
      },
      enlarge: () => {
        lists.orders[1].lines[0].total = digits("90071992547409.93")
        return { document: "order/2", amount: "90071992547409.93" }
      }
    }
  }
})

export { Http, orders, returns }
