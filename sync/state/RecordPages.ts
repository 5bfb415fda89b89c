/**
 * Stores the original records that documents were made from, and their place in the source. The records of a page are one row,
 * compressed together: stored individually they would be the largest part of a state file, and few are ever read.
 *
 * A document has the number of its record: that of the row, and the record's index in it. Rows are only added. A row is JSON,
 * the places followed by the texts, compressed with Zstandard: for CSV a quarter smaller than deflate, and faster.
 */
import { zstdCompressSync, zstdDecompressSync } from "node:zlib"
import type { Statement } from "better-sqlite3"
import { fastest } from "./Zstandard.ts"

/** The part of the state file's interface that is used here. */
interface Db {
  readonly prepare: (sql: string) => Statement
}

/** A document's `record` is the row's id times this, plus its index in the row. */
export const RECORDS_OF_ROW = 4096

/** The most characters in a row's records, not counting the last of them. */
const MOST_CHARACTERS = 1 << 19

/** Shorter texts are stored uncompressed. */
const WORTH_IT = 512

/** From a record's number to its row, as SQL. */
export const ROW = `/ ${RECORDS_OF_ROW}`

interface Place {
  readonly raw: string
  readonly origin: string
}

/** Collects the records that are stored with a page. Use inside its transaction. */
export class RecordPages {
  readonly #db: Db
  #id: number | undefined
  #characters = 0
  #origins: Array<string> = []
  #raws: Array<string> = []

  constructor(db: Db) {
    this.#db = db
  }

  /** Discards the records of a page that failed. */
  clear(): void {
    this.#id = undefined
    this.#characters = 0
    this.#origins = []
    this.#raws = []
  }

  /** Adds a record, and returns its number. */
  add(scan: number, { origin, raw }: Place, now: number): number {
    if (this.#raws.length === RECORDS_OF_ROW || this.#characters > MOST_CHARACTERS) this.flush(scan, now)
    this.#id ??= 1 + (this.#db.prepare("SELECT coalesce(max(id), 0) FROM record_page").pluck().get() as number)
    this.#characters += raw.length + origin.length
    this.#origins.push(origin)
    return this.#id * RECORDS_OF_ROW + this.#raws.push(raw) - 1
  }

  /** Writes the records. */
  flush(scan: number, now: number): void {
    if (this.#id === undefined) return
    const text = Buffer.from(JSON.stringify([this.#origins, this.#raws]))
    const content = text.length < WORTH_IT ? text : zstdCompressSync(text, fastest())
    this.#db
      .prepare("INSERT INTO record_page VALUES (?, ?, ?, ?, ?)")
      .run(this.#id, scan, now, text.length, content.length < text.length ? content : text)
    this.clear()
  }
}

/** A row's records as JSON. */
export const unpacked = (content: Buffer, size: number): Buffer =>
  content.length === size ? content : zstdDecompressSync(content, { maxOutputLength: size })

/** Looks records up by number; caches the last row. */
export const reader = (db: Db): ((record: number) => Place) => {
  let last:
    | { readonly id: number; readonly places: readonly [ReadonlyArray<string>, ReadonlyArray<string>] }
    | undefined
  return (record) => {
    const id = Math.floor(record / RECORDS_OF_ROW)
    if (last?.id !== id) {
      const row = db.prepare("SELECT size, content FROM record_page WHERE id = ?").get(id) as
        | { readonly size: number; readonly content: Buffer }
        | undefined
      const text = row === undefined ? "[[],[]]" : unpacked(row.content, row.size).toString()
      last = { id, places: JSON.parse(text) }
    }
    const [origins, raws] = last.places
    const at = record % RECORDS_OF_ROW
    return { origin: origins[at] ?? "", raw: raws[at] ?? "" }
  }
}
