/**
 * Whatever a request for deferred payment holds, the answer is a 4xx with a JSON body: never a 5xx, never silence, and
 * what was refused has changed nothing.
 */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { accept, basket, buyer, offer, order, payment, send, urls, widgets } from "./Ordering.ts"
import { call, type Json, sandbox } from "./Wire.ts"
import { times } from "../../support/Effort.ts"

const api = sandbox()
const lenient = sandbox({ lenient: true })

const refused = ({ body, status }: { readonly status: number; readonly body: Json }, what: unknown) => {
  expect([what, status >= 400 && status < 500, typeof body]).toEqual([what, true, "object"])
}

/** Every route of deferred payment that takes a body, on objects that exist. */
const routes = async (): Promise<ReadonlyArray<readonly [string, string]>> => {
  const paid = await payment(api)
  const made = await offer(api, (await order(api)).id)
  const { organisation } = await buyer(api)
  return [
    ["POST", "/v1/payment/orders"],
    ["PATCH", `/v1/payment/orders/${paid.order}`],
    ["PUT", `/v1/payment/orders/${paid.order}/documents`],
    ["POST", "/v1/payment/offers"],
    ["POST", "/v1/payment/intents"],
    ["POST", `/v1/payment/deferred_payments/${paid.id}/capture`],
    ["POST", `/v1/payment/deferred_payments/${paid.id}/void`],
    ["POST", `/v1/payment/deferred_payments/${paid.id}/refund`],
    ["POST", "/v1/soletraders"],
    ["PATCH", "/v1/organisations"],
    ["PATCH", `/v1/organisations/${organisation}`],
    ["POST", `/sandbox/offers/${made.id}/plans/${made.offered_payment_plans[0].id}/accept`],
    ["PUT", `/sandbox/deferred_payments/${paid.id}/status`],
    ["PUT", `/sandbox/organisations/${organisation}/billing_account`]
  ]
}

