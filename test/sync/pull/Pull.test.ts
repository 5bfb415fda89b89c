/**
 * Reading a stranger's source: pages that make no sense, the last page over and over, edits while it is read, a
 * connector that throws. The books stay as the last whole page made them, and the error names the connection.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Stream } from "effect"
import { HttpClient } from "effect/http"
import { type Page, SourceError, Unreachable } from "../../../connectors/Connector.ts"
import type * as Document from "../../../connectors/Document.ts"
import * as Bookmarks from "../../../sync/books/Bookmarks.ts"
import { statements } from "../../../sync/reconciliation/InvoiceStatement.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Status from "../../../sync/reports/Status.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { type Bookmark, connection, connector, read, whole } from "../Source.ts"

const outside = Layer.mergeAll(
  Database.layer({ file: ":memory:", mode: "write" }),
  FileSystem.layerNoop({}),
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.never)
  )
)

const page = (
  documents: ReadonlyArray<Document.Document>,
  n: number,
  scan?: Page<unknown>["scan"]
): Page<Bookmark> => ({
  read: documents.map(read),
  quarantined: [],
  bookmark: { page: n },
  ...(scan === undefined ? {} : { scan })
})

const of = (...pages: ReadonlyArray<unknown>) =>
  connector(() => Stream.fromIterable(pages as ReadonlyArray<Page<Bookmark>>))

const take = (source: ReturnType<typeof connector>) => pull(connection(source), { folder: "." })

const keys = (db: Database["Service"]) =>
  db.prepare("SELECT key FROM document WHERE deleted = 0 ORDER BY key").pluck().all()
const bookmark = (db: Database["Service"]) => db.prepare("SELECT bookmark FROM bookmark").pluck().get()

/** Pulls after a whole page, and answers how it failed. */
const failing = (...pages: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const error = yield* Effect.flip(take(of(page([invoice()], 1), ...pages)))
    assert.instanceOf(error, SourceError)
    assert.strictEqual((error as SourceError).connection, "books")
    assert.deepStrictEqual(keys(db), ["books/invoice/I1"], "the page before it is kept, and nothing of this one")
    assert.strictEqual(bookmark(db), '{"page":1}')
    return error.message
  }).pipe(Effect.provide(outside, { local: true }))

describe("pages that make no sense", () => {
  const bad = (changes: object) => ({ ...invoice({ id: "I2" }), ...changes })
  const cases: ReadonlyArray<readonly [what: string, page: unknown, message: string]> = [
    ["no page at all", null, "a page cannot be read: it has no lists read and quarantined"],
    ["no list of records", { bookmark: { page: 2 } }, "a page cannot be read: it has no lists read and quarantined"],
    [
      "a record without a document",
      { ...page([], 2), read: [{ raw: "", origin: "x:1" }] },
      "x:1 cannot be read: its document is not a document"
    ],
    [
      "an unknown kind",
      page([bad({ kind: "basket" }) as never], 2),
      "memory:0 cannot be read: its kind is not one of invoice, payment, reversal, credit_note, payout, order, fulfilment, cancellation, return"
    ],
    ["an empty id", page([bad({ id: "" }) as never], 2), "memory:0 cannot be read: its id is not a non-empty text"],
    [
      "an amount that is a JavaScript number",
      page([bad({ gross: 12.5 }) as never], 2),
      "memory:0 cannot be read: its gross is not an exact amount (a bigint at 10^-8)"
    ],
    [
      "no amount at all",
      page([bad({ gross: undefined, net: undefined }) as never], 2),
      "memory:0 cannot be read: it has neither net nor gross"
    ],
    [
      "a day that does not exist",
      page([bad({ due: "2026-02-30" }) as never], 2),
      "memory:0 cannot be read: its due is not a day like 2026-03-31"
    ],
    [
      "a currency in words",
      page([bad({ currency: "pounds" }) as never], 2),
      "memory:0 cannot be read: its currency is not three capital letters"
    ],
    [
      "a negative payment",
      page([payment("P1", "-5.00")], 2),
      "memory:0 cannot be read: its shares is not a list of { invoice, amount }, each amount an exact amount (a bigint at 10^-8) and not negative"
    ],
    [
      "a record quarantined without a reason",
      { ...page([], 2), quarantined: [{ kind: "invoice", origin: "x:9", raw: "" }] },
      "x:9 cannot be read: quarantined, but its why is not a text"
    ],
    ["a scan without a name", page([], 2, { name: "" }), "a page cannot be read: its scan has no name"],
    [
      "a bookmark that is not the connector's own",
      { ...page([invoice({ id: "I2" })], 2), bookmark: { page: "two" } },
      "its own bookmark cannot be read: Expected number"
    ]
  ]
  for (const [what, one, message] of cases) {
    it.effect(what, () =>
      Effect.gen(function* () {
        assert.include(yield* failing(one), `memory: ${message}`)
      })
    )
  }
})

