/**
 * Inserts many rows with one statement: running a statement takes longer than inserting a row.
 */
import type { Statement } from "better-sqlite3"

/** The part of the state file's interface that is used here. */
interface Db {
  readonly prepare: (sql: string) => Statement
}

/** More rows do not make it faster. */
export const TOGETHER = 50

/** An insert statement, in which a row's values are parameters. */
export interface Insert {
  /** `INSERT INTO …` */
  readonly into: string
  /** `(?, 1)` */
  readonly row: string
  /** `ON CONFLICT …` */
  readonly otherwise: string
}

/** A statement that inserts `TOGETHER` rows, and one that inserts a single row. */
export const insert = ({ into, otherwise, row }: Insert): { readonly many: string; readonly one: string } => ({
  many: `${into} VALUES ${Array(TOGETHER).fill(row).join(", ")} ${otherwise}`,
  one: `${into} VALUES ${row} ${otherwise}`
})

export type Value = string | number | bigint | null

/** Collects rows to insert. Use inside a transaction, and end with `flush`; until then, the rows are not in the database. */
export class ManyRows {
  readonly #db: Db
  readonly #sql: ReturnType<typeof insert>
  readonly #width: number
  #waiting: Array<Value> = []

  constructor(db: Db, of: Insert) {
    this.#db = db
    this.#sql = insert(of)
    this.#width = of.row.split("?").length - 1
  }

  /** @param row as many values as the row has parameters */
  add(...row: ReadonlyArray<Value>): void {
    this.addRow(row)
  }

  addRow(row: ReadonlyArray<Value>): void {
    for (const value of row) this.#waiting.push(value)
    if (this.#waiting.length < TOGETHER * this.#width) return
    this.#db.prepare(this.#sql.many).run(this.#waiting)
    this.#waiting = []
  }

  flush(): void {
    if (this.#waiting.length === 0) return
    const one = this.#db.prepare(this.#sql.one)
    for (let at = 0; at < this.#waiting.length; at += this.#width) one.run(this.#waiting.slice(at, at + this.#width))
    this.#waiting = []
  }

  /** Discards the rows of a transaction that failed. */
  clear(): void {
    this.#waiting = []
  }
}
