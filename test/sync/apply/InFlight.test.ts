/** Calls that are claimed ahead: how many are in flight, and what happens to those that are not sent after all. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Ref } from "effect"
import { TestClock } from "effect/testing"
import { type Reason, Unauthorized } from "../../../core/ServiceError.ts"
import * as Claims from "../../../sync/apply/Claims.ts"
import { InFlight } from "../../../sync/apply/InFlight.ts"
import type { Job } from "../../../sync/apply/Job.ts"
import * as ChangedDocuments from "../../../sync/books/ChangedDocuments.ts"
import type { Call } from "../../../sync/model/Call.ts"
import { Database } from "../../../sync/state/Database.ts"

const RUN = 1
const AT_ONCE = 2

const callOf = (subject: string): Call => ({
  subject,
  fact: subject,
  rule: "T1",
  operation: "transactions.create",
  kind: "invoice",
  destructive: false,
  reason: "a new invoice",
  params: {},
  body: { number: subject }
})

/** Sends a call of each document at once, if its turn comes; each is answered by hand. */
const sending = (...subjects: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const stopped = yield* Ref.make<Reason | undefined>(undefined)
    const inFlight = new InFlight(db, stopped, AT_ONCE)
    const sent: Array<string> = []
    const answers = new Map(subjects.map((subject) => [subject, Deferred.makeUnsafe<void>()]))
    const one = (subject: string) =>
      Effect.gen(function* () {
        const job = { plan: { subject, changes: 0, claims: Number.MAX_SAFE_INTEGER }, run: RUN } as Pick<
          Job,
          "plan" | "run"
        >
        const id = yield* db.commit(() => Claims.claim(db, RUN, callOf(subject), 0))
        const answer = answers.get(subject) ?? Deferred.makeUnsafe<void>()
        const call = Effect.suspend(() => {
          sent.push(subject)
          return Effect.as(Effect.interruptible(Deferred.await(answer)), "answered")
        })
        return yield* inFlight.send(job, id, call)
      }).pipe(Effect.uninterruptible)
    const fibers = new Map<string, Fiber.Fiber<string | undefined, unknown>>()
    for (const subject of subjects) fibers.set(subject, yield* Effect.forkChild(one(subject)))
    const claimed = () => Claims.pending(db).map(({ call }) => call.subject)
    while (claimed().length < subjects.length) yield* turn
    yield* turn
    return {
      db,
      gather: inFlight.gather,
      stopped,
      sent,
      claimed,
      answer: (subject: string) => Deferred.succeed(answers.get(subject)!, undefined),
      ended: (subject: string) => Fiber.join(fibers.get(subject)!),
      interrupt: (subject: string) => Fiber.interrupt(fibers.get(subject)!),
      receipts: () => db.prepare("SELECT c.subject, r.outcome FROM receipt r JOIN claim c ON c.id = r.claim").all()
    }
  })

/** Lets what is written to disk be written. */
const turn = Effect.promise(() => new Promise<void>((resolve) => void setTimeout(resolve, 2)))

const fresh = Effect.provide(Database.layer({ file: ":memory:", mode: "write", command: "a test" }), { local: true })

describe("calls in flight", () => {
  it.effect("stay within the limit; after each answer the next claimed call is sent", () =>
    Effect.gen(function* () {
      const { answer, claimed, ended, sent } = yield* sending("a", "b", "c", "d")
      assert.deepStrictEqual(
        [sent, claimed()],
        [
          ["a", "b"],
          ["a", "b", "c", "d"]
        ]
      )
      yield* answer("b")
      assert.strictEqual(yield* ended("b"), "answered")
      assert.deepStrictEqual(sent, ["a", "b", "c"])
      yield* answer("c")
      yield* ended("c")
      assert.deepStrictEqual(sent, ["a", "b", "c", "d"])
    }).pipe(fresh)
  )

  it.effect("are not sent if the run stops first, and their receipts say so", () =>
    Effect.gen(function* () {
      const { answer, claimed, ended, receipts, sent, stopped } = yield* sending("a", "b", "c", "d")
      yield* Ref.set(stopped, new Unauthorized({ status: 401, detail: "no such key" }))
      yield* answer("a")
      assert.deepStrictEqual([yield* ended("c"), yield* ended("d")], [undefined, undefined])
      assert.deepStrictEqual(sent, ["a", "b"])
      // The test gives the others no receipts.
      assert.deepStrictEqual(claimed(), ["a", "b"])
      assert.deepStrictEqual(receipts(), [
        { subject: "c", outcome: "absent" },
        { subject: "d", outcome: "absent" }
      ])
    }).pipe(fresh)
  )

  it.effect("are not sent if they are interrupted first, and their receipts say so", () =>
    Effect.gen(function* () {
      const { answer, ended, interrupt, receipts, sent } = yield* sending("a", "b", "c", "d")
      yield* interrupt("c")
      assert.deepStrictEqual(receipts(), [{ subject: "c", outcome: "absent" }])
      yield* answer("a")
      yield* ended("a")
      assert.deepStrictEqual(sent, ["a", "b", "d"])
    }).pipe(fresh)
  )

  it.effect("are checked again after a long wait: those whose document changed are not sent", () =>
    Effect.gen(function* () {
      const { answer, db, ended, receipts, sent } = yield* sending("a", "b", "c", "d")
      yield* db.commit(() => ChangedDocuments.touch(db, "c"))
      yield* TestClock.adjust(5000)
      yield* answer("a")
      yield* answer("b")
      assert.isUndefined(yield* ended("c"))
      yield* turn
      assert.deepStrictEqual(sent, ["a", "b", "d"])
      assert.deepStrictEqual(receipts(), [{ subject: "c", outcome: "absent" }])
      assert.strictEqual(db.prepare("SELECT claimed FROM claim WHERE subject = 'd'").pluck().get(), 5000)
    }).pipe(fresh)
  )

  it.effect("let commits wait for each other only while enough calls are claimed", () =>
    Effect.gen(function* () {
      const { answer, ended, gather } = yield* sending("a", "b", "c")
      const gathering = () =>
        Effect.map(Effect.forkChild(gather, { startImmediately: true }), (fiber) => () => fiber.pollUnsafe())
      const first = yield* gathering()
      yield* TestClock.adjust(9)
      const second = yield* gathering()
      assert.deepStrictEqual([first(), second()], [undefined, undefined])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual([first()?._tag, second()?._tag], ["Success", "Success"])
      const third = yield* gathering()
      const fourth = yield* gathering()
      // The last one that waited leaves: what is claimed next is sent at once.
      yield* answer("a")
      yield* ended("a")
      assert.deepStrictEqual([third(), fourth()?._tag], [undefined, "Success"])
      assert.strictEqual((yield* gathering())()?._tag, "Success")
    }).pipe(fresh)
  )
})
