/**
 * Reads one SQLite file for `Sqlite.ts`, in a process of its own: SQLite works in one piece that nothing but the end of its process
 * interrupts, and a query may take for ever.
 */
import Sqlite, { type Database } from "better-sqlite3"
import { answerApart } from "../ApartProcess.ts"
import type { Record } from "./Driver.ts"
import { recordOf, type SqliteQuestion } from "./Sqlite.ts"

/** What is sent at once, in characters, however many rows were asked for; and the most that one row may have. */
const SENT = 4 * 2 ** 20
const LARGEST_ROW = 64 * 2 ** 20

const MOST_MEMORY_MB = 1024

let db: Database
let rows: Iterator<ReadonlyArray<unknown>> | undefined

const opened = (path: string): void => {
  db = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 2000 })
  db.exec("BEGIN")
  // The first read of the file fixes the snapshot.
  db.prepare("SELECT count(*) FROM sqlite_schema").get()
}

const prepared = (statement: string) => db.prepare(statement).safeIntegers(true).raw(true)

/** The next rows of the statement that is being read; none: it is at its end. */
const next = (size: number): ReadonlyArray<Record> => {
  const records: Array<Record> = []
  for (let sent = 0; records.length < size && sent < SENT; ) {
    const { done, value } = rows?.next() ?? { done: true, value: undefined }
    if (done === true) break
    const record = recordOf(value)
    const characters = record.cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0)
    if (characters > LARGEST_ROW) throw new Error(`a row is larger than ${LARGEST_ROW / 2 ** 20} MB`)
    sent += characters
    records.push(record)
  }
  return records
}

const answer = (question: SqliteQuestion): unknown => {
  if ("open" in question) return opened(question.open)
  if ("next" in question) return next(question.next)
  rows?.return?.()
  if ("columns" in question)
    return prepared(question.columns)
      .columns()
      .map(({ name }) => name)
  rows = (prepared(question.read).iterate() as Iterable<ReadonlyArray<unknown>>)[Symbol.iterator]()
  return undefined
}

answerApart(answer, MOST_MEMORY_MB)
