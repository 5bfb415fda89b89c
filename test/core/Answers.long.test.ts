/**
 * Which answers are believed. Only a body in the service's own shape decides what became of a request (DP 7, II 7);
 * whatever somebody in between wrote, with whatever status, leaves it unknown. And whatever is answered, reading it takes
 * no more memory than an answer of the service may have, and no wait that it asks for is beyond reckoning.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import fc from "fast-check"
import type { ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { isOwnRefusal, LARGEST_BYTES, LARGEST_ERROR_BYTES } from "../../core/Answers.ts"
import { Client } from "../../core/Client.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { startSandbox } from "../../core/sandbox/index.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import { DeferredPaymentId, OrderId, TransactionId } from "../../core/wire/Ids.ts"
import * as RetryAfter from "../../core/wire/RetryAfter.ts"
import { times } from "../support/Effort.ts"
import { json, serve } from "../support/Serve.ts"

type Service = Client["Service"]

const connect = (url: string) =>
  Layer.build(Client.layer({ url, key: Redacted.make("sandbox-key") })).pipe(
    Effect.map((services) => Context.get(services, Client))
  )

const transaction_id = TransactionId.make("trns-1")
const params = { transaction_id }
const amount = { amount: 100 }

/** Calls of every kind: typed, and written already. */
const calls: ReadonlyArray<readonly [string, (client: Service) => Effect.Effect<unknown, ServiceError>]> = [
  ["a typed reading", ({ transactions }) => transactions.get({ params, query: {} })],
  ["a deletion", ({ send }) => send("transactions.remove", params, undefined)],
  ["a creation", ({ send }) => send("transactions.create", {}, { owner: "org-1" })],
  ["a change", ({ send }) => send("transactions.update", params, { number: "7" })],
  ["a capture", ({ send }) => send("deferredPayments.capture", { deferred_payment_id: "defpay-1" }, amount, "key")]
]

const page = "<!doctype html><html><head><title>Sign in</title></head></html>"

/** Bodies that are not the service's, whatever the status. */
const foreign: ReadonlyArray<readonly [what: string, type: string, text: string]> = [
  ["a web page", "text/html", page],
  ["a web page that calls itself JSON", "application/json", page],
  ["nothing", "application/json", ""],
  ["spaces", "application/json", "  \n"],
  ["an empty object", "application/json", "{}"],
  ["a list", "application/json", "[]"],
  ["null", "application/json", "null"],
  ["a text", "application/json", '"Not found."'],
  ["a gateway's message", "application/json", '{"message":"Not Found"}'],
  ["a code and a message", "application/json", '{"error":{"code":404,"message":"x"}}'],
  ["a list of errors", "application/json", '{"errors":[{"title":"x"}]}'],
  ["problem details", "application/problem+json", '{"detail":"No such route.","title":"Not found"}'],
  ["problem details as JSON", "application/json", '{"detail":"No such route.","title":"Not found","status":404}'],
  ["a refusal that is cut off", "application/json", '{"detail":"Not fou']
]

const answers =
  (status: number, type: string, text: string) =>
  (_: unknown, response: ServerResponse): void =>
    void response.writeHead(status, { "content-type": type }).end(text)

describe.each(calls)("%s", (_, call) => {
  for (const status of [200, 201, 202, 204, 400, 401, 402, 403, 404, 405, 409, 410, 422, 429]) {
    it.live(`answered with ${status} by somebody else: unknown`, () =>
      Effect.gen(function* () {
        // 204 has no body: where the service answers so, it is the service's.
        if (status === 204 && _ === "a deletion") return
        const { asked, url } = yield* serve((request, response, n) => {
          const [, type, text] = foreign[n % foreign.length]!
          answers(status, type, text)(request, response)
        })
        const client = yield* connect(url)
        for (const [n, [what]] of foreign.entries()) {
          const error = yield* Effect.flip(call(client))
          assert.strictEqual(error.reason._tag, "Unknown", `${what}: ${error.message}`)
          assert.strictEqual(asked.length, n + 1, "and is not sent again")
        }
      })
    )
  }
})

