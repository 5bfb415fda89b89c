/**
 * Payment offers and plans of the sandbox (DP 2.7, 3, 4, 6.1): what is offered and declined and why, how checkout
 * makes a deferred payment, and who is reported.
 */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { accept, buyer, discount, offer, order, payment, shipping, urls, widgets } from "./Ordering.ts"
import { companies, type Json, sandbox } from "./Wire.ts"

const api = sandbox()

beforeEach(async () => {
  await api.post("/sandbox/reset")
  await api.post("/sandbox/clock", { set: "2024-03-01T09:00:00Z" })
})

const some = [expect.any(String)]
const hundreds = (amount: number): bigint => {
  const text = amount.toFixed(5)
  return BigInt(text.replace(".", ""))
}

describe("DP 2.7: an offer", () => {
  test("DP 4 POST /v1/payment/offers: 201 with the plans, their dates and costs; the order bears it", async () => {
    const { id, total_amount } = await order(api)
    const sent = { order: id, locale: "fr-fr", urls, metadata: { a: [1] } }
    const { body, status } = await api.post("/v1/payment/offers", sent)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^(offr|offer)-./),
      url: `${api.url}/v1/payment/offers/${body.id}`,
      ...sent,
      urls: { ...urls, merchant_terms: expect.stringMatching(/^http/) },
      legals: { type: expect.any(String), terms_url: expect.stringMatching(/^http/) }
    })
    expect(body.offered_payment_plans.length).toBeGreaterThan(1)
    for (const plan of body.offered_payment_plans) {
      expect(plan).toMatchObject({
        id: expect.stringMatching(/^ppln-./),
        template: expect.stringMatching(/^pptemp-./),
        name: expect.any(String),
        currency: "GBP",
        status: "offered",
        rejection_reason: null,
        payment_terms_relative_to: "order_creation",
        merchant_fee: { currency: "GBP", amount: expect.any(Number) },
        customer_fee: { currency: "GBP", amount: expect.any(Number) },
        payment_url: expect.stringMatching(/^http.*key=/)
      })
      expect(Date.parse(plan.valid_until)).toBeGreaterThan(Date.parse("2024-03-01"))
      const scheduled: ReadonlyArray<Json> = plan.scheduled_payments
      expect(scheduled.reduce((sum, { amount }) => sum + hundreds(amount), 0n)).toBe(hundreds(total_amount))
      expect(scheduled.map(({ date }) => date)).toEqual(scheduled.map(({ date }) => date).toSorted())
      for (const { allowed_payment_methods, date } of scheduled) {
        expect(date > "2024-03-01").toBe(true)
        expect(allowed_payment_methods.map(({ type }: Json) => type)).toContain("invoice")
      }
    }
    expect((await api.get(`/v1/payment/orders/${id}`)).body.payment_offer).toBe(body.id)
  })

  test("instalments of an amount that does not divide sum up to the last digit", async () => {
    const item = {
      ...widgets,
      quantity: "1",
      unit_price: 100.00001,
      total_amount: 100.00001,
      tax_rate: "0",
      tax_amount: 0
    }
    for (const [price, parts] of [
      [100.00001, [33.33334, 33.33334, 33.33333]],
      [100, [34, 33, 33]]
    ] as const) {
      const items = [{ ...item, unit_price: price, total_amount: price }]
      const made = await offer(api, (await order(api, { items, total_amount: price, tax_amount: 0 })).id)
      const plan = made.offered_payment_plans.find(({ scheduled_payments }: Json) => scheduled_payments.length === 3)
      expect(plan.scheduled_payments.map(({ amount }: Json) => amount)).toEqual(parts)
    }
  })

  test("DP 4 GET /v1/payment/offers/<offer_id>: 200; expand=order brings the order", async () => {
    const made = await order(api)
    const { id } = await offer(api, made.id)
    expect((await api.get(`/v1/payment/offers/${id}`)).body).toMatchObject({ id, order: made.id })
    const { body } = await api.get(`/v1/payment/offers/${id}?expand=order,nothing`)
    expect(body.order).toEqual({ ...made, payment_offer: id })
    expect(await api.get("/v1/payment/offers/offr-nobody")).toMatchObject({ status: 404, body: { detail: some[0] } })
  })

  test("metadata and payment methods that PHP writes as an empty list are none, in every request", async () => {
    const made = await order(api)
    const offer = await api.post("/v1/payment/offers", { order: made.id, locale: "en-gb", urls, metadata: [] })
    expect([offer.status, offer.body.metadata]).toEqual([201, {}])
    const company = { unique_id: "php", registered: "2024-01-05T09:30:00Z", metadata: [], payment_method_config: [] }
    const organisation = await api.post("/v1/organisations", company)
    expect([organisation.status, organisation.body.metadata]).toEqual([201, {}])
    const full = await api.post("/v1/payment/offers", { order: made.id, locale: "en-gb", urls, metadata: ["a"] })
    expect([full.status, full.body]).toEqual([400, { metadata: some }])
  })

  test("an order that exists, a locale, and urls are required, all named at once", async () => {
    expect((await api.post("/v1/payment/offers", {})).body).toEqual({ order: some, locale: some, urls: some })
    const wrong = { order: "co-1000", locale: "english", urls: { success: 1, notification: "" } }
    expect((await api.post("/v1/payment/offers", wrong)).body).toEqual({
      order: some,
      locale: some,
      urls: { success: some, failure: some, cancel: some }
    })
    const lost = { order: "order-nobody", locale: "en_US", urls: { ...urls, notification: "ftp://example.com" } }
    expect(await api.post("/v1/payment/offers", lost)).toMatchObject({
      status: 400,
      body: { order: some, urls: { notification: some } }
    })
  })
})

