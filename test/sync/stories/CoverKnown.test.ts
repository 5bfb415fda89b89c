/** What is known of an invoice's policy stays known, and is read as soon as it is not, or no longer so. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { audit } from "../../../sync/reconciliation/Audit.ts"
import { covering, due, items, policies, states } from "../Covered.ts"
import { ask, inWorld, open, report } from "../InWorld.ts"
import type { World } from "../World.ts"

const planning = covering({ price: { currency: "GBP", per_month: "500.00" } })

const known = (world: World) => open(world, "SELECT policy, status FROM cover ORDER BY subject")

const reconcile = async (world: World): Promise<void> => {
  const mended = await world.life(audit(world.connections, { fix: true, onFound: () => Effect.void }))
  assert.strictEqual(mended._tag, "Success")
}

describe("what is known of a policy", () => {
  it(
    "stays where the ledger is mended for another reason",
    inWorld({ planning }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      const [policy] = policies(world)
      assert.deepStrictEqual(known(world), [{ policy: policy!.id, status: "active" }])
      const path = `/v1/transactions/${String(policy!["transaction"])}/payments/`
      await ask(world, "POST", path, { date: "2026-03-01", amount: "10.00" })
      await reconcile(world)
      assert.deepStrictEqual(known(world), [{ policy: policy!.id, status: "active" }])
    })
  )

  it(
    "is read at once where a list said that the invoice is insured",
    inWorld(
      { planning: covering({ price: { currency: "GBP", per_invoice: "1.00", per_month: "50.00" } }) },
      async (world) => {
        world.documents = [due("1")]
        report(await world.sync())
        assert.deepStrictEqual(states(world), { "1": "offered" })
        const [quote] = [...world.service.quote.values()]
        await ask(world, "POST", "/v1/policies", { quote: quote!.id, stripe_id: "pm_1" })
        await reconcile(world)
        assert.deepStrictEqual(known(world), [{ policy: null, status: null }])
        report(await world.sync())
        assert.deepStrictEqual(known(world), [{ policy: policies(world)[0]!.id, status: "active" }])
      }
    )
  )

  it(
    "is read again after its due date was changed: the window moved with it",
    inWorld({ planning, windows: { late: 3, handover: 14 } }, async (world) => {
      world.documents = [due("1", { due: "2026-04-20" })]
      report(await world.sync())
      world.clock.set(Date.UTC(2026, 2, 28, 9))
      world.documents = [due("1", { due: "2026-03-20" })]
      report(await world.sync())
      report(await world.sync())
      assert.strictEqual(known(world)[0]?.["status"], "late_can_handover")
      assert.include(
        items(world).map(({ rule }) => rule),
        "H2"
      )
    })
  )
})
