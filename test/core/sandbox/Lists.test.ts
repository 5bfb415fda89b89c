/**
 * The conventions that every list and every read of the sandbox keeps (DP 2.1, 4, 8): pages, filters, expansion, and
 * paths with and without a trailing slash.
 */
import { beforeAll, describe, expect, test } from "vitest"
import { companies, insured, invoice, type Json, organisation, sandbox, user } from "./Wire.ts"

const api = sandbox({ clock: "2024-03-01T09:00:00Z" })

/** 30 transactions: more than one page of the default size. */
let ids: ReadonlyArray<string> = []
let owner = ""

beforeAll(async () => {
  owner = await organisation(api)
  const made: Array<string> = []
  for (let i = 0; i < 30; i++) {
    made.push((await api.post("/v1/transactions", { owner, unique_id: `invoice ${i % 28}` })).body.id)
  }
  ids = made
})

const path = (address: string) => address.slice(api.url.length)

describe("DP 8: pages", () => {
  test("limit is 25 by default and offset 0; the envelope is whole", async () => {
    const { body, status } = await api.get("/v1/transactions")
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(["count", "next", "previous", "results"])
    expect([body.count, body.results.length, body.previous]).toEqual([30, 25, null])
    expect(body.next.startsWith(`${api.url}/v1/transactions`)).toBe(true)
  })

  test("next and previous are whole addresses; following next meets every object once", async () => {
    const seen: Array<string> = []
    let at: string | null = `${api.url}/v1/transactions?limit=7`
    let last: Json
    while (at !== null) {
      last = (await api.get(path(at))).body
      expect(last.count).toBe(30)
      seen.push(...last.results.map(({ id }: Json) => id))
      at = last.next
    }
    expect(seen.toSorted()).toEqual(ids.toSorted())
    expect(new Set(seen).size).toBe(30)
    const back: Array<string> = last.results.map(({ id }: Json) => id)
    for (let link = last.previous; link !== null; ) {
      const { body } = await api.get(path(link))
      back.push(...body.results.map(({ id }: Json) => id))
      link = body.previous
    }
    expect(back.toSorted()).toEqual(ids.toSorted())
  })

  test("an offset past the end is an empty page", async () => {
    const { body } = await api.get("/v1/transactions?offset=1000")
    expect([body.count, body.results, body.next]).toEqual([30, [], null])
    expect(typeof body.previous).toBe("string")
  })

  test("a bad number is 400 under its name", async () => {
    for (const bad of [
      "limit=many",
      "limit=-1",
      "limit=1.5",
      "offset=-1",
      "offset=x",
      "offset=NaN",
      "limit=Infinity"
    ]) {
      const { body, status } = await api.get(`/v1/transactions?${bad}`)
      expect([bad, status, Object.keys(body)]).toEqual([bad, 400, [bad.split("=")[0]]])
    }
    const both = await api.get("/v1/transactions?limit=x&offset=y")
    expect(Object.keys(both.body).toSorted()).toEqual(["limit", "offset"])
  })

  test("every list of the interface is a page", async () => {
    const [one, person] = [await organisation(api), await user(api)]
    await api.post(`/v1/organisations/${one}/users`, { id: person, role: "admin" })
    for (const list of [
      "/v1/transactions",
      "/v1/organisations",
      "/v1/users",
      "/v1/quotes",
      "/v1/policies",
      `/v1/organisations/${one}/users`,
      `/v1/users/${person}/organisations`,
      `/v1/transactions/${ids[0]}/payments/`
    ]) {
      const { body, status } = await api.get(`${list}?limit=1&offset=0`)
      expect([list, status]).toEqual([list, 200])
      expect(body).toEqual({
        count: expect.any(Number),
        next: expect.toSatisfy(link),
        previous: null,
        results: expect.any(Array)
      })
    }
  })
  const link = (value: unknown) => value === null || (typeof value === "string" && value.startsWith(`${api.url}/v1/`))
})

describe("filters", () => {
  test("unique_id: every transaction that bears it, and it is kept from page to page", async () => {
    const twice = (await api.get("/v1/transactions?unique_id=invoice%200&limit=1")).body
    expect([twice.count, twice.results[0].id]).toEqual([2, ids[0]])
    const second = (await api.get(path(twice.next))).body
    expect([second.count, second.results[0].id, second.next]).toEqual([2, ids[28], null])
    expect((await api.get("/v1/transactions?unique_id=invoice%205")).body.results).toHaveLength(1)
    expect((await api.get("/v1/transactions?unique_id=nothing")).body).toMatchObject({ count: 0, results: [] })
  })

  test("a filter that is not known is ignored", async () => {
    expect((await api.get("/v1/transactions?colour=blue")).body.count).toBeGreaterThanOrEqual(30)
  })
})

