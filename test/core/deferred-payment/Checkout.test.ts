/**
 * The shop's server at checkout, against the sandbox: what comes from a browser is checked, notifications are never
 * believed, and goods leave only when the service says so.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Client } from "../../../core/Client.ts"
import { Checkout, Day, Decimal } from "../../../core/index.ts"
import { startSandbox } from "../../../core/sandbox/index.ts"
import type { OrderId } from "../../../core/wire/Ids.ts"
import type { Json } from "./Sandbox.ts"

const KEY = Redacted.make("sk-shop-7d1c")

let sandbox: Awaited<ReturnType<typeof startSandbox>>
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, clock: "2026-03-01T09:00:00Z", keys: [Redacted.value(KEY), "sk-other"] })
})
afterAll(() => sandbox.close())

const run = <A, E>(effect: Effect.Effect<A, E, Client>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, Client.layer({ url: sandbox.url, key: KEY })))
const failure = <A, E>(effect: Effect.Effect<A, E, Client>): Promise<E> => run(Effect.flip(effect))

const control = async (method: string, path: string, body: unknown): Promise<Json> => {
  const answer = await fetch(`${sandbox.url}/sandbox/${path}`, { method, body: JSON.stringify(body) })
  return answer.json()
}

const registered = "2025-01-05T09:30:00Z"
const customer = (unique_id: string): Checkout.Customer => ({
  unique_id,
  registered,
  user: { email: `${unique_id}@example.com`, name: "Ann Example" }
})

const of = Decimal.of
const chair = {
  item_id: "chair",
  type: "product",
  description: "Chair",
  category: "/furniture/chairs",
  quantity: of("2"),
  unit_price: of("4999.5"),
  tax_rate: of("20")
}

const TRADER = {
  type: "sole-trader",
  trading_name: "Ann's Flowers",
  trading_address: "2 Mill Road",
  trading_address_city: "Portsmouth",
  trading_address_postcode: "PO2 2BB",
  trading_address_country: "GB",
  proprietor_name: "Ann Example",
  proprietor_address_line1: "Flat 1",
  proprietor_address_line2: "3 Hill Street",
  proprietor_address_city: "Southsea",
  proprietor_address_postcode: "PO3 3CC",
  proprietor_address_country: "GB",
  date_of_birth: "1980-02-29"
}

let count = 0
/** An order of 99.99 of a company, offered. */
const offered = Effect.fnUntraced(function* (company = "co-1000", notification = "") {
  const unique_id = `shop-${++count}`
  const chosen = yield* Checkout.selection({ type: "registered-company", id: company })
  const order = yield* Checkout.order({
    unique_id,
    customer: yield* Checkout.buyer(customer(unique_id), chosen),
    currency: "GBP",
    order_date: Day.of("2026-03-01"),
    items: [chair]
  })
  return { order, offer: yield* Checkout.offer(order.id, { locale: "en-gb", notification }) }
})

const accept = async (
  offer: { readonly id: string; readonly offered_payment_plans: ReadonlyArray<{ id: string }> },
  status = "accepted"
) => control("POST", `offers/${offer.id}/plans/${offer.offered_payment_plans[0]!.id}/accept`, { status })

