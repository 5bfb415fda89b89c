/** Buyers of a shop's orders on the service: kept in step where the connection asks for it, and left alone where it does not. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AttentionActions from "../../../sync/apply/AttentionActions.ts"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import type { Planning } from "../../../sync/model/Connection.ts"
import { Database } from "../../../sync/state/Database.ts"
import { day, planning as plain } from "../../support/Documents.ts"
import { order } from "../../support/Orders.ts"
import { ask, inWorld, open, report, requests } from "../InWorld.ts"
import { attention, buyer, checkout, create, creating, fresh } from "../Shop.ts"
import type { World } from "../World.ts"

type Json = Readonly<Record<string, unknown>>

const posts = (world: World) => requests(world).filter((one) => /^(POST|PATCH)/.test(one))

describe("buyers", () => {
  const keeping: Planning = {
    ...plain,
    orders: { create, buyers: { keep: true, payment_methods: { card: "off", direct_debit: "default" } } }
  }
  const patches = (world: World) => requests(world).filter((one) => one.startsWith("PATCH"))

  it(
    "are kept in step where the connection asks for it: only what differs is sent, and nothing when nothing does",
    inWorld({ planning: keeping }, async (world) => {
      world.documents = [fresh()]
      report(await world.sync())
      const [organisation] = [...world.service.organisation.values()] as ReadonlyArray<Json>
      const methods = organisation!["payment_method_config"] as Readonly<Record<string, Json>>
      assert.deepInclude(methods["card"], { preference: "off", status: "off" })
      assert.deepStrictEqual(patches(world).length, 1)
      const bodies = () =>
        open(world, "SELECT request FROM claim WHERE operation LIKE '%.update' ORDER BY id").map(
          ({ request }) => (JSON.parse(String(request)) as { readonly body: Json }).body
        )
      assert.deepStrictEqual(bodies(), [{ payment_method_config: { card: { preference: "off" } } }])

      // A later order has the new name, an earlier one says nothing any more.
      const renamed = { ...buyer, name: "Corner Bakery plc", phone: "+44 20 7946 0018" }
      world.documents = [fresh(), fresh({ id: "O2", number: "SHOP-2", placed: day("2026-03-05"), buyer: renamed })]
      report(await world.sync())
      assert.deepStrictEqual(bodies().slice(1), [{ name: "Corner Bakery plc" }, { phone: "+44 20 7946 0018" }])
      report(await world.sync())
      assert.strictEqual(patches(world).length, 3, "a further run changes nothing")
    })
  )

  it(
    "are left as they are where it does not",
    inWorld({ planning: creating }, async (world) => {
      world.documents = [fresh()]
      report(await world.sync())
      world.documents = [fresh({ buyer: { ...buyer, name: "Corner Bakery plc" } })]
      report(await world.sync())
      assert.deepStrictEqual(patches(world), [])
    })
  )

  it(
    "a payment method that cannot be chosen is for a person, and keeps no order from being sent",
    inWorld(
      { planning: { ...plain, orders: { create, buyers: { payment_methods: { instant_payment: "on" } } } } },
      async (world) => {
        world.documents = [fresh()]
        report(await world.sync())
        assert.match(attention(world)[0]![1]!, /instant_payment cannot be "on": it is not overridable/)
        assert.deepStrictEqual([world.service.order.size, world.service.offer.size], [1, 1])
        const quiet = posts(world).length
        report(await world.sync())
        assert.strictEqual(posts(world).length, quiet)
      }
    )
  )

  it(
    "of orders that the shop's own checkout created are kept, too",
    inWorld({ planning: { ...plain, orders: { buyers: { payment_methods: { card: "off" } } } } }, async (world) => {
      const id = await checkout(world, order())
      world.documents = [order({ deferredPayment: id, buyer: { ...buyer, id: "buyer" } })]
      report(await world.sync())
      const [organisation] = [...world.service.organisation.values()] as ReadonlyArray<Json>
      assert.strictEqual(world.service.organisation.size, 1)
      const methods = organisation!["payment_method_config"] as Readonly<Record<string, Json>>
      assert.deepInclude(methods["card"], { preference: "off" })
    })
  )

  for (const [what, merged] of [
    ["merged with another one", true],
    ["deleted", false]
  ] as const)
    it(
      `that are ${what} on the service: a person is told, and a retry finds the one that is left, or creates them once more`,
      inWorld({ planning: { ...plain, orders: { create, buyers: { keep: true } } } }, async (world) => {
        // An order that is closed is not created, and its buyer is.
        world.documents = [fresh({ status: "closed" })]
        report(await world.sync())
        const [before] = world.service.organisation.values()
        await ask(world, "DELETE", `/v1/organisations/${before!.id}`)
        const registered = "2024-01-05T09:30:00Z"
        if (merged)
          await ask(world, "POST", "/v1/organisations", { unique_id: buyer.id, registered, company: buyer.company })
        const renamed = { ...buyer, name: "Corner Bakery plc" }
        world.documents = [
          fresh({ status: "closed" }),
          fresh({ id: "O2", number: "SHOP-2", placed: day("2026-03-05") })
        ]
        report(await world.sync())
        assert.match(attention(world).join(), /^books\/order\/O2,.*its buyer is not on the service any more$/)
        world.documents = [
          ...world.documents,
          fresh({ id: "O3", number: "SHOP-3", buyer: renamed, placed: day("2026-03-06") })
        ]
        report(await world.sync())
        assert.isTrue(attention(world).every(([, why]) => why.endsWith("its buyer is not on the service any more")))
        const retry = Effect.flatMap(Database, (db) =>
          db.transaction(() => {
            // Texts are for people: another version has other words.
            db.prepare("UPDATE attention SET why = 'in other words'").run()
            for (const { id } of AttentionStore.list(db)) AttentionActions.retry(db, id, 0)
          })
        )
        assert.strictEqual((await world.life(retry))._tag, "Success")
        report(await world.sync())
        assert.deepStrictEqual(attention(world), [])
        const [organisation, ...others] = world.service.organisation.values()
        assert.deepStrictEqual(others, [])
        assert.notStrictEqual(organisation!.id, before!.id)
        const placed = [...world.service.order.values()].map((one) => [one["unique_id"], one["organisation"]])
        assert.deepStrictEqual(placed.toSorted(), [
          ["SHOP-2", organisation!.id],
          ["SHOP-3", organisation!.id]
        ])
        const quiet = posts(world).length
        report(await world.sync())
        assert.strictEqual(posts(world).length, quiet)
      })
    )
})
