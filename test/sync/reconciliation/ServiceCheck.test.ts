/**
 * The check of the service against the assumptions of the rules: a service that is otherwise in one of them is named for exactly
 * that one; and each assumption of the pages and of the code has a row, with a probe or the reason why there is none.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { HttpClient, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { readdirSync, readFileSync } from "node:fs"
import { deriveOver } from "../../../core/DerivedClient.ts"
import { InProcess, Instance, type InstanceOptions } from "../../../core/sandbox/index.ts"
import { check, notATest } from "../../../sync/reconciliation/ServiceCheck.ts"
import { ASSUMPTIONS, PROBES, type Probe } from "../../../sync/rules/Assumptions.ts"
import { assumptions } from "../../support/rules.ts"

const KEY = "sk-test-5b1e77d2"
const SETTLE_MS = 40

/** An answer on its way, which a service that is otherwise changes. */
interface Passing {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: { readonly [name: string]: unknown; readonly results: ReadonlyArray<object> }
}

type Otherwise = (one: Passing) => { readonly status?: number; readonly body: object } | undefined

const is = (one: Passing, method: string, path: RegExp) => one.method === method && path.test(one.path)

const LIST = /^\/v1\/transactions\/?$/
const TRANSACTION = /^\/v1\/transactions\/[^/]+$/
const PAYMENTS = /^\/v1\/transactions\/[^/]+\/payments\/$/
let documents = 0
const ORDER = /^\/v1\/payment\/orders\/[^/]+$/

/** How a service is that breaks one assumption. */
const BROKEN: Readonly<Record<Probe, Otherwise>> = {
  rejection: (one) =>
    one.status === 400 ? { body: { type: "about:blank", title: "Bad Request", status: 400 } } : undefined,
  unauthorised: (one) => (one.status === 401 ? { body: { message: 7 } } : undefined),
  account: (one) => (one.path === "/v1/me" ? { status: 404, body: { detail: "Not found." } } : undefined),
  "unique-id": (one) => (is(one, "GET", LIST) ? { body: { ...one.body, count: 0, results: [] } } : undefined),
  "one-sum": (one) =>
    is(one, "GET", TRANSACTION)
      ? { body: { ...one.body, scheduled_payments: [1, 2].map((n) => ({ date: `2031-0${n}-01`, amount: "60.00" })) } }
      : undefined,
  settle: (one) => (is(one, "GET", PAYMENTS) ? { body: { ...one.body, count: 0, results: [] } } : undefined),
  details: (one) =>
    is(one, "GET", PAYMENTS)
      ? { body: { ...one.body, results: one.body.results.map((of) => ({ ...of, details: "a transfer" })) } }
      : undefined,
  "payment-alone": (one) =>
    is(one, "GET", /\/payments\/[^/]+$/) ? { status: 404, body: { detail: "Not found." } } : undefined,
  paid: (one) =>
    is(one, "GET", TRANSACTION) ? { body: { ...one.body, status: "paid", paid_date: "2026-01-01" } } : undefined,
  "order-members": (one) =>
    is(one, "POST", /\/orders$/) ? { status: 400, body: { po_number: ["This field is required."] } } : undefined,
  "order-alone": (one) => (is(one, "GET", ORDER) ? { status: 404, body: { detail: "Not found." } } : undefined),
  "order-documents": (one) =>
    is(one, "PUT", /\/documents$/) ? { body: { ...one.body, id: `document-${++documents}` } } : undefined
}

/** A network on which a service's answers are otherwise. */
const network = (instance: Instance, otherwise: Otherwise): HttpClient.HttpClient => {
  const inner = InProcess.client(instance)
  const changed = async (request: HttpClientRequest.HttpClientRequest, url: URL, status: number, text: string) => {
    const body = text === "" ? undefined : JSON.parse(text)
    const one = { method: request.method, path: url.pathname, status, body }
    const change = otherwise(one)
    if (change === undefined) return { status, body }
    return { status, ...change }
  }
  return HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const answer = yield* inner.execute(request)
      const text = yield* answer.text
      const { body, status } = yield* Effect.promise(() => changed(request, url, answer.status, text))
      const headers = { "content-type": "application/json" }
      return HttpClientResponse.fromWeb(
        request,
        new Response(body === undefined ? null : JSON.stringify(body), { headers, status })
      )
    })
  )
}

const checked = (otherwise: Otherwise = () => undefined, dialect: InstanceOptions["dialect"] = {}) =>
  Effect.gen(function* () {
    const now = Date.now
    const instance = new Instance({ keys: [KEY], now, later: (ms, work) => void setTimeout(work, ms), dialect })
    const http = Layer.succeed(HttpClient.HttpClient, network(instance, otherwise))
    const clientOf = (key: string) =>
      Effect.provide(deriveOver({ url: "http://127.0.0.1", key: Redacted.make(key) }), http)
    const report = yield* check(yield* clientOf(KEY), yield* clientOf("no-such-key"), SETTLE_MS)
    const of = (standing: string) => report.assumptions.filter((one) => one.standing === standing).map(({ id }) => id)
    return { ...report, instance, of }
  })

