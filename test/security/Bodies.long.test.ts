/** What strangers send: nothing of it is kept for longer than it needs, and others are answered meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { Agent, request } from "node:http"
import { connect } from "node:net"
import { type Reply, type Route, serve, text } from "../../cli/daemon/Server.ts"

const MB = 2 ** 20

/** What a request is answered, sent in pieces, and never ended if it is to be slow. */
interface Sent {
  readonly status: number
  readonly body: string
}

const send = (
  url: string,
  path: string,
  {
    end = true,
    headers = {},
    pieces
  }: { readonly pieces: ReadonlyArray<Buffer>; readonly end?: boolean; readonly headers?: Record<string, string> }
): Promise<Sent | undefined> =>
  new Promise((resolve) => {
    const to = new URL(path, url)
    const sent = request(
      { hostname: to.hostname, port: to.port, path, method: "POST", agent: new Agent(), headers },
      (answer) => {
        let body = ""
        answer.setEncoding("utf8").on("data", (more) => void (body += more))
        answer.on("end", () => resolve({ status: answer.statusCode!, body }))
        answer.on("error", () => resolve({ status: answer.statusCode!, body }))
      }
    )
    sent.on("error", () => resolve(undefined))
    for (const piece of pieces) sent.write(piece)
    if (end) sent.end()
  })

const handled: Array<number> = []

const echo = ({ body }: { readonly body: Uint8Array }): Effect.Effect<Reply> =>
  Effect.sync(() => {
    handled.push(body.length)
    return text(200, String(body.length))
  })

const routes = (held: Deferred.Deferred<void>): ReadonlyArray<Route> => [
  { method: "POST", path: "/hook", handle: echo },
  {
    method: "POST",
    path: "/form",
    most: 9 * MB,
    knows: ({ headers }) => Effect.succeed(headers["cookie"] === "me"),
    handle: (request) =>
      request.headers["cookie"] === "me" ? echo(request) : Effect.succeed(text(403, `of ${request.body.length} bytes`))
  },
  {
    method: "POST",
    path: "/busy",
    handle: (request) => Effect.as(Deferred.await(held), text(200, String(request.body.length)))
  }
]

const serving = <A>(work: (url: string, held: Deferred.Deferred<void>) => Promise<A>): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const held = Deferred.makeUnsafe<void>()
        const all = routes(held)
        const url = yield* serve({ host: "127.0.0.1", port: 0, routes: () => all })
        return yield* Effect.promise(() => work(url, held))
      })
    )
  )

const from = (address: string) => ({ "x-forwarded-for": address })

describe("the body of a request", () => {
  it("is not read of a stranger where only known senders have one", () =>
    serving(async (url) => {
      const pieces = Array.from({ length: 8 }, () => Buffer.alloc(MB))
      assert.deepStrictEqual(await send(url, "/form", { pieces }), { status: 403, body: "of 0 bytes" })
      assert.deepStrictEqual(await send(url, "/form", { pieces, headers: { cookie: "me" } }), {
        status: 200,
        body: String(8 * MB)
      })
      // It is answered though it never ends.
      assert.strictEqual((await send(url, "/form", { pieces, end: false }))?.status, 403)
    }))

  it("of more than the route takes is not kept", () =>
    serving(async (url) => {
      const before = handled.length
      assert.strictEqual((await send(url, "/hook", { pieces: [Buffer.alloc(MB + 1)] }))?.status, 413)
      assert.strictEqual((await send(url, "/hook", { pieces: [Buffer.alloc(2 * MB)], end: false }))?.status, 413)
      assert.lengthOf(handled, before)
    }))

  it(
    "has room of its own for each sender, and for all strangers, however small its pieces are",
    () =>
      serving(async (url, held) => {
        const half = [Buffer.alloc(MB / 2)]
        const stuck = (address: string, n: number, pieces: ReadonlyArray<Buffer> = half) =>
          Array.from({ length: n }, () => send(url, "/busy", { pieces, headers: from(address) }))
        // Seven halves, with what their pieces need, are the most of one sender; eight are not.
        const own = stuck("203.0.113.1", 9)
        const refused = await Promise.race(
          own.map(async (one) => ((await one)?.status === 503 ? true : new Promise(() => {})))
        )
        assert.isTrue(refused)
        // Another sender has room,
        assert.strictEqual((await send(url, "/hook", { pieces: half, headers: from("203.0.113.2") }))?.status, 200)
        // also while the first goes on sending beyond its own,
        await Promise.all(
          Array.from({ length: 4 }, () =>
            send(url, "/hook", { pieces: [Buffer.alloc(MB - 1)], headers: from("203.0.113.1") })
          )
        ).then((answers) =>
          assert.include(
            answers.map((one) => one?.status),
            503
          )
        )
        // until all strangers together have none; who is known has.
        const others = Array.from({ length: 9 }, (_, n) => stuck(`198.51.100.${n}`, 7)).flat()
        await Promise.race(others.map(async (one) => ((await one)?.status === 503 ? true : new Promise(() => {}))))
        const known = await send(url, "/form", { pieces: half, headers: { cookie: "me", ...from("203.0.113.1") } })
        assert.strictEqual(known?.status, 200)
        Effect.runSync(Deferred.succeed(held, undefined))
        await Promise.all([...own, ...others])
        // All of it is given back.
        for (const address of ["203.0.113.1", "198.51.100.1"])
          assert.strictEqual((await send(url, "/hook", { pieces: half, headers: from(address) }))?.status, 200)
      }),
    30_000
  )

  it("gives its room back when its sender goes away", () =>
    serving(async (url) => {
      const { hostname, port } = new URL(url)
      for (let round = 0; round < 4; round++) {
        const sockets = Array.from({ length: 7 }, () => {
          const socket = connect(Number(port), hostname)
          socket.on("error", () => {})
          socket.write(`POST /hook HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${MB / 2 + 1}\r\n\r\n`)
          socket.write(Buffer.alloc(MB / 2))
          return socket
        })
        await new Promise((resolve) => setTimeout(resolve, 100))
        for (const socket of sockets) socket.destroy()
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      assert.strictEqual((await send(url, "/hook", { pieces: [Buffer.alloc(MB / 2)] }))?.status, 200)
    }))

  it("is not waited for by thousands of requests that one connection sends ahead", () =>
    serving(async (url) => {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname)
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
      socket.on("error", () => {}).resume()
      socket.write("POST /busy HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n\r\nx".repeat(5000))
      await closed
      assert.strictEqual((await send(url, "/hook", { pieces: [Buffer.alloc(10)] }))?.status, 200)
    }))

  it("that comes too slowly is waited for ten seconds", { timeout: 30_000 }, () =>
    serving(async (url) => {
      const began = performance.now()
      const slow = send(url, "/hook", { pieces: [Buffer.alloc(10)], end: false })
      assert.strictEqual((await send(url, "/hook", { pieces: [Buffer.alloc(10)] }))?.status, 200)
      assert.strictEqual((await slow)?.status, 408)
      assert.isAbove(performance.now() - began, 9000)
    })
  )
})
