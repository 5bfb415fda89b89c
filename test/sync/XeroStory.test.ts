/**
 * Xero's books on the service, in whole runs: what its cursor shows, and what only a sweep can find. Xero is the
 * conformance kit's simulation of it, the service is the sandbox.
 */
import { assert, describe, it } from "vitest"
import { Effect, Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { simulate, vaultOf } from "../../connectors/testing/index.ts"
import { subject } from "../../connectors/xero/Sample.ts"
import * as Account from "../../sync/Account.ts"
import { apply } from "../../sync/Apply.ts"
import type { Connection } from "../../sync/Connection.ts"
import { pull } from "../../sync/Pull.ts"
import { sweep } from "../../sync/Sweep.ts"
import { planning } from "../support/Documents.ts"
import { report } from "./InWorld.ts"
import { KEY, URL, World } from "./World.ts"

/** A world whose source is Xero. */
const open = () => {
  const stage = subject.open()
  const simulated = simulate(stage.source!)
  const client = Effect.runSync(Effect.provide(HttpClient.HttpClient, simulated.layer))
  const connection: Connection = {
    id: "books",
    connector: subject.connector,
    settings: Schema.decodeUnknownSync(subject.connector.settings)(subject.settings),
    planning
  }
  const world = new World({ source: { connection, client } })
  const vault = vaultOf(subject.oauth!.held)
  const surroundings = { folder: ".", environment: subject.environment!, vault }
  /** What `daybook sync` does: reads what changed, sweeps, plans and applies. */
  const sync = ({ budget }: { readonly budget: number }) =>
    world.life(
      Effect.gen(function* () {
        yield* Account.bind(URL, Redacted.make(KEY))
        const pulled = yield* pull(connection, surroundings)
        const swept = yield* sweep(connection, { ...surroundings, budget })
        return { ...(yield* apply([connection], { allowReductions: true })), pulled, swept }
      })
    )
  /** What the service holds of an invoice. */
  const told = (id: string) => {
    const name = `books/invoice/${id}`
    const found = [...world.service.transaction.values()].find((one) => one["unique_id"] === name)
    assert.isDefined(found, `${name} is not on the service`)
    return found!
  }
  return { world, stage, sync, told }
}

type Told = Readonly<Record<string, unknown>>

/** Days on which money is expected. */
const expected = (transaction: Told) =>
  (transaction["scheduled_payments"] as ReadonlyArray<Told>).map((one) => one["due_date"] ?? one["date"])

describe("a due date that moves on a partly paid invoice of Xero", () => {
  it("is not shown by Xero's cursor, and is on the service after one sweep", async () => {
    const { stage, sync, told, world } = open()
    try {
      const first = report(await sync({ budget: 0 }))
      assert.deepInclude(first, { failed: 0, unknown: 0, attention: 0 })
      // 50.00 of 120.00 were paid.
      assert.deepInclude(told("inv-1"), { status: "pending", gross_amount: "120.00", due_date: "2026-03-02" })
      const others = [told("inv-2"), told("inv-5")]

      assert.strictEqual(stage.edit!(), "inv-1")
      const blind = await sync({ budget: 0 })
      assert.deepInclude(report(blind), { done: 0, failed: 0 })
      assert.strictEqual(told("inv-1")["due_date"], "2026-03-02")

      const swept = await sync({ budget: 100 })
      assert.deepInclude(report(swept), { done: 1, failed: 0, unknown: 0, attention: 0 })
      assert.strictEqual(told("inv-1")["due_date"], "2026-06-30")
      assert.deepStrictEqual(expected(told("inv-1")), ["2026-06-30"])
      assert.deepStrictEqual([told("inv-2"), told("inv-5")], others)

      const settled = await sync({ budget: 100 })
      assert.deepInclude(report(settled), { done: 0, failed: 0 })
      assert.strictEqual(told("inv-1")["due_date"], "2026-06-30")
    } finally {
      world.close()
    }
  })

  it("waits for its turn where the sweep's budget is small, and comes", async () => {
    const { stage, sync, told, world } = open()
    try {
      report(await sync({ budget: 0 }))
      stage.edit!()
      // Two invoices are open; one is read again in each run.
      report(await sync({ budget: 1 }))
      report(await sync({ budget: 1 }))
      assert.strictEqual(told("inv-1")["due_date"], "2026-06-30")
    } finally {
      world.close()
    }
  })
})
