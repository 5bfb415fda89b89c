/**
 * Whatever a request holds, the sandbox answers it with a 4xx and a JSON body: never a 5xx, never silence, and what it
 * refused has changed nothing.
 */
import { once } from "node:events"
import { connect } from "node:net"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { call, companies, insured, invoice, type Json, organisation, sandbox, user } from "./Wire.ts"
import { times } from "../../support/Effort.ts"

const api = sandbox()

const refused = ({ body, status }: { readonly status: number; readonly body: Json }, what: unknown) => {
  expect([what, status >= 400 && status < 500, typeof body]).toEqual([what, true, "object"])
}

/** Every route that takes a body, on objects that exist. */
const routes = async (): Promise<ReadonlyArray<readonly [string, string]>> => {
  const { id, owner } = await invoice(api)
  const person = await user(api)
  await api.post(`/v1/organisations/${owner}/users`, { id: person, role: "member" })
  return [
    ["POST", "/v1/companies/search"],
    ["POST", "/v1/organisations"],
    ["PATCH", `/v1/organisations/${owner}`],
    ["POST", `/v1/organisations/${owner}/users`],
    ["PATCH", `/v1/organisations/${owner}/users/${person}`],
    ["POST", "/v1/users"],
    ["PATCH", `/v1/users/${person}`],
    ["POST", `/v1/users/${person}/organisations`],
    ["PATCH", `/v1/users/${person}/organisations/${owner}`],
    ["POST", "/v1/transactions"],
    ["PATCH", `/v1/transactions/${id}`],
    ["PUT", `/v1/transactions/${id}/paid`],
    ["PATCH", `/v1/transactions/${id}/amend/`],
    ["PUT", `/v1/transactions/${id}/match_debtor`],
    ["POST", `/v1/transactions/${id}/payments/`],
    ["POST", "/v1/quotes"],
    ["POST", "/v1/policies"],
    ["POST", "/sandbox/clock"],
    ["POST", "/sandbox/companies"],
    ["POST", "/sandbox/faults"]
  ]
}

