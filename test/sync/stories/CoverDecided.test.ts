/** What becomes of offers and approvals when invoices, settings and the service change meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as ServiceTime from "../../../sync/plan/ServiceTime.ts"
import * as Sync from "../../../sync/Sync.ts"
import * as CoverFacts from "../../../sync/plan/CoverFacts.ts"
import { asked, covering, decide, due, items, look, offer, policies, TIGHT } from "../Covered.ts"
import { inWorld, report } from "../InWorld.ts"
import { World } from "../World.ts"

describe("an offer", () => {
  it(
    "is expired by an edit, and quoted anew in the same sync",
    inWorld({ planning: covering(TIGHT) }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      world.documents = [due("1", { net: "1100.00" })]
      report(await world.sync())
      assert.strictEqual(asked(world, "/v1/quotes"), 2)
    })
  )

  it(
    "is planned again once a clock that was wrong was set",
    inWorld({ planning: covering(TIGHT) }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      const planned = await look(world, (db) => {
        ServiceTime.remember(db, 1_200_000)
        db.prepare("DELETE FROM changed").run()
        ServiceTime.remember(db, 0)
        return db.prepare("SELECT subject FROM changed").pluck().all()
      })
      assert.deepStrictEqual(planned, ["books/invoice/1"])
    })
  )

  it(
    "is void once the configuration does not select the invoice, and stays void when it does again",
    inWorld({ planning: covering(TIGHT) }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      const [shown] = await offer(world)
      assert.isUndefined(await decide(world, { decision: "buy", digest: shown!.digest }))
      const selecting = (cover: object) => {
        ;(world.connection as { planning: object }).planning = covering({ ...TIGHT, ...cover })
        return world.sync()
      }
      for (let times = 0; times < 2; times++) {
        report(await selecting({ select: [{ min: "5000.00" }] }))
        assert.match(String(items(world)[0]?.["why"]), /approved its offer, .* The approval is void$/)
      }
      report(await selecting({}))
      assert.deepStrictEqual([policies(world).length, items(world).map(({ rule }) => rule)], [0, ["Q5"]])
      assert.isUndefined(await decide(world, { decision: "buy", digest: shown!.digest }))
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, items(world)], [1, []])
    })
  )
})

describe("a purchase", () => {
  it(
    "that was approved is asked about again once the month's limit was lowered below its price",
    inWorld({ planning: covering(TIGHT) }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      const [shown] = await offer(world)
      assert.isUndefined(await decide(world, { decision: "buy", digest: shown!.digest }))
      const price = { ...TIGHT.price, per_month: "10.00" }
      ;(world.connection as { planning: object }).planning = covering({ ...TIGHT, price })
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, items(world).map(({ rule }) => rule)], [0, ["Q10"]])
      assert.match(String(items(world)[0]?.["why"]), /and it costs more than a whole month's limit;/)
      const [now] = await offer(world)
      assert.isTrue(now?.beyondMonth)
      assert.isUndefined(await decide(world, { decision: "buy", digest: now!.digest }))
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, items(world)], [1, []])
    })
  )

  it("is not made on a word about a company of which only its identifier was known then", async () => {
    let unread = true
    const fault = (method: string, path: string) =>
      unread && method === "GET" && path.startsWith("/v1/companies/") ? { kind: "status", status: 500 } : undefined
    await inWorld({ planning: covering(TIGHT), fault: fault as never }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      const [shown] = await offer(world)
      assert.deepStrictEqual(Object.keys(shown?.company ?? {}), ["id", "unread"])
      assert.isUndefined(await decide(world, { decision: "buy", digest: shown!.digest }))
      unread = false
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, items(world).map(({ rule }) => rule)], [0, ["Q5"]])
      assert.match(String(items(world)[0]?.["why"]), /insures Harbour Lane Bakery Ltd/)
      assert.isString(await decide(world, { decision: "buy", digest: shown!.digest }))
      const [now] = await offer(world)
      assert.isUndefined(await decide(world, { decision: "buy", digest: now!.digest }))
      report(await world.sync())
      assert.lengthOf(policies(world), 1)
    })()
  })

  it("counts as spent where the service refuses the second request, and cannot be read just then", async () => {
    let posts = 0
    const quotes = (status: string) => {
      for (const quote of world.service.quote.values()) Object.assign(quote, { status })
    }
    const world: World = new World({
      planning: covering(),
      fault: (method, path) => {
        if (method === "POST" && path === "/v1/policies" && ++posts === 1) quotes("accepted")
        return posts === 1 && method === "GET" ? { kind: "status", status: 500 } : undefined
      }
    })
    const spent = () => look(world, (db, now) => CoverFacts.spent(db, "books", "GBP", now))
    try {
      world.documents = [due("1")]
      await world.sync()
      assert.deepStrictEqual([posts, policies(world).length, await spent()], [1, 0, Decimal.of("22.40")])
      // Once it can be read, it is known: here that it was not bought.
      posts = 2
      quotes("offered")
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, await spent()], [1, Decimal.of("22.40")])
    } finally {
      world.close()
    }
  })

  it(
    "is not made while a connection that pays for its invoice was never read, and is once it was",
    inWorld({ planning: covering(), pays: true }, async (world) => {
      world.documents = [due("1")]
      for (let times = 0; times < 2; times++) {
        const only = { connections: world.connections, environment: {}, folder: world.folder }
        assert.strictEqual((await world.life(Sync.read(only, world.connection)))._tag, "Success")
        report(await world.sync({ reads: [] }))
        assert.lengthOf(policies(world), 0)
        assert.match(String(items(world)[0]?.["why"]), /otherwise: debits, which pays for it, was never read$/)
      }
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, items(world)], [1, []])
    })
  )
})