describe("the buyer", () => {
  it("is an organisation of the company that was chosen, with the user in it; made again it is the same", async () => {
    const sent = JSON.stringify({ type: "registered-company", id: "co-1001", name: "Somebody else Ltd", confidence: 1 })
    const buyer = Checkout.selection(sent).pipe(Effect.flatMap((chosen) => Checkout.buyer(customer("acme"), chosen)))
    const first = await run(buyer)
    assert.deepStrictEqual(await run(buyer), first)
    assert.strictEqual(first.type, "registered")
    const { members, organisation } = await run(
      Effect.gen(function* () {
        const { organisations } = yield* Client
        const params = { organisation_id: first.organisation }
        return {
          organisation: yield* organisations.get({ params, query: {} }),
          members: yield* organisations.listUsers({ params, query: {} })
        }
      })
    )
    assert.deepStrictEqual([organisation.unique_id, String(organisation.company)], ["acme", "co-1001"])
    assert.deepStrictEqual(
      members.results.map(({ id, role }) => [id, role]),
      [[first.user, "member"]]
    )
  })

  it("is a sole trader that is made for it, and brought up to date when it comes again", async () => {
    const buyer = (more: object) =>
      Checkout.selection({ ...TRADER, ...more }).pipe(
        Effect.flatMap((chosen) => Checkout.buyer(customer("flowers"), chosen))
      )
    const first = await run(buyer({}))
    assert.strictEqual(first.type, "sole-trader")
    assert.deepStrictEqual(await run(buyer({ trading_name: "Ann's Roses" })), first)
    const { results } = await run(Effect.flatMap(Client, ({ soletraders }) => soletraders.list({ query: {} })))
    assert.deepStrictEqual(
      results.map(({ trading_name, unique_id }) => [unique_id, trading_name]),
      [["flowers", "Ann's Roses"]]
    )
  })

  it("is nobody that a browser has made up", async () => {
    const { date_of_birth: _, ...incomplete } = TRADER
    for (const [sent, why] of [
      ["{", "it is not JSON"],
      ["null", ""],
      [{ type: "registered-company", id: "org-1" }, "co- or st-"],
      [{ type: "company", id: "co-1000" }, ""],
      [incomplete, "date_of_birth"]
    ] as const) {
      const error = await failure(Checkout.selection(sent))
      assert.strictEqual(error._tag, "UnreadableSelection")
      assert.include(error.message, why)
    }
    const nobody = Checkout.selection({ type: "registered-company", id: "co-nobody" })
    const error = await failure(Effect.flatMap(nobody, (chosen) => Checkout.buyer(customer("nobody"), chosen)))
    assert.deepInclude(error, { _tag: "ServiceError", operation: "companies.get" })
  })
})

describe("the offer", () => {
  it("follows from a cart: amounts, taxes, order and plans", async () => {
    const { offer, order } = await run(offered())
    assert.deepInclude(order, { total_amount: of("9999"), tax_amount: of("1999.8"), currency: "GBP" })
    assert.strictEqual(offer.order, order.id)
    assert.isTrue(Checkout.isOffered(offer))
    assert.isFalse(Checkout.isOffered((await run(offered("co-2010"))).offer))
    const error = await failure(
      Checkout.order({
        unique_id: "none",
        customer: { type: "registered", organisation: order.customer.organisation as never, user: "user-1" as never },
        currency: "GBP",
        order_date: Day.of("2026-03-01"),
        items: []
      })
    )
    assert.include(error.message, "items: the list is empty")
  })

  it("or an intent, whose buyer is known at checkout only", async () => {
    const draft = {
      unique_id: "intent-1",
      customer: { user: { email: "ann@example.com", name: "Ann", registered } },
      currency: "GBP",
      items: [chair],
      locale: "en-gb",
      notification: "https://shop.example/notified"
    }
    const intent = await run(Checkout.intent(draft))
    assert.match(String(intent.payment_url), /key=/)
    assert.deepInclude(intent.request?.["merchant_urls"], { notification: "https://shop.example/notified" })
    const customer = { ...draft.customer, delivery_address: { country: "Nowhere" } }
    const error = await failure(Checkout.intent({ ...draft, customer, items: [{ ...chair, tax_rate: of("120") }] }))
    assert.include(error.message, 'customer.delivery_address.country: "Nowhere" is not a country')
    assert.include(error.message, "tax_rate is not between 0 and 100")
  })

  it("goes to the page as the element takes it, and the secret key does not", async () => {
    const { offer } = await run(offered())
    const given = { sdk: sandbox.sdk, publicKey: sandbox.publicKeys[0]!, offer }
    const raw = await fetch(`${sandbox.url}/v1/payment/offers/${offer.id}`, {
      headers: { authorization: `Token ${Redacted.value(KEY)}` }
    })
    const { paymentOffer, ...rest } = JSON.parse(Checkout.page(given, KEY))
    assert.deepStrictEqual(paymentOffer, await raw.json())
    assert.deepStrictEqual(rest, { sdk: sandbox.sdk, publicKey: sandbox.publicKeys[0] })
    assert.throws(() => Checkout.page({ ...given, publicKey: Redacted.value(KEY) }, KEY), /secret key/)
    assert.throws(() => Checkout.page({ ...given, publicKey: "" }, KEY), /needs the public key/)
    const hostile = { ...offer, metadata: { note: "</script><script>alert(1)</script>&\u2028" } }
    const text = Checkout.page({ ...given, offer: hostile }, KEY)
    assert.notMatch(text, /[<>&\u2028]/)
    assert.deepStrictEqual(JSON.parse(text).paymentOffer.metadata, hostile.metadata)
    assert.deepStrictEqual(Checkout.policy(sandbox.sdk, sandbox.frame), {
      "script-src": sandbox.url,
      "connect-src": `${sandbox.url} ${sandbox.frame}`,
      "frame-src": `${sandbox.url} ${sandbox.frame}`
    })
  })
})

