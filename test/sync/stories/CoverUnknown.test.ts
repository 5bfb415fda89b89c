/** While it is not known whether cover was bought or an invoice handed over, nothing says that it was, nor that it was not. */
import { assert, describe, it } from "@effect/vitest"
import { collections, confirmed, inWindow, look, sync } from "../Collected.ts"
import { covering, decide, due, items, look as reading, policies, TIGHT } from "../Covered.ts"
import { inWorld, report } from "../InWorld.ts"
import { PlanView } from "../../../cli/render/PlanView.ts"
import * as View from "../../../cli/render/CollectionView.ts"
import * as Approvals from "../../../sync/plan/Approvals.ts"
import * as Plan from "../../../sync/plan/Plan.ts"
import { Tally } from "../../../sync/plan/Tally.ts"
import * as CollectionList from "../../../sync/reports/CollectionList.ts"
import * as Cover from "../../../sync/reports/Cover.ts"
import type { World } from "../World.ts"

const LOOKS = { style: { bold: String, dim: String, green: String, yellow: String }, width: 200 } as never

/** The answer to this request is lost, and from then on nothing can be read. */
const lose = (world: World, path: RegExp): void => {
  const { faults } = world.instance
  world.onSend = (_, method, asked) => {
    if (method === "GET" || !path.test(asked)) return
    faults.add({ method, path: asked, kind: "lose_response", times: 1 })
    faults.add({ method: "GET", path: "/v1/", kind: "status", status: 503 })
  }
}

const rules = (world: World) => items(world).map(({ rule }) => rule)

const planned = (world: World, subject: string) =>
  reading(world, (db, now) => Plan.planOne(db, world.connection, subject, { now }))

describe("what is not known", () => {
  it(
    "Q9: of a purchase: it is neither planned again nor asked about, and counts once",
    inWorld({ planning: covering({ price: { currency: "GBP", per_month: "25.00" } }) }, async (world) => {
      world.documents = [due("1")]
      lose(world, /policies$/)
      await world.sync()
      assert.strictEqual(policies(world).length, 1)
      const [offer] = await reading(world, (db, now) => Cover.offers(db, world.connection, now))
      assert.deepInclude(offer, { standing: "unknown", beyondMonth: false })
      assert.match(String(offer?.why), /^Q9: whether cover was bought for it is not known yet$/)
      const { attention, calls } = await planned(world, "books/invoice/1")
      assert.deepStrictEqual([attention, calls], [[], []])
      const text = new PlanView(1).text(LOOKS, new Tally().summary(), { unknown: 1 })
      assert.notMatch(text, /up to date/)
      world.onSend = undefined
      world.instance.faults.clear()
      report(await world.sync())
      assert.strictEqual(policies(world).length, 1)
    })
  )

  it(
    "of a purchase that a person approved: the item that asked for it is closed",
    inWorld({ planning: covering(TIGHT) }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      const [shown] = await reading(world, (db, now) => Cover.offers(db, world.connection, now))
      assert.deepStrictEqual(rules(world), ["Q5"])
      assert.isUndefined(await decide(world, { decision: "buy", digest: shown!.digest }))
      lose(world, /policies$/)
      await world.sync()
      assert.deepStrictEqual([policies(world).length, rules(world)], [1, []])
    })
  )

  it(
    "of an offer whose plan waits for a person, or was rejected: no run is said to buy it",
    inWorld({ planning: covering({ approve: "always" }) }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      Object.assign(world.connection, { planning: covering() })
      const standing = (decision?: "approved" | "rejected") =>
        reading(world, (db, now) => {
          const word = { connection: "books", digest: "x", who: "Ada Reed" }
          if (decision === undefined) Approvals.ask(db, "books", { ...new Tally().summary(), digest: "x" }, now)
          else Approvals.decide(db, { ...word, decision }, now)
          const [offer] = Cover.offers(db, world.connection, now)
          return [offer?.standing, /; its plan .*$/.exec(offer?.why ?? "")?.[0]]
        })
      const [next] = await reading(world, (db, now) => Cover.offers(db, world.connection, now))
      assert.strictEqual(next?.standing, "next")
      assert.deepStrictEqual(await standing(), ["waits", "; its plan waits for approval"])
      assert.deepStrictEqual(await standing("rejected"), ["rejected", "; its plan was rejected by Ada Reed"])
    })
  )

  it(
    "of a handover: it is neither planned again, nor confirmed, nor said that it was not handed over",
    inWindow(async (world) => {
      const { digest } = look(world)
      confirmed(world, { digest })
      lose(world, /send$/)
      await sync(world)
      assert.isString(collections(world)[0]?.["sent"])
      const view = look(world)
      assert.isTrue(view.unknown)
      assert.match(View.ended(view), /^Whether books\/invoice\/1 was handed over is not known yet/)
      assert.include(View.one(view, LOOKS), View.UNKNOWN)
      assert.strictEqual(View.next(view, true), "")
      assert.match(confirmed(world, { digest, who: "Ada Reed" }, false), /not known yet/)
      // Nobody is asked to confirm it, neither after this run nor after one that cannot find out.
      assert.notInclude(rules(world), "H5")
      await world.sync()
      assert.notInclude(rules(world), "H5")
      const [row] = await reading(world, (db, now) => CollectionList.collections(db, "books", now))
      assert.strictEqual(View.statusText(row!), "may have been handed over")
      assert.deepStrictEqual((await planned(world, "books/invoice/1")).calls, [])
      world.onSend = undefined
      world.instance.faults.clear()
      await sync(world)
      assert.deepInclude(look(world), { closed: "it was handed over already" })
      assert.isUndefined(look(world).unknown)
    })
  )
})
