/**
 * The whole way of an invoice, by the client alone and a clock that is moved (II 1): transaction, quote, policy, past
 * due, a collection with a document that is sent; and what the platform's webhook is sent on the way (II 6).
 */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { Client } from "../../../core/Client.ts"
import { layerHttp } from "../../support/ClientOver.ts"
import { form } from "../../../core/insurance/CollectionDocuments.ts"
import * as Webhook from "../../../core/insurance/Webhook.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { InProcess, Instance } from "../../../core/sandbox/index.ts"
import * as Day from "../../../core/wire/Day.ts"
import { CompanyId } from "../../../core/wire/Ids.ts"
import { json, serve } from "../../support/Serve.ts"

const START = Date.parse("2026-03-01T09:00:00Z")

/** A sandbox inside the test, its client, its clock, and every webhook body as text. */
const setting = () => {
  const received: Array<string> = []
  const instance = new Instance({
    now: () => START,
    later: (_, work) => work(),
    onChange: (_, body) => void received.push(JSON.stringify(body))
  })
  const client = layerHttp({ url: "http://127.0.0.1", key: Redacted.make("sandbox-key") }).pipe(
    Layer.provide(InProcess.layer(instance))
  )
  const control = (path: string, body: unknown, method = "POST") =>
    instance.respond(
      {
        method,
        url: path,
        base: "http://127.0.0.1",
        authorization: undefined,
        body: JSON.stringify(body),
        local: true
      },
      () => {}
    )
  return { received, client, control, clock: (set: string) => control("/sandbox/clock", { set: `${set}T09:00:00Z` }) }
}

const registered = "2024-02-29T12:00:00Z"

describe("II 1: an insured invoice that nobody pays", () => {
  const { client, clock, control, received } = setting()
  const last = Effect.suspend(() => Webhook.decode(received.at(-1)))

  it.effect("transaction -> quote -> policy -> past due -> collection with a document that is sent", () =>
    Effect.gen(function* () {
      const service = yield* Client
      const { companies, organisations, policies, quotes, transactions, users } = service

      const organisation = yield* organisations.create({ payload: { unique_id: "acme", registered, name: "Acme" } })
      const admin = yield* users.create({ payload: { email: "pat@acme.example", name: "Pat", registered } })
      const organisation_id = organisation.value.id
      yield* organisations.addUser({ params: { organisation_id }, payload: { id: admin.value.id, role: "admin" } })

      const find = (name: string) =>
        Effect.map(companies.search({ payload: { country: "GB", name } }), ({ matches }) => matches[0]!.id)
      const transaction = yield* transactions.create({
        payload: {
          owner: organisation_id,
          creditor: yield* find("Harbour Lane Bakery Ltd"),
          debtor: yield* find("Brightwater Foods Ltd"),
          net_amount: Decimal.of("1000"),
          gross_amount: Decimal.of("1200"),
          currency: "GBP",
          issue_date: Day.of("2026-03-01"),
          due_date: Day.of("2026-03-31")
        }
      })
      const fresh = yield* last
      assert.strictEqual(fresh.id, transaction.id)
      assert.isFalse(Webhook.isInsured(fresh))

      const quote = yield* quotes.create({ payload: { transaction: transaction.id } })
      assert.strictEqual(quote.status, "offered")
      assert.strictEqual(quote.insured!.insured_amount, Decimal.of("900"))
      assert.strictEqual(quote.total_price, quote.premium! + quote.ipt!)
      const policy = yield* policies.create({ payload: { quote: quote.id, stripe_id: "pm_card" } })
      assert.strictEqual(policy.status, "active")
      const covered = yield* last
      assert.isTrue(Webhook.isInsured(covered))
      assert.strictEqual(covered.quote!.insured_pc_net, Decimal.of("90"))
      assert.strictEqual((covered.quote!.client as { readonly name: string }).name, "Brightwater Foods Ltd")
      assert.strictEqual(covered.policy!.documents![0]!.category, "policy")

      const read = Effect.suspend(() => policies.get({ params: { policy_id: policy.id }, query: {} }))
      const before = received.length
      for (const [day, status] of [
        ["2026-03-31", "active"],
        ["2026-04-01", "late"],
        ["2026-05-16", "late_can_handover"]
      ] as const) {
        clock(day)
        assert.strictEqual((yield* read).status, status)
      }
      // Moving the clock announced each change, and of nothing else: the quote was accepted and does not expire.
      assert.strictEqual(received.length - before, 2)
      assert.strictEqual((yield* last).policy!.status, "late_can_handover")

      yield* handOver(policy.id)
      assert.strictEqual((yield* read).status, "under_collection")
      assert.isString((yield* read).collection)
      assert.strictEqual((yield* last).policy!.status, "under_collection")

      // What the collections partner achieves is the service's to say.
      const { length } = received
      control(`/sandbox/policies/${policy.id}/status`, { status: "recovery_underway", recovered: "250.5" }, "PUT")
      assert.strictEqual(received.length - length, 1)
      for (const seen of [yield* read, (yield* last).policy!]) {
        const { recovered_amount, status } = seen as typeof seen & { readonly recovered_amount: unknown }
        assert.deepStrictEqual([status, recovered_amount], ["recovery_underway", "250.50"])
      }
    }).pipe(Effect.provide(client))
  )
})