describe("a notification", () => {
  it("is read, and the service is asked: what it says of the status counts for nothing", async () => {
    const { offer, order } = await run(offered())
    const { id } = await accept(offer, "pending_review")
    const forged = {
      created: "",
      data: { order: { id: "order-1", deferred_payment: { id, number: "", status: "accepted" } } }
    }
    const heard = await run(Checkout.heard(JSON.stringify(forged)))
    assert.deepStrictEqual([heard.payment.status, heard.order.id], ["pending_review", order.id])
    const missing = { data: { order: { deferred_payment: { id: "defpay-nobody" } } } }
    assert.deepInclude(await failure(Checkout.heard(missing)), { operation: "deferredPayments.get" })
    for (const body of ["", "[]", "{}", '{"data":{"order":{}}}'])
      assert.strictEqual((await failure(Checkout.heard(body)))._tag, "UnreadableNotification", body)
  })
})

describe("may this be shipped?", () => {
  const all = of("9999")

  it("not before the buyer has chosen, nor while it is looked at, nor when it is refused", async () => {
    const { offer, order } = await run(offered())
    const ask = () => run(Checkout.mayShip(order.id, all))
    assert.deepStrictEqual(await ask(), { ship: false, why: "the buyer has not chosen to pay later" })
    const { id } = await accept(offer, "pending_review")
    assert.deepStrictEqual(await ask(), {
      ship: false,
      why: "the deferred payment is pending_review: it may still be accepted"
    })
    for (const [status, why] of [
      ["rejected", "it will not be paid this way"],
      ["customer_action_required", "it may still be accepted"],
      ["voided", "it will not be paid this way"]
    ]) {
      await control("PUT", `deferred_payments/${id}/status`, { status })
      assert.deepStrictEqual(await ask(), { ship: false, why: `the deferred payment is ${status}: ${why}` })
    }
    await control("PUT", `deferred_payments/${id}/status`, { status: "accepted" })
    assert.isTrue((await ask()).ship)
    assert.deepInclude(await failure(Checkout.mayShip("order-nobody" as OrderId, all)), { operation: "orders.get" })
  })

  it("as much as is authorised in all, whether or not earlier parcels have been captured", async () => {
    const { offer, order } = await run(offered())
    const { id } = await accept(offer)
    const ask = (leaving: string) => run(Checkout.mayShip(order.id, of(leaving)))
    assert.isTrue((await ask("9999")).ship)
    const params = { deferred_payment_id: id }
    await run(
      Effect.flatMap(Client, ({ deferredPayments }) =>
        deferredPayments.capture({ params, headers: { "idempotency-key": "a" }, payload: { amount: of("5000") } })
      )
    )
    assert.isTrue((await ask("9999")).ship)
    assert.deepStrictEqual(await ask("9999.5"), {
      ship: false,
      why: "99.995 GBP would have left, and 99.99 GBP is authorised"
    })
    await control("PUT", `deferred_payments/${id}/authorisation`, { amount: 1000 })
    assert.deepStrictEqual(await ask("9999"), {
      ship: false,
      why: "99.99 GBP would have left, and 60.00 GBP is authorised"
    })
  })
})
