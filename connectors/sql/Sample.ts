/**
 * Provides fixtures for the SQL connector, for the conformance kit: a ledger and a shop in a SQLite file, some streams with
 * a cursor and some without, and the documents expected from them.
 */
import Sqlite from "better-sqlite3"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import { setting } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { sql } from "./Sql.ts"

type Row = { [column: string]: string | number | bigint | null }

const CHANGED = "2026-02-20 10:00:00"
const AFTER = "2026-02-20 10:00:01"
/** An id that a double cannot hold. */
const BIG = 9_007_199_254_740_993n

/** Rows with these columns. */
const rows = (columns: string, ...all: ReadonlyArray<ReadonlyArray<Row[string]>>): ReadonlyArray<Row> =>
  all.map((values) => Object.fromEntries(columns.split(" ").map((column, n) => [column, values[n] ?? null])))

const TABLES: { readonly [table: string]: ReadonlyArray<Row> } = {
  invoice: rows(
    "id number buyer country issued due currency net gross state changed",
    [1, "INV-1", "Harbour Tea Ltd", "GB", "2026-01-05", "2026-02-04", "GBP", "100.00", "120.00", "sent", CHANGED],
    [2, "INV-2", "Atelier Nord", "FR", "2026-01-31", "2026-03-02", "EUR", "1000.10", 1200.12, "sent", null],
    [BIG, "INV-3", "Sakura Trading", "JP", "2026-02-10", "2026-03-31", "JPY", 10_000, 11_000, "paid", `${AFTER}.5`]
  ),
  payment: rows(
    "id invoice day amount currency type",
    ["P-1", 1, "2026-01-20", "50.00", "GBP", null],
    ["P-2", BIG, "2026-02-28", 11_000, "JPY", null],
    ["P-1-R", 1, "2026-01-25", "-50.00", "GBP", "error"]
  ),
  note: rows("id invoice day gross changed", [7, 2, "2026-02-01", "200.02", 17], [8, 1, "2026-02-03", "1.00", 18]),
  shop_order: rows("id placed changed", [5, "2026-03-01", 3]),
  shop_line: rows(
    "of sku kind quantity total",
    [5, "chair", "product", 2, "90.00"],
    [5, "rug", "product", 1, "20.10"],
    [5, "by road", "shipping", 1, "9.90"]
  ),
  moved: rows(
    "id of kind day sku quantity tracking",
    [1, 5, "parcel", "2026-03-02", "chair", 2, 15502],
    [2, 5, "cancelled", "2026-03-03", "rug", 1, null],
    [3, 5, "returned", "2026-03-09", "chair", 1, null]
  )
}

const moved = (kind: string, more: { readonly tracking?: string } = {}) => ({
  query: `SELECT * FROM moved WHERE kind = '${kind}'`,
  columns: { id: "id", order: "of", date: "day", line: "sku", quantity: "quantity", ...more }
})

const settings = {
  file: "books.db",
  page: 2,
  invoices: {
    query: "SELECT * FROM invoice -- what is sold\n;",
    cursor: "changed",
    columns: {
      id: "id",
      number: "number",
      customer: "buyer",
      customer_country: "country",
      issued: "issued",
      due: "due",
      currency: "currency",
      net: "net",
      gross: "gross",
      status: "state"
    },
    statuses: { sent: "open" }
  },
  payments: {
    query: "SELECT * FROM payment",
    columns: { id: "id", invoice: "invoice", date: "day", amount: "amount", currency: "currency", type: "type" }
  },
  credit_notes: {
    query: "SELECT note.*, currency FROM note JOIN invoice ON invoice.id = note.invoice",
    cursor: "changed",
    overlap: 5,
    columns: { id: "id", invoice: "invoice", date: "day", gross: "gross", currency: "currency" }
  },
  orders: {
    query: "SELECT * FROM shop_order JOIN shop_line ON shop_line.of = shop_order.id",
    cursor: "changed",
    columns: { id: "id", placed: "placed", line: "sku", type: "kind", quantity: "quantity", gross: "total" },
    currency: "GBP"
  },
  fulfilments: moved("parcel", { tracking: "tracking" }),
  cancellations: moved("cancelled"),
  returns: moved("returned")
}

