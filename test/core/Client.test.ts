/**
 * The client against the sandbox behind a port: every endpoint of the API's definition answers something that
 * decodes. And against made-up answers: what the service may add later is kept, not refused (DP 9, II 9).
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { Client, type ClientOptions } from "../../core/Client.ts"
import { InsuranceApi } from "../../core/insurance/Api.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { startSandbox } from "../../core/sandbox/index.ts"
import * as Day from "../../core/wire/Day.ts"
import { CompanyId, OrganisationId, TransactionId, type UserId } from "../../core/wire/Ids.ts"
import { json, serve } from "../support/Serve.ts"

type Service = Client["Service"]

let sandbox: Awaited<ReturnType<typeof startSandbox>>
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, clock: "2026-03-01T09:00:00Z" })
})
afterAll(() => sandbox.close())

/** Operations that were called, by name. */
const called = new Set<string>()

const watched = (service: Service): Service =>
  Object.fromEntries(
    Object.entries(service).map(([group, methods]) => [
      group,
      typeof methods === "function"
        ? methods
        : Object.fromEntries(
            Object.entries(methods).map(([name, method]) => [
              name,
              (request: never) => {
                called.add(`${group}.${name}`)
                return (method as (request: never) => unknown)(request)
              }
            ])
          )
    ])
  ) as unknown as Service

const connect = (options: Partial<ClientOptions> = {}) =>
  Layer.build(Client.layer({ url: sandbox.url, key: Redacted.make("sandbox-key"), ...options })).pipe(
    Effect.map((services) => watched(Context.get(services, Client)))
  )

const registered = "2024-02-29T12:00:00.000000Z"
let next = 0
const newUser = (client: Service) =>
  Effect.map(
    client.users.create({ payload: { email: `someone-${++next}@example.com`, name: "Someone", registered } }),
    ({ value }) => value
  )

const invoice = (owner: UserId | OrganisationId) =>
  ({
    owner,
    unique_id: `books/invoice/${++next}`,
    debtor_name: "Harbour Lane Bakery Ltd",
    debtor_country: "GB",
    creditor: CompanyId.make("co-1001"),
    number: "INV-1",
    status: "draft",
    net_amount: Decimal.of("100"),
    gross_amount: Decimal.of("120.50"),
    currency: "GBP",
    issue_date: Day.of("2026-02-20"),
    due_date: Day.of("2026-03-31"),
    items: [{ description: "Flour", quantity: Decimal.of("2.5"), unit_price: Decimal.of("40") }],
    scheduled_payments: [{ date: Day.of("2026-03-31"), amount: Decimal.of("120.50") }]
  }) as const

