/**
 * Several parts of a source that state the same documents: archives beside a current export, one export a day, ids that begin
 * anew in each file. A document is deleted only if no part states it any more.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Copy, Page } from "../../../connectors/Connector.ts"
import type * as Document from "../../../connectors/Document.ts"
import { Intake } from "../../../sync/books/DocumentStore.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Body from "../../../sync/state/Body.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { read } from "../Source.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

interface File {
  readonly name: string
  readonly copy?: Copy | undefined
  readonly has: ReadonlyArray<Document.Document>
}

/** A whole reading of a file. Without `copy`, of a list as it is now. */
const whole = ({ copy, has, name }: File): Page<unknown> => ({
  read: has.map(read),
  quarantined: [],
  bookmark: {},
  scan: { name, begins: true, ends: true, ...(copy === undefined ? {} : { copy }) }
})

const removed = (name: string): Page<unknown> => ({
  read: [],
  quarantined: [],
  bookmark: {},
  scan: { name },
  gone: [name]
})

const take = (db: Database["Service"], ...pages: ReadonlyArray<Page<unknown>>) => {
  const intake = new Intake(db, "books")
  return Effect.forEach(pages, (one, n) => intake.keep(one, JSON.stringify({ page: n })), { discard: true })
}

const grosses = (db: Database["Service"]) =>
  Object.fromEntries(
    (
      db.prepare("SELECT key, body, deleted FROM document ORDER BY key").all() as ReadonlyArray<{
        readonly key: string
        readonly body: string
        readonly deleted: number
      }>
    ).map(({ body, deleted, key }) => {
      const document = Body.read(body)
      const what = document.kind === "invoice" ? document.gross : "unallocated" in document ? document.unallocated : 0n
      return [key.replace("books/", ""), deleted === 1 ? "deleted" : String((what ?? 0n) / 100_000_000n)]
    })
  )

const quarantined = (db: Database["Service"]) =>
  db.prepare("SELECT id, why FROM quarantine").raw().all() as ReadonlyArray<[string, string]>

/** Control totals: of each part that does not agree. */
const unequal = (db: Database["Service"]) =>
  db
    .prepare(
      "SELECT p.name FROM control c JOIN scan p ON p.id = c.scan WHERE source_count <> books_count OR source_sum <> books_sum"
    )
    .pluck()
    .all()

const file = (name: string, has: ReadonlyArray<Document.Document>, copy: Copy = {}): Page<unknown> =>
  whole({ name, has, copy })

const of = (id: string, gross = "100.00", more = {}) => invoice({ id, gross, net: gross, ...more })

const run = (work: (db: Database["Service"]) => Effect.Effect<void, unknown>) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* work(db)
    assert.deepStrictEqual(unequal(db), [])
  }).pipe(Effect.orDie, Effect.provide(memory))

