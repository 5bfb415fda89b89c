/**
 * The statement of a shop's orders, over the command: what the shop's facts come to and what it states itself, beside what
 * the service says, with every difference named. A side that looked at what was sent would agree with it.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Dashboard from "../../sync/reports/Dashboard.ts"
import { Database } from "../../sync/state/Database.ts"
import { ofType, service, useCommand } from "../support/Cli.ts"
import { shopFiles, type ShopFact } from "../support/ShopFiles.ts"

useCommand()

const LIMIT = { timeout: 90_000 }

/** A shop whose standard order was paid. */
const shop = async () => {
  const made = await shopFiles(await service(), {})
  return { ...made, payment: await made.buys() }
}

const parcel = (id: string, lines: ShopFact["lines"] = {}, more: Partial<ShopFact> = {}): ShopFact => ({
  id,
  lines,
  ...more
})

const only = (attention: ReadonlyArray<string>) => assert.deepStrictEqual(attention, [])

describe("the statement", () => {
  const sides = ({ source, totals, ...one }: Readonly<Record<string, unknown>>) => ({
    source,
    totals,
    service: { captured: one["captured"], voided: one["voided"], refunded: one["refunded"], open: one["open"] },
    differences: (one["differences"] as ReadonlyArray<Readonly<Record<string, unknown>>>).map(
      ({ amount, service, source, what }) => [what, source, service, amount]
    )
  })
  const UNCHECKED = { captured: "not checked", voided: "not checked", refunded: "not checked" }

  it(
    "says what the facts come to beside what the service says, and claims nothing that the shop does not state",
    LIMIT,
    async () => {
      const { here, reads, statement } = await shop()
      const parcels = [parcel("P1", { chairs: 4, lamps: 3 })]
      only(
        await reads({
          parcels,
          cancellations: [parcel("C1", { rug: 1 })],
          returns: [parcel("R1", { chairs: 1 }, { date: "2026-03-09" })]
        })
      )
      assert.deepStrictEqual(sides(await statement()), {
        source: { total: "100.00", captured: "72.22", voided: "27.78", open: "0.00", refunded: "0.00" },
        totals: UNCHECKED,
        service: { captured: "72.22", voided: "27.78", refunded: "0.00", open: "0.00" },
        differences: []
      })
      const { ahead, charged, owed, short, still, toVoid } = await statement()
      assert.deepStrictEqual(
        { ahead, charged, owed, short, still, toVoid },
        { ahead: "0.00", charged: "72.22", owed: "72.22", short: "0.00", still: "0.00", toVoid: "0.00" }
      )
      const text = (await here.run("status")).stdout
      assert.match(text, /shop +GBP +1 +service +100\.00 +72\.22 +27\.78 +0\.00 +0\.00 +0\.00 +agree/)
      assert.match(text, /source +100\.00 +72\.22 +27\.78 +0\.00 +0\.00 +own totals: not checked/)
    }
  )

  it("is in the sheet of orders, order by order: the source, what was sent, the service", LIMIT, async () => {
    const { here, reads } = await shop()
    const parcels = [parcel("P1")]
    await reads({ parcels })
    await reads({ parcels, returns: [parcel("R1", { chairs: 2 }, { date: "2026-03-09" })] })
    await here.run("export", "books.csv")
    const [head = [], row = []] = readFileSync(join(here.folder, "books.orders.csv"), "utf8")
      .replace(/^\uFEFF/, "")
      .split(/\r?\n/)
      .map((line) => line.split(/[,;]/))
    const cell = (name: string) => row[head.indexOf(name)]
    for (const [what, service, source, sent] of [
      ["Captured", "100.00", "100.00", "100.00"],
      ["Voided", "0.00", "0.00", "0.00"],
      ["Refunded", "33.33", "33.33", "33.33"]
    ] as const)
      assert.deepStrictEqual([cell(what), cell(`${what} (source)`), cell(`${what} (sent)`)], [service, source, sent])
  })

  it("names goods that left of an order for which the service has no deferred payment", LIMIT, async () => {
    const { reads, statement } = await shop()
    await reads({
      orders: [{ id: "1041" }, { id: "1042", number: "elsewhere" }],
      parcels: [parcel("P9", { chairs: 2 }, { order: "1042" })]
    })
    const { waiting } = (await statement()) as { readonly waiting: ReadonlyArray<Readonly<Record<string, unknown>>> }
    assert.deepStrictEqual(
      waiting.map(({ document, service, source, what }) => [document, what, source, service]),
      [["shop/order/1042", "captured", "33.33", "0.00"]]
    )
  })

  it("names what left and cannot be captured any more", LIMIT, async () => {
    const { reads, statement } = await shop()
    only(await reads({ orders: [{ id: "1041", status: "cancelled" }] }))
    const whys = await reads({ parcels: [parcel("P1")] })
    assert.match(whys.join(), /100\.00 GBP of the order is not authorised, or not any more/)
    const { differences, short } = await statement()
    assert.deepStrictEqual(sides({ ...(await statement()) }).differences, [["charged", "100.00", "0.00", "100.00"]])
    assert.deepStrictEqual([short, (differences as ReadonlyArray<unknown>).length], ["100.00", 1])
  })

  it("has what a person answered apart", LIMIT, async () => {
    const { byHand, here, payment, reads, statement } = await shop()
    only(await reads({}))
    await byHand(payment, "void", 500)
    const books = { parcels: [parcel("P1", { chairs: 2 })] }
    await reads(books)
    assert.deepStrictEqual(sides(await statement()).differences, [["charged", "33.33", "33.33", "0.00"]])
    const [open] = ofType(await here.run("attention", "list", "--json"), "attention")
    await here.run("attention", "resolve", String(open!["id"]))
    only(await reads(books))
    const { accepted, differences } = (await statement()) as Readonly<Record<string, ReadonlyArray<{ what: string }>>>
    assert.deepStrictEqual([differences, accepted!.map(({ what }) => what)], [[], ["charged"]])
  })

  it("is what the books say is open, and the list of what differs has the order", { timeout: 120_000 }, async () => {
    const { here, reads, statement } = await shop()
    only(await reads({ parcels: [parcel("P1", { chairs: 4 })] }))
    // Nothing more is sent of it: a lamp left, and it came to be in another currency.
    await reads({ orders: [{ id: "1041", currency: "EUR" }], parcels: [parcel("P1", { chairs: 4, lamps: 1 })] })
    const { books, open } = await statement()
    assert.deepStrictEqual([books, open], ["33.33", "33.33"])
    await here.run("export", "books.csv")
    const sheet = readFileSync(join(here.folder, "books.completeness.csv"), "utf8").split(/\r?\n/)
    const row = sheet.find((line) => line.includes("shop,GBP,orders"))
    assert.deepStrictEqual(row?.split(",").slice(4, 9), ["33.33", "33.33", "33.33", "", "0.00"])
    const wanted = { connection: "shop", kind: "order", text: "", only: "differs", after: "" } as const
    const listed = await Effect.runPromise(
      Effect.map(Database, (db) => Dashboard.documents(db, wanted, 10)).pipe(
        Effect.provide(Database.layer({ file: here.path("daybook.db"), mode: "read" }))
      )
    )
    assert.deepStrictEqual(
      listed.map(({ key }) => key),
      ["shop/order/1041"]
    )
  })

  it("compares the shop's own totals, where it states some", LIMIT, async () => {
    const { reads, statement } = await shop()
    const facts = { parcels: [parcel("P1")], returns: [parcel("R1", { chairs: 1 }, { date: "2026-03-09" })] }
    only(await reads({ ...facts, orders: [{ id: "1041", totals: { shipped: "100.00", refunded: "33.34" } }] }))
    const found = sides(await statement())
    assert.deepStrictEqual(found.totals, { captured: "agree", voided: "not checked", refunded: "differ" })
    assert.deepStrictEqual(found.differences, [["refunded", "33.34", "16.67", "16.67"]])
  })
})
