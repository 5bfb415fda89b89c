/**
 * A connection that asks for approval: nothing is sent before a person agreed, and then that plan and no other.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Configuration, decode } from "../../sync/library/config/Configuration.ts"
import { runConnection } from "../../sync/library/RunConnection.ts"
import * as Day from "../../core/wire/Day.ts"
import { startSandbox } from "../../core/sandbox/index.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import { apply } from "../../sync/apply/Apply.ts"
import type { Trigger } from "../../sync/schedule/Scheduler.ts"
import { Database } from "../../sync/state/Database.ts"
import { client } from "../../sync/library/ServiceClient.ts"
import { configuration as written, INVOICES, KEY, PAYMENTS } from "../support/Cli.ts"

const place = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-approval-"))
    return { folder, sandbox: await startSandbox({ port: 0, keys: [KEY] }) }
  }),
  ({ folder, sandbox }) =>
    Effect.promise(async () => {
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    })
)

/** Books before a service, and one turn of their connection at a time. */
const world = Effect.gen(function* () {
  const { folder, sandbox } = yield* place
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write("invoices.csv", INVOICES)
  write("payments.csv", PAYMENTS.split("\n").slice(0, 3).join("\n"))
  const { connections, service } = written(sandbox.url)
  const config = {
    service: { ...service, settle_after: "20 millis" },
    connections: [{ ...connections[0]!, approve: true }]
  }
  const options = { file: "daybook.config.json", folder, environment: { SERVICE_KEY: KEY } }
  const configuration: Configuration = yield* decode(config, options)
  const db = yield* Database
  const connection = configuration.connections[0]!
  return {
    write,
    turn: (why: Trigger) => runConnection(configuration, connection, why),
    /** With other settings, while the source is read and not at its end yet. */
    midway: Effect.gen(function* () {
      const only = {
        ...connection,
        planning: { ...connection.planning, scope: { issued_before: Day.of("2026-03-02") } }
      }
      db.prepare("UPDATE bookmark SET reading = 1").run()
      const said = yield* runConnection({ ...configuration, connections: [only] }, only, "approved")
      db.prepare("UPDATE bookmark SET reading = 0").run()
      return said
    }),
    attention: () => db.prepare("SELECT subject, rule FROM attention WHERE closed IS NULL").all(),
    /** The same with a key that the service refuses. */
    unauthorised: runConnection(
      { ...configuration, service: { ...configuration.service, key: Effect.succeed(Redacted.make("other")) } },
      connection,
      "approved"
    ),
    repaired: Effect.promise(() => fetch(`${sandbox.url}/sandbox/faults`, { method: "DELETE" })),
    fault: (fault: object) =>
      Effect.promise(() =>
        fetch(`${sandbox.url}/sandbox/faults`, {
          method: "POST",
          body: JSON.stringify(fault),
          headers: { "content-type": "application/json" }
        })
      ),
    byHand: apply([connection], { settleAfter: 0 }).pipe(Effect.provide(client(configuration))),
    waiting: () => Approvals.of(db, "books"),
    decide: (decision: "approved" | "rejected", digest = Approvals.of(db, "books")!.digest) =>
      Approvals.decide(db, { connection: "books", digest, decision, who: "Ann" }, 1),
    sent: Effect.promise(async () => {
      const journal = (await (await fetch(`${sandbox.url}/sandbox/requests`)).json()) as ReadonlyArray<{
        method: string
      }>
      return journal.filter(({ method }) => method !== "GET").length
    })
  }
})

const story = <E>(name: string, test: Effect.Effect<void, E, Database | Scope.Scope>) =>
  it.live(name, () =>
    Effect.scoped(test).pipe(Effect.provide(Layer.fresh(Database.layer({ file: ":memory:", mode: "share" }))))
  )

