/** What holds an order up is said in one order. */
import { assert, describe, it } from "@effect/vitest"
import { reconcileOrder } from "../../../sync/rules/Orders.ts"
import { planning } from "../../support/Documents.ts"
import { aboutOrder, order, returned } from "../../support/Orders.ts"

describe("an order of which two returns came before anything left", () => {
  it("lists them in one order, whichever was read first", () => {
    const documents = [order(), returned("R1", {}, "2026-03-03"), returned("R2", {}, "2026-03-02")]
    const [one, other] = [documents, documents.toReversed()].map((all) =>
      reconcileOrder(aboutOrder(all), undefined, planning)
        .attention.map(({ why }) => why)
        .join("\n")
    )
    assert.match(one ?? "", /return of 2026-03-03[\s\S]*return of 2026-03-02/)
    assert.strictEqual(one, other)
  })
})