describe("DP 3: a payment plan", () => {
  test("DP 3: created by offer request, buyer eligible -> offered, rejection_reason null", async () => {
    const { offered_payment_plans } = await offer(api, (await order(api)).id)
    for (const plan of offered_payment_plans) expect([plan.status, plan.rejection_reason]).toEqual(["offered", null])
  })

  test("DP 3: created by offer request, buyer not eligible -> declined, rejection_reason filled", async () => {
    const { all } = await companies(api)
    const declined = all.filter(({ decision }) => decision !== null)
    expect(declined.map(({ decision }) => decision.code)).toContain("buyer-country")
    for (const { decision, id } of declined) {
      const made = await offer(api, (await order(api, { buyer: await buyer(api, id) })).id)
      for (const { rejection_reason, status } of made.offered_payment_plans) {
        expect([decision.code, status]).toEqual([decision.code, "declined"])
        expect(rejection_reason).toEqual({ ...decision, detail: expect.any(String) })
        for (const name of Object.keys(decision.params)) expect(rejection_reason.detail).toContain(`{${name}}`)
      }
      expect((await accept(api, made)).status).toBe(409)
    }
  })

  test("DP 2.7 buyer-country: the param is debtor_country", async () => {
    const { all } = await companies(api)
    const { id } = all.find(({ decision }) => decision?.code === "buyer-country")
    const made = await offer(api, (await order(api, { buyer: await buyer(api, id) })).id)
    expect(made.offered_payment_plans[0].rejection_reason.params).toEqual({ debtor_country: expect.any(String) })
  })

  test("DP 3: offered -> accepted when the buyer completes checkout; a deferred payment is created", async () => {
    const made = await offer(api, (await order(api)).id)
    const { body, status } = await accept(api, made, { payment_method: "invoice" })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^defpay-./),
      status: "accepted",
      order: made.order,
      payment_plan: made.offered_payment_plans[0].id,
      authorisation: 2000,
      protected_captures: 0,
      refunds: 0
    })
    const { body: after } = await api.get(`/v1/payment/offers/${made.id}`)
    const statuses = after.offered_payment_plans.map((plan: Json) => plan.status)
    expect(statuses).toEqual(["accepted", ...statuses.slice(1).map(() => "offered")])
    expect((await api.get(`/v1/payment/orders/${made.order}`)).body.deferred_payment).toBe(body.id)
  })

  test("an accepted plan, an order that has a payment, and a plan out of time are not accepted: 409", async () => {
    const made = await offer(api, (await order(api)).id)
    await accept(api, made)
    expect((await accept(api, made)).status).toBe(409)
    const [, other] = made.offered_payment_plans
    expect((await api.post(`/sandbox/offers/${made.id}/plans/${other.id}/accept`)).status).toBe(409)
    const again = await api.post("/v1/payment/offers", { order: made.order, locale: "en-gb", urls })
    expect([again.status, again.body]).toEqual([409, { detail: expect.any(String) }])
    const late = await offer(api, (await order(api)).id)
    await api.post("/sandbox/clock", { advance: "P15D" })
    expect((await accept(api, late)).status).toBe(409)
  })

  test("checkout with what is not offered: 400 by member; unknown plans and offers: 404", async () => {
    const made = await offer(api, (await order(api)).id)
    expect(await accept(api, made, { payment_method: "cash", status: "happy" })).toMatchObject({
      status: 400,
      body: { payment_method: some, status: some }
    })
    expect((await api.post(`/sandbox/offers/${made.id}/plans/ppln-nobody/accept`)).status).toBe(404)
    expect((await api.post("/sandbox/offers/offr-nobody/plans/ppln-nobody/accept")).status).toBe(404)
  })
})

