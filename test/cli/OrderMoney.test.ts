/**
 * The money of a shop's orders, over the command as a user has it: what is captured, voided and refunded is what the shop's
 * facts come to by the order's prices, whatever was edited, deleted, stated or set meanwhile; or nothing moves, and
 * somebody is told what contradicts what.
 */
import { assert, describe, it } from "@effect/vitest"
import { ofType, service, useCommand } from "../support/Cli.ts"
import { cost, shopFiles, type ShopBooks, type ShopFact, STANDARD } from "../support/ShopFiles.ts"

useCommand()

const LIMIT = { timeout: 90_000 }

/** A shop whose standard order was paid. */
const shop = async (books: ShopBooks = {}, settings: object = {}) => {
  const made = await shopFiles(await service(), books, settings)
  return { ...made, payment: await made.buys() }
}

const open = [{ id: "1041" }]
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
          only(await next(all), /its fulfilment of 2026-03-05 says 4 of chairs, but 0 is open/)
          only(await next(all), /its fulfilment of 2026-03-05 says 4 of chairs, but 0 is open/)
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
    const voided = cost({ lamps: 1 }, { back: true })
    assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000 - voided, voided, refunded: 0 })
    // By now it leaves out a lamp of which nobody knew when it was captured.
    const late = { ...facts, cancellations: [parcel("C1", { lamps: 2 }, { date: "2026-03-03" })] }
    const whys = await reads(late)
    assert.isTrue(
      whys.some((why) => why.includes("2 of lamps instead of 1 of lamps")),
      whys.join("\n")
    )
    assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000 - voided, voided, refunded: 0 })
  })

  it("that takes the place of one that named its goods contradicts what was captured", LIMIT, async () => {
    const { money, payment, reads } = await shop()
    only(await reads({ parcels: [parcel("P1", { chairs: 1 })] }))
    const captured = cost({ chairs: 1 })
    const whys = await reads({ parcels: [parcel("P1")] })
    only(
      whys,
      /16\.67 GBP was sent for it, and the source now says something else: 4 of chairs, 3 of lamps, 1 of rug instead of 1 of chairs/
    )
    assert.deepStrictEqual(await money(payment), { open: 10_000 - captured, captured, voided: 0, refunded: 0 })
  })

  it("so does a return of everything in place of a return of one chair", LIMIT, async () => {
    const { money, payment, reads } = await shop()
    const parcels = [parcel("P1")]
    only(await reads({ parcels, returns: [parcel("R1", { chairs: 1 }, { date: "2026-03-09" })] }))
    const whys = await reads({ parcels, returns: [parcel("R1", {}, { date: "2026-03-09" })] })
    only(whys, /4 of chairs, 3 of lamps, 1 of rug instead of 1 of chairs/)
    const refunded = cost({ chairs: 1 })
    assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000, voided: 0, refunded })
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
      const refunded = cost({ chairs: 3 })
      assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000, voided: 0, refunded })
      // Another id may be the same return once more.
      const again = [parcel("R2", { chairs: 1 }, { date: "2026-03-09" })]
      only(
        await reads({ orders: others, ...kept, returns: again }),
        /R2: |no longer has it/,
        /blocked by another problem|no longer has it/
      )
      assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000, voided: 0, refunded })
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
    only(await reads(first))
    only(await reads({ ...first, returns: [...first.returns, parcel("R2", { chairs: 1 }, { date: "2026-03-10" })] }))
    assert.deepStrictEqual(await money(payment), { open: 0, captured: 10_000, voided: 0, refunded: 1500 + 2500 })
  })

  it(
    "a cancellation of 3 of 4 chairs for 15.00, then the last one leaves: 25.00, and the rest once it is closed",
    LIMIT,
    async () => {
      const { money, payment, reads } = await shop()
      const facts = {
        cancellations: [parcel("C1", { chairs: 3 }, { amount: "15.00", date: "2026-03-02" })],
        parcels: [parcel("P1", { chairs: 1 })]
      }
      only(await reads({ orders, ...facts }))
      assert.deepStrictEqual(await money(payment), { open: 6000, captured: 2500, voided: 1500, refunded: 0 })
      only(await reads({ orders: [{ ...orders[0]!, status: "closed" }], ...facts }))
      assert.deepStrictEqual(await money(payment), { open: 0, captured: 2500, voided: 7500, refunded: 0 })
    }
  )
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

