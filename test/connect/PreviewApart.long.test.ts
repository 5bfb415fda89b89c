/**
 * The first records of a source are read in a thread: whoever runs the source decides how large its answers are, and the others
 * are answered meanwhile. Real time, because a thread has its own clock.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { order } from "../../connectors/woocommerce/Sample.ts"
import { woocommerce } from "../../connectors/woocommerce/WooCommerce.ts"
import * as PreviewApart from "../../sync/library/PreviewApart.ts"
import { outside } from "../../sync/library/ServiceClient.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import { type ReaderEntry, ReaderThread } from "../../sync/pull/ReaderThread.ts"
import { busyDuring } from "../support/Busy.ts"
import { planning } from "../support/Documents.ts"
import { serve } from "../support/Serve.ts"

const READER: ReaderEntry = { module: new URL("../../cli/Reader.ts", import.meta.url), connectors: [] }

const ORDERS = [1, 2, 3].map((id) =>
  order(id, "processing", "EUR", "10.00", {
    line_items: [{ id, name: "Tea", quantity: 1, subtotal: "10.00", total: "10.00", total_tax: "0.00", meta_data: [] }]
  })
)

/** A shop that answers this to each list of orders; the number of its requests. */
const shop = (orders: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const bytes = Buffer.from(orders)
      const counted = { requests: 0, url: "" }
      const server = createServer((request, answer) => {
        counted.requests++
        answer.setHeader("content-type", "application/json")
        answer.end(request.url?.includes("/refunds") === true ? "[]" : bytes)
      })
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
      counted.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      return { counted, server }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(Effect.map(({ counted }) => counted))

const previewed = (reader: ReaderEntry | undefined, url: string) => {
  const settings = { url, key: { env: "KEY" }, secret: { env: "SECRET" } }
  const connection = { id: "shop", connector: woocommerce, settings, planning } as unknown as Connection
  const place = { folder: ".", environment: { KEY: "ck_1234567", SECRET: "cs_1234567" } }
  return PreviewApart.preview(place, connection, ":memory:", 5).pipe(
    Effect.provide(outside),
    Effect.provideService(ReaderThread, reader)
  )
}

const why = (result: Result.Result<unknown, { readonly message: string }>): string =>
  Result.isFailure(result) ? result.failure.message : "nothing is wrong"

describe("a source whose first records are shown", () => {
  it.live("comes to the same in a thread as in the one that asks, what it refuses too", () =>
    Effect.gen(function* () {
      const { url } = yield* shop(JSON.stringify(ORDERS))
      const found = yield* previewed(READER, url)
      assert.strictEqual(found.documents, 3)
      const here = yield* previewed(undefined, url)
      assert.deepStrictEqual(found, {
        ...here,
        rows: here.rows.map((row) => ({ ...row, raw: row.raw.slice(0, 600) }))
      })
      const broken = yield* shop('{"code":"nothing here"}')
      const refused = why(yield* Effect.result(previewed(READER, broken.url)))
      assert.strictEqual(refused, why(yield* Effect.result(previewed(undefined, broken.url))))
      assert.include(refused, "has no list")
    })
  )

  it.live(
    "leave others answered, however long its answers are",
    () =>
      Effect.gen(function* () {
        const item = { id: 1, name: "Tea", quantity: 1, subtotal: "0.01", total: "0.01", total_tax: "0.00" }
        const lines = JSON.stringify(Array.from({ length: 1000 }, (_, id) => ({ ...item, id })))
        const large = JSON.stringify({ ...order(1, "processing", "EUR", "30.00", {}), line_items: [] })
        const orders = `[${Array.from({ length: 100 }, (_, n) =>
          large.replace('"id":1,', `"id":${n + 1},`).replace('"line_items":[]', `"line_items":${lines}`)
        ).join(",")}]`
        const { url } = yield* shop(orders)
        const { busy, done } = yield* busyDuring(previewed(READER, url))
        assert.isBelow(busy, 250)
        if (Result.isFailure(done)) assert.match(done.failure.message, /memory to read|longer than 60 seconds/)
        else for (const { raw } of done.success.rows) assert.isAtMost(raw.length, 600)
      }),
    90_000
  )

  it.live("that sends far more records than it was asked for is told so, and asked once", () =>
    Effect.gen(function* () {
      const many = yield* shop(`[${Array.from({ length: 100_000 }, () => "{}").join(",")}]`)
      const { busy, done } = yield* busyDuring(previewed(READER, many.url))
      assert.include(why(done), "has 100,000 records where at most 100 were asked for")
      assert.isBelow(busy, 250)
      assert.strictEqual(many.requests, 1)
    })
  )

  it.live(
    "lend their turn when they are slow",
    () =>
      Effect.gen(function* () {
        const silent = yield* serve(() => {})
        const slow = yield* Effect.forEach([1, 2, 3, 4], () => Effect.forkChild(previewed(READER, silent.url)))
        yield* Effect.sleep(500)
        const { url } = yield* shop("[]")
        assert.strictEqual((yield* Effect.timeout(previewed(READER, url), "40 seconds")).documents, 0)
        yield* Effect.forEach(slow, Fiber.interrupt)
      }),
    60_000
  )
})
