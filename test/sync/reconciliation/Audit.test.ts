/**
 * An audit that puts the ledger right takes over what the service holds, whichever connection paid: the run after reports
 * nothing a second time.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, rmSync } from "node:fs"
import * as Audit from "../../../sync/reconciliation/Audit.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { violations } from "../Invariants.ts"
import { ask, inWorld, report, requests } from "../InWorld.ts"
import { received } from "../Paying.ts"
import type { World } from "../World.ts"

const amounts = ({ service }: World) => [...service.payment.values()].map(({ amount }) => String(amount)).toSorted()

const fix = async (world: World): Promise<ReadonlyArray<Audit.Found>> => {
  const found: Array<Audit.Found> = []
  const onFound = (one: Audit.Found) => Effect.sync(() => void found.push(one))
  const exit = await world.life(Audit.audit(world.connections, { fix: true, onFound }))
  if (exit._tag === "Failure") throw new Error(String(exit.cause))
  return found
}

const paid = async (world: World): Promise<void> => {
  world.documents = [invoice(), invoice({ id: "I2", number: "INV-2" }), payment("P1", { I1: "20.00" })]
  world.payments = [received("D1", { amount: "77.00", reference: "INV-2" })]
  report(await world.sync())
  assert.deepStrictEqual(amounts(world), ["20.00", "77.00"])
}

describe("an audit that puts the ledger right", () => {
  it(
    "after the ledger was lost: every payment is taken over, whichever connection reported it",
    inWorld({ pays: true }, async (world) => {
      await paid(world)
      for (const suffix of ["", "-wal", "-shm"]) rmSync(`${world.file}${suffix}`, { force: true })
      // The books are read, and what is there is not sent: as the guard has it.
      const refused = await world.sync({ digest: "none" })
      assert.strictEqual(refused._tag, "Failure")
      const found = await fix(world)
      assert.deepStrictEqual(found.map(({ document, mended, what }) => [document, what, mended]).toSorted(), [
        ["books/invoice/I1", "the transaction", true],
        ["books/invoice/I2", "the transaction", true]
      ])
      report(await world.sync())
      assert.deepStrictEqual(amounts(world), ["20.00", "77.00"])
    })
  )

  it(
    "where it says of the books what their documents do not say: it is named, put right and planned again",
    inWorld({}, async (world) => {
      world.documents = [invoice(), invoice({ id: "I2", number: "INV-2" }), payment("P1", { I1: "20.00" })]
      report(await world.sync())
      assert.deepStrictEqual(await fix(world), [])
      // As if the mark of a payment had been lost, and the row of another invoice.
      await world.life(
        Effect.flatMap(Database, (db) =>
          db.transaction(() => {
            db.raw.exec("UPDATE ledger SET books_open = 12000, service_open = 12000 WHERE subject = 'books/invoice/I1'")
            db.raw.exec("DELETE FROM ledger WHERE subject = 'books/invoice/I2'")
          })
        )
      )
      const found = await fix(world)
      assert.deepStrictEqual(
        found.map(({ document, ledger, mended, what }) => ({ document, ledger, mended, what })),
        [
          { document: "books/invoice/I2", ledger: null, mended: true, what: "the transaction" },
          {
            document: "books/invoice/I1",
            ledger: "120.00 GBP",
            mended: true,
            what: "the open amount in the books; its documents add up to 100.00 GBP"
          }
        ]
      )
      assert.deepStrictEqual(await fix(world), [])
      report(await world.sync())
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  it(
    "of a part of the list that agrees but for one: names what differs of that one, and counts them all",
    inWorld({}, async (world) => {
      world.documents = [
        ...Array.from({ length: 5 }, (_, n) => invoice({ id: `I${n}`, number: `INV-${n}` })),
        payment("P1", { I1: "20.00" })
      ]
      report(await world.sync())
      const look = async () => {
        const found: Array<readonly [document: string, what: string]> = []
        const onFound = ({ document, what }: Audit.Found) => Effect.sync(() => void found.push([document, what]))
        const exit = await world.life(Audit.audit(world.connections, { fix: false, onFound }))
        if (exit._tag === "Failure") throw new Error(String(exit.cause))
        return { found, ...exit.value }
      }
      const { differences, payments, transactions } = await look()
      assert.deepStrictEqual({ differences, payments, transactions }, { differences: 0, payments: 1, transactions: 5 })
      const id = (key: string) => world.service.transaction.by(key, "unique_id")[0]!.id
      for (const [key, change, what] of [
        ["I0", { number: "another" }, "number"],
        ["I2", { gross_amount: "999.00" }, "gross_amount"],
        ["I3", { due_date: "2099-01-01" }, "due_date"]
      ] as const) {
        await ask(world, "PATCH", `/v1/transactions/${id(`books/invoice/${key}`)}`, change)
        const after = await look()
        assert.deepInclude(after.found, [`books/invoice/${key}`, what])
        assert.deepStrictEqual([after.transactions, after.payments], [5, 1])
      }
      const body = { date: "2026-03-01", amount: "1.00" }
      await ask(world, "POST", `/v1/transactions/${id("books/invoice/I4")}/payments/`, body)
      const { found } = await look()
      assert.isTrue(found.some(([document, what]) => document === "books/invoice/I4" && what.startsWith("payment ")))
      await ask(world, "PUT", `/v1/transactions/${id("books/invoice/I1")}/paid`, {})
      assert.deepInclude((await look()).found, ["books/invoice/I1", "status"])
    })
  )

  it(
    "after somebody changed the invoice: its payments stay what they were",
    inWorld({ pays: true }, async (world) => {
      await paid(world)
      const [two] = [...world.service.transaction.values()].filter(({ unique_id }) => unique_id === "books/invoice/I2")
      await ask(world, "PATCH", `/v1/transactions/${two!.id}`, { number: "another" })
      const found = await fix(world)
      assert.deepStrictEqual(
        found.map(({ mended, what }) => [what, mended]),
        [["number", true]]
      )
      report(await world.sync())
      assert.deepStrictEqual(amounts(world), ["20.00", "77.00"])
      const quiet = requests(world).length
      report(await world.sync())
      assert.strictEqual(requests(world).length, quiet)
    })
  )

  it(
    "before the source was read again: what was taken over is not deleted for that",
    inWorld({}, async (world) => {
      world.documents = [invoice(), invoice({ id: "I2", number: "INV-2" })]
      report(await world.sync())
      for (const suffix of ["", "-wal", "-shm"]) rmSync(`${world.file}${suffix}`, { force: true })
      await fix(world)
      const { attention } = report(await world.sync({ reads: [] }))
      assert.deepStrictEqual([world.service.transaction.size, attention], [2, 2])
      assert.deepInclude(report(await world.sync()), { attention: 0 })
      assert.strictEqual(world.service.transaction.size, 2)
    })
  )

  it(
    "of an older file whose transaction was deleted since: takes over the one that replaced it",
    inWorld({}, async (world) => {
      world.documents = [invoice(), payment("P1", { I1: "20.00" })]
      report(await world.sync())
      const older = `${world.file}.older`
      copyFileSync(world.file, older)
      for (const documents of [[], [invoice(), payment("P1", { I1: "20.00" })]]) {
        world.documents = documents
        report(await world.sync())
      }
      assert.strictEqual(world.service.transaction.size, 1)
      for (const suffix of ["-wal", "-shm"]) rmSync(`${world.file}${suffix}`, { force: true })
      copyFileSync(older, world.file)
      await fix(world)
      assert.deepStrictEqual(await fix(world), [])
      report(await world.sync())
      assert.deepStrictEqual([world.service.transaction.size, amounts(world)], [1, ["20.00"]])
    })
  )
})
