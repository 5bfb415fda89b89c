/** A plan that two people must approve: the first approval counts for this plan only, and not after a no or a restored file. */
import { assert, describe, it } from "@effect/vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Plans from "../../../sync/decisions/Plans.ts"
import type { Person } from "../../../sync/model/Person.ts"
import * as Approvals from "../../../sync/plan/Approvals.ts"
import { Tally } from "../../../sync/plan/Tally.ts"
import type { Database } from "../../../sync/state/Database.ts"
import * as LedgerTrust from "../../../sync/state/LedgerTrust.ts"
import { look } from "../Covered.ts"
import { inWorld } from "../InWorld.ts"

const person = (subject: string): Person =>
  ({ subject, name: subject, issuer: "daybook", how: "password", role: "admin" }) as unknown as Person

const own = { id: "books", approving: { twoAbove: new Map([["GBP", Decimal.of("0")]]) } }

/** A plan with another digest. */
const plan = (digest: string) => ({ ...new Tally().summary(), digest, calls: 1 })

const asks = (db: Database["Service"], digest: string) => {
  Approvals.ask(db, "books", plan(digest), 1)
  // It moves money.
  db.prepare(`UPDATE approval SET amounts = '{"GBP":"1.00"}'`).run()
}

const says = (db: Database["Service"], who: string, decision: "approved" | "rejected", digest = "x") =>
  Plans.decide(db, own, { connection: "books", digest, decision, who }, person(who), 2)

describe("the first of two approvals", () => {
  it(
    "counts for the second",
    inWorld({}, async (world) => {
      const done = await look(world, (db) => {
        asks(db, "x")
        return [typeof says(db, "ada", "approved"), says(db, "bo", "approved")]
      })
      assert.deepStrictEqual(done, ["object", true])
    })
  )

  it(
    "counts no more once somebody rejected the plan, or it was another one in between, though it is the same again",
    inWorld({}, async (world) => {
      const done = await look(world, (db) => {
        asks(db, "x")
        says(db, "ada", "approved")
        says(db, "ada", "rejected")
        asks(db, "y")
        asks(db, "x")
        const afterNo = says(db, "bo", "approved")
        asks(db, "y")
        asks(db, "x")
        return [afterNo, says(db, "ada", "approved")].map((one) => typeof one)
      })
      assert.deepStrictEqual(done, ["object", "object"])
    })
  )

  it(
    "counts no more once the state file was restored: what was decided since is not in it",
    inWorld({}, async (world) => {
      const done = await look(world, (db) => {
        asks(db, "x")
        says(db, "ada", "approved")
        LedgerTrust.doubt(db, "it was restored")
        LedgerTrust.trust(db, 3)
        return typeof says(db, "bo", "approved")
      })
      assert.strictEqual(done, "object")
    })
  )
})
