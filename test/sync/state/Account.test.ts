/**
 * A state file belongs to one service and one account there: what is refused, and what a changed key must show.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import type { Client } from "../../../core/Client.ts"
import { layerHttp } from "../../support/ClientOver.ts"
import * as InProcess from "../../../core/sandbox/server/InProcess.ts"
import { Instance } from "../../../core/sandbox/server/Instance.ts"
import { bind } from "../../../sync/apply/Account.ts"
import { otherService } from "../../../sync/apply/BoundService.ts"
import { apply } from "../../../sync/apply/Apply.ts"
import { Database, StateError } from "../../../sync/state/Database.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { FileSystem } from "effect"
import { invoice, planning } from "../../support/Documents.ts"
import { connection, whole } from "../Source.ts"

const LIVE = "https://api.example.com"
const URL = "http://127.0.0.1:4010"

/** A service with two accounts, and the keys of each; `renewed` is a second key of the first account. */
const service = () => {
  const instance = new Instance({ keys: ["first", "second"], now: () => Date.UTC(2026, 2, 1), later: () => {} })
  const as = (key: string) =>
    layerHttp({ url: URL, key: Redacted.make(key === "renewed" ? "first" : key) }).pipe(
      Layer.provide(InProcess.layer(instance))
    )
  return { instance, as }
}

const memory = Database.layer({ file: ":memory:", mode: "write" })

const user = { user: { email: "ada@example.com", name: "Ada", registered: "2020-01-01T00:00:00Z" } }

const sends = (client: Layer.Layer<Client>, owner: (typeof planning)["owner"] = planning.owner) =>
  Effect.gen(function* () {
    yield* bind(URL, Redacted.make("first"))
    const books = connection(
      whole(() => [invoice()]),
      { ...planning, owner }
    )
    yield* pull(books, { folder: "." })
    // Long before the invoice was issued, by the clock of these tests.
    yield* apply([books], { allow: ["G7"] })
  }).pipe(Effect.provide([client, FileSystem.layerNoop({}), InProcess.layer(service().instance)], { local: true }))

describe("a state file and its account", () => {
  it.effect("is bound at its first use, and says nothing of the key", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const { as, instance } = service()
      assert.isUndefined(otherService(db, URL))
      yield* Effect.provide(bind(URL, Redacted.make("first")), as("first"))
      yield* Effect.provide(bind(URL, Redacted.make("first")), as("first"))
      assert.strictEqual(instance.journal.length, 0, "the same key asks for no proof")
      const { account, service: at } = db.prepare("SELECT * FROM state").get() as Record<string, string>
      assert.strictEqual(at, URL)
      assert.match(account!, /^[\w-]{16}:[\w-]{43}$/)
      assert.notInclude(account!, "first")
    }).pipe(Effect.provide(memory))
  )

  it.effect("refuses another service, and says whose it is", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const { as, instance } = service()
      yield* Effect.provide(bind(LIVE, Redacted.make("first")), as("first"))
      const error = yield* Effect.flip(Effect.provide(bind(URL, Redacted.make("first")), as("first")))
      assert.instanceOf(error, StateError)
      assert.deepInclude(error, { kind: "other service" })
      assert.strictEqual(
        error.message,
        "state file :memory:: it belongs to https://api.example.com, and the configuration names http://127.0.0.1:4010; " +
          "nothing was sent. Name another file with --state, or correct service.url"
      )
      assert.strictEqual(otherService(db, URL)?.message, error.message)
      assert.strictEqual(instance.journal.length, 0)
    }).pipe(Effect.provide(memory))
  )

  for (const [what, owner] of [
    ["an organisation", planning.owner],
    ["a user", user]
  ] as const) {
    it.effect(`takes a new key of the same account, which shows ${what} that was created before`, () =>
      Effect.gen(function* () {
        const { as, instance } = service()
        yield* sends(as("first"), owner)
        const before = instance.journal.length
        yield* Effect.provide(bind(URL, Redacted.make("renewed")), as("renewed"))
        const asked = instance.journal.slice(before).map(({ method, path, status }) => `${method} ${path} ${status}`)
        assert.strictEqual(asked.length, 1)
        assert.match(asked[0]!, /^GET \/v1\/(organisations\/org-|users\/user-)\w+ 200$/)
        yield* Effect.provide(bind(URL, Redacted.make("renewed")), as("renewed"))
        assert.strictEqual(instance.journal.length, before + 1, "it is remembered")
      }).pipe(Effect.provide(memory))
    )
  }

  it.effect("refuses a key of another account, and keeps asking the first one", () =>
    Effect.gen(function* () {
      const { as, instance } = service()
      yield* sends(as("first"))
      const error = yield* Effect.flip(Effect.provide(bind(URL, Redacted.make("second")), as("second")))
      assert.instanceOf(error, StateError)
      assert.match(
        error.message,
        /^state file :memory:: the service key changed, and its account does not have org-\w+, which these books created; nothing was sent\. Use the key of the original account, or name another state file with --state$/
      )
      const before = instance.journal.length
      yield* Effect.provide(bind(URL, Redacted.make("first")), as("first"))
      assert.strictEqual(instance.journal.length, before, "the first key is still its own")
    }).pipe(Effect.provide(memory))
  )

  it.effect("does not take a new key on trust while the service cannot be asked", () =>
    Effect.gen(function* () {
      const { as, instance } = service()
      yield* sends(as("first"))
      instance.faults.add({ kind: "status", status: 503, times: 1 })
      const error = yield* Effect.flip(Effect.provide(bind(URL, Redacted.make("second")), as("second")))
      assert.strictEqual(error.message, "organisations.get: no certain answer: the service answered 503")
      const again = yield* Effect.flip(Effect.provide(bind(URL, Redacted.make("second")), as("second")))
      assert.instanceOf(again, StateError)
    }).pipe(Effect.provide(memory))
  )
})
