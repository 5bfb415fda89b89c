/**
 * Chunks of a file that are as they were are not read again. Whatever is edited, the books come to be as if they had been: two
 * state files follow the same edits, one of which remembers no chunks.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Stream } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { files } from "../../../connectors/files/Files.ts"
import { outside } from "../../../sync/library/ServiceClient.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { Database } from "../../../sync/state/Database.ts"
import { planning } from "../../support/Documents.ts"
import { times } from "../../support/Effort.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "daybook-chunks-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const SETTINGS = {
  invoices: {
    path: "*.csv",
    columns: { id: "Id", issued: "Issued", due: "Due", gross: "Gross", customer: "Buyer", customer_country: "Land" },
    currency: "GBP"
  }
} as const

const HEADER = "Id,Issued,Due,Gross,Buyer,Land"

const row = (n: number, pence = "50") =>
  `I${n},2026-01-31,2026-03-02,${n}.${pence},"Harbour Tea & Coffee Traders, Ltd ${n % 7}",GB`

/** So many rows make several chunks. */
const ROWS = 6000

/** What reading leaves behind, but for when and in which order. */
const TABLES = [
  "SELECT d.key, s.name, d.deleted, d.body FROM document d JOIN scan s ON s.id = d.scan ORDER BY 1",
  "SELECT s.name, c.currency, c.source_count, c.source_sum, c.books_count, c.books_sum FROM control c JOIN scan s ON s.id = c.scan WHERE c.books_count + c.source_count > 0 ORDER BY 1, 2",
  "SELECT scan, kind, id, origin, raw, field, why FROM quarantine ORDER BY 1, 4, 7",
  "SELECT scan, what, origin, times FROM notice ORDER BY 1, 2, 3",
  "SELECT s.name, t.list, t.what, t.field, t.amount, t.read, t.origin FROM stated_total t JOIN scan s ON s.id = t.scan ORDER BY 1, 2, 3, 4",
  "SELECT subject FROM changed ORDER BY 1",
  "SELECT reading FROM bookmark"
]

