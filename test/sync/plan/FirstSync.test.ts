/** The first sync of a connection: whose it is, who may say that it goes on, and that nobody is asked a second time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Exit } from "effect"
import { GUARDS } from "../../../sync/model/Guard.ts"
import { FirstSync } from "../../../sync/plan/FirstSync.ts"
import type { SendingOptions } from "../../../sync/apply/Report.ts"
import { apply } from "../../../sync/apply/Apply.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { inWorld, report, requests } from "../InWorld.ts"
import { violations } from "../Invariants.ts"
import type { World } from "../World.ts"

/** The connections of this world, nobody having said anything of their first sync. */
const asking = ({ connections }: World) => connections.map(({ firstSync: _, ...one }) => one)

const send = (world: World, options: SendingOptions = {}) =>
  world.life(apply(asking(world), { allow: GUARDS, ...options }))

const why = (exit: Exit.Exit<unknown, unknown>): string => {
  const [reason] = exit._tag === "Failure" ? exit.cause.reasons : []
  return reason?._tag === "Fail" && reason.error instanceof FirstSync ? reason.error.message : exit._tag
}

/** Reads, and sends nothing: the service says nothing about it. */
const pulled = (world: World) => world.sync({ digest: "of no plan" })

describe("the first sync of a connection", () => {
  it(
    "shows what it comes to, and sends nothing before somebody says yes; then nobody is asked again",
    inWorld({}, async (world) => {
      world.documents = [invoice(), invoice({ id: "I2", number: "INV-2" }), payment("P1", "20.00")]
      await pulled(world)
      const asked: Array<string> = []
      const no = await send(world, {
        confirm: ({ comes, connections }) => Effect.sync(() => asked.push(`${connections.join()}: ${comes}`) > 9)
      })
      assert.deepStrictEqual(asked, ["books: 2 to create, 1 payment: +220.00 GBP open"])
      assert.match(why(no), /^books: this is the first sync: 2 to create, .* Nothing was sent\. .* --yes/)
      assert.match(why(await send(world)), /this is the first sync/)
      assert.strictEqual(requests(world).length, 0)
      assert.isAbove(report(await send(world, { confirm: () => Effect.succeed(true) })).done, 3)
      world.documents = [...world.documents, invoice({ id: "I3", number: "INV-3" })]
      await pulled(world)
      assert.deepInclude(report(await send(world)), { done: 1 })
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  it(
    "a first sync that broke off is not asked about again",
    inWorld({}, async (world) => {
      world.documents = Array.from({ length: 5 }, (_, n) => invoice({ id: `I${n}`, number: `INV-${n}` }))
      await pulled(world)
      world.killAt = world.steps.length + 12
      await send(world, { firstSync: "send" })
      assert.isTrue(world.dead)
      world.killAt = undefined
      const ended = await send(world)
      assert.strictEqual(why(ended), "Success")
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  it(
    "what comes to pay for a connection later has a first sync of its own",
    inWorld({ pays: true }, async (world) => {
      world.documents = [invoice()]
      await pulled(world)
      assert.isAbove(report(await send(world, { firstSync: "send" })).done, 0)
      world.payments = [payment("X1", { "INV-1": "20.00" })]
      await pulled(world)
      assert.match(why(await send(world)), /^debits: this is the first sync: 1 payment: -20\.00 GBP open/)
      assert.deepInclude(report(await send(world, { firstSync: "send" })), { done: 1 })
      world.payments = [...world.payments, payment("X2", { "INV-1": "5.00" })]
      await pulled(world)
      assert.deepInclude(report(await send(world)), { done: 1 })
    })
  )

  it(
    "with nothing to send there is nothing to ask",
    inWorld({}, async (world) => {
      world.documents = [invoice({ status: "void" })]
      await pulled(world)
      assert.deepInclude(report(await send(world)), { done: 0 })
    })
  )
})
