/**
 * What an export costs: the workbook of 200,000 rows from the state file, against hucre streaming the same rows, which
 * were prepared for it in memory before its clock starts; and the peak of memory.
 *
 *     node test/bench/export.ts [rows]
 *
 * Ours is bundled as it is when it ships. Each side runs in a process of its own, in turns; the median counts.
 */
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Writable } from "node:stream"
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
import { called, NOW, read, settle, remoteOf } from "../export/State.ts"
import { atMost, type Figure, heading, line, megabytes, memory, seconds, times } from "./Figure.ts"
import { inTurns, run } from "./Process.ts"

const ROUNDS = 3
/** What an export may take at most, however many rows it has. */
const MOST_MEGABYTES = 200

const CURRENCIES = ["GBP", "EUR", "JPY", "KWD"] as const
const PAGE = 1000

/** Three rows for each: an invoice, its payment, and the call that sent it. */
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
        for (const n of numbers) record(db, n)
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

const record = (db: Database["Service"], n: number) => {
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
  settle(db, subject, {
    currency,
    books: "0",
    service: "0",
    remote: remoteOf(`trns-${n}`, [posting], { fields: body })
  })
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
    rows: Array.from(sheet.rows(), (row = []) =>
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

export const figures = async (rows = 200_000): Promise<ReadonlyArray<Figure>> => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-export-"))
  try {
    const state = join(folder, "daybook.db")
    await run(import.meta.url, "make", state, rows)
    const { ours, theirs } = await inTurns(
      ROUNDS,
      () => run<Written>(import.meta.url, "ours", state, join(folder, "books.xlsx")),
      () => run<Written>(import.meta.url, "theirs", state, folder)
    )
    const csv = await run<Written>(import.meta.url, "ours", state, join(folder, "books.csv"))
    const took = (runs: typeof ours) => runs.map(({ result }) => result.seconds)
    const peaks = (runs: typeof ours) => runs.map(({ peak }) => peak)
    const size = (runs: typeof ours) => `${(runs[0]!.result.bytes / 1e6).toFixed(1)} MB`
    return [
      atMost(`export, workbook of ${ours[0]!.result.rows.toLocaleString("en")} rows`, 1.4, {
        ...times({ ours: took(ours), theirs: took(theirs) }),
        note: `the baseline is hucre streaming the rows, ready in memory; files of ${size(ours)} and ${size(theirs)}`
      }),
      atMost("export, workbook: peak of memory", 1, {
        ...memory(peaks(ours), MOST_MEGABYTES),
        note: `the baseline is what is allowed; hucre, rows in memory: ${megabytes(Math.max(...peaks(theirs)))}`
      }),
      atMost("export, CSV files: peak of memory", 1, {
        ...memory([csv.peak], MOST_MEGABYTES),
        note: `written in ${seconds(csv.result.seconds)}`
      })
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-"))
  // Its sides have no use for what makes bundles.
  await (await import("./Bundles.ts")).bundle(folder)
  const all = await figures(Number(process.argv[2] ?? 200_000))
  rmSync(folder, { recursive: true, force: true })
  console.log([heading, ...all.map(line)].join("\n"))
  if (all.some(({ held }) => !held)) process.exitCode = 1
}