describe("a source that behaves oddly", () => {
  it.effect("the last page over and over, and empty pages between, add nothing twice", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const last = page([invoice({ id: "I2" }), payment("P1", { I2: "5.00" })], 3)
      const taken = yield* take(of(page([invoice()], 1), page([], 2), last, last, last, page([], 3)))
      assert.deepInclude(taken, { added: 3, changed: 0, deleted: 0 })
      assert.deepStrictEqual(statements(db, ["books"]), [], "nothing that was read is missing in the books")
      assert.strictEqual(bookmark(db), '{"page":3}')
    }).pipe(Effect.provide(outside, { local: true }))
  )

  it.effect("edits while it is read: the later state counts, once", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const part = { name: "invoices" }
      yield* take(
        of(
          page([invoice({ gross: "10.00" }), invoice({ id: "I2" })], 1, { ...part, begins: true }),
          page([invoice({ gross: "30.00" })], 2, part),
          page([invoice({ id: "I3" }), invoice({ id: "I2" })], 3, { ...part, ends: true })
        )
      )
      assert.deepStrictEqual(
        keys(db),
        ["I1", "I2", "I3"].map((id) => `books/invoice/${id}`)
      )
      assert.deepStrictEqual(db.prepare("SELECT source_count, source_sum, books_count, books_sum FROM control").all(), [
        { source_count: 3, source_sum: "27000000000", books_count: 3, books_sum: "27000000000" }
      ])
    }).pipe(Effect.provide(outside, { local: true }))
  )

  it.effect("what is gone from a complete scan has vanished; what an interrupted one did not reach has not", () =>
    Effect.gen(function* () {
      const db = yield* Database
      let held: ReadonlyArray<Document.Document> = ["I1", "I2", "I3"].map((id) => invoice({ id }))
      yield* take(whole(() => held))
      held = held.slice(0, 1)
      const part = { name: "all", begins: true }
      const down = new SourceError({ connector: "memory", reason: new Unreachable({ why: "the line was cut" }) })
      const cut = connector(() => Stream.concat(Stream.make(page(held, 1, part)), Stream.fail(down)))
      const error = yield* Effect.flip(take(cut))
      assert.deepInclude(error, { connection: "books", message: "memory: cannot be reached: the line was cut" })
      assert.strictEqual(keys(db).length, 3)
      assert.deepInclude(yield* take(whole(() => held)), { deleted: 2 })
      assert.deepStrictEqual(keys(db), ["books/invoice/I1"])
    }).pipe(Effect.provide(outside, { local: true }))
  )

  it.effect("a pull that fails goes on where the last whole page left it", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const asked: Array<number | undefined> = []
      const source = connector((after) => {
        asked.push(after?.page)
        const from = after?.page ?? 0
        return Stream.fromIterable([1, 2, 3, 4].filter((n) => n > from)).pipe(
          Stream.mapEffect((n) =>
            n === 3 && asked.length === 1
              ? Effect.fail(new SourceError({ connector: "memory", reason: new Unreachable({ why: "503" }) }))
              : Effect.succeed(page([invoice({ id: `I${n}` })], n))
          )
        )
      })
      yield* Effect.flip(take(source))
      assert.strictEqual(keys(db).length, 2)
      assert.deepInclude(yield* take(source), { read: 2, added: 2 })
      assert.deepStrictEqual(asked, [undefined, 2])
      assert.strictEqual(keys(db).length, 4)
    }).pipe(Effect.provide(outside, { local: true }))
  )

  it.effect("a pull that brings nothing is whole however it ends, once the source was read to its end", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const isReading = () => Bookmarks.isReading(db, "books")
      const lost = Stream.fail(new SourceError({ connector: "memory", reason: new Unreachable({ why: "503" }) }))
      const cutOff = (...pages: ReadonlyArray<Page<Bookmark>>) =>
        Effect.flip(take(connector(() => Stream.concat(Stream.fromIterable(pages), lost))))

      yield* cutOff(page([], 1))
      assert.isTrue(isReading(), "nobody knows what is in it")
      yield* take(of(page([invoice()], 2)))
      assert.isFalse(isReading())
      yield* cutOff(page([], 3))
      assert.isFalse(isReading(), "all that the books say stands as it did")
      assert.strictEqual(bookmark(db), '{"page":3}')
      yield* cutOff(page([], 4), page([invoice({ id: "I2" })], 5))
      assert.isTrue(isReading(), "there may be more of it")
      yield* cutOff(page([], 6))
      assert.isTrue(isReading(), "and still")
    }).pipe(Effect.provide(outside))
  )

  it.effect("a bookmark of another version is no loss: everything is read once more", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const asked: Array<Bookmark | undefined> = []
      const source = connector((after) => {
        asked.push(after)
        return Stream.make(page([invoice()], 7))
      })
      yield* take(source)
      db.raw.exec(`UPDATE bookmark SET bookmark = '{"cursor":"of old"}'`)
      assert.deepInclude(yield* take(source), { read: 1, added: 0, changed: 0 })
      assert.deepStrictEqual(asked, [undefined, undefined])
      assert.strictEqual(bookmark(db), '{"page":7}')
    }).pipe(Effect.provide(outside, { local: true }))
  )

  it.effect("a connector that throws is the source's error, not ours", () =>
    Effect.gen(function* () {
      const thrown = () => {
        throw new TypeError("cannot read properties of undefined")
      }
      for (const source of [
        connector(thrown),
        connector(() => Stream.concat(Stream.make(page([invoice()], 1)), Stream.suspend(thrown)))
      ]) {
        const error = yield* Effect.flip(take(source))
        assert.deepInclude(error, { _tag: "SourceError", connection: "books" })
        assert.strictEqual(
          error.message,
          "memory: the source cannot be read: the connector failed: TypeError: cannot read properties of undefined"
        )
      }
    }).pipe(Effect.provide(outside, { local: true }))
  )

  it.effect("equal notices are counted, and a new reading of the part begins anew", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const notice = { origin: "invoices:1", what: 'country "897" is not known; left out' }
      const one = { ...page([invoice()], 1, { name: "invoices", begins: true, ends: true }), notices: [notice, notice] }
      for (let n = 0; n < 2; n++) {
        yield* take(of(one))
        assert.deepStrictEqual(Status.notices(db, 9), [
          { connection: "books", scan: "invoices", what: notice.what, origin: "invoices:1", times: 2 }
        ])
      }
    }).pipe(Effect.provide(outside, { local: true }))
  )
})

