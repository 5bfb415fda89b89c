/**
 * Every schema of deferred payment: what it has read it writes so that it reads the same again, members and values that
 * the service may add later come through (DP 9), and amounts stay what they were to the last digit.
 *
 * What is read is what the sandbox answers, changed at random: other values of the same kind, nulls, members that are
 * left out, and members that nobody knows.
 */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { PaymentCreditLimit } from "../../../core/deferred-payment/CreditLimits.ts"
import { DeferredPayment, LedgerEvent } from "../../../core/deferred-payment/DeferredPayments.ts"
import { Intent } from "../../../core/deferred-payment/Intents.ts"
import { Offer, OfferCreate, PaymentPlan } from "../../../core/deferred-payment/Offers.ts"
import { IntentCreate, ItemCreate, OrderCreate } from "../../../core/deferred-payment/OrderRequests.ts"
import { Item, Order } from "../../../core/deferred-payment/Orders.ts"
import { PaymentMethods, PaymentMethodWishes } from "../../../core/deferred-payment/PaymentMethods.ts"
import { StrictSoleTraderCreate } from "../../../core/deferred-payment/SoleTraders.ts"
import { SoleTrader } from "../../../core/insurance/SoleTraders.ts"
import { Metadata } from "../../../core/wire/Open.ts"
import { asking, type Json } from "./Sandbox.ts"
import { times } from "../../support/Effort.ts"

const { ask, organisation, user } = asking()

const item = {
  item_id: "1",
  type: "product",
  description: "Flour",
  category: "/food",
  metadata: { a: [1, { b: null }] },
  supplier_id: null,
  quantity: "2",
  unit_price: 1200.00001,
  tax_rate: "8.875",
  total_amount: 2400.00002,
  tax_amount: 213
}
const address = { name: "Ann", address_line1: "1", city: "York", postcode: "YO1", country: "GB" }
const urls = { success: "", failure: "", cancel: "", notification: "" }
const basket = {
  unique_id: "o-1",
  customer: { type: "registered", organisation, user, delivery_address: address, invoice_address: null },
  currency: "GBP",
  total_amount: 2400.00002,
  tax_amount: 213,
  order_date: "2024-03-01",
  items: [item],
  metadata: { channel: "web" }
}
const order = ask("POST", "/v1/payment/orders", basket).body
const offering = { order: order.id, locale: "en-gb", urls, metadata: { x: 1 } }
const offer = ask("POST", "/v1/payment/offers", offering).body
const [plan] = offer.offered_payment_plans
const payment = ask("POST", `/sandbox/offers/${offer.id}/plans/${plan.id}/accept`).body
const event = ask("POST", `/v1/payment/deferred_payments/${payment.id}/capture`, { amount: 0.00001 }).body
const registered = "2024-01-05T09:30:00Z"
const { invoice_address } = { invoice_address: { ...address, town: "York" } }
const intending = {
  order: {
    customer: { user: { email: "a@example.com", name: "A", registered }, invoice_address },
    unique_id: "i-1",
    currency: "GBP",
    total_amount: 2400.00002,
    items: [item]
  },
  merchant_urls: urls,
  locale: "en-gb"
}
const trading = {
  ...Object.fromEntries(["trading", "proprietor"].flatMap((who) => [[`${who}_name`, "Ann"]])),
  ...Object.fromEntries(["", "_city", "_postcode", "_country"].map((part) => [`trading_address${part}`, "GB"])),
  ...Object.fromEntries(
    ["_line1", "_line2", "_city", "_postcode", "_country"].map((part) => [`proprietor_address${part}`, "GB"])
  ),
  owner: user,
  unique_id: "t-1",
  date_of_birth: "1980-02-29"
}

const declined = ask("GET", "/sandbox/companies").body.find((one: Json) => one.decision?.code === "buyer-country")

/** Answers keep what they do not know. */
const answers: ReadonlyArray<readonly [string, Schema.Top, Json]> = [
  ["Order", Order, order],
  ["Order, expanded", Order, ask("GET", `/v1/payment/orders/${order.id}?expand=payment_offer,deferred_payment`).body],
  ["Item", Item, order.items[0]],
  ["Offer", Offer, offer],
  ["PaymentPlan", PaymentPlan, plan],
  ["DeferredPayment", DeferredPayment, payment],
  ["LedgerEvent", LedgerEvent, event],
  ["Intent", Intent, ask("POST", "/v1/payment/intents", intending).body],
  ["PaymentCreditLimit", PaymentCreditLimit, ask("POST", "/v1/payment/credit_limits/company/co-1000", {}).body],
  [
    "PaymentCreditLimit, declined",
    PaymentCreditLimit,
    ask("POST", `/v1/payment/credit_limits/company/${declined.id}`, {}).body
  ],
  ["SoleTrader", SoleTrader, ask("POST", "/v1/soletraders", trading).body],
  ["PaymentMethods", PaymentMethods, ask("GET", `/v1/organisations/${organisation}`).body.payment_method_config]
]

/** Requests leave out what is not theirs. */
const requests: ReadonlyArray<readonly [string, Schema.Top, Json]> = [
  ["OrderCreate", OrderCreate, basket],
  ["ItemCreate", ItemCreate, item],
  ["OfferCreate", OfferCreate, offering],
  ["IntentCreate", IntentCreate, intending],
  ["StrictSoleTraderCreate", StrictSoleTraderCreate, trading],
  ["PaymentMethodWishes", PaymentMethodWishes, { card: { preference: "off" }, cash: {} }]
]

