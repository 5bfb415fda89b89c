/**
 * What the client says when things go wrong: whether the outcome is known, which operation it was, and never the key.
 * Unknown is the answer that must not be missed: whoever takes it for anything else sends the same thing twice.
 */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import type { ServerResponse } from "node:http"
import { inspect } from "node:util"
import { Client, type ClientOptions } from "../../core/Client.ts"
import { startSandbox } from "../../core/sandbox/index.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import { TransactionId } from "../../core/wire/Ids.ts"
import { type Asked, json, nobody, serve } from "../support/Serve.ts"

const KEY = "sk-test-7f3a91c0"

let sandbox: Awaited<ReturnType<typeof startSandbox>>
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, keys: [KEY] })
})
afterAll(() => sandbox.close())

const control = (method: string, path: string, body?: unknown) =>
  fetch(`${sandbox.url}/sandbox/${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })

beforeEach(async () => {
  await control("POST", "reset")
})

const connect = (options: Partial<ClientOptions> = {}) =>
  Layer.build(Client.layer({ url: sandbox.url, key: Redacted.make(KEY), ...options })).pipe(
    Effect.map((services) => Context.get(services, Client))
  )

type Service = Client["Service"]

const user = { email: "someone@example.com", name: "Someone", registered: "2024-02-29T12:00:00Z" }
const create = (client: Service) => client.users.create({ payload: user })
const transaction_id = TransactionId.make("trns-1")

/** The same request both ways: as a typed method, and written already. */
const ways: ReadonlyArray<readonly [string, (client: Service) => Effect.Effect<unknown, ServiceError>]> = [
  ["typed", create],
  ["written", (client) => client.send("users.create", {}, user)]
]

/** Every way in which a program might print an error. */
const prints = (error: ServiceError): string =>
  [
    String(error),
    error.message,
    error.stack,
    JSON.stringify(error),
    inspect(error, { depth: 20, showHidden: true, getters: true })
  ].join("\n")

const silent = (error: ServiceError, key = KEY): void => {
  const printed = prints(error)
  for (const secret of [key, Buffer.from(`${key}:`).toString("base64"), encodeURIComponent(key)]) {
    assert.notInclude(printed, secret)
  }
}

const fault = (body: unknown) => Effect.promise(() => control("POST", "faults", body))

/** How many users the sandbox holds: whether a request was acted on. */
const users = (client: Service) => Effect.map(client.users.list({ query: {} }), ({ count }) => count)

describe.each(ways)("the sandbox fails, %s", (_, act) => {
  const cases = [
    ["the answer is lost", { kind: "lose_response" }, "Unknown", 1],
    ["the request is lost", { kind: "lose_request" }, "Unknown", 0],
    ["the answer is cut short", { kind: "garble" }, "Unknown", 1],
    ["429", { kind: "status", status: 429, retry_after: 60 }, "RateLimited", 0],
    ["500", { kind: "status", status: 500 }, "Unknown", 0],
    ["503", { kind: "status", status: 503 }, "Unknown", 0],
    ["403", { kind: "status", status: 403 }, "Unauthorized", 0],
    ["404", { kind: "status", status: 404 }, "NotFound", 0],
    ["409", { kind: "status", status: 409 }, "Conflict", 0],
    ["402", { kind: "status", status: 402 }, "Refused", 0],
    ["418", { kind: "status", status: 418 }, "Refused", 0]
  ] as const
  for (const [what, body, tag, held] of cases) {
    it.live(`${what}: ${tag}`, () =>
      Effect.gen(function* () {
        const client = yield* connect()
        yield* fault({ ...body, method: "POST", times: 1 })
        const error = yield* Effect.flip(act(client))
        assert.strictEqual(error.reason._tag, tag)
        assert.strictEqual(error.operation, "users.create")
        assert.match(error.message, /^users\.create: ./)
        silent(error)
        assert.strictEqual(yield* users(client), held, "acted on, or not, as the test believes")
        yield* act(client)
      })
    )
  }

  for (const scheme of ["token", "basic"] as const) {
    it.live(`a wrong key is told apart from all else (${scheme})`, () =>
      Effect.gen(function* () {
        const key = "wr\u00f6ng-key \u2713"
        const error = yield* Effect.flip(act(yield* connect({ key: Redacted.make(key), scheme })))
        // Node writes header values in Latin-1, so only Basic can carry such a key at all.
        assert.strictEqual(error.reason._tag, scheme === "basic" ? "Unauthorized" : "Unsendable")
        silent(error, key)
      })
    )

    it.live(`the right key opens (${scheme})`, () => Effect.flatMap(connect({ scheme }), act))
  }

  it.live("401 says what to look at", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(act(yield* connect({ key: Redacted.make("wrong-key-1") })))
      assert.deepInclude(error.reason, { _tag: "Unauthorized", status: 401, detail: "Invalid token." })
      assert.include(error.message, "check service.key")
      silent(error, "wrong-key-1")
    })
  )
})

describe.each(ways)("the network fails, %s", (_, act) => {
  it.live("nobody listens: nothing was sent", () =>
    Effect.gen(function* () {
      const url = yield* nobody
      for (const address of [url, url.replace("127.0.0.1", "localhost")]) {
        const error = yield* Effect.flip(act(yield* connect({ url: address })))
        assert.strictEqual(error.reason._tag, "Unreachable", address)
        assert.match(error.message, /cannot be reached.*ECONNREFUSED.*check service\.url/)
        silent(error)
      }
    })
  )

  it.live("https to a port that speaks none: nothing was sent", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* serve((_, response) => response.end())
      const error = yield* Effect.flip(act(yield* connect({ url: url.replace("http:", "https:") })))
      assert.strictEqual(error.reason._tag, "Unreachable")
      assert.isEmpty(asked)
      silent(error)
    })
  )

  it.live("a key with a line break cannot be written", () =>
    Effect.gen(function* () {
      const key = "sk-test\n7f3a91c0"
      const error = yield* Effect.flip(act(yield* connect({ key: Redacted.make(key) })))
      assert.strictEqual(error.reason._tag, "Unsendable")
      assert.notMatch(prints(error), /7f3a91c0/)
    })
  )

  const stalls: ReadonlyArray<readonly [string, (response: ServerResponse) => void]> = [
    ["before it answers", () => {}],
    ["in the middle of its answer", (response) => void response.writeHead(201).write('{"id":')],
    ["in the middle of a refusal", (response) => void response.writeHead(409).write('{"detail":')]
  ]
  for (const [when, stall] of stalls) {
    it.live(`the service falls silent ${when}: unknown, within the time limit`, () =>
      Effect.gen(function* () {
        const { url } = yield* serve((_, response) => stall(response))
        const client = yield* connect({ url, timeout: "150 millis" })
        const began = performance.now()
        const error = yield* Effect.flip(act(client))
        assert.isBelow(performance.now() - began, 2000)
        assert.strictEqual(error.reason._tag, "Unknown")
        assert.include(error.message, "no whole answer within 150ms")
        silent(error)
      })
    )
  }
})

describe.each(ways)("the answer makes no sense, %s", (_, act) => {
  const gateway = "<html>502: connect ECONNREFUSED 10.0.0.1:443 CERT_HAS_EXPIRED</html>"
  const text =
    (status: number, type: string, body: string, headers = {}) =>
    (_: Asked, response: ServerResponse) =>
      void response.writeHead(status, { "content-type": type, ...headers }).end(body)
  const unknown = [
    ["a gateway's page in place of JSON", text(200, "text/html", gateway)],
    ["a gateway's page that calls itself JSON", text(201, "application/json", gateway)],
    ["truncated JSON", text(201, "application/json", '{"id":"user-1","ema')],
    ["nothing at all", text(201, "application/json", "")],
    ["502 with a page", text(502, "text/html", gateway)],
    ["408", text(408, "application/json", "{}")],
    ["a redirect", text(307, "text/plain", "", { location: "https://elsewhere.example/" })]
  ] as const
  for (const [what, answer] of unknown) {
    it.live(`${what}: unknown, because it may have been acted on`, () =>
      Effect.gen(function* () {
        const { asked, url } = yield* serve(answer)
        const error = yield* Effect.flip(act(yield* connect({ url })))
        assert.strictEqual(error.reason._tag, "Unknown", error.message)
        assert.strictEqual(asked.length, 1, "and is not sent again")
        silent(error)
      })
    )
  }

  const retry = [
    ["7", 7],
    ["0", 0],
    ["Thu, 29 Feb 2024 12:00:30 GMT", 30],
    ["Thu, 29 Feb 2024 11:00:00 GMT", 0],
    ["soon", undefined],
    ["-5", undefined],
    ["", undefined],
    [undefined, undefined]
  ] as const
  for (const [header, seconds] of retry) {
    it.live(`429 with Retry-After ${JSON.stringify(header)} waits ${seconds} seconds`, () =>
      Effect.gen(function* () {
        const headers = {
          date: "Thu, 29 Feb 2024 12:00:00 GMT",
          ...(header === undefined ? {} : { "retry-after": header })
        }
        const { url } = yield* serve((_, response) => json(response, 429, { detail: "Slow down." }, headers))
        const { reason } = yield* Effect.flip(act(yield* connect({ url })))
        assert.deepInclude(reason, { _tag: "RateLimited", retryAfter: seconds })
      })
    )
  }

  it.live("400 gives every complaint", () =>
    Effect.gen(function* () {
      const { url } = yield* serve((_, response) => json(response, 400, { id: ["Wrong."], role: ["Bad."] }))
      const error = yield* Effect.flip(act(yield* connect({ url })))
      assert.deepInclude(error.reason, { _tag: "Refused", status: 400, problems: ["id: Wrong.", "role: Bad."] })
    })
  )
})

describe("answers and requests that do not fit their schema", () => {
  it.live("an answer without its members is unknown, and says which", () =>
    Effect.gen(function* () {
      const { url } = yield* serve((_, response) =>
        json(response, 200, { id: "trns-1", status: "paid", net_amount: "1e3" })
      )
      const { transactions } = yield* connect({ url })
      const error = yield* Effect.flip(transactions.get({ params: { transaction_id }, query: {} }))
      assert.strictEqual(error.reason._tag, "Unknown")
      assert.include(error.message, '"1e3" is not a decimal number')
      assert.include(error.message, "net_amount")
    })
  )

  it.live("a request that its own schema refuses was never sent", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* serve((_, response) => json(response, 200, {}))
      const { transactions } = yield* connect({ url })
      const nothing = "" as TransactionId
      const error = yield* Effect.flip(transactions.get({ params: { transaction_id: nothing }, query: {} }))
      assert.strictEqual(error.reason._tag, "Unsendable")
      assert.isEmpty(asked)
    })
  )
})

describe("connections and credentials", () => {
  it.live("connections carry one request after another, whatever was answered", () =>
    Effect.gen(function* () {
      const long = { detail: "x".repeat(200_000) }
      const { asked, connections, url } = yield* serve((_, response, n) =>
        [
          () => json(response, 200, {}),
          () => json(response, 404, long),
          () => json(response, 429, long),
          () => json(response, 500, long),
          () => response.writeHead(204).end()
        ][n % 5]!()
      )
      const client = yield* connect({ url })
      for (let i = 0; i < 50; i++) yield* Effect.exit(client.send("transactions.remove", { transaction_id }, undefined))
      assert.strictEqual(asked.length, 50)
      // The pool opens a second one when a request comes before it has seen the end of the answer before.
      assert.isAtMost(connections(), 2)
    })
  )

  it.live("no more connections than were asked for", () =>
    Effect.gen(function* () {
      const { connections, url } = yield* serve((_, response) => void setTimeout(() => json(response, 200, {}), 5))
      const { me } = yield* connect({ url, connections: 4 })
      yield* Effect.all(
        Array.from({ length: 60 }, () => me.get({})),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(connections(), 4)
    })
  )

  it.live("Token and Basic are written as the specification says, and the same both ways", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* serve((_, response) => json(response, 200, {}))
      for (const scheme of ["token", "basic"] as const) {
        const client = yield* connect({ url, scheme })
        yield* client.me.get({})
        yield* client.send("me.get", {}, undefined)
      }
      const basic = `Basic ${Buffer.from(`${KEY}:`).toString("base64")}`
      assert.deepStrictEqual(
        asked.map(({ headers }) => headers.authorization),
        [`Token ${KEY}`, `Token ${KEY}`, basic, basic]
      )
      for (const { headers } of asked) assert.strictEqual(headers.accept, "application/json")
    })
  )

  it.live("a redirect is not followed with the key in hand", () =>
    Effect.gen(function* () {
      const elsewhere = yield* serve((_, response) => json(response, 200, {}))
      const { url } = yield* serve((_, response) => response.writeHead(302, { location: elsewhere.url }).end())
      const { me } = yield* connect({ url })
      assert.strictEqual((yield* Effect.flip(me.get({}))).reason._tag, "Unknown")
      assert.isEmpty(elsewhere.asked)
    })
  )
})
