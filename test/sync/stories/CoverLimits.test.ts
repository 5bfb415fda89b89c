/** Cover that is not asked for, or not again: buyers' limits, rejections, and news of insured buyers. */
import { assert, describe, it } from "@effect/vitest"
import { of } from "../../../core/money/Decimal.ts"
import { CompanyId } from "../../../core/wire/Ids.ts"
import * as CoverDecisions from "../../../sync/apply/CoverDecisions.ts"
import { payment, reversal } from "../../support/Documents.ts"
import { asked, covering, declinedBy, due, items, look, policies, states } from "../Covered.ts"
import { ask, inWorld, open, report } from "../InWorld.ts"
import { World } from "../World.ts"

const DAY_MS = 86_400_000

/** The service lowers what may be insured of a company. */
const lower = ({ instance: { service } }: World, company: string, amount: string): void => {
  const listed = service.directory.get(company, "sandbox-key")
  if (listed === undefined) throw new Error(`${company} is not listed`)
  listed.credit_limit = { currency: "GBP", amount }
}

describe("the limit of a buyer", () => {
  const party = { id: "c9", name: "Small Limit Ltd", country: "GB" }
  const small = async (world: World) => {
    const made = await ask(world, "POST", "/sandbox/companies", {
      name: party.name,
      country: "GB",
      reg_number: "90000001",
      credit_limit: { currency: "GBP", amount: "2000.00" }
    })
    return { ...party, company: CompanyId.make(String(made["id"])) }
  }

  it(
    "Q11: is read once a week, and what does not fit is not asked for, the oldest due date first",
    inWorld({ planning: covering() }, async (world) => {
      const buyer = await small(world)
      world.documents = [due("1", { party: buyer, due: "2026-06-01" })]
      report(await world.sync())
      world.documents = [1, 2, 3].map((n) => due(`${n}`, { party: buyer, due: `2026-06-0${n}` }))
      report(await world.sync())
      report(await world.sync())
      const limits = () => world.instance.journal.filter(({ path }) => path.startsWith("/v1/credit_limits/")).length
      assert.strictEqual(limits(), 1)
      // 900 insured of 2,000 when it was read, 900 more fit, and the third does not: it is not even asked for.
      assert.deepStrictEqual(states(world), { "1": "insured", "2": "insured", "3": "waiting" })
      assert.strictEqual(asked(world, "/v1/quotes"), 2)
      const [row] = open(world, "SELECT why FROM cover WHERE state = 'waiting'")
      assert.strictEqual(row?.["why"], "Q11: the buyer's limit has 200.00 GBP left, and this needs about 900.00 GBP")
      world.clock.set(world.clock.currentTimeMillisUnsafe() + 8 * DAY_MS)
      report(await world.sync())
      assert.strictEqual(limits(), 2)
      // Less is left, by what was bought: nobody lowered anything.
      assert.deepStrictEqual(items(world), [])
      lower(world, String(buyer.company), "1500.00")
      world.clock.set(world.clock.currentTimeMillisUnsafe() + 8 * DAY_MS)
      report(await world.sync())
      // Lower than it was read before: said once for the buyer.
      assert.deepStrictEqual(
        items(world).map(({ rule, subject }) => [rule, subject]),
        [["Q11", "books/invoice/1"]]
      )
    })
  )

  it(
    "is read before the first quote of a buyer, in the same sync",
    inWorld({ planning: covering() }, async (world) => {
      const buyer = await small(world)
      world.documents = [1, 2, 3].map((n) => due(`${n}`, { party: buyer, due: `2026-06-0${n}` }))
      report(await world.sync())
      // Of 2,000 two fit: the third is not asked for.
      assert.deepStrictEqual(states(world), { "1": "insured", "2": "insured", "3": "waiting" })
      assert.strictEqual(asked(world, "/v1/quotes"), 2)
    })
  )

  it("is not read on where the service asks to slow down, and holds no quote back then", async () => {
    const world = new World({
      planning: covering(),
      fault: (_, path) =>
        path.startsWith("/v1/credit_limits/") ? { kind: "status", status: 429, retry_after: 60 } : undefined
    })
    try {
      const known = (id: string) => ({
        id: `c${id}`,
        name: "Known",
        country: "GB",
        company: CompanyId.make(`co-100${id}`)
      })
      world.documents = ["1", "2", "3"].map((id) => due(id, { party: known(id) }))
      const limits = () => world.instance.journal.filter(({ path }) => path.startsWith("/v1/credit_limits/")).length
      report(await world.sync())
      assert.deepStrictEqual([limits(), policies(world).length], [1, 3])
      report(await world.sync())
      assert.strictEqual(limits(), 2)
    } finally {
      world.close()
    }
  })
})

