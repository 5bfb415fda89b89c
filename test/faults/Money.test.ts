/** Money that goes astray, by name: what the service then holds, and what the user is told. */
import { assert, describe, it } from "@effect/vitest"
import type { Document } from "../../connectors/Document.ts"
import { creditNote, invoice, payment, reversal } from "../support/Documents.ts"
import { ask, inWorld, open, report } from "../sync/InWorld.ts"
import { violations } from "../sync/Invariants.ts"
import type { World } from "../sync/World.ts"

/** The books change, and each state of them is sent. */
const send = async (world: World, ...states: ReadonlyArray<ReadonlyArray<Document>>) => {
  for (const documents of states) {
    world.documents = documents
    report(await world.sync())
  }
}

/** Of an invoice on the service: its status, what it asks for, and what was reported on it. */
const held = (world: World, number = "INV-1") => {
  const one = [...world.service.transaction.values()].find((each) => each["number"] === number)
  if (one === undefined) return undefined
  const payments = world.service.payment.by(one.id)
  return [one["status"], one["gross_amount"], ...payments.map(({ amount, type }) => `${amount} ${type}`)]
}

const attention = (world: World) =>
  open(world, "SELECT why, todo FROM attention WHERE closed IS NULL ORDER BY id").map(({ todo, why }) => [why, todo])

const sound = async (world: World) => assert.deepStrictEqual(await violations(world), [])

describe("payments", () => {
  it(
    "a part, then the rest: paid with the last of them",
    inWorld({}, async (world) => {
      await send(world, [invoice(), payment("P1", "70.00")])
      assert.deepStrictEqual(held(world), ["pending", "120.00", "70.00 settlement"])
      await send(world, [invoice(), payment("P1", "70.00"), payment("P2", "50.00", "2026-01-20")])
      assert.deepStrictEqual(held(world), ["paid", "120.00", "70.00 settlement", "50.00 settlement"])
      await sound(world)
    })
  )

  it(
    "more than was asked for is reported as it came, and settles",
    inWorld({}, async (world) => {
      await send(world, [invoice(), payment("P1", "150.00")])
      assert.deepStrictEqual(held(world), ["paid", "120.00", "150.00 settlement"])
      await sound(world)
    })
  )

  it(
    "one over many invoices is one on each, under keys of their own",
    inWorld({}, async (world) => {
      const second = invoice({ id: "I2", number: "INV-2", gross: "80.00" })
      await send(world, [invoice(), second, payment("P1", { I1: "120.00", I2: "30.00" })])
      assert.deepStrictEqual(held(world), ["paid", "120.00", "120.00 settlement"])
      assert.deepStrictEqual(held(world, "INV-2"), ["pending", "80.00", "30.00 settlement"])
      await sound(world)
    })
  )

  it(
    "deleted and entered again under another key: taken back, and sent anew, in that order",
    inWorld({}, async (world) => {
      await send(world, [invoice(), payment("P1", "50.00")], [invoice(), payment("P9", "50.00")])
      assert.sameMembers(held(world)!.slice(2).map(String), ["50.00 settlement", "-50.00 unknown", "50.00 settlement"])
      assert.deepStrictEqual(attention(world), [])
      await sound(world)
    })
  )

  it(
    "moved to another invoice: back there, forth here",
    inWorld({}, async (world) => {
      const second = invoice({ id: "I2", number: "INV-2", gross: "80.00" })
      await send(
        world,
        [invoice(), second, payment("P1", "50.00")],
        [invoice(), second, payment("P1", { I2: "50.00" })]
      )
      assert.deepStrictEqual(held(world), ["pending", "120.00", "50.00 settlement", "-50.00 unknown"])
      assert.deepStrictEqual(held(world, "INV-2"), ["pending", "80.00", "50.00 settlement"])
      await sound(world)
    })
  )

  it(
    "to one cent: remainders of thirds are sent as they are and settle",
    inWorld({}, async (world) => {
      const thirds = [payment("P1", "33.33"), payment("P2", "33.33"), payment("P3", "33.33")]
      await send(world, [invoice({ gross: "100.00" }), ...thirds])
      assert.strictEqual(held(world)![0], "pending")
      await send(world, [invoice({ gross: "100.00" }), ...thirds, payment("P4", "0.01")])
      assert.strictEqual(held(world)![0], "paid")
      await sound(world)
    })
  )

  it(
    "in currencies of no and of three decimals are sent exactly",
    inWorld({}, async (world) => {
      await send(world, [
        invoice({ currency: "JPY", gross: "1000" }),
        payment("P1", "999"),
        invoice({ id: "I2", number: "INV-2", currency: "KWD", gross: "12.35" }),
        payment("P2", { I2: "12.35" })
      ])
      assert.deepStrictEqual(held(world), ["pending", "1000.00", "999.00 settlement"])
      assert.deepStrictEqual(held(world, "INV-2"), ["paid", "12.35", "12.35 settlement"])
      await sound(world)
    })
  )

  it(
    "finer than the service takes: refused with its own words, and nothing is rounded",
    inWorld({}, async (world) => {
      await send(world, [invoice({ currency: "KWD", gross: "1.234" })])
      assert.isUndefined(held(world))
      assert.include(
        attention(world)[0]![0],
        "the service refused transactions.create: refused with 400: gross_amount: Ensure that there are no more than 2 decimal places."
      )
    })
  )
})