const codec = (schema: Schema.Top) => {
  const one = schema as Schema.Codec<unknown, unknown>
  return { decode: Schema.decodeUnknownResult(one), encode: Schema.encodeSync(one) }
}

/** Minor units that JSON carries: 15 digits at most, five of them after the point. */
const minor = fc
  .tuple(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.integer({ min: 0, max: 99_999 }))
  .map(([whole, part]) => Number(`${whole}.${String(part).padStart(5, "0")}`))

/** Another value of the same kind at some places, some left out, some null, some new; one in `keep` or so. */
const changed = (value: Json, keep: number): fc.Arbitrary<Json> => {
  const same = fc.constant(value)
  if (typeof value === "number") return fc.oneof(same, minor)
  if (typeof value === "string")
    return fc.oneof({ weight: keep, arbitrary: same }, { weight: 1, arbitrary: fc.string() })
  if (value === null) return same
  if (Array.isArray(value))
    return fc.tuple(...value.map((one: Json) => changed(one, keep))).chain((all) => fc.subarray(all))
  if (typeof value !== "object") return same
  const members = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      fc.oneof(
        { weight: keep, arbitrary: changed(one, keep) },
        { weight: 1, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constant(undefined) }
      )
    ])
  )
  return fc.tuple(fc.record(members), fc.option(fc.jsonValue({ maxDepth: 2 }))).map(([known, added]) => ({
    ...Object.fromEntries(Object.entries(known).filter(([, one]) => one !== undefined)),
    ...(added === null ? {} : { added_later: added })
  }))
}

/** How many values there are in it. */
const size = (value: Json): number =>
  value !== null && typeof value === "object"
    ? Object.values(value).reduce((sum: number, one) => sum + size(one), 1)
    : 1

describe("decode(encode(x)) = x", () => {
  // More of a request is needed, so less of it is changed; and a large sample is not changed in more places than a small.
  const all = [
    ...answers.map(([name, schema, sample]) => ({ name, schema, sample, keep: Math.max(20, 4 * size(sample)) })),
    ...requests.map(([name, schema, sample]) => ({ name, schema, sample, keep: 200 }))
  ]
  it.each(all)("$name", ({ keep, sample, schema }) => {
    const { decode, encode } = codec(schema)
    // Never fewer: what was met is counted.
    let met = 0
    fc.assert(
      fc.property(changed(sample, keep), (made) => {
        // What never was JSON, such as a negative zero, is none of what is read.
        const value = decode(JSON.parse(JSON.stringify(made)))
        if (Result.isFailure(value)) return
        met++
        const again = decode(JSON.parse(JSON.stringify(encode(value.success))))
        assert.deepStrictEqual(Result.isSuccess(again) && again.success, value.success)
      }),
      { numRuns: Math.max(300, times(300)) }
    )
    assert.isAbove(met, 20)
  })
})

/** A member that nobody knows at every level, and every enumerated word another one. */
const WORDS = /^(type|status|preference|payment_terms_relative_to|pay_method|doc_type)$/
const later = (value: Json, name = ""): Json => {
  if (typeof value === "string") return WORDS.test(name) ? `${value}_of_the_future` : value
  if (Array.isArray(value)) return value.map((one) => later(one))
  if (value === null || typeof value !== "object") return value
  const members = Object.entries(value).map(([member, one]) => [member, later(one, member)])
  return { ...Object.fromEntries(members), added_later: { deep: [1] } }
}

describe("DP 9: what the service may add later", () => {
  // A map of methods has no members of its own: what is added to it is a method.
  const open = answers.filter(([name]) => name !== "PaymentMethods")
  it.each(open.map(([name, schema, sample]) => ({ name, schema, sample })))(
    "$name keeps members and values that nobody knows",
    ({ sample, schema }) => {
      const { decode, encode } = codec(schema)
      const { payment_method_config: _, ...known } = sample
      const wire = later(known)
      const value = decode(wire)
      if (Result.isFailure(value)) throw value.failure
      // Percentages and quantities are written with the digits that they have; everything else as it came.
      const plain = (json: Json) =>
        JSON.parse(JSON.stringify(json), (member, one) =>
          (member === "quantity" || member === "tax_rate") && typeof one === "string" ? Number(one) : one
        )
      assert.deepStrictEqual(plain(encode(value.success)), plain(wire))
    }
  )

  it("an empty list, as PHP writes an object without members, is one; anything else in its place is refused", () => {
    for (const schema of [Metadata, PaymentMethods, PaymentMethodWishes]) {
      const { decode, encode } = codec(schema as Schema.Top)
      const empty = decode([])
      if (Result.isFailure(empty)) throw empty.failure
      assert.deepStrictEqual([empty.success, encode(empty.success)], [{}, {}])
      for (const wrong of [[1], "", 0, true]) assert.isTrue(Result.isFailure(decode(wrong)))
    }
  })

  it("a new type of payment method and a new preference are read", () => {
    const { decode } = codec(PaymentMethods)
    const value = decode({ cheque: { status: "sometimes", overridable: true, preference: "rarely", since: 1 } })
    assert.deepStrictEqual(Result.isSuccess(value) && value.success, {
      cheque: { status: "sometimes", overridable: true, preference: "rarely", since: 1 }
    })
  })
})
