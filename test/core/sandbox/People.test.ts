/**
 * Organisations, users and memberships of the sandbox (DP 2.4, 2.5; II 2.3, 2.4, 4), and that a key sees only what it
 * created (DP 5).
 */
import { describe, expect, test } from "vitest"
import { call, fresh, insured, invoice, type Json, organisation, sandbox, user, wire } from "./Wire.ts"

const api = sandbox({ keys: ["one", "two"], clock: "2024-03-01T09:00:00Z" })
const other = wire(() => api.url, "two")

const registered = "2024-01-05T09:30:00Z"

describe("II 2.4: organisations", () => {
  test("POST: 201; 200 and updated when unique_id exists", async () => {
    const unique_id = fresh("org")
    const made = await api.post("/v1/organisations", { unique_id, registered, name: "Before", company: "co-1000" })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      unique_id,
      name: "Before",
      company: "co-1000",
      users: [],
      has_purchased_policy: false,
      created: expect.stringMatching(/^2024-03-01T/),
      modified: expect.stringMatching(/^2024-03-01T/),
      onboarding: { status: "not_started" }
    })
    const again = await api.post("/v1/organisations", { unique_id, registered, name: "After" })
    expect([again.status, again.body.id, again.body.name]).toEqual([200, made.body.id, "After"])
    expect([again.body.company, again.body.created]).toEqual(["co-1000", made.body.created])
    expect((await api.get(`/v1/organisations?unique_id=${unique_id}`)).body.count).toBe(1)
  })

  test("unique_id and registered are required, and both are named", async () => {
    const { body, status } = await api.post("/v1/organisations", { name: "Nameless" })
    expect([status, Object.keys(body).toSorted()]).toEqual([400, ["registered", "unique_id"]])
    const wrong = await api.post("/v1/organisations", { unique_id: fresh("org"), registered: "yesterday" })
    expect([wrong.status, Object.keys(wrong.body)]).toEqual([400, ["registered"]])
    const unknown = { unique_id: fresh("org"), registered, company: "co-nobody", company_country: "Atlantis" }
    const refused = await api.post("/v1/organisations", unknown)
    expect([refused.status, Object.keys(refused.body).toSorted()]).toEqual([400, ["company", "company_country"]])
  })

  test("PATCH takes a subset; read-only members stay", async () => {
    const id = await organisation(api)
    const { body, status } = await api.patch(`/v1/organisations/${id}`, { name: "Renamed", id: "org-x", users: [1] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, name: "Renamed", users: [] })
    expect((await api.get(`/v1/organisations/${id}`)).body).toEqual(body)
  })

  test("DELETE: 204, then 404; 409 while objects are attached", async () => {
    const free = await organisation(api)
    expect((await api.remove(`/v1/organisations/${free}`)).status).toBe(204)
    expect((await api.get(`/v1/organisations/${free}`)).body).toEqual({ detail: expect.any(String) })
    const bound = await organisation(api)
    await invoice(api, { owner: bound })
    const { body, status } = await api.remove(`/v1/organisations/${bound}`)
    expect([status, body]).toEqual([409, { detail: expect.any(String) }])
    expect((await api.get(`/v1/organisations/${bound}`)).status).toBe(200)
  })

  test("has_purchased_policy once it has bought one", async () => {
    const owner = await organisation(api)
    await insured(api, { owner })
    expect((await api.get(`/v1/organisations/${owner}`)).body.has_purchased_policy).toBe(true)
  })
})

describe("II 2.3: users", () => {
  test("POST: 201; an existing email updates that user, and what is not sent stays", async () => {
    const email = `${fresh("ann")}@example.com`
    const made = await api.post("/v1/users", { email, name: "Ann", registered, phone: "123", unique_id: "u-1" })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ email, name: "Ann", phone: "123", unique_id: "u-1", has_password: false })
    const again = await api.post("/v1/users", { email, name: "Anna", registered })
    expect([200, 201]).toContain(again.status)
    expect(again.body).toMatchObject({ id: made.body.id, name: "Anna", phone: "123", unique_id: "u-1" })
    const all: ReadonlyArray<Json> = (await api.get("/v1/users?limit=1000")).body.results
    expect(all.filter((one) => one.email === email)).toHaveLength(1)
  })

  test("email, name and registered are required, and all are named", async () => {
    const { body, status } = await api.post("/v1/users", {})
    expect([status, Object.keys(body).toSorted()]).toEqual([400, ["email", "name", "registered"]])
  })

  test("uniqueness of unique_id is not validated", async () => {
    const make = async () =>
      (await api.post("/v1/users", { email: `${fresh("x")}@example.com`, name: "X", registered, unique_id: "same" }))
        .body
    expect((await make()).id).not.toBe((await make()).id)
    expect((await api.get("/v1/users?unique_id=same")).body.count).toBe(2)
  })

  test("PATCH: 200 with organisations, which it cannot change", async () => {
    const [id, belongs] = [await user(api), await organisation(api)]
    await api.post(`/v1/users/${id}/organisations`, { id: belongs, role: "member" })
    const sent = { name: "New name", phone: "9", organisations: [] }
    const { body, status } = await api.patch(`/v1/users/${id}`, sent)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, name: "New name", phone: "9", organisations: [{ id: belongs, role: "member" }] })
  })

  test("DELETE: 204, then 404, and its memberships are gone", async () => {
    const [id, belongs] = [await user(api), await organisation(api)]
    await api.post(`/v1/organisations/${belongs}/users`, { id, role: "admin" })
    expect((await api.remove(`/v1/users/${id}`)).status).toBe(204)
    expect((await api.get(`/v1/users/${id}`)).status).toBe(404)
    expect((await api.get(`/v1/organisations/${belongs}/users`)).body.count).toBe(0)
  })
})