describe("DP 1: who is offered what", () => {
  test("DP 4.10: billing accounts have no endpoint; a buyer with one is offered the plan that matches it, and no other", async () => {
    const who = await buyer(api)
    const path = `/sandbox/organisations/${who.organisation}/billing_account`
    const { body, status } = await api.put(path, { plan: "pptemp-60-days" })
    expect([status, body.billing_account]).toEqual([200, expect.stringMatching(/^ba-./)])
    const made = await offer(api, (await order(api, { buyer: who })).id)
    expect(made.offered_payment_plans.map(({ template }: Json) => template)).toEqual(["pptemp-60-days"])
    await api.put(path, { plan: null })
    expect((await offer(api, (await order(api, { buyer: who })).id)).offered_payment_plans.length).toBeGreaterThan(1)
    expect((await api.put(path, { plan: "pptemp-never" })).body).toEqual({ plan: some })
  })

  test("beyond the service's own limit an order is unprotected; beyond what tops it up it is declined", async () => {
    const limit = { currency: "GBP", amount: "30.00" }
    const { id } = (await api.post("/sandbox/companies", { name: "Small Ltd", country: "GB", credit_limit: limit }))
      .body
    const who = await buyer(api, id)
    const first = await offer(api, (await order(api, { buyer: who })).id)
    expect([first.protected_amount, first.unprotected_amount]).toEqual([2000, 0])
    const { body: paid } = await accept(api, first)
    const second = await offer(api, (await order(api, { buyer: who })).id)
    expect([second.protected_amount, second.unprotected_amount]).toEqual([1000, 1000])
    const { body: half } = await accept(api, second)
    const captured = (await api.post(`/v1/payment/deferred_payments/${half.id}/capture`, { amount: 1500 })).body
    expect(captured.changes).toMatchObject({ protected_captures: 1000, unprotected_captures: 500 })
    const third = await offer(
      api,
      (await order(api, { buyer: who, items: [widgets, shipping], total_amount: 2900, tax_amount: 580 })).id
    )
    expect(third.offered_payment_plans[0].rejection_reason.code).toBe("buyer-limit")
    const path = `/v1/payment/credit_limits/company/${id}`
    expect((await api.post(path, { currency: "GBP" })).body).toMatchObject({
      status: "eligible",
      credit_limit: { currency: "GBP", amount: 3000, amount_in_use: 4000, amount_available: 0 }
    })
    await api.put(`/sandbox/deferred_payments/${paid.id}/status`, { status: "rejected" })
    expect((await api.post(path, { currency: "GBP" })).body.credit_limit).toMatchObject({
      amount_in_use: 2000,
      amount_available: 1000
    })
  })

  test("a credit limit of a company that is declined, unknown, or asked for in no currency", async () => {
    const { all } = await companies(api)
    const declined = all.find(({ decision }) => decision?.code === "buyer-high-risk")
    const path = (id: string) => `/v1/payment/credit_limits/company/${id}`
    expect((await api.post(path(declined.id))).body).toMatchObject({
      status: "declined",
      rejection_reason: { code: "buyer-high-risk" },
      credit_limit: null
    })
    expect((await api.post(path("co-nobody"), {})).status).toBe(404)
    expect((await api.post(path("co-1000"), { currency: "LSD" })).body).toEqual({ currency: some })
    expect((await api.post(path("co-1000"), {})).body.credit_limit.currency).toBe("EUR")
  })

  test("a decision that changes is followed from then on; a buyer without a company is declined", async () => {
    const who = await buyer(api, "co-1001")
    await api.put("/sandbox/companies/co-1001/decision", { code: "buyer-sector", params: {} })
    const declined = await offer(api, (await order(api, { buyer: who })).id)
    expect(declined.offered_payment_plans[0].rejection_reason.code).toBe("buyer-sector")
    await api.put("/sandbox/companies/co-1001/decision", null)
    expect((await offer(api, (await order(api, { buyer: who })).id)).offered_payment_plans[0].status).toBe("offered")
    const nobody = await offer(api, (await order(api, { buyer: await buyer(api, null) })).id)
    expect(nobody.offered_payment_plans[0].status).toBe("declined")
  })
})

