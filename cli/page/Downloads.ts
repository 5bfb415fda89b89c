/** Offers every list as a download, as a workbook or as CSV. */
import { Effect } from "effect"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { exportSheets } from "../../sync/export/index.ts"
import type { Sheets } from "../../sync/reports/Sheets.ts"
import type { Sheet } from "../../sync/reports/sheets/Sheet.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import { html, type Node } from "./Html.ts"
import type { ShownPage } from "./Response.ts"
import { t } from "./language/Texts.ts"

const TYPES = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8"
} as const

export type Ending = keyof typeof TYPES

/** The links to a list's files; `at` builds an address with the current filter. */
export const links = (at: (path: string) => string, path: string): Node =>
  html`Download these: <a href=${at(`${path}.xlsx`)}>Excel</a> <a href=${at(`${path}.csv`)}>CSV</a>`

/** @param name the file's name, without its extension */
export const asFile = (
  name: string,
  ending: Ending,
  sheetOf: (books: Db, now: number) => Sheet
): Effect.Effect<ShownPage, never, Database> =>
  asSheets(name, ending, (books, now) => {
    const sheet = sheetOf(books, now)
    return { shown: [sheet], reading: [sheet] }
  })

/** Several sheets, which only a workbook has in one file. */
export const asWorkbook = (name: string, sheets: Sheets): Effect.Effect<ShownPage, never, Database> =>
  asSheets(name, "xlsx", () => sheets)

const asSheets = (
  name: string,
  ending: Ending,
  sheetsOf: (books: Db, now: number) => Sheets
): Effect.Effect<ShownPage, never, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const file = `${name}.${ending}`
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => temporaryFolder("page")),
      (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
    )
    const { files } = yield* exportSheets(db, join(folder, file), sheetsOf)
    const body = yield* Effect.promise(() => readFile(files[0] ?? join(folder, file)))
    return { file, type: TYPES[ending], body } satisfies ShownPage
  }).pipe(
    Effect.scoped,
    Effect.catch(({ message }) =>
      Effect.succeed<ShownPage>({ title: t`Something went wrong`, status: 500, body: html`<p>${message}</p>` })
    )
  )
