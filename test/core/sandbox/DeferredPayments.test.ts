/**
 * Deferred payments of the sandbox (DP 2.9, 4, 8): capture, void and refund move amounts between balances to the last
 * digit, never more than there is; idempotency keys make a repetition harmless; intents (DP 2.8) make orders.
 */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { address, offer, order, payment, send, urls, widgets } from "./Ordering.ts"
import { call, fresh, type Json, sandbox } from "./Wire.ts"

const api = sandbox({ clock: "2024-03-01T09:00:00Z" })

const some = [expect.any(String)]
const pathOf = ({ id }: Json) => `/v1/payment/deferred_payments/${id}`
const read = async (of: Json) => (await api.get(pathOf(of))).body
const act = (of: Json, what: string, body?: unknown) => api.post(`${pathOf(of)}/${what}`, body)

const ZERO = {
  authorisation: 0,
  protected_captures: 0,
  unprotected_captures: 0,
  refunds: 0,
  voided_authorisation: 0,
  expired_authorisation: 0
}

describe("DP 4: after the sale", () => {
  test("DP 4 POST /v1/payment/deferred_payments/<deferred_payment_id>/capture: 201 ledger event", async () => {
    const paid = await payment(api)
    const { body, status } = await act(paid, "capture", { amount: 500.5, metadata: { parcel: 1 } })
    expect([status, body]).toEqual([
      201,
      {
        created: expect.stringMatching(/^2024-03-01T09:\d\d:\d\d\.\d{6}Z$/),
        type: "capture",
        amount: 500.5,
        currency: "GBP",
        metadata: { parcel: 1 },
        changes: { ...ZERO, authorisation: -500.5, protected_captures: 500.5, clawback: 0 }
      }
    ])
    expect(await read(paid)).toMatchObject({
      ...ZERO,
      authorisation: 1499.5,
      protected_captures: 500.5,
      status: "part_fulfilled",
      repayment_info: { status: "unpaid", outstanding_amount: 500.5, currency: "GBP" }
    })
  })

  test("DP 4 POST /v1/payment/deferred_payments/<deferred_payment_id>/void: 201 ledger event", async () => {
    const paid = await payment(api)
    const { body, status } = await act(paid, "void", { amount: 0.00001 })
    expect([status, body.type, body.amount, body.changes]).toEqual([
      201,
      "void",
      0.00001,
      { ...ZERO, authorisation: -0.00001, voided_authorisation: 0.00001, clawback: 0 }
    ])
    expect(await read(paid)).toMatchObject({ status: "accepted", authorisation: 1999.99999 })
    await act(paid, "void", { amount: 1999.99999 })
    expect(await read(paid)).toMatchObject({ ...ZERO, status: "voided", voided_authorisation: 2000 })
  })

  test("DP 4.7: a refund gives back what was captured, and answers as capture does", async () => {
    const paid = await payment(api)
    expect((await act(paid, "refund", { amount: 1 })).body).toEqual({ amount: some })
    await act(paid, "capture", { amount: 1200 })
    const { body, status } = await act(paid, "refund", { amount: 200 })
    expect([status, body.type, body.changes]).toEqual([201, "refund", { ...ZERO, refunds: 200, clawback: 0 }])
    expect((await act(paid, "refund", { amount: 1000.00001 })).status).toBe(400)
    expect((await act(paid, "refund", { amount: 1000 })).status).toBe(201)
    expect(await read(paid)).toMatchObject({
      refunds: 1200,
      status: "part_fulfilled",
      repayment_info: { outstanding_amount: 0 }
    })
  })

  test("DP 4.7: the variants for what remains take no amount; then nothing remains: 409", async () => {
    const paid = await payment(api)
    await act(paid, "capture", { amount: 500 })
    expect((await act(paid, "capture_remaining")).body).toMatchObject({ type: "capture", amount: 1500 })
    expect(await read(paid)).toMatchObject({ authorisation: 0, protected_captures: 2000, status: "captured" })
    const cancelled = await payment(api)
    expect((await act(cancelled, "void_remaining")).body).toMatchObject({ type: "void", amount: 2000 })
    expect(await read(cancelled)).toMatchObject({ ...ZERO, voided_authorisation: 2000, status: "voided" })
    for (const settled of [paid, cancelled]) {
      for (const what of ["capture_remaining", "void_remaining"]) {
        expect(await act(settled, what)).toMatchObject({ status: 409, body: { detail: some[0] } })
      }
    }
  })

  test("an amount: needed, a number, above nothing, and no more than there is", async () => {
    const paid = await payment(api)
    for (const what of ["capture", "void", "refund"]) {
      for (const body of [
        {},
        { amount: null },
        { amount: "all" },
        { amount: 0 },
        { amount: -1 },
        { amount: 2000.00001 }
      ]) {
        expect(await act(paid, what, body)).toMatchObject({ status: 400, body: { amount: some } })
      }
      expect((await act(paid, what, { amount: 0.000001 })).status).toBe(400)
      expect(
        await call(`${api.url}/v1/payment/deferred_payments/defpay-nobody/${what}`, "POST", { amount: 1 })
      ).toMatchObject({
        status: 404,
        body: { detail: some[0] }
      })
    }
    expect(await read(paid)).toEqual(paid)
  })

  test("while it is not accepted nothing can be done with it: 409", async () => {
    const paid = await payment(api)
    for (const status of ["pending_review", "customer_action_required", "rejected", "pending_payment"]) {
      await api.put(`/sandbox/deferred_payments/${paid.id}/status`, { status })
      for (const what of ["capture", "void", "refund"]) {
        expect([status, (await act(paid, what, { amount: 1 })).status]).toEqual([status, 409])
      }
    }
  })

  test("DP 4.7: one payment is read alone; expand brings its order and its plan", async () => {
    const paid = await payment(api)
    const { body } = await api.get(`${pathOf(paid)}?expand=order,payment_plan`)
    expect(body.order).toMatchObject({ id: paid.order, deferred_payment: paid.id })
    expect(body.payment_plan).toMatchObject({ id: paid.payment_plan, status: "accepted" })
    const { body: whole } = await api.get(`/v1/payment/orders/${paid.order}?expand=deferred_payment,payment_offer`)
    expect([whole.deferred_payment, whole.payment_offer.order]).toEqual([paid, paid.order])
    expect((await api.get("/v1/payment/deferred_payments/defpay-nobody")).status).toBe(404)
  })

  test("whatever is done, nothing is lost: authorised + captured + voided is the order's total", async () => {
    const step = fc.record({
      what: fc.constantFrom("capture", "void", "refund", "capture_remaining", "void_remaining"),
      units: fc.integer({ min: 1, max: 90_000_000 })
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const paid = await payment(api)
        for (const { units, what } of steps) {
          const before = await read(paid)
          const answer = await act(paid, what, what.endsWith("remaining") ? {} : { amount: units / 100_000 })
          const after = await read(paid)
          if (answer.status >= 400) expect(after).toEqual(before)
          const count = (name: string) => BigInt(Math.round(after[name] * 100_000))
          const captured = count("protected_captures") + count("unprotected_captures")
          expect(count("authorisation") + captured + count("voided_authorisation")).toBe(200_000_000n)
          expect(count("refunds") <= captured).toBe(true)
          for (const name of Object.keys(ZERO)) expect(count(name) >= 0n).toBe(true)
        }
      }),
      { numRuns: 40 }
    )
  })
})

