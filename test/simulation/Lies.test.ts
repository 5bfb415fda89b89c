/** What the simulated source says of invoices whose records lie. */
import { assert, describe, it } from "@effect/vitest"
import { of } from "../../core/money/Decimal.ts"
import { invoice, reversal } from "../support/Documents.ts"
import { Lies } from "./Lies.ts"
import { Story } from "./Story.ts"

/** The first record of every source lies. */
const LYING = 1

describe("an invoice whose record lies", () => {
  const one = invoice()

  it("is named with the balance that its source states", () => {
    const lies = new Lies(new Story(1), true, LYING)
    lies.delivers([one])
    assert.deepStrictEqual(
      lies.standing.map(({ follows, says }) => [says, follows]),
      [[of("120.00"), of("1200.00")]]
    )
  })

  it("is not named where its source states no balance, because more went back than was ever received", () => {
    const lies = new Lies(new Story(1), true, LYING)
    const back = reversal("R1", "120.00", "chargeback", { payment: "P1" })
    const [delivered] = lies.delivers([one, back])
    assert.isUndefined((delivered as typeof one).stated)
    assert.deepStrictEqual(lies.standing, [])
  })
})
