/**
 * Carrying plans out against the sandbox: one network fault at a time, then order, concurrency, and claims on
 * the disk. What becomes of refusals is tested beside it.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import type { Fault } from "../../../core/sandbox/server/Faults.ts"
import type { CallReceipt } from "../../../sync/apply/Report.ts"
import { invoice, payment, reversal } from "../../support/Documents.ts"
import { claimsTooLate } from "../Canary.ts"
import { violations } from "../Invariants.ts"
import { books, CALLS, inWorld, open, paidInvoices, report, requests } from "../InWorld.ts"
import type { WorldOptions } from "../World.ts"

const edited: ReadonlyArray<Document> = [
  ...paidInvoices(2),
  invoice({ id: "I4", number: "INV-4", due: "2026-02-28" }),
  payment("P4", { I4: "60.00" }),
  reversal("R4", { I4: "60.00" }, "chargeback", { payment: "P4" })
]

/** Strikes every other change and every other reading, so that each succeeds the second time. */
const everyOther = (fault: Omit<Fault, "id">) => {
  const state = { on: true, changes: 0, readings: 0 }
  return {
    state,
    fault: (method: string) => {
      const turn = method === "GET" ? state.readings++ : state.changes++
      return state.on && turn % 2 === 0 ? fault : undefined
    }
  }
}

describe("one fault at a time: invariants 1 to 6", () => {
  const faults: Readonly<Record<string, Omit<Fault, "id">>> = {
    "the request is lost": { kind: "lose_request" },
    "the answer is lost": { kind: "lose_response" },
    "the request arrives late": { kind: "late", delay_ms: 4000 },
    "the service fails with 503": { kind: "status", status: 503 },
    "the service asks to wait 7 seconds": { kind: "status", status: 429, retry_after: 7 },
    "the service asks to wait and does not say how long": { kind: "status", status: 429 },
    "the answer is cut in half": { kind: "garble" }
  }
  for (const [name, what] of Object.entries(faults)) {
    const { fault, state } = everyOther(what)
    it(
      name,
      inWorld({ fault }, async (world) => {
        world.documents = books
        const first = report(await world.sync({ concurrency: 1 }))
        assert.isAtLeast(state.changes, CALLS, "faults were met")
        assert.deepInclude(first, { done: CALLS, failed: 0, unknown: 0, attention: 0 })
        assert.deepStrictEqual(await violations(world), [])
        world.documents = edited
        assert.deepInclude(report(await world.sync({ concurrency: 1 })), { failed: 0, unknown: 0, attention: 0 })
        assert.deepStrictEqual(await violations(world), [])
        state.on = false
        const quiet = world.instance.journal.length
        report(await world.sync())
        assert.strictEqual(world.instance.journal.length, quiet, "a further run makes no request")
      })
    )
  }

  it(
    "waits as long as Retry-After says, for that endpoint only",
    inWorld(
      {
        fault: (() => {
          let left = 1
          return (method, path) =>
            method === "POST" && path.endsWith("/payments/") && left-- > 0
              ? { kind: "status", status: 429, retry_after: 90 }
              : undefined
        })()
      },
      async (world) => {
        world.documents = [invoice(), payment("P1", "20.00"), invoice({ id: "I2", number: "INV-2" })]
        assert.deepInclude(report(await world.sync()), { done: 4, failed: 0 })
        const at = (pattern: RegExp) =>
          world.instance.journal.filter(({ path }) => pattern.test(path)).map(({ at }) => Date.parse(at))
        const [limited, again] = at(/payments/)
        assert.strictEqual(again! - limited!, 90_000)
        assert.isBelow(Math.max(...at(/transactions$/)), again!)
      }
    )
  )

  const limits = { on: true }
  it(
    "a day-long Retry-After stops the run, and the next one goes on",
    inWorld(
      {
        fault: (_, path) =>
          limits.on && path.endsWith("/paid") ? { kind: "status", status: 429, retry_after: 86_400 } : undefined
      },
      async (world) => {
        world.documents = paidInvoices(2)
        const stopped = report(await world.sync({ concurrency: 1 }))
        assert.deepStrictEqual(stopped.stopped?._tag, "RateLimited")
        assert.deepStrictEqual(requests(world).filter((one) => one.endsWith("/paid")).length, 1)
        limits.on = false
        assert.deepInclude(report(await world.sync()), { failed: 0, unknown: 0 })
        assert.deepStrictEqual(await violations(world), [])
      }
    )
  )
})

describe("order and concurrency", () => {
  it(
    "many invoices side by side, the calls of one in order",
    inWorld({ fault: () => ({ kind: "delay", delay_ms: 200 }) }, async (world) => {
      world.documents = paidInvoices(30)
      report(await world.sync({ concurrency: 6 }))
      assert.strictEqual(world.inFlight.most, 6)
      assert.strictEqual(
        requests(world).find((one) => one.startsWith("POST")),
        "POST /v1/organisations"
      )
      for (const { id } of world.service.transaction.values()) {
        assert.deepStrictEqual(
          requests(world).filter((one) => one.includes(id)),
          [`POST /v1/transactions/${id}/payments/`, `PUT /v1/transactions/${id}/paid`]
        )
      }
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  const claimed = async (options: WorldOptions): Promise<ReadonlyArray<string>> => {
    const missing: Array<string> = []
    await inWorld(options, async (world) => {
      world.documents = books
      let sent = 0
      world.onSend = (_, method, path) => {
        sent++
        const claims = open(world, "SELECT operation FROM call WHERE outcome IS NULL")
        if (claims.length !== 1) missing.push(`${method} ${path}`)
      }
      await world.sync({ concurrency: 1 })
      assert.strictEqual(sent, CALLS)
    })()
    return missing
  }

  it(
    "a receipt is reported once it is on the disk",
    inWorld({}, async (world) => {
      world.documents = books
      const reported: Array<string> = []
      const onReceipt = ({ call, n, outcome, remote }: CallReceipt) =>
        Effect.sync(() => {
          assert.strictEqual(n, reported.length + 1)
          const rows = open(world, `SELECT outcome, remote FROM call WHERE operation = '${call.operation}'`)
          assert.deepInclude(rows, { outcome, remote: remote ?? null })
          reported.push(call.operation)
        })
      report(await world.sync({ concurrency: 3, onReceipt }))
      assert.strictEqual(reported.length, CALLS)
    })
  )

  it("another process finds the claim on the disk when its request leaves", async () => {
    assert.deepStrictEqual(await claimed({}), [])
  })

  it("a program that writes its claims after its requests is found out", async () => {
    assert.strictEqual((await claimed({ wrap: claimsTooLate })).length, CALLS)
  })
})
