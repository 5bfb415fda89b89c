/**
 * `daybook connect`: the browser's way through a source's page and back, and what is said where something is missing.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import * as OAuthCallback from "../../cli/OAuthCallback.ts"
import * as ConnectorContext from "../../sync/pull/ConnectorContext.ts"
import * as OAuth from "../../connectors/OAuth.ts"
import { stripe } from "../../connectors/stripe/Stripe.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import * as Encryption from "../../sync/vault/Encryption.ts"
import { books, configuration, desk, failed, NOWHERE, ofType, useCommand } from "../support/Cli.ts"

useCommand()

const PAGE = { page: "https://source.example/authorize", scopes: ["offline", "read"] }

/** A source that gives tokens for the code that its page handed out, to whoever can show the verifier. */
const source = (challenge: string) =>
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request) =>
      Effect.sync(() => {
        const body = new URLSearchParams(
          request.body._tag === "Uint8Array" ? Buffer.from(request.body.body).toString() : ""
        )
        const shown = createHash("sha256")
          .update(body.get("code_verifier") ?? "")
          .digest("base64url")
        const good = body.get("code") === "code-1" && shown === challenge
        const answer = good
          ? new Response('{"access_token":"access-1","refresh_token":"refresh-1","expires_in":1800}')
          : new Response('{"error":"invalid_grant"}', { status: 400 })
        return HttpClientResponse.fromWeb(request, answer)
      })
    )
  )

/** What is answered to bytes that no client would write. */
const raw = async (address: string, bytes: string): Promise<string> => {
  const socket = connect(Number(new URL(address).port), "127.0.0.1")
  socket.write(bytes)
  return await text(socket)
}

const granting = { connector: "test", tokens: "https://source.example/token", client: { id: "me", secret: "secret" } }

describe("an authorisation in the browser", () => {
  it.effect("comes back to this machine with a code, which is exchanged for tokens", () =>
    Effect.gen(function* () {
      const callback = yield* OAuthCallback.listen(0, "state-1")
      const attempt = { redirect: callback.redirect, state: "state-1", verifier: "v".repeat(64) }
      const asked = new URL(OAuth.consent(PAGE, "me", attempt)).searchParams
      assert.deepInclude(Object.fromEntries(asked), {
        response_type: "code",
        client_id: "me",
        scope: "offline read",
        state: "state-1",
        code_challenge_method: "S256"
      })
      const answered = yield* Effect.forkChild(callback.answered)
      const get = (path: string) => Effect.promise(() => fetch(new URL(path, callback.redirect)))
      // No client writes this address, but anybody can send it.
      const odd = yield* Effect.promise(() =>
        raw(callback.redirect, "GET // HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      )
      assert.include(odd, "404")
      const forged = yield* get("/callback?code=evil&state=other")
      assert.strictEqual(forged.status, 400)
      assert.strictEqual((yield* get("/else")).status, 404)
      const page = yield* get(`/callback?code=code-1&state=${asked.get("state")}`)
      assert.include(yield* Effect.promise(() => page.text()), "You can close this window")
      const back = yield* Fiber.join(answered)
      assert.strictEqual(back.get("code"), "code-1")
      const granted = yield* OAuth.exchange(granting, back.get("code")!, attempt).pipe(
        Effect.provide(source(asked.get("code_challenge")!))
      )
      assert.strictEqual(granted.access, "access-1")
      assert.include(granted.text, "refresh-1")
    }).pipe(Effect.scoped)
  )

  it.effect("is refused for a code that is too old, in words that say what to do", () =>
    Effect.gen(function* () {
      const attempt = { redirect: "http://localhost:1/callback", state: "s", verifier: "v" }
      const error = yield* Effect.flip(
        OAuth.exchange(granting, "code-0", attempt).pipe(Effect.provide(source("something else")))
      )
      assert.include(error.message, "the source did not accept its own authorisation code; it may have expired")
    })
  )

  it.effect("says so when another program has the port", () =>
    Effect.gen(function* () {
      const { redirect } = yield* OAuthCallback.listen(0, "a")
      const error = yield* Effect.flip(OAuthCallback.listen(Number(new URL(redirect).port), "b"))
      assert.include(error.message, "another program may be using it: choose another with --port")
    }).pipe(Effect.scoped)
  )
})

describe("a key that was given once", () => {
  it.effect("is sealed, counts where the environment has none, and opens for its own connection only", () =>
    Effect.gen(function* () {
      const state = desk().path("daybook.db")
      const connection = (id: string) =>
        ({ id, connector: stripe, settings: {}, planning: {} }) as unknown as Connection
      const key = Encryption.key("00".repeat(32), "the test")
      const kept = JSON.stringify({ STRIPE_KEY: "sk-kept" })
      yield* ConnectorContext.secrets({ key }, connection("cards"), state).update(() => Effect.succeed(kept))
      assert.notInclude(readFileSync(`${state}.vault`, "latin1"), "sk-kept")
      const environment = (id: string, set: Readonly<Record<string, string>> = {}) =>
        Effect.map(
          ConnectorContext.of(
            { folder: ".", environment: { DAYBOOK_SEAL: "00".repeat(32), ...set } },
            connection(id),
            state
          ),
          (found) => found.environment?.["STRIPE_KEY"]
        )
      assert.strictEqual(yield* environment("cards"), "sk-kept")
      assert.strictEqual(yield* environment("cards", { STRIPE_KEY: "sk-set" }), "sk-set")
      assert.strictEqual(yield* environment("others"), undefined)
      const wrong = yield* Effect.flip(environment("cards", { DAYBOOK_SEAL: "11".repeat(32) }))
      assert.include(wrong.message, "cannot be unsealed with this key")
    })
  )
})

describe.concurrent("connect", () => {
  const withStripe = () => {
    const { connections, service } = configuration(NOWHERE)
    const [first] = connections
    const stripe = { ...first!, id: "cards", source: { connector: "stripe", key: { env: "STRIPE_KEY" } } }
    return desk({ "daybook.config.json": JSON.stringify({ service, connections: [first, stripe] }) })
  }
  const SEAL = { DAYBOOK_SEAL: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff" }

  it("lists what each connection needs", async () => {
    const here = withStripe()
    const ran = await here.run("connect")
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.match(ran.stdout, /books +files +nothing is needed\n/)
    assert.match(ran.stdout, /cards +stripe +a key +STRIPE_KEY not set\n/)
    const json = ofType(await here.run("connect", "--json"), "connection")
    assert.deepInclude(json[1], { connection: "cards", missing: ["STRIPE_KEY"] })
  })

  it("says what is missing, and keeps nothing", async () => {
    const here = withStripe()
    assert.include(
      failed(await here.run("connect", "cards"), 2),
      "no key is set to seal its credentials with; set DAYBOOK_SEAL"
    )
    assert.strictEqual(
      failed(await here.run("connect", "card"), 2),
      'daybook: connection "card" not found in daybook.config.json; did you mean "cards"?\n'
    )
    assert.include(
      failed(await here.runWith({ env: SEAL }, "connect", "cards"), 2),
      "cards: no value was given for STRIPE_KEY; type it, or pipe in"
    )
    const set = await here.runWith({ env: { ...SEAL, STRIPE_KEY: "sk" } }, "connect", "cards")
    assert.strictEqual(set.stdout, "cards: nothing to save; the environment sets STRIPE_KEY.\n")
    assert.strictEqual(
      (await books(NOWHERE).run("connect", "books")).stdout,
      "books: nothing to authorise; files needs no key.\n"
    )
  })
})
