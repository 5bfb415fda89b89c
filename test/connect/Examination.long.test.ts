/**
 * Files that somebody uploads are examined in a thread: the others are answered meanwhile, whatever is in the files; what was
 * found is kept; and a thread that dies, or takes too long, costs its own person a sentence.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { files } from "../../connectors/files/Files.ts"
import * as FileExamination from "../../sync/library/FileExamination.ts"
import { outside } from "../../sync/library/ServiceClient.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import { type ReaderEntry, ReaderThread } from "../../sync/pull/ReaderThread.ts"
import { busyDuring } from "../support/Busy.ts"
import { planning } from "../support/Documents.ts"

const READER: ReaderEntry = { module: new URL("../../cli/Reader.ts", import.meta.url), connectors: [] }

/** A thread that does this instead. */
const thread = (code: string): ReaderEntry => ({
  module: new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from "node:worker_threads"\n${code}`)}`
  ),
  connectors: []
})
const SILENT = thread("parentPort.on('message', () => {})")
const GREEDY = thread(`parentPort.on("message", async () => {
  for (const all = []; ; await new Promise(setImmediate)) for (let n = 0; n < 100; n++) all.push(new Array(1000).fill(n))
})`)
const GONE = thread("parentPort.on('message', () => process.exit(1))")

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "daybook-examined-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const CSV = `Invoice,Buyer,Country,Issued,Due,Currency,Gross
INV-1,Harbour Tea,GB,2026-01-05,2026-02-04,GBP,120.00
INV-2,Atelier Nord,FR,2026-01-31,2026-03-02,EUR,12.00
`

/** A new file in a new folder, so that nothing of it is known. */
const file = (text = CSV) =>
  Effect.map(folder, (path) => {
    const name = join(path, "books.csv")
    writeFileSync(name, text)
    return { path, name }
  })

const examined = (reader: ReaderEntry | undefined, name: string, path: string, answers = {}) =>
  Effect.gen(function* () {
    const { headings, initial } = yield* FileExamination.examine([name], path)
    return { headings, ...(yield* initial({ folder: path, answers: { name: "Acme", ...answers } })) }
  }).pipe(Effect.scoped, Effect.provideService(ReaderThread, reader))

const previewed = (reader: ReaderEntry | undefined, name: string, path: string) => {
  const columns = {
    id: "Invoice",
    customer: "Buyer",
    customer_country: "Country",
    issued: "Issued",
    due: "Due",
    gross: "Gross",
    currency: "Currency"
  }
  const settings = { invoices: { path: "books.csv", columns } }
  const connection = { id: "books", connector: files, settings, planning } as unknown as Connection
  return FileExamination.previews([connection], { folder: path }, [name]).pipe(
    Effect.provide(outside),
    Effect.provideService(ReaderThread, reader)
  )
}

const why = (result: Result.Result<unknown, { readonly message: string }>): string =>
  Result.isFailure(result) ? result.failure.message : "nothing is wrong"

describe("files that were uploaded", () => {
  it.live("come to the same in a thread as in the one that asks, what cannot be read too", () =>
    Effect.gen(function* () {
      const { name, path } = yield* file()
      assert.deepStrictEqual(yield* examined(READER, name, path), yield* examined(undefined, name, path))
      assert.deepStrictEqual(yield* previewed(READER, name, path), yield* previewed(undefined, name, path))
      const bare = yield* file("1\n")
      const [there, here] = yield* Effect.all([
        Effect.result(examined(READER, bare.name, bare.path)),
        Effect.result(examined(undefined, bare.name, bare.path))
      ])
      assert.strictEqual(why(there), why(here))
      assert.include(why(there), "has no row that names its columns")
    })
  )

  it.live("are examined once, until they change or something else is answered", () =>
    Effect.gen(function* () {
      const { name, path } = yield* file()
      const first = yield* examined(READER, name, path)
      const preview = yield* previewed(READER, name, path)
      assert.deepStrictEqual(yield* examined(GONE, name, path), first)
      assert.deepStrictEqual(yield* previewed(GONE, name, path), preview)
      assert.include(why(yield* Effect.result(examined(GONE, name, path, { currency: "USD" }))), "could not be read")
      writeFileSync(name, CSV.replace("Atelier Nord", "Atelier Sud"))
      assert.include(why(yield* Effect.result(examined(GONE, name, path))), "could not be read")
    })
  )

  it.live(
    "leave others answered, however much is in them",
    () =>
      Effect.gen(function* () {
        const head = CSV.slice(0, CSV.indexOf("\n") + 1)
        const row = (n: number) => `INV-${n},Customer ${n},GB,2026-10-01,2026-10-31,GBP,100.00\n`
        const { name, path } = yield* file(head + Array.from({ length: 400_000 }, (_, n) => row(n)).join(""))
        const work = Effect.andThen(examined(READER, name, path), previewed(READER, name, path))
        const { busy, done } = yield* busyDuring(work)
        assert.isTrue(Result.isSuccess(done))
        assert.isBelow(busy, 250)
      }),
    60_000
  )

  it.live(
    "that take too much memory cost their person a sentence",
    () =>
      Effect.gen(function* () {
        const { name, path } = yield* file()
        assert.include(why(yield* Effect.result(examined(GREEDY, name, path))), "take more memory to read")
        const other = yield* file()
        assert.include(why(yield* Effect.result(examined(GONE, other.name, other.path))), "could not be read")
        const next = yield* file()
        assert.strictEqual((yield* examined(READER, next.name, next.path)).headings.length, 1)
      }),
    60_000
  )

  it.effect("that take too long cost their person a sentence", () =>
    Effect.gen(function* () {
      const { name, path } = yield* file()
      const waiting = yield* Effect.forkChild(Effect.result(examined(SILENT, name, path)))
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 500)))
      yield* TestClock.adjust("61 seconds")
      assert.include(why(yield* Fiber.join(waiting)), "took longer than 60 seconds to read")
    })
  )

  it.live("are examined one after the other, and whoever goes away gives up its place", () =>
    Effect.gen(function* () {
      const [first, second, third] = [yield* file(), yield* file(), yield* file()]
      const busy = yield* Effect.forkChild(examined(SILENT, first.name, first.path))
      yield* Effect.sleep(200)
      const waits = yield* Effect.forkChild(examined(READER, second.name, second.path))
      const last = yield* Effect.forkChild(examined(READER, third.name, third.path))
      yield* Effect.sleep(1000)
      assert.isUndefined(last.pollUnsafe())
      yield* Fiber.interrupt(waits)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(waits)))
      yield* Fiber.interrupt(busy)
      assert.strictEqual((yield* Fiber.join(last)).headings.length, 1)
    })
  )
})
