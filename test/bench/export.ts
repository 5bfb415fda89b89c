/**
 * What an export costs: our workbook of 200,000 rows from the state file, against hucre writing the same rows that
 * were prepared for it beforehand. Each side runs in a process of its own, in turns; the best of three counts.
 *
 *     node test/bench/export.ts [rows]
 *
 * Promised: at most 1.4 times hucre's time, and under 200 MB.
 */
import { execFileSync } from "node:child_process"
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import { Effect, Layer } from "effect"
import type { CellValue } from "hucre/xlsx"
import { writeXlsxStream } from "hucre/xlsx"
import { exportTo } from "../../cli/export/index.ts"
import type { Document } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import { Intake } from "../../sync/Books.ts"
import { Database } from "../../sync/Database.ts"
import type { Posting } from "../../sync/Ledger.ts"
import * as Sheets from "../../sync/Sheets.ts"
import { called, NOW, read, settle, told } from "../export/State.ts"

interface Result {
  readonly seconds: number
  /** Peak of the whole process. */
  readonly megabytes: number
  readonly bytes: number
  readonly rows: number
}

const CURRENCIES = ["GBP", "EUR", "JPY", "KWD"] as const

/** Three rows for each: an invoice, its payment, and the call that told of it. */
const fill = (db: Database["Service"], count: number) =>
  Effect.gen(function* () {
    const intake = new Intake(db, "books")
    const page = 1000
    for (let from = 0; from < count; from += page) {
      const numbers = Array.from({ length: Math.min(page, count - from) }, (_, i) => from + i)
      yield* intake.keep(
        {
          read: numbers.flatMap((n) => documents(n).map((document) => read(document, n))),
          setAside: [],
          bookmark: null,
          part: { name: "all", begins: from === 0, ends: from + page >= count }
        },
        "null"
      )
      yield* db.transaction(() => {
        for (const n of numbers) tell(db, n)
      })
    }
  })

const grossOf = (n: number) => {
  const currency = CURRENCIES[n % 4]!
  return { currency, gross: Decimal.of(String(100 + (n % 9000))) + Decimal.of(currency === "JPY" ? "0" : "0.25") }
}

const documents = (n: number): ReadonlyArray<Document> => {
  const { currency, gross } = grossOf(n)
  const issued = Day.addDays(Day.of("2024-01-01"), n % 700)
  const party = { id: `c${n % 500}`, name: `Customer ${n % 500} & Sons`, country: "GB" }
  const due = Day.addDays(issued, 30)
  return [
    { kind: "invoice", id: `INV-${n}`, number: `INV-${n}`, status: "open", party, currency, issued, due, gross },
    { kind: "payment", id: `P-${n}`, date: due, currency, shares: [{ invoice: `INV-${n}`, amount: gross }] }
  ]
}

const tell = (db: Database["Service"], n: number) => {
  const subject = `books/invoice/INV-${n}`
  const { currency, gross } = grossOf(n)
  const text = Decimal.format(gross, 2)
  const fact = `books/payment/P-${n}`
  const date = Day.of("2024-02-01")
  const posting: Posting = { key: fact, fact, undo: false, date, amount: gross, remote: `tpmt-${n}` }
  const body = { unique_id: subject, number: `INV-${n}`, currency, gross_amount: text, metadata: { source_id: `${n}` } }
  const because = `invoice INV-${n}, ${text} ${currency}, is not on the service yet`
  called(
    db,
    1,
    { subject, fact: subject, rule: "T2", operation: "transactions.create", params: {}, body, reduces: false, because },
    201,
    `trns-${n}`
  )
  settle(db, subject, { currency, books: "0", service: "0", told: told(`trns-${n}`, [posting], { fields: body }) })
}

const layer = (file: string, mode: "write" | "read") => Database.layer({ file, mode })

/** The rows as hucre takes them: amounts as numbers, days and instants as dates. */
const prepared = (db: Database["Service"]) =>
  Sheets.sheets(db, { connections: ["books"], now: NOW }).reading.map((sheet) => ({
    sheet,
    rows: Array.from(sheet.rows(), (row) =>
      row.map((cell, i): CellValue => {
        const { type } = sheet.columns[i]!
        if (cell === null || cell === undefined) return null
        if (typeof cell === "bigint") return Number(Currency.format(cell, String(row[sheet.currency])))
        if (type === "date") return new Date(`${cell}T00:00:00Z`)
        return type === "instant" ? new Date(cell) : cell
      })
    )
  }))

