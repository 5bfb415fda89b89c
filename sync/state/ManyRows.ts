/**
 * Rows that are inserted many at a time: to run a statement takes longer than a row does.
 */
import type { Statement } from "better-sqlite3"

/** The state file, of which this is a part. */
interface Db {
  readonly prepare: (sql: string) => Statement
}

/** More make it no quicker. */
export const TOGETHER = 50

/** A statement, in which a row's values are parameters. */
interface Insert {
  /** `INSERT INTO …` */
  readonly into: string
  /** `(?, 1)` */
  readonly row: string
  /** `ON CONFLICT …` */
  readonly otherwise: string
}

/** The statement that inserts `TOGETHER` rows, and the one that inserts one. */
export const insert = ({ into, otherwise, row }: Insert): { readonly many: string; readonly one: string } => ({
  many: `${into} VALUES ${Array(TOGETHER).fill(row).join(", ")} ${otherwise}`,
  one: `${into} VALUES ${row} ${otherwise}`
})

type Value = string | number | bigint | null

/** Rows that wait to be inserted. Used inside a transaction, which ends with `flush`; until then nobody else finds them. */
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

  /** @param row as many values as it has parameters */
  add(...row: ReadonlyArray<Value>): void {
    if (this.#waiting.push(...row) < TOGETHER * this.#width) return
    this.#db.prepare(this.#sql.many).run(this.#waiting)
    this.#waiting = []
  }

  flush(): void {
    if (this.#waiting.length === 0) return
    const one = this.#db.prepare(this.#sql.one)
    for (let at = 0; at < this.#waiting.length; at += this.#width) one.run(this.#waiting.slice(at, at + this.#width))
    this.#waiting = []
  }

  /** Forgets those of a transaction that failed. */
  clear(): void {
    this.#waiting = []
  }
}
