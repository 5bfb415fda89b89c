/** What is kept of a collection as the service answers it. */
import { assert, describe, it } from "@effect/vitest"
import { heldFields, prefilled } from "../../../sync/apply/CoverAnswers.ts"
import { known } from "../../../sync/rules/CollectionFields.ts"
import { about, invoice, payment } from "../../support/Documents.ts"

describe("the fields of a collection", () => {
  it("are what the service holds beside what was written, without the account for recovered money", () => {
    const says = { debtor_city: "Bristol", bank_account_sortcode: "20-00-77", bank_account_number: "87654321" }
    assert.deepStrictEqual(prefilled(says), { debtor_city: "Bristol" })
  })

  it("hold the amount that was written, however many decimals the service writes it with", () => {
    assert.deepStrictEqual(heldFields({ partial_payment: "17.460" }, { partial_payment: "17.46" }), {
      partial_payment: "17.460"
    })
    assert.deepStrictEqual(heldFields({ partial_payment: "17.46" }, { partial_payment: "17.47" }), {})
    // A number that is no amount is compared as it is written.
    assert.deepStrictEqual(heldFields({ debtor_postcode: "01234" }, { debtor_postcode: "1234" }), {})
  })

  it("state a part payment as the service writes money, in any currency", () => {
    for (const [currency, amount, written] of [
      ["JPY", "200", "200.00"],
      ["KWD", "17.46", "17.46"],
      ["KWD", "17.461", "17.461"]
    ] as const) {
      const one = invoice({ currency })
      const facts = about([one, payment("P1", amount)])
      assert.strictEqual(
        known(facts, one, {} as never, { documents: [], problems: [], overdue: 0 })["partial_payment"],
        written
      )
    }
  })
})
