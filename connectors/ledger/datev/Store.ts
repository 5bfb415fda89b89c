/**
 * Keeps postings with customers on disk while they are read, in a temporary file of SQLite, which nobody else sees and which is gone
 * when it is closed: a document's postings may be in any of the files, and there may be millions.
 */
import Sqlite from "better-sqlite3"
import { deserialize, serialize } from "node:v8"
import type { Posting } from "./Batch.ts"

const TABLES = `
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -32768;
CREATE TABLE posting (file TEXT, line INTEGER, customer TEXT, ref TEXT, content TEXT, raw TEXT, rest BLOB);
BEGIN`

const INDEX = `
CREATE INDEX posting_ref ON posting (customer, ref, content);
CREATE INDEX posting_file ON posting (file, customer, ref, line)`

interface Row {
  readonly at: number
  readonly raw: string
  readonly rest: Buffer
}

export class Store {
  readonly #db = new Sqlite("")
  readonly #put
  readonly #of

  constructor() {
    this.#db.exec(TABLES)
    this.#put = this.#db.prepare("INSERT INTO posting VALUES (?, ?, ?, ?, ?, ?, ?)")
    this.#of = this.#db.prepare<[string, string], Row>(
      "SELECT rowid AS at, raw, rest FROM posting WHERE customer = ? AND ref = ?"
    )
  }

  put({ raw, ...rest }: Posting): void {
    const { amount, currency, customer, day, file, line, other, ref } = rest
    this.#put.run(file, line, customer, ref, `${day} ${other} ${amount} ${currency}`, raw, serialize(rest))
  }

  /** All postings are there. */
  full(): void {
    this.#db.exec(INDEX)
  }

  drop(file: string): void {
    this.#db.prepare("DELETE FROM posting WHERE file = ?").run(file)
  }

  /** How many postings of one file another one has, too. */
  same(one: string, other: string): number {
    return (
      this.#db
        .prepare<[string, string], number>(
          `SELECT count(*) FROM posting a WHERE a.file = ? AND EXISTS (SELECT 1 FROM posting b
            WHERE b.file = ? AND b.customer = a.customer AND b.ref = a.ref AND b.content = a.content)`
        )
        .pluck()
        .get(one, other) ?? 0
    )
  }

  /** Postings of a file that are the same in every cell as one before: two rates of tax are not, and a line that is there twice is. */
  repeats(file: string): { readonly count: number; readonly first: number | null } {
    const repeated = this.#db.prepare<[string], { readonly count: number; readonly first: number | null }>(
      `SELECT count(*) AS count, min(line) AS first FROM (SELECT line, row_number() OVER
        (PARTITION BY customer, ref, content, raw ORDER BY line) AS nth FROM posting WHERE file = ?) WHERE nth > 1`
    )
    return repeated.get(file) ?? { count: 0, first: null }
  }

  /** The postings of a document, in the order in which they were put. */
  of(customer: string, ref: string): ReadonlyArray<Posting> {
    return this.#of.all(customer, ref).map(({ raw, rest }) => ({ ...(deserialize(rest) as Omit<Posting, "raw">), raw }))
  }

  /** Of each document that a file has postings of, all postings. */
  *documents(file: string): Generator<ReadonlyArray<Posting>> {
    const refs = this.#db.prepare<[string], { readonly customer: string; readonly ref: string }>(
      "SELECT customer, ref FROM posting WHERE file = ? GROUP BY customer, ref ORDER BY min(line)"
    )
    for (const { customer, ref } of refs.iterate(file)) yield this.of(customer, ref)
  }

  close(): void {
    this.#db.close()
  }
}