/** The collection of a policy: created, confirmed, given a copy of the invoice, sent. */
const handOver = Effect.fnUntraced(function* (policy: Parameters<typeof form>[0]["policy"]) {
  const { collectionDocuments, collections } = yield* Client
  const { creditor_contact_email, debtor_city, id } = yield* collections.create({ payload: { policy } })
  assert.deepStrictEqual([creditor_contact_email, debtor_city], ["pat@acme.example", "Exampleton"])
  const params = { collection_id: id }
  const confirm = { confirm_correct: true, collections_terms_acceptance: true, actions_taken: "Called on 2 April" }
  assert.isString((yield* collections.update({ params, payload: confirm })).accepted_collections_terms)
  const content = new TextEncoder().encode("%PDF-1.4 the invoice")
  const file = { name: "INV-1.pdf", type: "application/pdf", content }
  const document = yield* collectionDocuments.create({ payload: form({ policy, type: "invoice", file }) })
  assert.match(document.file!, /INV-1\.pdf$/)
  yield* collections.send({ params })
  assert.isString((yield* collections.get({ params, query: {} })).sent)
  const kept = yield* Effect.flip(collectionDocuments.remove({ params: { document_id: document.id } }))
  assert.strictEqual(kept.reason._tag, "Conflict")
})

describe("II 6: webhooks", () => {
  it.effect(
    "II 6: Webhooks deliver the transaction object with policy and quote expanded: of every transaction that changed",
    () => {
      const { client, clock, received } = setting()
      return Effect.gen(function* () {
        const { transactions, users, quotes } = yield* Client
        const { value: owner } = yield* users.create({
          payload: { email: "pat@acme.example", name: "Pat", registered }
        })
        assert.deepStrictEqual(received, [])
        const payload = { owner: owner.id, debtor_name: "Somebody" }
        const [a, b] = [yield* transactions.create({ payload }), yield* transactions.create({ payload })]
        received.length = 0
        assert.strictEqual((yield* transactions.list({ query: {} })).count, 2)
        const debtor = CompanyId.make("co-1002")
        yield* transactions.matchDebtor({ params: { transaction_id: a.id }, payload: { debtor } })
        const both = yield* Effect.forEach(received, (text) => Webhook.decode(text))
        assert.deepStrictEqual(
          both.map(({ debtor, id }) => [id, debtor]),
          [
            [a.id, debtor],
            [b.id, debtor]
          ]
        )
        yield* Effect.flip(quotes.create({ payload: { transaction: a.id } }))
        assert.lengthOf(received, 2)
        clock("2027-01-01")
        assert.lengthOf(received, 2)
      }).pipe(Effect.provide(client))
    }
  )

  it.effect("II 6: an offer that expires as the clock is moved is announced, once", () => {
    const { client, clock, received } = setting()
    return Effect.gen(function* () {
      const { quotes, transactions, users } = yield* Client
      const { value: owner } = yield* users.create({ payload: { email: "pat@acme.example", name: "Pat", registered } })
      const days = { issue_date: Day.of("2026-03-01"), due_date: Day.of("2026-12-31") }
      const parties = { creditor: CompanyId.make("co-1000"), debtor: CompanyId.make("co-1001") }
      const money = { net_amount: Decimal.of("10"), currency: "GBP" }
      const { id } = yield* transactions.create({ payload: { owner: owner.id, ...days, ...parties, ...money } })
      yield* quotes.create({ payload: { transaction: id } })
      received.length = 0
      clock("2026-03-20")
      assert.lengthOf(received, 0)
      clock("2026-04-20")
      clock("2026-05-20")
      assert.lengthOf(received, 1)
      assert.strictEqual((yield* Webhook.decode(received[0])).quote!.status, "expired")
    }).pipe(Effect.provide(client))
  })

  it.effect("II 6: a body that says more, or other things, than is known is read all the same", () =>
    Effect.gen(function* () {
      const body = { id: "trns-1", status: "melting", policy: null, quote: null, event: { kind: "new" }, payments: [] }
      const read = yield* Webhook.decode(JSON.stringify(body))
      assert.deepStrictEqual({ ...read } as unknown, body)
      assert.isFalse(Webhook.isInsured(read))
      const quote = { id: "quo-1", transaction: {}, status: "accepted", client: { id: "co-1" }, insured_pc_net: 90.5 }
      const policy = { id: "pol-1", quote: "quo-1", status: "haunted", documents: [{ category: "other", url: "u" }] }
      const insured = yield* Webhook.decode(JSON.stringify({ ...body, quote, policy }))
      assert.isTrue(Webhook.isInsured(insured))
      assert.strictEqual(insured.quote!.insured_pc_net, Decimal.of("90.5"))
      for (const bad of ["", "{", "[]", "{}", '{"id":7}', undefined]) {
        assert.strictEqual((yield* Effect.exit(Webhook.decode(bad)))._tag, "Failure")
      }
    })
  )

  // As the service's own documentation shows them: what is whole inside a transaction does not name it again.
  const quote = {
    url: "https://api.example.com/v1/quotes/quo-1",
    id: "quo-1",
    client: { url: "https://api.example.com/v1/companies/co-2", id: "co-2", name: "Tern & Sons Ltd", country: "GB" },
    status: "offered",
    payment_required: true,
    created: "2026-03-01T09:00:00.000000Z",
    valid_until: "2026-03-31T09:00:00Z",
    policy: null,
    insured: { currency: "GBP", insured_amount: "900.00" },
    insured_pc_net: 90,
    insured_pc_gross: null,
    rejection_reason: null,
    total_price: "12.32",
    premium: "11.00",
    ipt: "1.32",
    price: { currency: "GBP", total_price: "12.32", premium: "11.00", ipt: "1.32", discounts: [] },
    proposed_quote: null
  }
  const policy = {
    url: "https://api.example.com/v1/policies/pol-1",
    id: "pol-1",
    number: "P-0001",
    status: "active",
    created: "2026-03-02T09:00:00.000000Z",
    documents: [{ category: "policy", url: "https://api.example.com/documents/1.pdf" }],
    collection: null,
    loss_payee: "Not applicable"
  }
  const invoice = {
    url: "https://api.example.com/v1/transactions/trns-1",
    id: "trns-1",
    owner: "user-1",
    unique_id: "INV-1",
    debtor: "co-1",
    creditor: "co-2",
    number: "INV-1",
    status: "pending",
    pay_method: "unknown",
    net_amount: "1000.00",
    gross_amount: "1200.00",
    currency: "GBP",
    issue_date: "2026-03-01",
    due_date: "2026-03-31",
    paid_date: null,
    items: [],
    scheduled_payments: [],
    payments: [],
    policy: null,
    quote: null,
    source: null,
    referral_url: "https://pay.example.com/trns-1?key=secret",
    transaction_key: "secret",
    metadata: {},
    estimated_quote_price: null
  }
  const documented = [
    ["of an invoice that nobody asked a quote for", invoice, false],
    ["of an offer", { ...invoice, quote }, false],
    [
      "of a policy",
      { ...invoice, policy, quote: { ...quote, status: "accepted", policy: "pol-1", referral_url: null } },
      true
    ]
  ] as const

  for (const [what, body, insured] of documented) {
    it.effect(`II 6: the documented body ${what} is read, and what a reading with expand answers`, () =>
      Effect.gen(function* () {
        const read = yield* Webhook.decode(JSON.stringify(body))
        assert.strictEqual(Webhook.isInsured(read), insured)
        assert.strictEqual(read.quote?.total_price, body.quote === null ? undefined : Decimal.of("12.32"))
        const { url } = yield* serve((_, response) => json(response, 200, body))
        const { transactions } = Context.get(
          yield* Layer.build(Client.layer({ url, key: Redacted.make("sandbox-key") })),
          Client
        )
        const answer = yield* transactions.get({
          params: { transaction_id: read.id },
          query: { expand: "policy,quote,debtor,creditor" }
        })
        assert.strictEqual(answer.gross_amount, Decimal.of("1200"))
      })
    )
  }
})
