/**
 * The notes of DP 4, preferences (DP 2.4), errors (DP 7), and what keys and pages limit (DP 5, 8), asked of a sandbox
 * that speaks deferred payment only.
 */
import { describe, expect, test } from "vitest"
import { buyer, offer, order, payment } from "./Ordering.ts"
import { trader } from "./Traders.ts"
import { call, fresh, type Json, KEY, organisation, sandbox, user, wire } from "./Wire.ts"

const api = sandbox({ interface: "deferred-payment", keys: [KEY, "other-key"], clock: "2024-03-01T09:00:00Z" })
const other = wire(() => api.url, "other-key")

const some = [expect.any(String)]
const detail = { detail: expect.any(String) }
const registered = "2024-01-05T09:30:00Z"

describe("DP 4: notes", () => {
  test("DP 4.1: membership is managed from the user's side as well", async () => {
    const [o, id] = [await organisation(api), await user(api)]
    expect((await api.post(`/v1/users/${id}/organisations`, { id: o, role: "admin" })).status).toBe(201)
    expect((await api.get(`/v1/organisations/${o}/users/${id}`)).body.role).toBe("admin")
  })

  test("DP 4.2: preferences alone, under a path without an organisation: 201 with the organisation", async () => {
    const unique_id = fresh("org")
    const { id } = (await other.post("/v1/organisations", { unique_id, registered })).body
    const payment_method_config = { direct_debit: { preference: "off" } }
    const alone = await other.patch("/v1/organisations", { payment_method_config })
    expect([alone.status, alone.body.id]).toEqual([201, id])
    expect(alone.body.payment_method_config.direct_debit).toEqual({
      status: "off",
      overridable: true,
      preference: "off"
    })
    await other.post("/v1/organisations", { unique_id: fresh("org"), registered })
    expect(await other.patch("/v1/organisations/", { payment_method_config })).toMatchObject({
      status: 400,
      body: { non_field_errors: some }
    })
    expect((await other.patch("/v1/organisations", { payment_method_config, unique_id })).body.id).toBe(id)
    expect((await other.patch("/v1/organisations", { payment_method_config, id: "org-nobody" })).body).toEqual({
      id: some
    })
    expect((await other.patch("/v1/organisations", {})).body).toEqual({
      payment_method_config: some,
      non_field_errors: some
    })
  })

  test("DP 4.4: expand replaces the identifier by the whole, in lists too; unknown names are ignored", async () => {
    const paid = await payment(api)
    const { body } = await api.get("/v1/payment/orders/?limit=1000&expand=deferred_payment, payment_offer,weather")
    const found = body.results.find(({ id }: Json) => id === paid.order)
    expect([found.deferred_payment, found.payment_offer.id]).toEqual([paid, expect.stringMatching(/^off/)])
    expect((await api.get(`/v1/payment/orders/${paid.order}?expand=`)).body.deferred_payment).toBe(paid.id)
  })

  test("DP 4.9: users are those of the insurance interface", async () => {
    const id = await user(api)
    expect((await api.get(`/v1/users/${id}`)).body.id).toBe(id)
  })

  test("what is insurance's alone is not there: 404", async () => {
    for (const path of ["/v1/transactions", "/v1/quotes", "/v1/policies", "/v1/collections", "/v1/scores"]) {
      expect([path, (await api.get(path)).status]).toEqual([path, 404])
    }
  })
})

