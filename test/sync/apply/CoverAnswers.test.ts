/** What is kept of a collection as the service answers it. */
import { assert, describe, it } from "@effect/vitest"
import { heldFields, prefilled, reading } from "../../../sync/apply/CoverAnswers.ts"
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

describe("the window of a policy", () => {
  it("begins no later than it can have: on the day it was read before, or once the invoice was due", () => {
    const at = Date.UTC(2026, 5, 20)
    const said = { policy: { id: "p1", status: "late_can_handover" }, due_date: "2026-03-31" }
    const since = (lastRead?: number) =>
      reading({ kind: "invoice", cover: {} } as never, said, at, lastRead).cover?.policy?.handoverSince
    assert.strictEqual(since(Date.UTC(2026, 5, 18)), "2026-06-18")
    // A lost state file, or a clock that was ahead: nobody knows since when.
    assert.strictEqual(since(), "2026-03-31")
  })
})
