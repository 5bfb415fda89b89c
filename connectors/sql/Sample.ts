/**
 * Provides fixtures for the SQL connector, for the conformance kit: a ledger and a shop in a SQLite file, some streams with
 * a cursor and some without, and the documents expected from them.
 */
import Sqlite from "better-sqlite3"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Subject } from "../testing/Subject.ts"
import { sql } from "./Sql.ts"

type Row = { [column: string]: string | number | bigint | null }

const CHANGED = "2026-02-20 10:00:00"
/** An id that a double cannot hold. */
const BIG = 9_007_199_254_740_993n

const TABLES: { readonly [table: string]: ReadonlyArray<Row> } = {
  invoice: [
    {
      id: 1,
      number: "INV-1",
      buyer: "Harbour Tea Ltd",
      country: "GB",
      issued: "2026-01-05",
      due: "2026-02-04",
      currency: "GBP",
      net: "100.00",
      gross: "120.00",
      state: "sent",
      changed: CHANGED
    },
    {
      id: 2,
      number: "INV-2",
      buyer: "Atelier Nord",
      country: "FR",
      issued: "2026-01-31",
      due: "2026-03-02",
      currency: "EUR",
      net: "1000.10",
      gross: 1200.12,
      state: "sent",
      changed: null
    },
    {
      id: BIG,
      number: "INV-3",
      buyer: "Sakura Trading",
      country: "JP",
      issued: "2026-02-10",
      due: "2026-03-31",
      currency: "JPY",
      net: 10_000,
      gross: 11_000,
      state: "paid",
      changed: "2026-02-20 10:00:01.5"
    }
  ],
  payment: [
    { id: "P-1", invoice: 1, day: "2026-01-20", amount: "50.00", currency: "GBP", type: null },
    { id: "P-2", invoice: BIG, day: "2026-02-28", amount: 11_000, currency: "JPY", type: null },
    { id: "P-1-R", invoice: 1, day: "2026-01-25", amount: "-50.00", currency: "GBP", type: "error" }
  ],
  note: [
    { id: 7, invoice: 2, day: "2026-02-01", gross: "200.02", changed: 17 },
    { id: 8, invoice: 1, day: "2026-02-03", gross: "1.00", changed: 18 }
  ],
  shop_order: [{ id: 5, placed: "2026-03-01", changed: 3 }],
  shop_line: [
    { of: 5, sku: "chair", kind: "product", quantity: 2, total: "90.00" },
    { of: 5, sku: "rug", kind: "product", quantity: 1, total: "20.10" },
    { of: 5, sku: "by road", kind: "shipping", quantity: 1, total: "9.90" }
  ],
  moved: [
    { id: 1, of: 5, kind: "parcel", day: "2026-03-02", sku: "chair", quantity: 2, tracking: 15502 },
    { id: 2, of: 5, kind: "cancelled", day: "2026-03-03", sku: "rug", quantity: 1, tracking: null },
    { id: 3, of: 5, kind: "returned", day: "2026-03-09", sku: "chair", quantity: 1, tracking: null }
  ]
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
    const folder = mkdtempSync(join(tmpdir(), "daybook-sql-"))
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
      malform: () => {
        invoices[0]!["due"] = "32 March"
        return "32 March"
      },
      remove: () => {
        payments.shift()
        return "payment/P-1/1"
      },
      // A manual correction, which does not change the cursor.
      edit: () => {
        invoices[0]!["due"] = "2026-06-30"
        return "1"
      },
      enlarge: () => {
        invoices[0]!["gross"] = "90071992547409.93"
        return { document: "invoice/1", amount: "90071992547409.93" }
      }
    }
  }
}
