/**
 * What a run that was killed had sent is looked for by the next one, and not believed to be absent before it must have
 * arrived, whatever the clock says; and nobody settles the claims of a run that is alive.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { Refused, ServiceError } from "../../../core/ServiceError.ts"
import * as Claims from "../../../sync/apply/Claims.ts"
import { Database } from "../../../sync/state/Database.ts"
import { recover } from "../../../sync/apply/Recovery.ts"
import { Sender } from "../../../sync/apply/Sender.ts"
import * as Runs from "../../../sync/apply/Runs.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { apart } from "../../support/Effort.ts"
import { always, violations } from "../Invariants.ts"
import { inWorld, open, paidInvoices, report, requests } from "../InWorld.ts"
import { World } from "../World.ts"

const SETTLED = 5000
const DAY = 86_400_000

/** An invoice that is created and paid late; the machine dies at this step, and the clock is set before it runs again. */
const killed = async (at: number, by: number): Promise<boolean> => {
  const late = { on: true }
  const world = new World({
    fault: (method, path) =>
      late.on && method === "POST" && path.includes("transactions")
        ? { kind: "late", delay_ms: SETTLED - 1 }
        : undefined
  })
  try {
    world.documents = [invoice(), payment("P1", "50.00")]
    world.killAt = at
    await world.sync({ settleAfter: SETTLED, concurrency: 1 })
    if (!world.dead) return false
    late.on = false
    world.killAt = undefined
    world.clock.set(world.clock.currentTimeMillisUnsafe() + by)
    report(await world.sync({ settleAfter: SETTLED }))
    await world.clock.settle()
    report(await world.sync({ settleAfter: SETTLED }))
    assert.deepStrictEqual(await violations(world), [], `killed at step ${at}`)
    return true
  } finally {
    world.close()
  }
}

const SOME = apart(1)

describe("what a run that was killed had sent", () => {
  for (const [name, by] of [
    ["a day ahead", DAY],
    ["a day back", -DAY]
  ] as const)
    it(`is sent once though it arrives late and the clock was set ${name}`, { timeout: 60_000 }, async () => {
      let at = 1
      while (await killed(at, by)) at += SOME
      assert.isAbove(at, 20)
    })

  it(
    "is read twice before it is sent again",
    inWorld({}, async (world) => {
      world.documents = [invoice()]
      world.onSend = (_, method, path) => {
        if (method === "POST" && path.includes("transactions")) world.killAt = world.steps.length + 1
      }
      // It leaves and never arrives.
      world.killAt = 1000
      const lost = world.instance.faults.add({
        kind: "lose_request",
        method: "POST",
        path: "/v1/transactions"
      } as never)
      assert.isOk(lost)
      await world.sync({ settleAfter: SETTLED })
      assert.isTrue(world.dead)
      world.instance.faults.clear()
      world.killAt = undefined
      world.onSend = undefined
      const before = requests(world).length
      const began = world.clock.monotonicTimeNanosUnsafe()
      assert.deepInclude(report(await world.sync({ settleAfter: SETTLED })), { recovered: 1, done: 1 })
      assert.deepStrictEqual(requests(world).slice(before), [
        "GET /v1/transactions",
        "GET /v1/transactions",
        // Whether another Daybook has sent it.
        "GET /v1/transactions",
        "POST /v1/transactions"
      ])
      assert.isAtLeast(Number(world.clock.monotonicTimeNanosUnsafe() - began), SETTLED * 1e6)
    })
  )
})

describe("a capture that is refused under its key", () => {
  it(
    "is believed to have changed nothing only when its first request must have arrived",
    inWorld({}, async (world) => {
      const exit = await world.life(
        Effect.gen(function* () {
          const db = yield* Database
          const answers = [refusedCapture, Effect.succeed({ body: { type: "capture", amount: 1, changes: [] } })]
          let sent = 0
          const client = { send: () => answers[sent++]! }
          const call = {
            kind: "invoice",
            subject: "books/order/O1",
            fact: "books/order/O1",
            rule: "C1",
            operation: "deferredPayments.capture",
            params: { deferred_payment_id: "defpay-1" },
            body: { amount: 1 },
            orderPosting: { key: "k" },
            reason: "",
            destructive: false
          }
          const sender = new Sender(db, client as never, { settleAfter: SETTLED })
          const began = world.clock.monotonicTimeNanosUnsafe()
          const settled = yield* sender.readBack(call as never, Number(began / 1_000_000n))
          return { settled, sent, waited: Number(world.clock.monotonicTimeNanosUnsafe() - began) / 1e6 }
        })
      )
      if (exit._tag === "Failure") throw new Error(String(exit.cause))
      const { sent, settled, waited } = exit.value as { sent: number; settled: object; waited: number }
      assert.deepStrictEqual({ sent, settled }, { sent: 2, settled: { done: { kind: "done" } } })
      assert.isAtLeast(waited, SETTLED)
    })
  )
})

const refusedCapture = Effect.fail(
  new ServiceError({
    operation: "deferredPayments.capture",
    reason: new Refused({ status: 400, problems: ["more than is open"] })
  })
)

