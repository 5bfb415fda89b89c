/**
 * Stores where reading continues, by connection: the pull's bookmark, whether a pull began and has not ended, and where the
 * last sweep ended.
 */
import type { Db } from "../state/Database.ts"
import { peek } from "../vault/Peek.ts"
import type { Brought } from "./Ready.ts"

/** The bookmark as text; undefined before the first page. */
export const find = (db: Pick<Db, "prepare">, connection: string): string | undefined => {
  const text = db.prepare("SELECT bookmark FROM bookmark WHERE connection = ?").pluck().get(connection)
  return typeof text === "string" ? text : undefined
}

/** The same in a state file that is not open; undefined if there is none that can be read. */
export const storedIn = (state: string, connection: string): string | undefined =>
  peek(state, (raw) => find({ prepare: (sql) => raw.prepare(sql) }, connection))

/** Whether a page contains nothing except how far its source was read. */
const isEmpty = ({ complete = [], deleted = [], notices = [], quarantined, read, scan, stated = [] }: Brought) =>
  scan === undefined && [complete, deleted, notices, quarantined, read, stated].every(({ length }) => length === 0)

/**
 * Moves the bookmark past a page. From then until `end`, the source counts as being read. Exception: if it had been read
 * completely and this page contains nothing, so that a source without news is written only once.
 */
const move = (db: Db, connection: string, bookmark: string, page: Brought, now: number): void =>
  void db
    .prepare(
      `INSERT INTO bookmark (connection, bookmark, moved, reading) VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE
        SET bookmark = excluded.bookmark, moved = excluded.moved, reading = iif(bookmark.bookmark IS NULL, 1, max(reading, ?))`
    )
    .run(connection, bookmark, now, isEmpty(page) ? 0 : 1)

/** Moves the bookmark, unless the page before had the same: a large one is not written for each page that has it. */
export class Moves {
  #written: string | undefined

  readonly move: typeof move = (db, connection, bookmark, page, now) => {
    if (bookmark === this.#written && isReading(db, connection)) return
    move(db, connection, bookmark, page, now)
    this.#written = bookmark
  }
}

/** Whether a pull began and did not reach the end of the source. */
export const isReading = (db: Db, connection: string): boolean =>
  db.prepare("SELECT 1 FROM bookmark WHERE connection = ? AND reading = 1").get(connection) !== undefined

/** Records that the source is read for the first time: it counts as not read to its end, until it is. */
export const begin = (db: Db, connection: string): void =>
  void db.prepare("INSERT INTO bookmark (connection, reading) VALUES (?, 1) ON CONFLICT DO NOTHING").run(connection)

/** Whether the source was ever read, or tried. */
export const hasBegun = (db: Db, connection: string): boolean =>
  db.prepare("SELECT 1 FROM bookmark WHERE connection = ?").get(connection) !== undefined

/** Records that the source could not be read: it counts as not read to its end, until it is. */
export const failed = (db: Db, connection: string): void =>
  void db
    .prepare("INSERT INTO bookmark (connection, reading) VALUES (?, 1) ON CONFLICT DO UPDATE SET reading = 1")
    .run(connection)

/** Nothing waits any more for a paying connection that is not configured and was not read to its end. Returns whether it did. */
export const giveUp = (db: Db, connection: string): boolean =>
  db
    .prepare(
      `UPDATE bookmark SET reading = 0 WHERE connection = ? AND reading = 1
        AND EXISTS (SELECT 1 FROM paying WHERE connection = bookmark.connection AND removed = 1)`
    )
    .run(connection).changes > 0

/** Records that the source was read to its end. */
export const end = (db: Db, connection: string): void =>
  void db.prepare("UPDATE bookmark SET reading = 0 WHERE connection = ?").run(connection)

/** The key of the last swept document; empty before the first sweep. */
export const sweptTo = (db: Db, connection: string): string => {
  const key = db.prepare("SELECT swept_to FROM bookmark WHERE connection = ?").pluck().get(connection)
  return typeof key === "string" ? key : ""
}

export const rememberSweep = (db: Db, connection: string, key: string): void =>
  void db
    .prepare(
      `INSERT INTO bookmark (connection, swept_to) VALUES (?, ?) ON CONFLICT DO UPDATE SET swept_to = excluded.swept_to`
    )
    .run(connection, key)
