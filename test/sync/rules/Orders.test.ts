/**
 * The promises of the orders' reconciler, over random orders, parcels, cancellations and returns in any order, each plan
 * carried out in part or in whole before the shop changes its mind; and its rules by example.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Document } from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import { bodyOf, isReading, type OrderCall } from "../../../sync/model/Call.ts"
import type { Planning } from "../../../sync/model/Connection.ts"
import { advanceOrder, authorised, type RemoteOrder } from "../../../sync/model/RemoteOrder.ts"
import { meant } from "../../../sync/rules/OrderContradictions.ts"
import { Lines } from "../../../sync/rules/OrderAllocation.ts"
import { sorted } from "../../../sync/rules/OrderMeaning.ts"
import { type OrderDecision, reconcileOrder } from "../../../sync/rules/Orders.ts"
import { uuid } from "../../../sync/rules/OrderPostings.ts"
import type { OrderFacts } from "../../../sync/model/OrderFacts.ts"
import { planning as plain } from "../../support/Documents.ts"
import {
  aboutOrder,
  cancellation,
  line,
  order,
  type OrderHistory,
  orderHistories,
  parcel,
  returned
} from "../../support/Orders.ts"
import { runs } from "../../support/Effort.ts"

interface Moment {
  readonly facts: OrderFacts
  readonly remote: RemoteOrder | undefined
  readonly planning: Planning
}

/** The captures, voids and refunds of a plan. */
const postings = ({ calls }: OrderDecision) => calls.filter((call) => "orderPosting" in call)

const carryOut = (remote: RemoteOrder | undefined, calls: ReadonlyArray<OrderCall>): RemoteOrder | undefined =>
  calls.reduce<RemoteOrder | undefined>((now, call) => advanceOrder(now, call), remote)

/** Walks through a history. The deferred payment is accepted, or not yet, as the step says. */
const walk = ({ planning, steps }: OrderHistory, look: (moment: Moment) => void): void => {
  let remote: RemoteOrder | undefined
  for (const { documents, made, status } of steps) {
    if (remote !== undefined) remote = { ...remote, status }
    const facts = aboutOrder(documents)
    look({ facts, remote, planning })
    remote = carryOut(remote, reconcileOrder(facts, remote, planning).calls.slice(0, made))
  }
}

const words = ({ attention }: OrderDecision): string =>
  attention.map((one) => `${one.rule} ${one.fact} ${one.why}`).join("\n")

const prop = (name: string, look: (moment: Moment) => void, n = 500) =>
  it.prop(name, { history: orderHistories }, ({ history }) => walk(history, look), runs(n))