describe("an answer of the service itself", () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 })
  })
  afterAll(() => sandbox.close())

  it.live("is believed, whatever it refuses and does", () =>
    Effect.gen(function* () {
      const { send, users } = yield* connect(sandbox.url)
      const tag = (effect: Effect.Effect<unknown, ServiceError>) =>
        Effect.map(Effect.flip(effect), ({ reason }) => reason._tag)
      assert.strictEqual(yield* tag(send("transactions.remove", params, undefined)), "NotFound")
      assert.strictEqual(yield* tag(send("transactions.create", {}, {})), "Refused")
      assert.strictEqual(yield* tag(send("transactions.create", {}, { owner: "org-none" })), "Refused")
      const named = { email: "a@example.com", name: "A", registered: "2024-02-29T12:00:00Z" }
      const { value } = yield* users.create({ payload: named })
      const made = yield* send("transactions.create", {}, { owner: value.id, status: "pending" })
      const { id } = made.body as { readonly id: string }
      assert.strictEqual(yield* tag(send("transactions.confirm", { transaction_id: id }, undefined)), "Conflict")
      assert.deepInclude(yield* send("transactions.remove", { transaction_id: id }, undefined), { status: 204 })
    })
  )

  const refusals: ReadonlyArray<readonly [number, string, string]> = [
    [400, '{"country":["This field is required."]}', "Refused"],
    [400, '{"non_field_errors":["Not enough information."]}', "Refused"],
    [400, '{"items":[{},{"category":["Required."]}],"customer":{"user":["Unknown."]}}', "Refused"],
    [400, '{"error":"The key was used for another operation."}', "Refused"],
    [400, '{"detail":"Invalid token."}', "Refused"],
    [401, '{"detail":"Authentication credentials were not provided."}', "Unauthorized"],
    [402, '{"detail":"Declined."}', "Refused"],
    [403, '{"detail":"No."}', "Unauthorized"],
    [404, '{"detail":"Not found."}', "NotFound"],
    [409, '{"detail":"It is insured.","since":"2026-01-01"}', "Conflict"],
    [429, '{"detail":"Slow down."}', "RateLimited"]
  ]
  for (const [status, text, tag] of refusals) {
    it.live(`${status} ${text}: ${tag}`, () =>
      Effect.gen(function* () {
        const { url } = yield* serve(answers(status, "application/json; charset=utf-8", text))
        const { send } = yield* connect(url)
        const error = yield* Effect.flip(send("transactions.update", params, {}))
        assert.strictEqual(error.reason._tag, tag, error.message)
      })
    )
  }

  it("is told apart without ever failing, whatever JSON it is", () => {
    fc.assert(
      fc.property(fc.constantFrom(400, 401, 404, 409, 422), fc.jsonValue(), (status, body) => {
        const own = isOwnRefusal(status, body)
        if (own) assert.isTrue(typeof body === "object" && body !== null && !Array.isArray(body))
        if (own && status !== 400 && status !== 422)
          assert.typeOf((body as { readonly detail?: unknown }).detail, "string")
      })
    )
    let deep: unknown = ["x"]
    for (let n = 0; n < 100_000; n++) deep = [deep]
    assert.isFalse(isOwnRefusal(400, { member: deep }))
  })
})

