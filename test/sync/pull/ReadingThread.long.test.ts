/**
 * Reading a source in a thread of its own: the books come to be as if it had been read in this one, whatever is in it, and
 * so does what is said where it cannot be read.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { files } from "../../../connectors/files/Files.ts"
import * as Looks from "../../../connectors/Looks.ts"
import { outside } from "../../../sync/library/ServiceClient.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import * as ReadingThread from "../../../sync/pull/ReadingThread.ts"
import { type ReaderEntry, ReaderThread } from "../../../sync/pull/ReaderThread.ts"
import { Database } from "../../../sync/state/Database.ts"
import { planning } from "../../support/Documents.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "daybook-thread-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const SETTINGS = {
  invoices: {
    path: "invoices.csv",
    columns: { id: "Id", issued: "Issued", due: "Due", gross: "Gross", customer: "Buyer", customer_country: "Land" },
    currency: "GBP"
  },
  payments: {
    path: "payments.csv",
    columns: { id: "Id", date: "Day", amount: "Amount", invoice: "For" },
    currency: "GBP"
  }
} as const

const INVOICES = "Id,Issued,Due,Gross,Buyer,Land"
const PAYMENTS = "Id,Day,Amount,For"

const row = (n: number) => `I${n},2026-01-31,2026-03-02,${n}.50,"Żółć, Ltd 🫖 ${n % 7}",GB`

/** More than a page, with what cannot be read, what is odd and what is large. */
const LEDGER = [
  ...Array.from({ length: 2500 }, (_, n) => row(n)),
  "B1,never,2026-03-02,1.00,Harbour,GB",
  "B2,2026-01-31,2026-03-02,1.00,Harbour,Atlantis",
  "B3,2026-01-31,2026-03-02,123456789012345.99,Harbour,GB"
]
const PAID = ["P1,2026-02-01,1.50,I1", "P2,2026-02-01,9.99,", "P3,2026-02-02,-1.00,I2"]

const HERE = undefined
const THREAD: ReaderEntry = { module: new URL("../../../cli/Reader.ts", import.meta.url), connectors: ["files"] }

const connection = {
  id: "books",
  connector: { ...files, isHeavy: () => Effect.succeed(true) },
  settings: SETTINGS,
  planning
}

const read = (path: string, reader: ReaderEntry | undefined) =>
  pull(connection, { folder: path }).pipe(Effect.provideService(ReaderThread, reader))

/** All that reading leaves behind, but for when. */
const TABLES = [
  "SELECT key, scan, n, deleted, body FROM document ORDER BY id",
  "SELECT d.key, v.n, v.deleted, v.body FROM version v JOIN document d ON d.id = v.document ORDER BY 1, 2",
  "SELECT id, scan, size, content FROM record_page ORDER BY id",
  "SELECT id, record FROM document ORDER BY id",
  "SELECT invoice, document FROM allocation ORDER BY 1, 2",
  "SELECT subject, n FROM changed ORDER BY 1",
  "SELECT * FROM control ORDER BY 1, 2",
  "SELECT connection, scan, kind, id, origin, raw, field, why FROM quarantine ORDER BY origin",
  "SELECT * FROM notice ORDER BY 3, 4",
  "SELECT connection, json_extract(bookmark, '$.files'), reading FROM bookmark",
  "SELECT connection, kind, member, documents, had FROM schema_drift ORDER BY 1, 2, 3"
]

const books = (reader: ReaderEntry | undefined) =>
  Effect.gen(function* () {
    const path = yield* folder
    const db = yield* Database
    const write = (name: string, ...lines: ReadonlyArray<string>) =>
      writeFileSync(join(path, name), `${lines.join("\n")}\n`)
    write("invoices.csv", INVOICES, ...LEDGER)
    write("payments.csv", PAYMENTS, ...PAID)
    const first = yield* read(path, reader)
    write("invoices.csv", INVOICES, row(3001), ...LEDGER.slice(2), row(3).replace("3.50", "4.50"))
    const second = yield* read(path, reader)
    return { first, second, tables: TABLES.map((sql) => db.prepare(sql).raw().all()) }
  }).pipe(Effect.provide(Layer.merge(Database.layer({ file: ":memory:", mode: "write" }), outside), { local: true }))