describe("several parts of a source", () => {
  for (const copy of [{}, undefined])
    it.effect(`what one part loses and another still states stays${copy === undefined ? ", in lists too" : ""}`, () =>
      run((db) =>
        Effect.gen(function* () {
          const [one, two] = [of("1"), of("2")]
          yield* take(
            db,
            whole({ name: "archive", has: [one], copy }),
            whole({ name: "current", has: [one, two], copy })
          )
          yield* take(db, whole({ name: "current", has: [two], copy }))
          assert.deepStrictEqual(grosses(db), { "invoice/1": "100", "invoice/2": "100" })
          yield* take(db, whole({ name: "archive", has: [], copy }))
          assert.deepStrictEqual(grosses(db), { "invoice/1": "deleted", "invoice/2": "100" })
        })
      )
    )

  it.effect("and the part that stated it first loses it", () =>
    run((db) =>
      Effect.gen(function* () {
        yield* take(db, file("a", [of("1"), of("2")]), file("b", [of("1")]))
        yield* take(db, file("a", [of("2")]))
        assert.deepStrictEqual(grosses(db), { "invoice/1": "100", "invoice/2": "100" })
        yield* take(db, file("b", []))
        assert.deepStrictEqual(grosses(db), { "invoice/1": "deleted", "invoice/2": "100" })
      })
    )
  )

  it.effect("a removed file's documents stay, and belong to whoever states them from then on", () =>
    run((db) =>
      Effect.gen(function* () {
        yield* take(db, file("old.csv", [of("1"), of("2")]))
        yield* take(db, removed("old.csv"), file("new.csv", [of("1", "120.00")]))
        assert.deepStrictEqual(grosses(db), { "invoice/1": "120", "invoice/2": "100" })
        assert.deepStrictEqual(quarantined(db), [])
        yield* take(db, file("new.csv", []))
        assert.deepStrictEqual(grosses(db), { "invoice/1": "deleted", "invoice/2": "100" })
      })
    )
  )

  it.effect("two files that state differently what is open of an invoice say so in its currency", () =>
    run((db) =>
      Effect.gen(function* () {
        const open = (amount: string) => ({ ...of("1"), stated: { open: Decimal.of(amount) } })
        yield* take(db, file("a.csv", [open("250.00")]), file("b.csv", [open("100.00")]))
        assert.match(quarantined(db)[0]?.[1] ?? "", /open 250\.00 [A-Z]{3} .*, open 100\.00 [A-Z]{3} /)
      })
    )
  )

  it.effect("two files that state an invoice differently: neither stands, until they agree", () =>
    run((db) =>
      Effect.gen(function* () {
        yield* take(db, file("a.csv", [of("1", "300.00")]), file("b.csv", [of("1", "350.00"), of("2")]))
        assert.deepStrictEqual(grosses(db), { "invoice/1": "300", "invoice/2": "100" })
        const [[id, why] = ["", ""]] = quarantined(db)
        assert.strictEqual(id, "1")
        assert.match(why, /two files state 1 differently: .*gross 300\.00 .*, 350\.00 /)
        // An edit of either does not decide.
        yield* take(db, file("b.csv", [of("1", "360.00"), of("2")]))
        assert.strictEqual(grosses(db)["invoice/1"], "300")
        assert.match(quarantined(db)[0]?.[1] ?? "", /360\.00/)
        yield* take(db, file("a.csv", [of("1", "360.00")]))
        assert.strictEqual(grosses(db)["invoice/1"], "360")
        assert.deepStrictEqual(quarantined(db), [])
      })
    )
  )

  it.effect("the one that contradicted goes: what is left stands", () =>
    run((db) =>
      Effect.gen(function* () {
        yield* take(db, file("a.csv", [of("1", "300.00")]), file("b.csv", [of("1", "350.00")]))
        yield* take(db, file("a.csv", []))
        assert.deepStrictEqual([grosses(db)["invoice/1"], quarantined(db)], ["350", []])
        yield* take(db, file("a.csv", [of("1", "300.00")]))
        assert.lengthOf(quarantined(db), 1)
        yield* take(db, removed("a.csv"))
        assert.deepStrictEqual([grosses(db)["invoice/1"], quarantined(db)], ["350", []])
      })
    )
  )

  it.effect("an edited file stands against one that still says what it said itself", () =>
    run((db) =>
      Effect.gen(function* () {
        yield* take(db, file("archive.csv", [of("1")]), file("current.csv", [of("1")]))
        yield* take(db, file("current.csv", [of("1", "80.00", { status: "paid" })]))
        assert.deepStrictEqual([grosses(db)["invoice/1"], quarantined(db)], ["80", []])
        // Reading the archive again, for another row, changes nothing.
        yield* take(db, file("archive.csv", [of("1"), of("3")]))
        assert.deepStrictEqual([grosses(db)["invoice/1"], quarantined(db)], ["80", []])
        // A copy of what was said before is an older one.
        yield* take(db, file("copy.csv", [of("1")]))
        assert.deepStrictEqual([grosses(db)["invoice/1"], quarantined(db)], ["80", []])
      })
    )
  )

  it.effect("the later of dated exports stands, in whichever order they are read", () =>
    run((db) =>
      Effect.gen(function* () {
        const dated = (day: string, gross: string) =>
          file(`export-${day}.csv`, [of("1", gross)], { asOf: day, from: day })
        yield* take(db, dated("2026-11-25", "350.00"), dated("2026-11-24", "300.00"), dated("2026-11-26", "360.00"))
        assert.deepStrictEqual([grosses(db)["invoice/1"], quarantined(db)], ["360", []])
        yield* take(db, dated("2026-11-24", "310.00"))
        assert.deepStrictEqual([grosses(db)["invoice/1"], quarantined(db)], ["360", []])
      })
    )
  )

  it.effect("payments whose ids begin anew in each file are as many as there are", () =>
    run((db) =>
      Effect.gen(function* () {
        const year = (y: number, ...amounts: ReadonlyArray<string>) =>
          file(
            `p/${y}.csv`,
            amounts.map((amount, n) => ({ ...payment(String(n + 1), amount), date: `${y}-01-1${n}` as never })),
            { from: `${y}-01-01`, asOf: `${y}-12-31` }
          )
        yield* take(db, year(2025, "30.00", "40.00"), year(2026, "30.00", "50.00"))
        const ids = () => Object.keys(grosses(db)).map((one) => one.replace("payment/", ""))
        assert.deepStrictEqual(ids(), ["1", "1@p/2026.csv", "2", "2@p/2026.csv"])
        yield* take(db, year(2026, "30.00", "55.00"), year(2025, "30.00"))
        assert.strictEqual(grosses(db)["payment/2"], "deleted")
        yield* take(db, year(2026, "30.00", "56.00"))
        assert.deepStrictEqual(ids(), ["1", "1@p/2026.csv", "2", "2@p/2026.csv"])
        assert.strictEqual(grosses(db)["payment/2"], "deleted")
        assert.deepStrictEqual(quarantined(db), [])
      })
    )
  )
})

