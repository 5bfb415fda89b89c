/**
 * Row by row: the errors of the insurance interface (II 7), in the shapes of DP 7, every offending field at once.
 */
import { describe, expect, test } from "vitest"
import {
  at,
  DAYS,
  detail,
  fields,
  fresh,
  handOver,
  insured,
  invoice,
  late,
  messages,
  organisation,
  sandbox,
  START,
  user
} from "./Rows.ts"

const api = sandbox({ clock: START })
const registered = "2024-01-05T09:30:00Z"
const conflict = { status: 409, body: detail }

describe("II 7: Company search, score, credit limit, create or update of users, organisations, transactions, memberships 400", () => {
  const rows: ReadonlyArray<readonly [string, string, unknown, ReadonlyArray<string>]> = [
    ["required field missing", "/v1/companies/search", { name: "x" }, ["country"]],
    ["not enough information", "/v1/companies/search", { country: "GB" }, ["non_field_errors"]],
    ["everything missing", "/v1/companies/search", {}, ["country", "non_field_errors"]],
    ["bad format", "/v1/companies/search", { country: 7, name: 8 }, ["country", "name"]],
    [
      "bad format and unknown id",
      "/v1/transactions",
      { owner: "org-nobody", net_amount: "x" },
      ["net_amount", "owner"]
    ],
    ["unknown id", "/v1/scores", { company: "co-nobody" }, ["company"]],
    ["wrong id prefix", "/v1/scores", { company: "user-1", name: 8 }, ["company", "name"]],
    ["unknown id", "/v1/credit_limits/debtor/company/co-nobody/", {}, ["company"]],
    ["required fields missing", "/v1/users", {}, ["email", "name", "registered"]],
    ["bad format", "/v1/users", { email: "nobody", name: 7, registered: "noon" }, ["email", "name", "registered"]],
    ["unknown id", "/v1/users", { email: "a@b", name: "A", registered, company: "co-nobody" }, ["company"]],
    ["wrong id prefix", "/v1/users", { email: "a@b", name: "A", registered, company: "org-1" }, ["company"]],
    ["required fields missing", "/v1/organisations", {}, ["registered", "unique_id"]],
    ["bad format", "/v1/organisations", { unique_id: "", registered: "2024-13-01" }, ["registered", "unique_id"]],
    ["unknown id", "/v1/organisations", { unique_id: "u", registered, company: "co-nobody" }, ["company"]],
    ["required field missing", "/v1/transactions", {}, ["owner"]],
    ["unknown ids", "/v1/transactions", { owner: "org-nobody", debtor: "co-nobody" }, ["debtor", "owner"]],
    ["wrong id prefixes", "/v1/transactions", { owner: "co-1000", debtor: "org-1" }, ["debtor", "owner"]],
    [
      "bad formats",
      "/v1/transactions",
      { owner: "x", due_date: "soon", net_amount: "1.234" },
      ["due_date", "net_amount", "owner"]
    ]
  ]
  test.each(rows)(
    "II 7: Company search, score, credit limit, create or update of users, organisations, transactions, memberships 400: %s: POST %s %j",
    async (_, path, body, names) => {
      const answer = await api.post(path, body)
      expect(fields(answer)).toEqual(names)
      for (const name of names) expect(answer.body[name]).toContainEqual(expect.any(String))
    }
  )

  test("II 7: Company search, score, credit limit, create or update of users, organisations, transactions, memberships 400: invalid role", async () => {
    const [o, u] = [await organisation(api), await user(api)]
    for (const [path, id] of [
      [`/v1/organisations/${o}/users`, u],
      [`/v1/users/${u}/organisations`, o]
    ] as const) {
      expect((await api.post(path, { id, role: "emperor" })).body).toEqual({ role: messages })
      expect(fields(await api.post(path, { id: "co-1000", role: null }))).toEqual(["id", "role"])
      expect(fields(await api.post(path, {}))).toEqual(["id", "role"])
    }
  })

  test("II 7: Company search, score, credit limit, create or update of users, organisations, transactions, memberships 400: updates", async () => {
    const { id } = await invoice(api)
    expect(fields(await api.patch(`/v1/transactions/${id}`, { owner: "co-1000", currency: 7 }))).toEqual([
      "currency",
      "owner"
    ])
    expect(fields(await api.patch(`/v1/users/${await user(api)}`, { email: "nobody", registered: 7 }))).toEqual([
      "email",
      "registered"
    ])
    const bad = { company: "user-1", registered: "x" }
    expect(fields(await api.patch(`/v1/organisations/${await organisation(api)}`, bad))).toEqual([
      "company",
      "registered"
    ])
  })
})