describe("every endpoint of the sandbox decodes", () => {
  it.live("reference data and companies", () =>
    Effect.gen(function* () {
      const { companies, countries, me } = yield* connect()
      for (const list of [yield* countries.debtor({}), yield* countries.customer({})]) {
        assert.include(
          list.map(({ code }) => code),
          "GB"
        )
      }
      assert.isObject(yield* me.get({}))
      const { matches } = yield* companies.search({ payload: { country: "GB", name: "Harbour Lane Bakery Ltd" } })
      assert.strictEqual(matches[0]!.confidence, 1)
      const company = yield* companies.get({ params: { company_id: matches[0]!.id } })
      assert.strictEqual(company.name, "Harbour Lane Bakery Ltd")
      assert.strictEqual(company.identifiers![0]!.id_type, "reg_number")
    })
  )

  it.live("users and organisations, and who belongs to what", () =>
    Effect.gen(function* () {
      const { organisations, users, ...rest } = yield* connect()
      const user = yield* newUser({ users, organisations, ...rest })
      const again = yield* users.create({ payload: { email: user.email, name: "Somebody", registered } })
      assert.strictEqual(again._tag, "Updated")
      assert.strictEqual(again.value.id, user.id)
      const params = { user_id: user.id }
      assert.strictEqual((yield* users.get({ params, query: {} })).name, "Somebody")
      assert.strictEqual((yield* users.update({ params, payload: { phone: "1" } })).phone, "1")
      assert.isAbove((yield* users.list({ query: { limit: 1 } })).count, 0)

      const payload = { unique_id: "org", registered, name: "Bakery" }
      const created = yield* organisations.create({ payload })
      assert.strictEqual(created._tag, "Created")
      assert.strictEqual((yield* organisations.create({ payload }))._tag, "Updated")
      const organisation = { organisation_id: created.value.id }
      assert.strictEqual((yield* organisations.get({ params: organisation, query: {} })).unique_id, "org")
      assert.strictEqual((yield* organisations.list({ query: { unique_id: "org" } })).results.length, 1)
      const renamed = yield* organisations.update({ params: organisation, payload: { metadata: { a: 1 } } })
      assert.deepStrictEqual(renamed.metadata, { a: 1 })

      const both = { ...organisation, ...params }
      const member = { id: user.id, role: "member" } as const
      assert.strictEqual((yield* organisations.addUser({ params: organisation, payload: member }))._tag, "Created")
      assert.strictEqual((yield* organisations.addUser({ params: organisation, payload: member }))._tag, "Updated")
      assert.strictEqual((yield* organisations.listUsers({ params: organisation, query: {} })).count, 1)
      assert.strictEqual((yield* organisations.getUser({ params: both })).email, user.email)
      const raised = yield* organisations.updateUser({ params: both, payload: { role: "admin" } })
      assert.strictEqual(raised.role, "admin")
      assert.isUndefined(yield* organisations.removeUser({ params: both }))

      const side = { id: created.value.id, role: "read-only" } as const
      assert.strictEqual((yield* users.addOrganisation({ params, payload: side }))._tag, "Created")
      assert.strictEqual((yield* users.listOrganisations({ params, query: {} })).results[0]!.role, "read-only")
      assert.strictEqual((yield* users.getOrganisation({ params: both })).id, created.value.id)
      const lowered = yield* users.updateOrganisation({ params: both, payload: { role: "member" } })
      assert.strictEqual(lowered.role, "member")
      yield* users.removeOrganisation({ params: both })
      yield* organisations.remove({ params: organisation })
      yield* users.remove({ params })
      assert.strictEqual((yield* Effect.flip(users.get({ params, query: {} }))).reason._tag, "NotFound")
    })
  )

  it.live("transactions and payments, with amounts that stay exact", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const { transactions } = client
      const { id: owner } = yield* newUser(client)
      const created = yield* transactions.create({ payload: invoice(owner) })
      assert.strictEqual(created.gross_amount, Decimal.of("120.50"))
      assert.strictEqual(created.scheduled_payments![0]!.amount, Decimal.of("120.5"))
      const params = { transaction_id: created.id }
      assert.strictEqual((yield* transactions.confirm({ params })).status, "pending")
      const amended = yield* transactions.amend({
        params,
        payload: {
          gross_amount: Decimal.of("0.10"),
          scheduled_payments: [{ date: Day.of("2026-03-31"), amount: Decimal.of("0.1") }]
        }
      })
      assert.strictEqual(amended.gross_amount, Decimal.of("0.1"))
      assert.strictEqual((yield* transactions.update({ params, payload: { number: "INV-2" } })).number, "INV-2")
      const debtor = CompanyId.make("co-1002")
      assert.strictEqual((yield* transactions.matchDebtor({ params, payload: { debtor } })).debtor, debtor)
      const payment = yield* transactions.createPayment({ params, payload: { amount: Decimal.of("0.10") } })
      assert.strictEqual(payment.amount, Decimal.of("0.1"))
      const { results } = yield* transactions.listPayments({ params, query: {} })
      assert.deepStrictEqual(
        results.map(({ id }) => id),
        [payment.id]
      )
      assert.strictEqual((yield* transactions.paid({ params, payload: {} })).status, "paid")
      const whole = yield* transactions.get({ params, query: { expand: "debtor,creditor,policy,quote" } })
      assert.strictEqual((whole.debtor as { readonly name: string }).name, "Northfield Tools Ltd")
      assert.strictEqual(whole.payments![0]!.amount, Decimal.of("0.1"))
      const unique_id = created.unique_id!
      assert.strictEqual((yield* transactions.list({ query: { unique_id } })).results[0]!.id, created.id)
      yield* transactions.remove({ params })
      assert.strictEqual((yield* transactions.list({ query: { unique_id } })).count, 0)
    })
  )

  it.live("quotes and policies", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const { policies, quotes, transactions } = client
      const { id: owner } = yield* newUser(client)
      const { id: transaction } = yield* transactions.create({ payload: invoice(owner) })
      const first = yield* quotes.create({ payload: { transaction } })
      assert.strictEqual(first.status, "offered")
      assert.isUndefined(yield* quotes.remove({ params: { quote_id: first.id } }))
      const quote = yield* quotes.create({ payload: { transaction } })
      const policy = yield* policies.create({ payload: { quote: quote.id, stripe_id: "tok_visa" } })
      assert.strictEqual(policy.status, "active")
      assert.isAbove(policy.documents!.length, 0)
      const accepted = yield* quotes.get({ params: { quote_id: quote.id }, query: { expand: "policy" } })
      assert.strictEqual(accepted.status, "accepted")
      assert.strictEqual((accepted.policy as { readonly id: string }).id, policy.id)
      assert.strictEqual((yield* policies.get({ params: { policy_id: policy.id }, query: {} })).quote, quote.id)
      assert.strictEqual((yield* quotes.list({ query: {} })).count, 1)
      assert.strictEqual((yield* policies.list({ query: {} })).count, 1)

      const refused = yield* transactions.create({
        payload: { ...invoice(owner), creditor: CompanyId.make("co-2000") }
      })
      const declined = yield* quotes.create({ payload: { transaction: refused.id } })
      assert.strictEqual(declined.status, "declined")
      assert.strictEqual(declined.rejection_reason!.code, "seller-country")
      for (const [stripe_id, tag] of [
        ["card", "Refused"],
        ["tok_declined", "Refused"],
        ["tok_error", "Unknown"],
        ["tok_timeout", "Unknown"]
      ] as const) {
        const other = yield* transactions.create({ payload: invoice(owner) })
        const { id } = yield* quotes.create({ payload: { transaction: other.id } })
        const error = yield* Effect.flip(policies.create({ payload: { quote: id, stripe_id } }))
        assert.strictEqual(error.reason._tag, tag, stripe_id)
      }
    })
  )

  it("and that was every one of them", () => {
    const all = Object.entries(InsuranceApi.groups).flatMap(([group, { endpoints }]) =>
      Object.keys(endpoints).map((name) => `${group}.${name}`)
    )
    assert.deepStrictEqual([...called].toSorted(), all.toSorted())
  })
})

describe("requests that are written already", () => {
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
      const { asked, url } = yield* serve((_, response) => json(response, 200, {}))
      const client = yield* connect({ url: `${url}//` })
      yield* client.send("transactions.paid", { transaction_id: "../../me?a=b#c d" }, {})
      assert.strictEqual(asked[0]!.url, "/v1/transactions/..%2F..%2Fme%3Fa%3Db%23c%20d/paid")
      assert.strictEqual(asked[0]!.headers["content-type"], "application/json")
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