describe("DP 4, note 4: expand", () => {
  test("debtor, creditor, policy and quote become whole resources, in a read and in a list", async () => {
    const { policy, quote, transaction } = await insured(api)
    const whole = (await api.get(`/v1/transactions/${transaction.id}?expand=debtor,creditor,policy,quote`)).body
    const { buyer, seller } = await companies(api)
    expect(whole.debtor).toMatchObject({ id: buyer.id, name: buyer.name, country: buyer.country })
    expect(whole.creditor).toMatchObject({ id: seller.id, url: `${api.url}/v1/companies/${seller.id}` })
    expect(whole.policy).toEqual((await api.get(`/v1/policies/${policy.id}`)).body)
    expect(whole.quote).toEqual((await api.get(`/v1/quotes/${quote.id}`)).body)
    const listed = (await api.get("/v1/transactions?expand=quote&limit=1000")).body.results
    const found = listed.find(({ id }: Json) => id === transaction.id)
    expect([found.quote.id, found.policy, found.debtor]).toEqual([quote.id, policy.id, buyer.id])
  })

  test("a quote and a policy expand as well", async () => {
    const { policy, quote, transaction } = await insured(api)
    expect((await api.get(`/v1/quotes/${quote.id}?expand=transaction`)).body.transaction.id).toBe(transaction.id)
    expect((await api.get(`/v1/policies/${policy.id}?expand=quote`)).body.quote.id).toBe(quote.id)
  })

  test("only reads expand: what is made or changed is answered as it is", async () => {
    const { creditor, id, owner } = await invoice(api)
    const made = await api.post("/v1/transactions?expand=owner,creditor", { owner, creditor })
    expect([made.status, made.body]).toMatchObject([201, { owner, creditor }])
    for (const { body } of [
      await api.patch(`/v1/transactions/${id}?expand=owner`, { number: "1" }),
      await api.put(`/v1/transactions/${id}/paid?expand=owner`)
    ])
      expect(body).toMatchObject({ id, owner })
  })

  test("an unknown name is ignored, and so is one that has nothing to expand", async () => {
    const { id } = await invoice(api, { debtor: null })
    const plain = (await api.get(`/v1/transactions/${id}`)).body
    for (const names of ["colour", "policy,debtor", "", ",,", "id", "constructor,__proto__", "number"]) {
      expect((await api.get(`/v1/transactions/${id}?expand=${names}`)).body).toEqual(plain)
    }
  })
})

test("paths work with and without a trailing slash", async () => {
  const { id } = await invoice(api)
  const quote = (await api.post("/v1/quotes/", { transaction: id })).body.id
  const person = await user(api)
  for (const one of [
    "/v1/transactions",
    `/v1/transactions/${id}`,
    `/v1/transactions/${id}/payments`,
    "/v1/quotes",
    `/v1/quotes/${quote}`,
    "/v1/policies",
    "/v1/users",
    `/v1/users/${person}`,
    `/v1/users/${person}/organisations`,
    "/v1/organisations",
    `/v1/organisations/${owner}/users`,
    "/v1/companies/co-1000",
    "/v1/countries/debtor",
    "/v1/countries/customer",
    "/v1/me"
  ]) {
    const [bare, slashed] = [await api.get(one), await api.get(`${one}/`)]
    expect([one, bare.status, slashed.status]).toEqual([one, 200, 200])
    expect(slashed.body).toEqual(bare.body)
  }
  for (const end of ["", "/"]) {
    const draft = (await invoice(api, { status: "draft" })).id
    expect((await api.put(`/v1/transactions/${draft}/confirm${end}`)).status).toBe(200)
    expect((await api.patch(`/v1/transactions/${draft}/amend${end}`, { net_amount: "1" })).status).toBe(200)
    expect(
      (await api.post(`/v1/transactions/${draft}/payments${end}`, { date: "2024-03-05", amount: "1" })).status
    ).toBe(201)
    expect((await api.put(`/v1/transactions/${draft}/match_debtor${end}`, { debtor: "co-1000" })).status).toBe(200)
    expect((await api.put(`/v1/transactions/${draft}/paid${end}`, {})).status).toBe(200)
    expect((await api.patch(`/v1/transactions/${draft}${end}`, { number: "1" })).status).toBe(200)
    expect((await api.remove(`/v1/transactions/${draft}${end}`)).status).toBe(204)
    expect((await api.post(`/v1/transactions${end}`, { owner })).status).toBe(201)
    expect((await api.post(`/v1/companies/search${end}`, { country: "GB", name: "bakery" })).status).toBe(200)
  }
})

describe("DP 4: company search", () => {
  const search = async (body: unknown) => api.post("/v1/companies/search", body)

  test("by name and by registration number, in one country; nothing found is an empty list", async () => {
    const { buyer } = await companies(api)
    const { body, status } = await search({ country: buyer.country, name: buyer.name })
    expect(status).toBe(200)
    expect(body.matches[0]).toMatchObject({ id: buyer.id, name: buyer.name, confidence: expect.anything() })
    const numbered = await search({ country: buyer.country, reg_number: buyer.reg_number })
    expect(numbered.body.matches.map(({ id }: Json) => id)).toEqual([buyer.id])
    expect((await search({ country: "United Kingdom", name: buyer.name })).body.matches[0].id).toBe(buyer.id)
    expect((await search({ country: "IT", name: buyer.name })).body).toEqual({ matches: [] })
    const read = await api.get(`/v1/companies/${buyer.id}`)
    expect(read.body).toMatchObject({ id: buyer.id, name: buyer.name, confidence: null })
  })

  test("DP 7 cases 1 and 2: without country; with neither name nor reg_number", async () => {
    expect(await search({ name: "x" })).toMatchObject({ status: 400, body: { country: [expect.any(String)] } })
    const little = await search({ country: "GB" })
    expect([little.status, Object.keys(little.body)]).toEqual([400, ["non_field_errors"]])
    expect((await api.get("/v1/companies/co-nobody")).status).toBe(404)
  })
})