describe("DP 2.4: preferences of payment methods", () => {
  const preferences = async (id: string, payment_method_config: unknown) =>
    (await api.patch(`/v1/organisations/${id}`, { payment_method_config })).body

  test("DP 2.4 rule 1: none sent gives defaults; methods that are left out keep their setting", async () => {
    const { body } = await api.post("/v1/organisations", { unique_id: fresh("org"), registered })
    const { bank_transfer, card, direct_debit, instant_payment } = body.payment_method_config
    for (const method of [card, bank_transfer, direct_debit, instant_payment]) {
      expect(method).toEqual({
        status: expect.stringMatching(/^o(n|ff)$/),
        overridable: expect.any(Boolean),
        preference: "default"
      })
    }
    await preferences(body.id, { card: { preference: "off" } })
    const after = (await preferences(body.id, { bank_transfer: { preference: "off" } })).payment_method_config
    expect([after.card.preference, after.bank_transfer.preference, after.direct_debit]).toEqual([
      "off",
      "off",
      direct_debit
    ])
    const again = (await api.post("/v1/organisations", { unique_id: body.unique_id, registered })).body
    expect(again.payment_method_config).toEqual(after)
    const reset = (await preferences(body.id, { card: { preference: "default" } })).payment_method_config
    expect(reset.card).toEqual(card)
  })

  test("DP 7.5: DP 2.4 rule 2, on or off for a method that is not overridable: 400 under preference", async () => {
    const id = await organisation(api)
    for (const preference of ["on", "off"]) {
      expect(
        await api.patch(`/v1/organisations/${id}`, { payment_method_config: { instant_payment: { preference } } })
      ).toEqual(expect.objectContaining({ status: 400, body: { preference: some } }))
    }
    expect((await preferences(id, { instant_payment: { preference: "default" } })).id).toBe(id)
    expect(await preferences(id, { card: { preference: "maybe" } })).toEqual({
      payment_method_config: { card: { preference: ['"maybe" is not a valid choice.'] } }
    })
    expect((await preferences(id, { carrier_pigeon: { preference: "on" } })).payment_method_config).not.toHaveProperty(
      "carrier_pigeon"
    )
  })

  test("a method that is off is not among those that a plan allows", async () => {
    const who = await buyer(api)
    await preferences(who.organisation, { card: { preference: "off" } })
    const made = await offer(api, (await order(api, { buyer: who })).id)
    for (const { scheduled_payments } of made.offered_payment_plans) {
      for (const { allowed_payment_methods } of scheduled_payments) {
        expect(allowed_payment_methods.map(({ type }: Json) => type).toSorted()).toEqual(["direct_debit", "invoice"])
      }
    }
  })
})