describe("a success whose status is not the documented one", () => {
  const event = {
    created: "2026-03-01T09:00:00.000000Z",
    type: "capture",
    amount: 100,
    currency: "GBP",
    metadata: {},
    changes: { authorisation: -100, protected_captures: 100 }
  }
  const offer = { id: "offr-1", order: "order-1", offered_payment_plans: [], metadata: [] }
  const urls = { success: "", failure: "", cancel: "" }
  const payment = { params: { deferred_payment_id: DeferredPaymentId.make("defpay-1") }, headers: {} }
  const payload = { amount: Decimal.of("100") }
  const user = { id: "user-1", email: "a@example.com", name: "A" }
  const registered = "2024-02-29T12:00:00Z"

  const done: ReadonlyArray<readonly [string, unknown, (client: Service) => Effect.Effect<unknown, ServiceError>]> = [
    ["a capture", event, ({ deferredPayments }) => deferredPayments.capture({ ...payment, payload })],
    ["what is left", event, ({ deferredPayments }) => deferredPayments.captureRemaining({ ...payment, payload: {} })],
    ["a void", event, ({ deferredPayments }) => deferredPayments.void({ ...payment, payload })],
    ["a refund", event, ({ deferredPayments }) => deferredPayments.refund({ ...payment, payload })],
    [
      "an offer",
      offer,
      ({ offers }) => offers.create({ payload: { order: OrderId.make("order-1"), locale: "en-gb", urls } })
    ],
    ["a user", user, ({ users }) => users.create({ payload: { email: "a@example.com", name: "A", registered } })],
    ["an invoice", { id: "trns-1", status: "pending" }, ({ transactions }) => transactions.get({ params, query: {} })],
    ["a capture that is written already", event, calls[4]![1]]
  ]
  for (const [what, body, call] of done) {
    it.live(`${what}: 200, 201, 202 and 203 with a body that can be read are an answer`, () =>
      Effect.gen(function* () {
        for (const status of [200, 201, 202, 203]) {
          const { url } = yield* serve((_, response) => json(response, status, body))
          yield* call(yield* connect(url))
        }
      })
    )
  }

  it.live("of what may be new or known, a status that says neither claims less", () =>
    Effect.gen(function* () {
      for (const [status, tag] of [
        [201, "Created"],
        [200, "Updated"],
        [202, "Updated"]
      ] as const) {
        const { url } = yield* serve((_, response) => json(response, status, user))
        const { users } = yield* connect(url)
        const answer = yield* users.create({ payload: { email: "a@example.com", name: "A", registered } })
        assert.strictEqual(answer._tag, tag)
      }
    })
  )
})

describe("an answer without end", () => {
  const MEGABYTE = Buffer.alloc(2 ** 20, 32)

  /** Writes until nobody listens, and counts what was taken. */
  const flood = (response: ServerResponse, most: number, taken: { bytes: number }) => {
    const more = (): void => {
      if (response.destroyed || taken.bytes >= most) return void response.end()
      taken.bytes += MEGABYTE.length
      if (response.write(MEGABYTE)) setImmediate(more)
      else response.once("drain", more)
    }
    more()
  }

  for (const [what, status, headers, most] of [
    ["a success in pieces", 200, {}, LARGEST_BYTES],
    ["a success of a stated length", 200, { "content-length": String(700 * 2 ** 20) }, LARGEST_BYTES],
    ["a refusal", 400, {}, LARGEST_ERROR_BYTES],
    ["a fault of the service", 500, {}, LARGEST_ERROR_BYTES],
    ["a limit of requests", 429, {}, LARGEST_ERROR_BYTES]
  ] as const) {
    it.live(`${what}: it is left, and says how much is too much`, () =>
      Effect.gen(function* () {
        const taken = { bytes: 0 }
        const { url } = yield* serve((_, response) => {
          response.writeHead(status, { "content-type": "application/json", ...headers })
          flood(response, 700 * 2 ** 20, taken)
        })
        const client = yield* connect(url)
        const before = process.memoryUsage().rss
        const asked: ReadonlyArray<Effect.Effect<unknown, ServiceError>> = [
          client.transactions.list({ query: {} }),
          client.send("transactions.update", params, {})
        ]
        for (const call of asked) {
          const error = yield* Effect.flip(call)
          assert.strictEqual(error.reason._tag, "Unknown")
          assert.include(error.message, `the service answered ${status} with more than ${most / 2 ** 20} MB`)
        }
        assert.isBelow(taken.bytes, 2 * most + 40 * 2 ** 20, "not all of it was read")
        assert.isBelow(process.memoryUsage().rss - before, 300 * 2 ** 20)
      })
    )
  }

  it.live("that unpacks to gigabytes is not unpacked", () =>
    Effect.gen(function* () {
      const packed = gzipSync(Buffer.alloc(64 * 2 ** 20, 32))
      const { url } = yield* serve((_, response) =>
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(packed)
      )
      const { reason } = yield* Effect.flip((yield* connect(url)).transactions.list({ query: {} }))
      assert.strictEqual(reason._tag, "Unknown")
    })
  )

  it.live("and one that is large and whole is read", () =>
    Effect.gen(function* () {
      const number = "7".repeat(4 * 2 ** 20)
      const { url } = yield* serve(({ url }, response) => {
        const text = JSON.stringify({ id: "trns-1", status: "paid", number })
        const length = url.includes("expand") ? {} : { "content-length": String(text.length) }
        response.writeHead(200, { "content-type": "application/json", ...length })
        response.write(text.slice(0, 999))
        setTimeout(() => response.end(text.slice(999)), 10)
      })
      const { transactions } = yield* connect(url)
      assert.strictEqual((yield* transactions.get({ params, query: {} })).number, number)
      assert.strictEqual((yield* transactions.get({ params, query: { expand: "owner" } })).number, number)
    })
  )
})

