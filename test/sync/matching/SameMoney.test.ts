/** Invoices of which the books and another list state the same money: what is open of them for what names them. */
import { assert, describe, it } from "@effect/vitest"
import { invoice, payment, reversal } from "../../support/Documents.ts"
import { inWorld, open } from "../InWorld.ts"
import { violations } from "../Invariants.ts"
import { back, BAKERY, received } from "../Paying.ts"
import type { World } from "../World.ts"

const one = invoice()

/** Why each payment waits. */
const waiting = (world: World): ReadonlyArray<string> =>
  open(world, "SELECT subject || ': ' || why AS item FROM attention WHERE closed IS NULL ORDER BY 1").map(({ item }) =>
    String(item)
  )

const agrees = async (world: World): Promise<void> => {
  await world.sync()
  await world.sync()
  assert.deepStrictEqual(await violations(world), [])
}

describe("an invoice whose money two lists state", () => {
  it("is open again by what went back of a payment that the books have as well, whatever was read first", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one, payment("P1", "120.00", "2026-01-31")]
      world.payments = [
        received("D1", { ...BAKERY, reference: "INV-1" }),
        received("D2", { ...BAKERY, amount: "150.00", reference: "INV-1" })
      ]
      await agrees(world)
      world.payments = [...world.payments, back("B1", "D1", { amount: "60.00" })]
      await agrees(world)
      assert.match(waiting(world).join("\n"), /D2: .*only 60\.00 GBP of that is open/)
    })())

  it("is open again once where both lists say that it went back", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [
        one,
        payment("P1", "120.00", "2026-01-31"),
        reversal("R1", "60.00", "error", { payment: "P1", date: "2026-02-04" })
      ]
      world.payments = [received("D1", { ...BAKERY, reference: "INV-1" }), back("B1", "D1", { amount: "60.00" })]
      await agrees(world)
      const later = { ...BAKERY, date: "2026-05-31", amount: "150.00", reference: "INV-1" }
      world.payments = [...world.payments, received("D2", later)]
      await agrees(world)
      assert.match(waiting(world).join("\n"), /D2: .*only 60\.00 GBP of that is open/)
    })())

  it("is open again by each of two that went back alike, of payments that are two", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [
        one,
        payment("P1", "120.00", "2026-02-28"),
        payment("P2", "120.00", "2026-03-31"),
        reversal("R2", "120.00", "error", { payment: "P2", date: "2026-02-28" })
      ]
      // The first was taken, and charged back.
      world.payments = [
        received("D1", { ...BAKERY, date: "2026-02-14", reference: "INV-1" }),
        back("B1", "D1", { amount: "120.00", date: "2026-02-28" })
      ]
      await agrees(world)
      assert.deepStrictEqual(
        [...world.service.transaction.values()].map(({ status }) => status),
        ["pending"]
      )
    })())

  it("has again what is reported and was the same money as a payment that its books state no more", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      world.payments = [received("D1", BAKERY)]
      await agrees(world)
      world.documents = [one, payment("P1", "120.00", "2026-01-31")]
      await agrees(world)
      world.documents = [one]
      await agrees(world)
      assert.deepStrictEqual(open(world, "SELECT invoice FROM allocation WHERE amount IS NOT NULL"), [
        { invoice: "books/invoice/I1" }
      ])
    })())

  it("keeps what its books stated in place of what another list states from then on", () =>
    inWorld({ pays: true }, async (world) => {
      const two = invoice({ id: "I2", number: "INV-2", gross: "40.00", net: "33.33" })
      world.documents = [one, two, payment("P1", "120.00", "2026-01-31")]
      await agrees(world)
      world.documents = [one, two]
      world.payments = [received("D1", { ...BAKERY, date: "2026-01-31", link: "I1" })]
      await agrees(world)
      assert.strictEqual(world.service.payment.size, 1)
    })())

  it("has what its own books state, also while that may be the same as what is reported already", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      world.payments = [
        received("D1", { ...BAKERY, amount: "100.00", link: "INV-1" }),
        received("D2", { ...BAKERY, reference: "INV-1" })
      ]
      await agrees(world)
      world.documents = [one, payment("P1", "30.00", "2026-04-30")]
      await agrees(world)
      assert.match(waiting(world).join("\n"), /D2: .*no amount of that is open/)
    })())
})
