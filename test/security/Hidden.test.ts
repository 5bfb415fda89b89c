/**
 * A secret that was written where the name of its variable belongs is not shown, and nothing that leaves for a collector of
 * logs and traces has a secret in it.
 */
import { assert, describe, it } from "@effect/vitest"
import { HttpBody, HttpClientRequest } from "effect/http"
import { hidden } from "../../cli/daemon/Telemetry.ts"
import { isVariable, notSet } from "../../connectors/Secrets.ts"
import { hide, learn } from "../../sync/library/Hidden.ts"

const WRITTEN = ["sk-live-1234567890", "hunter two", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "postgres://me:pw@host/db"]

describe("a secret in the place of its variable's name", () => {
  for (const secret of WRITTEN)
    it(`is not shown: ${secret}`, () => {
      assert.isFalse(isVariable(secret))
      assert.notInclude(notSet(secret), secret)
      assert.include(notSet(secret), "may hold the secret itself, which is not shown")
      learn({ service: { key: { env: secret } } }, {})
      assert.strictEqual(hide(`a problem with ${secret}`), "a problem with …")
    })

  for (const name of ["DAYBOOK_KEY", "_x", "stripe_key", "XERO_CLIENT_SECRET_2", "DAYBOOK_KEY_OF_THE_SECOND_ACCOUNT_2"])
    it(`is no ordinary name: ${name}`, () => {
      assert.strictEqual(notSet(name), `the environment variable ${name} is not set`)
    })
})

describe("what leaves for a collector", () => {
  it("has no secret in it, as text or as JSON writes it", () => {
    const secret = 'so "very" secret'
    learn({ service: { key: { env: "OUR_KEY" } } }, { OUR_KEY: secret })
    const body = HttpBody.text(JSON.stringify({ message: `refused: ${secret}` }), "application/json")
    const sent = hidden(HttpClientRequest.setBody(HttpClientRequest.post("http://127.0.0.1/v1/logs"), body)).body
    assert.strictEqual(sent._tag, "Uint8Array")
    if (sent._tag !== "Uint8Array") return
    assert.strictEqual(new TextDecoder().decode(sent.body), '{"message":"refused: …"}')
    assert.strictEqual(sent.contentType, "application/json")
    assert.strictEqual(sent.contentLength, sent.body.length)
  })
})
