/** What an answer over HTTP says, and what it does not: that nothing is there, that a record is gone, that a host is down. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Http from "../../../connectors/Http.ts"
import { message, status, world } from "./HttpWorld.ts"

describe("a source over HTTP", () => {
  it.effect("that has nothing to say (204) is asked once, and is believed of a list, not of a record", () =>
    Effect.gen(function* () {
      const { ask, seen } = world([() => new Response(null, { status: 204 })])
      const result = yield* ask()
      assert.strictEqual(result._tag, "Success", message(result))
      assert.strictEqual(seen.length, 1)
      if (result._tag !== "Success") return
      assert.deepInclude(result.success, { status: 204, body: undefined })
      assert.deepStrictEqual(yield* Http.records("test", "/things", result.success, "things"), [])
      const lost = yield* Effect.flip(Http.record("test", "/things/1", result.success))
      assert.match(lost.message, /the answer contains no records/)
    })
  )

  it.effect("says that a record is not there by 404 alone", () =>
    Effect.gen(function* () {
      const answer = (status: number, body: unknown): Http.Answer => ({ status, body, headers: {} })
      const read = (one: Http.Answer, member?: string) => Effect.result(Http.record("test", "/things/1", one, member))
      const there = yield* read(answer(200, { thing: { id: "1" } }), "thing")
      assert.deepStrictEqual(there._tag === "Success" && there.success, { id: "1" })
      const deleted = yield* read(answer(404, undefined))
      assert.isTrue(deleted._tag === "Success" && deleted.success === undefined)
      for (const body of [undefined, null, [], "no", [{ id: "1" }]]) {
        assert.strictEqual((yield* read(answer(200, body)))._tag, "Failure")
        assert.strictEqual((yield* read(answer(200, { thing: body }), "thing"))._tag, "Failure")
      }
    })
  )

  it.effect("cannot be reached only where its host did not answer", () =>
    Effect.gen(function* () {
      const broken = () =>
        new Response(
          new ReadableStream({
            start: (controller) => {
              controller.enqueue(new TextEncoder().encode('{"things":['))
              controller.error(new Error("socket hang up"))
            }
          })
        )
      const busy = () => ({ busy: true })
      for (const [what, one] of [
        ["a limit", world([() => status(429)])],
        ["out of service", world([() => status(503)])],
        ["a fault", world([() => status(500)])],
        ["a gateway", world([() => status(502)])],
        ["a limit of another status", world([() => status(403)], {}, busy)],
        ["an answer that breaks off", world([broken])]
      ] as const) {
        const result = yield* one.ask()
        assert.match(message(result), /^test: cannot be read now: /, what)
        assert.strictEqual(result._tag === "Failure" && result.failure.reason._tag, "Unavailable", what)
      }
      const none = Object.assign(new Error("getaddrinfo ENOTFOUND very-secret"), { code: "ENOTFOUND" })
      for (const [step, words] of [
        ["cut", /source\.example did not answer; check the network/],
        [none, /source\.example did not answer: there is no host of that name \(ENOTFOUND\); check the network/]
      ] as const) {
        const result = yield* world([() => step]).ask()
        assert.match(message(result), /^test: cannot be reached: /)
        assert.match(message(result), words)
        assert.notInclude(JSON.stringify(result) + message(result), "very-secret")
      }
    })
  )
})
