/**
 * The money of a shop's orders, over the command as a user has it: what is captured, voided and refunded is what the shop's
 * facts come to by the order's prices, whatever was edited, deleted, stated or set meanwhile; or nothing moves, and
 * somebody is told what contradicts what.
 */
import { assert, describe, it } from "@effect/vitest"
import { service, useCommand } from "../support/Cli.ts"
import { cost, shopFiles, type ShopBooks, type ShopFact, type ShopOrder, STANDARD } from "../support/ShopFiles.ts"

useCommand()

const LIMIT = { timeout: 90_000 }

/** A shop whose standard order was paid. */
const shop = async (books: ShopBooks = {}, settings: object = {}) => {
  const made = await shopFiles(await service(), books, settings)
  return { ...made, payment: await made.buys() }
}

const parcel = (id: string, lines: ShopFact["lines"] = {}, more: Partial<ShopFact> = {}): ShopFact => ({
  id,
  lines,
  ...more
})

/** Exactly this is wrong, each with words of its own. */
const only = (attention: ReadonlyArray<string>, ...words: ReadonlyArray<RegExp>) => {
  assert.strictEqual(attention.length, words.length, attention.join("\n"))
  for (const [n, one] of words.entries()) assert.match(attention[n]!, one)
}

describe("a parcel without lines", () => {
  for (const status of ["cancelled", "closed"] as const)
    for (const then of [status, "open"] as const)
      it(
        `after an order was ${status}, voided, and is ${then}: somebody is told that it cannot be captured`,
        LIMIT,
        async () => {
          const { money, payment, reads: next } = await shop()
          only(await next({ orders: [{ id: "1041", status }] }))
          assert.deepStrictEqual(await money(payment), { open: 0, captured: 0, voided: 10_000, refunded: 0 })
          const all = { orders: [{ id: "1041", status: then }], parcels: [parcel("P1")] }
          only(await next(all), /100\.00 GBP of the order is not authorised, or not any more/)
          only(await next(all), /100\.00 GBP of the order is not authorised, or not any more/)
          assert.deepStrictEqual(await money(payment), { open: 0, captured: 0, voided: 10_000, refunded: 0 })
        }
      )

  it("is what the other facts leave, whenever it is asked", LIMIT, async () => {
    const { money, payment, reads } = await shop()
    const facts = {
      parcels: [parcel("P1", { chairs: 1 }, { date: "2026-03-02" }), parcel("P2")],
      cancellations: [parcel("C1", { lamps: 1 }, { date: "2026-03-03" })]
    }
    only(await reads(facts))
    assert.deepStrictEqual(await money(payment), { open: 0, captured: 9259, voided: 741, refunded: 0 })
    // By now it leaves out a lamp of which nobody knew when it was captured: it is given back.
    only(await reads({ ...facts, cancellations: [parcel("C1", { lamps: 2 }, { date: "2026-03-03" })] }))
    assert.deepStrictEqual(await money(payment), { open: 0, captured: 9259, voided: 741, refunded: 740 })
  })

  it("that takes the place of one that named its goods stands for the rest as well", LIMIT, async () => {
    const { money, payment, reads } = await shop()
    only(await reads({ parcels: [parcel("P1", { chairs: 1 })] }))
    only(await reads({ parcels: [parcel("P1")] }))
    assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000, voided: 0, refunded: 0 })
  })
})

describe("a return of an order that is no longer exported", () => {
  for (const deleted of ["with its parcels", "alone"] as const)
    it(`is refunded, where the order went ${deleted}`, LIMIT, async () => {
      const { money, payment, reads } = await shop()
      const [parcels, others] = [[parcel("P1")], [{ id: "1042" }]]
      only(await reads({ parcels }))
      const kept = deleted === "alone" ? { parcels } : {}
      only(await reads({ orders: others, ...kept }))
      const returns = [parcel("R1", { chairs: 3 }, { date: "2026-03-09" })]
      only(await reads({ orders: others, ...kept, returns }))
      assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000, voided: 0, refunded: 5000 })
      // The same return under another id gives nothing back once more.
      const again = [parcel("R2", { chairs: 1 }, { date: "2026-03-09" })]
      only(await reads({ orders: others, ...kept, returns: again }))
      assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000, voided: 0, refunded: 5000 })
    })
})

