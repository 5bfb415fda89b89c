/**
 * The way of an order through the typed client alone (DP 1): company search, organisation and user, order, offer, what
 * the buyer accepts, capture, void, refund. Only the buyer's checkout is the sandbox's own. And every endpoint of
 * deferred payment answers something that decodes.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Result } from "effect"
import { Client } from "../../../core/Client.ts"
import { DeferredPaymentApi } from "../../../core/deferred-payment/Api.ts"
import { build } from "../../../core/deferred-payment/OrderBuilder.ts"
import { documentForm } from "../../../core/deferred-payment/Orders.ts"
import { InsuranceApi } from "../../../core/insurance/Api.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { startSandbox } from "../../../core/sandbox/index.ts"
import * as Day from "../../../core/wire/Day.ts"
import { DeferredPaymentId } from "../../../core/wire/Ids.ts"

const of = Decimal.of

let sandbox: Awaited<ReturnType<typeof startSandbox>>
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, clock: "2024-03-01T09:00:00Z" })
})
afterAll(() => sandbox.close())

/** Operations that were called, by name. */
const called = new Set<string>()

const watched = (service: Client["Service"]): Client["Service"] =>
  new Proxy(service, {
    get: (groups, group) =>
      new Proxy(Reflect.get(groups, group) as object, {
        get: (methods, name) => {
          called.add(`${String(group)}.${String(name)}`)
          return Reflect.get(methods, name)
        }
      })
  })

const connect = Effect.suspend(() =>
  Effect.map(Layer.build(Client.layer({ url: sandbox.url, key: Redacted.make("sandbox-key") })), (services) =>
    watched(Context.get(services, Client))
  )
)

/** What the buyer does in the checkout element. */
const checkout = (offer: string, plan: string) =>
  Effect.promise(async () => {
    const path = `/sandbox/offers/${offer}/plans/${plan}/accept`
    const answer = await fetch(sandbox.url + path, { method: "POST", body: "{}" })
    return ((await answer.json()) as { readonly id: string }).id
  })

const registered = "2024-01-05T09:30:00Z"
const urls = { success: "", failure: "", cancel: "", notification: "" }
const key = (name: string) => ({ "idempotency-key": name })

const goods = {
  item_id: "flour",
  type: "product",
  description: "Flour",
  category: "/food/flour",
  quantity: of("2.5"),
  unit_price: of("1000.00002"),
  tax_rate: of("20")
}

/** Everything up to the order, as DP 1 has it. */
const ordered = Effect.fnUntraced(function* ({ companies, orders, organisations, users }: Client["Service"]) {
  const { matches } = yield* companies.search({ payload: { country: "GB", name: "Harbour Lane Bakery Ltd" } })
  const company = matches[0]!.id
  const { value: organisation } = yield* organisations.create({
    payload: { unique_id: "bakery", registered, company, metadata: { checkouts_count: 3 } }
  })
  const { value: user } = yield* users.create({ payload: { email: "ann@example.com", name: "Ann", registered } })
  const params = { organisation_id: organisation.id }
  yield* organisations.addUser({ params, payload: { id: user.id, role: "member" } })
  const payload = build({
    unique_id: "o-1",
    customer: { type: "registered", organisation: organisation.id, user: user.id },
    currency: "GBP",
    order_date: Day.of("2024-03-01"),
    items: [goods, { ...goods, item_id: "off", type: "discount", quantity: of("1"), unit_price: of("-500.00005") }]
  })
  if (Result.isFailure(payload)) return yield* payload.failure
  return { company, organisation, order: yield* orders.create({ payload: payload.success }) }
})

