/** The books as a SQLite file for reporting tools: its sums are the statement's, and its names stay what the page says. */
import Sqlite from "better-sqlite3"
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sqlColumns, TABLES } from "../../sync/export/views/Tables.ts"
import { VIEWS } from "../../sync/export/views/Views.ts"
import type { Day } from "../../core/wire/Day.ts"
import { collections, coverSheet, deadlines } from "../../sync/reports/sheets/Cover.ts"
import { invoices, payments } from "../../sync/reports/sheets/Documents.ts"
import { orders } from "../../sync/reports/sheets/Orders.ts"
import { attentionSheet, calls, completeness, quarantined } from "../../sync/reports/sheets/Records.ts"
import { shares } from "../../sync/reports/sheets/Shares.ts"
import type { Database } from "../../sync/state/Database.ts"
import { books, failed, ofType, service, useCommand } from "../support/Cli.ts"

useCommand()

const PAGE = readFileSync(join(import.meta.dirname, "../../sync/export/views/README.md"), "utf8")

/** The rows of the page's tables: a name, and what stands in the last cell. */
const listed = (heading: string): ReadonlyArray<readonly [string, string]> =>
  (PAGE.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
      return [cells[1]!.replaceAll("`", ""), cells.at(-2)!]
    })

/** Columns as the page lists them, without what it says of them in parentheses. */
const columnsOf = (cell: string): ReadonlyArray<string> =>
  [
    ...cell
      .replace(/^.*: (?=`)/, "")
      .replace(/\([^)]*\)/g, "")
      .matchAll(/`([a-z_]+)`/g)
  ].map(([, name]) => name!)

describe("the views", { timeout: 60_000 }, () => {
  it("are the books: their sums are the statement's, exactly, and examples of the page run", async () => {
    const there = await service()
    const here = books(there.url)
    assert.strictEqual((await here.run("sync")).status, 3)
    const file = here.path("books.sqlite")
    writeFileSync(file, "an earlier one")
    const ran = await here.run("views", "books.sqlite", "--json")
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.deepStrictEqual(ofType(ran, "views")[0]?.["files"], [file])
    const db = new Sqlite(file, { readonly: true })
    const all = (sql: string) => db.prepare(sql).all()
    assert.deepStrictEqual(all("SELECT currency, balance, balance_minor, age FROM receivables"), [
      { currency: "GBP", balance: "200.60", balance_minor: 20_060, age: "over 90" }
    ])
    assert.deepStrictEqual(
      all("SELECT month, received_minor, returned_minor FROM cash_by_month WHERE currency = 'GBP'"),
      [{ month: "2026-03", received_minor: 22_000, returned_minor: 0 }]
    )
    assert.deepStrictEqual(all("SELECT document, days_to_pay, days_late FROM payment_times"), [
      { document: "books/invoice/INV-1", days_to_pay: 19, days_late: -11 }
    ])
    assert.deepStrictEqual(all("SELECT invoice, amount_minor FROM shares ORDER BY document LIMIT 2"), [
      { invoice: "books/invoice/INV-1", amount_minor: 12_000 },
      { invoice: "books/invoice/INV-2", amount_minor: 10_000 }
    ])
    assert.deepStrictEqual(all("SELECT books_open_minor, service_open_minor FROM statement WHERE what = 'statement'"), [
      { books_open_minor: 20_060, service_open_minor: 20_060 }
    ])
    assert.deepStrictEqual(all("SELECT * FROM differences"), [])
    assert.deepStrictEqual(all("SELECT * FROM currencies"), [{ code: "GBP", decimals: 2 }])
    for (const [view, example] of listed("Views")) {
      const sql = /`(SELECT [^`]+)`/.exec(example)![1]!
      assert.include(sql, ` ${view}`)
      assert.doesNotThrow(() => all(sql), view)
    }
    db.close()
    assert.include(failed(await here.run("views", "books.db"), 2), "the ending decides the format: .sqlite")
    assert.include(failed(await here.run("views", "nowhere/books.sqlite"), 2), "its folder does not exist")
    assert.deepStrictEqual(
      readdirSync(here.folder).filter((name) => name.includes("partial")),
      []
    )
    assert.isTrue(existsSync(file))
  })

  it("have the names of the page, table by table and column by column", () => {
    const [about, currencies, ...tables] = listed("Tables")
    assert.deepStrictEqual([about![0], currencies![0]], ["about", "currencies"])
    assert.deepStrictEqual(
      tables.map(([name, columns]) => [name, columnsOf(columns)]),
      TABLES.map(({ columns, name }) => [name, columns.map(([column]) => column)])
    )
    assert.deepStrictEqual(
      listed("Views").map(([name]) => name),
      VIEWS.map(({ name }) => name)
    )
    const db = {} as Database["Service"]
    const sheets = [
      invoices(db, [], "2026-01-01" as Day, new Map()),
      payments(db, []),
      shares(db, []),
      orders(db, []),
      coverSheet(db, []),
      deadlines(db, [], 0),
      collections(db, [], 0),
      calls(db, []),
      attentionSheet(db, []),
      quarantined(db, []),
      completeness(db, [])
    ]
    for (const { columns, sheet } of TABLES)
      assert.deepStrictEqual(
        columns.map(([, type]) => type),
        sheets.find(({ name }) => name === sheet)?.columns.map(({ type }) => type),
        sheet
      )
    for (const one of TABLES) {
      const names = sqlColumns(one).map(([name]) => name)
      assert.strictEqual(new Set(names).size, names.length, one.name)
    }
  })
})