describe("DP 7: errors", () => {
  test("DP 7 400: lists of messages by member, every member at once", async () => {
    expect(await api.post("/v1/organisations", { registered: "soon" })).toMatchObject({
      status: 400,
      body: { unique_id: some, registered: some }
    })
  })

  test("DP 7 404: {detail}", async () => {
    expect(await api.get("/v1/payment/offers/offr-nobody")).toMatchObject({ status: 404, body: detail })
  })

  test("DP 7 409: an organisation with payment objects: {detail}", async () => {
    const { customer } = (await api.get(`/v1/payment/orders/${(await payment(api)).order}`)).body
    expect(await api.remove(`/v1/organisations/${customer.organisation}`)).toMatchObject({ status: 409, body: detail })
  })

  test("DP 7 429: {detail} and Retry-After in seconds", async () => {
    await api.post("/sandbox/faults", {
      kind: "status",
      status: 429,
      retry_after: 60,
      path: "/v1/payment/credit_limits",
      times: 1
    })
    const { body, headers, status } = await api.post("/v1/payment/credit_limits/company/co-1000")
    expect([status, body, headers.get("retry-after")]).toEqual([429, detail, "60"])
  })

  test("DP 7.1: company search without country", async () => {
    expect(await api.post("/v1/companies/search", { name: "Bakery" })).toMatchObject({
      status: 400,
      body: { country: some }
    })
  })

  test("DP 7.2: company search with neither name nor reg_number", async () => {
    expect(await api.post("/v1/companies/search", { country: "GB" })).toMatchObject({
      status: 400,
      body: { non_field_errors: some }
    })
  })

  test("DP 7.3: a sole trader with an unknown owner and a unique_id that exists", async () => {
    const sent = await trader(api)
    await api.post("/v1/soletraders", sent)
    expect(await api.post("/v1/soletraders", { ...sent, owner: "user-nobody" })).toMatchObject({
      status: 400,
      body: { owner: some, unique_id: some }
    })
  })

  test("DP 7.4: a member with an unknown id or an invalid role", async () => {
    const path = `/v1/organisations/${await organisation(api)}/users`
    expect((await api.post(path, { id: "user-nobody", role: "member" })).body).toEqual({ id: some })
    expect(await api.post(path, { id: "co-1000", role: "owner" })).toMatchObject({
      status: 400,
      body: { id: some, role: some }
    })
  })

  test("DP 7.7: company, sole trader, organisation, organisation user not found", async () => {
    for (const path of [
      "/v1/companies/co-nobody",
      "/v1/soletraders/st-nobody",
      "/v1/organisations/org-nobody",
      "/v1/organisations/org-nobody/users/user-nobody",
      `/v1/organisations/${await organisation(api)}/users/user-nobody`
    ]) {
      const { body, status } = await api.get(path)
      expect([path, status, body]).toEqual([path, 404, detail])
    }
  })

  test("DP 7.9: without a key, with a wrong one: 401 {detail}", async () => {
    for (const authorization of [null, "Token wrong", "Basic d3Jvbmc6", "Bearer sandbox-key"]) {
      const { body, headers, status } = await call(`${api.url}/v1/payment/orders`, "GET", undefined, authorization)
      expect([authorization, status, body, headers.get("www-authenticate")]).toEqual([
        authorization,
        401,
        detail,
        "Token"
      ])
    }
    const basic = `Basic ${Buffer.from(`${KEY}:`).toString("base64")}`
    expect((await call(`${api.url}/v1/payment/orders`, "GET", undefined, basic)).status).toBe(200)
  })
})

describe("DP 5, 8: keys and limits", () => {
  test("DP 5.6: a platform sees nothing of another's orders, offers and payments", async () => {
    const paid = await payment(api)
    const { body: made } = await api.get(`/v1/payment/orders/${paid.order}`)
    for (const path of [
      `/v1/payment/orders/${made.id}`,
      `/v1/payment/offers/${made.payment_offer}`,
      `/v1/payment/deferred_payments/${paid.id}`
    ]) {
      expect([path, (await api.get(path)).status, (await other.get(path)).status]).toEqual([path, 200, 404])
    }
    expect((await other.get("/v1/payment/orders/")).body.count).toBe(0)
    expect((await other.post("/v1/payment/offers", { order: made.id, locale: "en-gb", urls: {} })).status).toBe(400)
    expect((await other.post(`/v1/payment/deferred_payments/${paid.id}/capture`, { amount: 1 })).status).toBe(404)
    expect((await other.patch(`/v1/payment/orders/${made.id}`, { unique_id: "x" })).status).toBe(404)
    const theirs = { ...made, customer: { ...made.customer, type: "registered" }, status: "draft" }
    expect((await other.post("/v1/payment/orders", theirs)).body).toEqual({
      customer: { organisation: some, user: some }
    })
  })

  test("DP 8 Page size: 25 by default, from 0; a number that is none: 400", async () => {
    const who = await buyer(api)
    for (let i = 0; i < 26; i++) await order(api, { buyer: who })
    const { body } = await api.get("/v1/payment/orders/")
    expect([body.results.length, body.previous]).toEqual([25, null])
    expect(body.next).toBe(`${api.url}/v1/payment/orders/?limit=25&offset=25`)
    const next = await fetch(body.next, { headers: { authorization: `Token ${KEY}` } })
    expect(((await next.json()) as Json).results.length).toBeGreaterThan(0)
    expect(await api.get("/v1/payment/orders/?limit=many&offset=-1")).toMatchObject({
      status: 400,
      body: { limit: some, offset: some }
    })
  })
})
