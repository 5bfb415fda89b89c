/**
 * Exports the books into a workbook or CSV files.
 *
 * All sheets show one snapshot: they are read in one transaction, on a separate connection, while others may go on writing.
 * Files are written atomically. Memory use does not depend on the size of the books.
 */
import { Clock, Effect } from "effect"
import { breathe } from "../state/Breathe.ts"
import type { StateError, Db } from "../state/Database.ts"
import { snapshotOf } from "../state/Snapshot.ts"
import * as Sheets from "../reports/Sheets.ts"
import { shares } from "../reports/sheets/Shares.ts"
import { csvFiles } from "./CsvFiles.ts"
import { ExportError, exportError } from "./ExportError.ts"
import type { Format } from "./Format.ts"
import { isTable } from "./views/Tables.ts"
import { viewsFile } from "./views/ViewsFile.ts"
import { workbook } from "./Workbook.ts"

/** The books as tables and views of a SQLite file, for programs that report on them (`sync/export/views/README.md`). */
export const exportViews = (
  db: Db,
  file: string,
  { connections, ...options }: ExportOptions = {}
): Effect.Effect<Exported, ExportError | StateError> =>
  exportSheets(
    db,
    file,
    (books, now) => {
      const all = connections ?? Sheets.connectionsOf(books)
      const found = Sheets.sheets(books, { connections: all, now })
      const parts = [...found.reading, shares(books, all)].filter(({ name }) => isTable(name))
      return { shown: parts, reading: parts }
    },
    { ...options, formats: [viewsFile] }
  )

export { ExportError } from "./ExportError.ts"

export interface ExportOptions {
  /** Only these connections; default: everything in the books. */
  readonly connections?: ReadonlyArray<string>
  /** Called at intervals with the number of rows written so far. */
  readonly onProgress?: (sheet: string, rows: number) => Effect.Effect<void>
  /** The most rows in a sheet of a workbook before it continues in the next one. */
  readonly rowsPerSheet?: number
}

export interface Exported {
  readonly sheets: ReadonlyArray<{ readonly name: string; readonly rows: number }>
  /** Full paths, in the order of the sheets. */
  readonly files: ReadonlyArray<string>
}

/** How many rows are read at a time. */
const BATCH = 128

/** @param file its extension, `.xlsx` or `.csv`, decides the format */
export const exportTo = (
  db: Db,
  file: string,
  { connections, ...options }: ExportOptions = {}
): Effect.Effect<Exported, ExportError | StateError> =>
  exportSheets(
    db,
    file,
    (books, now) => Sheets.sheets(books, { connections: connections ?? Sheets.connectionsOf(books), now }),
    options
  )

/** The same for sheets that a function makes from a snapshot of the books. */
export const exportSheets = (
  db: Db,
  file: string,
  sheetsOf: (books: Db, now: number) => Sheets.Sheets,
  {
    formats,
    onProgress = () => Effect.void,
    rowsPerSheet
  }: Omit<ExportOptions, "connections"> & { readonly formats?: ReadonlyArray<Format> } = {}
): Effect.Effect<Exported, ExportError | StateError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const format = yield* formatOf(file, formats ?? [workbook(rowsPerSheet), csvFiles])
      // A write is short and must be completed: an interruption waits for it.
      const attempt = <A>(work: () => Promise<A>) =>
        Effect.uninterruptible(Effect.tryPromise({ try: work, catch: (cause) => exportError(file, cause) }))

      const books = yield* snapshotOf(db)
      const now = yield* Clock.currentTimeMillis
      const { reading, shown } = yield* books.read(() => sheetsOf(books, now))
      const writer = yield* Effect.acquireRelease(
        attempt(() => format.open(file)),
        (writer) => Effect.promise(writer.discard)
      )

      const counts = new Map<string, number>()
      for (const sheet of reading) {
        yield* attempt(() => writer.begin(sheet))
        const written = yield* Effect.scoped(
          Effect.gen(function* () {
            const rows = yield* open(sheet)
            let count = 0
            for (;;) {
              const { batch, isLast } = yield* books.read(() => take(rows))
              yield* attempt(() => writer.write(batch))
              yield* breathe
              count += batch.length
              if (isLast) return count
              if (batch.length > 0) yield* onProgress(sheet.name, count)
            }
          })
        )
        yield* attempt(writer.end)
        yield* onProgress(sheet.name, written)
        counts.set(sheet.name, written)
      }
      const names = shown.map(({ name }) => name)
      const files = yield* attempt(() => writer.commit(names))
      return { sheets: names.map((name) => ({ name, rows: counts.get(name) ?? 0 })), files }
    })
  )

const formatOf = (file: string, formats: ReadonlyArray<Format>): Effect.Effect<Format, ExportError> => {
  const found = formats.find(({ ending }) => file.toLowerCase().endsWith(ending))
  return found === undefined
    ? new ExportError({
        kind: "ending",
        file,
        why: `the ending decides the format: ${formats.map(({ ending }) => ending).join(" or ")}`
      })
    : Effect.succeed(found)
}

/** Finishes the statement: an unfinished one would keep its connection busy. */
const open = (sheet: Sheets.Sheet) =>
  Effect.acquireRelease(
    Effect.sync(() => sheet.rows()),
    (rows) => Effect.sync(() => rows.return?.())
  )

const take = (rows: Iterator<Sheets.Row | undefined>) => {
  const batch: Array<Sheets.Row> = []
  while (batch.length < BATCH) {
    const { done, value } = rows.next()
    if (done === true) return { batch, isLast: true }
    if (value === undefined) break
    batch.push(value)
  }
  return { batch, isLast: false }
}