describe("DP 6.1: the notification", () => {
  let server: Server
  let reported: Array<{ readonly authorization: string | undefined; readonly body: Json }> = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = ""
      request.on("data", (chunk) => (text += chunk))
      request.on("end", () => {
        reported.push({ authorization: request.headers.authorization, body: JSON.parse(text) })
        response.end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  })
  afterAll(() => server.close())

  test("DP 6.1: notification: the address of the offer is notified of the payment and of each change of its status", async () => {
    reported = []
    const notification = `http://127.0.0.1:${(server.address() as AddressInfo).port}/notified`
    const made = await order(api)
    const { body: paid } = await accept(api, await offer(api, made.id, { urls: { ...urls, notification } }), {
      status: "pending_review"
    })
    const path = `/v1/payment/deferred_payments/${paid.id}`
    expect((await api.post(`${path}/capture`, { amount: 1 })).status).toBe(409)
    const moved = await api.put(`/sandbox/deferred_payments/${paid.id}/status`, { status: "accepted" })
    expect([moved.status, moved.body.status]).toEqual([200, "accepted"])
    await api.post(`${path}/capture`, { amount: 500 })
    await api.post(`${path}/capture`, { amount: 500 })
    await api.post(`${path}/capture_remaining`)
    await api.post(`${path}/refund`, { amount: 500 })
    await expect.poll(() => reported.length).toBe(4)
    expect(reported.map(({ body }) => body.data.order.deferred_payment.status).toSorted()).toEqual(
      ["pending_review", "accepted", "part_fulfilled", "captured"].toSorted()
    )
    const { id, number } = paid
    expect(reported.find(({ body }) => body.data.order.deferred_payment.status === "pending_review")).toEqual({
      authorization: undefined,
      body: {
        created: expect.stringMatching(/^2024-03-01T/),
        data: {
          order: {
            id: made.id,
            unique_id: made.unique_id,
            total_amount: 2000,
            deferred_payment: { id, number, status: "pending_review" }
          }
        }
      }
    })
    const { body: deliveries } = await api.get("/sandbox/webhooks")
    expect(deliveries.map(({ status, url }: Json) => [url, status])).toEqual(Array(4).fill([notification, 200]))
  })

  test("a status that is none: 400; a payment that is none: 404; an offer without an address notifies nobody", async () => {
    const { id } = await payment(api, { items: [widgets, discount], total_amount: 1500, tax_amount: 300 })
    expect((await api.put(`/sandbox/deferred_payments/${id}/status`, { status: "glad" })).body).toEqual({
      status: some
    })
    expect((await api.put("/sandbox/deferred_payments/defpay-nobody/status", { status: "accepted" })).status).toBe(404)
    expect((await api.get("/sandbox/webhooks")).body).toEqual([])
  })
})
