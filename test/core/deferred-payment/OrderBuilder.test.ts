/**
 * What the builder makes the service accepts, and nothing that differs from it in one amount (DP 2.6). The service is
 * the sandbox, which was written from the specification.
 */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { build, type Draft, type Line } from "../../../core/deferred-payment/OrderBuilder.ts"
import { OrderCreate } from "../../../core/deferred-payment/OrderRequests.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { OrganisationId, UserId } from "../../../core/wire/Ids.ts"
import { times } from "../../support/Effort.ts"
import { type Asking, asking, type Json } from "./Sandbox.ts"

const of = Decimal.of
const strict = asking()
const lenient = asking({ dialect: { lenient: true } })

const encode = Schema.encodeSync(OrderCreate)

const draft = ({ organisation, user }: Asking, items: ReadonlyArray<Line>): Draft => ({
  unique_id: "o-1",
  customer: {
    type: "registered",
    organisation: OrganisationId.make(organisation),
    user: UserId.make(user),
    delivery_address: { name: "Ann", country: "France" }
  },
  currency: "EUR",
  order_date: Day.of("2024-03-01"),
  items
})

const line = (more: Partial<Line> = {}): Line => ({
  item_id: "1",
  type: "product",
  description: "Flour",
  category: "/food/flour",
  quantity: of("2"),
  unit_price: of("1200"),
  tax_rate: of("20"),
  ...more
})

const place = ({ ask }: Asking, order: unknown) => ask("POST", "/v1/payment/orders", order)

/** Thousandths of a piece, hundred-thousandths of a minor unit, thousandths of a percent. */
const quantity = fc.oneof(
  fc.bigInt({ min: 1n, max: 5_000n }),
  fc.bigInt({ min: 1n, max: 10n }).map((n) => n * 1000n)
)
const price = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 10n }),
  fc.bigInt({ min: 0n, max: 10n ** 5n }).map((n) => n * 10n ** 5n)
)
const rate = fc.oneof(fc.constantFrom(0n, 5_500n, 20_000n, 100_000n), fc.bigInt({ min: 0n, max: 100_000n }))

const lines = fc
  .record({
    type: fc.constantFrom("product", "shipping", "discount", "fee", "voucher"),
    quantity,
    price,
    rate,
    description: fc.string(),
    reference: fc.option(fc.string())
  })
  .map(({ price, quantity, rate, type, ...more }) =>
    line({
      ...more,
      type,
      quantity: quantity * 10n ** 5n,
      // A discount takes off little, so that most baskets are worth something.
      unit_price: (type === "discount" ? -(price / 1000n) - 1n : price) * 1000n,
      tax_rate: rate * 10n ** 5n
    })
  )
const baskets = fc.array(lines, { minLength: 1, maxLength: 6 })

const built = (asking: Asking, items: ReadonlyArray<Line>, basis: "gross" | "net" = "gross"): Json | undefined => {
  const made = build(draft(asking, items), basis)
  return Result.isSuccess(made) ? encode(made.success) : undefined
}

describe("the order builder", () => {
  it("any order that it makes is accepted", () => {
    let [made, refused] = [0, 0]
    fc.assert(
      fc.property(baskets, (items) => {
        const order = built(strict, items)
        if (order === undefined) {
          refused++
          return
        }
        made++
        const { body, status } = place(strict, order)
        assert.deepStrictEqual(
          [status, body.total_amount, body.tax_amount],
          [201, order.total_amount, order.tax_amount]
        )
      }),
      { numRuns: times(1500) }
    )
    assert.isAbove(made, refused)
  })

  it("any single change to an amount, a tax or a total makes it refused", () => {
    const deltas = fc.oneof(fc.integer({ min: 2, max: 1000 }), fc.integer({ min: -1000, max: -2 }))
    const changes = fc.record({
      where: fc.constantFrom("order", "item"),
      member: fc.constantFrom("total_amount", "tax_amount", "unit_price"),
      item: fc.nat(),
      hundredThousandths: deltas
    })
    let met = 0
    fc.assert(
      fc.property(baskets, changes, (items, { hundredThousandths, item, member, where }) => {
        const order = built(strict, items)
        if (order === undefined) return
        const at = order.items[item % order.items.length]
        const [holder, name] =
          where === "order" ? [order, member === "unit_price" ? "total_amount" : member] : [at, member]
        // Of less than a piece, the price may change without the total.
        if (name === "unit_price" && Number(at.quantity) < 1) return
        const changed = Decimal.of(String(holder[name])) + BigInt(hundredThousandths) * 1000n
        holder[name] = Number(Decimal.format(changed))
        met++
        const { body, status } = place(strict, order)
        assert.deepStrictEqual([name, status, typeof body], [name, 400, "object"])
      }),
      { numRuns: times(3000) }
    )
    assert.isAbove(met, times(3000) / 2)
  })

  it("on the net basis the lenient service accepts it, and the strict one only what comes to the same", () => {
    fc.assert(
      fc.property(baskets, (items) => {
        const order = built(lenient, items, "net")
        if (order === undefined) return
        assert.strictEqual(place(lenient, order).status, 201)
        const customer = { ...order.customer, organisation: strict.organisation, user: strict.user }
        const same = JSON.stringify(built(strict, items)?.items) === JSON.stringify(order.items)
        assert.strictEqual(place(strict, { ...order, customer }).status, same ? 201 : 400)
      }),
      { numRuns: times(500) }
    )
  })

  it("says everything that is wrong, by member, and builds nothing", () => {
    const problems = (items: ReadonlyArray<Line>, more: Partial<Draft> = {}) => {
      const made = build({ ...draft(strict, items), ...more })
      return Result.isFailure(made) ? made.failure.problems : []
    }
    assert.deepStrictEqual(problems([line()]), [])
    assert.deepStrictEqual(problems([]), ["items: the list is empty"])
    const wrong = [
      line({ type: "discount" }),
      line({ item_id: "2", tax_rate: of("100.001") }),
      line({ unit_price: of("-9000") })
    ]
    const customer = { ...draft(strict, []).customer, invoice_address: { country: "Atlantis" } }
    const problemsFound = problems(wrong, { currency: "GPB", customer })
    assert.deepStrictEqual(problemsFound, [
      'customer.invoice_address.country: "Atlantis" is not a country',
      'currency: "GPB" is not a currency',
      'items[0] "1": The total_amount of a discount must be negative.',
      'items[1] "2": tax_rate is not between 0 and 100',
      'items[2] "1": Only a discount may have a negative total_amount.',
      "total_amount: the discounts are larger than the total"
    ])
  })

  it("builds nothing that JSON would carry otherwise", () => {
    for (const one of [
      line({ unit_price: of("0.000001") }),
      line({ quantity: of("1.0001") }),
      line({ tax_rate: of("5.0000001") }),
      line({ unit_price: of("12345678901234.56789") }),
      line({ item_id: "" }),
      line({ category: "" }),
      line({ metadata: null, unit_price: of("900719925474099.3") })
    ]) {
      const made = build(draft(strict, [one]))
      assert.isTrue(
        Result.isFailure(made),
        JSON.stringify(one, (_, value) => (typeof value === "bigint" ? `${value}` : value))
      )
      if (Result.isFailure(made)) assert.match(made.failure.message, /^the order cannot be built: ./)
    }
    assert.isTrue(
      Result.isSuccess(build(draft(strict, [line({ unit_price: of("9999999999.99999"), quantity: of("1") })])))
    )
  })
})
