/**
 * Row by row: users, organisations and memberships of the insurance interface (II 2.3, 2.4, 4).
 */
import { describe, expect, test } from "vitest"
import {
  companies,
  detail,
  fields,
  fresh,
  insured,
  type Json,
  messages,
  organisation,
  sandbox,
  START,
  user
} from "./Rows.ts"

const api = sandbox({ clock: START })
const registered = "2024-01-05T09:30:00Z"
const gone = async (path: string) => {
  const answers = [await api.get(path), await api.patch(path, {}), await api.remove(path)]
  for (const { body, status } of answers) expect([path, status, body]).toEqual([path, 404, detail])
}

describe("users", () => {
  const someone = () => ({ email: `${fresh("person")}@example.com`, name: "Pat Person", registered })

  test("II 4: POST /v1/users: 201; a repeated POST with an existing email partially updates that user", async () => {
    const payload = { ...someone(), phone: "1", country: "United Kingdom", plan_type: "free", company: "co-1000" }
    const made = await api.post("/v1/users", payload)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ ...payload, country: "GB", has_password: false, unique_id: null })
    const again = await api.post("/v1/users", { email: payload.email, phone: "2" })
    expect([again.status, again.body]).toEqual([200, { ...made.body, phone: "2" }])
    expect(fields(await api.post("/v1/users", { email: payload.email, registered: "soon" }))).toEqual(["registered"])
    expect(fields(await api.post("/v1/users", {}))).toEqual(["email", "name", "registered"])
  })

  test("II 4: GET /v1/users: a page, filtered by unique_id, expanded", async () => {
    const unique_id = fresh("mine")
    await api.post("/v1/users", { ...someone(), unique_id, company: "co-1000" })
    await api.post("/v1/users", { ...someone(), unique_id })
    const { body } = await api.get(`/v1/users?unique_id=${unique_id}&expand=company`)
    expect([body.count, body.results[0].company.id, body.results[1].company]).toEqual([2, "co-1000", null])
  })

  test("II 4: GET /v1/users/<user_id>: the user", async () => {
    const made = (await api.post("/v1/users", { ...someone(), company: "co-1000" })).body
    expect((await api.get(`/v1/users/${made.id}`)).body).toEqual(made)
    expect((await api.get(`/v1/users/${made.id}?expand=company`)).body.company).toMatchObject({ id: "co-1000" })
  })

  test("II 4: PATCH /v1/users/<user_id>: the user with its organisations; membership is not updatable here", async () => {
    const [id, of] = [await user(api), await organisation(api)]
    await api.post(`/v1/users/${id}/organisations`, { id: of, role: "admin" })
    const changes = { id, email: `${fresh("new")}@example.com`, unique_id: "u", name: "N", phone: "3", registered }
    const { body, status } = await api.patch(`/v1/users/${id}`, { ...changes, organisations: [] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...changes, organisations: [{ id: of, role: "admin" }] })
    const taken = (await api.post("/v1/users", someone())).body.email
    expect(fields(await api.patch(`/v1/users/${id}`, { email: taken }))).toEqual(["email"])
  })

  test("the id in the body of a change is read-only: whatever it says, the user of the path is changed", async () => {
    const [id, other] = [await user(api), await user(api)]
    const before = (await api.get(`/v1/users/${other}`)).body
    for (const said of [id, other, "user-1", "7", null]) {
      const { body, status } = await api.patch(`/v1/users/${id}`, { id: said, name: `Called ${said}` })
      expect([said, status, body.id, body.name]).toEqual([said, 200, id, `Called ${said}`])
    }
    expect((await api.get(`/v1/users/${other}`)).body).toEqual(before)
  })

  test("II 4: DELETE /v1/users/<user_id>: 204, then 404", async () => {
    const id = await user(api)
    expect((await api.remove(`/v1/users/${id}`)).status).toBe(204)
    await gone(`/v1/users/${id}`)
  })
})

describe("organisations", () => {
  const payload = () => ({ unique_id: fresh("org"), registered, name: "Acme" })

  test("II 4: POST /v1/organisations: 201; 200 if unique_id exists (updated)", async () => {
    const whole = {
      ...payload(),
      company: "co-1000",
      company_name: "Acme Ltd",
      company_regnum: "1",
      company_address: "1 Street",
      company_postcode: "AB1",
      company_city: "Town",
      company_country: "France",
      company_state: "X"
    }
    const made = await api.post("/v1/organisations", whole)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ ...whole, company_country: "FR", has_purchased_policy: false, users: [] })
    for (const moment of [made.body.created, made.body.modified]) expect(moment).toMatch(/^2024-03-01T09:.*Z$/)
    const again = await api.post("/v1/organisations", { ...whole, name: "Acme again" })
    expect([again.status, again.body.id, again.body.name]).toEqual([200, made.body.id, "Acme again"])
  })

  test("II 4: GET /v1/organisations: a page, filtered by unique_id, expanded", async () => {
    const made = (await api.post("/v1/organisations", { ...payload(), company: "co-1001" })).body
    const { body } = await api.get(`/v1/organisations?unique_id=${made.unique_id}&expand=company`)
    expect([body.count, body.results[0].company.id]).toEqual([1, "co-1001"])
  })

  test("II 4: GET /v1/organisations/<organisation_id>: the organisation, has_purchased_policy once it has", async () => {
    const id = await organisation(api)
    const read = async () => (await api.get(`/v1/organisations/${id}`)).body
    expect(await read()).toMatchObject({ id, has_purchased_policy: false })
    await insured(api, { owner: id })
    expect(await read()).toMatchObject({ id, has_purchased_policy: true })
  })

  test("II 4: PATCH /v1/organisations/<organisation_id>: a subset; read-only members stay", async () => {
    const made = (await api.post("/v1/organisations", payload())).body
    const sent = { name: "New", created: "2020-01-01T00:00:00Z", has_purchased_policy: true }
    const { body, status } = await api.patch(`/v1/organisations/${made.id}`, sent)
    expect([status, body]).toEqual([200, { ...made, name: "New", modified: body.modified }])
    const unknown = {
      company: "co-nobody",
      company_country: "Atlantis",
      unique_id: (await api.post("/v1/organisations", payload())).body.unique_id
    }
    expect(fields(await api.patch(`/v1/organisations/${made.id}`, unknown))).toEqual(
      ["company", "company_country", "unique_id"].toSorted()
    )
  })

  test("II 4: DELETE /v1/organisations/<organisation_id>: 204, then 404; 409 with attached objects", async () => {
    const id = await organisation(api)
    expect((await api.remove(`/v1/organisations/${id}`)).status).toBe(204)
    await gone(`/v1/organisations/${id}`)
    const { transaction } = await insured(api)
    expect(await api.remove(`/v1/organisations/${transaction.owner}`)).toMatchObject({ status: 409, body: detail })
  })
})

