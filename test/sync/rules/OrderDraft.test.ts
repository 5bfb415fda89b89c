/** Orders as they are created: whatever a shop sells, the service accepts the items, and they come to the shop's total. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { OrderLine } from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import * as Currency from "../../../core/money/Currency.ts"
import type { OrderCreation } from "../../../sync/model/Connection.ts"
import { draft } from "../../../sync/rules/OrderRequest.ts"
import { Dice } from "../../simulation/Dice.ts"
import { line } from "../../support/Orders.ts"
import { ask, inWorld } from "../InWorld.ts"
import { buyer, checkout, fresh } from "../Shop.ts"

const settings: OrderCreation = { category: "/goods", tax_rate: "17.5", tax_rates: { none: "0" } }

const drafted = (lines: ReadonlyArray<OrderLine>, more: OrderCreation = settings, currency = "GBP") =>
  draft("books", fresh({ lines, currency }), more)

const problems = (lines: ReadonlyArray<OrderLine>, more?: OrderCreation) =>
  Result.match(drafted(lines, more), { onSuccess: () => [], onFailure: (found) => found })

describe("orders as they are created", () => {
  it(
    "obey every rule of items, for any quantities, prices, discounts, taxes and currencies",
    inWorld({}, async (world) => {
      // Somebody whom the service knows.
      await checkout(world, fresh())
      const [organisation] = [...world.service.organisation.values()]
      const [user] = [...world.service.user.values()]
      const dice = new Dice(7)
      for (let n = 0; n < 300; n++) {
        const currency = dice.of(["GBP", "JPY", "KWD"])!
        const digits = Currency.decimals(currency)
        const amount = (most: number) => {
          const units = String(1 + dice.below(most)).padStart(digits + 1, "0")
          return digits === 0 ? units : `${units.slice(0, -digits)}.${units.slice(-digits)}`
        }
        const goods = Array.from({ length: 1 + dice.below(5) }, (_, at) => ({
          ...line(`l${at}`, dice.of(["1", "3", "7", "0.125", "2.5", "12"])!, amount(100_000)),
          ...(dice.chance(0.5) ? { tax: dice.of(["none", "20%", "5.5"])! } : {})
        }))
        const others = [
          line("ship", "1", amount(900), "shipping"),
          line("fee", "1", amount(90), "fee"),
          ...(dice.chance(0.5) ? [line("off", "1", "0.00", "discount")] : [])
        ]
        const lines = [...goods, ...others]
        const body = drafted(lines, settings, currency)
        if (Result.isFailure(body)) return assert.fail(body.failure.join("; "))
        const customer = { ...(body.success["customer"] as object), organisation: organisation!.id, user: user!.id }
        const made = await ask(world, "POST", "/v1/payment/orders", { ...body.success, customer })
        const total = lines.reduce((sum, { gross }) => sum + gross, 0n)
        assert.strictEqual(BigInt(Number(made["total_amount"])), Currency.toMinor(total, currency))
      }
    })
  )

  it("what is missing is said, all of it: the buyer, a category, a tax, a price below nothing", () => {
    const { buyer: _, ...nobody } = fresh({ lines: [line("a", "1", "1.00")] })
    assert.deepStrictEqual(Result.getOrThrow(Result.flip(draft("books", nobody, {}))), [
      "its buyer, with an email, is not known",
      'line "a" has no category; set orders.create.category',
      'line "a" has no tax rate; set orders.create.tax_rate'
    ])
    assert.deepStrictEqual(problems([{ ...line("a", "1", "1.00"), tax: "reduced" }]), [
      'line "a" has the tax "reduced"; map it under orders.create.tax_rates'
    ])
    assert.deepStrictEqual(problems([line("a", "1", "1.00"), line("off", "1", "-2.00", "discount")]), [
      "total_amount: the discounts are larger than the total"
    ])
  })

  it("a category is the settings' for the source's, the settings' for all, or the source's own", () => {
    const seats = { ...line("a", "1", "1.00"), category: "/seats" }
    const category = (more: OrderCreation) => {
      const { items } = Result.getOrThrow(drafted([seats], { tax_rate: "0", ...more }))
      return (items as ReadonlyArray<{ readonly category: string }>)[0]!.category
    }
    assert.strictEqual(category({ categories: { "/seats": "/furniture" }, category: "/goods" }), "/furniture")
    assert.strictEqual(category({ categories: { "/lamps": "/light" }, category: "/goods" }), "/goods")
    assert.strictEqual(category({}), "/seats")
  })

  it("tax is taken of the amount with it or without it, as the connection says", () => {
    const tax = (more: OrderCreation) =>
      Result.getOrThrow(drafted([line("a", "1", "120.00")], { category: "/g", tax_rate: "20", ...more }))["tax_amount"]
    assert.deepStrictEqual([tax({}), tax({ tax_basis: "net" })], [2400, 2000])
  })

  it("a company that is a sole trader's makes a sole trader of its buyer", () => {
    const trader = fresh({ lines: [line("a", "1", "1.00")], buyer: { ...buyer, company: "st-1" } })
    const { customer } = Result.getOrThrow(draft("books", trader, settings))
    assert.deepInclude(customer as object, { type: "sole-trader", organisation: "<books/buyer/B1>" })
  })

  it("an amount that a JSON number cannot carry is reported, not rounded", () => {
    assert.isAbove(problems([{ ...line("a", "1", "1.00"), gross: of("99999999999999.99") }]).length, 0)
  })
})
