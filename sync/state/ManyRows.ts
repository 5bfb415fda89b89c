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

/** Rows of one value that wait to be inserted. Used inside a transaction, which ends with `flush`. */
export class ManyRows {
  readonly #db: Db
  readonly #sql: ReturnType<typeof insert>
  #waiting: Array<string> = []

  constructor(db: Db, of: Omit<Insert, "row">) {
    this.#db = db
    this.#sql = insert({ ...of, row: "(?)" })
  }

  add(value: string): void {
    if (this.#waiting.push(value) < TOGETHER) return
    this.#db.prepare(this.#sql.many).run(this.#waiting)
    this.#waiting = []
  }

  flush(): void {
    const one = this.#db.prepare(this.#sql.one)
    for (const value of this.#waiting) one.run(value)
    this.#waiting = []
  }

  /** Forgets those of a transaction that failed. */
  clear(): void {
    this.#waiting = []
  }
}
