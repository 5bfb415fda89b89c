/**
 * The books as CSV files, read back with csv-parse.
 */
import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { exportTo } from "../../sync/export/index.ts"
import { creditNote, invoice, payment } from "../support/Documents.ts"
import { books, type Db, folder } from "./Reading.ts"
import { keep } from "./State.ts"

/** Strict: a stray quote, a missing field or a bare line end fails the test. */
const read = (path: string): ReadonlyArray<Readonly<Record<string, string>>> =>
  parse(readFileSync(path), { bom: true, columns: true, record_delimiter: "\r\n" })

const exported = (db: Db) =>
  Effect.gen(function* () {
    const place = yield* folder
    const done = yield* exportTo(db, join(place, "books.csv"))
    return { ...done, place, table: (name: string) => read(join(place, `books.${name}.csv`)) }
  })

describe("CSV files", () => {
  it.effect("are one for each sheet, named after it, in the sheets' order", () =>
    Effect.gen(function* () {
      const { files, place } = yield* exported(yield* books)
      const names = ["summary", "invoices", "payments", "calls", "attention", "quarantined", "completeness"]
      assert.deepStrictEqual(
        files.map((file) => basename(file)),
        names.map((name) => `books.${name}.csv`)
      )
      assert.deepStrictEqual(readdirSync(place).sort(), files.map((file) => basename(file)).sort())
    })
  )

  it.effect("begin with a byte-order mark and a head, even when there are no rows", () =>
    Effect.gen(function* () {
      const { files } = yield* exported(yield* books)
      for (const file of files) {
        const bytes = readFileSync(file)
        assert.deepStrictEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf], file)
        const lines = bytes.toString("utf8").split("\r\n")
        assert.strictEqual(lines.length, file.includes("summary") ? 3 : 2, file)
        assert.strictEqual(lines.at(-1), "", file)
      }
      assert.strictEqual(
        readFileSync(files[4]!, "utf8"),
        "\ufeffSince (UTC),Document,Caused by,Rule,Why,What to do\r\n"
      )
    })
  )

  it.effect("hold amounts with their currency's decimals, days as ISO and instants in UTC", () =>
    Effect.gen(function* () {
      const db = yield* books
      yield* keep(db, "books", [
        invoice({ id: "1", gross: "12345678901234.50" }),
        invoice({ id: "2", currency: "JPY", gross: "1235", due: "1899-12-31", issued: "1899-12-01" }),
        invoice({ id: "3", currency: "KWD", gross: "0.005" }),
        payment("P", { "1": "0.10" }),
        creditNote("C", { "3": "0.001" })
      ])
      const { table } = yield* exported(db)
      const columns = ["Gross", "Credited", "Received", "Balance", "Issued", "Due"]
      assert.deepStrictEqual(
        table("invoices").map((row) => columns.map((column) => row[column])),
        [
          ["12345678901234.50", "0.00", "0.10", "12345678901234.40", "2026-01-01", "2026-01-31"],
          ["1235", "0", "0", "1235", "1899-12-01", "1899-12-31"],
          ["0.005", "0.001", "0.000", "0.004", "2026-01-01", "2026-01-31"]
        ]
      )
      // A negative amount is a number, not a formula.
      assert.deepStrictEqual(
        table("payments").map(({ Amount }) => Amount),
        ["0.10", "-0.001"]
      )
      assert.strictEqual(table("summary")[0]!["Generated at (UTC)"], "2026-11-21 07:00:00.500")
    })
  )

  it.effect("put an apostrophe before text that a spreadsheet would run", () =>
    Effect.gen(function* () {
      const db = yield* books
      const signs = [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        '=A1,"x"',
        "＝1",
        "＋1",
        "－1",
        "＠1",
        "\ufe66HYPERLINK(A1)",
        "\ufe62\ufe631",
        "\ufe6bSUM(A1)",
        "\u22121",
        "\u20131",
        "\u207c1"
      ]
      const unseen = [
        "\t",
        "\r",
        " ",
        "\u00a0",
        "\u200b",
        "\u200e",
        "\u202e",
        "\u2060",
        "\ufeff",
        "\u00ad",
        "\ufe0f",
        "\u0000\u001f",
        '"',
        "\u3000\u200b "
      ]
      const texts = [...signs, ...unseen.map((before) => `${before}=1`), "\ttab"]
      const plain = ["a=1", "1-2", "'quoted'", "a@b.example", "\u200bplain", "; plain", "two\nlines", "…"]
      yield* keep(
        db,
        "books",
        [...texts, ...plain].map((name, i) => invoice({ id: String(100 + i), party: { name } }))
      )
      const { place, table } = yield* exported(db)
      const customers = table("invoices").map((row) => row["Customer"]!)
      assert.deepStrictEqual(
        customers.slice(0, texts.length),
        texts.map((text) => `'${text.replace(/^([\t\r])(?==)/, "$1'")}`)
      )
      assert.deepStrictEqual(customers.slice(texts.length), plain)
      // What a spreadsheet with another separator would see as a cell of its own.
      const raw = readFileSync(join(place, "books.invoices.csv"), "utf8")
      assert.include(raw, `,"'=A1,""x""",`)
    })
  )

  it.effect("have no cell that begins like a formula, whatever separates cells for the program that reads them", () =>
    Effect.gen(function* () {
      const db = yield* books
      const names = [
        "a;=1",
        "a;\u200b=1;b;-2",
        'a;"=1',
        "a\r\n=1",
        "a\n\u202e+1",
        "a\t@SUM(A1)",
        "\u200e;=1",
        ";;＝1",
        '"=1";"=2'
      ]
      yield* keep(
        db,
        "books",
        names.map((name, i) => invoice({ id: String(100 + i), number: name, party: { name } }))
      )
      const { files, table } = yield* exported(db)
      for (const file of files) {
        const text = readFileSync(file, "utf8").slice(1)
        for (const separator of [",", ";", "\t"]) {
          for (const line of text.split(/\r\n|\r|\n/)) {
            for (const cell of line.split(separator)) {
              const seen = cell.replace(/^[\p{C}\p{Z}"]+/u, "").normalize("NFKC")
              // Amounts are numbers.
              if (!/^-[\d.]+$/.test(seen)) assert.notMatch(seen, /^[=+\-@\u2212]/, `${separator} ${line}`)
            }
          }
        }
      }
      assert.strictEqual(table("invoices")[0]!["Customer"], "a;'=1")
    })
  )

  it.effect("quote what needs it, and give every text back as it was", () =>
    Effect.gen(function* () {
      const db = yield* books
      const raws = ['a,"b",c', "two\nlines", "two\r\nlines", " blanks ", "Café 🍋 株式会社", '"', "x".repeat(40_000)]
      const quarantined = raws.map((raw, i) => ({ kind: "invoice", origin: `a.csv:${i}`, raw, why: "unread" }) as const)
      yield* keep(db, "books", [], quarantined)
      const { table } = yield* exported(db)
      assert.deepStrictEqual(
        table("quarantined").map((row) => row["Raw record"]),
        raws
      )
    })
  )
})
