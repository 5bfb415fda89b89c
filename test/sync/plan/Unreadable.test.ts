/** What a record that cannot be read may be: money holds invoices up, a payout does not. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Surroundings } from "../../../sync/plan/Surroundings.ts"
import { Database } from "../../../sync/state/Database.ts"

describe("records that cannot be read", () => {
  it.effect("may be money of an invoice, unless they are of a kind that is none of a customer's", () =>
    Effect.provide(
      Effect.gen(function* () {
        const db = yield* Database
        const kinds = ["payment", "reversal", "credit_note", "payout", "invoice", "order", "return"]
        for (const kind of kinds)
          db.prepare("INSERT INTO quarantine VALUES ('stripe', '', ?, ?, NULL, NULL, 'unreadable', '{}', 0)").run(
            kind,
            kind
          )
        assert.deepStrictEqual(
          new Surroundings(db).quarantinedMoney("stripe").map(({ origin }) => origin),
          ["credit_note", "payment", "reversal"]
        )
      }),
      Database.layer({ file: ":memory:", mode: "write" })
    )
  )
})
