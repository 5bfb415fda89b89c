/**
 * What an export costs: the workbook of 200,000 rows from the state file, against hucre streaming the same rows, which
 * were prepared for it in memory before its clock starts; and the peak of memory.
 *
 *     node test/bench/export.ts [rows]
 *
 * Ours is bundled as it is when it ships. Each side runs in a process of its own, in turns; the median counts.
 */
import { createWriteStream, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Writable } from "node:stream"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Effect } from "effect"
import type { CellValue } from "hucre/xlsx"
import { exportTo } from "../../sync/export/index.ts"
import type { Document } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import { Intake } from "../../sync/books/DocumentStore.ts"
import { Database } from "../../sync/state/Database.ts"
import type { ReportedPayment } from "../../sync/model/RemoteInvoice.ts"
import * as Sheets from "../../sync/reports/Sheets.ts"
import { called, NOW, read, settle, told } from "../export/State.ts"
import { atMost, type Figure, heading, line, median, megabytes, seconds } from "./Figure.ts"
import { run } from "./Process.ts"

const ROUNDS = 3
const MOST_MEGABYTES = 200

const CURRENCIES = ["GBP", "EUR", "JPY", "KWD"] as const
const PAGE = 1000

/** Three rows for each: an invoice, its payment, and the call that told of it. */
const fill = (db: Database["Service"], count: number) =>
  Effect.gen(function* () {
    const intake = new Intake(db, "books")
    for (let from = 0; from < count; from += PAGE) {
      const numbers = Array.from({ length: Math.min(PAGE, count - from) }, (_, i) => from + i)
      yield* intake.keep(
        {
          read: numbers.flatMap((n) => documents(n).map((document) => read(document, n))),
          quarantined: [],
          bookmark: null,
          scan: { name: "all", begins: from === 0, ends: from + PAGE >= count }
        },
        "null"
      )
      yield* db.transaction(() => {
        for (const n of numbers) tell(db, n)
      })
    }
  })

const grossOf = (n: number) => {
  const currency = CURRENCIES[n % CURRENCIES.length]!
  return { currency, gross: Decimal.of(`${100 + (n % 9000)}${currency === "JPY" ? "" : ".25"}`) }
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
  const posting: ReportedPayment = { key: fact, fact, undo: false, date, amount: gross, id: `tpmt-${n}` }
  const body = { unique_id: subject, number: `INV-${n}`, currency, gross_amount: text, metadata: { source_id: `${n}` } }
  const reason = `invoice INV-${n}, ${text} ${currency}, is not on the service yet`
  called(
    db,
    1,
    {
      kind: "invoice",
      subject,
      fact: subject,
      rule: "T2",
      operation: "transactions.create",
      params: {},
      body,
      destructive: false,
      reason
    },
    201,
    `trns-${n}`
  )
  settle(db, subject, { currency, books: "0", service: "0", remote: told(`trns-${n}`, [posting], { fields: body }) })
}

const withState = <A, E>(state: string, mode: "read" | "write", work: Effect.Effect<A, E, Database>): Promise<A> =>
  Effect.runPromise(Effect.provide(work, Database.layer({ file: state, mode })))

interface Written {
  readonly seconds: number
  readonly bytes: number
  readonly rows: number
}

export const make = (state: string, rows: number): Promise<void> =>
  withState(
    state,
    "write",
    Effect.flatMap(Database, (db) => fill(db, Math.ceil(rows / 3)))
  )

/** @param file `books.xlsx` or `books.csv` */
export const ours = async (state: string, file: string): Promise<Written> => {
  const started = performance.now()
  const { files, sheets } = await withState(
    state,
    "read",
    Effect.flatMap(Database, (db) => exportTo(db, file))
  )
  return {
    seconds: (performance.now() - started) / 1000,
    bytes: files.reduce((sum, one) => sum + statSync(one).size, 0),
    rows: sheets.reduce((sum, sheet) => sum + sheet.rows, 0)
  }
}

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

