/** Answers are compressed as a client takes it, unless another site has somebody's browser ask for them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type IncomingHttpHeaders, request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { json, type Route, serve, text } from "../../cli/daemon/Server.ts"

const LONG = "1,250.00 GBP of Harbour Lane Bakery\n".repeat(500)
const page =
  (type: string): Route["handle"] =>
  () =>
    Effect.succeed({ status: 200, headers: { "content-type": type }, body: LONG })
const download: Route["handle"] = () =>
  Effect.succeed({
    status: 200,
    headers: { "content-type": "text/csv; charset=utf-8", "content-length": String(LONG.length) },
    body: new Blob([LONG]).stream()
  })
const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "/page", handle: page("text/html; charset=utf-8") },
  { method: "GET", path: "/list.csv", handle: download },
  {
    method: "GET",
    path: "/list.xlsx",
    handle: page("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
  },
  { method: "GET", path: "/events", handle: page("text/event-stream") },
  { method: "GET", path: "/records", handle: () => Effect.succeed(json(200, { said: LONG })) },
  { method: "GET", path: "/short", handle: () => Effect.succeed(text(200, "short")) }
]

interface Got {
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

const ask = (url: string, headers: Readonly<Record<string, string>>, method = "GET") =>
  Effect.promise(
    () =>
      new Promise<Got>((resolve, reject) => {
        const sent = request(url, { agent: false, headers, method }, (answer) => {
          const chunks: Array<Buffer> = []
          answer.on("data", (chunk: Buffer) => void chunks.push(chunk))
          answer.on("end", () => resolve({ headers: answer.headers, bytes: Buffer.concat(chunks) }))
        })
        sent.on("error", reject)
        sent.end()
      })
  )

const here = () => serve({ host: "127.0.0.1", port: 0, routes: () => routes })

describe("answers", () => {
  it.live("are compressed as the client takes it, pages as well as streams", () =>
    Effect.gen(function* () {
      const url = yield* here()
      for (const [accepted, encoding] of [
        ["gzip, deflate, br", "br"],
        ["br;q=1.0, gzip", "br"],
        ["gzip", "gzip"],
        ["br;q=0, gzip;q=0.5", "gzip"],
        ["br;q=0.0, gzip;q=0", undefined],
        ["zstd", undefined],
        ["", undefined]
      ] as const)
        for (const path of ["/page", "/list.csv"]) {
          const { bytes, headers } = yield* ask(url + path, { "accept-encoding": accepted })
          assert.strictEqual(headers["content-encoding"], encoding, accepted)
          assert.strictEqual(headers.vary, "accept-encoding")
          const plain =
            encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes
          assert.strictEqual(plain.toString(), LONG, path)
          const { "content-length": length = bytes.length } = headers
          assert.strictEqual(Number(length), bytes.length)
          if (encoding !== undefined) assert.isBelow(bytes.length, 500)
        }
      const records = yield* ask(`${url}/records`, { "accept-encoding": "br" })
      assert.deepStrictEqual(JSON.parse(brotliDecompressSync(records.bytes).toString()), { said: LONG })
    })
  )

  it.live("are as they are where nothing is gained, or somebody waits for each part", () =>
    Effect.gen(function* () {
      const url = yield* here()
      for (const path of ["/list.xlsx", "/events", "/short"]) {
        const { bytes, headers } = yield* ask(url + path, { "accept-encoding": "br, gzip" })
        assert.isUndefined(headers["content-encoding"], path)
        assert.strictEqual(headers["content-length"], String(bytes.length))
      }
      const head = yield* ask(`${url}/page`, { "accept-encoding": "br" }, "HEAD")
      assert.deepStrictEqual([head.headers["content-length"], head.bytes.length], [String(LONG.length), 0])
    })
  )

  it.live("tell another site nothing by their length, not even one of this host", () =>
    Effect.gen(function* () {
      const url = yield* here()
      for (const [site, encoding] of [
        ["cross-site", undefined],
        ["same-site", undefined],
        ["same-origin", "br"],
        ["none", "br"]
      ] as const)
        for (const path of ["/page", "/list.csv", "/records"]) {
          const { headers } = yield* ask(url + path, { "accept-encoding": "br", "sec-fetch-site": site })
          assert.strictEqual(headers["content-encoding"], encoding, `${site} ${path}`)
        }
    })
  )
})