describe("a list that shows a window of time", () => {
  const days = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => {
      const day = new Date(Date.UTC(2026, 0, from + n)).toISOString().slice(0, 10)
      return of(String(from + n), "100.00", { issued: day, due: day })
    })
  const deleted = (db: Database["Service"]) => Object.values(grosses(db)).filter((one) => one === "deleted").length

  it.effect("keeps what left it as the oldest, as new records came; from then on even one", () =>
    run((db) =>
      Effect.gen(function* () {
        yield* take(db, file("current.csv", days(1, 61)))
        yield* take(db, file("current.csv", days(5, 65)))
        assert.strictEqual(deleted(db), 0)
        yield* take(db, file("current.csv", days(6, 65)))
        assert.strictEqual(deleted(db), 0)
        // One between others was deleted.
        yield* take(db, file("current.csv", days(6, 65).toSpliced(30, 1)))
        assert.strictEqual(deleted(db), 1)
        // An archive that appears later states them again.
        yield* take(db, file("archive.csv", days(1, 6)))
        yield* take(db, file("archive.csv", days(2, 6).concat(days(20, 21))))
        assert.strictEqual(grosses(db)["invoice/1"], "deleted")
      })
    )
  )

  for (const [what, copy, left] of [
    ["what left a short list may have been deleted", {}, 1],
    ["unless the setting says that it is a window", { window: true }, 0]
  ] as const)
    it.effect(what, () =>
      run((db) =>
        Effect.gen(function* () {
          yield* take(db, file("current.csv", days(1, 5), copy))
          yield* take(db, file("current.csv", days(2, 6), copy))
          assert.strictEqual(deleted(db), left)
        })
      )
    )

  const paid = (id: string, date: string) => payment(id, { "": "100.00" }, date, { reference: `text of ${id}` })
  const bank = (db: Database["Service"], ...has: ReadonlyArray<Document.Document>) =>
    new Intake(db, "books", "pays").keep(file("current.csv", has), "{}")

  it.effect(
    "payments for other books that leave as the oldest stay, though the list was short or has nothing left",
    () =>
      run((db) =>
        Effect.gen(function* () {
          yield* bank(db, paid("1", "2026-01-10"), paid("2", "2026-01-20"), paid("3", "2026-01-25"))
          yield* bank(db, paid("2", "2026-01-20"), paid("3", "2026-01-25"))
          yield* bank(db, paid("3", "2026-01-25"), paid("4", "2026-02-20"))
          yield* bank(db, paid("5", "2026-03-20"))
          yield* bank(db)
          assert.strictEqual(deleted(db), 0)
        })
      )
  )

  it.effect("a list that is known to be a window may have nothing left", () =>
    run((db) =>
      Effect.gen(function* () {
        yield* take(db, file("current.csv", days(1, 3), { window: true }), file("current.csv", [], { window: true }))
        assert.strictEqual(deleted(db), 0)
      })
    )
  )

  it.effect(
    "payments for other books are deleted if later ones left, or if they are there again with another day",
    () =>
      run((db) =>
        Effect.gen(function* () {
          yield* bank(db, paid("1", "2026-01-10"), paid("2", "2026-01-20"))
          yield* bank(db, paid("1", "2026-01-10"))
          assert.strictEqual(deleted(db), 1)
          yield* bank(db, { ...paid("3", "2026-02-10"), reference: "text of 1" })
          assert.strictEqual(deleted(db), 2)
        })
      )
  )
})