describe("II 4: memberships, from either side", () => {
  const sides = [
    {
      side: "organisations",
      list: (o: string, _: string) => `/v1/organisations/${o}/users`,
      id: (_: string, u: string) => u
    },
    { side: "users", list: (_: string, u: string) => `/v1/users/${u}/organisations`, id: (o: string, _: string) => o }
  ]

  test.each(sides)("$side: 201; 200 with the role replaced; read, changed and removed", async ({ id, list }) => {
    const [o, u] = [await organisation(api), await user(api)]
    const path = list(o, u)
    const joined = await api.post(path, { id: id(o, u), role: "member" })
    expect([joined.status, joined.body.id, joined.body.role]).toEqual([201, id(o, u), "member"])
    const again = await api.post(path, { id: id(o, u), role: "admin" })
    expect([again.status, again.body.role]).toEqual([200, "admin"])
    const page = (await api.get(path)).body
    expect([page.count, page.results[0].role]).toEqual([1, "admin"])
    const one = `${path}/${id(o, u)}`
    expect((await api.patch(one, { role: "read-only" })).body).toMatchObject({ id: id(o, u), role: "read-only" })
    expect((await api.get(one)).body.role).toBe("read-only")
    expect((await api.remove(one)).status).toBe(204)
    for (const answer of [await api.get(one), await api.patch(one, { role: "admin" }), await api.remove(one)]) {
      expect([answer.status, answer.body]).toEqual([404, { detail: expect.any(String) }])
    }
  })

  test("a member of an organisation bears its email; both sides say the same", async () => {
    const [o, u] = [await organisation(api), await user(api)]
    await api.post(`/v1/users/${u}/organisations`, { id: o, role: "read-only" })
    const { email } = (await api.get(`/v1/users/${u}`)).body
    expect((await api.get(`/v1/organisations/${o}/users/${u}`)).body).toEqual({ id: u, email, role: "read-only" })
    expect((await api.get(`/v1/organisations/${o}`)).body.users).toHaveLength(1)
    expect((await api.get(`/v1/users/${u}/organisations/${o}`)).body).toEqual({ id: o, role: "read-only" })
  })

  test.each(sides)(
    "DP 7 case 4, $side: unknown id, invalid role, wrong prefix: 400 by member",
    async ({ list, side }) => {
      const [o, u] = [await organisation(api), await user(api)]
      const path = list(o, u)
      const nobody = side === "users" ? "org-nobody" : "user-nobody"
      expect(await api.post(path, { id: nobody, role: "admin" })).toMatchObject({
        status: 400,
        body: { id: [expect.any(String)] }
      })
      const wrong = await api.post(path, { id: "co-1000", role: "owner" })
      expect([wrong.status, Object.keys(wrong.body).toSorted()]).toEqual([400, ["id", "role"]])
      expect(Object.keys((await api.post(path, {})).body).toSorted()).toEqual(["id", "role"])
      const lost = list("org-nobody", "user-nobody")
      expect((await api.post(lost, { id: side === "users" ? o : u, role: "admin" })).status).toBe(404)
      expect((await api.get(lost)).status).toBe(404)
    }
  )
})

describe("DP 5: each key is a platform of its own", () => {
  test("one sees nothing of the other", async () => {
    const { policy, quote, transaction } = await insured(api)
    const person = await user(api)
    await api.post(`/v1/organisations/${transaction.owner}/users`, { id: person, role: "admin" })
    for (const path of [
      `/v1/transactions/${transaction.id}`,
      `/v1/transactions/${transaction.id}/payments/`,
      `/v1/quotes/${quote.id}`,
      `/v1/policies/${policy.id}`,
      `/v1/organisations/${transaction.owner}`,
      `/v1/organisations/${transaction.owner}/users`,
      `/v1/users/${person}`
    ]) {
      expect([path, (await api.get(path)).status, (await other.get(path)).status]).toEqual([path, 200, 404])
    }
    for (const list of ["transactions", "quotes", "policies", "organisations", "users"]) {
      expect([list, (await other.get(`/v1/${list}`)).body.count]).toEqual([list, 0])
    }
    expect((await other.post("/v1/transactions", { owner: transaction.owner })).body).toEqual({
      owner: [expect.any(String)]
    })
    expect((await other.post("/v1/quotes", { transaction: transaction.id })).status).toBe(400)
    expect((await other.remove(`/v1/users/${person}`)).status).toBe(404)
    const known = (await api.get(`/v1/organisations/${transaction.owner}`)).body
    const same = await other.post("/v1/organisations", { unique_id: known.unique_id, registered })
    expect(same.status).toBe(201)
    expect(same.body.id).not.toBe(known.id)
  })

  test("a key that was not given: 401", async () => {
    expect((await call(`${api.url}/v1/users`, "GET", undefined, "Token sandbox-key")).status).toBe(401)
  })
})