const FORMATS = {
  text: {},
  integer: {},
  money: { numFmt: "#,##0.00" },
  date: { numFmt: "yyyy-mm-dd" },
  instant: { numFmt: "yyyy-mm-dd hh:mm:ss" }
} as const

/** One workbook for each sheet, which is what it streams. */
export const theirs = async (state: string, folder: string): Promise<Written> => {
  const { writeXlsxStream } = await import("hucre/xlsx")
  const all = await withState(state, "read", Effect.map(Database, prepared))
  const started = performance.now()
  let bytes = 0
  for (const { rows, sheet } of all) {
    const columns = sheet.columns.map(({ name, type, width }) => ({ header: name, width, ...FORMATS[type] }))
    const file = join(folder, `${sheet.name}.xlsx`)
    const stream = writeXlsxStream(rows, { name: sheet.name, columns, freezePane: { rows: 1 } })
    await stream.pipeTo(Writable.toWeb(createWriteStream(file)) as WritableStream<Uint8Array>)
    bytes += statSync(file).size
  }
  return {
    seconds: (performance.now() - started) / 1000,
    bytes,
    rows: all.reduce((sum, { rows }) => sum + rows.length, 0)
  }
}

/** This module as one file, the way `dist/program.js` is made. */
const bundled = async (folder: string): Promise<string> => {
  const { build } = await import("esbuild")
  const outfile = join(folder, "export.mjs")
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"), "junction")
  await build({
    entryPoints: [fileURLToPath(import.meta.url)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    minify: true,
    keepNames: true,
    external: ["better-sqlite3", "esbuild"],
    banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` },
    logLevel: "warning"
  })
  return pathToFileURL(outfile).href
}

export const figures = async (rows = 200_000): Promise<ReadonlyArray<Figure>> => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-export-"))
  try {
    const state = join(folder, "daybook.db")
    const module = await bundled(folder)
    await run(module, "make", state, rows)
    const workbooks: Array<Written> = []
    const alone: Array<Written> = []
    const peaks = { workbook: 0, csv: 0, alone: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const one = await run<Written>(module, "ours", state, join(folder, "books.xlsx"))
      const other = await run<Written>(module, "theirs", state, folder)
      workbooks.push(one.result)
      alone.push(other.result)
      peaks.workbook = Math.max(peaks.workbook, one.peak)
      peaks.alone = Math.max(peaks.alone, other.peak)
    }
    const csv = await run<Written>(module, "ours", state, join(folder, "books.csv"))
    const [mine, hucre] = [median(workbooks.map((one) => one.seconds)), median(alone.map((one) => one.seconds))]
    const what = `${workbooks[0]!.rows.toLocaleString("en")} rows`
    const size = ([one]: ReadonlyArray<Written>) => `${(one!.bytes / 1e6).toFixed(1)} MB`
    const memory = (name: string, peak: number, note: string) =>
      atMost(name, 1, {
        ours: megabytes(peak),
        baseline: megabytes(MOST_MEGABYTES),
        ratio: peak / MOST_MEGABYTES,
        note
      })
    return [
      atMost(`export, workbook of ${what}`, 1.4, {
        ours: seconds(mine),
        baseline: seconds(hucre),
        ratio: mine / hucre,
        note: `the baseline is hucre streaming the rows, ready in memory; files of ${size(workbooks)} and ${size(alone)}`
      }),
      memory(
        "export, workbook: peak of memory",
        peaks.workbook,
        `the baseline is what is allowed; hucre, rows in memory: ${megabytes(peaks.alone)}`
      ),
      memory("export, CSV files: peak of memory", csv.peak, `written in ${seconds(csv.result.seconds)}`)
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const all = await figures(Number(process.argv[2] ?? 200_000))
  console.log([heading, ...all.map(line)].join("\n"))
  if (all.some(({ held }) => !held)) process.exitCode = 1
}