/** Both sides of a membership, each with the names of its rows. */
const SIDES = [
  {
    side: "user",
    list: (_: string, u: string) => `/v1/users/${u}/organisations`,
    id: (o: string, _: string) => o,
    post: "II 4: POST /v1/users/<user_id>/organisations: 201; 200 if already member (role updated)",
    page: "II 4: GET /v1/users/<user_id>/organisations: a page of {id, role}",
    get: "II 4: GET /v1/users/<user_id>/organisations/<organisation_id>: {id, role}",
    patch: "II 4: PATCH /v1/users/<user_id>/organisations/<organisation_id>: the role",
    remove: "II 4: DELETE /v1/users/<user_id>/organisations/<organisation_id>: 204, gone from both sides"
  },
  {
    side: "organisation",
    list: (o: string, _: string) => `/v1/organisations/${o}/users`,
    id: (_: string, u: string) => u,
    post: "II 4: POST /v1/organisations/<organisation_id>/users: 201; 200 if already member",
    page: "II 4: GET /v1/organisations/<organisation_id>/users: a page",
    get: "II 4: GET /v1/organisations/<organisation_id>/users/<user_id>: id, email and role",
    patch: "II 4: PATCH /v1/organisations/<organisation_id>/users/<user_id>: the role",
    remove: "II 4: DELETE /v1/organisations/<organisation_id>/users/<user_id>: 204, gone from both sides"
  }
] as const

describe.each(SIDES)(
  "memberships, from the side of the $side",
  ({ get, id, list, page, patch, post, remove, side }) => {
    const setting = async () => {
      const [o, u] = [await organisation(api), await user(api)]
      const email: string = (await api.get(`/v1/users/${u}`)).body.email
      const shown = (role: string) => (side === "user" ? { id: o, role } : { id: u, email, role })
      return { path: list(o, u), other: id(o, u), shown, o, u }
    }

    test(post, async () => {
      const { other, path, shown } = await setting()
      for (const [status, role] of [
        [201, "read-only"],
        [200, "member"],
        [200, "admin"]
      ] as const) {
        const answer = await api.post(path, { id: other, role })
        expect([answer.status, answer.body]).toEqual([status, shown(role)])
      }
      expect(fields(await api.post(path, { id: "trns-1", role: "owner" }))).toEqual(["id", "role"])
      expect((await api.post(path, { id: `${other}x`, role: "admin" })).body).toEqual({ id: messages })
    })

    test(page, async () => {
      const { other, path, shown } = await setting()
      await api.post(path, { id: other, role: "member" })
      expect((await api.get(path)).body).toEqual({ count: 1, next: null, previous: null, results: [shown("member")] })
    })

    test(get, async () => {
      const { other, path, shown } = await setting()
      expect((await api.get(`${path}/${other}`)).status).toBe(404)
      await api.post(path, { id: other, role: "member" })
      expect((await api.get(`${path}/${other}`)).body).toEqual(shown("member"))
    })

    test(patch, async () => {
      const { o, other, path, shown, u } = await setting()
      await api.post(path, { id: other, role: "member" })
      expect(await api.patch(`${path}/${other}`, { role: "admin" })).toMatchObject({
        status: 200,
        body: shown("admin")
      })
      expect((await api.patch(`${path}/${other}`, { role: "owner" })).body).toEqual({ role: messages })
      expect((await api.get(`/v1/organisations/${o}/users/${u}`)).body.role).toBe("admin")
    })

    test(remove, async () => {
      const { o, other, path, u } = await setting()
      await api.post(path, { id: other, role: "member" })
      expect((await api.remove(`${path}/${other}`)).status).toBe(204)
      await gone(`/v1/organisations/${o}/users/${u}`)
      expect((await api.get(`/v1/users/${u}/organisations`)).body.count).toBe(0)
    })
  }
)

test("II 2.4: members share what the organisation owns: it may own transactions, and several may belong", async () => {
  const { buyer } = await companies(api)
  const [o, a, b] = [await organisation(api), await user(api), await user(api)]
  for (const id of [a, b]) await api.post(`/v1/organisations/${o}/users`, { id, role: "member" })
  const { body } = await api.post("/v1/transactions", { owner: o, debtor: buyer.id })
  const whole = (await api.get(`/v1/transactions/${body.id}?expand=owner`)).body.owner
  expect(whole.users.map(({ id }: Json) => id)).toEqual([a, b])
})
