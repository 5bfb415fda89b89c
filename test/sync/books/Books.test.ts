/**
 * Taking pages into the books: versions, deletions, records quarantined, bookmarks, and the control totals, which a
 * model that adds everything up anew must agree with after any sequence of pages.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "../../../connectors/Connector.ts"
import type * as Document from "../../../connectors/Document.ts"
import { Intake } from "../../../sync/books/DocumentStore.ts"
import { statements } from "../../../sync/reconciliation/InvoiceStatement.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as QuarantinedRecords from "../../../sync/reports/QuarantinedRecords.ts"
import * as Status from "../../../sync/reports/Status.ts"
import * as History from "../../../sync/reports/History.ts"
import { creditNote, invoice, key, payment } from "../../support/Documents.ts"
import { parcel } from "../../support/Orders.ts"
import { read } from "../Source.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

type Some = Partial<Omit<Page<unknown>, "read">> & { readonly read?: ReadonlyArray<Document.Document> }

/** A page of the part `invoices.csv`, begun and ended by it unless it says otherwise. */
const page = ({ read: documents = [], ...rest }: Some = {}): Page<unknown> => ({
  read: documents.map(read),
  quarantined: [],
  bookmark: {},
  scan: { name: "invoices.csv", begins: true, ends: true },
  ...rest
})

const record = (id: string | undefined, origin = "invoices.csv:7") => ({
  kind: "invoice" as const,
  origin,
  raw: "x;y",
  why: 'the amount "x" is no number',
  ...(id === undefined ? {} : { id })
})

const take = (db: Database["Service"], ...pages: ReadonlyArray<Page<unknown>>) => {
  const intake = new Intake(db, "books")
  return Effect.as(
    Effect.forEach(pages, (one, n) => intake.keep(one, JSON.stringify({ page: n })), { discard: true }),
    intake
  )
}

const changed = (db: Database["Service"]) => db.prepare("SELECT subject FROM changed ORDER BY 1").pluck().all()

/** Forgets what is to be planned, as a run does that settled it. */
const settle = (db: Database["Service"]) => db.raw.exec("DELETE FROM changed")

const current = (db: Database["Service"]) =>
  db.prepare("SELECT key, n, deleted FROM document ORDER BY key").raw().all() as ReadonlyArray<unknown>

