/** Another Daybook, with a state file of its own, keeps the records of the same seller; or somebody reports payments by hand. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, type Exit } from "effect"
import type { Report } from "../../../sync/apply/Report.ts"
import { audit } from "../../../sync/reconciliation/Audit.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { ask, inWorld, open, report, requests } from "../InWorld.ts"
import type { World, WorldOptions } from "../World.ts"

const NEW = invoice({ id: "I2", number: "INV-2" })

/** The organisation that owns what was sent. */
const ownerOf = async (world: World): Promise<string> => {
  const { results } = await ask(world, "GET", "/v1/organisations")
  return (results as ReadonlyArray<{ readonly id: string }>)[0]?.id ?? ""
}

const create = async (world: World, owner: string, key = "books/invoice/I2"): Promise<string> => {
  const made = await ask(world, "POST", "/v1/transactions", {
    owner,
    unique_id: key,
    status: "pending",
    number: "INV-2"
  })
  return String(made["id"])
}

/** A payment on the first invoice, as somebody else reports it. */
const pay = async (world: World, amount: string, details: string): Promise<void> => {
  const [transaction] = world.service.transaction.values()
  await ask(world, "POST", `/v1/transactions/${transaction?.id}/payments/`, { date: "2026-11-02", amount, details })
}

const repair = (world: World) =>
  world.life(audit(world.connections, { fix: true, settleAfter: 1000, onFound: () => Effect.void }))

/** In words, what refused the run. */
const refused = (exit: Exit.Exit<Report, unknown>): string => (exit._tag === "Failure" ? Cause.pretty(exit.cause) : "")

const posted = (world: World, from: number): ReadonlyArray<string> =>
  requests(world)
    .slice(from)
    .filter((one) => !one.startsWith("GET"))

describe("another Daybook on the same seller", () => {
  it(
    "that has already created an invoice: nothing is sent, until the service was read; then each goes on once",
    inWorld({}, async (world) => {
      world.documents = [invoice()]
      report(await world.sync())
      await create(world, await ownerOf(world))
      world.documents = [invoice(), NEW, invoice({ id: "I3", number: "INV-3" })]
      const from = requests(world).length
      const said = refused(await world.sync())
      assert.include(said, "the service has books/invoice/I2, which this file did not send: another Daybook may")
      assert.deepStrictEqual(posted(world, from), [])
      assert.include(refused(await world.sync()), "another Daybook may")
      await repair(world)
      report(await world.sync())
      const keys = [...world.service.transaction.values()].map(({ unique_id }) => unique_id).toSorted()
      assert.deepStrictEqual(keys, ["books/invoice/I1", "books/invoice/I2", "books/invoice/I3"])
    })
  )

  it("is not suspected of what this one sent without an answer, where more of the document waits for others in the run", () => {
    let isLost = false
    const fault: WorldOptions["fault"] = (method, path) => {
      if (!isLost || !path.endsWith("/payments/")) return undefined
      return { kind: method === "POST" ? "lose_response" : "lose_request" }
    }
    return inWorld({ fault }, async (world) => {
      const both = [invoice(), NEW]
      world.documents = [...both, payment("P1", "50.00")]
      report(await world.sync())
      isLost = true
      // The first moves to the other invoice, on which there is another one.
      world.documents = [...both, payment("P1", { I2: "50.00" }), payment("P2", { I2: "20.00" })]
      report(await world.sync({ settleAfter: 0 }))
      isLost = false
      report(await world.sync())
      const amounts = [...world.service.payment.values()].map(({ amount }) => String(amount)).toSorted()
      assert.deepStrictEqual(amounts, ["-50.00", "20.00", "50.00", "50.00"])
    })()
  })

  it(
    "that has sent an invoice twice: what a repair has named is not found again",
    inWorld({}, async (world) => {
      world.documents = [invoice(), NEW]
      report(await world.sync())
      await create(world, await ownerOf(world))
      await repair(world)
      world.documents = [...world.documents, invoice({ id: "I3", number: "INV-3" })]
      assert.strictEqual(report(await world.sync()).done, 1)
    })
  )

  it(
    "of another seller: the same keys under another owner are not ours",
    inWorld({}, async (world) => {
      world.documents = [invoice()]
      report(await world.sync())
      const other = await ask(world, "POST", "/v1/organisations", {
        unique_id: "other",
        registered: "2020-01-01T00:00:00Z"
      })
      await create(world, String(other["id"]))
      world.documents = [invoice(), NEW]
      assert.strictEqual(report(await world.sync()).done, 1)
    })
  )

  for (const details of ["books/payment/P1", "bank2/payment/2026-11-02/1; transfer"])
    it(
      `that has reported a payment as ${details}: it is not reported again`,
      inWorld({}, async (world) => {
        world.documents = [invoice()]
        report(await world.sync())
        await pay(world, "20.00", details)
        world.documents = [invoice(), payment("P1", { I1: "20.00" })]
        const from = requests(world).length
        const said = refused(await world.sync())
        assert.include(
          said,
          `the service has ${details.split(";")[0]} on books/invoice/I1, which this file did not send`
        )
        assert.deepStrictEqual(posted(world, from), [])
        await repair(world)
        assert.notInclude(refused(await world.sync()), "another Daybook")
      })
    )
})

describe("a payment that somebody reported by hand since the service was last read", () => {
  it(
    "is seen before one of ours leaves: what does not fit beside it waits for a person",
    inWorld({}, async (world) => {
      world.documents = [invoice()]
      report(await world.sync())
      await pay(world, "110.00", "by telephone")
      world.documents = [invoice(), payment("P1", { I1: "100.00" })]
      const from = requests(world).length
      report(await world.sync())
      assert.deepStrictEqual(posted(world, from), [])
      const [item] = open(world, "SELECT rule FROM attention WHERE closed IS NULL")
      assert.strictEqual(item?.["rule"], "P9")
    })
  )

  it(
    "does not hold up what fits beside it",
    inWorld({}, async (world) => {
      world.documents = [invoice()]
      report(await world.sync())
      await pay(world, "20.00", "by telephone")
      world.documents = [invoice(), payment("P1", { I1: "100.00" })]
      assert.strictEqual(report(await world.sync()).done, 1)
    })
  )
})
