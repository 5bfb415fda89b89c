/** Money that went back, of which nobody knows the payment: what may be its invoice is not marked as paid, which cannot be undone. */
import { assert, describe, it } from "@effect/vitest"
import type * as Document from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { invoice } from "../../support/Documents.ts"
import { inWorld, open, report } from "../InWorld.ts"
import { received } from "../Paying.ts"
import type { World } from "../World.ts"
import { pages } from "./Pages.ts"

const reason = (world: World) =>
  open(world, "SELECT reason FROM ledger WHERE reason IS NOT NULL").map(({ reason }) => reason)

describe("an invoice whose payment may have gone back", () => {
  const lines = pages(true)
  it(
    "is not marked as paid, and is once that is gone",
    inWorld({ pays: lines.connector }, async (world) => {
      world.documents = [invoice(), invoice({ id: "I2", number: "INV-2", net: "100.00", gross: "130.00" })]
      const back: Document.Reversal = {
        kind: "reversal",
        id: "R1",
        date: Day.of("2026-02-20"),
        currency: "GBP",
        shares: [],
        unallocated: of("120.00"),
        type: "error",
        details: "UNPAID CHEQUE"
      }
      const two = received("D2", { link: "I2", amount: "130.00" })
      world.payments = lines.source.documents = [received("D1", { link: "I1" }), two, back]
      report(await world.sync({ evenSo: true }))
      assert.deepStrictEqual(reason(world), [
        "T12: it is marked as paid once somebody has said which payment debits/reversal/R1 took back, which may be its own"
      ])
      const states = () => [...world.service.transaction.values()].map(({ status }) => status)
      assert.deepStrictEqual(states(), ["pending", "paid"])
      // The bank's line was a mistake, and is gone.
      world.payments = lines.source.documents = [received("D1", { link: "I1" }), two]
      report(await world.sync({ evenSo: true }))
      report(await world.sync({ evenSo: true }))
      assert.deepStrictEqual(states(), ["paid", "paid"])
      assert.deepStrictEqual(reason(world), [])
    })
  )

  it(
    "is not marked as paid by its source's word alone, if the bank's line names it",
    inWorld({ pays: lines.connector }, async (world) => {
      world.documents = [invoice({ status: "paid" }), invoice({ id: "I2", number: "INV-2", status: "paid" })]
      const back: Document.Reversal = {
        kind: "reversal",
        id: "R1",
        date: Day.of("2026-02-20"),
        currency: "GBP",
        shares: [],
        unallocated: of("120.00"),
        type: "error",
        details: "UNPAID CHEQUE INV-2"
      }
      world.payments = lines.source.documents = [back]
      report(await world.sync({ evenSo: true }))
      const states = () => [...world.service.transaction.values()].map(({ status }) => status)
      assert.deepStrictEqual(states(), ["paid", "pending"])
    })
  )
})
