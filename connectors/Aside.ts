/**
 * Puts values aside on disk while a source is read, and gives them back by name: in a temporary file of SQLite, which nobody else
 * sees and which is gone when it is closed.
 */
import Sqlite from "better-sqlite3"
import { deserialize, serialize } from "node:v8"

const TABLES = `
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE aside (part, name, value BLOB);
BEGIN`

const INDEX = "CREATE INDEX aside_name ON aside (part, name)"

type Name = string | number

export class Aside<A> {
  readonly #db = new Sqlite("")
  readonly #put
  readonly #of
  /** Only once something is looked for: putting takes longer with an index. */
  #isIndexed = false

  constructor() {
    this.#db.exec(TABLES)
    this.#put = this.#db.prepare<[Name, Name, Buffer]>("INSERT INTO aside VALUES (?, ?, ?)")
    this.#of = this.#db
      .prepare<[Name, Name], Buffer>("SELECT value FROM aside WHERE part = ? AND name = ? ORDER BY rowid")
      .pluck()
  }

  put(part: Name, name: Name, value: A): void {
    this.#put.run(part, name, serialize(value))
  }

  /** The values of a name, in the order in which they were put. */
  of(part: Name, name: Name): ReadonlyArray<A> {
    this.#index()
    return this.#of.all(part, name).map((value) => deserialize(value) as A)
  }

  /** The values of a part, name by name, in the order in which the first of each was put. */
  *groups(part: Name): Generator<ReadonlyArray<A>> {
    this.#index()
    const names = this.#db.prepare<[Name], Name>(
      "SELECT name FROM aside WHERE part = ? GROUP BY name ORDER BY min(rowid)"
    )
    for (const name of names.pluck().iterate(part)) yield this.of(part, name)
  }

  #index(): void {
    if (!this.#isIndexed) this.#db.exec(INDEX)
    this.#isIndexed = true
  }

  close(): void {
    this.#db.close()
  }
}