const random = (seed: number) => {
  let state = seed * 2_654_435_761
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

type Files = Record<"a.csv" | "b.csv", Array<string>>

/** One edit of the files, as people and programs make them. */
const edit = (file: Files, any: (below: number) => number, n: number): void => {
  const rows = file["a.csv"]
  const at = () => any(rows.length)
  const edits: ReadonlyArray<() => unknown> = [
    () => (rows[at()] = row(any(ROWS), String(10 + any(90)))),
    () => (rows[at()] = row(20_000 + n, "01")),
    () => rows.splice(at(), 0, row(30_000 + n)),
    () => rows.splice(at(), 1 + any(3)),
    () => rows.push(row(40_000 + n), row(50_000 + n)),
    () => rows.unshift(row(60_000 + n)),
    // The same row twice, an id twice, a row elsewhere.
    () => rows.splice(at(), 0, rows[at()]!),
    () => rows.splice(at(), 0, rows[at()]!.replace(/,\d+\./, ",77777.")),
    () => rows.splice(at(), 0, ...rows.splice(at(), 1 + any(900))),
    // What cannot be read, what is odd, what spans lines, and a quote that is never closed.
    () => (rows[at()] = `${row(70_000 + n).replace("2026-01-31", "never")}`),
    () => (rows[at()] = row(80_000 + n).replace(/GB$/, "Atlantis")),
    () => (rows[at()] = row(90_000 + n).replace("Tea", '""Tea""\nof\n')),
    () => (rows[at()] = row(95_000 + n).replace("Ltd", 'Ltd" "')),
    () => (rows[at()] = row(97_000 + n).replace(/"(?=,GB)/, "")),
    () => (rows[at()] = "Total,,,1.00,,"),
    () => rows.push(`Total,,,${any(2) === 0 ? "12.00" : "1.00"},,`),
    () => (rows[at()] = "a footer,,,,,"),
    () => rows.splice(0, rows.length, ...rows.filter((one) => !/^Total|^a footer/.test(one))),
    // An id that is, or was, in another file.
    () => file["b.csv"].push(rows[at()]!),
    () => file["b.csv"].pop()
  ]
  edits[any(edits.length)]!()
}

/** Counts what a connection's pulls did: how many there were, and how many chunks they skipped. */
const counting = () => {
  const counts = { pulls: 0, skipped: 0 }
  const connector: typeof files = {
    ...files,
    pull: (settings, after, surroundings) => {
      counts.pulls++
      return Stream.map(files.pull(settings, after, surroundings), (page) => {
        counts.skipped += page.skipped?.length ?? 0
        return page
      })
    }
  }
  return { counts, connection: { id: "books", connector, settings: SETTINGS, planning } }
}

const books = Effect.map(Database, (db) => TABLES.map((sql) => db.prepare(sql).raw().all()))

/** Follows the edits of a seed, and sometimes stops between two pages. Returns the books after each pull that was not stopped. */
const follow = (seed: number, remembers: boolean) =>
  Effect.gen(function* () {
    const path = yield* folder
    const db = yield* Database
    const { connection, counts } = counting()
    const any = random(seed)
    const file: Files = { "a.csv": Array.from({ length: ROWS }, (_, n) => row(n)), "b.csv": [row(100_000)] }
    const after: Array<unknown> = []
    for (let n = 0; n < 7; n++) {
      for (const [name, rows] of Object.entries(file))
        writeFileSync(join(path, name), `${[HEADER, ...rows].join("\n")}${n % 5 === 4 ? "" : "\n"}`)
      if (!remembers) db.prepare("DELETE FROM chunk").run()
      const isStopped = n > 0 && any(4) === 0
      const onProgress = () => (isStopped ? Effect.die("stopped") : Effect.void)
      const ended = yield* Effect.exit(pull(connection, { folder: path, onProgress }))
      if (!isStopped) {
        assert.isTrue(Exit.isSuccess(ended), String(ended))
        after.push(Exit.isSuccess(ended) ? ended.value.read : 0, yield* books)
      }
      for (let edits = 1 + any(3); edits > 0; edits--) edit(file, any, n * 10 + edits)
    }
    return { after, counts }
  }).pipe(Effect.provide(Layer.merge(Database.layer({ file: ":memory:", mode: "write" }), outside), { local: true }))

/** Reads a file, edits it and reads it again, with and without chunks. Returns how the second pull went with them. */
const edited = (rows: ReadonlyArray<string>, change: (rows: Array<string>) => unknown) =>
  Effect.gen(function* () {
    const both: Array<unknown> = []
    let seen: { pulls: number; skipped: number } | undefined
    for (const remembers of [false, true]) {
      yield* Effect.gen(function* () {
        const path = yield* folder
        const db = yield* Database
        const { connection, counts } = counting()
        const write = (all: ReadonlyArray<string>) =>
          writeFileSync(join(path, "a.csv"), [HEADER, ...all].map((line) => `${line}\n`).join(""))
        write(rows)
        yield* pull(connection, { folder: path })
        if (!remembers) db.prepare("DELETE FROM chunk").run()
        const now = [...rows]
        change(now)
        write(now)
        Object.assign(counts, { pulls: 0, skipped: 0 })
        both.push([yield* pull(connection, { folder: path }), yield* books])
        seen = counts
      }).pipe(
        Effect.provide(Layer.merge(Database.layer({ file: ":memory:", mode: "write" }), outside), { local: true })
      )
    }
    assert.deepStrictEqual(both[1], both[0])
    return seen
  })

const LEDGER = Array.from({ length: ROWS }, (_, n) => row(n))

describe("chunks of a file", () => {
  it.live("are skipped, but for the first and the one with the row that was edited", () =>
    Effect.gen(function* () {
      const seen = yield* edited(LEDGER, (rows) => (rows[3000] = row(3000, "99")))
      assert.strictEqual(seen?.pulls, 1)
      assert.isAtLeast(seen?.skipped ?? 0, 2)
    })
  )

  it.live("are read again if an id of theirs stands in a row before or behind them", () =>
    Effect.gen(function* () {
      for (const [from, to, pence] of [
        [5000, 10, "99"],
        [5000, 10, "50"],
        [2500, ROWS, "99"],
        [2500, ROWS, "50"]
      ] as const) {
        const seen = yield* edited(LEDGER, (rows) => rows.splice(to, 0, row(from, pence)))
        assert.strictEqual(seen?.pulls, 2)
      }
    })
  )

  it.live("count in a total below them", () =>
    Effect.gen(function* () {
      const total = (pence: number) =>
        `Total,,,${(LEDGER.length * (LEDGER.length - 1)) / 2 + LEDGER.length / 2}.${pence},,`
      for (const pence of ["00", "49"]) {
        const seen = yield* edited([...LEDGER, total(0)], (rows) => {
          rows[3000] = row(3000, "99")
          rows[ROWS] = total(Number(pence))
        })
        assert.isAtLeast(seen?.skipped ?? 0, 2)
      }
    })
  )

  it.live("do not begin within a cell, however many lines it has", () =>
    Effect.gen(function* () {
      const cell = Array.from({ length: 4000 }, (_, n) => `line ${n} of what the buyer is called`).join("\n")
      const long = `L1,2026-01-31,2026-03-02,1.00,"${cell}",GB`
      const rows = [...LEDGER.slice(0, 3000), long, ...LEDGER.slice(3000)]
      yield* edited(rows, (now) => (now[3000] = long.replace("L1", "L2")))
      yield* edited(rows, (now) => (now[3000] = long.replace('"line 0', '""line 0')))
    })
  )

  it.live(
    "that are skipped leave the books as if they had been read, whatever is edited",
    () =>
      Effect.gen(function* () {
        const all = { skipped: 0, again: 0 }
        for (let seed = 1; seed <= Math.max(3, times(10)); seed++) {
          const whole = yield* follow(seed, false)
          const skipping = yield* follow(seed, true)
          assert.deepStrictEqual(skipping.after, whole.after, `seed ${seed}`)
          assert.strictEqual(whole.counts.skipped, 0)
          all.skipped += skipping.counts.skipped
          all.again += skipping.counts.pulls - whole.counts.pulls
        }
        assert.isAbove(all.skipped, 5)
        assert.isAbove(all.again, 0, "some edit puts a chunk in doubt")
      }),
    1_200_000
  )
})
