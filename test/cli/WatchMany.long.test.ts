/**
 * `daybook watch` on many orders: half of them are right, the others have one of forty kinds of faults. All of them are found with
 * their money, nothing else is, and nothing is written. 500 orders, 10,000 with DAYBOOK_EFFORT=1. A chair is 25.00 of 100.00.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ofType, useCommand } from "../support/Cli.ts"
import { times } from "../support/Effort.ts"
import { shop } from "../support/Shop.ts"

useCommand()

const CHAIR = 2500
const ALL = 10_000

/** What the shop says of an order: chairs that left, came back and were cancelled. */
interface Says {
  readonly left: number
  readonly back: number
  readonly gone: number
  readonly status: "open" | "closed" | "cancelled"
}

/** What the plugin did, in minor units. */
interface Did {
  readonly captured: number
  readonly refunded: number
  readonly voided: number
}

const rightly = ({ back, gone, left, status }: Says): Did => ({
  captured: CHAIR * left,
  refunded: CHAIR * back,
  voided: CHAIR * (status === "open" ? gone : 4 - left)
})

type Fault = readonly [says: Says, did: Did, kind: string, amount: number]

const says = (left: number, back = 0, gone = 0, status: Says["status"] = "open"): Says => ({ left, back, gone, status })

const fault = (of: Says, change: Partial<Did>, kind: string, amount: number): Fault => {
  const right = rightly(of)
  const of0 = (name: keyof Did) => right[name] + (change[name] ?? 0)
  return [of, { captured: of0("captured"), refunded: of0("refunded"), voided: of0("voided") }, kind, amount]
}

const FAULTS: ReadonlyArray<Fault> = [
  ...[1, 2, 3, 4].map((n) => fault(says(n), { captured: -CHAIR * n }, "never captured", CHAIR * n)),
  ...[1, 2, 3].map((n) => fault(says(4, 0, 0, "closed"), { captured: -CHAIR * n }, "never captured", CHAIR * n)),
  ...[3, 333, 1999].map((by) => fault(says(2), { captured: -by }, "never captured", by)),
  fault(says(3, 1), { captured: -CHAIR }, "never captured", CHAIR),
  ...[1, 2, 3].map((n) =>
    fault(says(1, 0, 3, "closed"), { captured: CHAIR * n, voided: -CHAIR * n }, "captured too much", CHAIR * n)
  ),
  ...[3, 777].map((by) => fault(says(2, 0, 2, "closed"), { captured: by, voided: -by }, "captured too much", by)),
  fault(says(2, 1, 2, "closed"), { captured: CHAIR, voided: -CHAIR }, "captured too much", CHAIR),
  ...[1, 2].map((by) => fault(says(2, 0, 2, "closed"), { captured: by, voided: -by }, "a cent off", by)),
  ...[1, 2].map((by) => fault(says(4, 0, 0, "closed"), { captured: -by }, "a cent off", by)),
  ...[1, 2, 3].map((n) => fault(says(4, n, 0, "closed"), { refunded: -CHAIR * n }, "not refunded", CHAIR * n)),
  ...[3, 1250].map((by) => fault(says(3, 1, 1, "closed"), { refunded: -by }, "not refunded", by)),
  ...[1, 2].map((n) => fault(says(4, 1, 0, "closed"), { refunded: CHAIR * n }, "refunded too much", CHAIR * n)),
  fault(says(4, 0, 0, "closed"), { refunded: 499 }, "refunded too much", 499),
  ...[1, 2, 3].map((n) => fault(says(4 - n, 0, n), { voided: -CHAIR * n }, "not voided", CHAIR * n)),
  fault(says(2, 0, 2, "closed"), { voided: -1111 }, "not voided", 1111),
  fault(says(0, 0, 4, "cancelled"), { voided: -ALL }, "not voided", ALL),
  ...[1, 2, 4].map((n) => fault(says(n), { captured: -CHAIR * n, voided: ALL }, "not authorised", CHAIR * n)),
  ...[1, 3].map((n) => fault(says(n, 0, 0, "cancelled"), {}, "shipped though cancelled", CHAIR * n)),
  fault(says(3, 1, 0, "cancelled"), {}, "shipped though cancelled", CHAIR * 2)
]

const RIGHT: ReadonlyArray<Says> = [
  says(0),
  says(1),
  says(4, 0, 0, "closed"),
  says(3, 1),
  says(2, 0, 1),
  says(2, 2, 2, "closed"),
  says(1, 0, 3, "closed"),
  says(4, 4, 0, "closed"),
  says(0, 0, 4, "cancelled"),
  says(3, 0, 0, "closed")
]

describe("a shop with many orders that captures by itself", { timeout: 1_800_000 }, () => {
  it("has forty kinds of faults, each found with its money, and nothing else", async () => {
    assert.strictEqual(FAULTS.length, 40)
    const { asked, byHand, here, sell, there, write } = await shop({})
    const credit_limit = { currency: "GBP", amount: "2000000" }
    const large = { name: "Large Buyer Ltd", country: "GB", reg_number: "09999999", credit_limit }
    const { id: company } = await there.control<{ readonly id: string }>("POST", "companies", large)
    const orders = Array.from(
      { length: Math.min(10_000, times(10_000)) },
      (_, n): { readonly id: string; readonly of: Fault } => ({
        id: `${n}`.padStart(5, "0"),
        of: n % 2 === 0 ? FAULTS[(n / 2) % FAULTS.length]! : fault(RIGHT[((n - 1) / 2) % RIGHT.length]!, {}, "", 0)
      })
    )
    const payments = new Map<string, string>()
    const one = async ({ id, of: [, did] }: (typeof orders)[number]): Promise<void> => {
      const payment = await sell(`web-${id}`, "accepted", company)
      payments.set(id, payment)
      if (did.captured > 0) await byHand(payment, "capture", did.captured)
      if (did.refunded > 0) await byHand(payment, "refund", did.refunded)
      if (did.voided > 0) await byHand(payment, "void", did.voided)
    }
    await Effect.runPromise(Effect.forEach(orders, (order) => Effect.promise(() => one(order)), { concurrency: 16 }))
    const facts = (name: "left" | "back" | "gone", day: number) =>
      orders.flatMap(({ id, of: [its] }) =>
        its[name] === 0 ? [] : [{ id: `${name}-${id}`, of: id, chairs: its[name], day }]
      )
    write({
      orders: orders.map(({ id, of: [{ status }] }) => ({ id, payment: payments.get(id) ?? "", status })),
      parcels: facts("left", 2),
      returns: facts("back", 5),
      cancellations: facts("gone", 4)
    })
    const { last } = await asked()
    const ran = await here.run("watch", "--json")
    assert.strictEqual(ran.status, 3, ran.stderr)
    const found = ofType(ran, "watched").map(({ amount, document, kind }) => `${document} ${kind} ${amount}`)
    const expected = orders.flatMap(({ id, of: [, , kind, amount] }) =>
      kind === "" ? [] : [`shop/order/${id} ${kind} ${(amount / 100).toFixed(2)}`]
    )
    assert.deepStrictEqual(found.toSorted(), expected)
    const { requests } = await asked(last)
    assert.deepStrictEqual(
      requests.filter((one) => !one.startsWith("GET ")),
      []
    )
    assert.strictEqual(ofType(ran, "summary")[0]?.["compared"], orders.length)
  })
})