describe("a connection that asks for approval", () => {
  story(
    "sends nothing before a person agreed, and then all of that plan, once",
    Effect.gen(function* () {
      const { decide, sent, turn, waiting } = yield* world
      const first = yield* turn("schedule")
      assert.deepStrictEqual(first, {
        outcome: "waits for approval",
        message: "5 read, 5 new, 6 calls waiting for approval"
      })
      const asked = waiting()!
      assert.deepInclude(asked, { connection: "books", calls: 6, attention: 0, reductions: 0, decision: null })
      // Asked again, it is the same question, of the same age.
      yield* turn("schedule")
      assert.deepStrictEqual(waiting(), asked)
      assert.strictEqual(yield* sent, 0)

      assert.isFalse(decide("approved", "of another plan"))
      assert.isTrue(decide("approved"))
      assert.strictEqual((yield* turn("approved")).outcome, "done")
      assert.strictEqual(yield* sent, 6)
      assert.isUndefined(waiting())
      assert.strictEqual((yield* turn("schedule")).outcome, "done")
      assert.strictEqual(yield* sent, 6)
    })
  )

  story(
    "asks anew when the books moved after the approval, and sends nothing of either plan",
    Effect.gen(function* () {
      const { decide, sent, turn, waiting, write } = yield* world
      yield* turn("schedule")
      const before = waiting()!.digest
      decide("approved")
      write("invoices.csv", INVOICES.replace("250.50,300.60", "250.50,310.60"))
      const said = yield* turn("schedule")
      assert.strictEqual(said.outcome, "waits for approval")
      assert.match(said.message, /the books changed since the plan was approved, 6 calls waiting for approval$/)
      assert.notStrictEqual(waiting()!.digest, before)
      assert.isNull(waiting()!.decision)
      assert.strictEqual(yield* sent, 0)
    })
  )

  story(
    "leaves a rejected plan alone until it is another one; what a person sends by hand is sent",
    Effect.gen(function* () {
      const { byHand, decide, sent, turn, waiting, write } = yield* world
      yield* turn("schedule")
      decide("rejected")
      assert.match((yield* turn("schedule")).message, /6 calls rejected$/)
      assert.strictEqual(waiting()!.decision, "rejected")
      write("invoices.csv", INVOICES.replace("250.50,300.60", "250.50,310.60"))
      assert.match((yield* turn("schedule")).message, /6 calls waiting for approval$/)
      assert.isNull(waiting()!.decision)
      assert.strictEqual(yield* sent, 0)
      yield* byHand
      assert.strictEqual(yield* sent, 6)
      assert.strictEqual((yield* turn("schedule")).outcome, "done")
      assert.isUndefined(waiting())
    })
  )

  // This one and the next fail where the approval is cleared whatever became of the run (`approved` in RunConnection.ts).
  story(
    "keeps the approval of a turn that sent nothing, and then sends that plan",
    Effect.gen(function* () {
      const { decide, fault, repaired, sent, turn, unauthorised, waiting } = yield* world
      yield* turn("schedule")
      decide("approved")
      const asked = waiting()
      assert.match((yield* Effect.flip(unauthorised)).message, /sending stopped: .*key/)
      assert.deepStrictEqual(waiting(), asked)
      yield* fault({ kind: "status", status: 503, retry_after: 86_400 })
      assert.match((yield* Effect.flip(turn("approved"))).message, /sending stopped/)
      assert.deepStrictEqual(waiting(), asked)
      yield* repaired
      assert.match((yield* turn("approved")).message, /approved by Ann, 6 calls sent$/)
      assert.isUndefined(waiting())
      // The calls that were rejected are in the journal, too.
      assert.isAtLeast(yield* sent, 6)
    })
  )

  story(
    "asks anew about what is left of a plan of which a part was sent",
    Effect.gen(function* () {
      const { decide, fault, repaired, turn, waiting } = yield* world
      yield* turn("schedule")
      decide("approved")
      yield* fault({ method: "POST", kind: "status", status: 503, retry_after: 86_400, skip: 2 })
      assert.match((yield* Effect.flip(turn("approved"))).message, /without a known result/)
      yield* repaired
      const said = yield* turn("approved")
      assert.strictEqual(said.outcome, "waits for approval")
      assert.match(said.message, /the books changed since the plan was approved, \d calls? waiting for approval$/)
      assert.isNull(waiting()!.decision)
      assert.isBelow(waiting()!.calls, 6)
      decide("approved")
      assert.strictEqual((yield* turn("approved")).outcome, "done")
    })
  )

  story(
    "opens what needs attention again once settings that a waiting plan was made with are changed back",
    Effect.gen(function* () {
      const { attention, decide, midway, turn, write } = yield* world
      write("payments.csv", PAYMENTS.replace("INV-9", "INV-1"))
      yield* turn("schedule")
      decide("approved")
      yield* turn("approved")
      const before = attention()
      assert.deepStrictEqual(before, [{ subject: "books/invoice/INV-1", rule: "S2" }])
      const [, , another] = INVOICES.split("\n")
      write(
        "invoices.csv",
        `${INVOICES.replace("2026-04-01", "2026-04-14")}${another?.replace("INV-2", "INV-4").replace("03-02", "03-05")}\n`
      )
      yield* turn("schedule")
      assert.strictEqual((yield* midway).outcome, "waits for approval")
      assert.deepStrictEqual(attention(), [])
      yield* turn("schedule")
      decide("approved")
      yield* turn("approved")
      assert.deepStrictEqual(attention(), before)
    })
  )
})
