/**
 * What a payment is for follows from the facts and from what stands, and never from what was read, decided or sent first: each
 * story ends as if today's books were read in one go, which `violations` compares.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { of } from "../../../core/money/Decimal.ts"
import * as Choices from "../../../sync/matching/Choices.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { inWorld, open } from "../InWorld.ts"
import { violations } from "../Invariants.ts"
import { back, BAKERY, received } from "../Paying.ts"
import type { World } from "../World.ts"

const one = invoice()
const two = invoice({ id: "I2", number: "INV-2" })

const settled = async (world: World): Promise<void> => {
  for (let n = 0; n < 2; n++) await world.sync()
  assert.deepStrictEqual(await violations(world), [])
}

const reasons = (world: World): string =>
  open(world, "SELECT subject || ': ' || why AS item FROM attention WHERE closed IS NULL ORDER BY 1")
    .map(({ item }) => String(item))
    .join("\n")

describe("whatever was first,", () => {
  it("what is reported comes before what only names its invoice, from then on", () =>
    inWorld({ pays: true }, async (world) => {
      const whole = { ...BAKERY, reference: "INV-1" }
      world.documents = [invoice({ gross: "240.00" })]
      world.payments = [
        received("D1", { ...whole, date: "2026-02-14" }),
        back("B1", "D1", { date: "2026-01-31" }),
        received("D2", { ...whole, date: "2026-02-20" }),
        received("D3", { ...whole, date: "2026-02-21", amount: "31.30" })
      ]
      await settled(world)
    })())

  it("an invoice is called paid under every name that its customer pays with", () =>
    inWorld({ pays: true }, async (world) => {
      const mill = { party: { name: "Old Mill Ltd" } }
      world.documents = [one]
      world.payments = [received("D1", mill)]
      await world.sync()
      const decide = Effect.gen(function* () {
        const db = yield* Database
        yield* db.transaction(() => Choices.choose(db, "debits/payment/D1", [{ invoice: "INV-1" }], 0))
        yield* Matching.run
      })
      assert.strictEqual((await world.life(decide))._tag, "Success")
      world.documents = [one, two]
      world.payments = [received("D1", mill), received("D2", BAKERY)]
      await settled(world)
      world.payments = [...world.payments, received("D3", mill)]
      await settled(world)
      assert.match(reasons(world), /D3: .*INV-2, of this payer and amount, was paid by another payment|D3: .*were paid/)
    })())

  it("nothing stays on an invoice that is in another currency now", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      world.payments = [received("D1", BAKERY), received("D2", { ...BAKERY, date: "2026-02-02" }), back("B1", "D2")]
      await settled(world)
      world.documents = [invoice({ currency: "USD" })]
      await settled(world)
      assert.deepStrictEqual(open(world, "SELECT invoice FROM allocation WHERE amount IS NOT NULL"), [])
      assert.match(reasons(world), /debits\/payment\/D1: /)
    })())

  it("no more is open again than a payment that its source links to the invoice was", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      world.payments = [
        received("D1", { ...BAKERY, amount: "20.00", link: "I1" }),
        back("B1", "D1", { amount: "60.00" }),
        received("D2", { ...BAKERY, date: "2026-06-01", amount: "150.00", reference: "INV-1" })
      ]
      await settled(world)
      assert.match(reasons(world), /D2: .*only 120\.00 GBP of that is open/)
    })())

  it("what is the same money is decided again when the invoice that it names is another", () =>
    inWorld({ pays: true }, async (world) => {
      const other = { id: "I9", gross: "500.00", party: { id: "c2", name: "Old Mill", country: "GB" } }
      world.documents = [one, payment("P1", "120.00", "2026-01-31"), invoice({ ...other, number: "INV-9" })]
      world.payments = [received("D1", { ...BAKERY, link: "INV-9" })]
      await settled(world)
      world.documents = [one, payment("P1", "120.00", "2026-01-31"), invoice({ ...other, number: "INV-90" })]
      await settled(world)
    })())

  it("what is reported on the invoice that its text means stays there where the books have it for another", () =>
    inWorld({ pays: true }, async (world) => {
      // Its books say that it is open, so that it is not marked as paid.
      const meant = invoice({ number: "INV-1001", gross: "70.00", stated: { open: of("70.00") } })
      const other = invoice({ id: "I2", number: "INV-1002", gross: "735.02" })
      const paid = [invoice({ id: "I3", number: "INV-3" }), payment("P0", { I3: "120.00" })]
      world.documents = [meant, other, ...paid]
      world.payments = [received("D1", { ...BAKERY, amount: "70.00", reference: "Rg. 1001" })]
      await settled(world)
      world.documents = [meant, other, ...paid, payment("P1", { I2: "70.00" }, "2026-02-02")]
      await settled(world)
      const posted = [...world.service.payment.values()].map(({ amount, details }) => `${amount} ${details}`)
      assert.deepStrictEqual(posted.toSorted(), ["120.00 books/payment/P0", "70.00 debits/payment/D1"])
      assert.match(reasons(world), /books\/invoice\/I2: .*70\.00 GBP on 2026-02-02 .*may be the same money/)
    })())
})
