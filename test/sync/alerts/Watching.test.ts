/**
 * The queue of messages on a test clock: tried again when it may help, given up when not, sent again after a crash with the
 * same id, and of each tenant by its own program alone.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import * as AlertStore from "../../../sync/alerts/AlertStore.ts"
import * as Watching from "../../../sync/alerts/Watching.ts"
import type { AlertRule } from "../../../sync/model/AlertSettings.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import * as RunState from "../../../sync/schedule/RunState.ts"
import { Database } from "../../../sync/state/Database.ts"
import { of } from "../Machine.ts"
import { settings } from "./Support.ts"

const MINUTE = 60_000

type Answer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | "nothing" | "hangs"

/** A receiver that answers as it is told, and what came. */
const receiver = (...answers: ReadonlyArray<Answer>) => {
  const came: Array<{ readonly id: string; readonly channel: string }> = []
  const client = HttpClient.make((request) =>
    Effect.suspend(() => {
      const answer = answers[came.length] ?? { status: 204 }
      came.push({ id: request.headers["webhook-id"] ?? "", channel: new URL(request.url).pathname })
      if (answer === "hangs") return Effect.never
      if (answer === "nothing") return Effect.die("the connection was reset by https://ops.example/secret")
      return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(null, answer)))
    })
  )
  return { came, client }
}

const channel = (name: string) => ({ webhook: { url: `https://ops.example/${name}`, secret: { env: "ALERT_SECRET" } } })

const RULES: ReadonlyArray<AlertRule> = [{ on: "failed", times: 1 }]

/** A daemon's watcher, for as long as the effect runs. */
const watcher = (client: HttpClient.HttpClient, connections: ReadonlyArray<Connection>, name = "ops", tenant = false) =>
  Effect.gen(function* () {
    const alerts = settings(RULES, { channels: { [name]: channel(name) } })
    const environment = { ALERT_SECRET: "secret-of-alerts" }
    const setup = { alerts, connections, environment, service: { url: "https://api.example.com" } }
    const made = yield* Watching.make({ setup: Effect.succeed(setup), hide: (text) => text, tenant }).pipe(
      Effect.provideService(HttpClient.HttpClient, client)
    )
    return { ...made, fiber: yield* Effect.forkChild(made.run) }
  })

const fails = (db: Database["Service"], connection: Connection, failed: boolean, now: number) => {
  RunState.current(db, RunState.all(db).get(connection.id), connection, now)
  RunState.begin(db, connection, now)
  RunState.end(db, connection.id, { failed, outcome: failed ? "failed" : "done", message: "no file" }, now)
}

const inState = Effect.provide(Database.layer({ file: ":memory:", mode: "write" }))

const books = of("books")

describe("a message", () => {
  it.effect("that is not taken is tried again, later each time, or when the channel says; then it is gone", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const { came, client } = receiver({ status: 503 }, "nothing", { status: 429, headers: { "retry-after": "900" } })
      fails(db, books, true, 0)
      yield* watcher(client, [books])
      const triedAt = (millis: number) => Effect.as(TestClock.adjust(millis), undefined)
      yield* triedAt(1000)
      assert.strictEqual(came.length, 1)
      assert.include(AlertStore.unsent(db)[0]?.why, "it answered 503")
      yield* triedAt(MINUTE)
      assert.strictEqual(came.length, 2)
      // Nothing of the address is kept.
      assert.strictEqual(AlertStore.unsent(db)[0]?.why, "it could not be sent")
      yield* triedAt(MINUTE)
      assert.strictEqual(came.length, 2)
      yield* triedAt(MINUTE)
      assert.strictEqual(came.length, 3)
      yield* triedAt(14 * MINUTE)
      assert.strictEqual(came.length, 3)
      yield* triedAt(2 * MINUTE)
      assert.strictEqual(came.length, 4)
      assert.strictEqual(new Set(came.map(({ id }) => id)).size, 1)
      assert.deepStrictEqual(AlertStore.unsent(db), [])
    }).pipe(inState)
  )

  it.effect("that can never be taken is given up at once, and sent when somebody asks for it", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const { came, client } = receiver({ status: 410 })
      fails(db, books, true, 0)
      yield* watcher(client, [books])
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual(came.length, 1)
      assert.deepInclude(AlertStore.counts(db), { open: 1, queued: 0, dead: 1 })
      assert.deepStrictEqual(AlertStore.retry(db, [], 30 * MINUTE), [1])
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(came.length, 2)
      assert.deepInclude(AlertStore.counts(db), { open: 1, queued: 0, dead: 0 })
    }).pipe(inState)
  )

  it.effect("on its way when the program ended goes again with the next one, under the same id", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const { came, client } = receiver("hangs")
      fails(db, books, true, 0)
      const first = yield* watcher(client, [books])
      yield* TestClock.adjust("1 second")
      assert.strictEqual(came.length, 1)
      yield* Fiber.interrupt(first.fiber)
      yield* watcher(client, [books])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(came[1], came[0])
      assert.deepStrictEqual(AlertStore.unsent(db), [])
    }).pipe(inState)
  )

  it.effect("of one tenant is sent by nobody else, and a channel that hangs keeps nobody from looking", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const other = of("bank")
      const [mine, theirs] = [receiver("hangs"), receiver()]
      fails(db, books, true, 0)
      yield* watcher(mine.client, [books], "mine", true)
      yield* TestClock.adjust("1 second")
      fails(db, other, true, 1000)
      const second = yield* watcher(theirs.client, [other], "theirs", true)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        [mine.came, theirs.came].map((all) => all.map((one) => one.channel)),
        [["/mine"], ["/theirs"]]
      )
      fails(db, other, false, 2000)
      yield* second.ran("bank")
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(theirs.came.length, 2)
      assert.deepStrictEqual(
        AlertStore.list(db, 9).map(({ connection, ended }) => [connection, ended !== null]),
        [
          ["books", false],
          ["bank", true]
        ]
      )
    }).pipe(inState)
  )
})

describe("an authorisation", () => {
  it.effect("that was lost stays lost through other failures, until a run goes through", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const end = (how: Partial<RunState.RunEnd>) => {
        RunState.end(db, "books", { failed: true, outcome: "failed", message: "", ...how }, 0)
        const { authorisedUntil, unauthorised } = RunState.all(db).get("books") ?? {}
        return [unauthorised, authorisedUntil]
      }
      RunState.current(db, undefined, books, 0)
      assert.deepStrictEqual(end({}), [null, null])
      assert.deepStrictEqual(end({ unauthorised: "401" }), ["401", null])
      assert.deepStrictEqual(end({}), ["401", null])
      assert.deepStrictEqual(end({ failed: false, authorisedUntil: 99 }), [null, 99])
      assert.deepStrictEqual(end({}), [null, 99])
      yield* Effect.void
    }).pipe(inState)
  )
})
