/** Each route asks for a token with its scope, and a request with a key of its own is carried out once. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import type { DaemonServices } from "../../cli/daemon/Main.ts"
import { OpenApi } from "effect/http-api"
import { json, type Reply, type Request } from "../../cli/daemon/Server.ts"
import { rightOf } from "../../cli/remote/Access.ts"
import { HttpInterface } from "../../cli/remote/HttpInterface.ts"
import { interfaceOf } from "../../cli/remote/HttpRoutes.ts"
import { once } from "../../cli/remote/Once.ts"
import { type Config, decode } from "../../sync/library/config/Configuration.ts"
import type { TokenScope } from "../../sync/model/Roles.ts"
import * as ApiRequests from "../../sync/state/ApiRequests.ts"
import { Database } from "../../sync/state/Database.ts"
import { configuration, NOWHERE } from "../support/Cli.ts"

const SCOPES = ["read", "plan", "approve", "connect"] as const
const tokenOf = (scope: string) => `${scope}-0123456789abcdef`

const ENVIRONMENT = {
  SERVICE_KEY: "sk-test",
  ...Object.fromEntries(SCOPES.map((scope) => [scope.toUpperCase(), tokenOf(scope)]))
}

/** Four tokens, each with one scope. */
const house = Effect.gen(function* () {
  const tokens = SCOPES.map((scope) => ({ name: scope, token: { env: scope.toUpperCase() }, scopes: [scope] }))
  const config = { ...configuration(NOWHERE), daemon: { api: { tokens } } } as unknown as Config
  const now = yield* decode(config, { file: "daybook.config.json", folder: ".", environment: ENVIRONMENT })
  return {
    url: NOWHERE,
    configuration: Effect.succeed(now),
    daemon: { ask: () => Effect.void, wake: Effect.void },
    reread: Effect.void,
    events: Stream.empty
  } satisfies DaemonServices
})

const request = (method: string, path: string, headers: Request["headers"] = {}, body = ""): Request => ({
  method,
  path,
  params: {},
  query: new URLSearchParams(),
  headers,
  body: Buffer.from(body),
  local: true,
  from: "",
  encrypted: false,
  named: true
})

const bodyOf = ({ body }: Reply) => JSON.parse(String(body)) as Readonly<Record<string, unknown>>

const memory = Database.layer({ file: ":memory:", mode: "write" })

type Operations = Readonly<
  Record<string, Readonly<Record<string, { readonly security: ReadonlyArray<{ readonly bearer: [string] }> }>>>
>

describe("the HTTP interface's tokens", () => {
  it("may use each operation of their scope: it is listed with the right that it needs", () => {
    const document = OpenApi.fromApi(HttpInterface) as unknown as {
      readonly paths: Readonly<
        Record<string, Readonly<Record<string, { operationId: string; security: [{ bearer: [TokenScope] }] }>>>
      >
    }
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    const lacking = operations.filter(({ operationId, security: [{ bearer }] }) => {
      const name = operationId.slice(operationId.lastIndexOf(".") + 1)
      return rightOf(bearer[0], name) === undefined
    })
    assert.deepStrictEqual(lacking, [])
  })

  it.effect("each route answers 401 without a token, and 403 without its scope, which it names", () =>
    Effect.gen(function* () {
      const answer = yield* interfaceOf(yield* house)
      const document = bodyOf(yield* answer(request("GET", "/api/v1/openapi.json")))
      let count = 0
      for (const [template, item] of Object.entries(document["paths"] as Operations))
        for (const [verb, { security }] of Object.entries(item)) {
          const scope = security[0]?.bearer[0] ?? ""
          const [method, path] = [verb.toUpperCase(), template.replace(/\{\w+\}/g, "1")]
          const route = `${method} ${path}`
          assert.strictEqual((yield* answer(request(method, path))).status, 401, route)
          assert.strictEqual(
            (yield* answer(request(method, path, { authorization: "Bearer unknown-0123456789" }))).status,
            401,
            route
          )
          for (const other of SCOPES.filter((one) => one !== scope)) {
            const refused = yield* answer(request(method, path, { authorization: `Bearer ${tokenOf(other)}` }))
            assert.strictEqual(refused.status, 403, `${route} with ${other}`)
            assert.include(String(bodyOf(refused)["message"]), `no scope "${scope}"`, route)
          }
          count++
        }
      assert.isAbove(count, 45)
    }).pipe(Effect.provide(memory))
  )
})