test("II 7: Any view, modify or delete by id 404: not found (detail), whatever the body", async () => {
  const rows: ReadonlyArray<readonly [string, ...ReadonlyArray<"get" | "patch" | "put" | "post" | "remove">]> = [
    ["/v1/companies/co-nobody", "get"],
    ["/v1/soletraders/st-nobody", "get", "patch"],
    ["/v1/users/user-nobody", "get", "patch", "remove"],
    ["/v1/users/user-nobody/organisations", "get", "post"],
    ["/v1/users/user-nobody/organisations/org-nobody", "get", "patch", "remove"],
    ["/v1/organisations/org-nobody", "get", "patch", "remove"],
    ["/v1/organisations/org-nobody/users", "get", "post"],
    ["/v1/organisations/org-nobody/users/user-nobody", "get", "patch", "remove"],
    ["/v1/transactions/trns-nobody", "get", "patch", "remove"],
    ["/v1/transactions/trns-nobody/confirm", "put"],
    ["/v1/transactions/trns-nobody/paid", "put"],
    ["/v1/transactions/trns-nobody/match_debtor", "put"],
    ["/v1/transactions/trns-nobody/amend/", "patch"],
    ["/v1/transactions/trns-nobody/payments/", "get", "post"],
    ["/v1/transactions/trns-nobody/payments/pay-nobody", "get"],
    ["/v1/quotes/quo-nobody", "get", "remove"],
    ["/v1/policies/pol-nobody", "get"],
    ["/v1/collections/coll-nobody", "get", "patch"],
    ["/v1/collections/coll-nobody/send", "put"],
    ["/v1/collectiondocuments/cdoc-nobody", "get", "remove"]
  ]
  for (const [path, ...methods] of rows) {
    for (const method of methods) {
      for (const body of method === "get" || method === "remove"
        ? [undefined]
        : [{}, { role: 7, amount: "x", debtor: 7 }]) {
        const answer = await api[method](path, body)
        expect([method, path, answer.status, answer.body]).toEqual([method, path, 404, detail])
      }
    }
  }
})

test("II 7: PATCH or DELETE transaction 409: transaction already insured", async () => {
  const { transaction } = await insured(api)
  const path = `/v1/transactions/${transaction.id}`
  expect(await api.patch(path, { number: "1" })).toMatchObject(conflict)
  expect(await api.remove(path)).toMatchObject(conflict)
})

test("II 7: Confirm transaction 409: transaction not in draft status", async () => {
  const { id } = await invoice(api, { status: "draft" })
  expect((await api.put(`/v1/transactions/${id}/confirm`)).status).toBe(200)
  expect(await api.put(`/v1/transactions/${id}/confirm`)).toMatchObject(conflict)
})

test("II 7: Amend transaction 400 / 409: bad field / modification not allowed", async () => {
  const { policy, transaction } = await late(api)
  const path = `/v1/transactions/${transaction.id}/amend/`
  const wrong = { net_amount: "x", due_date: "soon", scheduled_payments: [{ date: "2024-04-01" }, { amount: "1" }] }
  const { body, status } = await api.patch(path, wrong)
  expect([status, body]).toEqual([
    400,
    { net_amount: messages, due_date: messages, scheduled_payments: { 0: { amount: messages }, 1: { date: messages } } }
  ])
  const scheduled_payments = [{ date: "2024-04-01", amount: "1" }]
  expect(fields(await api.patch(path, { gross_amount: "2", due_date: "2024-04-02", scheduled_payments }))).toEqual([
    "due_date",
    "scheduled_payments"
  ])
  await handOver(api, policy.id)
  expect(await api.patch(path, { net_amount: "1" })).toMatchObject(conflict)
})