describe("DP 8: idempotency keys", () => {
  const keyed = (of: Json, what: string, body: unknown, key: string) =>
    send(`${api.url}${pathOf(of)}/${what}`, "POST", body, { "idempotency-key": key })

  test("DP 4.5: the same key, operation and body: the first answer with its status, and nothing twice", async () => {
    const [paid, key] = [await payment(api), fresh("key")]
    const first = await keyed(paid, "capture", { amount: 300, metadata: { a: 1, b: 2 } }, key)
    const again = await keyed(paid, "capture", { metadata: { b: 2, a: 1 }, amount: 300 }, key)
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect((await read(paid)).protected_captures).toBe(300)
    expect((await keyed(paid, "capture", { amount: 300 }, fresh("key"))).status).toBe(201)
    expect((await read(paid)).protected_captures).toBe(600)
  })

  test("DP 7.6: the same key with another operation or another amount: 400 with error", async () => {
    const [paid, other, key] = [await payment(api), await payment(api), fresh("key")]
    await keyed(paid, "capture", { amount: 300 }, key)
    for (const [of, what, body] of [
      [paid, "capture", { amount: 301 }],
      [paid, "void", { amount: 300 }],
      [paid, "capture_remaining", {}],
      [other, "capture", { amount: 300 }],
      [paid, "capture", { amount: 300, metadata: {} }]
    ] as const) {
      const before = await read(of)
      expect(await keyed(of, what, body, key)).toMatchObject({ status: 400, body: { error: some[0] } })
      expect(await read(of)).toEqual(before)
    }
  })

  test("a void and a refund take keys as well; what was refused may be tried again under its key", async () => {
    const paid = await payment(api)
    const [one, two, three] = [fresh("key"), fresh("key"), fresh("key")]
    expect((await keyed(paid, "refund", { amount: 100 }, three)).status).toBe(400)
    await keyed(paid, "capture", { amount: 500 }, fresh("key"))
    for (let i = 0; i < 2; i++) {
      expect((await keyed(paid, "void", { amount: 100 }, one)).status).toBe(201)
      expect((await keyed(paid, "refund", { amount: 100 }, three)).status).toBe(201)
      expect((await keyed(paid, "capture_remaining", {}, two)).status).toBe(201)
    }
    expect(await read(paid)).toMatchObject({ voided_authorisation: 100, refunds: 100, protected_captures: 1900 })
  })

  test("a key is its platform's own, outlives lost answers, and is not longer than 255 characters", async () => {
    const [paid, key] = [await payment(api), fresh("key")]
    await api.post("/sandbox/faults", { kind: "lose_response", path: pathOf(paid), times: 1 })
    await expect(keyed(paid, "capture", { amount: 700 }, key)).rejects.toThrow()
    expect((await keyed(paid, "capture", { amount: 700 }, key)).status).toBe(201)
    expect((await read(paid)).protected_captures).toBe(700)
    expect(await keyed(paid, "capture", { amount: 1 }, "k".repeat(256))).toMatchObject({
      status: 400,
      body: { error: some[0] }
    })
  })
})

