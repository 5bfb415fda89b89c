/** Limits of a day: connections of one account keep to them together, say when they are used up, and go on the next day. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { failing } from "../../../connectors/Connector.ts"
import * as Http from "../../../connectors/Http.ts"
import type { Limits } from "../../../connectors/Limits.ts"
import { OtherMachines } from "../../../connectors/OtherMachines.ts"
import * as Pace from "../../../connectors/Pace.ts"

const NOON = Date.parse("2026-03-01T12:00:00Z")

const connection = (key: string, limits: Limits, app?: string) =>
  Http.make({
    connector: "ledger",
    base: "https://ledger.example",
    authority: Http.key(Effect.succeed(key), "KEY", (held) => ({ authorization: held })),
    limits,
    ...(app === undefined ? {} : { app: Effect.succeed(app) })
  })

/** What is said to a request, and how many reached the source. */
const asking = () => {
  const source = { asked: 0 }
  const client = HttpClient.make((request) =>
    Effect.sync(() => {
      source.asked += 1
      return HttpClientResponse.fromWeb(request, new Response("{}"))
    })
  )
  const ask = (http: Http.Http, quota?: Http.RequestQuota["spend"]) =>
    http
      .get("/invoices")
      .pipe(
        Effect.provideService(HttpClient.HttpClient, client),
        Effect.provideService(Http.RequestQuota, { spend: quota ?? Effect.succeed(undefined) }),
        Effect.match({ onFailure: ({ message }) => message, onSuccess: () => "answered" })
      )
  return { ask, source }
}

const USED_UP =
  "ledger: cannot be read now: the 3 requests of 2026-03-01 that its connections have together are used up; what was read is kept: run again after 2026-03-02 00:00 UTC, and the pull continues where it stopped"

describe("a limit of a day", () => {
  it.effect("is kept to together, is said without another request, and begins anew", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const { ask, source } = asking()
      const [one, other] = [connection("k", { perDay: 3 }), connection("k", { perDay: 3 })]
      for (const http of [one, other, one]) assert.strictEqual(yield* ask(http), "answered")
      for (const http of [other, one, other]) assert.strictEqual(yield* ask(http), USED_UP)
      assert.strictEqual(source.asked, 3)
      assert.strictEqual(yield* ask(connection("another", { perDay: 3 })), "answered")
      yield* TestClock.setTime(NOON + 12 * 3_600_000)
      assert.strictEqual(yield* ask(other), "answered")
    })
  )

  it.effect("counts what a connection asked before the program began, and nothing that its own limit refused", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const { ask, source } = asking()
      const http = connection("k", { perDay: 3 })
      const refused = Effect.fail(failing("ledger").unavailable("its own cap"))
      for (let n = 0; n < 4; n++) assert.include(yield* ask(http, refused), "its own cap")
      assert.strictEqual(yield* ask(http), "answered")
      assert.strictEqual(yield* ask(http, Effect.succeed({ whose: "a", today: 2 })), "answered")
      assert.strictEqual(yield* ask(http, Effect.succeed({ whose: "b", today: 1 })), USED_UP)
      assert.strictEqual(source.asked, 2)
    })
  )

  it.effect("is that of an app, too", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const { ask } = asking()
      const limits = { perDay: 3, app: { perDay: 3 } }
      for (const key of ["a", "b", "c"]) assert.strictEqual(yield* ask(connection(key, limits, "app-1")), "answered")
      assert.strictEqual(yield* ask(connection("d", limits, "app-1")), USED_UP)
      assert.strictEqual(yield* ask(connection("d", limits, "app-2")), "answered")
    })
  )
})

describe("limits that other machines share", () => {
  /** What all of them have taken, by what it is counted by. */
  const shared = () => {
    const taken: Record<string, number> = {}
    const take: OtherMachines["take"] = (whose, most, window) =>
      Effect.sync(() => {
        const now = taken[`${window} ${whose}`] ?? 0
        if (now >= most) return 1000
        taken[`${window} ${whose}`] = now + 1
        return 0
      })
    return { taken, give: Effect.provideService(OtherMachines, { take }) }
  }

  it.effect("are waited for in a minute, and counted by what the source counts", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const [{ ask, source }, { give, taken }] = [asking(), shared()]
      const limits = { perMinute: 3, app: { perMinute: 60 } }
      taken["minute ledger https://ledger.example app-1"] = 2
      for (let n = 0; n < 2; n++) yield* Effect.forkChild(give(ask(connection("k", limits, "app-1"))))
      yield* TestClock.adjust(500)
      assert.strictEqual(source.asked, 1)
      taken["minute ledger https://ledger.example app-1"] = 0
      yield* TestClock.adjust(1000)
      assert.strictEqual(source.asked, 2)
      assert.strictEqual(taken["minute ledger app app-1"], 2)
    })
  )

  it.effect("end a day that they have used up, without a request", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const [{ ask, source }, { give, taken }] = [asking(), shared()]
      const limits = { perDay: 3, app: { perDay: 3 } }
      for (const key of ["a", "b"]) assert.strictEqual(yield* give(ask(connection(key, limits, "app-1"))), "answered")
      taken["day ledger app app-1"] = 3
      assert.strictEqual(yield* give(ask(connection("c", limits, "app-1"))), USED_UP)
      assert.strictEqual(source.asked, 2)
    })
  )
})

describe("accounts that nobody asks for", () => {
  it.effect("are let go after a minute, those with a limit of a day on the next one", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const { ask } = asking()
      const clock = yield* Clock.Clock
      for (let n = 0; n < 50; n++) yield* ask(connection(`k${n}`, { perMinute: 60 }))
      yield* ask(connection("daily", { perDay: 3 }))
      assert.strictEqual(Pace.held(clock), 51)
      yield* TestClock.setTime(NOON + 61_000)
      yield* ask(connection("k0", { perMinute: 60 }))
      assert.strictEqual(Pace.held(clock), 2)
      yield* TestClock.setTime(NOON + 24 * 3_600_000)
      yield* ask(connection("k1", { perMinute: 60 }))
      assert.strictEqual(Pace.held(clock), 1)
    })
  )
})
