/**
 * Which addresses a client takes: a key never leaves the machine in the clear, and the address holds nothing but one.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { addressProblem } from "../../core/Address.ts"
import { Client } from "../../core/Client.ts"

describe("addresses", () => {
  const good = [
    "https://api.example.com",
    "https://x.example/base/",
    "http://localhost:4010",
    "http://127.0.0.1",
    "http://[::1]:1"
  ]
  for (const url of good) it(`${url} is fine`, () => assert.isUndefined(addressProblem(url)))

  const bad: ReadonlyArray<readonly [string, RegExp]> = [
    ["http://api.example.com", /in the clear; use https/],
    ["http://127.0.0.1.example.com", /in the clear/],
    ["http://localhost.example.com", /in the clear/],
    ["http://10.0.0.1", /in the clear/],
    ["ftp://api.example.com", /neither https nor http/],
    ["api.example.com", /not an address; write it like https/],
    ["", /not an address/],
    ["https://api.example.com/?v=1", /leave "\?" and "#" out/],
    ["https://sk_live_1@api.example.com", /^the address contains a user name/]
  ]
  for (const [url, said] of bad) {
    it(`${JSON.stringify(url)} is refused`, () => assert.match(addressProblem(url) ?? "", said))
  }

  it.live("a client is not even made for one that is refused", () =>
    Effect.gen(function* () {
      const defect = yield* Layer.build(
        Client.layer({ url: "http://api.example.com", key: Redacted.make("sandbox-key") })
      ).pipe(
        Effect.as("made"),
        Effect.catchDefect((cause) => Effect.succeed(String(cause)))
      )
      assert.match(defect, /in the clear; use https/)
    })
  )
})
