/**
 * The client against the sandbox behind a port, with requests that are written already; and against made-up answers:
 * what the service may add later is kept, not refused (DP 9, II 9). Every endpoint is called in the folders beside.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { Client, type ClientOptions } from "../../core/Client.ts"
import { startSandbox } from "../../core/sandbox/index.ts"
import { OrganisationId, TransactionId } from "../../core/wire/Ids.ts"
import { json, serve } from "../support/Serve.ts"

type Service = Client["Service"]

let sandbox: Awaited<ReturnType<typeof startSandbox>>
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, clock: "2026-03-01T09:00:00Z" })
})
afterAll(() => sandbox.close())

const connect = (options: Partial<ClientOptions> = {}) =>
  Layer.build(Client.layer({ url: sandbox.url, key: Redacted.make("sandbox-key"), ...options })).pipe(
    Effect.map((services) => Context.get(services, Client))
  )

const registered = "2024-02-29T12:00:00.000000Z"
let next = 0
const newUser = (client: Service) =>
  Effect.map(
    client.users.create({ payload: { email: `someone-${++next}@example.com`, name: "Someone", registered } }),
    ({ value }) => value
  )

describe("requests that are written already", () => {
  it.live(
    "are all sent when the first ones come together with calls of methods, while the operations are loading",
    () =>
      Effect.gen(function* () {
        const client = yield* connect()
        const answers = yield* Effect.all(
          [
            client.send("me.get", {}, undefined),
            Effect.as(client.transactions.list({ query: {} }), { status: 200 }),
            client.send("transactions.list", {}, undefined),
            Effect.as(client.users.list({ query: {} }), { status: 200 })
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [200, 200, 200, 200]
        )
      })
  )

  it.live("are sent as they are, and answered as they come", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const { id: owner } = yield* newUser(client)
      const sent = yield* client.send("transactions.create", {}, { owner, gross_amount: "12.50" })
      assert.strictEqual(sent.status, 201)
      const { gross_amount, id } = sent.body as { readonly gross_amount: string; readonly id: string }
      assert.strictEqual(gross_amount, "12.50")
      const gone = yield* client.send("transactions.remove", { transaction_id: id }, undefined)
      assert.deepStrictEqual(gone, { status: 204, body: undefined })
    })
  )

  it.live("cannot leave their path", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* serve((_, response) => json(response, 200, { id: "trns-1", status: "paid" }))
      const client = yield* connect({ url: `${url}//` })
      yield* client.send("transactions.paid", { transaction_id: "../../me?a=b#c d" }, {})
      assert.strictEqual(asked[0]!.url, "/v1/transactions/..%2F..%2Fme%3Fa%3Db%23c%20d/paid")
      assert.strictEqual(asked[0]!.headers["content-type"], "application/json")
    })
  )
})

describe("an answer to a request that is written already", () => {
  it.live("is whole, in however many pieces it comes, with a mark of its encoding or without", () =>
    Effect.gen(function* () {
      const said = Buffer.from(`\uFEFF${JSON.stringify({ id: "trns-1", status: "paid", number: "Café №\u{1F9FE}" })}`)
      const { url } = yield* serve((_, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        const next = (at: number): void => {
          if (at >= said.length) return void response.end()
          response.write(said.subarray(at, at + 7), () => setImmediate(next, at + 7))
        }
        next(0)
      })
      const { body } = yield* (yield* connect({ url })).send("transactions.paid", { transaction_id: "t" }, {})
      assert.deepInclude(body, { number: "Café №\u{1F9FE}" })
    })
  )

  it.live("that nobody waits for any more is hung up on, whether it has begun or not", () =>
    Effect.gen(function* () {
      for (const begins of [false, true]) {
        const asked = Promise.withResolvers<void>()
        const left = Promise.withResolvers<void>()
        const { url } = yield* serve((_, response) => {
          response.once("close", left.resolve)
          if (begins) response.writeHead(200).write('{"id":')
          asked.resolve()
        })
        const call = (yield* connect({ url })).send("transactions.paid", { transaction_id: "t" }, {})
        const fiber = yield* Effect.forkChild(call)
        yield* Effect.promise(() => asked.promise)
        yield* Fiber.interrupt(fiber)
        yield* Effect.promise(() => left.promise)
      }
    })
  )
})

describe("what the service may add later", () => {
  it.live("unknown members and unknown values are kept", () =>
    Effect.gen(function* () {
      const added = { brand_new: { deep: [1, null] }, transactions: 7 }
      const page = { count: 1, next: null, previous: null, ...added }
      const { url } = yield* serve(({ url }, response) => {
        if (url.startsWith("/v1/transactions")) {
          const payments = [{ id: "pay-1", date: null, amount: "1.00", fee: "0.01" }]
          return json(response, 200, { id: "trns-1", status: "frozen", pay_method: "barter", payments, ...added })
        }
        if (url.startsWith("/v1/policies")) {
          return json(response, 200, { ...page, results: [{ id: "p-1", quote: {}, status: "haunted", ...added }] })
        }
        return json(response, 200, { ...page, results: [{ id: "user-1", email: null, role: "auditor", ...added }] })
      })
      const { organisations, policies, transactions } = yield* connect({ url })
      const transaction = yield* transactions.get({ params: { transaction_id: TransactionId.make("t") }, query: {} })
      assert.strictEqual(transaction.status, "frozen")
      assert.strictEqual(transaction.pay_method, "barter")
      assert.deepInclude(transaction, added)
      assert.strictEqual(transaction.payments![0]!["fee"], "0.01")
      const listed = yield* policies.list({ query: {} })
      assert.deepInclude(listed, added)
      assert.deepInclude(listed.results[0]!, { status: "haunted", ...added })
      const params = { organisation_id: OrganisationId.make("org-1") }
      const members = yield* organisations.listUsers({ params, query: {} })
      assert.deepInclude(members.results[0]!, { role: "auditor", ...added })
    })
  )
})
