/**
 * The client against the sandbox behind a port: every endpoint of the insurance interface answers something that
 * decodes, and the whole way of an invoice goes by the client alone.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { Client, type ClientOptions } from "../../../core/Client.ts"
import { InsuranceApi } from "../../../core/insurance/Api.ts"
import { form } from "../../../core/insurance/CollectionDocuments.ts"
import { LARGEST_FILE_BYTES } from "../../../core/insurance/DocumentTypes.ts"
import { explain } from "../../../core/insurance/Rejections.ts"
import { MEANING } from "../../../core/insurance/Scores.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { startSandbox } from "../../../core/sandbox/index.ts"
import * as Day from "../../../core/wire/Day.ts"
import { CompanyId, type OrganisationId, type UserId } from "../../../core/wire/Ids.ts"

type Service = Client["Service"]

let sandbox: Awaited<ReturnType<typeof startSandbox>>
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, clock: "2026-03-01T09:00:00Z" })
})
afterAll(() => sandbox.close())

/** Operations that were called, by name. */
const called = new Set<string>()

const watched = (service: Service): Service =>
  new Proxy(service, {
    get: (groups, group) => {
      const methods = Reflect.get(groups, group) as object
      if (group === "send") return methods
      return new Proxy(methods, {
        get: (methods, name) => {
          called.add(`${String(group)}.${String(name)}`)
          return Reflect.get(methods, name)
        }
      })
    }
  })

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

/** The sandbox's time, moved through its control interface. */
const moveClock = (set: string) =>
  Effect.promise(() => fetch(`${sandbox.url}/sandbox/clock`, { method: "POST", body: JSON.stringify({ set }) }))

describe("every endpoint of the insurance interface decodes", () => {
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
      const payment = yield* transactions.createPayment({
        params,
        payload: { date: Day.of("2024-03-05"), amount: Decimal.of("0.10") }
      })
      assert.strictEqual(payment.amount, Decimal.of("0.1"))
      const one = { ...params, payment_id: payment.id }
      assert.deepStrictEqual(yield* transactions.getPayment({ params: one }), payment)
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

  it.live("sole traders, scores and credit limits", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const { companies, creditLimits, scores, soletraders } = client
      const { id: owner } = yield* newUser(client)
      const made = yield* soletraders.create({
        payload: {
          owner,
          unique_id: "trader",
          trading_name: "Corner Shop",
          proprietor_name: "Jo Trader",
          proprietor_address_country: "GB",
          date_of_birth: Day.of("1980-02-29")
        }
      })
      const params = { soletrader_id: made.soletrader_id }
      const changed = yield* soletraders.update({ params, payload: { trading_address_city: "Leeds" } })
      assert.strictEqual(changed.city, "Leeds")
      assert.deepStrictEqual(yield* soletraders.get({ params, query: {} }), changed)
      const [listed] = (yield* soletraders.list({ query: { expand: "owner" } })).results
      assert.strictEqual((listed!.owner as { readonly id: string }).id, owner)
      assert.strictEqual((yield* companies.get({ params: { company_id: made.id } })).name, "Corner Shop")
      const score = yield* scores.create({ payload: { company: made.id } })
      assert.include(Object.keys(MEANING), score.score)
      const nobody = yield* scores.create({ payload: { country: "GB", name: "Nobody At All" } })
      assert.deepStrictEqual([nobody.company, nobody.score, nobody.name], [null, null, ""])
      const limit = yield* creditLimits.debtor({ params: { company_id: made.id }, payload: { currency: "GBP" } })
      assert.strictEqual(limit.available_insured_amount, limit.maximum_insured_amount)
      const refused = CompanyId.make("co-2013")
      const declined = yield* creditLimits.debtor({ params: { company_id: refused }, payload: {} })
      assert.strictEqual(explain(declined.rejection_reason!), "The buyer is younger than 2 years.")
    })
  )

  it.live("collections and their documents", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const { collectionDocuments, collections, policies, quotes, transactions } = client
      const { id: owner } = yield* newUser(client)
      const { id: transaction } = yield* transactions.create({ payload: invoice(owner) })
      const quote = yield* quotes.create({ payload: { transaction } })
      const { id: policy } = yield* policies.create({ payload: { quote: quote.id, stripe_id: "tok_visa" } })
      const early = yield* Effect.flip(collections.create({ payload: { policy } }))
      assert.strictEqual(early.reason._tag, "Conflict")
      yield* moveClock("2026-05-20T09:00:00Z")
      const made = yield* collections.create({ payload: { policy, partial_payment: Decimal.of("1.5") } })
      assert.strictEqual(made.partial_payment, Decimal.of("1.5"))
      const params = { collection_id: made.id }
      const payload = { confirm_correct: true, collections_terms_acceptance: true }
      assert.isString((yield* collections.update({ params, payload })).confirmed_correct)
      const file = { name: "invoice.pdf", type: "application/pdf", content: new TextEncoder().encode("%PDF") }
      const upload = () => collectionDocuments.create({ payload: form({ policy, type: "proof_order", file }) })
      const document = yield* upload()
      assert.strictEqual(document.type, "prood_order")
      const which = { document_id: document.id }
      assert.deepStrictEqual(yield* collectionDocuments.get({ params: which, query: {} }), document)
      assert.isUndefined(yield* collectionDocuments.remove({ params: which }))
      // As a plan sends it: a form among requests that are written already.
      const large = new Uint8Array(LARGEST_FILE_BYTES).fill(7)
      const written = form({ policy, type: "statement", file: { ...file, content: large } })
      const again = yield* client.send("collectionDocuments.create", {}, written)
      assert.deepInclude(again.body as object, { policy, type: "statement" })
      const stored = yield* Effect.promise(() =>
        fetch((again.body as { readonly file: string }).file, { headers: { authorization: "Token sandbox-key" } })
      )
      assert.deepStrictEqual(new Uint8Array(yield* Effect.promise(() => stored.arrayBuffer())), large)
      assert.strictEqual((yield* collectionDocuments.list({ query: { policy_id: policy } })).count, 1)
      yield* collections.send({ params })
      const sent = yield* collections.get({ params, query: { expand: "policy" } })
      assert.isString(sent.sent)
      assert.strictEqual((sent.policy as { readonly status: string }).status, "under_collection")
      assert.strictEqual((yield* collections.list({ query: {} })).results[0]!.id, made.id)
      assert.strictEqual((yield* Effect.flip(collections.send({ params }))).reason._tag, "Conflict")
    })
  )

  it("and that was every one of them", () => {
    const all = Object.entries(InsuranceApi.groups).flatMap(([group, { endpoints }]) =>
      Object.keys(endpoints).map((name) => `${group}.${name}`)
    )
    assert.deepStrictEqual([...called].toSorted(), all.toSorted())
  })
})
