/** Cover from quote to policy, against the sandbox: bought within what a person wrote down, and never twice. */
import { assert, describe, it } from "@effect/vitest"
import * as AttentionActions from "../../../sync/apply/AttentionActions.ts"
import { agrees, prove } from "../../../sync/reconciliation/Proof.ts"
import * as Explain from "../../../sync/library/Explain.ts"
import type { Style } from "../../../cli/render/Output.ts"
import type { CoverState } from "../../../sync/model/CoverStanding.ts"
import { coverLines } from "../../../cli/render/CoverView.ts"
import type { Fault } from "../../../core/sandbox/server/Faults.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as CoverFacts from "../../../sync/plan/CoverFacts.ts"
import { payment } from "../../support/Documents.ts"
import { World } from "../World.ts"
import { asked, covering, decide, declinedBy, due, items, look, offer, policies, states, TIGHT } from "../Covered.ts"
import { ask, inWorld, open, report } from "../InWorld.ts"

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
          /^offered for 22\.40 GBP \(premium 20\.00 GBP, tax 2\.40 GBP\) for 900\.00 GBP insured, insures Harbour Lane Bakery Ltd \(GB, 10000000, GB10000000\), more than 20\.00 GBP for one invoice; the offer stands until 2026-03-31/
        )
        // Two days before it ends the item says so.
        world.clock.set(Date.UTC(2026, 2, 29, 12))
        await world.sync()
        assert.match(String(items(world)[0]?.["why"]), /less than two days are left/)
        assert.strictEqual(asked(world, "/v1/quotes"), 1)
      }
    )
  )

  it(
    "Q10: is spent by due date until the month's limit is reached, and goes on in the next month",
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
    "Q8: is not bought again after a payment failed, until a person says so",
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
      const [id] = open(world, "SELECT id FROM attention WHERE closed IS NULL").map((row) => Number(row["id"]))
      assert.isTrue(await look(world, (db, now) => AttentionActions.retry(db, id!, now)))
      await world.sync({ secrets })
      assert.deepStrictEqual([policies(world).length, items(world)], [3, []])
    })
  )
})

describe("a purchase whose outcome is not known", () => {
  const faults: ReadonlyArray<Omit<Fault, "id">> = [
    { kind: "status", status: 502 },
    { kind: "status", status: 504 },
    { kind: "lose_request" },
    { kind: "lose_response" },
    { kind: "garble" }
  ]
  for (const fault of faults) {
    it(`is looked up, and bought once: ${fault.kind} ${fault.status ?? ""}`, async () => {
      let asked = 0
      const world = new World({
        planning: covering(),
        fault: (method, path) => (method === "POST" && path === "/v1/policies" && ++asked === 1 ? fault : undefined)
      })
      try {
        world.documents = [due("1")]
        report(await world.sync())
        report(await world.sync())
        assert.strictEqual(policies(world).length, 1)
        // Looking it up is enough where it was made.
        assert.strictEqual(asked, fault.kind === "lose_response" || fault.kind === "garble" ? 1 : 2)
        assert.deepStrictEqual(states(world), { "1": "insured" })
        assert.deepStrictEqual(
          await look(world, (db, now) => CoverFacts.spent(db, "books", "GBP", now)),
          Decimal.of("22.40")
        )
      } finally {
        world.close()
      }
    })
  }

  it("is nobody's purchase where somebody else insured the invoice meanwhile by another quote", async () => {
    let asked = 0
    const world: World = new World({
      planning: covering(),
      fault: (method, path) => {
        if (method !== "POST" || path !== "/v1/policies" || ++asked > 1) return undefined
        void insure(world)
        return { kind: "lose_request" }
      }
    })
    const insure = async (world: World) => {
      const [transaction] = world.service.transaction.values()
      const quote = await ask(world, "POST", "/v1/quotes", { transaction: transaction?.id })
      await ask(world, "POST", "/v1/policies", { quote: quote["id"], stripe_id: "tok_visa" })
    }
    try {
      world.documents = [due("1")]
      report(await world.sync())
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, states(world)], [1, { "1": "insured" }])
      assert.strictEqual(await look(world, (db, now) => CoverFacts.spent(db, "books", "GBP", now)), 0n)
    } finally {
      world.close()
    }
  })

  it(
    "counts as spent as long as it is not known",
    inWorld({ planning: covering() }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      const spent = await look(world, (db, now) => {
        db.prepare(
          "DELETE FROM receipt WHERE claim IN (SELECT id FROM claim WHERE operation = 'policies.create')"
        ).run()
        return CoverFacts.spent(db, "books", "GBP", now)
      })
      assert.strictEqual(spent, Decimal.of("22.40"))
      const next = await look(world, (db) => CoverFacts.spent(db, "books", "GBP", Date.UTC(2026, 3, 1)))
      assert.strictEqual(next, 0n)
    })
  )
})