describe("DP 2.8: payment intents", () => {
  const intent = {
    order: {
      customer: {
        user: { email: "ann@example.com", name: "Ann", phone: "1", registered: "2024-01-05T09:30:00Z" },
        invoice_address: { ...address, city: undefined, town: "Portsmouth" },
        delivery_address: address
      },
      unique_id: "intent-1",
      currency: "GBP",
      total_amount: 2400,
      items: [widgets]
    },
    merchant_urls: urls,
    locale: "en-gb"
  }

  test("DP 4.8: POST /v1/payment/intents: 201 with the object; it makes an order", async () => {
    const { body, status } = await api.post("/v1/payment/intents", intent)
    expect([status, body.id, body.payment_url]).toEqual([
      201,
      expect.stringMatching(/^intent-./),
      expect.stringMatching(/^http/)
    ])
    const { items, ...members }: Json = JSON.parse(JSON.stringify(intent.order))
    expect(body.request).toMatchObject({ order: members, merchant_urls: urls, locale: "en-gb" })
    expect(body.request.order.items[0]).toMatchObject({ item_id: items[0]!.item_id, total_amount: 2400 })
    const { body: made } = await api.get(`/v1/payment/orders/${body.order}`)
    expect(made).toMatchObject({ unique_id: "intent-1", total_amount: 2400, tax_amount: 480, status: "unpaid" })
    expect((await api.get(`/v1/users/${made.customer.user}`)).body.email).toBe("ann@example.com")
    // Who buys is not known yet.
    expect((await offer(api, body.order)).offered_payment_plans[0].status).toBe("declined")
  })

  test("the buyer says who it is and takes a plan: a deferred payment is created", async () => {
    const { body: made } = await api.post("/v1/payment/intents", intent)
    const path = `/sandbox/intents/${made.id}/accept`
    expect((await api.post(path, { company: "co-nobody" })).body).toEqual({ company: some })
    const { body: paid, status } = await api.post(path, { company: "co-1000", payment_method: "card" })
    expect([status, paid.order, paid.status, paid.authorisation]).toEqual([201, made.order, "accepted", 2400])
    expect((await api.post(path, { company: "co-1000" })).status).toBe(409)
    const { body: bought } = await api.get(`/v1/payment/orders/${made.order}?expand=payment_offer`)
    expect([bought.deferred_payment, bought.payment_offer.offered_payment_plans[0].status]).toEqual([
      paid.id,
      "accepted"
    ])
    expect((await api.get(`/v1/organisations/${bought.customer.organisation}`)).body.company).toBe("co-1000")
    expect((await api.post("/sandbox/intents/intent-nobody/accept", {})).status).toBe(404)
  })

  test("the item rules hold, under the members of the intent", async () => {
    const wrong = { ...intent.order, total_amount: 2401, currency: "LSD", items: [{ ...widgets, tax_amount: 1 }] }
    expect(await api.post("/v1/payment/intents", { ...intent, order: wrong })).toMatchObject({
      status: 400,
      body: { order: { total_amount: some, currency: some, items: { 0: { tax_amount: some } } } }
    })
    expect((await api.post("/v1/payment/intents", {})).body).toEqual({ order: some, merchant_urls: some, locale: some })
  })
})

describe("what holds an organisation", () => {
  test("DP 7.8: an organisation with orders, offers or payments is not deleted: 409", async () => {
    const { customer } = await order(api)
    const answer = await api.remove(`/v1/organisations/${customer.organisation}`)
    expect([answer.status, answer.body]).toEqual([409, { detail: expect.any(String) }])
    expect((await api.get(`/v1/organisations/${customer.organisation}`)).status).toBe(200)
  })
})
