/** A payment that pays for another connection's invoice is corrected: in nothing but its day; and twice, so that it leaves its invoice. */
import { assert, describe, it } from "@effect/vitest"
import { invoice } from "../../support/Documents.ts"
import { open, report } from "../InWorld.ts"
import { back, BAKERY, received } from "../Paying.ts"
import { World } from "../World.ts"

const WAYS = {
  "by its link": { link: "INV-1" },
  "by its reference": { reference: "INV-1" },
  "by its amount and payer": BAKERY
}

/** The days of the payments that were sent, in their order. */
const daysSent = (world: World): ReadonlyArray<string> =>
  open(world, "SELECT request FROM claim WHERE operation = 'transactions.createPayment' ORDER BY id").map(
    ({ request }) => (JSON.parse(String(request)) as { readonly body: { readonly date: string } }).body.date
  )

describe("a payment of another connection whose day alone is corrected", () => {
  for (const [way, says] of Object.entries(WAYS)) {
    it(`is reported anew where it was matched ${way}`, async () => {
      const world = new World({ pays: true })
      world.documents = [invoice()]
      world.payments = [received("D1", { ...says, date: "2026-02-01" })]
      report(await world.sync())
      world.payments = [received("D1", { ...says, date: "2026-02-04" })]
      report(await world.sync())
      assert.deepStrictEqual(daysSent(world), ["2026-02-01", "2026-02-01", "2026-02-04"])
      world.close()
    })
  }

  it("and so is what went back of it", async () => {
    const world = new World({ pays: true })
    world.documents = [invoice()]
    const paid = received("D1", { reference: "INV-1", date: "2026-02-01" })
    world.payments = [paid, back("R1", "D1", { date: "2026-02-05" })]
    report(await world.sync())
    world.payments = [paid, back("R1", "D1", { date: "2026-02-06" })]
    report(await world.sync())
    assert.deepStrictEqual(daysSent(world), ["2026-02-01", "2026-02-05", "2026-02-05", "2026-02-06"])
    world.close()
  })
})

describe("an invoice that is paid on the service, and that its payment left", () => {
  const needs = (world: World) =>
    open(world, "SELECT subject, rule FROM attention WHERE closed IS NULL ORDER BY 1, 2").map(
      ({ rule, subject }) => `${String(subject)} ${String(rule)}`
    )

  it("has an item of its own once the payment's item, which spoke for it, is closed", async () => {
    for (const gone of [false, true]) {
      const world = new World({ pays: true })
      world.documents = [invoice(), invoice({ id: "I2", number: "INV-2" })]
      world.payments = [received("D1", { reference: "INV-1" })]
      report(await world.sync())
      world.payments = [received("D1", { amount: "77.00", reference: "thank you" })]
      report(await world.sync())
      assert.deepStrictEqual(needs(world), ["debits/payment/D1 M3"])
      world.payments = gone ? [] : [received("D1", { reference: "INV-2" })]
      report(await world.sync())
      assert.deepStrictEqual(needs(world), ["books/invoice/I1 T13"])
      world.close()
    }
  })
})
