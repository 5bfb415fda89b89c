/** Cover from quote to policy, against the sandbox: bought within what a person wrote down, and never twice. */
import { assert, describe, it } from "@effect/vitest"
import { asked, covering, declinedBy, due, items, policies, states } from "./Covered.ts"
import { inWorld, open, report } from "./InWorld.ts"

const DAY_MS = 86_400_000

describe("cover that is bought", () => {
  it(
    "is quoted and bought in one sync, within the limits, and read on the service afterwards",
    inWorld({ planning: covering() }, async (world) => {
      world.documents = [due("1"), due("2", { due: "2026-04-15" })]
      const first = report(await world.sync())
      assert.deepStrictEqual([first.failed, first.unknown], [0, 0])
      assert.strictEqual(policies(world).length, 2)
      assert.deepStrictEqual(states(world), { "1": "insured", "2": "insured" })
      assert.deepStrictEqual(
        open(world, "SELECT what, before, after FROM cover_event WHERE subject = 'books/invoice/1' ORDER BY id"),
        [
          { what: "quote", before: null, after: "offered" },
          { what: "quote", before: "offered", after: "accepted" },
          { what: "policy", before: null, after: "active" }
        ]
      )
      const again = report(await world.sync())
      assert.deepStrictEqual([again.done, asked(world, "/v1/quotes"), asked(world, "/v1/policies")], [0, 2, 2])
      // The policy becomes late by itself.
      world.clock.set(Date.UTC(2026, 3, 2, 9))
      await world.sync()
      assert.deepStrictEqual(
        open(world, "SELECT subject, status FROM cover ORDER BY subject").map(({ status }) => status),
        ["late", "active"]
      )
    })
  )

  it(
    "waits for a person beyond the limit of an invoice, and says what it costs",
    inWorld(
      { planning: covering({ price: { currency: "GBP", per_invoice: "20.00", per_month: "2000.00" } }) },
      async (world) => {
        world.documents = [due("1")]
        report(await world.sync())
        assert.strictEqual(policies(world).length, 0)
        const [item] = items(world)
        assert.strictEqual(item?.["rule"], "Q5")
        assert.match(
          String(item?.["why"]),
          /^offered for 22\.40 GBP \(premium 20\.00 GBP, tax 2\.40 GBP\) for 900\.00 GBP insured, more than 20\.00 GBP for one invoice; the offer stands until 2026-03-31/
        )
        // Two days before it ends the item says so.
        world.clock.set(Date.UTC(2026, 2, 29, 12))
        await world.sync()
        assert.match(String(items(world)[0]?.["why"]), /two days are left/)
        assert.strictEqual(asked(world, "/v1/quotes"), 1)
      }
    )
  )

  it(
    "is spent by due date until the month's limit is reached, and goes on in the next month",
    inWorld({ planning: covering({ price: { currency: "GBP", per_month: "50.00" } }) }, async (world) => {
      world.documents = ["1", "2", "3"].map((id, n) => due(id, { due: `2026-05-${30 - n}` }))
      report(await world.sync())
      // 22.40 each: two fit, those that are due first.
      assert.deepStrictEqual(states(world), { "1": "offered", "2": "insured", "3": "insured" })
      world.clock.set(Date.UTC(2026, 3, 1, 0, 1))
      await world.sync()
      await world.sync()
      assert.strictEqual(policies(world).length, 3)
    })
  )

  it(
    "is not bought again after a payment failed, until a person says so",
    inWorld({ planning: covering() }, async (world) => {
      world.documents = [due("1"), due("2"), due("3")]
      const { Redacted } = await import("effect")
      let token = "tok_declined"
      const secrets = () => Redacted.make(token)
      report(await world.sync({ secrets }))
      assert.deepStrictEqual([policies(world).length, asked(world, "/v1/policies")], [0, 1])
      assert.deepStrictEqual(
        items(world).map(({ rule }) => rule),
        ["Q8"]
      )
      assert.notInclude(JSON.stringify(open(world, "SELECT * FROM claim, receipt")), token)
      token = "tok_visa"
      await world.sync({ secrets })
      assert.strictEqual(policies(world).length, 0)
    })
  )
})

describe("cover that is declined", () => {
  it(
    "is kept with its code, and asked for again only when the cause can have changed",
    inWorld({ planning: covering() }, async (world) => {
      world.documents = [
        declinedBy("1", "buyer-uncreditworthy", { due: "2026-08-01" }),
        declinedBy("2", "buyer-sector", { due: "2026-08-01" })
      ]
      report(await world.sync())
      assert.deepStrictEqual(states(world), { "1": "declined", "2": "declined" })
      assert.deepStrictEqual(items(world), [])
      await world.sync()
      assert.strictEqual(asked(world, "/v1/quotes"), 2)
      world.clock.set(world.clock.currentTimeMillisUnsafe() + 31 * DAY_MS)
      await world.sync()
      assert.strictEqual(asked(world, "/v1/quotes"), 3)
    })
  )
})
