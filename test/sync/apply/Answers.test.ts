/** What an answer of the service becomes for the ledger, and what the ledger makes of each kind of answer. */
import { assert, describe, it } from "@effect/vitest"
import { storedAnswer } from "../../../sync/apply/Claims.ts"
import { FORESEEN, idOf } from "../../../sync/model/Answer.ts"

describe("an answer of the service", () => {
  it("is read as what its operation answers with, and has the identifier that it states", () => {
    const quote = { id: "quo-1", status: "offered" }
    const policy = { id: "pol-1", status: "active" }
    const cases: ReadonlyArray<readonly [operation: string, body: unknown, kind: string, id: string | undefined]> = [
      ["transactions.create", { id: "trns-1", status: "pending" }, "transaction", "trns-1"],
      ["transactions.update", { status: "pending" }, "transaction", undefined],
      ["transactions.createPayment", { id: "pay-1", status: "settled" }, "done", "pay-1"],
      ["organisations.create", { id: "org-1", payment_method_config: {} }, "organisation", "org-1"],
      ["organisations.create", { id: "org-1" }, "done", "org-1"],
      ["users.create", { id: "user-1" }, "done", "user-1"],
      ["quotes.create", quote, "quote", "quo-1"],
      ["policies.create", policy, "policy", "pol-1"],
      ["collections.create", { id: "col-1" }, "collection", "col-1"],
      // An offer is not what its order is called.
      ["offers.create", { id: "off-1", offered_payment_plans: [] }, "offer", undefined],
      ["orders.create", { id: "ord-1" }, "done", "ord-1"],
      ["transactions.remove", undefined, "done", undefined],
      ["transactions.remove", "", "done", undefined]
    ]
    for (const [operation, body, kind, id] of cases) {
      const answer = storedAnswer(operation, body)
      assert.deepStrictEqual([answer.kind, idOf(answer)], [kind, id], operation)
    }
    assert.isUndefined(idOf(FORESEEN))
  })

  it("says of a transaction what the service states of it, and no more", () => {
    assert.deepStrictEqual(
      storedAnswer("transactions.update", { id: "trns-1", gross_amount: "120.00", net_amount: null, policy: null }),
      {
        kind: "transaction",
        id: "trns-1",
        insured: false,
        stated: { gross_amount: "120.00", net_amount: null }
      }
    )
  })
})
