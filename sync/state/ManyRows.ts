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

/** Fewer rows, for the last ones. */
const FEW = 10

/** Statements that insert `TOGETHER` rows, `FEW` rows and a single row. */
export interface Statements {
  readonly many: string
  readonly few: string
  readonly one: string
  /** How many parameters a row has. */
  readonly width: number
}

export const insert = ({ into, otherwise, row }: Insert): Statements => {
  const of = (rows: number) => `${into} VALUES ${Array(rows).fill(row).join(", ")} ${otherwise}`
  return { many: of(TOGETHER), few: of(FEW), one: of(1), width: row.split("?").length - 1 }
}

export type Value = string | number | bigint | null

/** Collects rows to insert. Use inside a transaction, and end with `flush`; until then, the rows are not in the database. */
export class ManyRows {
  readonly #db: Db
  readonly #sql: Statements
  /** The values of `TOGETHER` rows, of which `#count` are waiting: an array that grew with each row would leave garbage. */
  readonly #values: Array<Value>
  #count = 0

  constructor(db: Db, sql: Statements) {
    this.#db = db
    this.#sql = sql
    this.#values = new Array<Value>(TOGETHER * sql.width).fill(null)
  }

  /** @param row as many values as the row has parameters */
  add(...row: ReadonlyArray<Value>): void {
    this.addRow(row)
  }

  addRow(row: ReadonlyArray<Value>): void {
    const values = this.#values
    for (let n = 0; n < row.length; n++) values[this.#count++] = row[n] as Value
    if (this.#count < values.length) return
    this.#db.prepare(this.#sql.many).run(values)
    this.#count = 0
  }

  flush(): void {
    if (this.#count === 0) return
    const { few, one, width } = this.#sql
    const last = this.#count - (this.#count % (FEW * width))
    this.#run(few, FEW * width, 0, last)
    this.#run(one, width, last, this.#count)
    this.#count = 0
  }

  #run(sql: string, values: number, from: number, to: number): void {
    if (from === to) return
    const statement = this.#db.prepare(sql)
    for (let at = from; at < to; at += values) statement.run(this.#values.slice(at, at + values))
  }

  /** Discards the rows of a transaction that failed. */
  clear(): void {
    this.#count = 0
  }
}
