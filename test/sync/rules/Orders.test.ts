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
import { type OrderDecision, reconcileOrder } from "../../../sync/rules/Orders.ts"
import { uuid } from "../../../sync/rules/OrderAttention.ts"
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

  prop("each step once, under a key of its own", ({ facts, planning, remote }) => {
    const after = carryOut(remote, reconcileOrder(facts, remote, planning).calls)
    const keys = (after?.postings ?? []).map(({ key }) => key)
    assert.strictEqual(new Set(keys).size, keys.length)
    for (const { body, orderPosting } of postings(reconcileOrder(facts, remote, planning)))
      assert.strictEqual(`${body.amount}`, orderPosting.amount)
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

/** Minor units captured after each of these facts, one sync after the other. */
const steps = (placed: Document, facts: ReadonlyArray<Document>, orders: Planning["orders"] = {}) => {
  let remote: RemoteOrder | undefined
  return facts.flatMap((_, n) => {
    const decision = plan([placed, ...facts.slice(0, n + 1)], remote, orders)
    remote = carryOut(remote, decision.calls)
    return sent(decision).map(([, taking, amount]) => `${taking} ${amount}`)
  })
}

describe("rules of orders", () => {
  it("O1: a parcel is captured with its share of the delivery, by value", () => {
    assert.deepStrictEqual(steps(order(), three), ["capture 1667", "capture 5740", "capture 741"])
    assert.deepStrictEqual(sent(plan([order(), ...three])), [["O1", "capture", 8148]])
  })

  it("O1: the delivery goes by quantity, or whole with the first parcel, when the connection says so", () => {
    assert.deepStrictEqual(steps(order(), three, { shipping: "quantity" }), [
      "capture 1625",
      "capture 5667",
      "capture 791"
    ])
    assert.deepStrictEqual(steps(order(), three, { shipping: "first" }), [
      "capture 2500",
      "capture 5167",
      "capture 666"
    ])
  })

  it("O1: fees and discounts likewise; what goes with the first parcel is voided with the last goods", () => {
    const lines = [line("a", "1", "10.00"), line("b", "3", "10.00"), line("fee", "1", "4.00", "fee")]
    const amounts = (orders: Planning["orders"], ...facts: ReadonlyArray<Document>) =>
      steps(order({ lines }), facts, orders)
    const both = [parcel("1", { a: "1" }), parcel("2", { b: "3" })]
    assert.deepStrictEqual(amounts({}, ...both), ["capture 1200", "capture 1200"])
    assert.deepStrictEqual(amounts({ fees: "quantity" }, ...both), ["capture 1100", "capture 1300"])
    assert.deepStrictEqual(amounts({ fees: "first" }, ...both), ["capture 1400", "capture 1000"])
    const none = [cancellation("1", { a: "1" }, "2026-03-02"), cancellation("2", { b: "3" })]
    assert.deepStrictEqual(amounts({ fees: "first" }, ...none), ["void 1000", "void 1400"])
    const off = [line("a", "1", "10.00"), line("b", "3", "10.00"), line("off", "1", "-4.00", "discount")]
    assert.deepStrictEqual(steps(order({ lines: off }), both), ["capture 800", "capture 800"])
    assert.deepStrictEqual(steps(order({ lines: off }), both, { discounts: "quantity" }), [
      "capture 900",
      "capture 700"
    ])
  })

  it("O2: what is cancelled is voided, and the rest once the order is closed", () => {
    const facts = [parcel("1", { chairs: "4" }), cancellation("2", { rug: "1" })]
    assert.deepStrictEqual(steps(order(), facts), ["capture 6667", "void 1111"])
    assert.deepStrictEqual(sent(plan([order({ status: "closed" }), ...facts])), [
      ["O1", "capture", 6667],
      ["O2", "void", 3333]
    ])
    assert.deepStrictEqual(sent(plan([order({ status: "closed" }), ...facts], undefined, { void_remainder: false })), [
      ["O1", "capture", 6667],
      ["O2", "void", 1111]
    ])
  })

  it("O3: what comes back is refunded; more than ever left contradicts itself, and nothing is sent", () => {
    const remote = held([order(), parcel("1", { lamps: "3" })])
    const back = plan([order(), parcel("1", { lamps: "3" }), returned("R", { lamps: "2" })], remote)
    assert.deepStrictEqual(sent(back), [["O3", "refund", 1481]])
    const early = plan([order(), returned("R", { rug: "1" })])
    assert.deepStrictEqual(sent(early), [])
    assert.match(early.attention[0]!.why, /more of line rug came back than left/)
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

  it("O6: nothing is captured beyond what is authorised, and somebody is told", () => {
    const over = plan([order(), parcel("1")], { ...held([order()]), open: "5000" })
    assert.deepStrictEqual(sent(over), [["O1", "capture", 5000]])
    assert.match(over.attention[0]!.why, /50\.00 GBP of the order is not authorised/)
  })

  it("O6: what others captured counts, and nothing is given up until somebody says what it was for", () => {
    const others: RemoteOrder = { ...held([order()]), captured: "1000", open: "9000" }
    const documents = [order({ status: "closed" }), parcel("1", { chairs: "2" })]
    const asked = plan(documents, others)
    assert.deepStrictEqual(sent(asked), [["O1", "capture", 2333]])
    assert.match(asked.attention[0]!.why, /others captured 10\.00 GBP/)
    assert.match(asked.attention[0]!.todo, /"it was for this order" or "it was for something else"/)
    const answers = { "others 1000/0/0": "it was for something else" }
    assert.deepStrictEqual(sent(plan(documents, { ...others, answers })), [
      ["O1", "capture", 3333],
      ["O2", "void", 5667]
    ])
  })

  it("more authorised than ordered is a question once the order has ended", () => {
    const documents = [order({ status: "closed" }), parcel("1")]
    const remote = held(documents, { ...held([order()]), open: "12500" })
    assert.deepStrictEqual([remote.open, remote.captured, remote.voided], ["2500", "10000", "0"])
    assert.match(plan(documents, remote).attention[0]!.why, /125\.00 GBP was authorised for an order of 100\.00 GBP/)
    const answers = { "surplus 12500/10000": "void the rest" }
    assert.deepStrictEqual(sent(plan(documents, { ...remote, answers })), [["O2", "void", 2500]])
  })

  it("an amount without goods is given back, and what is left still comes to the order's total", () => {
    const facts = [
      { ...cancellation("off", {}, "2026-03-01"), amount: of("20.00") },
      parcel("1", { chairs: "4" }),
      parcel("2"),
      { ...returned("back"), amount: of("10.00") }
    ]
    assert.deepStrictEqual(steps(order(), facts), ["void 2000", "capture 5333", "capture 2667", "refund 1000"])
  })

  it("goods that come back for less than they cost: the amount is the source's, 0.00 too", () => {
    const documents = [order(), parcel("1", { chairs: "4", lamps: "3" })]
    const remote = held(documents)
    for (const [amount, given] of [
      ["25.00", [2500]],
      // 33.33 is what the two chairs come to: of the rest, a share is for the rug, which is still here.
      ["40.00", [3889, 111]],
      ["0.00", []]
    ] as const) {
      const back = { ...returned("R", { chairs: "2" }), amount: of(amount) }
      const amounts: ReadonlyArray<number> = sent(plan([...documents, back], remote)).map(([, , n]) => n)
      assert.deepStrictEqual(amounts, [...given])
    }
    const otherwise = { ...returned("R", { chairs: "2" }), amount: of("25.00"), method: "other" as const }
    assert.deepStrictEqual(sent(plan([...documents, otherwise], remote)), [])
  })

  it("what is kept of goods that came back is charged in full, where other goods were cancelled with their delivery", () => {
    const facts = [
      cancellation("off", { lamps: "3" }),
      parcel("1", { chairs: "1" }),
      { ...returned("R", { chairs: "1" }), amount: of("1.26") }
    ]
    assert.deepStrictEqual(sent(plan([order(), ...facts])), [
      ["O1", "capture", 1541],
      ["O2", "void", 2348]
    ])
  })

  it("where everything that left came back, no minor unit stays charged, whether others are still to leave or not", () => {
    const odd = (a: string, b: string, c: string) =>
      order({ lines: [line("a", "3", a), line("b", "1", b), line("c", "4", c), line("ship", "1", "4.99", "shipping")] })
    const [sale, back] = [parcel("1", { b: "1" }), returned("R", { b: "1" })]
    const some = cancellation("off", { a: "1" })
    assert.deepStrictEqual(sent(plan([odd("81.17", "86.36", "56.93"), sale, some, back])), [["O2", "void", 11_593]])
    const all = [parcel("1", { a: "3" }), cancellation("off", { c: "4" }), returned("R", { a: "3" })]
    const came = steps(odd("21.62", "79.17", "97.50"), all)
    assert.strictEqual(`${came}`, "capture 2216,capture 1,void 9995,refund 2217")
    const none = [sale, cancellation("1", { a: "3" }), cancellation("2", { c: "4" }), back]
    const over = steps(odd("10.00", "10.00", "10.00"), none)
    assert.strictEqual(`${over}`, "capture 1166,void 1167,void 1166,refund 1166")
  })

  it("a return without lines is of all that had left by its day", () => {
    const facts = [
      parcel("1", { rug: "1" }, "2026-03-02"),
      parcel("2", { chairs: "4" }, "2026-03-05"),
      returned("R", {}, "2026-03-03")
    ]
    assert.deepStrictEqual(steps(order(), facts), ["capture 1111", "capture 6667", "refund 1111"])
    const early = plan([order(), parcel("2", { chairs: "4" }, "2026-03-05"), returned("R", {}, "2026-03-03")])
    assert.match(early.attention[0]!.why, /everything that was shipped, and nothing had been shipped by then/)
  })

  it("a parcel entered again, split, changed or deleted only says when: what was charged is never charged twice", () => {
    const remote = held([order(), parcel("1", { chairs: "2" })])
    for (const facts of [
      [parcel("9", { chairs: "2" })],
      [parcel("8", { chairs: "1" }), parcel("9", { chairs: "1" })],
      [parcel("1", { chairs: "1" })],
      []
    ])
      assert.deepStrictEqual(sent(plan([order(), ...facts], remote)), [])
    assert.deepStrictEqual(sent(plan([order(), parcel("1", { chairs: "3" })], remote)), [["O1", "capture", 1667]])
  })

  it("a discount lowers every parcel; a discount by quantity never turns a line negative", () => {
    const lines = [line("a", "1", "1.00"), line("b", "1", "99.00"), line("off", "1", "-10.00", "discount")]
    const parcels = [parcel("1", { a: "1" }), parcel("2", { b: "1" })]
    assert.deepStrictEqual(steps(order({ lines }), parcels), ["capture 90", "capture 8910"])
    assert.deepStrictEqual(steps(order({ lines }), parcels, { discounts: "quantity" }), ["capture 90", "capture 8910"])
  })

  it("keys are UUIDs of version 5, the same for the same fact", () => {
    const keys = () => postings(plan([order(), ...three])).map(({ orderPosting }) => orderPosting.key)
    assert.deepStrictEqual(keys(), keys())
    for (const key of keys()) assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.notStrictEqual(uuid("a"), uuid("b"))
  })
})