const WITH_PROBE = ASSUMPTIONS.filter(({ unprobed }) => unprobed === undefined).map(({ id }) => id)

describe("the check of the service", () => {
  it.live("finds that the sandbox is as the rules assume, and says what it created and removed", () =>
    Effect.gen(function* () {
      const { documents, instance, of } = yield* checked()
      assert.deepStrictEqual(of("does not hold"), [])
      assert.deepStrictEqual(of("holds"), WITH_PROBE)
      assert.deepStrictEqual(
        documents.map(({ kind, removed }) => [kind, removed]),
        [
          ["organisation", false],
          ["invoice", true],
          ["user", true],
          ["order", false]
        ]
      )
      for (const { name } of documents) assert.match(name, /^daybook-check-/)
      // All that it created is named.
      const made = instance.journal.filter(
        ({ method, path, status }) =>
          method === "POST" && status === 201 && /(organisations|transactions|users|orders)\/?$/.test(path)
      )
      assert.strictEqual(made.filter(({ path }) => !/organisations\/.+\/users/.test(path)).length, documents.length)
    })
  )

  for (const probe of PROBES)
    it.live(`names ${probe}, and nothing else, where a service breaks it`, () =>
      Effect.gen(function* () {
        const { assumptions, of } = yield* checked(BROKEN[probe])
        assert.deepStrictEqual(of("does not hold"), [probe])
        assert.isAbove(assumptions.find(({ id }) => id === probe)?.otherwise.length ?? 0, 10)
      })
    )

  it.live("says of a service without invoices, or without orders, what it cannot probe there", () =>
    Effect.gen(function* () {
      const invoices = yield* checked(undefined, { interface: "insurance" })
      assert.deepStrictEqual(invoices.of("does not hold"), [])
      assert.includeMembers(
        [...invoices.of("cannot be probed here")],
        ["order-members", "order-alone", "order-documents"]
      )
      const orders = yield* checked(undefined, { interface: "deferred-payment" })
      assert.deepStrictEqual(orders.of("does not hold"), [])
      assert.includeMembers([...orders.of("cannot be probed here")], ["settle", "details", "paid"])
      assert.include(orders.of("holds"), "order-alone")
    })
  )

  it("refuses what nobody says is a test environment", () => {
    for (const url of ["http://127.0.0.1:4010", "https://sandbox.example.com", "https://api-sandbox.example.com/x"])
      assert.isUndefined(notATest(url, undefined))
    for (const url of ["https://api.example.com", "https://sandboxes.example.com", "https://notasandbox.example.com"]) {
      assert.match(notATest(url, undefined) ?? "", /run again with --test-environment/)
      assert.isUndefined(notATest(url, new URL(url).host))
      assert.isString(notATest(url, "another.example.com"))
    }
  })
})

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")

describe("the rows of assumptions", () => {
  it("have a probe, or say why there is none", () => {
    assert.deepStrictEqual(WITH_PROBE.toSorted(), [...PROBES].toSorted())
    assert.strictEqual(new Set(ASSUMPTIONS.map(({ id }) => id)).size, ASSUMPTIONS.length)
    for (const { id, unprobed = "with a probe" } of ASSUMPTIONS) assert.isAbove(unprobed.length, 10, id)
  })

  it("are the table of the page", () => {
    const rows = ASSUMPTIONS.map(
      ({ id, otherwise, says, unprobed }) =>
        `| ${id} | ${says} | ${otherwise} | ${unprobed === undefined ? "yes" : `no: ${unprobed}`} |`
    )
    const [, section = ""] = read("sync/rules/README.md").split("## Assumptions about the service\n")
    const table = section
      .split("\n## ")[0]!
      .split("\n")
      .filter((line) => /^\| (?!assumption|name)\w/.test(line))
    assert.deepStrictEqual(table, rows)
  })

  it("name every assumption of the code, and what they name is there", () => {
    const places = new Set(ASSUMPTIONS.flatMap((one) => one.places))
    // The sandbox's and the checkout's own are not the rules'.
    const assumed = assumptions().filter(({ path }) => !/^core\/(sandbox|checkout)\//.test(path))
    assert.isAbove(assumed.length, 20)
    const missing = assumed.map(({ at, path }) => `${path}: ${at}`.trim()).filter((place) => !places.has(place))
    assert.deepStrictEqual([...new Set(missing)], [])
    const inSync = readdirSync(new URL("../../../sync", import.meta.url), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !path.endsWith("rules/Assumptions.ts"))
      .filter((path) => /\b[Aa]ssumption: /.test(read(`sync/${path}`)))
    for (const path of inSync)
      assert.isTrue(
        [...places].some((place) => place.startsWith(`sync/${path}:`)),
        path
      )
    for (const place of places) {
      const [path = "", name = ""] = place.split(": ")
      assert.include(read(path.replace(/:$/, "")), name.trim(), place)
    }
  })
})