test("II 7: Request quote 409: transaction already insured", async () => {
  const { transaction } = await insured(api)
  expect(await api.post("/v1/quotes", { transaction: transaction.id })).toMatchObject(conflict)
})

test("II 7: Delete quote 409: quote accepted", async () => {
  expect(await api.remove(`/v1/quotes/${(await insured(api)).quote.id}`)).toMatchObject(conflict)
})

describe("Create policy", () => {
  const offer = async () => (await api.post("/v1/quotes", { transaction: (await invoice(api)).id })).body.id as string
  const buy = (quote: unknown, stripe_id: unknown) => api.post("/v1/policies", { quote, stripe_id })

  test("II 7: Create policy 400: missing or invalid payment information (non_field_errors)", async () => {
    const quote = await offer()
    for (const token of [undefined, null, "", 7]) {
      expect((await buy(quote, token)).body).toEqual({ non_field_errors: messages })
    }
  })

  test("II 7: Create policy 400: invalid payment token type (detail)", async () => {
    expect(await buy(await offer(), "4242424242424242")).toMatchObject({ status: 400, body: detail })
  })

  test("II 7: Create policy 400: quote expired, quote already accepted (list under quote)", async () => {
    const expired = await offer()
    await api.post("/sandbox/clock", { advance: "P31D" })
    expect(await buy(expired, "tok_visa")).toMatchObject({ status: 400, body: { quote: messages } })
    const accepted = (await insured(api)).quote.id
    expect(await buy(accepted, "tok_visa")).toMatchObject({ status: 400, body: { quote: messages } })
  })

  test.each([
    ["II 7: Create policy 402: payment failed (detail)", 402, "tok_declined"],
    ["II 7: Create policy 502: payment processor returned a system error", 502, "tok_error"],
    ["II 7: Create policy 504: timeout reaching the payment provider", 504, "tok_timeout"]
  ])("%s", async (_, status, token) => {
    const quote = await offer()
    expect(await buy(quote, token)).toMatchObject({ status, body: detail })
    expect((await api.get(`/v1/quotes/${quote}`)).body).toMatchObject({ status: "offered", policy: null })
  })
})

test("II 7: Create or modify collection 409: policy not in late_can_handover (detail)", async () => {
  const { policy } = await late(api)
  const path = `/v1/collections/${(await api.post("/v1/collections", { policy: policy.id })).body.id}`
  await at(api, DAYS.lapsed)
  expect(await api.patch(path, { comments: "x" })).toMatchObject(conflict)
  expect(await api.put(`${path}/send`)).toMatchObject(conflict)
  await at(api, "2024-03-01")
  expect(await api.post("/v1/collections", { policy: (await insured(api)).policy.id })).toMatchObject(conflict)
})

test("II 7: Create or update collection 400: missing or invalid field", async () => {
  const wrong = {
    policy: "pol-nobody",
    debtor_country: "Atlantis",
    bank_account_email: "nobody",
    partial_payment: "-1"
  }
  const names = ["bank_account_email", "debtor_country", "partial_payment", "policy"]
  expect(fields(await api.post("/v1/collections", wrong))).toEqual(names)
  expect((await api.post("/v1/collections", {})).body).toEqual({ policy: messages })
  const { policy } = await late(api)
  const path = `/v1/collections/${(await api.post("/v1/collections", { policy: policy.id })).body.id}`
  expect(fields(await api.patch(path, wrong))).toEqual(names)
  const types = { disputed: "yes", partial_payment: "1.234", comments: 7, other_invoices: 1 }
  expect(fields(await api.patch(path, types))).toEqual(Object.keys(types).toSorted())
})

test("II 7: Collection update, view 404: collection not found", async () => {
  for (const answer of [
    await api.get("/v1/collections/coll-nobody"),
    await api.patch("/v1/collections/coll-nobody", { comments: fresh("x") })
  ]) {
    expect(answer).toMatchObject({ status: 404, body: detail })
  }
})
