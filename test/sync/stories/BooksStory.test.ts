/**
 * The books of Xero and QuickBooks on the service, in whole runs: what their cursors show, and what only a sweep or a
 * reading of everything can find. The sources are the conformance kit's simulations, the service is the sandbox.
 */
import { assert, describe, it } from "vitest"
import { type Duration, Effect, Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { simulate, vaultOf } from "../../../connectors/testing/index.ts"
import type { Subject } from "../../../connectors/testing/index.ts"
import * as QuickBooks from "../../../connectors/quickbooks/Sample.ts"
import * as Xero from "../../../connectors/xero/Sample.ts"
import * as Account from "../../../sync/apply/Account.ts"
import { apply } from "../../../sync/apply/Apply.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import { GUARDS } from "../../../sync/model/Guard.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { sweep } from "../../../sync/pull/Sweep.ts"
import { planning } from "../../support/Documents.ts"
import { report } from "../InWorld.ts"
import { KEY, URL, World } from "../World.ts"

/** A world with such a source. */
const open = (subject: Subject) => {
  const stage = subject.open()
  const simulated = simulate(stage.source!)
  const client = Effect.runSync(Effect.provide(HttpClient.HttpClient, simulated.layer))
  const connection: Connection = {
    id: "books",
    connector: subject.connector,
    settings: Schema.decodeUnknownSync(subject.connector.settings)(subject.settings),
    planning,
    firstSync: "send"
  }
  const world = new World({ source: { connection, client } })
  const vault = vaultOf(subject.oauth!.held)
  const surroundings = { folder: ".", environment: subject.environment!, vault }
  /** What `daybook sync` does: reads what changed, sweeps, plans and applies. */
  const sync = ({ limit, later = "0 days" }: { readonly limit: number; readonly later?: Duration.Input }) =>
    world.life(
      Effect.gen(function* () {
        yield* Effect.sleep(later)
        yield* Account.bind(URL, Redacted.make(KEY))
        const pulled = yield* pull(connection, surroundings)
        const swept = yield* sweep(connection, { ...surroundings, limit })
        return { ...(yield* apply([connection], { allow: GUARDS })), pulled, swept }
      })
    )
  /** What the service holds of an invoice. */
  const held = (id: string) => {
    const name = `books/invoice/${id}`
    const found = [...world.service.transaction.values()].find((one) => one["unique_id"] === name)
    assert.isDefined(found, `${name} is not on the service`)
    return found!
  }
  return { world, stage, sync, held }
}

type Held = Readonly<Record<string, unknown>>

/** Days on which money is expected. */
const expected = (transaction: Held) =>
  (transaction["scheduled_payments"] as ReadonlyArray<Held>).map((one) => one["due_date"] ?? one["date"])

describe("a due date that moves on a partly paid invoice of Xero", () => {
  it("is not shown by Xero's cursor, and is on the service after one sweep", async () => {
    const { stage, sync, held, world } = open(Xero.subject)
    try {
      const first = report(await sync({ limit: 0 }))
      assert.deepInclude(first, { failed: 0, unknown: 0, attention: 0 })
      // 50.00 of 120.00 were paid.
      assert.deepInclude(held("inv-1"), { status: "pending", gross_amount: "120.00", due_date: "2026-03-02" })
      const others = [held("inv-2"), held("inv-5")]

      assert.strictEqual(stage.edit!(), "inv-1")
      const blind = await sync({ limit: 0 })
      assert.deepInclude(report(blind), { done: 0, failed: 0 })
      assert.strictEqual(held("inv-1")["due_date"], "2026-03-02")

      const swept = await sync({ limit: 100 })
      assert.deepInclude(report(swept), { done: 1, failed: 0, unknown: 0, attention: 0 })
      assert.strictEqual(held("inv-1")["due_date"], "2026-06-30")
      assert.deepStrictEqual(expected(held("inv-1")), ["2026-06-30"])
      assert.deepStrictEqual([held("inv-2"), held("inv-5")], others)

      const settled = await sync({ limit: 100 })
      assert.deepInclude(report(settled), { done: 0, failed: 0 })
      assert.strictEqual(held("inv-1")["due_date"], "2026-06-30")
    } finally {
      world.close()
    }
  })

  it("is read in a later run where a sweep reads few", async () => {
    const { stage, sync, held, world } = open(Xero.subject)
    try {
      report(await sync({ limit: 0 }))
      stage.edit!()
      // Two invoices are open; one is read again in each run.
      report(await sync({ limit: 1 }))
      report(await sync({ limit: 1 }))
      assert.strictEqual(held("inv-1")["due_date"], "2026-06-30")
    } finally {
      world.close()
    }
  })
})

describe("QuickBooks", () => {
  const received = (world: World) => {
    const all = [...world.service.payment.values()].map((one) => Number(one["amount"]))
    return all.reduce((sum, amount) => sum + amount, 0)
  }

  it("keeps the service right through a deletion that change data capture reports, and one that it has forgotten", async () => {
    const { stage, sync, held, world } = open(QuickBooks.subject)
    try {
      const first = report(await sync({ limit: 100 }))
      assert.deepInclude(first, { failed: 0, unknown: 0 })
      // Both halves were paid; the 20.00 that went back leave it settled, as QuickBooks's own balance does.
      assert.deepInclude(held("101"), { status: "paid", due_date: "2026-03-02" })
      // 110.50 of the 240.50 were credited, 130.00 paid.
      assert.deepInclude(held("102"), { status: "paid", gross_amount: "130.00" })
      const before = received(world)

      // Deleted, and change data capture says so: 60.00 and 130.00 were no payments after all.
      assert.strictEqual(stage.remove!(), "payment/201")
      const next = await sync({ limit: 100 })
      // What was refunded of it stays with it, and a person is told: money went back that never came. This source's own
      // balances of the two invoices do not move, which is sent as well.
      assert.deepInclude(report(next), { failed: 0, attention: 3 })
      assert.strictEqual(received(world), before - 130)

      // Deleted without a trace, and nobody asked for forty days: only reading everything shows it.
      const { records } = stage.source!.lists["Payment"]!
      const at = records.findIndex(({ Id }) => Id === "204")
      const was = received(world)
      records.splice(at, 1)
      const late = await sync({ limit: 0, later: "40 days" })
      assert.strictEqual(report(late).failed, 0)
      assert.strictEqual(received(world), was - 250)
    } finally {
      world.close()
    }
  })
})
