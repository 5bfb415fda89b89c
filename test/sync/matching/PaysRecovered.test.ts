/**
 * The answer to a payment is lost, and before its outcome is known the source says that the payment is for another invoice, or
 * nobody knows for which. Once it is found on the service, the payment's attention item names the invoice that it was reported
 * on: without it nobody would hear that this invoice is open again, and the service says it is paid.
 */
import { assert, describe, it } from "@effect/vitest"
import { invoice, payment } from "../../support/Documents.ts"
import { inWorld, open } from "../InWorld.ts"
import { violations } from "../Invariants.ts"
import { received } from "../Paying.ts"

const why = (world: Parameters<typeof open>[0]): string =>
  open(world, "SELECT why FROM attention WHERE subject = 'debits/payment/D1' AND closed IS NULL")
    .map((item) => String(item["why"]))
    .join()

describe("a payment of another connection whose outcome was not known", () => {
  it("names the invoice that it was found on, though it had left it before", async () => {
    let isDown = false
    const fault = (method: string, path: string) => {
      if (!isDown || !path.endsWith("/payments/")) return undefined
      return method === "POST" ? { kind: "lose_response" as const } : { kind: "status" as const, status: 503 }
    }
    await inWorld({ pays: true, fault: fault as never }, async (world) => {
      world.documents = [invoice()]
      world.payments = [received("D1", { link: "I1", amount: "60.00" })]
      isDown = true
      await world.sync()
      assert.strictEqual(world.service.payment.size, 1)
      world.payments = [received("D1", { amount: "60.00", reference: "thanks" })]
      await world.sync()
      assert.match(why(world), /^60\.00 GBP received/)
      assert.notInclude(why(world), "it was reported")
      isDown = false
      world.documents = [invoice(), payment("P1", { I1: "120.00" })]
      await world.sync()
      assert.deepStrictEqual(
        [...world.service.transaction.values()].map(({ status }) => status),
        ["paid"]
      )
      // What paid it is corrected, too.
      world.documents = [invoice(), payment("P1", { I1: "60.00" })]
      await world.sync()
      assert.include(why(world), "it was reported as 60.00 GBP on 2026-01-31 on INV-1, which is taken back")
      assert.deepStrictEqual(await violations(world), [])
    })()
  })
})