describe("orders", () => {
  prop("settled: carrying out a plan leaves nothing to send, and the same attention", ({ facts, planning, remote }) => {
    const plan = reconcileOrder(facts, remote, planning)
    const after = reconcileOrder(facts, carryOut(remote, plan.calls), planning, { looked: true })
    assert.deepStrictEqual(after.calls, [])
    assert.deepStrictEqual(words(after), words(plan))
    assert.strictEqual(after.open, plan.open)
  })

  prop("ordered: the order in which facts are listed does not change the plan", ({ facts, planning, remote }) => {
    const reversed = { ...facts, movements: facts.movements.toReversed() }
    assert.deepStrictEqual(reconcileOrder(reversed, remote, planning), reconcileOrder(facts, remote, planning))
  })

  prop("resumable: after any prefix of a plan, the new plan is the rest of it", ({ facts, planning, remote }) => {
    const plan = reconcileOrder(facts, remote, planning)
    for (let done = 1; done < plan.calls.length; done++) {
      const made = plan.calls.slice(0, done)
      const looked = made.some(isReading)
      const rest = reconcileOrder(facts, carryOut(remote, made), planning, { looked })
      assert.deepStrictEqual(rest.calls, plan.calls.slice(done))
      assert.deepStrictEqual(words(rest), words(plan))
    }
  })

  prop("captured + voided + open = total after every call, and never more back than was captured", (moment) => {
    let remote = moment.remote
    const total = remote === undefined ? undefined : authorised(remote)
    for (const call of reconcileOrder(moment.facts, remote, moment.planning).calls) {
      remote = advanceOrder(remote, call)
      assert.strictEqual(authorised(remote!), total ?? authorised(remote!))
      assert.isTrue(BigInt(remote!.open) >= 0n)
      assert.isTrue(BigInt(remote!.refunded) <= BigInt(remote!.captured))
    }
  })

  prop("each fact once, under a key of its own, for the sum of its lines", ({ facts, planning, remote }) => {
    const after = carryOut(remote, reconcileOrder(facts, remote, planning).calls)
    const unique = (all: ReadonlyArray<string>) => assert.strictEqual(new Set(all).size, all.length)
    unique((after?.postings ?? []).flatMap(({ key }) => (key === "" ? [] : [key])))
    unique((after?.postings ?? []).flatMap(({ fact }) => (fact === facts.key ? [] : [fact])))
    for (const { body, orderPosting } of postings(reconcileOrder(facts, remote, planning))) {
      const sum = orderPosting.lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
      assert.strictEqual(`${sum}`, orderPosting.amount)
      assert.strictEqual(body.amount, Number(sum))
      assert.isTrue(orderPosting.lines.every(({ amount }) => BigInt(amount) >= 0n))
    }
  })

  prop(
    "an order whose goods have all left, or been given up, is sent to the last unit",
    ({ planning, facts }) => {
      const documents = [
        parcel("1", { a: "1" }),
        parcel("2", { a: "1", b: "1" }),
        cancellation("3", { c: "1" }),
        parcel("4")
      ]
      const { movements } = aboutOrder(documents)
      const all: OrderFacts = { ...facts, order: { ...facts.order!, status: "open" }, movements }
      const after = carryOut(undefined, reconcileOrder(all, undefined, planning).calls)!
      assert.deepStrictEqual([after.open, BigInt(after.captured) + BigInt(after.voided)], ["0", authorised(after)])
    },
    500
  )

  prop("every fact is sent, or waits with a reason that can be read", ({ facts, planning, remote }) => {
    const plan = reconcileOrder(facts, remote, planning)
    if (plan.waits) return assert.match(plan.reason!, /^O5/)
    const after = carryOut(remote, plan.calls)!
    const known = new Set([...after.postings, ...plan.attention].map(({ fact }) => fact))
    const lines = new Lines(facts.order!, planning.orders!)
    for (const posting of after.postings) lines.book(posting)
    const goods = meant(facts, facts.order!, after)
    for (const { document, key } of sorted(facts.movements)) {
      if (known.has(key)) continue
      const taking = ({ fulfilment: "capture", cancellation: "void", return: "refund" } as const)[document.kind]
      const parts = lines.parts(document, goods.get(key)!, taking)
      if (typeof parts === "string" && taking === "void" && after.postings.some(({ fact }) => fact === facts.key))
        continue
      if (typeof parts === "string") return assert.fail(`${key}: ${parts}`)
      assert.isTrue(
        parts.every(({ amount }) => amount === "0"),
        `${key} is neither sent nor explained`
      )
      lines.book({ lines: parts, taking })
    }
  })
})

const plan = (
  documents: ReadonlyArray<Document>,
  remote?: RemoteOrder,
  orders: Planning["orders"] = {}
): OrderDecision => reconcileOrder(aboutOrder(documents), remote, { ...plain, orders })

const held = (documents: ReadonlyArray<Document>, remote?: RemoteOrder, orders: Planning["orders"] = {}): RemoteOrder =>
  carryOut(remote, plan(documents, remote, orders).calls)!

/** Rule, operation and minor units of what would be sent. */
const sent = (decision: OrderDecision) =>
  postings(decision).map(({ body, orderPosting, rule }) => [rule, orderPosting.taking, body.amount] as const)

const three = [parcel("1", { chairs: "1" }), parcel("2", { chairs: "3", lamps: "1" }), parcel("3", { lamps: "1" })]