describe("a bookmark that several pages have", () => {
  it("is written where it changed, though it is the same object; and stays where it is frozen", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const one = { page: 1 }
      const changing = Stream.map(Stream.fromIterable([1, 2, 3]), (n) => {
        one.page = n
        return { ...page([invoice({ id: `I${n}` })], n), bookmark: one }
      })
      yield* take(connector(() => changing))
      assert.strictEqual(bookmark(db), '{"page":3}')
      const frozen = Object.freeze({ page: 9 })
      const pages = [4, 5].map((n) => ({ ...page([invoice({ id: `I${n}` })], n), bookmark: frozen }))
      const failing = Stream.concat(
        Stream.fromIterable(pages),
        Stream.fail(new SourceError({ connector: "source", reason: new Unreachable({ why: "gone" }) }))
      )
      yield* Effect.flip(take(connector(() => failing)))
      assert.strictEqual(bookmark(db), '{"page":9}')
      assert.isTrue(Bookmarks.isReading(db, "books"), "it was interrupted")
      assert.deepStrictEqual(keys(db), [
        "books/invoice/I1",
        "books/invoice/I2",
        "books/invoice/I3",
        "books/invoice/I4",
        "books/invoice/I5"
      ])
      yield* take(of({ ...page([], 9), bookmark: frozen }))
      assert.isFalse(Bookmarks.isReading(db, "books"))
    }).pipe(Effect.provide(outside, { local: true }), Effect.runPromise))
})