const FORMATS = { text: {}, integer: {}, money: { numFmt: "0.00" }, date: { numFmt: "yyyy-mm-dd" } } as const

const sides: Readonly<Record<string, (state: string, out: string) => Promise<Result>>> = {
  ours: async (state, out) => {
    const db = await Effect.runPromise(Effect.scoped(Layer.build(layer(state, "read"))))
    void db
    const start = performance.now()
    const done = await Effect.runPromise(
      Effect.flatMap(Database, (db) => exportTo(db, `${out}.xlsx`)).pipe(Effect.provide(layer(state, "read")))
    )
    const rows = done.sheets.reduce((sum, sheet) => sum + sheet.rows, 0)
    return { ...measured(start), rows, bytes: statSync(`${out}.xlsx`).size }
  },
  csv: async (state, out) => {
    const start = performance.now()
    const done = await Effect.runPromise(
      Effect.flatMap(Database, (db) => exportTo(db, `${out}.csv`)).pipe(Effect.provide(layer(state, "read")))
    )
    const rows = done.sheets.reduce((sum, sheet) => sum + sheet.rows, 0)
    return { ...measured(start), rows, bytes: done.files.reduce((sum, file) => sum + statSync(file).size, 0) }
  },
  hucre: async (state, out) => {
    const all = await Effect.runPromise(Effect.map(Database, prepared).pipe(Effect.provide(layer(state, "read"))))
    const start = performance.now()
    let bytes = 0
    for (const { rows, sheet } of all) {
      const columns = sheet.columns.map(({ name, type, width }) => ({
        header: name,
        width,
        ...(type === "instant" ? { numFmt: "yyyy-mm-dd hh:mm:ss" } : FORMATS[type])
      }))
      const file = `${out}.${sheet.name}.hucre.xlsx`
      const stream = writeXlsxStream(rows, { name: sheet.name, columns, freezePane: { rows: 1 } })
      await stream.pipeTo(Writable.toWeb(createWriteStream(file)) as WritableStream<Uint8Array>)
      bytes += statSync(file).size
    }
    return { ...measured(start), rows: all.reduce((sum, { rows }) => sum + rows.length, 0), bytes }
  }
}

const measured = (start: number) => ({
  seconds: (performance.now() - start) / 1000,
  megabytes: process.resourceUsage().maxRSS / 1024
})

const best = (results: ReadonlyArray<Result>): Result =>
  results.reduce((a, b) => ({ ...(a.seconds <= b.seconds ? a : b), megabytes: Math.max(a.megabytes, b.megabytes) }))

const [side, state, out] = process.argv.slice(2)
if (side !== undefined && side in sides) {
  console.log(JSON.stringify(await sides[side]!(state!, out!)))
} else {
  const rows = Number(side ?? 200_000)
  const folder = mkdtempSync(join(tmpdir(), "daybook-export-"))
  try {
    const file = join(folder, "daybook.db")
    const made = Effect.flatMap(Database, (db) => fill(db, Math.ceil(rows / 3)))
    await Effect.runPromise(Effect.provide(made, layer(file, "write")))
    const run = (side: string): Result =>
      JSON.parse(
        execFileSync(process.execPath, [fileURLToPath(import.meta.url), side, file, join(folder, side)], {
          encoding: "utf8"
        })
      )
    const results = { ours: [] as Array<Result>, hucre: [] as Array<Result>, csv: [] as Array<Result> }
    for (let n = 0; n < 3; n++) for (const name of ["ours", "hucre", "csv"] as const) results[name].push(run(name))
    const [ours, hucre, csv] = [best(results.ours), best(results.hucre), best(results.csv)]
    const line = (name: string, { bytes, megabytes, rows, seconds }: Result) =>
      console.log(
        `${name.padEnd(38)} ${rows} rows  ${seconds.toFixed(2)} s  peak ${megabytes.toFixed(0)} MB  file ${(bytes / 2 ** 20).toFixed(1)} MB`
      )
    line("export to .xlsx, from the state file", ours)
    line("hucre, rows prepared in memory", hucre)
    line("export to .csv, from the state file", csv)
    const ratio = ours.seconds / hucre.seconds
    const kept = ratio <= 1.4 && ours.megabytes < 200
    console.log(
      `ratio ${ratio.toFixed(2)} (at most 1.40), memory ${ours.megabytes.toFixed(0)} MB (under 200): ${kept ? "kept" : "NOT KEPT"}`
    )
    if (!kept) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
