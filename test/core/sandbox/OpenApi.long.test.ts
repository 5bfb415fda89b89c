/**
 * The OpenAPI document in the hands of strangers: a validator of documents, and a mock server that reads it, mocks
 * every operation, and holds what is really sent and answered on the journeys of both interfaces against it.
 */
import { Validator } from "@seriousme/openapi-schema-validator"
import { type Document, OpenAPIBackend } from "openapi-backend"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import type { Interface } from "../../../core/sandbox/server/ApiProfile.ts"
import { EFFORT, WHOLE } from "../../support/Effort.ts"
import * as Journeys from "./Journeys.ts"
import { call, fresh, type Json, sandbox, type Wire } from "./Wire.ts"

interface Exchange {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON, or the members of a form. */
  readonly sent: Json
  readonly status: number
  readonly answered: Json
  readonly answerHeaders: Headers
}

/** Every request of this file goes through here. */
const exchanges: Array<Exchange> = []

const real = globalThis.fetch

const json = (text: string): Json => (text === "" ? undefined : JSON.parse(text))

const bodyOf = (body: unknown): Json =>
  body instanceof FormData
    ? Object.fromEntries([...body].filter(([, value]) => typeof value === "string"))
    : typeof body === "string"
      ? json(body)
      : undefined

beforeAll(() => {
  vi.stubGlobal("fetch", async (input: string, init: RequestInit = {}) => {
    const answer = await real(input, init)
    const { pathname, search } = new URL(input)
    if (pathname.startsWith("/v1/")) {
      exchanges.push({
        method: init.method ?? "GET",
        path: pathname,
        query: search,
        headers: {
          ...(init.headers as Record<string, string>),
          ...(init.body instanceof FormData ? { "content-type": "multipart/form-data" } : {})
        },
        sent: bodyOf(init.body),
        status: answer.status,
        answered: json(await answer.clone().text()),
        answerHeaders: answer.headers
      })
    }
    return answer
  })
})
afterAll(() => vi.unstubAllGlobals())

/** The journeys of what is spoken; what was said on the way. */
const travel = async (api: Wire, ways: ReadonlyArray<(api: Wire) => Promise<void>>) => {
  exchanges.length = 0
  await api.post("/sandbox/reset")
  await api.post("/sandbox/clock", { set: "2024-03-01T09:00:00Z" })
  for (const way of ways) await way(api)
  await api.post("/sandbox/faults", { kind: "status", status: 429, retry_after: 60, path: "/v1/me", times: 1 })
  await api.get("/v1/me")
  return exchanges.filter(({ path }) => path.startsWith("/v1/"))
}

/** A mock server that has read the document. `closed` takes members that are not documented for mistakes. */
const reader = async ({ webhooks: _, ...document }: Json, closed = false) => {
  // Its own check is of OpenAPI 3.0, which has no webhooks.
  if (!closed) await new OpenAPIBackend({ definition: structuredClone(document), strict: true, validate: false }).init()
  const backend = new OpenAPIBackend({
    definition: (closed ? shut(structuredClone(document)) : structuredClone(document)) as Document,
    // Each validator is compiled when it is first asked.
    quick: true,
    coerceTypes: true,
    ignoreTrailingSlashes: false,
    ajvOpts: {
      // A validator is called a few times only: making its code shorter takes longer than it saves.
      code: { optimize: false },
      formats: {
        date: /^\d{4}-\d{2}-\d{2}$/,
        "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
        binary: true
      }
    }
  })
  return await backend.init()
}

/** The operation of a request: paths work with and without a trailing slash. */
const operationOf = (backend: OpenAPIBackend, { headers, method, path, query }: Exchange): Json =>
  [path, path.replace(/\/$/, ""), `${path}/`]
    .map((path) => backend.matchOperation({ method, path, query, headers }))
    .find((operation) => operation !== undefined)

/** What is wrong with what was sent, or null. */
const faults = (backend: OpenAPIBackend, exchange: Exchange): Json => {
  const { headers, method, query, sent } = exchange
  const operation = operationOf(backend, exchange)
  const path = operation.path.endsWith("/") === exchange.path.endsWith("/") ? exchange.path : toggled(exchange.path)
  return backend.validateRequest({ method, path, query: query.slice(1), headers, body: sent }, operation).errors
}

const toggled = (path: string): string => (path.endsWith("/") ? path.slice(0, -1) : `${path}/`)

/** Objects that list members and say nothing of others have no others. */
const shut = (schema: Json): Json => {
  if (Array.isArray(schema)) return schema.map(shut)
  if (schema === null || typeof schema !== "object") return schema
  const all = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, shut(value)]))
  return schema.type === "object" && schema.properties !== undefined ? { additionalProperties: false, ...all } : all
}

const isForm = (headers: Exchange["headers"]): boolean => headers["content-type"] === "multipart/form-data"

/** A schema by its name. */
const resolved = (document: Json, schema: Json): Json =>
  schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split("/").at(-1)]

const operations = (document: Json): ReadonlyArray<Json> =>
  Object.values(document.paths).flatMap((methods) => Object.values(methods as object))

const speakers: ReadonlyArray<readonly [Interface, Wire, ReadonlyArray<(api: Wire) => Promise<void>>]> = [
  ["both", sandbox(), [Journeys.shared, Journeys.ofAnOrder, Journeys.ofAnInvoice]],
  ["deferred-payment", sandbox({ interface: "deferred-payment" }), [Journeys.shared, Journeys.ofAnOrder]],
  ["insurance", sandbox({ interface: "insurance" }), [Journeys.shared, Journeys.ofAnInvoice]]
]

