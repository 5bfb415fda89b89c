/**
 * `reconcile --fix` of invoices that another connection pays: its payments stay in the ledger, and come back into one that was
 * lost, so that the next run does not report them once more.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import { audit } from "../../../sync/reconciliation/Audit.ts"
import { invoice } from "../../support/Documents.ts"
import { ask, inWorld } from "../InWorld.ts"
import { always, violations } from "../Invariants.ts"
import { BAKERY, received } from "../Paying.ts"
import type { World } from "../World.ts"

const send = async (world: World) => {
  world.documents = [invoice(), invoice({ id: "I2", number: "INV-2", gross: "80.00" })]
  world.payments = [received("D1", { link: "I1", amount: "50.00" }), received("D2", { link: "I2", amount: "80.00" })]
  await world.sync({ guarded: true })
  assert.strictEqual(world.service.payment.size, 2)
}

const mend = (world: World) => world.life(audit(world.connections, { fix: true, onFound: () => Effect.void }))

/** Fails where `postings` in `sync/reconciliation/Difference.ts` knows the invoice's own connection only. */
describe("reconcile --fix, where another connection pays", () => {
  it(
    "a transaction that somebody changed keeps the payments that were reported of it",
    inWorld({ pays: true }, async (world) => {
      await send(world)
      const [first] = world.service.transaction.by("books/invoice/I1", "unique_id")
      await ask(world, "PATCH", `/v1/transactions/${first!.id}`, { number: "by hand" })
      assert.strictEqual((await mend(world))._tag, "Success")
      await world.sync({ guarded: true })
      assert.strictEqual(world.service.payment.size, 2)
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  it(
    "a ledger that was lost finds them again, and reports none twice",
    inWorld({ pays: true }, async (world) => {
      await send(world)
      for (const part of ["", "-wal", "-shm"]) rmSync(world.file + part, { force: true })
      assert.strictEqual((await world.sync({ guarded: true }))._tag, "Failure")
      assert.strictEqual((await mend(world))._tag, "Success")
      assert.strictEqual((await world.sync({ guarded: true }))._tag, "Success")
      assert.strictEqual(world.service.payment.size, 2)
      assert.deepStrictEqual([...always(world), ...(await violations(world, undefined, true))], [])
    })
  )

  it(
    "names the paid invoice that a payment left before the ledger was found again",
    inWorld({ pays: true }, async (world) => {
      world.documents = [invoice()]
      world.payments = [received("D1", BAKERY)]
      await world.sync({ guarded: true })
      assert.deepStrictEqual(
        [...world.service.transaction.values()].map(({ status }) => status),
        ["paid"]
      )
      for (const part of ["", "-wal", "-shm"]) rmSync(world.file + part, { force: true })
      assert.strictEqual((await world.sync({ guarded: true }))._tag, "Failure")
      // Another payment may be for it as well: which one is a person's to say.
      world.payments = [...world.payments, received("D2", BAKERY)]
      assert.strictEqual((await world.sync({ guarded: true }))._tag, "Failure")
      assert.strictEqual((await mend(world))._tag, "Success")
      assert.strictEqual((await world.sync())._tag, "Success")
      assert.deepStrictEqual(await violations(world, undefined, true), [])
    })
  )
})