describe("the HTTP interface on a state file that cannot be used", () => {
  it.effect("says why with 503, which every operation declares, however it reads or writes", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const answer = yield* interfaceOf(yield* house)
      const document = bodyOf(yield* answer(request("GET", "/api/v1/openapi.json")))
      const operations = Object.values(document["paths"] as Readonly<Record<string, Readonly<Record<string, object>>>>)
      for (const one of operations.flatMap((item) => Object.values(item)))
        assert.property((one as { readonly responses: object }).responses, "503")
      db.raw.exec("DROP TABLE attention")
      const asked: ReadonlyArray<readonly [string, string, string]> = [
        ["GET", "/api/v1/attention", "read"],
        ["GET", "/api/v1/status", "read"],
        ["POST", "/api/v1/attention/1/retry", "approve"]
      ]
      for (const [method, path, scope] of asked) {
        const away = yield* answer(request(method, path, { authorization: `Bearer ${tokenOf(scope)}` }))
        assert.deepStrictEqual([away.status, bodyOf(away)["_tag"]], [503, "Unavailable"], path)
        assert.match(String(bodyOf(away)["message"]), /attention/, path)
      }
    }).pipe(Effect.provide(memory))
  )
})

const KEYED = { "idempotency-key": "7", authorization: "Bearer x" }

describe("a request with an Idempotency-Key", () => {
  it.effect("is carried out once, and answered the same again", () =>
    Effect.gen(function* () {
      const db = yield* Database
      let count = 0
      const answer = once(
        db,
        () => Effect.succeed("erp"),
        ({ path }) =>
          Effect.sync(() => (path === "/refused" ? json(409, {}) : json(200, { n: ++count, url: "secret" })))
      )
      const first = yield* answer(request("POST", "/do", KEYED, "{}"))
      const again = yield* answer(request("POST", "/do", KEYED, "{}"))
      assert.deepStrictEqual([again.status, bodyOf(again)], [first.status, bodyOf(first)])
      assert.strictEqual(count, 1)
      for (const other of [request("POST", "/do", KEYED, '{"a":1}'), request("POST", "/other", KEYED, "{}")])
        assert.strictEqual((yield* answer(other)).status, 422)
      // Without a key, and for whatever only reads, nothing is remembered.
      yield* answer(request("POST", "/do", {}, "{}"))
      yield* answer(request("GET", "/do", KEYED))
      assert.strictEqual(count, 3)
      // What was refused was not done, and may be sent again.
      const refused = request("POST", "/refused", { ...KEYED, "idempotency-key": "8" })
      for (const _ of [1, 2])
        assert.deepStrictEqual((yield* answer(refused)).headers?.["idempotent-replayed"], undefined)
      // A link's address is not kept.
      const link = request("POST", "/api/v1/connect-links", { ...KEYED, "idempotency-key": "9" }, "{}")
      assert.strictEqual((yield* answer(link)).status, 200)
      assert.strictEqual((yield* answer(link)).status, 409)
      assert.strictEqual(count, 4)
      const kept = db.prepare("SELECT answer FROM api_request").pluck().all()
      assert.notInclude(kept.slice(1).join(), "secret")
    }).pipe(Effect.provide(memory))
  )

  it.effect("is not carried out twice at once, nor after the daemon was stopped in the middle", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const gate = yield* Deferred.make<void>()
      let count = 0
      const slow = once(
        db,
        () => Effect.succeed("erp"),
        () => Effect.as(Deferred.await(gate), json(200, { n: ++count }))
      )
      const asked = request("POST", "/do", KEYED, "{}")
      const running = yield* Effect.forkChild(slow(asked), { startImmediately: true })
      assert.match(String(bodyOf(yield* slow(asked))["message"]), /is being carried out/)
      yield* Fiber.interrupt(running)
      // As another process finds it.
      const restarted = once(
        db,
        () => Effect.succeed("erp"),
        () => Effect.sync(() => json(200, { n: ++count }))
      )
      assert.match(String(bodyOf(yield* restarted(asked))["message"]), /was cut off/)
      assert.strictEqual(count, 1)
      // Another token's requests have names of their own.
      const others = once(
        db,
        () => Effect.succeed("shop"),
        () => Effect.sync(() => json(200, { n: ++count }))
      )
      assert.strictEqual((yield* others(asked)).status, 200)
      const old = { caller: "erp", name: "7", request: "another" }
      const late = Date.now() + 31 * 86_400_000
      assert.strictEqual(yield* db.transaction(() => ApiRequests.claim(db, old, late)), "claimed")
    }).pipe(Effect.provide(memory))
  )
})
