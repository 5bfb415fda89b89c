/** What every connector speaks HTTP with: limits, waiting, and refusals in words that say what to do. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import * as Http from "../../../connectors/Http.ts"
import * as Json from "../../../connectors/Json.ts"
import { message, ok, type Step, status, world } from "./HttpWorld.ts"

describe("a source over HTTP", () => {
  // Fails where `ask` renews without looking whether somebody else did: four renewals, each of the one before it.
  it.effect("renews a secret that it refuses once, for however many requests are under way", () =>
    Effect.gen(function* () {
      let secret = 1
      let renewals = 0
      const layer = Layer.succeed(
        HttpClient.HttpClient,
        HttpClient.make((request) =>
          Effect.gen(function* () {
            const good = request.headers["authorization"] === "Bearer 2"
            yield* Effect.sleep(request.url.endsWith("3") ? "1 second" : "10 millis")
            return HttpClientResponse.fromWeb(request, good ? ok() : status(401))
          })
        )
      )
      const http = Http.make({
        connector: "test",
        base: "https://source.example/api",
        authority: {
          headers: Effect.sync(() => ({ authorization: `Bearer ${secret}` })),
          renew: Effect.suspend(() => {
            renewals++
            return Effect.delay(
              Effect.sync(() => void secret++),
              "20 millis"
            )
          }),
          refused: "authorise it again"
        }
      })
      const all = Effect.forEach(["/0", "/1", "/2", "/3"], (path) => http.get(path), { concurrency: "unbounded" })
      const fiber = yield* Effect.forkChild(Effect.result(all).pipe(Effect.provide(layer)))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Success")
      assert.strictEqual(renewals, 1)
    })
  )

  it.effect("answers with exact numbers", () =>
    Effect.gen(function* () {
      const text = '{"id":9007199254740993,"amount":90071992547409.93,"small":0.10}'
      const result = yield* world([() => ok(text)]).ask()
      assert.strictEqual(result._tag === "Success" ? JSON.stringify(result.success.body) : "", text)
      const fields = new Json.Fields(Json.parse(text) as Json.Members)
      assert.strictEqual(fields.text("id"), "9007199254740993")
      assert.strictEqual(fields.major("amount", "GBP"), 9007199254740993n * 10n ** 6n)
    })
  )

  it.effect("says that something is not there, or no longer, without a body", () =>
    Effect.gen(function* () {
      for (const [said, answered] of [
        [404, 404],
        [410, 404],
        [304, 304]
      ] as const) {
        const result = yield* world([
          () => new Response(said === 304 ? null : '{"error":"gone"}', { status: said })
        ]).ask()
        assert.strictEqual(result._tag, "Success", `${said}: ${message(result)}`)
        if (result._tag === "Success") assert.deepInclude(result.success, { status: answered, body: undefined })
      }
    })
  )

  it.effect("is asked again after what may pass", () =>
    Effect.gen(function* () {
      for (const trouble of [
        () => status(500),
        () => status(503),
        () => status(429),
        () => status(429, { "retry-after": "30" }),
        () => ok('{"cut":'),
        () => ok("<html>busy</html>"),
        () => "cut" as const
      ]) {
        const { ask, seen } = world([trouble, trouble, () => ok()])
        assert.strictEqual((yield* ask())._tag, "Success", String(trouble))
        assert.strictEqual(seen.length, 3)
      }
    })
  )

  it.effect("is not asked before Retry-After is over", () =>
    Effect.gen(function* () {
      const { http, layer, seen } = world([() => status(429, { "retry-after": "40" }), () => ok()])
      const fiber = yield* Effect.forkChild(Effect.provide(http.get("/things"), layer))
      yield* TestClock.adjust("39 seconds")
      assert.strictEqual(seen.length, 1)
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual(seen.length, 2)
    })
  )

  it.effect("is not asked before its limit begins anew, by its own clock, where it says that in another header", () =>
    Effect.gen(function* () {
      // Its clock is a day off.
      const headers = { date: "Sat, 28 Feb 2026 12:00:00 GMT", "x-ratelimit-reset": "1772280040" }
      const { http, layer, seen } = world([() => status(429, headers), () => ok()])
      const fiber = yield* Effect.forkChild(Effect.provide(http.get("/things"), layer))
      yield* TestClock.adjust("39 seconds")
      assert.strictEqual(seen.length, 1)
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual(seen.length, 2)
      const far = world([() => status(429, { ...headers, "x-ratelimit-reset": "1772366400" })])
      assert.match(message(yield* far.ask()), /run again after 1970-01-0\dT\d\d:\d\d UTC/)
      assert.strictEqual(far.seen.length, 1)
    })
  )

  it.effect("that says when its limit begins anew, of a fault that is none of a limit, is asked again soon", () =>
    Effect.gen(function* () {
      for (const code of [500, 502, 503]) {
        const { ask, seen } = world([() => status(code, { "x-ratelimit-reset": "3600" }), () => ok()])
        assert.strictEqual((yield* ask())._tag, "Success")
        assert.strictEqual(seen.length, 2)
      }
    })
  )

  it.effect("that wants no wait is not asked many times at once", () =>
    Effect.gen(function* () {
      const { http, layer, seen } = world([() => status(429, { "retry-after": "0" })])
      const fiber = yield* Effect.forkChild(Effect.result(Effect.provide(http.get("/things"), layer)))
      yield* TestClock.adjust("1 seconds")
      assert.isAtMost(seen.length, 2)
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
    })
  )

  it.effect("that wants us to wait a day is left to a later run, which knows when", () =>
    Effect.gen(function* () {
      const { ask, seen } = world([() => status(429, { "retry-after": "86400" })])
      assert.match(message(yield* ask()), /request limit is used up; nothing is lost: run again after 1970-01-02T00:00/)
      assert.strictEqual(seen.length, 1)
    })
  )

  it.effect("that says anything at all in Retry-After is waited for, or left to a later run", () =>
    Effect.gen(function* () {
      for (const retry of [
        "99999999999999999999",
        "9".repeat(300),
        "-5",
        "NaN",
        "1e99",
        "Fri, 31 Dec 9999 23:59:59 GMT"
      ]) {
        for (const code of [429, 503, 500]) {
          const { ask } = world([() => status(code, { "retry-after": retry })])
          assert.match(message(yield* ask()), /nothing is lost/, `${code} ${retry}`)
        }
      }
    })
  )

  it.effect("that is a web page with 404 does not say that something is gone", () =>
    Effect.gen(function* () {
      const page = () => new Response("<!DOCTYPE html><title>No such site</title>", { status: 404 })
      const { ask, seen } = world([page, () => ok()])
      assert.strictEqual((yield* ask())._tag, "Success")
      assert.strictEqual(seen.length, 2)
      assert.match(message(yield* world([page]).ask()), /a web page was received with 404 instead of JSON/)
    })
  )

  it.effect("that refuses says what to do, and shows no secret", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<readonly [() => Step, RegExp]> = [
        [() => status(401), /key in TEST_KEY is wrong or was revoked/],
        [() => status(403), /grant what is missing/],
        [() => status(302, { location: "/login" }), /check the address/],
        [() => ok("<html>sign in</html>"), /a web page was received instead of JSON/],
        [() => ok('{"a":'), /cut off or broken/],
        [() => status(500), /fault of the source: run again later/],
        [() => "cut", /check the network/]
      ]
      for (const [step, words] of rows) {
        const result = yield* world([step]).ask()
        assert.match(message(result), words)
        assert.notInclude(JSON.stringify(result) + message(result), "very-secret")
      }
    })
  )

  it.effect("that calls a limit a refusal is waited for, also where it says so in a page and not in JSON", () =>
    Effect.gen(function* () {
      const explain = (_: number, body: unknown, text: string) => ({
        busy: text.includes("Throttle"),
        said: Json.isObject(body) ? String(body["why"]) : "in XML"
      })
      const busy = () => status(403, {}, "<Fault>ThrottleExceeded</Fault>")
      const passing = world([busy, busy, () => ok()], {}, explain)
      assert.strictEqual((yield* passing.ask())._tag, "Success")
      assert.match(message(yield* world([busy], {}, explain).ask()), /request limit is used up; nothing is lost/)
      const refused = world([() => status(403, {}, '{"why":"wrong company"}')], {}, explain)
      assert.match(message(yield* refused.ask()), /may not read \/things \(it says: wrong company\)/)
      assert.strictEqual(refused.seen.length, 1)
    })
  )

  it.effect("is asked no more often than it allows", () =>
    Effect.gen(function* () {
      const { http, layer, seen } = world([() => ok()], { perMinute: 5, atOnce: 2 })
      const fiber = yield* Effect.forkChild(
        Effect.provide(
          Effect.forEach(Array.from({ length: 12 }), () => http.get("/things"), { concurrency: 12 }),
          layer
        )
      )
      // Answers are read in turns of the event loop, which the test's clock does not move.
      const turns = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 150)))
      yield* turns
      assert.strictEqual(seen.length, 5)
      yield* TestClock.adjust("60 seconds")
      yield* turns
      assert.strictEqual(seen.length, 10)
      yield* TestClock.adjust("60 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual(seen.length, 12)
    })
  )

  it.effect("is asked by the connections of one app together no more often than the app may", () =>
    Effect.gen(function* () {
      const of = (app: string, n = 0) =>
        world([() => ok()], { perMinute: 100, app: { perMinute: 5 } }, undefined, app, `secret ${app} ${n}`)
      const [one, other, third] = [of("app"), of("app", 1), of("another app")]
      const ask = ({ http, layer }: ReturnType<typeof of>) =>
        Effect.provide(
          Effect.forEach(Array.from({ length: 4 }), () => http.get("/things"), { concurrency: 4 }),
          layer
        )
      const fiber = yield* Effect.forkChild(Effect.all([one, other, third].map(ask), { concurrency: 3 }))
      const turns = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 150)))
      yield* turns
      assert.deepStrictEqual([one.seen.length + other.seen.length, third.seen.length], [5, 4])
      yield* TestClock.adjust("60 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual(one.seen.length + other.seen.length, 8)
    })
  )
})
