/**
 * A run reads somebody else's source, whose answers are as large as they like: small ones where the others wait, large ones in a
 * thread, with the same result.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { line, order } from "../../../connectors/woocommerce/Sample.ts"
import { woocommerce } from "../../../connectors/woocommerce/WooCommerce.ts"
import { outside } from "../../../sync/library/ServiceClient.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import { pull } from "../../../sync/pull/Pull.ts"
// Loaded before anything is measured.
import "../../../sync/pull/ReadingThread.ts"
import { type ReaderEntry, ReaderThread } from "../../../sync/pull/ReaderThread.ts"
import { Database } from "../../../sync/state/Database.ts"
import { busyDuring } from "../../support/Busy.ts"
import { planning } from "../../support/Documents.ts"
import { serve } from "../../support/Serve.ts"

const READER: ReaderEntry = { module: new URL("../../../cli/Reader.ts", import.meta.url), connectors: [] }
const NONE: ReaderEntry = { module: new URL("file:///nowhere/Reader.js"), connectors: [] }

/** A shop with so many orders, each with a note as long as this. */
const shop = (orders: number, note: number) => {
  const all = Array.from({ length: orders }, (_, n) =>
    order(n + 1, "processing", "EUR", "10.00", {
      line_items: [line(n + 1, "Tea", 1, "10.00")],
      customer_note: "x".repeat(note)
    })
  )
  const bytes = Buffer.from(JSON.stringify(all))
  return serve(({ url }, response) => {
    const isFirst = url.includes("/orders?") && !url.includes("page=2")
    response.writeHead(200, { "content-type": "application/json" }).end(isFirst ? bytes : "[]")
  })
}

const read = (url: string, reader: ReaderEntry | undefined) => {
  const settings = { url, key: { env: "KEY" }, secret: { env: "SECRET" } }
  const connection = { id: "shop", connector: woocommerce, settings, planning } as unknown as Connection
  const environment = { KEY: "ck_1234567", SECRET: "cs_1234567" }
  return Effect.gen(function* () {
    const counts = yield* pull(connection, { folder: ".", environment, entered: "anywhere" })
    const { raw } = yield* Database
    return { counts, stored: raw.prepare("SELECT * FROM document ORDER BY 1, 2, 3").all() }
  }).pipe(
    Effect.provide(Layer.merge(outside, Layer.fresh(Database.layer({ file: ":memory:", mode: "share" })))),
    Effect.provideService(ReaderThread, reader)
  )
}

describe("answers of somebody else's source", () => {
  it.live("that are small are read here", () =>
    Effect.gen(function* () {
      const { url } = yield* shop(20, 100)
      assert.strictEqual((yield* read(url, NONE)).counts.added, 20)
    })
  )

  it.live(
    "that are large are read in a thread, and leave others answered",
    () =>
      Effect.gen(function* () {
        const { asked, url } = yield* shop(100, 20_000)
        const { busy, done } = yield* busyDuring(read(url, READER))
        const found = yield* Effect.fromResult(done)
        assert.isBelow(busy, 250)
        assert.strictEqual(found.counts.added, 100)
        const lists = () => asked.filter((one) => one.url.includes("/orders?")).length
        const times = lists()
        const here = yield* read(url, undefined)
        // Once until it was too large, and once in the thread.
        assert.strictEqual(times, lists() - times + 1)
        assert.deepStrictEqual(found, here)
      }),
    60_000
  )
})