describe("an offer that a person decides about", () => {
  it(
    "is bought at the price that they saw, and at no other",
    inWorld({ planning: covering(TIGHT) }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      const [shown] = await offer(world)
      assert.strictEqual(shown?.exceeds, "more than 20.00 GBP for one invoice")
      assert.match(String(await decide(world, { decision: "buy", digest: "another" })), /is not the one that was shown/)
      assert.isUndefined(await decide(world, { decision: "buy", digest: shown!.digest }))
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, items(world)], [1, []])
      assert.match(String(await decide(world, { decision: "buy", digest: shown!.digest })), /is insured already/)
    })
  )

  it(
    "is left alone once it is rejected, and quoted anew when a person asks after it expired",
    inWorld({ planning: covering(TIGHT) }, async (world) => {
      world.documents = [due("1", { due: "2026-06-30" })]
      report(await world.sync())
      const [shown] = await offer(world)
      assert.isUndefined(await decide(world, { decision: "reject", digest: shown!.digest }))
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, items(world), asked(world, "/v1/quotes")], [0, [], 1])
      assert.match(String(await decide(world, { decision: "quote" })), /buy it or reject it/)
    })
  )

  it(
    "is not asked for without a budget in the currency, which is said once for each",
    inWorld({ planning: covering({ select: [{ min: "500.00" }] }) }, async (world) => {
      const small = due("0", { currency: "EUR", net: "20.00" })
      const euros = [due("1", { currency: "EUR" }), due("2", { currency: "EUR" })]
      world.documents = [small, ...euros, due("3", { currency: "USD" }), due("4")]
      const said = () => items(world).map(({ rule, subject, why }) => [rule, subject, String(why).slice(0, 27)])
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, asked(world, "/v1/quotes")], [1, 1])
      const dollars = ["Q4", "books/invoice/3", "invoices in USD are not ins"]
      assert.deepStrictEqual(said(), [["Q4", "books/invoice/1", "invoices in EUR are not ins"], dollars])
      // The next one speaks once the first is paid.
      world.documents = [...world.documents, payment("P1", { 1: "1200.00" }, "2026-03-01")]
      report(await world.sync())
      report(await world.sync())
      assert.deepStrictEqual(said(), [["Q4", "books/invoice/2", "invoices in EUR are not ins"], dollars])
    })
  )

  it(
    "exceeds the month only where the person was shown so",
    inWorld({ planning: covering({ price: { currency: "GBP", per_month: "30.00" } }) }, async (world) => {
      world.documents = [due("1", { due: "2026-03-20" }), due("2", { due: "2026-03-19" })]
      report(await world.sync())
      assert.deepStrictEqual(states(world), { "1": "offered", "2": "insured" })
      const [shown] = await offer(world)
      assert.isTrue(shown?.beyondMonth)
      assert.isUndefined(await decide(world, { decision: "buy", digest: shown!.digest }))
      report(await world.sync())
      assert.strictEqual(policies(world).length, 2)
    })
  )
})

const same = (text: string): string => text
const plain: Style = { bold: same, dim: same, red: same, green: same, yellow: same, blue: same }

describe("the statement of cover", () => {
  const proof = (world: World) => look(world, (db, now) => prove(db, [world.connection], now))

  it(
    "comes to what is open, by how it is covered, in books and service",
    inWorld(
      {
        planning: covering({
          select: [{ except: ["c-4"] }],
          price: { currency: "GBP", per_invoice: "30.00", per_month: "30.00" }
        })
      },
      async (world) => {
        world.documents = [due("1"), due("2", { due: "2026-05-01" }), declinedBy("3", "buyer-sector"), due("4")]
        report(await world.sync())
        const { cover, ...rest } = await proof(world)
        const part = (state: CoverState) => ({ state, invoices: 1, books: "1200.00", service: "1200.00" })
        assert.deepStrictEqual(cover, [
          {
            connection: "books",
            currency: "GBP",
            books: "4800.00",
            service: "4800.00",
            parts: (["insured", "offered", "declined", "unselected"] as const).map(part),
            differences: [],
            more: 0,
            unread: 0,
            quarantined: 0
          }
        ])
        assert.isTrue(agrees({ cover, ...rest }))
        const stories = await look(world, (db) =>
          ["3", "4"].map((id) => coverLines(Explain.story(db, `books/invoice/${id}`), plain).join("\n"))
        )
        assert.match(
          stories[0]!,
          /^\nCover\n {2}declined: Q7: declined, buyer-sector: The buyer's sector is not covered\. .*\n.* quote declined {2}quo-\S+ buyer-sector$/
        )
      }
    )
  )

  it(
    "names what is kept as covered and is not",
    inWorld({ planning: covering() }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      await look(world, (db) => db.prepare("UPDATE cover SET state = 'declined'").run())
      const { cover, ...rest } = await proof(world)
      assert.match(
        String(cover[0]?.differences[0]?.why),
        /^the service has it insured, and its cover is kept as declined/
      )
      assert.isFalse(agrees({ cover, ...rest }))
    })
  )
})