describe("money that goes back", () => {
  it(
    "a debit that fails after it was paid out: sent as an error, and a person hears that it is open again",
    inWorld({}, async (world) => {
      const failed = reversal("R1", "120.00", "error", { payment: "P1", providerCode: "AC04" })
      await send(world, [invoice(), payment("P1", "120.00")], [invoice(), payment("P1", "120.00"), failed])
      assert.deepStrictEqual(held(world), ["paid", "120.00", "120.00 settlement", "-120.00 error"])
      assert.deepStrictEqual(attention(world), [
        [
          "it is paid on the service, but 120.00 GBP is open again in the source",
          "contact the service's operator: an invoice that is marked as paid cannot be reopened"
        ]
      ])
    })
  )

  it(
    "a chargeback, and then it is won: back, and forth again",
    inWorld({}, async (world) => {
      const [paid, back] = [payment("P1", "60.00"), reversal("R1", "60.00", "chargeback", { payment: "P1" })]
      const won = payment("R1/won", "60.00", "2026-02-20")
      await send(world, [invoice(), paid, back], [invoice(), paid, back, won])
      assert.deepStrictEqual(held(world)!.slice(2), ["60.00 settlement", "-60.00 chargeback", "60.00 settlement"])
      assert.deepStrictEqual(attention(world), [])
      await sound(world)
    })
  )

  it(
    "a refund after the invoice was closed is sent, and reported",
    inWorld({}, async (world) => {
      const refund = reversal("R1", "20.00", "refund", { payment: "P1", date: "2026-03-15" })
      await send(world, [invoice(), payment("P1", "120.00")], [invoice(), payment("P1", "120.00"), refund])
      assert.deepStrictEqual(held(world)!.slice(2), ["120.00 settlement", "-20.00 refund"])
      assert.strictEqual(attention(world).length, 1)
    })
  )

  it(
    "before its payment is there it waits, says so, and goes once the payment is",
    inWorld({}, async (world) => {
      const early = reversal("R1", "50.00", "chargeback", { payment: "P1" })
      await send(world, [invoice(), early])
      assert.deepStrictEqual(held(world), ["pending", "120.00"])
      assert.deepStrictEqual(attention(world), [
        [
          "50.00 GBP cannot be reversed: it is more than was received before",
          "check in the source which payment it belongs to; it is sent as soon as the payment is there"
        ]
      ])
      await send(world, [invoice(), early, payment("P1", "50.00")])
      assert.deepStrictEqual(held(world)!.slice(2), ["50.00 settlement", "-50.00 chargeback"])
      assert.deepStrictEqual(attention(world), [])
      await sound(world)
    })
  )
})

describe("credit notes", () => {
  it(
    "applied they lower the invoice, un-applied they raise it again",
    inWorld({}, async (world) => {
      await send(world, [invoice(), creditNote("C1", "20.00")])
      assert.deepStrictEqual(held(world), ["pending", "100.00"])
      await send(world, [invoice()])
      assert.deepStrictEqual(held(world), ["pending", "120.00"])
      await sound(world)
    })
  )

  it(
    "of a currency with three decimals are shared out no finer than the service takes",
    inWorld({}, async (world) => {
      await send(world, [invoice({ currency: "KWD", net: "79.37", gross: "95.25" }), creditNote("C1", "0.57")])
      assert.deepStrictEqual(attention(world), [])
      assert.strictEqual(held(world)![1], "94.68")
      await sound(world)
    })
  )
})

describe("somebody else", () => {
  it(
    "marked it as paid meanwhile: that is seen when it matters, and nothing is sent twice",
    inWorld({}, async (world) => {
      await send(world, [invoice()])
      const [one] = world.service.transaction.values()
      await ask(world, "PUT", `/v1/transactions/${one!.id}/paid`, {})
      await send(world, [invoice(), payment("P1", "120.00")])
      assert.deepStrictEqual(held(world), ["paid", "120.00", "120.00 settlement"])
      assert.deepStrictEqual(attention(world), [])
      await sound(world)
    })
  )

  it(
    "voids and restores it in the source: deleted, and sent anew",
    inWorld({}, async (world) => {
      await send(world, [invoice()], [invoice({ status: "void" })])
      assert.isUndefined(held(world))
      await send(world, [invoice()])
      assert.deepStrictEqual(held(world), ["pending", "120.00"])
      await sound(world)
    })
  )
})