describe("what contradicts what was sent stops what follows", () => {
  const two = parcel("P1", { chairs: 2 })
  const changes: ReadonlyArray<readonly [string, ReadonlyArray<ShopFact>, RegExp]> = [
    ["entered again under another id", [parcel("P9", { chairs: 2 })], /the source no longer has it/],
    ["split", [parcel("P1a", { chairs: 1 }), parcel("P1b", { chairs: 1 })], /the source no longer has it/],
    [
      "edited, beside a new one",
      [parcel("P1", { chairs: 1 }), parcel("P2", { chairs: 1 })],
      /1 of chairs instead of 2 of chairs/
    ]
  ]
  for (const [name, parcels, why] of changes)
    it(`a parcel that is ${name} is not captured again`, LIMIT, async () => {
      const { money, payment, reads } = await shop()
      only(await reads({ parcels: [two] }))
      const captured = cost({ chairs: 2 })
      const whys = await reads({ orders: [{ id: "1041", status: "closed" }], parcels })
      assert.match(whys[0]!, why)
      assert.deepStrictEqual(await money(payment), { open: 10_000 - captured, captured, voided: 0, refunded: 0 })
    })

  it("a return that is entered again under another id is not refunded again", LIMIT, async () => {
    const { money, payment, reads } = await shop()
    const parcels = [parcel("P1")]
    only(await reads({ parcels, returns: [parcel("R1", { chairs: 1 }, { date: "2026-03-09" })] }))
    const whys = await reads({ parcels, returns: [parcel("R2", { chairs: 1 }, { date: "2026-03-09" })] })
    assert.match(whys[0]!, /16\.67 GBP was sent for it, and the source no longer has it/)
    assert.deepStrictEqual(await money(payment), {
      open: 0,
      captured: 10_000,
      voided: 0,
      refunded: cost({ chairs: 1 })
    })
  })

  it("a parcel that is moved to another order is not captured there as well", LIMIT, async () => {
    const { buys, money, payment, reads } = await shop()
    const other = await buys("1042")
    const orders = [...open, { id: "1042" }]
    only(await reads({ orders, parcels: [parcel("P1", { chairs: 2 })] }))
    const captured = cost({ chairs: 2 })
    const moved = { orders, parcels: [parcel("P1", { chairs: 2 }, { order: "1042" })] }
    only(
      await reads(moved),
      /order\/1041: .*no longer has it/,
      /order\/1042: a capture was sent for it before, as part of shop\/order\/1041/
    )
    assert.deepStrictEqual(await money(payment), { open: 10_000 - captured, captured, voided: 0, refunded: 0 })
    assert.deepStrictEqual(await money(other), { open: 10_000, captured: 0, voided: 0, refunded: 0 })
  })
})

describe("what a person lets stand", () => {
  const resolves = async ({ here }: Awaited<ReturnType<typeof shop>>, about: RegExp) => {
    const list = await here.run("attention", "list", "--json")
    const found = ofType(list, "attention").find(({ why }) => about.test(String(why)))
    const ran = await here.run("attention", "resolve", String(found!["id"]), "--json")
    assert.strictEqual(ofType(ran, "resolved")[0]!["accepted"], true)
  }

  it(
    "a parcel that was split: its parts take over what was captured, and what follows is captured",
    LIMIT,
    async () => {
      const made = await shop()
      only(await made.reads({ parcels: [parcel("P1", { chairs: 2 })] }))
      const split = [parcel("P1a", { chairs: 1 }), parcel("P1b", { chairs: 1 }), parcel("P2", { rug: 1 })]
      await made.reads({ parcels: split })
      await resolves(made, /no longer has it/)
      only(await made.reads({ parcels: split }))
      const captured = cost({ chairs: 2, rug: 1 })
      assert.deepStrictEqual(await made.money(made.payment), {
        open: 10_000 - captured,
        captured,
        voided: 0,
        refunded: 0
      })
      assert.deepStrictEqual((await made.statement())["differences"], [])
    }
  )

  it("an edited parcel: what was captured for it stands, and another edit is looked at again", LIMIT, async () => {
    const made = await shop()
    only(await made.reads({ parcels: [parcel("P1", { chairs: 2 })] }))
    const edited = [parcel("P1", { chairs: 1 }), parcel("P2", { rug: 1 })]
    await made.reads({ parcels: edited })
    await resolves(made, /1 of chairs instead of 2 of chairs/)
    only(await made.reads({ parcels: edited }))
    const captured = cost({ chairs: 2, rug: 1 })
    assert.deepStrictEqual(await made.money(made.payment), {
      open: 10_000 - captured,
      captured,
      voided: 0,
      refunded: 0
    })
    only(await made.reads({ parcels: [parcel("P1", { chairs: 3 }), edited[1]!] }), /3 of chairs instead of 2 of chairs/)
  })

  it("a parcel that was moved, and is to be captured there as well", LIMIT, async () => {
    const made = await shop()
    const other = await made.buys("1042")
    const orders = [...open, { id: "1042" }]
    only(await made.reads({ orders, parcels: [parcel("P1", { chairs: 2 })] }))
    await made.reads({ orders, parcels: [parcel("P1", { chairs: 2 }, { order: "1042" })] })
    await resolves(made, /as part of shop\/order\/1041/)
    await made.sync()
    const captured = cost({ chairs: 2 })
    assert.deepStrictEqual(await made.money(other), { open: 10_000 - captured, captured, voided: 0, refunded: 0 })
    assert.deepStrictEqual(await made.money(made.payment), {
      open: 10_000 - captured,
      captured,
      voided: 0,
      refunded: 0
    })
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
    const captured = cost({ chairs: 3, lamps: 1 })
    const voided = cost({ lamps: 1 }, { back: true })
    const refunded = cost({ chairs: 2 })
    assert.deepStrictEqual(await money(payment), { open: 10_000 - captured - voided, captured, voided, refunded })
    only(await reads({ ...facts, orders: [{ id: "1041", status: "closed" }] }))
    assert.deepStrictEqual(await money(payment), { open: 0, captured, voided: 10_000 - captured, refunded })
  })
})