describe("an amount that the shop states", () => {
  const FOUR = [{ line: "chairs", quantity: 4, gross: 10_000 }]
  const orders = [{ id: "1041", lines: FOUR }]

  it("a return of 3 of 4 chairs for 15.00, then of the last one: 25.00", LIMIT, async () => {
    const { money, payment, reads } = await shop()
    const first = {
      orders,
      parcels: [parcel("P1")],
      returns: [parcel("R1", { chairs: 3 }, { amount: "15.00", date: "2026-03-09" })]
    }
    only(await reads({ orders, parcels: first.parcels }))
    only(await reads(first))
    only(await reads({ ...first, returns: [...first.returns, parcel("R2", { chairs: 1 }, { date: "2026-03-10" })] }))
    assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000, voided: 0, refunded: 1500 + 2500 })
  })

  it("goods that came back for 0.00, and others for another method: nothing is given back", LIMIT, async () => {
    const { money, payment, reads } = await shop()
    const returns = [parcel("R1", { chairs: 3 }, { amount: "0.00", date: "2026-03-09" })]
    only(await reads({ orders, parcels: [parcel("P1")], returns }))
    assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000, voided: 0, refunded: 0 })
  })
})

describe("currencies", () => {
  it("an order in GBP on a payment in EUR: nothing is captured", LIMIT, async () => {
    const made = await shopFiles(await service(), {})
    const payment = await made.buys("1041", 10_000, "EUR")
    const books = { orders: [{ id: "1041", status: "closed" as const }], parcels: [parcel("P1", { chairs: 1 })] }
    only(await made.reads(books), /the order is in GBP, and its deferred payment in EUR/)
    assert.deepStrictEqual(await made.money(payment), { open: 10_000, captured: 0, voided: 0, refunded: 0 })
  })

  it("10,000 JPY on a payment in EUR: nothing is captured", LIMIT, async () => {
    const made = await shopFiles(await service(), {})
    const payment = await made.buys("1041", 10_000, "EUR")
    const lines = [{ line: "chairs", quantity: 4, gross: 10_000 }]
    const books = { orders: [{ id: "1041", currency: "JPY", lines }], parcels: [parcel("P1", { chairs: 2 })] }
    only(await made.reads(books), /the order is in JPY, and its deferred payment in EUR/)
    assert.deepStrictEqual(await made.money(payment), { open: 10_000, captured: 0, voided: 0, refunded: 0 })
  })

  it("10,000 JPY on a payment in JPY: whole yen", LIMIT, async () => {
    const made = await shopFiles(await service(), {})
    const payment = await made.buys("1041", 10_000, "JPY")
    const lines = [{ line: "chairs", quantity: 4, gross: 10_000 }]
    only(await made.reads({ orders: [{ id: "1041", currency: "JPY", lines }], parcels: [parcel("P1", { chairs: 2 })] }))
    assert.deepStrictEqual(await made.money(payment), { open: 5000, captured: 5000, voided: 0, refunded: 0 })
  })

  it("a return in USD of an order in GBP: nothing is refunded", LIMIT, async () => {
    const { money, payment, reads } = await shop()
    const parcels = [parcel("P1")]
    only(await reads({ parcels }))
    const returns = [parcel("R1", { chairs: 1 }, { currency: "USD", date: "2026-03-09" })]
    only(await reads({ parcels, returns }), /its return of 2026-03-09 is in USD, and the order in GBP/)
    assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000, voided: 0, refunded: 0 })
  })

  it("an order whose currency is edited after a capture: nothing more is captured", LIMIT, async () => {
    const { money, payment, reads } = await shop()
    const parcels = [parcel("P1", { chairs: 1 })]
    only(await reads({ parcels }))
    const captured = cost({ chairs: 1 })
    const next = { orders: [{ id: "1041", currency: "EUR" }], parcels: [...parcels, parcel("P2", { chairs: 1 })] }
    only(await reads(next), /the order is in EUR, and its deferred payment in GBP/)
    assert.deepStrictEqual(await money(payment), { open: 10_000 - captured, captured, voided: 0, refunded: 0 })
  })
})