const write = (path: string, tables: { readonly [table: string]: ReadonlyArray<Row> }) => {
  const db = new Sqlite(path)
  db.pragma("journal_mode = WAL")
  db.transaction(() => {
    for (const [table, rows] of Object.entries(tables)) {
      const columns = Object.keys(TABLES[table]![0]!)
      db.exec(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (${columns.map((one) => `"${one}"`).join(", ")})`)
      const insert = db.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => "?").join(", ")})`)
      for (const row of rows)
        insert.run(columns.map((one) => (Number.isInteger(row[one]) ? BigInt(row[one]!) : row[one])))
    }
  })()
  db.close()
}

export const subject: Subject = {
  connector: sql,
  settings,
  golden: [
    `{"kind":"invoice","id":"1","number":"INV-1","status":"open","party":{"name":"Harbour Tea Ltd","country":"GB"},"currency":"GBP","issued":"2026-01-05","due":"2026-02-04","net":"10000000000n","gross":"12000000000n"}`,
    `{"kind":"invoice","id":"2","number":"INV-2","status":"open","party":{"name":"Atelier Nord","country":"FR"},"currency":"EUR","issued":"2026-01-31","due":"2026-03-02","net":"100010000000n","gross":"120012000000n"}`,
    `{"kind":"invoice","id":"9007199254740993","number":"INV-3","status":"paid","party":{"name":"Sakura Trading","country":"JP"},"currency":"JPY","issued":"2026-02-10","due":"2026-03-31","net":"1000000000000n","gross":"1100000000000n"}`,
    `{"kind":"payment","id":"P-1/1","date":"2026-01-20","currency":"GBP","shares":[{"invoice":"1","amount":"5000000000n"}]}`,
    `{"kind":"payment","id":"P-2/9007199254740993","date":"2026-02-28","currency":"JPY","shares":[{"invoice":"9007199254740993","amount":"1100000000000n"}]}`,
    `{"kind":"reversal","id":"P-1-R/1","date":"2026-01-25","currency":"GBP","shares":[{"invoice":"1","amount":"5000000000n"}],"type":"error"}`,
    `{"kind":"credit_note","id":"7","date":"2026-02-01","currency":"EUR","shares":[{"invoice":"2","amount":"20002000000n"}]}`,
    `{"kind":"credit_note","id":"8","date":"2026-02-03","currency":"GBP","shares":[{"invoice":"1","amount":"100000000n"}]}`,
    `{"kind":"order","id":"5","number":"5","status":"open","currency":"GBP","placed":"2026-03-01","lines":[{"id":"by road","type":"shipping","quantity":"100000000n","gross":"990000000n"},{"id":"chair","type":"product","quantity":"200000000n","gross":"9000000000n"},{"id":"rug","type":"product","quantity":"100000000n","gross":"2010000000n"}]}`,
    `{"kind":"fulfilment","id":"1","order":"5","date":"2026-03-02","lines":[{"line":"chair","quantity":"200000000n"}],"tracking":[{"number":"15502"}]}`,
    `{"kind":"cancellation","id":"2","order":"5","date":"2026-03-03","lines":[{"line":"rug","quantity":"100000000n"}]}`,
    `{"kind":"return","id":"3","order":"5","date":"2026-03-09","lines":[{"line":"chair","quantity":"100000000n"}]}`
  ],
  open: () => {
    const folder = temporaryFolder("sample")
    const tables = structuredClone(TABLES) as { readonly [table: string]: Array<Row> }
    const [invoices, payments] = [tables["invoice"]!, tables["payment"]!]
    const stamp = (record: Row, millis: number | null) => {
      record["changed"] = millis === null ? null : new Date(millis).toISOString().slice(0, 19).replace("T", " ")
    }
    return {
      folder,
      lists: { invoices: { records: invoices, id: "id", stamp, shows: ({ number }) => number } },
      settle: () => write(join(folder, "books.db"), tables),
      close: () => rmSync(folder, { recursive: true, force: true }),
      malform: setting(invoices[0], { due: "32 March" }, "32 March"),
      remove: () => {
        payments.shift()
        return "payment/P-1/1"
      },
      // A manual correction, which does not change the cursor.
      edit: setting(invoices[0], { due: "2026-06-30" }, "1"),
      enlarge: () => {
        invoices[0]!["gross"] = "90071992547409.93"
        return { document: "invoice/1", amount: "90071992547409.93" }
      }
    }
  }
}
