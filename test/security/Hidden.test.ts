/**
 * A secret that was written where the name of its variable belongs is not shown, and nothing that leaves for a collector of
 * logs and traces has a secret in it.
 */
import { assert, describe, it } from "@effect/vitest"
import { HttpBody, HttpClientRequest } from "effect/http"
import { hidden } from "../../cli/daemon/Telemetry.ts"
import { isVariable, notSet } from "../../connectors/Secrets.ts"
import { forget, hide, learn } from "../../sync/library/Hidden.ts"

const WRITTEN = ["sk-live-1234567890", "hunter two", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "postgres://me:pw@host/db"]

describe("a secret in the place of its variable's name", () => {
  for (const secret of WRITTEN)
    it(`is not shown: ${secret}`, () => {
      assert.isFalse(isVariable(secret))
      assert.notInclude(notSet(secret), secret)
      assert.include(notSet(secret), "may hold the secret itself, which is not shown")
      learn("books", { service: { key: { env: secret } } }, {})
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
    learn("ours", { service: { key: { env: "OUR_KEY" } } }, { OUR_KEY: secret })
    const body = HttpBody.text(JSON.stringify({ message: `refused: ${secret}` }), "application/json")
    const sent = hidden(HttpClientRequest.setBody(HttpClientRequest.post("http://127.0.0.1/v1/logs"), body)).body
    assert.strictEqual(sent._tag, "Uint8Array")
    if (sent._tag !== "Uint8Array") return
    assert.strictEqual(new TextDecoder().decode(sent.body), '{"message":"refused: …"}')
    assert.strictEqual(sent.contentType, "application/json")
    assert.strictEqual(sent.contentLength, sent.body.length)
  })
})

describe("the secrets of many configurations", () => {
  const keyOf = (value: string) => [{ service: { key: { env: "KEY_OF_ONE" } } }, { KEY_OF_ONE: value }] as const

  it("are each forgotten with their own, or when they were replaced twice", () => {
    learn("acme", ...keyOf("secret of acme"))
    learn("globex", ...keyOf("secret of globex"))
    learn("copy", ...keyOf("secret of acme"))
    const both = "secret of acme, secret of globex, secret of acme's"
    assert.strictEqual(hide(both), "…, …, …'s")
    forget("globex")
    assert.strictEqual(hide(both), "…, secret of globex, …'s")
    forget("acme")
    assert.strictEqual(hide("secret of acme"), "…")
    forget("copy")
    assert.strictEqual(hide("secret of acme"), "secret of acme")
    for (const value of ["first key", "first key", "second key"]) learn("acme", ...keyOf(value))
    // A run that began before the key changed may still be told about it.
    assert.strictEqual(hide("first key, second key"), "…, …")
    learn("acme", ...keyOf("third key"))
    assert.strictEqual(hide("first key, second key, third key"), "first key, …, …")
    forget("acme")
    forget("acme")
    assert.strictEqual(hide("second key, third key"), "second key, third key")
  })

  it("are all removed, however many there are, the longest where several begin", () => {
    const many = Array.from({ length: 20_000 }, (_, n) => `SECRET_${n}`)
    learn("large", { all: many.map((env) => ({ env })) }, Object.fromEntries(many.map((env, n) => [env, `value-${n}`])))
    assert.strictEqual(hide("value-1999 value-19999 value-20000 value-"), "… … …0 value-")
    assert.strictEqual(hide(`x${encodeURIComponent("value-7")}`), "x…")
    const text = "a page of text without any. ".repeat(40_000)
    assert.strictEqual(hide(text), text)
    forget("large")
    assert.strictEqual(hide("value-1999"), "value-1999")
  })

  it("are removed like one after the other would be, from any text", () => {
    let seed = 7
    const next = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
    const word = (length: number) => Array.from({ length }, () => "ab "[next(3)]).join("")
    for (let n = 0; n < 500; n++) {
      const secret = `${word(6 + next(4))}c`
      learn("one", ...keyOf(secret))
      const text = `${word(20)}${secret}${word(10)}${next(2) === 0 ? secret : ""}`
      assert.strictEqual(hide(text), text.replaceAll(secret, "…"))
      forget("one")
    }
  })
})