describe("facts that are entered again", () => {
  const two = parcel("P1", { chairs: 2 })
  const changes: ReadonlyArray<readonly [string, ReadonlyArray<ShopFact>]> = [
    ["entered again under another id", [parcel("P9", { chairs: 2 })]],
    ["split", [parcel("P1a", { chairs: 1 }), parcel("P1b", { chairs: 1 })]],
    ["edited, beside a new one", [parcel("P1", { chairs: 1 }), parcel("P2", { chairs: 1 })]],
    ["deleted", []]
  ]
  for (const [name, parcels] of changes)
    it(`a parcel that is ${name} is not captured again`, LIMIT, async () => {
      const { money, payment, reads } = await shop()
      only(await reads({ parcels: [two] }))
      only(await reads({ parcels }))
      assert.deepStrictEqual(await money(payment), { open: 6667, captured: 3333, voided: 0, refunded: 0 })
    })

  it(
    "a parcel that moves to another order is charged there; what its first was charged is used up, or stays for a week after its end",
    LIMIT,
    async () => {
      const { buys, money, payment, reads } = await shop()
      const second = await buys("1042")
      const moved = { ...two, order: "1042" }
      const both = (first: ShopOrder) => [first, { id: "1042" }]
      only(await reads({ orders: both({ id: "1041" }), parcels: [two] }))
      only(await reads({ orders: both({ id: "1041" }), parcels: [moved] }))
      const charged = { open: 6667, captured: 3333, voided: 0, refunded: 0 }
      for (const one of [payment, second]) assert.deepStrictEqual(await money(one), charged)
      const next = [moved, parcel("P2", { chairs: 1 })]
      only(await reads({ orders: both({ id: "1041" }), parcels: next }))
      for (const one of [payment, second]) assert.deepStrictEqual(await money(one), charged)
      // Its money may still follow: nobody is asked before a week has passed, and nothing goes back by itself.
      only(await reads({ orders: both({ id: "1041", status: "closed" }), parcels: next }))
      assert.deepStrictEqual(await money(payment), { open: 0, captured: 3333, voided: 6667, refunded: 0 })
      assert.deepStrictEqual(await money(second), charged)
    }
  )

  it("a return that is entered again under another id is not refunded again", LIMIT, async () => {
    const { money, payment, reads } = await shop()
    const parcels = [parcel("P1")]
    only(await reads({ parcels }))
    for (const id of ["R1", "R2"])
      only(await reads({ parcels, returns: [parcel(id, { chairs: 1 }, { date: "2026-03-09" })] }))
    assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000, voided: 0, refunded: 1667 })
  })
})

describe("a setting that changes between two parcels", () => {
  for (const after of ["quantity", "first"])
    it(`shipping by value, then by ${after}: an order that has begun goes on as it began`, LIMIT, async () => {
      const made = await shop({}, { shipping: "value" })
      only(await made.reads({ parcels: [parcel("P1", { rug: 1, lamps: 1 })] }))
      made.settings({ shipping: after })
      const later = await made.buys("1042")
      const orders = [{ id: "1041", status: "closed" as const }, { id: "1042" }]
      const parcels = [parcel("P1", { rug: 1, lamps: 1 }), parcel("P2"), parcel("P3", { rug: 1 }, { order: "1042" })]
      only(await made.reads({ orders, parcels }))
      assert.deepStrictEqual(await made.money(made.payment), { open: 0, captured: 10_000, voided: 0, refunded: 0 })
      // 10.00, and an eighth of the delivery, or all of it.
      const captured = after === "quantity" ? 1125 : 2000
      assert.deepStrictEqual(await made.money(later), { open: 10_000 - captured, captured, voided: 0, refunded: 0 })
    })
})

describe("a standard order from its first parcel to its last return", () => {
  it("comes to what its prices say, whatever the order of its facts", LIMIT, async () => {
    const { money, payment, reads } = await shop()
    const facts = {
      parcels: [
        parcel("P1", { chairs: 1, lamps: 1 }, { date: "2026-03-02" }),
        parcel("P2", { chairs: 2 }, { date: "2026-03-04" })
      ],
      cancellations: [parcel("C1", { lamps: 1 }, { date: "2026-03-03" })],
      returns: [parcel("R1", { chairs: 2 }, { date: "2026-03-09" })]
    }
    only(await reads({ parcels: [facts.parcels[1]!] }))
    only(await reads({ ...facts, orders: [{ id: "1041", lines: STANDARD }] }))
    const charged = async () => {
      const { captured, refunded } = await money(payment)
      return captured - refunded
    }
    assert.strictEqual(await charged(), 2407)
    only(await reads({ ...facts, orders: [{ id: "1041", status: "closed" }] }))
    assert.strictEqual(await charged(), 2407)
    assert.strictEqual((await money(payment)).open, 0)
  })
})
