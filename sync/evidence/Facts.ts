/**
 * What an evidence pack contains of the state file, as lines of JSON: the chain whole, and every fact with the text that its entry
 * has a digest of. Who has the lines can compute each digest again, without Daybook.
 *
 * Sign-ins stay out, which are about persons and not about the books: of them there are only digests.
 */
import * as CallPages from "../state/calls/CallPages.ts"
import type { Db } from "../state/Database.ts"
import { CHAINED, keyColumns, factColumns } from "../state/chain/Chained.ts"
import { fromStored, type StoredEntry } from "../state/chain/Stored.ts"
import { LINES_OF, VERSION_TEXTS } from "../state/chain/Documents.ts"
import * as RecordPages from "../state/RecordPages.ts"

export interface PackPart {
  readonly name: string
  /** Pieces of text, each of whole lines. */
  readonly lines: () => Iterable<string>
}

const LEFT_OUT = new Set(["record_page", "sign_in"])

const rows = (db: Db, sql: string) => db.prepare(sql).raw().iterate() as IterableIterator<ReadonlyArray<unknown>>

const line = (values: ReadonlyArray<unknown>): string => `${JSON.stringify(values)}\n`

const selected = function* (db: Db, sql: string): Iterable<string> {
  for (const row of rows(db, sql)) yield line(row)
}

/** The chain, as its hashes are made of it. */
const entries = function* (db: Db): Iterable<string> {
  for (const row of db.prepare("SELECT * FROM chain ORDER BY n").iterate() as IterableIterator<StoredEntry>) {
    const { at, content, hash, kind, n } = fromStored(row)
    yield line([n, at, kind, content, hash])
  }
}

const facts = function* (db: Db, sql: string): Iterable<string> {
  for (const [key, ...rest] of rows(db, sql))
    yield line([typeof key === "number" ? key : JSON.parse(String(key)), ...rest])
}

/** Claims or receipts that are packed; the others follow. */
const packed = function* (db: Db, table: string): Iterable<string> {
  if (table !== "claim" && table !== "receipt") return
  for (const call of CallPages.packed(db, "asc")) yield line([call.id, call[table]])
}

/** A record is found in a page by its number, see `RecordPages.ts`. */
const pages = function* (db: Db): Iterable<string> {
  for (const [id, scan, read, size, content] of rows(db, "SELECT id, scan, read, size, content FROM record_page"))
    yield line([id, scan, read, RecordPages.unpacked(content as Buffer, size as number).toString()])
}

/** The names of each table's columns, in the order in which its texts have them. */
export const PACK_COLUMNS = Object.fromEntries(
  CHAINED.filter(({ table }) => !LEFT_OUT.has(table)).map(({ columns, key, table }) => [
    table,
    [...(typeof key === "string" ? [key] : key), ...columns]
  ])
)

/** @param db a snapshot */
export const packParts = (db: Db): ReadonlyArray<PackPart> => [
  { name: "chain.jsonl", lines: () => entries(db) },
  { name: "documents.jsonl", lines: () => selected(db, LINES_OF) },
  { name: "versions.jsonl", lines: () => facts(db, VERSION_TEXTS) },
  { name: "records.jsonl", lines: () => pages(db) },
  { name: "columns.json", lines: () => [`${JSON.stringify(PACK_COLUMNS)}\n`] },
  ...CHAINED.filter(({ table }) => !LEFT_OUT.has(table)).map((chained) => ({
    name: `facts/${chained.table}.jsonl`,
    lines: function* () {
      yield* packed(db, chained.table)
      yield* facts(
        db,
        `SELECT ${keyColumns(chained, "t")}, ${factColumns(chained)} FROM ${chained.table} t WHERE ${chained.when ?? "1"} ORDER BY 1`
      )
    }
  }))
]