describe("bodies", () => {
  test("no JSON, or JSON that is no object", async () => {
    const bodies = [
      "{",
      "}",
      "[",
      '{"owner":',
      "undefined",
      "'x'",
      "NaN",
      "\u0000",
      "[]",
      "[{}]",
      "7",
      '"text"',
      "null",
      "true"
    ]
    for (const [method, path] of await routes()) {
      for (const body of bodies) refused(await call(api.url + path, method, body), [method, path, body])
    }
  })

  test("wrong types in every member of a transaction, all named", async () => {
    const members = [
      "owner",
      "debtor",
      "creditor",
      "debtor_name",
      "net_amount",
      "gross_amount",
      "currency",
      "issue_date"
    ]
    const more = [
      "due_date",
      "paid_date",
      "items",
      "payments",
      "scheduled_payments",
      "status",
      "pay_method",
      "metadata",
      "number"
    ]
    for (const wrong of [true, [[]], { a: { b: [] } }]) {
      const sent = Object.fromEntries([...members, ...more].map((name) => [name, wrong]))
      if (!Array.isArray(wrong) && typeof wrong === "object") delete sent["metadata"]
      const { body, status } = await api.post("/v1/transactions", sent)
      expect([status, Object.keys(body).toSorted()]).toEqual([400, Object.keys(sent).toSorted()])
    }
  })

  test("numbers beyond any amount", async () => {
    const { id } = await invoice(api)
    const path = `/v1/transactions/${id}/payments/`
    for (const amount of ["1e400", "1e21", "-1e400", "1e-300", "123456789012345678901234567890", "9".repeat(5000)]) {
      refused(await api.post(path, `{"date":"2024-03-05","amount":${amount}}`), amount)
      refused(await api.post(path, { date: "2024-03-05", amount }), `"${amount}"`)
    }
    const { body } = await api.post(path, { date: "2024-03-05", amount: "999999999999999.99" })
    expect(body.amount).toBe("999999999999999.99")
  })

  test("deep bodies are refused, and do no harm to later reads", async () => {
    const owner = await organisation(api)
    for (const depth of [2000, 20_000, 200_000]) {
      const deep = "[".repeat(depth) + "]".repeat(depth)
      const nested = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`
      for (const metadata of [`{"a":${deep}}`, nested]) {
        refused(await api.post("/v1/transactions", `{"owner":"${owner}","metadata":${metadata}}`), ["metadata", depth])
      }
      refused(await api.post("/v1/transactions", deep), depth)
      refused(await api.post("/v1/transactions", `{"items":${deep}}`), ["items", depth])
      refused(await api.put("/sandbox/companies/co-1000/decision", `{"code":"x","params":${nested}}`), depth)
      expect((await api.get("/v1/transactions?limit=1000")).status).toBe(200)
      expect((await api.get("/sandbox/companies")).status).toBe(200)
    }
    expect(
      (await api.get("/v1/transactions")).body.results.every(({ metadata }: Json) => metadata.a === undefined)
    ).toBe(true)
    const metadata = { a: [[[[[{ b: ["[".repeat(5000)] }]]]]] }
    expect((await api.post("/v1/transactions", { owner, metadata })).body.metadata).toEqual(metadata)
  })

  test("huge bodies: 413", async () => {
    const answer = await api.post("/v1/transactions", JSON.stringify({ number: "x".repeat(11 * 1024 * 1024) }))
    expect([answer.status, answer.body]).toEqual([413, { detail: expect.any(String) }])
  })

  test("members with the names of the language's own", async () => {
    const owner = await organisation(api)
    const text = `{"owner":"${owner}","__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"metadata":{"__proto__":{"x":1}}}`
    expect((await api.post("/v1/transactions", text)).status).toBe(201)
    expect(({} as Json).x).toBeUndefined()
    refused(await api.post("/v1/transactions", '{"owner":"__proto__"}'), "__proto__")
    for (const name of ["__proto__", "constructor", "toString"])
      refused(await api.get(`/v1/transactions/${name}`), name)
  })
})

describe("addresses", () => {
  test("ids of the wrong kind", async () => {
    const { policy, quote, transaction } = await insured(api)
    const person = await user(api)
    const ids = [
      transaction.id,
      quote.id,
      policy.id,
      transaction.owner,
      person,
      "co-1000",
      "x",
      "%00",
      "%2F",
      "%F0%9F%92%A9"
    ]
    const kinds = ["transactions", "quotes", "policies", "organisations", "users", "companies"] as const
    for (const [i, kind] of kinds.entries()) {
      for (const [j, id] of ids.entries()) {
        if (i === j) continue
        const answer = await api.get(`/v1/${kind}/${id}`)
        expect([kind, id, answer.status, answer.body]).toEqual([kind, id, 404, { detail: expect.any(String) }])
      }
    }
    refused(await api.post("/v1/quotes", { transaction: policy.id }), "quote of a policy")
    refused(await api.post("/v1/policies", { quote: transaction.id, stripe_id: "tok_visa" }), "policy of a transaction")
    refused(await api.put(`/v1/transactions/${transaction.id}/match_debtor`, { debtor: person }), "a person as debtor")
    refused(await api.get(`/v1/transactions/${"x".repeat(10_000)}`), "long")
  })

  test("routes that do not exist: 404 with a detail", async () => {
    for (const path of [
      "/",
      "/v1",
      "/v2/transactions",
      "/v1/nothing",
      "/v1/transactions/a/b/c/d",
      "//",
      "///",
      "/%",
      "/v1/%zz"
    ]) {
      for (const method of ["GET", "POST", "DELETE"]) {
        const answer = await call(api.url + path, method)
        expect([method, path, answer.status, answer.body]).toEqual([method, path, 404, { detail: expect.any(String) }])
      }
    }
  })

  test("wrong methods: 405 with Allow", async () => {
    for (const [method, path] of [
      ["DELETE", "/v1/transactions"],
      ["PUT", "/v1/transactions"],
      ["POST", "/v1/transactions/trns-1"],
      ["GET", "/v1/transactions/trns-1/confirm"],
      ["POST", "/v1/transactions/trns-1/paid"],
      ["DELETE", "/v1/transactions/trns-1/payments"],
      ["PATCH", "/v1/quotes/quo-1"],
      ["POST", "/v1/countries/debtor"],
      ["OPTIONS", "/v1/users"]
    ] as const) {
      const { body, headers, status } = await call(api.url + path, method)
      expect([method, path, status, body]).toEqual([method, path, 405, { detail: expect.any(String) }])
      expect(headers.get("allow")).toMatch(/^[A-Z]+(, [A-Z]+)*$/)
    }
  })

  test("raw request lines that no client writes", async () => {
    const { hostname, port } = new URL(api.url)
    for (const target of ["//", "//[", "/\\", "http://[/v1/me", "*", "/v1/me?%", "/v1/transactions?limit=%E0", "/?#"]) {
      const socket = connect(Number(port), hostname)
      await once(socket, "connect")
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Token sandbox-key\r\nConnection: close\r\n\r\n`)
      let text = ""
      for await (const chunk of socket) text += chunk
      expect([target, Number(text.slice(9, 12)) < 500, text.slice(0, 9)]).toEqual([target, true, "HTTP/1.1 "])
    }
  })
})

describe("any JSON, over every route that takes a body", () => {
  /** Names that the interface knows, so that bodies get past the first check. */
  const names = fc.constantFrom(
    ...[
      "owner",
      "debtor",
      "creditor",
      "debtor_name",
      "debtor_country",
      "net_amount",
      "gross_amount",
      "currency",
      "status"
    ],
    ...[
      "issue_date",
      "due_date",
      "paid_date",
      "pay_method",
      "items",
      "scheduled_payments",
      "metadata",
      "unique_id",
      "id"
    ],
    ...[
      "role",
      "email",
      "name",
      "registered",
      "company",
      "amount",
      "date",
      "type",
      "transaction",
      "quote",
      "stripe_id"
    ],
    ...["country", "reg_number", "set", "advance", "decision", "credit_limit"]
  )

  test("a JSON answer below 500, and what was there is still readable", async () => {
    const all = await routes()
    const { buyer } = await companies(api)
    const { transaction } = await insured(api)
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom<unknown>(transaction.owner, transaction.id, transaction.quote, buyer.id, buyer.name, "GB", "GBP"),
      fc.constantFrom<unknown>(
        "2024-02-29",
        "0001-01-01",
        "9999-12-31",
        "0000-00-00",
        "2024-01-05T09:30:00Z",
        "P1D",
        "draft"
      ),
      fc.constantFrom<unknown>(
        "12.50",
        "-0",
        "-12.5",
        1e21,
        0.1,
        -0.01,
        "tok_visa",
        "admin",
        "refund",
        "",
        " ",
        "\ud800"
      )
    )
    const bodies = fc.dictionary(fc.oneof({ weight: 9, arbitrary: names }, fc.string()), values, { maxKeys: 8 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), bodies, async ([method, path], body) => {
        const answer = await call(api.url + path, method, JSON.stringify(body))
        expect([answer.status, answer.status < 500, typeof answer.body]).toEqual([answer.status, true, "object"])
      }),
      { numRuns: times(1500) }
    )
    for (const list of ["transactions", "quotes", "policies", "organisations", "users"]) {
      expect([list, (await api.get(`/v1/${list}?limit=1000`)).status]).toEqual([list, 200])
    }
    expect((await api.get("/sandbox/requests")).status).toBe(200)
  })
})