describe("a source that is read in a thread of its own", () => {
  it.live("comes to the same books, with what could not be read, what was odd and what changed", () =>
    Effect.gen(function* () {
      const here = yield* books(HERE)
      const there = yield* books(THREAD)
      assert.deepStrictEqual(there, here)
      assert.deepInclude(here.first, { added: 2504, quarantined: 2 })
      assert.deepInclude(here.second, { added: 1, deleted: 2 })
    })
  )

  it.live("fails as it fails in this one, and where the thread dies says that", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const here = yield* Effect.flip(read(path, HERE))
      const there = yield* Effect.flip(read(path, THREAD))
      assert.deepStrictEqual([there._tag, there.message], [here._tag, here.message])
      assert.match(here.message, /there is no file at/)
      const dead = yield* Effect.flip(
        read(path, { ...THREAD, module: new URL("data:text/javascript,throw new Error('x')") })
      )
      assert.match(dead.message, /the connector failed: x/)
      const early = yield* Effect.flip(read(path, { ...THREAD, module: new URL("data:text/javascript,") }))
      assert.match(early.message, /the thread that reads it ended before it was through/)
    }).pipe(Effect.provide(Layer.merge(Database.layer({ file: ":memory:", mode: "write" }), outside)))
  )

  it.live("is left at once by who is interrupted, also while it says nothing", () =>
    Effect.gen(function* () {
      const silent = new URL("data:text/javascript,setInterval(() => {}, 1000)")
      const reading = yield* Effect.forkChild(read(yield* folder, { ...THREAD, module: silent }))
      yield* Effect.sleep(50)
      yield* Fiber.interrupt(reading)
    }).pipe(Effect.provide(Layer.merge(Database.layer({ file: ":memory:", mode: "write" }), outside)))
  )

  it.live("has one of two threads; a third source is read in the thread that writes meanwhile", () =>
    Effect.gen(function* () {
      const silent = new URL("data:text/javascript,setInterval(() => {}, 1000)")
      const path = yield* folder
      const busy = Effect.scoped(
        Effect.gen(function* () {
          const reading = Stream.runDrain(
            ReadingThread.pages(connection, { folder: path }, { after: undefined, module: silent })
          )
          for (const _ of [1, 2]) yield* Effect.forkScoped(reading)
          while (ReadingThread.mayStart()) yield* Effect.sleep(5)
          // Silent threads would never bring a page.
          const third = yield* Effect.flip(read(path, { ...THREAD, module: silent }))
          assert.match(third.message, /there is no file at/)
        })
      )
      yield* busy
      assert.isTrue(ReadingThread.mayStart())
    }).pipe(Effect.provide(Layer.merge(Database.layer({ file: ":memory:", mode: "write" }), outside)))
  )
})

describe("files", () => {
  it.live("are worth a thread where one is large and was not read as it is", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "invoices.csv")
      const { payments: _, ...settings } = SETTINGS
      const isHeavy = (looks: Readonly<Record<string, { readonly file: string; readonly at: number }>> = {}) =>
        files.isHeavy?.(settings, { files: {}, looks }, { folder: path }) ?? Effect.succeed(undefined)
      assert.isFalse(yield* isHeavy(), "one that is missing is told of where it is read")
      writeFileSync(file, INVOICES)
      assert.isFalse(yield* isHeavy())
      truncateSync(file, 1 << 23)
      assert.isTrue(yield* isHeavy())
      // Long after it was written.
      const look = yield* Effect.promise(() => Looks.look(file, Date.now() + 60_000))
      assert.isFalse(yield* isHeavy({ "invoices/invoices.csv": look }))
    })
  )
})
