/** Cover that is added to a connection later, or allows more than before: it is shown before anything is bought under it. */
import { assert, describe, it } from "@effect/vitest"
import type { CoverSettings } from "../../../sync/model/CoverSettings.ts"
import { wider } from "../../../sync/rules/CoverWider.ts"
import { covering, due, items, policies, SETTINGS, TIGHT } from "../Covered.ts"
import { inWorld, report } from "../InWorld.ts"
import type { World } from "../World.ts"

/** With other settings of cover, or without cover. */
const configure = (world: World, cover: Partial<CoverSettings> | undefined): void => {
  const { cover: _, ...planning } = covering()
  ;(world.connection as { planning: object }).planning = cover === undefined ? planning : covering(cover)
}

const whys = (world: World) => items(world).map(({ rule, why }) => `${String(rule)} ${String(why)}`)

/** A run that shows what it would buy, and the one behind it, which buys it. */
const showsThenBuys = async (world: World, before: number, why: RegExp) => {
  report(await world.sync())
  assert.strictEqual(policies(world).length, before)
  assert.match(whys(world).join(), why)
  report(await world.sync())
  assert.deepStrictEqual([policies(world).length, whys(world)], [before + 1, []])
}

describe("cover", () => {
  it(
    "that is added after the first sync is shown before it buys, and so is what comes back",
    inWorld({ planning: covering() }, async (world) => {
      configure(world, undefined)
      world.documents = [due("1")]
      report(await world.sync())
      configure(world, {})
      await showsThenBuys(world, 0, /^Q4 cover is new in the configuration: 1 offer for 22\.40 GBP in all is within it/)
      world.documents = [due("1"), due("2")]
      configure(world, undefined)
      report(await world.sync())
      configure(world, {})
      await showsThenBuys(world, 1, /^Q4 cover is new/)
    })
  )

  it(
    "buys at once what comes later, as it was shown once",
    inWorld({ planning: covering() }, async (world) => {
      world.documents = [due("1")]
      report(await world.sync())
      world.documents = [due("1"), due("2")]
      report(await world.sync())
      assert.strictEqual(policies(world).length, 2)
    })
  )

  const WIDER: ReadonlyArray<readonly [string, Partial<CoverSettings>, Partial<CoverSettings>]> = [
    ["selection", { select: [{ min: "5000.00" }] }, {}],
    ["list of buyers", { select: [{ buyers: ["Somebody Else Ltd"] }] }, {}],
    ["exception", { select: [{ except: ["Harbour Lane Bakery Ltd"] }] }, {}],
    ["limit for one", TIGHT, { price: { ...TIGHT.price, per_invoice: "25.00" } }],
    ["share of the net amount", { price: { ...SETTINGS.price, of_net: "0.01" } }, {}],
    ["budget", { price: { currency: "GBP", per_month: "20.00" } }, { price: { currency: "GBP", per_month: "30.00" } }],
    ["currency", { price: { currency: "EUR", per_month: "900.00" } }, {}],
    ["question about each", { approve: "always" }, {}],
    ["review of who is insured", { match: "review" }, {}],
    ["payment method", { pay_with: { env: "OTHER_PAYMENT" }, price: { currency: "EUR", per_month: "1.00" } }, {}]
  ]
  for (const [what, before, now] of WIDER)
    it(
      `with a wider ${what} shows before it buys`,
      inWorld({ planning: covering(before) }, async (world) => {
        world.documents = [due("1")]
        report(await world.sync())
        assert.strictEqual(policies(world).length, 0)
        configure(world, now)
        await showsThenBuys(world, 0, /Q4 cover\.[a-z_., ]+ in the configuration allows more than before/)
      })
    )

  it(
    "that is narrower buys at once, and is shown when it is as wide again",
    inWorld({ planning: covering() }, async (world) => {
      world.documents = [due("0")]
      report(await world.sync())
      world.documents = [due("0"), due("1")]
      configure(world, { price: { ...SETTINGS.price, per_invoice: "30.00" } })
      report(await world.sync())
      assert.lengthOf(policies(world), 2)
      world.documents = [...world.documents, due("2")]
      configure(world, {})
      await showsThenBuys(world, 2, /cover\.price\.per_invoice in the configuration allows more/)
    })
  )

  it(
    "is not shown before there is anything to show",
    inWorld({ planning: covering() }, async (world) => {
      configure(world, undefined)
      world.documents = [due("1")]
      report(await world.sync())
      configure(world, { select: [{ max: "500.00" }] })
      report(await world.sync())
      assert.deepStrictEqual(whys(world), [])
      world.documents = [due("1"), due("2", { net: "400.00" })]
      await showsThenBuys(world, 0, /^Q4 cover is new/)
    })
  )

  it("allows more where it cannot be said that it allows less", () => {
    const of = (cover: Partial<CoverSettings>): CoverSettings => ({ ...SETTINGS, ...cover })
    assert.deepStrictEqual(wider(SETTINGS, SETTINGS), [])
    assert.deepStrictEqual(
      wider(of({ select: [{ countries: ["GB"] }, { min: "5.00" }] }), of({ select: [{ min: "6.00" }] })),
      []
    )
    assert.deepStrictEqual(
      wider(
        of({ select: [{ countries: ["GB", "FR"], terms_days: 60 }] }),
        of({ select: [{ countries: ["FR", "DE"], terms_days: 60 }] })
      ),
      ["cover.select"]
    )
    assert.deepStrictEqual(wider(of({ select: [{ max: "9.00" }] }), of({ select: [{ max: "10" }] })), ["cover.select"])
    assert.deepStrictEqual(wider(of({ approve: "always" }), of({ approve: "never" })), ["cover.approve"])
    const { pay_with: _, ...unpaid } = SETTINGS
    assert.deepStrictEqual([wider(SETTINGS, unpaid), wider(unpaid, SETTINGS)], [[], ["cover.pay_with"]])
  })
})
