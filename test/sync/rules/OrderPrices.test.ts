/**
 * What units cost, and that the sums of an order depend on its facts alone: not on when each was heard of, nor on what was
 * stated for others. Reckoned a second time from lists of units, which the rules never make.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import type { Order, OrderFact } from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import type { OrderSettings } from "../../../sync/model/Connection.ts"
import { advanceOrder, authorised, type RemoteOrder } from "../../../sync/model/RemoteOrder.ts"
import { sourceTotals } from "../../../sync/rules/OrderSource.ts"
import { reconcileOrder } from "../../../sync/rules/Orders.ts"
import { costOf } from "../../../sync/rules/OrderUnits.ts"
import { oneOf } from "../../support/Books.ts"
import { planning } from "../../support/Documents.ts"
import { aboutOrder, cancellation, line, order, parcel, returned } from "../../support/Orders.ts"
import { runs } from "../../support/Effort.ts"

/** Minor units over so many pieces: what is left over goes to the first, one each. */
const pieces = (amount: number, many: number): ReadonlyArray<number> =>
  Array.from({ length: many }, (_, n) => Math.floor(amount / many) + (n < amount % many ? 1 : 0))

const sum = (all: ReadonlyArray<number>): number => all.reduce((one, other) => one + other, 0)

describe("what units cost", () => {
  it.prop(
    "whole ones by the largest remainder, the first ones first",
    {
      amount: oneOf(0, 1, 2, 3, 7, 100, 2222, 6667, 99_999),
      many: oneOf(1, 2, 3, 4, 7, 12),
      first: oneOf(0, 1, 2, 3, 4, 9)
    },
    ({ amount, first, many }) => {
      const got = costOf(BigInt(amount), of(`${many}`), of(`${first}`))
      assert.strictEqual(Number(got), sum(pieces(amount, many).slice(0, first)))
    },
    runs(100)
  )

  it.prop(
    "parts of units: never more for fewer, and all of them cost the amount",
    { amount: oneOf(0, 1, 5, 2222, 6667), quantity: oneOf("0.5", "1", "2.5", "3.333", "7.001") },
    ({ amount, quantity }) => {
      let before = 0n
      for (let first = 0n; first <= of(quantity); first += of(quantity) / 50n + 1n) {
        const cost = costOf(BigInt(amount), of(quantity), first)
        assert.isTrue(cost >= before && cost <= BigInt(amount), `${first}`)
        // Never a minor unit or more away from the exact share of each of its units.
        const exact = (BigInt(amount) * first) / of(quantity)
        assert.isTrue(cost - exact <= of(quantity) / of("1") + 2n && exact - cost <= 2n)
        before = cost
      }
      assert.strictEqual(costOf(BigInt(amount), of(quantity), of(quantity)), BigInt(amount))
    },
    runs(20)
  )
})

const QUANTITIES = { a: 3, b: 5, c: 1 } as const
type Name = keyof typeof QUANTITIES
const NAMES = Object.keys(QUANTITIES) as ReadonlyArray<Name>

interface Move {
  readonly kind: "parcel" | "cancellation" | "return"
  readonly line: Name
  readonly quantity: number
  /** When the books hear of it: later than of those with less. */
  readonly heard: number
  /** In place of what a cancellation's or a return's goods come to. */
  readonly stated: number | undefined
}

const move = Arbitrary.all({
  kind: oneOf<Move["kind"]>("parcel", "parcel", "cancellation", "return"),
  line: oneOf<Name>("a", "b", "b", "c"),
  quantity: oneOf(1, 1, 2),
  heard: oneOf(1, 2, 3, 4, 5, 6, 7, 8, 9),
  stated: oneOf(undefined, undefined, undefined, 1, 50)
})

/** Those of the moves that can happen one after the other; what is stated is never more than what the goods cost. */
const possible = (moves: ReadonlyArray<Move>, prices: Readonly<Record<Name, ReadonlyArray<number>>>) => {
  const so = { a: { c: 0, v: 0, r: 0 }, b: { c: 0, v: 0, r: 0 }, c: { c: 0, v: 0, r: 0 } }
  const money = { captured: 0, voided: 0, refunded: 0 }
  const done = moves.filter(({ kind, line, quantity, stated = 0 }) => {
    const its = so[line]
    const there = kind === "return" ? its.c - its.r : QUANTITIES[line] - its.c - its.v
    if (quantity > there || (stated > 0 && Math.min(...prices[line]) * quantity < stated)) return false
    its[({ parcel: "c", cancellation: "v", return: "r" } as const)[kind]] += quantity
    return true
  })
  return { done, so, money }
}

