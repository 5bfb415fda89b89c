/**
 * Exports for tests, and what an independent reader makes of them: `xlsx` for workbooks, which shares no code with the
 * writer. What that reader hides, such as panes and the text of a number, is looked up in the parts of the file.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import XLSX from "xlsx"
import { type Exported, type ExportOptions, exportTo } from "../../sync/export/index.ts"
import { Database } from "../../sync/state/Database.ts"
import { NOW } from "./State.ts"

export type Db = Database["Service"]

/** An empty folder that goes away with the test. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "daybook-export-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Books in memory, at the time of `NOW`. */
export const books = Effect.gen(function* () {
  yield* TestClock.setTime(NOW)
  return Context.get(yield* Layer.build(Database.layer({ file: ":memory:", mode: "write" })), Database)
})

/** Books in a file, which others can read. */
export const booksInFile = Effect.gen(function* () {
  yield* TestClock.setTime(NOW)
  const state = join(yield* folder, "state")
  mkdirSync(state)
  const file = join(state, "daybook.db")
  const db = Context.get(yield* Layer.build(Database.layer({ file, mode: "write" })), Database)
  return { db, file }
})

export interface Book extends Exported {
  readonly names: ReadonlyArray<string>
  /** Cells by the head of their column. */
  readonly table: (sheet: string) => ReadonlyArray<Readonly<Record<string, XLSX.CellObject>>>
  readonly sheet: (sheet: string) => XLSX.WorkSheet
  /** The XML of a sheet. */
  readonly xml: (sheet: string) => string
  /** A part of the archive. */
  readonly part: (path: string) => string
}

export const readBook = (file: string): Omit<Book, keyof Exported> => {
  const bytes = readFileSync(file)
  const book = XLSX.read(bytes, { cellNF: true, cellHTML: false })
  const archive = XLSX.CFB.read(bytes, { type: "buffer" })
  const part = (path: string): string => {
    const found = XLSX.CFB.find(archive, `/${path}`)
    if (found === null) throw new Error(`the workbook has no ${path}`)
    return Buffer.from(found.content as Uint8Array).toString("utf8")
  }
  const sheet = (name: string): XLSX.WorkSheet => {
    const found = book.Sheets[name]
    if (found === undefined) throw new Error(`there is no ${name} among ${book.SheetNames.join(", ")}`)
    return found
  }
  return {
    names: book.SheetNames,
    sheet,
    part,
    xml: (name) => {
      const id = new RegExp(`<sheet name="${name}"[^>]* r:id="(\\w+)"`).exec(part("xl/workbook.xml"))![1]!
      const target = new RegExp(`Id="${id}"[^>]* Target="([^"]+)"`).exec(part("xl/_rels/workbook.xml.rels"))![1]!
      return part(`xl/${target}`)
    },
    table: (name) => {
      const cells = sheet(name)
      const { e } = XLSX.utils.decode_range(cells["!ref"]!)
      const at = (r: number, c: number): XLSX.CellObject | undefined => cells[XLSX.utils.encode_cell({ r, c })]
      return Array.from({ length: e.r }, (_, r) =>
        Object.fromEntries(
          Array.from({ length: e.c + 1 }, (_, c) => [String(at(0, c)?.v), at(r + 1, c)] as const).filter(
            (entry): entry is readonly [string, XLSX.CellObject] => entry[1] !== undefined
          )
        )
      )
    }
  }
}

/** Exports to a workbook in a folder of its own, and reads it. */
export const exported = (db: Db, options: ExportOptions = {}) =>
  Effect.gen(function* () {
    const file = join(yield* folder, "books.xlsx")
    const done = yield* exportTo(db, file, options)
    return { ...done, ...readBook(file) } satisfies Book
  })

/** What a cell is: its type, its value and its number format. */
export const shown = (cell: XLSX.CellObject | undefined): ReadonlyArray<unknown> | undefined =>
  cell === undefined ? undefined : cell.t === "n" ? [cell.t, cell.v, cell.z] : [cell.t, cell.v]

/** The same as people see it. */
export const formatted = (cell: XLSX.CellObject | undefined): string =>
  cell === undefined ? "" : cell.t === "n" ? XLSX.SSF.format(String(cell.z), cell.v) : String(cell.v)