describe("rules of orders", () => {
  it("O1: a parcel is captured with its share of the delivery, by value", () => {
    assert.deepStrictEqual(sent(plan([order(), ...three])), [
      ["O1", "capture", 1667],
      ["O1", "capture", 5741],
      ["O1", "capture", 741]
    ])
  })

  it("O1: the delivery goes by quantity, or whole with the first parcel, when the connection says so", () => {
    const amounts = (orders: Planning["orders"]) =>
      sent(plan([order(), ...three], undefined, orders)).map(([, , n]) => n)
    assert.deepStrictEqual(amounts({ shipping: "quantity" }), [1625, 5667, 792])
    assert.deepStrictEqual(amounts({ shipping: "first" }), [2500, 5167, 667])
  })

  it("O1: fees and discounts likewise; what goes with the first parcel is voided with the last goods", () => {
    const lines = [line("a", "1", "10.00"), line("b", "3", "10.00"), line("fee", "1", "4.00", "fee")]
    const amounts = (orders: Planning["orders"], ...facts: ReadonlyArray<Document>) =>
      sent(plan([order({ lines }), ...facts], undefined, orders)).map(([, taking, n]) => `${taking} ${n}`)
    const both = [parcel("1", { a: "1" }), parcel("2", { b: "3" })]
    assert.deepStrictEqual(amounts({}, ...both), ["capture 1200", "capture 1200"])
    assert.deepStrictEqual(amounts({ fees: "quantity" }, ...both), ["capture 1100", "capture 1300"])
    assert.deepStrictEqual(amounts({ fees: "first" }, ...both), ["capture 1400", "capture 1000"])
    const none = [cancellation("1", { a: "1" }, "2026-03-02"), cancellation("2", { b: "3" })]
    assert.deepStrictEqual(amounts({ fees: "first" }, ...none), ["void 1000", "void 1400"])
    const off = { lines: [line("a", "1", "10.00"), line("b", "3", "10.00"), line("off", "1", "-4.00", "discount")] }
    const discounted = (orders: Planning["orders"]) =>
      sent(plan([order(off), ...both], undefined, orders)).map(([, , n]) => n)
    assert.deepStrictEqual(discounted({}), [800, 800])
    assert.deepStrictEqual(discounted({ discounts: "quantity" }), [900, 700])
  })

  it("O2: what is cancelled is voided, and the rest once the order is closed", () => {
    const facts = [parcel("1", { chairs: "4" }), cancellation("2", { rug: "1" })]
    assert.deepStrictEqual(sent(plan([order({ status: "closed" }), ...facts])), [
      ["O1", "capture", 6667],
      ["O2", "void", 1111],
      ["O2", "void", 2222]
    ])
    assert.deepStrictEqual(sent(plan([order({ status: "closed" }), ...facts], undefined, { void_remainder: false })), [
      ["O1", "capture", 6667],
      ["O2", "void", 1111]
    ])
  })

  it("O3: what comes back is refunded as it was captured; what was never captured waits for a person", () => {
    const remote = held([order(), parcel("1", { lamps: "3" })])
    const back = plan([order(), parcel("1", { lamps: "3" }), returned("R", { lamps: "2" })], remote)
    assert.deepStrictEqual(sent(back), [["O3", "refund", 1482]])
    const early = plan([order(), returned("R", { rug: "1" })])
    assert.deepStrictEqual(sent(early), [])
    assert.match(early.attention[0]!.why, /1 of rug, but 0 was captured/)
  })

  it("O4: a new reference is sent, once", () => {
    const known = { ...held([order()]), order: "order-1" }
    const [call] = plan([order({ number: "SHOP-1B" })], known).calls
    assert.deepStrictEqual(
      [call!.operation, call!.params, bodyOf(call!)],
      ["orders.update", { order_id: "order-1" }, { unique_id: "SHOP-1B" }]
    )
    assert.deepStrictEqual(plan([order({ number: "SHOP-1B" })], carryOut(known, [call!])).calls, [])
  })

  it("O5: it waits while the deferred payment is not accepted, and reads it once a run", () => {
    const remote: RemoteOrder = { ...held([order()]), status: "pending_review" }
    const waits = plan([order(), parcel("1")], remote)
    assert.deepStrictEqual(
      waits.calls.map(({ operation }) => operation),
      ["deferredPayments.get"]
    )
    assert.deepStrictEqual(waits.reason, "O5: waiting, the deferred payment is pending_review")
    assert.deepStrictEqual(
      reconcileOrder(aboutOrder([order(), parcel("1")]), remote, plain, { looked: true }).calls,
      []
    )
    const rejected = plan([order(), parcel("1")], { ...remote, status: "rejected" })
    assert.deepStrictEqual([rejected.calls.length, rejected.attention[0]!.rule], [1, "O5"])
  })

  it("O6: nothing is captured beyond what is authorised, nor what others have captured", () => {
    const remote: RemoteOrder = { ...held([order()]), open: "5000" }
    const over = plan([order(), parcel("1")], remote)
    assert.deepStrictEqual(sent(over), [])
    assert.match(
      over.attention[0]!.why,
      /100\.00 GBP is to be captured, but only 50\.00 GBP of the authorised amount is left/
    )
    const others = plan([order(), parcel("1", { rug: "1" })], { ...held([order()]), captured: "1000", open: "9000" })
    assert.deepStrictEqual(sent(others), [])
    assert.isTrue(others.attention.some(({ why }) => why.includes("10.00 GBP for capture in all")))
  })

  it("what was authorised beyond the order goes with the rest of a closed one, and leaves nothing to see", () => {
    const documents = [order({ status: "closed" }), parcel("1")]
    const remote = held(documents, { ...held([order()]), open: "12500" })
    assert.deepStrictEqual([remote.open, remote.captured, remote.voided], ["0", "10000", "2500"])
    assert.deepStrictEqual(plan(documents, remote).attention, [])
  })

  it("an amount without goods is voided or refunded, and what is left still comes to the order's total", () => {
    const documents = [
      order(),
      { ...cancellation("off", {}, "2026-03-01"), amount: of("20.00") },
      parcel("1", { chairs: "4" }),
      { ...returned("back"), amount: of("10.00") },
      returned("chairs", { chairs: "4" }, "2026-03-10")
    ]
    assert.deepStrictEqual(sent(plan(documents)), [
      ["O2", "void", 2000],
      ["O1", "capture", 5333],
      ["O3", "refund", 1000],
      ["O3", "refund", 4333]
    ])
    assert.deepStrictEqual(sent(plan([...documents, parcel("2")])).at(2), ["O1", "capture", 2667])
  })

  it("goods that come back for less than they cost: the amount is the source's", () => {
    const less = { ...returned("R", { chairs: "2" }), amount: of("25.00") }
    const documents = [order(), parcel("1", { chairs: "4", lamps: "3" }), less]
    assert.deepStrictEqual(sent(plan(documents)).at(-1), ["O3", "refund", 2500])
    // 33.33 is what the two chairs come to; the rest comes off all that was captured and is not given back.
    const more = { ...less, amount: of("40.00") }
    assert.deepStrictEqual(sent(plan([...documents.slice(0, 2), more])).at(-1), ["O3", "refund", 4000])
    const [matter] = plan([...documents.slice(0, 2), { ...less, amount: of("88.90") }]).attention
    assert.match(matter!.why, /88\.90 GBP, but 88\.89 GBP was captured and not given back/)
  })

  it("an amount that changes after it was sent is for a person", () => {
    const before = [order(), parcel("1"), { ...returned("R"), amount: of("10.00") }]
    const remote = held(before)
    assert.deepStrictEqual(plan(before, remote).attention, [])
    for (const after of [{ ...returned("R"), amount: of("11.00") }, returned("R")]) {
      const decision = plan([...before.slice(0, 2), after], remote)
      assert.match(decision.attention[0]!.why, /10\.00 GBP was sent for it, and the source now says something else/)
      assert.deepStrictEqual(postings(decision), [])
    }
  })

  it("what was sent is never sent anew: an edited or deleted fact is for a person", () => {
    const remote = held([order(), parcel("1", { chairs: "1" })])
    for (const documents of [[order(), parcel("1", { chairs: "2" })], [order()]]) {
      const now = plan(documents, remote)
      assert.deepStrictEqual(sent(now), [])
      assert.match(
        now.attention[0]!.why,
        /16\.67 GBP was sent for it, and the source (now says something else|no longer has it)/
      )
    }
  })

  it("a discount lowers every parcel; a discount by quantity never turns a line negative", () => {
    const lines = [line("a", "1", "1.00"), line("b", "1", "99.00"), line("off", "1", "-10.00", "discount")]
    const documents = [order({ lines }), parcel("1", { a: "1" }), parcel("2", { b: "1" })]
    assert.deepStrictEqual(
      sent(plan(documents)).map(([, , n]) => n),
      [90, 8910]
    )
    assert.deepStrictEqual(
      sent(plan(documents, undefined, { discounts: "quantity" })).map(([, , n]) => n),
      [90, 8910]
    )
  })

  it("a return of goods that are worth nothing, for nothing, gives nothing back and stops nothing", () => {
    const lines = [line("gift", "1", "0.00"), line("chairs", "1", "12.00")]
    const back = { ...returned("R", { gift: "1" }), amount: of("0.00") }
    const made = plan([order({ lines }), parcel("1", { gift: "1", chairs: "1" }), back])
    assert.deepStrictEqual(
      sent(made).map(([, , n]) => n),
      [1200]
    )
    assert.deepStrictEqual(made.attention, [])
  })

  it("keys are UUIDs of version 5, the same for the same fact", () => {
    const keys = () => postings(plan([order(), ...three])).map(({ orderPosting }) => orderPosting.key)
    assert.deepStrictEqual(keys(), keys())
    for (const key of keys()) assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.notStrictEqual(uuid("a"), uuid("b"))
  })
})
