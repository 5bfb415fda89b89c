/**
 * A call that the service refuses, or of which nobody knows the outcome: what becomes of it, of its invoice and of the
 * others; and what happens when someone else was quicker.
 */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import type { Fault } from "../../../core/sandbox/server/Faults.ts"
import { CompanyId } from "../../../core/wire/Ids.ts"
import { apply } from "../../../sync/apply/Apply.ts"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import { Database, StateError } from "../../../sync/state/Database.ts"
import { invoice, key, payment, planning } from "../../support/Documents.ts"
import { violations } from "../Invariants.ts"
import { ask, books, CALLS, inWorld, open, paidInvoices, report, requests } from "../InWorld.ts"
import { connection, whole } from "../Source.ts"
import type { Wrap } from "../World.ts"

const lost: Readonly<Record<string, Omit<Fault, "id">>> = {
  POST: { kind: "lose_response" },
  GET: { kind: "status", status: 502 }
}

describe("what the service refuses, or does not answer", () => {
  it(
    "a refusal stops its own invoice and no other, and is not sent again until something changes",
    inWorld({}, async (world) => {
      world.documents = [invoice({ currency: "XYZ" }), payment("P1", "20.00"), ...paidInvoices(2).slice(2)]
      const first = report(await world.sync())
      assert.deepInclude(first, { failed: 1, attention: 1 })
      assert.deepStrictEqual(open(world, "SELECT subject, why, todo FROM attention"), [
        {
          subject: key("invoice", "I1"),
          why: 'the service refused transactions.create: refused with 400: currency: "XYZ" is not a valid choice.',
          todo: "correct it in the source or contact the service's operator, then send it again with `daybook attention retry`"
        }
      ])
      const made = world.instance.journal.length
      report(await world.sync())
      assert.strictEqual(world.instance.journal.length, made, "it is not sent again")
      world.documents = [invoice({ currency: "EUR" }), ...world.documents.slice(1)]
      assert.deepInclude(report(await world.sync()), { failed: 0, attention: 0 })
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  const rule = { unknown: true }
  it(
    "a person's retry sends it once more, and closes the attention once it is accepted",
    inWorld(
      {
        fault: (_, path) => (rule.unknown && path === "/v1/transactions" ? { kind: "status", status: 402 } : undefined)
      },
      async (world) => {
        world.documents = [invoice()]
        assert.deepInclude(report(await world.sync()), { failed: 1, attention: 1 })
        const retry = () =>
          world.life(
            Effect.gen(function* () {
              const db = yield* Database
              const [one] = AttentionStore.list(db)
              return yield* db.transaction(() => AttentionStore.retry(db, one!.id, 0))
            })
          )
        await retry()
        assert.deepInclude(report(await world.sync()), { failed: 1, attention: 1 }, "it is still refused")
        rule.unknown = false
        assert.deepInclude(report(await world.sync()), { done: 0, attention: 1 }, "nobody said retry")
        await retry()
        assert.deepInclude(report(await world.sync()), { done: 1, failed: 0, attention: 0 })
        assert.deepStrictEqual(await violations(world), [])
      }
    )
  )

  const refusing = { on: true }
  it(
    "a key that is not accepted stops the run at once",
    inWorld({ fault: () => (refusing.on ? { kind: "status", status: 401 } : undefined) }, async (world) => {
      world.documents = books
      const { stopped } = report(await world.sync())
      assert.strictEqual(stopped?._tag, "Unauthorized")
      assert.strictEqual(world.instance.journal.length, 1)
      refusing.on = false
      assert.deepInclude(report(await world.sync()), { done: CALLS, failed: 0 })
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  const blind = { reads: true, writes: true }
  it(
    "an invoice that cannot be looked up is left alone, the others go on, and it is settled later",
    inWorld(
      {
        fault: (method, path) => {
          if (blind.writes && method === "PUT" && path.endsWith("/paid")) return { kind: "lose_response" }
          return blind.reads && method === "GET" ? { kind: "status", status: 500 } : undefined
        }
      },
      async (world) => {
        world.documents = paidInvoices(1)
        assert.deepInclude(report(await world.sync()), { done: 3, unknown: 1 })
        blind.writes = false
        world.documents = [...paidInvoices(2), payment("P9", { I1: "5.00" })]
        const before = requests(world).length
        assert.deepInclude(report(await world.sync()), { done: 3, unknown: 1, recovered: 0 })
        const [first] = world.service.transaction.values()
        const touched = requests(world).slice(before)
        assert.isEmpty(touched.filter((one) => !one.startsWith("GET") && one.includes(first!.id)))
        blind.reads = false
        assert.deepInclude(report(await world.sync()), { recovered: 1, unknown: 0, done: 1 })
        assert.deepStrictEqual(await violations(world), [])
      }
    )
  )

  const network = { bad: true }
  it(
    "claims of a connection that is not configured any more are kept until it is again",
    inWorld(
      { fault: (method, path) => (network.bad && path !== "/v1/organisations" ? lost[method] : undefined) },
      async (world) => {
        world.documents = [invoice()]
        assert.deepInclude(report(await world.sync()), { unknown: 1 })
        network.bad = false
        const other = connection(
          whole(() => paidInvoices(1)),
          planning,
          "shop"
        )
        const without = await world.life(apply([other]))
        assert.deepInclude(report(without), { recovered: 0, unknown: 0 })
        assert.strictEqual(open(world, "SELECT id FROM call WHERE outcome IS NULL").length, 1)
        assert.deepInclude(report(await world.sync()), { recovered: 1, done: 0 })
        assert.strictEqual(world.service.transaction.size, 1)
        assert.deepStrictEqual(await violations(world), [])
      }
    )
  )

  it(
    "a request that was put off and is on its way when the program dies is waited for",
    inWorld(
      {
        fault: (() => {
          const turns: ReadonlyArray<Omit<Fault, "id"> | undefined> = [
            { kind: "status", status: 429, retry_after: 300 },
            { kind: "late", delay_ms: 4000 }
          ]
          let turn = 0
          return (method, path) => (method === "POST" && path === "/v1/transactions" ? turns[turn++] : undefined)
        })()
      },
      async (world) => {
        world.documents = [invoice()]
        world.onSend = (_, __, path) => {
          const sent = requests(world).filter((one) => one === "POST /v1/transactions").length
          if (path === "/v1/transactions" && sent === 1) world.killAt = world.steps.length + 1
        }
        const died = await world.sync()
        assert.isTrue(died._tag === "Failure" && world.dead)
        world.killAt = undefined
        world.onSend = undefined
        assert.deepInclude(report(await world.sync()), { recovered: 1, done: 0 })
        await world.clock.settle()
        assert.strictEqual(world.service.transaction.size, 1)
        assert.deepStrictEqual(await violations(world), [])
      }
    )
  )

  const service = { silent: false }
  const [seller, buyer] = [CompanyId.make("co-1000"), CompanyId.make("co-1001")]
  it(
    "insured by someone else since it was sent: the ledger is corrected and the change goes through amend",
    inWorld(
      {
        planning: { ...planning, creditor: { company: seller } },
        fault: (method) => (service.silent && method === "GET" ? { kind: "status", status: 500 } : undefined)
      },
      async (world) => {
        const party = { name: "Harbour Lane Bakery", company: buyer }
        world.documents = [invoice({ party })]
        report(await world.sync())
        const [transaction] = world.service.transaction.values()
        const quote = await ask(world, "POST", "/v1/quotes", { transaction: transaction!.id })
        const policy = await ask(world, "POST", "/v1/policies", { quote: quote["id"], stripe_id: "tok_visa" })
        assert.match(String(policy["id"]), /^pol-/, JSON.stringify({ quote, policy }))
        world.documents = [invoice({ party, due: "2026-02-05" })]
        service.silent = true
        assert.deepInclude(report(await world.sync()), { failed: 1, attention: 0 }, "why is not known yet")
        service.silent = false
        const before = requests(world).length
        assert.deepInclude(report(await world.sync()), { attention: 0 })
        assert.deepStrictEqual(
          requests(world)
            .slice(before)
            .map((one) => one.replace(transaction!.id, "ID")),
          ["PATCH /v1/transactions/ID", "GET /v1/transactions/ID", "PATCH /v1/transactions/ID/amend/"]
        )
        assert.deepStrictEqual(await violations(world), [])
      }
    )
  )

  it("a disk that is full stops the run, wherever it fills up, and nothing is lost or sent twice", async () => {
    let stopped = 0
    for (let commits = 1; commits <= CALLS + 4; commits++) {
      let left = commits
      let full = true
      const wrap: Wrap = (db) => ({
        ...db,
        commit: (work) =>
          full && left-- <= 0
            ? Effect.fail(new StateError({ kind: "full", file: db.file, why: "the disk is full" }))
            : db.commit(work)
      })
      await inWorld({ wrap }, async (world) => {
        world.documents = books
        const exit = await world.sync({ concurrency: 2 })
        if (exit._tag === "Failure") {
          stopped++
          assert.include(Cause.pretty(exit.cause), "the disk is full")
        }
        full = false
        report(await world.sync())
        assert.deepStrictEqual(await violations(world), [], `full after ${commits} commits`)
      })()
    }
    assert.isAtLeast(stopped, CALLS)
  })

  it(
    "deleted by someone else: one attention, with the service's word",
    inWorld({}, async (world) => {
      world.documents = [invoice()]
      report(await world.sync())
      const [transaction] = world.service.transaction.values()
      await ask(world, "DELETE", `/v1/transactions/${transaction!.id}`)
      world.documents = [invoice({ due: "2026-03-31" })]
      assert.deepInclude(report(await world.sync()), { failed: 1, attention: 1 })
      assert.deepStrictEqual(open(world, "SELECT why FROM attention"), [
        { why: "the service refused transactions.update: not found: Not found." }
      ])
    })
  )

  it(
    "a saved plan is refused once the books moved",
    inWorld({}, async (world) => {
      world.documents = [invoice()]
      const exit = await world.sync({ digest: "of another plan" })
      assert.include(
        exit._tag === "Failure" ? Cause.pretty(exit.cause) : "",
        "the books or the ledger changed since this plan was saved; nothing was sent."
      )
      assert.strictEqual(world.instance.journal.length, 0)
    })
  )
})