describe("Retry-After", () => {
  const NOW = Date.UTC(2026, 2, 1)

  it("is a number between nothing and a year, or nothing at all, whatever it says", () => {
    const anything = fc.oneof(
      fc.string(),
      fc.bigInt().map(String),
      fc.double().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
    )
    fc.assert(
      fc.property(anything, fc.oneof(fc.constant(NOW), fc.double()), (header, now) => {
        const seconds = RetryAfter.seconds(header, now)
        if (seconds !== undefined) assert.isTrue(seconds >= 0 && seconds <= RetryAfter.LONGEST_SECONDS, `${seconds}`)
        new Date(NOW + (seconds ?? 0) * 1000).toISOString()
      }),
      { numRuns: times(2000) }
    )
  })

  for (const [header, seconds] of [
    ["99999999999999999999", RetryAfter.LONGEST_SECONDS],
    ["9".repeat(400), RetryAfter.LONGEST_SECONDS],
    ["Fri, 31 Dec 9999 23:59:59 GMT", RetryAfter.LONGEST_SECONDS],
    ["Sat, 13 Sep 275760 00:00:00 GMT", RetryAfter.LONGEST_SECONDS],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    [" 60 ", 60],
    ["0", 0],
    ["1.5", 1.5],
    ["-5", undefined],
    ["NaN", undefined],
    ["Infinity", undefined],
    ["", undefined],
    [undefined, undefined]
  ] as const) {
    it(`of ${JSON.stringify(header)?.slice(0, 40)} is ${seconds}`, () => {
      assert.strictEqual(RetryAfter.seconds(header, NOW), seconds)
    })
  }

  it.live("is told of a limit that is the service's, and of one that is not", () =>
    Effect.gen(function* () {
      const headers = { "retry-after": "99999999999999999999" }
      for (const [status, body, tag] of [
        [429, { detail: "Slow down." }, "RateLimited"],
        [429, { message: "Too many requests" }, "Unknown"],
        [503, { detail: "Down." }, "Unknown"]
      ] as const) {
        const { url } = yield* serve((_, response) => json(response, status, body, headers))
        const { reason } = yield* Effect.flip((yield* connect(url)).me.get({}))
        assert.deepInclude(reason, { _tag: tag, retryAfter: RetryAfter.LONGEST_SECONDS })
      }
    })
  )
})
