/**
 * The endpoints of DP 4 that deferred payment shares with insurance, row by row, asked of a sandbox that speaks
 * deferred payment only. Orders, offers and deferred payments have files of their own.
 */
import { describe, expect, test } from "vitest"
import { accept, buyer, offer, order } from "./Ordering.ts"
import { trader } from "./Traders.ts"
import { call, fresh, type Json, KEY, organisation, sandbox, user, wire } from "./Wire.ts"

const api = sandbox({ interface: "deferred-payment", keys: [KEY, "other-key"], clock: "2024-03-01T09:00:00Z" })
const other = wire(() => api.url, "other-key")
const both = sandbox()

const some = [expect.any(String)]
const registered = "2024-01-05T09:30:00Z"

describe("DP 4: endpoints", () => {
  test("DP 4 GET /v1/me: 200 with a good key", async () => {
    expect((await api.get("/v1/me")).status).toBe(200)
    expect((await call(`${api.url}/v1/me`, "GET", undefined, "Token wrong")).status).toBe(401)
  })

  test("DP 4 GET /v1/countries/debtor: 200 list of {code, name}, without authentication", async () => {
    const { body, status } = await call(`${api.url}/v1/countries/debtor`, "GET", undefined, null)
    expect([status, body.length > 100]).toEqual([200, true])
    expect(body).toContainEqual({ code: "FR", name: "France" })
  })

  test("DP 4 POST /v1/companies/search: 200 matches with confidence, an empty list when none", async () => {
    const { body, status } = await api.post("/v1/companies/search", {
      country: "United Kingdom",
      reg_number: "10000000"
    })
    expect([status, body.matches.length, body.matches[0].id]).toEqual([200, 1, "co-1000"])
    expect(body.matches[0].confidence).not.toBeNull()
    expect((await api.post("/v1/companies/search", { country: "FR", name: "Nobody at all" })).body).toEqual({
      matches: []
    })
  })

  test("DP 4 GET /v1/companies/<company_id>: 200 company", async () => {
    expect(await api.get("/v1/companies/co-1000")).toMatchObject({
      status: 200,
      body: {
        id: "co-1000",
        url: `${api.url}/v1/companies/co-1000`,
        name: "Harbour Lane Bakery Ltd",
        country: "GB",
        sectors: [{ system: expect.any(String), code: expect.any(String) }],
        identifiers: expect.arrayContaining([{ id_type: "reg_number", country: "GB", value: "10000000" }]),
        confidence: null
      }
    })
  })

  test("DP 4 POST /v1/soletraders: 201; it is a company that can order", async () => {
    const sent = await trader(api)
    const { body, status } = await api.post("/v1/soletraders", sent)
    expect([status, body.soletrader_id]).toEqual([201, expect.stringMatching(/^st-./)])
    const { proprietor_address_country: _, trading_address_country: __, ...same } = sent
    expect(body).toMatchObject(same)
    expect((await api.get(`/v1/companies/${body.id}`)).status).toBe(200)
    const made = await offer(api, (await order(api, { buyer: await buyer(api, body.id) })).id)
    expect((await accept(api, made)).status).toBe(201)
  })

  test("DP 4 GET /v1/soletraders: 200 page of those of the platform", async () => {
    const { id } = (await api.post("/v1/soletraders", await trader(api))).body
    const { body, status } = await api.get("/v1/soletraders?limit=1000")
    expect([status, body.results.map((one: Json) => one.id).includes(id)]).toEqual([200, true])
    expect((await other.get("/v1/soletraders")).body).toEqual({ count: 0, next: null, previous: null, results: [] })
  })

  test("DP 4 GET /v1/soletraders/<soletrader_id>: 200", async () => {
    const { body: made } = await api.post("/v1/soletraders", await trader(api))
    expect(await api.get(`/v1/soletraders/${made.soletrader_id}`)).toMatchObject({ status: 200, body: made })
  })

  test("DP 4 PATCH /v1/soletraders/<soletrader_id>: 200 with the whole of it", async () => {
    const { body: made } = await api.post("/v1/soletraders", await trader(api))
    const path = `/v1/soletraders/${made.soletrader_id}`
    const { body, status } = await api.patch(path, {
      trading_name: "Ann & Co",
      vat_number: "GB1",
      soletrader_id: "st-x"
    })
    expect([status, body.soletrader_id, body.id]).toEqual([200, made.soletrader_id, made.id])
    expect(body).toMatchObject({ trading_name: "Ann & Co", vat_number: "GB1", proprietor_name: "Ann Baker" })
    expect((await api.patch(path, { trading_name: "", date_of_birth: null })).body).toEqual({
      trading_name: some,
      date_of_birth: some
    })
  })

  test("DP 2.3: both addresses and a date of birth are required; with insurance beside it they are not", async () => {
    const needed = Object.keys(await trader(api))
    expect(Object.keys((await api.post("/v1/soletraders", {})).body).toSorted()).toEqual(needed.toSorted())
    const looser = {
      owner: await user(both),
      unique_id: "loose",
      trading_name: "Ann's",
      proprietor_name: "Ann",
      proprietor_address_country: "GB"
    }
    expect((await both.post("/v1/soletraders", looser)).status).toBe(201)
  })

  test("DP 4 POST /v1/organisations: 201; 200 and updated when unique_id exists", async () => {
    const unique_id = fresh("org")
    const sent = {
      unique_id,
      registered,
      name: "Before",
      company: "co-1000",
      metadata: { subscriber: true, checkouts_count: 3 }
    }
    const made = await api.post("/v1/organisations", sent)
    expect(made).toMatchObject({
      status: 201,
      body: { ...sent, billing_account: null, users: [], onboarding: { status: "not_started" } }
    })
    const again = await api.post("/v1/organisations", { unique_id, registered, name: "After" })
    expect([again.status, again.body]).toMatchObject([200, { id: made.body.id, name: "After", company: "co-1000" }])
  })

  test("DP 4 GET /v1/organisations: 200 page", async () => {
    const id = await organisation(api)
    const { body, status } = await api.get("/v1/organisations?limit=1000")
    expect([status, body.results.map((one: Json) => one.id).includes(id)]).toEqual([200, true])
  })

  test("DP 4 GET /v1/organisations/<organisation_id>: 200", async () => {
    const id = await organisation(api)
    expect(await api.get(`/v1/organisations/${id}`)).toMatchObject({ status: 200, body: { id } })
  })

  test("DP 4 PATCH /v1/organisations/<organisation_id>: 200, preferences included", async () => {
    const id = await organisation(api)
    const { body, status } = await api.patch(`/v1/organisations/${id}`, {
      name: "Renamed",
      payment_method_config: { card: { preference: "off", status: "on", overridable: false } }
    })
    expect([status, body.name]).toEqual([200, "Renamed"])
    expect(body.payment_method_config.card).toEqual({ status: "off", overridable: true, preference: "off" })
  })

  test("DP 4 DELETE /v1/organisations/<organisation_id>: 204", async () => {
    const path = `/v1/organisations/${await organisation(api)}`
    expect([(await api.remove(path)).status, (await api.get(path)).status]).toEqual([204, 404])
  })

  test("DP 4 POST /v1/organisations/<organisation_id>/users: 201; 200 when a member", async () => {
    const [o, id] = [await organisation(api), await user(api)]
    const path = `/v1/organisations/${o}/users`
    expect(await api.post(path, { id, role: "member" })).toMatchObject({ status: 201, body: { id, role: "member" } })
    expect(await api.post(path, { id, role: "admin" })).toMatchObject({ status: 200, body: { id, role: "admin" } })
    expect((await api.get(`/v1/organisations/${o}`)).body.users).toHaveLength(1)
  })

  test("DP 4.3: a role sent for an existing member replaces the role", async () => {
    const { organisation: o, user: id } = await buyer(api)
    await api.post(`/v1/organisations/${o}/users`, { id, role: "read-only" })
    expect((await api.get(`/v1/organisations/${o}/users/${id}`)).body.role).toBe("read-only")
  })

  test("DP 4 GET /v1/organisations/<organisation_id>/users: 200 page", async () => {
    const { organisation: o, user: id } = await buyer(api)
    expect(await api.get(`/v1/organisations/${o}/users`)).toMatchObject({
      status: 200,
      body: { count: 1, next: null, previous: null, results: [{ id, email: expect.any(String), role: "member" }] }
    })
  })

  test("DP 4 GET /v1/organisations/<organisation_id>/users/<user_id>: 200", async () => {
    const { organisation: o, user: id } = await buyer(api)
    expect(await api.get(`/v1/organisations/${o}/users/${id}`)).toMatchObject({ status: 200, body: { id } })
  })

  test("DP 4 PATCH /v1/organisations/<organisation_id>/users/<user_id>: 200", async () => {
    const { organisation: o, user: id } = await buyer(api)
    expect(await api.patch(`/v1/organisations/${o}/users/${id}`, { role: "read-only" })).toMatchObject({
      status: 200,
      body: { id, role: "read-only" }
    })
  })

  test("DP 4 DELETE /v1/organisations/<organisation_id>/users/<user_id>: 204", async () => {
    const { organisation: o, user: id } = await buyer(api)
    expect((await api.remove(`/v1/organisations/${o}/users/${id}`)).status).toBe(204)
    expect((await api.get(`/v1/organisations/${o}/users`)).body.count).toBe(0)
  })
})