describe("the books", () => {
  it.effect("a document that is read again unchanged costs nothing: no version, nothing to plan", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const documents = [invoice(), payment("P1", "20.00")]
      assert.deepInclude((yield* take(db, page({ read: documents }))).counts, { read: 2, added: 2, changed: 0 })
      assert.deepStrictEqual(changed(db), [key("invoice", "I1")])
      settle(db)
      assert.deepInclude((yield* take(db, page({ read: documents }))).counts, { read: 2, added: 0, changed: 0 })
      assert.deepStrictEqual(changed(db), [])
      assert.deepStrictEqual(current(db), [
        [key("invoice", "I1"), 1, 0],
        [key("payment", "P1"), 1, 0]
      ])
    }).pipe(Effect.provide(memory))
  )

  it.effect("an edit keeps the earlier version, with its record and the time that it was seen", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* take(db, page({ read: [invoice()] }))
      yield* TestClock.adjust("1 day")
      yield* take(db, page({ read: [invoice({ gross: "99.00" })] }))
      const [first, second] = History.versions(db, key("invoice", "I1"))
      assert.deepStrictEqual(first!.document, invoice())
      assert.include(first!.raw, '"gross":"12000000000"')
      assert.deepInclude(second!, { n: 2, deleted: false, document: invoice({ gross: "99.00" }) })
      assert.strictEqual(second!.read - first!.read, 86_400_000)
    }).pipe(Effect.provide(memory))
  )

  it.effect("exactly the invoices that a change touches are planned again", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const invoices = ["I1", "I2", "I3", "I4"].map((id) => invoice({ id }))
      const before = [...invoices, payment("P1", { I1: "5.00", I2: "5.00" }), creditNote("C1", { I4: "1.00" })]
      yield* take(db, page({ read: before }))
      settle(db)
      const moved = [...invoices, payment("P1", { I2: "5.00", I3: "5.00" }), creditNote("C1", { I4: "1.00" })]
      yield* take(db, page({ read: moved }))
      assert.deepStrictEqual(
        changed(db),
        ["I1", "I2", "I3"].map((id) => key("invoice", id))
      )
      assert.deepStrictEqual(History.facts(db, key("invoice", "I1")), [])
      settle(db)
      yield* take(db, page({ read: invoices }))
      assert.deepStrictEqual(
        changed(db),
        ["I2", "I3", "I4"].map((id) => key("invoice", id))
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("what is stored of an order that a page has all of, and is not in the page, is deleted", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const [one, two, three] = ["1", "2", "3"].map((id) => parcel(id, {}, "2026-03-02"))
      const other = parcel("4", {}, "2026-03-02", "another")
      const bare = { scan: { name: "" } }
      yield* take(db, page({ ...bare, read: [one!, two!, three!, other] }))
      settle(db)
      const left = () => db.prepare("SELECT key FROM document WHERE deleted = 0 ORDER BY key").pluck().all()
      const keys = (...ids: ReadonlyArray<string>) => ids.map((id) => key("fulfilment", id))
      const complete = [one!.order]
      const unreadable = { ...record("3"), kind: "fulfilment" as const }
      yield* take(db, page({ ...bare, read: [one!], complete, quarantined: [record(undefined)] }))
      assert.deepStrictEqual(left(), keys("1", "2", "3", "4"), "it is not known what could not be read")
      yield* take(db, page({ ...bare, read: [one!], complete, quarantined: [unreadable] }))
      assert.deepStrictEqual(left(), keys("1", "3", "4"))
      assert.deepStrictEqual(changed(db), [key("order", one!.order)])
      yield* take(db, page({ ...bare, read: [], complete }))
      assert.deepStrictEqual(left(), keys("4"))
    }).pipe(Effect.provide(memory))
  )

  it.effect("what a part held and holds no longer has vanished, once the part was read to its end", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const both = [invoice(), invoice({ id: "I2" })]
      yield* take(
        db,
        page({ read: both }),
        page({ read: [invoice({ id: "I9" })], scan: { name: "other.csv", begins: true, ends: true } })
      )
      settle(db)
      const name = "invoices.csv"
      const half = yield* take(db, page({ read: [invoice()], scan: { name, begins: true } }))
      assert.strictEqual(half.counts.deleted, 0, "the part was not read to its end")
      const rest = yield* take(db, page({ read: [], scan: { name, ends: true } }))
      assert.strictEqual(rest.counts.deleted, 0, "its beginning was read by a pull that died")
      assert.deepStrictEqual(changed(db), [])
      assert.strictEqual((yield* take(db, page({ read: [invoice()] }))).counts.deleted, 1)
      assert.deepStrictEqual(changed(db), [key("invoice", "I2")])
      assert.deepStrictEqual(current(db), [
        [key("invoice", "I1"), 1, 0],
        [key("invoice", "I2"), 2, 1],
        [key("invoice", "I9"), 1, 0]
      ])
      settle(db)
      assert.deepInclude((yield* take(db, page({ read: both }))).counts, { added: 0, changed: 1 })
      assert.deepStrictEqual(changed(db), [key("invoice", "I2")], "it is back")
    }).pipe(Effect.provide(memory))
  )

  it.effect("a record that cannot be read is quarantined, keeps what is stored of it, and comes back", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* take(db, page({ read: [invoice(), invoice({ id: "I2" })] }))
      const bad = yield* take(db, page({ read: [invoice()], quarantined: [record("I2")] }))
      assert.deepInclude(bad.counts, { quarantined: 1, deleted: 0 })
      assert.deepInclude(QuarantinedRecords.all(db, 9)[0]!, {
        origin: "invoices.csv:7",
        raw: "x;y",
        why: 'the amount "x" is no number'
      })
      const worse = yield* take(db, page({ read: [], quarantined: [record(undefined)] }))
      assert.deepInclude(worse.counts, { quarantined: 1, deleted: 0 }, "it may be any of them")
      yield* take(db, page({ read: [invoice(), invoice({ id: "I2" })] }))
      assert.strictEqual(Status.quarantinedCount(db), 0)
      assert.deepStrictEqual(statements(db, ["books"]), [])
    }).pipe(Effect.provide(memory))
  )

  it.effect(
    "a read that fails halfway releases only the records it has read; a complete one also those that were removed",
    () =>
      Effect.gen(function* () {
        const db = yield* Database
        const begun = { scan: { name: "invoices.csv", begins: true } }
        const left = () =>
          QuarantinedRecords.all(db, 9)
            .map(({ id, origin }) => `${id} ${origin}`)
            .toSorted()
        yield* take(db, page({ quarantined: [record("I1", "1"), record("I2", "2"), record("I3", "3")] }))
        yield* take(db, page({ ...begun, read: [invoice({ id: "I9" })] }))
        assert.deepStrictEqual(left(), ["I1 1", "I2 2", "I3 3"], "they may come later in the file")
        yield* take(db, page({ ...begun, read: [invoice()], quarantined: [record("I2", "7"), record("I4", "8")] }))
        assert.deepStrictEqual(left(), ["I2 7", "I3 3", "I4 8"], "each is listed once")
        const whole = page({
          read: [invoice(), invoice({ id: "I4" })],
          quarantined: [record("I5", "4"), record("I5", "5")]
        })
        yield* take(db, whole)
        assert.deepStrictEqual(left(), ["I5 4", "I5 5"])
        yield* take(db, whole)
        assert.deepStrictEqual(left(), ["I5 4", "I5 5"])
      }).pipe(Effect.provide(memory))
  )

  it.effect("and not because something else of the same id can be read", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const { scan: _, ...piece } = page()
      yield* take(db, { ...piece, quarantined: [{ ...record("P3", "parcels.csv:4"), kind: "fulfilment" }] })
      yield* take(db, { ...piece, read: [read(payment("P3", "10.00"))] })
      assert.strictEqual(Status.quarantinedCount(db), 1, "the parcel is still not there")
      yield* take(db, { ...piece, read: [read(parcel("P3"))] })
      assert.strictEqual(Status.quarantinedCount(db), 0)
    }).pipe(Effect.provide(memory))
  )

  it.effect("also where a source is read piece by piece", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const { scan: _, ...piece } = page()
      yield* take(db, { ...piece, quarantined: [record("I1", "Invoices/1"), record("I2", "Invoices/2")] })
      yield* take(db, { ...piece, quarantined: [record("I2", "Invoices/2")] })
      assert.strictEqual(Status.quarantinedCount(db), 2, "the same record is listed once")
      yield* take(db, { ...piece, read: [read(invoice())] })
      assert.deepStrictEqual(
        QuarantinedRecords.all(db, 9).map(({ origin }) => origin),
        ["Invoices/2"]
      )
      assert.deepStrictEqual(statements(db, ["books"]), [], "nothing that was read is missing in the books")
    }).pipe(Effect.provide(memory))
  )
})

