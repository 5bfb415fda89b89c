/**
 * Finds quarantined records in the same way as documents: by id, by key, by their place in the source, and by their text.
 * Read-only.
 */
import * as Document from "../../connectors/Document.ts"
import { likely } from "../books/ScanState.ts"
import type { Db } from "../state/Database.ts"
import { containing } from "./SearchText.ts"
import type { QuarantinedRow } from "../model/reports/State.ts"

export type { QuarantinedRow }

const COLUMNS = "connection, origin, kind, id, field, why, raw, since"

type Rows = ReadonlyArray<QuarantinedRow>

export const all = (db: Db, most: number): Rows =>
  db.prepare(`SELECT ${COLUMNS} FROM quarantine ORDER BY rowid LIMIT ?`).all(most) as Rows

const ALIKE = "PARTITION BY connection, kind, field, why"

/** Records whose problem no other record has: `Status.quarantinedAlike` counts the others together. */
export const alone = (db: Db, most: number): Rows =>
  db
    .prepare(
      `SELECT ${COLUMNS} FROM (SELECT *, rowid AS n, count(*) OVER (${ALIKE}) AS alike FROM quarantine)
        WHERE field IS NULL OR alike = 1 ORDER BY n LIMIT ?`
    )
    .all(most) as Rows

const isEmpty = (db: Db): boolean => db.prepare("SELECT 1 FROM quarantine LIMIT 1").get() === undefined

/** An id, and the ids of records from which a document with it may be made: `7/1` from `7`. */
const records = (id: string): ReadonlyArray<string> => {
  const parts = id.split("/")
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"))
}

/** Records with this id, of the document with this key, or at this place. */
export const called = (db: Db, what: string, connections: ReadonlyArray<string>, most = 10): Rows => {
  if (isEmpty(db)) return []
  const named = db.prepare(
    `SELECT ${COLUMNS} FROM quarantine WHERE connection = ? AND (id = ? OR origin = ?) ORDER BY rowid LIMIT ?`
  )
  const own = /^([^/]+)\/[a-z_]+\/./.test(what) ? Document.parseKey(what) : undefined
  const found = connections.flatMap((one) => [
    ...(named.all(one, what, what, most) as Rows),
    ...(own?.connection === one ? latest(db, [what]) : [])
  ])
  return [...new Map(found.map((row) => [JSON.stringify(row), row])).values()].slice(0, most)
}

/** The latest records of these documents, if they could not be read. */
export const latest = (db: Db, keys: ReadonlyArray<string>): Rows => {
  if (isEmpty(db)) return []
  const rows = db.prepare(
    `SELECT ${COLUMNS} FROM quarantine WHERE connection = ? AND kind IN (SELECT value FROM json_each(?))
      AND id IN (SELECT value FROM json_each(?)) ORDER BY rowid LIMIT 10`
  )
  const found = keys.flatMap((key) => {
    const { connection, id, kind } = Document.parseKey(key)
    return rows.all(connection, JSON.stringify(likely(kind as Document.Kind)), JSON.stringify(records(id))) as Rows
  })
  return [...new Map(found.map((row) => [JSON.stringify(row), row])).values()]
}

/** Shorter names would be found in too many records by chance. */
const SHORTEST = 3
const MOST_LOOKED = 20_000

/** Records of a connection that contain one of these names: a payment that cannot be read may be for this invoice. */
export const naming = (db: Db, connection: string, names: ReadonlyArray<string>, most = 10): Rows => {
  const long = [...new Set(names)].filter(({ length }) => length >= SHORTEST)
  if (long.length === 0 || isEmpty(db)) return []
  const rows = db
    .prepare(
      `SELECT ${COLUMNS} FROM (SELECT *, rowid AS n FROM quarantine WHERE connection = :connection LIMIT ${MOST_LOOKED})
        WHERE EXISTS (SELECT 1 FROM json_each(:names) WHERE instr(raw, value) > 0) ORDER BY n`
    )
    .all({ connection, names: JSON.stringify(long) }) as Rows
  return rows.filter(({ raw }) => long.some((name) => stands(raw, name))).slice(0, most)
}

/** Matches whole names only: `INV-12` does not contain `INV-1`. */
const stands = (text: string, name: string): boolean => {
  const isPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + name.length])) return true
  return false
}

/** Records of a connection that match a search, by their text or place. An empty search finds all. */
export const searched = (db: Db, connection: string, text: string, most: number): Rows =>
  db
    .prepare(
      `SELECT ${COLUMNS} FROM quarantine WHERE connection = :connection
        AND (raw LIKE :like ESCAPE '\\' OR id LIKE :like ESCAPE '\\' OR origin LIKE :like ESCAPE '\\') ORDER BY rowid LIMIT :most`
    )
    .all({ connection, most, like: containing(text) }) as Rows
