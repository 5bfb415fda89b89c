/**
 * Writes an evidence pack: one ZIP file with a month's closing statement, every fact of the state file with its chain, and a page
 * that checks them without Daybook. `cli/MONTH-END.md` says what each part is.
 */
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { exportError, type ExportError } from "../export/ExportError.ts"
import { exportSheets } from "../export/index.ts"
import { OutputFile } from "../export/OutputFile.ts"
import { Zip } from "../export/Zip.ts"
import type { MonthReport } from "../reports/CloseReport.ts"
import { sheetsOf } from "../reports/CloseSheets.ts"
import { breathe } from "../state/Breathe.ts"
import type { StateError, Db } from "../state/Database.ts"
import { snapshotOf } from "../state/Snapshot.ts"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import { type PackPart, packParts } from "./Facts.ts"
import { PAGE } from "./Page.ts"

/** About how many characters are compressed at a time. */
const PIECE = 1 << 18

/** @param printed why there are no pages to print; empty if there are */
const about = ({ month }: MonthReport, printed: string) => `Evidence of ${month}

verify.html     Open it in a browser and choose this ZIP file: it computes every digest again, needs no network, and
                follows a figure of the statement to the source's own row.
statement.json  The closing statement; statement.xlsx is the same as a workbook, statement.pdf${printed} as pages to print.
chain.jsonl     The chain, an entry a line: number, time (milliseconds), kind, content, hash. The hash is the SHA-256 of
                ["HASH BEFORE",NUMBER,TIME,"KIND",CONTENT]. The first follows 64 zeros.
facts/*.jsonl   Claims, receipts, decisions and the rest, a fact a line: key and text. An entry has the first 32 digits of
                the text's SHA-256, or the text. columns.json names what the texts consist of.
documents.jsonl Every document as it was first read: number, text, number of its record. An entry has a digest of 128
                documents at a time, their texts joined by line feeds.
versions.jsonl  Later versions: [document, version], text, number of the record.
records.jsonl   What the sources said, word for word: page, scan, time, and the text of its records. The digest is that of
                scan, time and text, with spaces between. Record number 4096 × page + n is the n-th, counted from 0.

Names, addresses and amounts of customers are in it: keep it as you keep the books.
`

/** Some of a part's lines, and whether it ends with them. */
const take = (lines: Iterator<string>) => {
  let text = ""
  while (text.length < PIECE) {
    const { done, value } = lines.next()
    if (done === true) return { text, isLast: true }
    text += value
  }
  return { text, isLast: false }
}

/** The statement as a workbook. */
const workbookOf = (db: Db, report: MonthReport) =>
  Effect.acquireUseRelease(
    Effect.sync(() => temporaryFolder("trial")),
    (folder) =>
      exportSheets(db, join(folder, "statement.xlsx"), () => sheetsOf(report)).pipe(
        Effect.andThen(Effect.promise(() => readFile(join(folder, "statement.xlsx"))))
      ),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )

/** @param file its name ends with `.zip` */
export const writePack = (db: Db, file: string, report: MonthReport): Effect.Effect<void, ExportError | StateError> =>
  Effect.gen(function* () {
    const attempt = <A>(work: () => Promise<A>) =>
      Effect.uninterruptible(Effect.tryPromise({ try: work, catch: (cause) => exportError(file, cause) }))
    const workbook = yield* workbookOf(db, report)
    // Loaded only here, because the typesetting code is large.
    const pages = yield* Effect.promise(async () => (await import("./StatementPdf.ts")).statementPdf(report))
    const books = yield* snapshotOf(db)
    const output = yield* Effect.acquireRelease(
      attempt(() => OutputFile.create(file)),
      (output) => Effect.promise(output.discard)
    )
    const zip = new Zip(output)
    const add = Effect.fn(function* ({ lines, name }: PackPart) {
      yield* attempt(() => zip.begin(name))
      const rows = yield* Effect.acquireRelease(
        Effect.sync(() => lines()[Symbol.iterator]()),
        (rows) => Effect.sync(() => rows.return?.())
      )
      for (;;) {
        const { isLast, text } = yield* books.read(() => take(rows))
        yield* attempt(() => zip.write(Buffer.from(text)))
        yield* breathe
        if (isLast) break
      }
      yield* attempt(zip.end)
    }, Effect.scoped)
    const lacks = "why" in pages ? ` (left out: ${pages.why})` : ""
    yield* attempt(() => zip.add("READ-ME.txt", about(report, lacks)))
    yield* attempt(() => zip.add("verify.html", PAGE))
    yield* attempt(() => zip.add("statement.json", `${JSON.stringify(report)}\n`))
    yield* attempt(() => zip.add("statement.xlsx", workbook))
    if (!("why" in pages)) yield* attempt(() => zip.add("statement.pdf", pages))
    for (const part of packParts(books)) yield* add(part)
    yield* attempt(zip.finish)
    yield* attempt(output.close)
    yield* attempt(output.commit)
  }).pipe(Effect.scoped)