describe("the sums of an order", () => {
  it.prop(
    "are what its units cost, whenever its facts are heard of",
    {
      moves: Arbitrary.array(move, { minLength: 1, maxLength: 8 }),
      a: oneOf(1000, 3334, 1001),
      b: oneOf(777, 2502),
      c: oneOf(333, 100),
      shipping: oneOf<NonNullable<OrderSettings["shipping"]>>("value", "quantity", "first"),
      carriage: oneOf(0, 499, 1)
    },
    ({ a, b, c, carriage, moves, shipping }) => {
      const minor = (amount: number) => (amount / 100).toFixed(2)
      const goods = { a, b, c }
      const its: Order = order({
        lines: [
          ...NAMES.map((name) => line(name, `${QUANTITIES[name]}`, minor(goods[name]))),
          ...(carriage === 0 ? [] : [line("ship", "1", minor(carriage), "shipping")])
        ]
      })
      const weights = NAMES.map((name) => (shipping === "quantity" ? QUANTITIES[name] : goods[name]))
      const shares = weights.map((weight) => Math.floor((carriage * weight) / sum(weights)))
      const byFraction = weights.map((weight, n) => [(carriage * weight) % sum(weights), n] as const)
      const over = carriage - sum(shares)
      for (const [, n] of byFraction.toSorted((x, y) => y[0] - x[0] || x[1] - y[1]).slice(0, over)) shares[n]!++
      const prices = Object.fromEntries(
        NAMES.map((name, n) => [name, pieces(goods[name] + (shipping === "first" ? 0 : shares[n]!), QUANTITIES[name])])
      ) as Record<Name, ReadonlyArray<number>>
      const { done, so } = possible(moves, prices)

      const documents = done.map(({ kind, line, quantity, stated }, n): OrderFact & { readonly heard: number } => {
        const make = { parcel, cancellation, return: returned }[kind]
        const made = make(`${n}`, { [line]: `${quantity}` }, `2026-03-${10 + n}`)
        const amount = stated === undefined || kind === "parcel" ? {} : { amount: of(minor(stated)) }
        return { ...made, ...amount, heard: done[n]!.heard }
      })
      let remote: RemoteOrder | undefined
      for (let now = 1; now <= 9; now++) {
        const heard = documents.filter((one) => one.heard <= now)
        const { calls } = reconcileOrder(aboutOrder([its, ...heard]), remote, { ...planning, orders: { shipping } })
        for (const call of calls) remote = advanceOrder(remote, call)
      }

      // Units that were stated for cost what was stated, the others what they cost: by where each fact's units are.
      const total = sum(Object.values(goods)) + carriage
      const first = shipping === "first" ? carriage : 0
      const captured = sum(NAMES.map((name) => sum(prices[name].slice(0, so[name].c))))
      const shipped = NAMES.some((name) => so[name].c > 0)
      assert.strictEqual(Number(remote!.captured), captured + (shipped ? first : 0))
      assert.strictEqual(Number(authorised(remote!)), total)
      const stated = documents.some((one) => one.kind !== "fulfilment" && one.amount !== undefined)
      if (!stated) {
        const voided = sum(NAMES.map((name) => sum(prices[name].slice(QUANTITIES[name] - so[name].v))))
        const deleted = NAMES.every((name) => so[name].v === QUANTITIES[name])
        assert.strictEqual(Number(remote!.voided), voided + (deleted ? first : 0))
        assert.strictEqual(Number(remote!.refunded), sum(NAMES.map((name) => sum(prices[name].slice(0, so[name].r)))))
      }
      // And the side of the statement that never looks at what was sent says the same.
      const source = sourceTotals(its, aboutOrder([its, ...documents]).movements, { shipping }, {})
      assert.deepStrictEqual(source.unpriced, [])
      const sums = [source.captured, source.voided, source.refunded]
      if (!stated)
        assert.deepStrictEqual(sums, [BigInt(remote!.captured), BigInt(remote!.voided), BigInt(remote!.refunded)])
    },
    runs(500)
  )
})