describe("a run that is alive", () => {
  it(
    "keeps its claims from another of this process, until it has ended",
    inWorld({}, async (world) => {
      const exit = await world.life(
        Effect.gen(function* () {
          const db = yield* Database
          let asked = 0
          const sender = { readBack: () => Effect.sync(() => ({ absent: ++asked > 0 })) }
          const call = {
            kind: "invoice",
            subject: "books/invoice/I1",
            fact: "books/invoice/I1",
            rule: "T2",
            operation: "transactions.create",
            params: {},
            body: {},
            reason: "",
            destructive: false
          }
          const run = yield* db.transaction(() => Runs.begin(db, world.connections, 0))
          yield* db.transaction(() => Claims.claim(db, run, call as never, 0))
          const recovering = recover(db, sender as never, world.connections)
          const during = yield* Runs.living(db, run, recovering)
          const whileAlive = asked
          const after = yield* recovering
          return { during, whileAlive, after, asked }
        }) as never
      )
      if (exit._tag === "Failure") throw new Error(String(exit.cause))
      // Without `Runs.isAlive` in `Recovery.ts` the sender is asked while the run goes on.
      assert.deepStrictEqual(exit.value as unknown, {
        during: { recovered: 0, held: ["books/invoice/I1"] },
        whileAlive: 0,
        after: { recovered: 1, held: [] },
        asked: 1
      })
    })
  )

  it("keeps its claims, though its lock file was deleted and another one begins on the same file", {
    timeout: 30_000
  }, async () => {
    let asked = 0
    const world: World = new World({
      fault: (method) => {
        if (method === "GET" || ++asked !== 5) return undefined
        rmSync(`${world.file}.lock`)
        world.second({ settleAfter: SETTLED, concurrency: 1 })
        return { kind: "delay", delay_ms: 3 * SETTLED } as never
      }
    })
    try {
      world.documents = paidInvoices(6)
      const exit = await world.sync({ settleAfter: SETTLED, concurrency: 2 })
      assert.strictEqual(exit._tag, "Failure")
      assert.include(
        String(exit._tag === "Failure" ? exit.cause : ""),
        "was deleted or replaced while this program held it"
      )
      assert.deepStrictEqual(always(world), [])
      report(await world.sync({ settleAfter: SETTLED }))
      report(await world.sync({ settleAfter: SETTLED }))
      assert.deepStrictEqual(await violations(world), [])
    } finally {
      world.close()
    }
  })

  it(
    "is known by its process, as long as that lives and under no other that has its number",
    inWorld({}, async (world) => {
      report(await world.sync())
      const begun = async (kept: string | null) => {
        const exit = await world.life(
          Effect.flatMap(Database, (db) =>
            db.transaction(() => {
              db.prepare("UPDATE run SET process = ?").run(kept)
              return Runs.begin(db, [], 0)
            })
          )
        )
        return exit._tag === "Success" ? "goes on" : String(exit.cause)
      }
      assert.strictEqual(await begun(null), "goes on")
      const mine = String(open(world, "SELECT process FROM run WHERE process IS NOT NULL")[0]!["process"])
      const [host, , start] = JSON.parse(mine) as [string, number, string]
      // Whoever started this process is still there.
      const parent = (start: string) => JSON.stringify([host, process.ppid, start])
      assert.strictEqual(await begun(parent(start)), "goes on", "its number is another process's by now")
      assert.strictEqual(await begun(JSON.stringify([host, 2 ** 22 + 1, start])), "goes on")
      assert.strictEqual(await begun(JSON.stringify(["elsewhere", process.pid, start])), "goes on")
      assert.strictEqual(await begun(JSON.stringify([host, process.ppid, null])), "goes on")
      const theirs = Runs.startOf(process.ppid)
      assert.isDefined(theirs)
      assert.match(await begun(parent(theirs!)), /another process is sending from it \(run \d+, process \d+/)
    })
  )

  it.skipIf(process.platform !== "linux")(
    "is not one whose process died, though its parent never asked for it",
    async () => {
      const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] })
      try {
        const pid = Number(await new Promise((resolve) => parent.stdout.once("data", (text) => resolve(String(text)))))
        assert.isDefined(Runs.startOf(pid))
        const until = async (is: () => boolean) => {
          while (!is()) await new Promise((resolve) => setTimeout(resolve, 10))
        }
        // A shell would ask for it; what it becomes does not.
        await until(() => readFileSync(`/proc/${parent.pid}/cmdline`, "utf8").startsWith("sleep\0"))
        process.kill(pid, "SIGKILL")
        await until(() => readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z "))
        assert.isUndefined(Runs.startOf(pid))
      } finally {
        parent.kill("SIGKILL")
      }
    }
  )

  it(
    "whose call another program settled writes nothing over it",
    inWorld({}, async (world) => {
      const exit = await world.life(
        Effect.flatMap(Database, (db) =>
          db.transaction(() => {
            const call = {
              subject: "a",
              fact: "a",
              rule: "T2",
              operation: "transactions.create",
              params: {},
              reason: ""
            }
            const id = Claims.claim(db, 1, { ...call, destructive: false } as never, 0)
            const receipt: Claims.StoredReceipt = { outcome: "absent", status: undefined, answer: undefined }
            Claims.receipt(db, id, receipt, 0)
            Claims.receipt(db, id, { ...receipt, outcome: "done" }, 0)
          })
        )
      )
      assert.include(String(exit._tag === "Failure" ? exit.cause : ""), "another program settled call 1")
    })
  )
})