describe("bodies", () => {
  test("no JSON, or JSON that is no object", async () => {
    for (const [method, path] of await routes()) {
      for (const body of ["{", "[", '{"order":', "NaN", "\u0000", "[{}]", "7", '"text"', "true"]) {
        refused(await call(api.url + path, method, body), [method, path, body])
      }
    }
  })

  test("orders that are deep, long, or full of odd numbers", async () => {
    const sent = await basket(api)
    const count = async () => (await api.get("/v1/payment/orders/")).body.count
    const before = await count()
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`
    refused(await api.post("/v1/payment/orders", JSON.stringify(sent).replace('{"channel":"web"}', deep)), "deep")
    for (const amount of [
      "1e400",
      "-1e400",
      "1e21",
      "0.000001",
      "-0.000001",
      "1e-320",
      "9".repeat(5000),
      "null",
      '"2000"'
    ]) {
      for (const member of ["total_amount", "tax_amount"]) {
        const text = JSON.stringify(sent).replace(new RegExp(`"${member}":\\d+,`, "g"), `"${member}":${amount},`)
        refused(await api.post("/v1/payment/orders", text), [member, amount])
      }
    }
    for (const [name, value] of [
      ["quantity", "1e3"],
      ["quantity", "0x10"],
      ["quantity", "999999999999999999999"],
      ["quantity", "-2"],
      ["tax_rate", "-20"],
      ["tax_rate", "1e1"],
      ["tax_rate", ""],
      ["unit_price", "1200"],
      ["category", ["/a"]],
      ["metadata", "x"]
    ] as const) {
      refused(await api.post("/v1/payment/orders", { ...sent, items: [{ ...widgets, [name]: value }] }), [name, value])
    }
    expect(await count()).toBe(before)
  })

  test("10,000 items are added up; one wrong amount among them is found", async () => {
    const items = Array.from({ length: 10_000 }, (_, i) => ({ ...widgets, item_id: String(i) }))
    const sent = await basket(api, { items, total_amount: 24_000_000, tax_amount: 4_800_000 })
    expect((await api.post("/v1/payment/orders", sent)).status).toBe(201)
    const wrong = items.with(7777, { ...widgets, total_amount: 2401 })
    const { body } = await api.post("/v1/payment/orders", { ...sent, items: wrong })
    expect(Object.keys(body.items)).toEqual(["7777"])
  })

  test("members with the names of the language's own", async () => {
    const { organisation } = await buyer(api)
    const methods = '{"payment_method_config":{"__proto__":{"preference":"on"},"constructor":{"preference":"off"}}}'
    expect((await api.patch(`/v1/organisations/${organisation}`, methods)).status).toBe(200)
    const sent = JSON.stringify(await basket(api)).replace('"type":"product"', '"type":"__proto__"')
    expect((await api.post("/v1/payment/orders", sent)).status).toBe(201)
    expect(({} as Json).preference).toBeUndefined()
    for (const id of ["__proto__", "constructor", "toString"]) {
      refused(await api.get(`/v1/payment/orders/${id}`), id)
      refused(await api.post(`/v1/payment/deferred_payments/${id}/capture`, { amount: 1 }), id)
      refused(await api.post(`/sandbox/offers/${id}/plans/${id}/accept`), id)
    }
  })
})

describe("addresses and headers", () => {
  test("ids of the wrong kind, and wrong methods", async () => {
    const paid = await payment(api)
    const { body: made } = await api.get(`/v1/payment/orders/${paid.order}`)
    const ids = { orders: made.id, offers: made.payment_offer, deferred_payments: paid.id }
    for (const kind of Object.keys(ids)) {
      for (const [other, id] of Object.entries({ ...ids, plan: paid.payment_plan, odd: "%F0%9F%92%A9" })) {
        if (kind !== other)
          expect([kind, other, (await api.get(`/v1/payment/${kind}/${id}`)).status]).toEqual([kind, other, 404])
      }
    }
    for (const order of [paid.id, made.payment_offer, "order-nobody", 7, null, {}]) {
      refused(await api.post("/v1/payment/offers", { order, locale: "en-gb", urls }), order)
    }
    for (const [method, path] of [
      ["GET", "/v1/payment/offers"],
      ["DELETE", `/v1/payment/orders/${made.id}`],
      ["GET", `/v1/payment/deferred_payments/${paid.id}/capture`],
      ["PUT", `/v1/payment/deferred_payments/${paid.id}/void`],
      ["GET", "/v1/payment/intents"]
    ] as const) {
      expect([method, path, (await call(api.url + path, method)).status]).toEqual([method, path, 405])
    }
  })

  test("idempotency keys of every kind do what a key does", async () => {
    const paid = await payment(api)
    const url = `${api.url}/v1/payment/deferred_payments/${paid.id}/capture`
    for (const key of ["__proto__", "constructor", "a b", "%00", "ü".normalize(), "{}", "'; --"]) {
      const headers = { "idempotency-key": key }
      const first = await send(url, "POST", { amount: 1 }, headers)
      expect([key, first.status]).toEqual([key, 201])
      expect((await send(url, "POST", { amount: 1 }, headers)).body).toEqual(first.body)
      expect((await send(url, "POST", { amount: 2 }, headers)).status).toBe(400)
    }
    const { body } = await api.get(`/v1/payment/deferred_payments/${paid.id}`)
    expect(body.protected_captures).toBe(7)
  })

  test("two checkouts of one offer at once make one payment", async () => {
    const made = await offer(api, (await order(api)).id)
    const statuses = (await Promise.all([1, 2, 3].map(() => accept(api, made)))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 409, 409])
  })
})

describe("any JSON, over every route that takes a body", () => {
  const names = fc.constantFrom(
    ...["unique_id", "customer", "status", "currency", "total_amount", "tax_amount", "order_date", "items", "metadata"],
    ...["order", "locale", "urls", "merchant_urls", "amount", "payment_method_config", "id", "owner", "payment_method"],
    ...["type", "quantity", "unit_price", "tax_rate", "category", "plan", "name", "notification", "doc_type"]
  )

  test("a JSON answer below 500, strict and lenient, and what was there is still readable", async () => {
    const all = await routes()
    const sent = await basket(api)
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom<unknown>(
        ...Object.values(sent),
        ...Object.values(widgets),
        urls,
        "accepted",
        "voided",
        "pptemp-30-days"
      ),
      fc.constantFrom<unknown>("12.50", -0, 1e21, 0.1, -100, "", "\ud800", "en-gb", "http://[", "http://127.0.0.1:1/")
    )
    const bodies = fc.dictionary(fc.oneof({ weight: 9, arbitrary: names }, fc.string()), values, { maxKeys: 8 })
    const near = fc.record({ name: names, value: values }).map(({ name, value }) => ({ ...sent, [name]: value }))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...all),
        fc.oneof(bodies, near),
        fc.constantFrom(api.url, lenient.url),
        async ([method, path], body, base) => {
          const answer = await call(base + path, method, JSON.stringify(body))
          expect([answer.status, answer.status < 500, typeof answer.body]).toEqual([answer.status, true, "object"])
        }
      ),
      { numRuns: times(1500) }
    )
    expect((await api.get("/v1/payment/orders/?limit=1000&expand=payment_offer,deferred_payment")).status).toBe(200)
    expect((await api.get("/v1/organisations?limit=1000")).status).toBe(200)
    expect((await api.get("/sandbox/requests")).status).toBe(200)
  })
})
