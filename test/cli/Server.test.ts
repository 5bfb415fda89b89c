/**
 * The daemon's server without a daemon: routes and their parameters, what is too
 * large, and a room that breaks.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { request } from "node:http"
import { find, type Route, serve, text } from "../../cli/daemon/Server.ts"

const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "/", handle: () => Effect.succeed(text(200, "the page")) },
  {
    method: "GET",
    path: "/documents/:key",
    handle: ({ params, query }) => Effect.succeed(text(200, `${params["key"]} ${query.get("page")}`))
  },
  {
    method: "POST",
    path: "/approve",
    most: 10,
    handle: ({ body }) =>
      Effect.succeed({ status: 303, headers: { location: "/", "set-cookie": ["a=1", "b=2"] }, body: Buffer.from(body) })
  },
  { method: "GET", path: "/open", handle: () => Effect.succeed(text(200, "anybody")) },
  { method: "GET", path: "/broken", handle: () => Effect.die(new Error("secret-in-a-defect")) }
]

const here = () => serve({ host: "127.0.0.1", port: 0, routes: () => routes })

/** What a path says, where it goes to a route of this path. */
const params = (path: Route["path"], asked: string) =>
  find([{ method: "GET", path, handle: () => Effect.succeed(text(200, "")) }], asked)[0]?.params

const ask = (url: string, init: RequestInit = {}) => Effect.promise(() => fetch(url, { redirect: "manual", ...init }))
describe("the server", () => {
  it.live("gives a request to the route that fits, with its parameters and its query", () =>
    Effect.gen(function* () {
      const url = yield* here()
      const answer = yield* ask(`${url}/documents/books%2Finvoice%2F1?page=2`)
      assert.strictEqual(yield* Effect.promise(() => answer.text()), "books/invoice/1 2")
      assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual((yield* ask(`${url}/documents/`)).status, 404)
      assert.strictEqual((yield* ask(`${url}/documents/a/b`)).status, 404)
      const head = yield* ask(`${url}/`, { method: "HEAD" })
      assert.deepStrictEqual(
        [head.status, head.headers.get("content-length"), yield* Effect.promise(() => head.text())],
        [200, "8", ""]
      )
      const wrong = yield* ask(`${url}/approve`)
      assert.deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "POST"])
    })
  )

  it.live("takes no more than a route allows, and answers with what a room says", () =>
    Effect.gen(function* () {
      const url = yield* here()
      const post = (body: string) => ask(`${url}/approve`, { method: "POST", body })
      const small = yield* post("x".repeat(10))
      assert.deepStrictEqual(
        [small.status, small.headers.getSetCookie(), yield* Effect.promise(() => small.text())],
        [303, ["a=1", "b=2"], "xxxxxxxxxx"]
      )
      assert.strictEqual((yield* post("x".repeat(11))).status, 413)
    })
  )

  it.live("survives a route that fails, and reveals nothing of it", () =>
    Effect.gen(function* () {
      const url = yield* here()
      const broken = yield* ask(`${url}/broken`)
      const said = yield* Effect.promise(() => broken.text())
      assert.deepStrictEqual([broken.status, said], [500, "Internal error; see the daemon's log.\n"])
      assert.strictEqual((yield* ask(`${url}/open`)).status, 200)
    })
  )

  it.live("refuses whoever came first before others, however long it takes to find out that they are not known", () =>
    Effect.gen(function* () {
      const refused = (path: Route["path"], millis: number): Route => ({
        method: "GET",
        path,
        handle: () => Effect.as(Effect.sleep(millis), text(401, "Unauthenticated.\n"))
      })
      const url = yield* serve({
        ...{ host: "127.0.0.1", port: 0 },
        routes: () => [refused("/t/there", 70), refused("/t/nowhere", 0)]
      })
      const left: Array<string> = []
      const asked = (path: string) => Effect.map(ask(url + path), ({ status }) => left.push(`${path} ${status}`))
      yield* Effect.all([asked("/t/there"), Effect.delay(asked("/t/nowhere"), 30)], { concurrency: 2 })
      assert.deepStrictEqual(left, ["/t/there 401", "/t/nowhere 401"])
    })
  )

  it.live("says which port is taken", () =>
    Effect.gen(function* () {
      const port = Number(new URL(yield* here()).port)
      const error = yield* Effect.flip(serve({ host: "127.0.0.1", port, routes: () => [] }))
      assert.strictEqual(error.message, `port ${port} of 127.0.0.1 is taken; name another with --listen 127.0.0.1:PORT`)
    })
  )

  it.live("answers a request that is under way when it closes", () =>
    Effect.gen(function* () {
      const slow: ReadonlyArray<Route> = [
        { method: "GET", path: "/slow", handle: () => Effect.as(Effect.sleep(300), text(200, "at last")) }
      ]
      const answered = yield* Effect.scoped(
        Effect.gen(function* () {
          const url = yield* serve({ host: "127.0.0.1", port: 0, routes: () => slow })
          const answer = new Promise<number>((resolve, reject) => {
            const sent = request(`${url}/slow`, { agent: false }, (got) => {
              got.resume()
              resolve(got.statusCode ?? 0)
            })
            sent.on("error", reject)
            sent.end()
          })
          yield* Effect.sleep(100)
          return answer
        })
      )
      assert.strictEqual(yield* Effect.promise(() => answered), 200)
    })
  )
})

describe("a route's path", () => {
  it("fits or does not", () => {
    assert.deepStrictEqual(params("/a/:b", "/a/c"), { b: "c" })
    assert.deepStrictEqual(params("/a/:b/c/:d", "/a/1/c/%C3%A9"), { b: "1", d: "é" })
    for (const path of ["/a", "/a/", "/a/b/c", "/b/c", "//a/c", "/a/%zz"])
      assert.isUndefined(params("/a/:b", path), path)
  })
})