describe("news of an insured buyer", () => {
  it(
    "Q12: needs attention when a debit fails, with the buyer's other insured invoices",
    inWorld({ planning: covering() }, async (world) => {
      const party = { id: "c1", name: "Harbour Lane Bakery Ltd", country: "GB" }
      world.documents = [due("1", { party }), due("2", { party })]
      report(await world.sync())
      world.documents = [
        ...world.documents,
        payment("P1", { 1: "100.00" }, "2026-03-02"),
        reversal("R1", { 1: "100.00" }, "error", { payment: "P1", date: "2026-03-03" })
      ]
      report(await world.sync())
      const [item] = items(world)
      assert.strictEqual(item?.["rule"], "Q12")
      assert.strictEqual(
        item?.["why"],
        "a debit of an insured buyer failed on 2026-03-03; also insured: books/invoice/2"
      )
    })
  )
})

describe("cover that is declined", () => {
  it(
    "Q7: is kept with its code, and asked for again only when the cause can have changed",
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

describe("what changes by itself on the service", () => {
  it(
    "is read on every day by a sync at the same time of the day",
    inWorld({ planning: covering() }, async (world) => {
      world.documents = [due("1")]
      const began = world.clock.currentTimeMillisUnsafe()
      report(await world.sync())
      const read = () =>
        world.instance.journal.filter(({ method, path }) => method === "GET" && /^\/v1\/transactions\/\w/.test(path))
          .length
      const counts: Array<number> = []
      for (let day = 1; day <= 3; day++) {
        // A sync that begins at the same time gets to it a second sooner, or later.
        world.clock.set(began + day * (DAY_MS - 1000))
        const before = read()
        await world.sync()
        await world.sync()
        counts.push(read() - before)
      }
      assert.deepStrictEqual(counts, [1, 1, 1])
    })
  )
})

describe("the limit of who buys", () => {
  it(
    "is compared with the price of the offer, in its currency",
    inWorld(
      { planning: covering({ price: { currency: "GBP", per_invoice: "1.00", per_month: "50.00" } }) },
      async (world) => {
        world.documents = [due("1")]
        report(await world.sync())
        assert.deepStrictEqual(states(world), { "1": "offered" })
        const buys = (upTo?: Readonly<Record<string, string>>) =>
          look(world, (db, now) => {
            const [connection] = world.connections
            const digest = CoverDecisions.offerOf(db, connection!, "books/invoice/1", now)!.digest
            const limit =
              upTo === undefined ? {} : { upTo: new Map(Object.entries(upTo).map(([code, sum]) => [code, of(sum)])) }
            const choice = { decision: "buy", digest, who: "Cy", ...limit } as const
            return CoverDecisions.problem(db, connection!, "books/invoice/1", choice, now)
          })
        assert.strictEqual(
          await buys({ GBP: "22.39" }),
          "this offer costs 22.40 GBP, which is more than you may approve"
        )
        assert.match((await buys({ EUR: "1000.00" })) ?? "", /more than you may approve/)
        assert.isUndefined(await buys({ GBP: "22.40" }))
        assert.isUndefined(await buys())
      }
    )
  )
})
