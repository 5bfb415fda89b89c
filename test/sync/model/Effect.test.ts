/** What a call is called, where it is shown to people: the same when it is planned and when it was sent. */
import { assert, describe, it } from "@effect/vitest"
import { storedEffectWords } from "../../../sync/model/Effect.ts"

const stored = (operation: string, body: { status?: string; amount?: string } = {}, subject = "books/invoice/I1") =>
  storedEffectWords({ subject, operation, status: body.status ?? null, amount: body.amount ?? null })

describe("a call that was sent", () => {
  it("is called by what it did", () => {
    assert.deepStrictEqual(
      [
        stored("transactions.create"),
        stored("transactions.create", { status: "draft" }),
        stored("transactions.update"),
        stored("transactions.update", { status: "pending" }),
        stored("transactions.createPayment", { amount: "10.00" }),
        stored("transactions.createPayment", { amount: "-10.00" }),
        stored("organisations.create", {}, "books/owner"),
        stored("users.update", {}, "shop/buyer/B1"),
        stored("deferredPayments.refund", {}, "shop/order/9")
      ],
      [
        "Create invoice",
        "Create draft",
        "Update invoice",
        "Issue draft",
        "Report payment",
        "Report reversal",
        "Create or update owner",
        "Update buyer",
        "Refund"
      ]
    )
  })

  it("keeps its operation where a later version no longer knows it", () => {
    assert.strictEqual(stored("transactions.archive"), "transactions.archive")
  })
})