describe("DP 1: the way of an order, by the client alone", () => {
  it.live("company search -> order -> offer -> accepted -> capture -> void -> refund", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const { order } = yield* ordered(client)
      assert.deepStrictEqual([order.status, order.total_amount, order.tax_amount], ["unpaid", of("2000"), of("400")])

      const offer = yield* client.offers.create({ payload: { order: order.id, locale: "en-gb", urls } })
      const [plan] = offer.offered_payment_plans
      assert.deepStrictEqual([plan!.status, plan!.rejection_reason], ["offered", null])
      const id = DeferredPaymentId.make(yield* checkout(offer.id, plan!.id))
      const accepted = yield* client.offers.get({ params: { offer_id: offer.id }, query: { expand: "order" } })
      assert.strictEqual(accepted.offered_payment_plans[0]!.status, "accepted")
      assert.isObject(accepted.order)

      const { deferredPayments } = client
      const params = { deferred_payment_id: id }
      const paid = yield* deferredPayments.get({ params, query: {} })
      assert.deepStrictEqual([paid.status, paid.authorisation], ["accepted", of("2000")])

      const capture = { params, headers: key("capture-1"), payload: { amount: of("1200.00001") } }
      const captured = yield* deferredPayments.capture(capture)
      assert.deepStrictEqual([captured.type, captured.changes.authorisation], ["capture", of("-1200.00001")])
      assert.deepStrictEqual(yield* deferredPayments.capture(capture), captured)
      const voided = yield* deferredPayments.void({ params, headers: {}, payload: { amount: of("99.99999") } })
      assert.strictEqual(voided.changes.voided_authorisation, of("99.99999"))
      const rest = yield* deferredPayments.captureRemaining({ params, headers: {}, payload: {} })
      assert.strictEqual(rest.amount, of("700"))
      const refund = yield* deferredPayments.refund({ params, headers: {}, payload: { amount: of("0.00001") } })
      assert.deepStrictEqual([refund.type, refund.changes.refunds], ["refund", of("0.00001")])

      const settled = yield* deferredPayments.get({ params, query: { expand: "order" } })
      assert.deepStrictEqual(
        [
          settled.status,
          settled.authorisation,
          settled.protected_captures,
          settled.voided_authorisation,
          settled.refunds
        ],
        ["captured", 0n, of("1900.00001"), of("99.99999"), of("0.00001")]
      )
      const known = yield* client.orders.get({ params: { order_id: order.id }, query: {} })
      assert.deepStrictEqual([known.deferred_payment, known.payment_offer], [id, offer.id])
    })
  )

  it.live("what the service refuses comes back as one error that names every member", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const { order } = yield* ordered(client)
      const offer = yield* client.offers.create({ payload: { order: order.id, locale: "en-gb", urls } })
      const id = DeferredPaymentId.make(yield* checkout(offer.id, offer.offered_payment_plans[1]!.id))
      const { deferredPayments } = client
      const params = { deferred_payment_id: id }
      const much = yield* Effect.flip(
        deferredPayments.capture({ params, headers: {}, payload: { amount: of("2001") } })
      )
      assert.strictEqual(much.reason._tag, "Refused")
      assert.match(much.message, /^deferredPayments\.capture: refused with 400: amount: 2001 /)
      yield* deferredPayments.voidRemaining({ params, headers: key("one"), payload: {} })
      const misused = { params, headers: key("one"), payload: { amount: of("1") } }
      assert.match((yield* Effect.flip(deferredPayments.capture(misused))).message, /idempotency key/)
      const none = yield* Effect.flip(deferredPayments.captureRemaining({ params, headers: {}, payload: {} }))
      assert.strictEqual(none.reason._tag, "Conflict")
    })
  )
})

describe("the rest of the interface, by the client", () => {
  it.live("lists, changes, documents, intents, limits, preferences", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const { company, order, organisation } = yield* ordered(client)
      const params = { order_id: order.id }
      const renamed = yield* client.orders.update({ params, payload: { unique_id: "PO-7" } })
      assert.strictEqual(renamed.unique_id, "PO-7")
      const listed = yield* client.orders.list({ query: { limit: 1000, expand: "payment_offer" } })
      assert.include(
        listed.results.map(({ id }) => id),
        order.id
      )
      const file = { name: "invoice.pdf", type: "application/pdf", content: new TextEncoder().encode("%PDF-1.4") }
      const form = documentForm({ doc_type: "credit_note", amount: of("12.5"), file })
      assert.strictEqual((yield* client.orders.putDocument({ params, payload: form })).amount, of("12.5"))

      const { amounts, ...items } = { amounts: { total_amount: of("100"), tax_amount: of("20") }, ...goods }
      const intent = yield* client.intents.create({
        payload: {
          order: {
            customer: { user: { email: "bob@example.com", name: "Bob", registered } },
            unique_id: "i-1",
            currency: "GBP",
            total_amount: of("100"),
            items: [{ ...items, ...amounts, quantity: of("1"), unit_price: of("100") }]
          },
          merchant_urls: urls,
          locale: "en-gb"
        }
      })
      assert.match(String(intent.order), /^order-/)

      const limit = yield* client.paymentCreditLimits.company({
        params: { company_id: company },
        payload: { currency: "GBP" }
      })
      assert.strictEqual(limit.status, "eligible")
      assert.isTrue(limit.credit_limit!.amount_available <= limit.credit_limit!.amount)

      const wish = { payment_method_config: { card: { preference: "off" } } } as const
      const preferring = yield* client.preferences.update({ payload: { id: organisation.id, ...wish } })
      assert.strictEqual(preferring.payment_method_config!["card"]!.status, "off")
      const patched = yield* client.organisations.update({
        params: { organisation_id: organisation.id },
        payload: { payment_method_config: { card: { preference: "default" } } }
      })
      assert.strictEqual(patched.payment_method_config!["card"]!.status, "on")
    })
  )

  it("and that was every endpoint that is deferred payment's own", () => {
    const own = Object.entries(DeferredPaymentApi.groups)
      .filter(([group]) => !(group in InsuranceApi.groups))
      .flatMap(([group, { endpoints }]) => Object.keys(endpoints).map((name) => `${group}.${name}`))
    assert.deepStrictEqual(
      own.filter((name) => !called.has(name)),
      []
    )
  })

  it("is one client for both interfaces: no group of one is another thing in the other", () => {
    const shared = Object.keys(DeferredPaymentApi.groups).filter((name) => name in InsuranceApi.groups)
    assert.deepStrictEqual(shared.toSorted(), ["companies", "countries", "me", "organisations", "soletraders", "users"])
    for (const name of shared) {
      const paths = ({ groups }: { readonly groups: object }) =>
        Object.entries(
          (groups as Record<string, { endpoints: Record<string, { method: string; path: string }> }>)[name]!.endpoints
        ).map(([endpoint, { method, path }]) => `${endpoint} ${method} ${path}`)
      assert.deepStrictEqual(paths(DeferredPaymentApi), paths(InsuranceApi))
    }
  })
})