describe.for(speakers)("openapi.json of %s", ([spoken, api, ways]) => {
  let document: Json
  let said: ReadonlyArray<Exchange>
  let backend: OpenAPIBackend
  // The document of one interface is a part of that of both: what takes long is done with that, and nightly with each.
  const isRead = spoken === "both" || EFFORT >= WHOLE
  beforeAll(async () => {
    document = (await call(`${api.url}/openapi.json`, "GET", undefined, null)).body
    if (!isRead) return
    backend = await reader(document)
    said = await travel(api, ways)
  })

  test("it passes an independent validator", async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true })
    expect(validator.version).toBe("3.1")
  })

  test("every operation has a name of its own, a line, a key, and what is answered when it is refused", () => {
    const all = operations(document)
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
    for (const { operationId, parameters, requestBody, responses, security, summary } of all) {
      expect([operationId, summary]).toEqual([operationId, expect.stringMatching(/^[A-Z].{3,}[^.]$/)])
      const open = operationId.startsWith("countries.")
      expect([operationId, security]).toEqual([operationId, open ? [] : [{ token: [] }, { basic: [] }]])
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(open ? ["200"] : ["401", "429"]))
      if (requestBody !== undefined) expect(Object.keys(responses)).toContain("400")
      if (parameters.some((one: Json) => one.in === "path")) expect(Object.keys(responses)).toContain("404")
    }
    expect(Object.keys(document.components.securitySchemes)).toEqual(["token", "basic"])
    expect(document.webhooks?.transaction !== undefined).toBe(spoken !== "deferred-payment")
    expect(all.some(({ callbacks }) => callbacks?.notification !== undefined)).toBe(spoken !== "insurance")
    expect(JSON.stringify(document)).not.toContain('"_tag"')
  })

  if (!isRead) return

  test("every operation was called, and answers are what it says, with no member that it does not list", async () => {
    const closed = await reader(document, true)
    const wrong: Array<unknown> = []
    const done = new Set<string>()
    for (const exchange of said) {
      const { answered, answerHeaders, method, path, status } = exchange
      const operation = operationOf(closed, exchange)
      if (operation === undefined) {
        wrong.push({ method, path, status })
        continue
      }
      const { operationId, responses } = operation
      if (status < 400) done.add(operationId)
      if (responses[status] === undefined) wrong.push({ operationId, status, answered })
      const { errors } = closed.validateResponse(answered, operationId, status)
      if (answered !== undefined && errors !== null) wrong.push({ operationId, status, errors, answered })
      for (const name of Object.keys(responses[status]?.headers ?? {})) {
        if (status === 401 || status === 429) expect(answerHeaders.has(name)).toBe(true)
      }
    }
    expect(wrong).toEqual([])
    expect(operations(document).filter(({ operationId }) => !done.has(operationId))).toEqual([])
  })

  test("a mock server reads it and mocks every answer of every operation", () => {
    for (const { operationId, responses } of operations(document)) {
      for (const [code, { content }] of Object.entries<Json>(responses)) {
        const { mock, status } = backend.mockResponseForOperation(operationId, { code: Number(code) })
        expect([operationId, status]).toEqual([operationId, Number(code)])
        if (content === undefined) continue
        const { errors } = backend.validateResponse(mock, operationId, Number(code))
        expect([operationId, code, errors]).toEqual([operationId, code, null])
      }
    }
  })

  test("what was accepted is what it says requests are", () => {
    const wrong = said.flatMap((exchange) => {
      const errors = exchange.status < 400 ? faults(backend, exchange) : null
      return errors === null ? [] : [{ ...exchange, errors }]
    })
    expect(wrong).toEqual([])
  })

  test("a request without a member that it requires, or with a list where none belongs, is wrong to it and refused", async () => {
    const done = new Set<string>()
    let tried = 0
    for (const exchange of said.filter(({ headers, sent, status }) => status < 400 && sent && !isForm(headers))) {
      const { method, path, query } = exchange
      const { operationId, requestBody } = operationOf(backend, exchange)
      // A user that exists already is updated in part (II 4): this one is new.
      const somebody = operationId === "users.create" ? { email: `${fresh("new")}@example.com` } : {}
      const sent = { ...exchange.sent, ...somebody }
      if (done.has(operationId) || requestBody === undefined) continue
      done.add(operationId)
      const { properties, required = [] } = resolved(document, requestBody.content["application/json"].schema)
      const changed: ReadonlyArray<readonly [string, Json]> = [
        ...required.map((name: string) => [name, { ...sent, [name]: undefined }] as const),
        ...Object.keys(properties).map((name) => [name, { ...sent, [name]: [[]] }] as const)
      ]
      for (const [name, body] of changed) {
        const bad = { ...exchange, sent: JSON.parse(JSON.stringify(body)) }
        expect([operationId, name, faults(backend, bad)]).toEqual([operationId, name, expect.any(Array)])
        const { body: problems, status } = await call(api.url + path + query, method, bad.sent)
        // What was deleted on the way is not found, whatever is sent.
        if (status === 404) continue
        const known = name in problems || "non_field_errors" in problems
        expect([operationId, name, status, problems, known]).toEqual([operationId, name, 400, problems, true])
        tried++
      }
    }
    expect(tried).toBeGreaterThan(70)
  })

  test("every refusal that it lists was met, and what it knows to be wrong is refused", () => {
    const listed = new Set(operations(document).flatMap(({ responses }) => Object.keys(responses).map(Number)))
    expect([...listed].filter((status) => !said.some((one) => one.status === status))).toEqual([])
    const refused = said.filter((exchange) => faults(backend, exchange) !== null)
    expect(refused.length).toBeGreaterThan(1)
    expect(refused.filter(({ status }) => status !== 400 && status !== 404)).toEqual([])
  })
})