describe("a pull that dies", () => {
  it("goes on after its last whole page: nothing is lost, nothing is there twice", async () => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-books-"))
    const layer = Database.layer({ file: join(folder, "daybook.db"), mode: "write" })
    const run = <A, E>(work: (db: Database["Service"]) => Effect.Effect<A, E>) =>
      Effect.runPromise(Effect.flatMap(Database, work).pipe(Effect.provide(layer, { local: true }), Effect.scoped))
    try {
      const bookmark = (db: Database["Service"]) => db.prepare("SELECT bookmark FROM bookmark").pluck().get()
      const scan = { name: "invoices.csv" }
      await run((db) => take(db, page({ read: [invoice()], scan: { ...scan, begins: true } })))
      const broken = {
        ...page({ read: [invoice({ id: "I2" })], scan }),
        quarantined: [{ ...record("I3"), raw: undefined }]
      }
      const failed = await run((db) => {
        const intake = new Intake(db, "books")
        return Effect.exit(intake.keep(broken as never, '{"page":1}'))
      })
      assert.strictEqual(failed._tag, "Failure", "the disk refuses half of the page")
      await run((db) =>
        Effect.sync(() => {
          assert.strictEqual(bookmark(db), '{"page":0}')
          assert.deepStrictEqual(current(db), [[key("invoice", "I1"), 1, 0]])
        })
      )
      await run((db) => {
        const intake = new Intake(db, "books")
        return intake.keep(page({ read: [invoice(), invoice({ id: "I2" })], scan }), '{"page":1}')
      })
      await run((db) =>
        Effect.sync(() => {
          assert.strictEqual(bookmark(db), '{"page":1}')
          assert.deepStrictEqual(current(db), [
            [key("invoice", "I1"), 1, 0],
            [key("invoice", "I2"), 1, 0]
          ])
          assert.deepStrictEqual(statements(db, ["books"]), [], "what was read is what the books hold")
        })
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
