/**
 * Documents in the chain. New ones have consecutive numbers, and their digests are those of 128 at a time: one for each would make a
 * state file an eighth larger. A character for each tells which of them it is, if one is changed; of one in 64 such changes only the
 * 128 are named. Later versions have a digest each.
 */
import type { Statement } from "better-sqlite3"
import { sha256 } from "./Entry.ts"

interface Db {
  readonly prepare: (sql: string) => Statement
}

const TOGETHER = 128

/** The most new documents of one entry. */
export const MOST_DOCUMENTS = 4096

const NEWLINE = 10

const CHECKS = Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

/** The first versions of consecutive documents, a line for each. */
const LINES = `SELECT group_concat('[' || d.id || ',' || json_quote(d.key) || ',' || coalesce(v.body, d.body) || ']', char(10))
  FROM document d LEFT JOIN version v ON v.document = d.id AND v.n = 1 WHERE d.id BETWEEN ? AND ?`

/** The same, of documents that have no other version yet: as they are written. */
const NEW_LINES = `SELECT group_concat('[' || id || ',' || json_quote(key) || ',' || body || ']', char(10))
  FROM document WHERE id BETWEEN ? AND ?`

/** Each document's number, its line, and the number of the record that its first version was made from. */
export const LINES_OF = `SELECT d.id, '[' || d.id || ',' || json_quote(d.key) || ',' || coalesce(v.body, d.body) || ']',
  coalesce(v.record, d.record) FROM document d LEFT JOIN version v ON v.document = d.id AND v.n = 1 ORDER BY d.id`

const LATER = "json_array(d.id, v.n, d.key, v.deleted, iif(v.deleted, v.read, NULL), v.body)"

/** The later versions: document and number, text, and the number of the record. */
export const VERSION_TEXTS = `SELECT json_array(d.id, v.n), ${LATER}, v.record FROM document d
  JOIN (SELECT id AS document, n, deleted, read, record, body FROM document WHERE n > 1
    UNION ALL SELECT document, n, deleted, read, record, body FROM version WHERE n > 1) v ON v.document = d.id
  ORDER BY d.id, v.n`

/** A later version: its document, number, key, whether and when it was deleted, and what it says. */
export const VERSION_TEXT = `SELECT ${LATER}
  FROM document d JOIN (SELECT id AS document, n, deleted, read, body FROM document WHERE id = :id AND n = :n
    UNION ALL SELECT document, n, deleted, read, body FROM version WHERE document = :id AND n = :n) v ON v.document = d.id`

/** A character for each line. */
const checks = (lines: string, into: Array<number>): void => {
  let sum = 0
  for (let at = 0; at < lines.length; at++) {
    const code = lines.charCodeAt(at)
    if (code === NEWLINE) {
      into.push(CHECKS[sum & 63] ?? 0)
      sum = 0
    } else sum = (Math.imul(sum, 31) + code) | 0
  }
  into.push(CHECKS[sum & 63] ?? 0)
}

interface Digests {
  /** Of 128 documents each. */
  readonly digests: ReadonlyArray<string>
  readonly checks: ReadonlyArray<number>
}

const digestsOf = (db: Db, sql: string, first: number, count: number): Digests => {
  const read = db.prepare(sql).pluck()
  const found = { digests: [] as Array<string>, checks: [] as Array<number> }
  for (let at = first; at < first + count; at += TOGETHER) {
    const lines = (read.get(at, Math.min(at + TOGETHER, first + count) - 1) as string | null) ?? ""
    found.digests.push(sha256(lines).slice(0, 32))
    checks(lines, found.checks)
  }
  return found
}

/** What an entry says of new documents. */
export const contentOf = (db: Db, first: number, count: number): string => {
  const { checks, digests } = digestsOf(db, NEW_LINES, first, count)
  return JSON.stringify([first, count, digests, Buffer.from(checks).toString()])
}

/** The documents whose first versions are not what an entry says. */
export const differing = (db: Db, content: string): ReadonlyArray<string> => {
  const [first, count, digests, before] = JSON.parse(content) as [number, number, ReadonlyArray<string>, string]
  const keys = db.prepare("SELECT key FROM document WHERE id = ?").pluck()
  const now = digestsOf(db, LINES, first, count)
  const found: Array<string> = []
  for (const [group, digest] of digests.entries()) {
    if (now.digests[group] === digest) continue
    const start = group * TOGETHER
    const ids = Array.from({ length: Math.min(TOGETHER, count - start) }, (_, n) => first + start + n)
    const gone = ids.filter((id) => keys.get(id) === undefined)
    const apart = gone.length > 0 ? gone : ids.filter((id) => checkOf(db, id) !== before.charCodeAt(id - first))
    if (apart.length > 0) found.push(...apart.map((id) => nameOf(keys.get(id), id)))
    else
      found.push(`one of ${nameOf(keys.get(ids[0]), ids[0] ?? 0)} to ${nameOf(keys.get(ids.at(-1)), ids.at(-1) ?? 0)}`)
  }
  return found
}

const checkOf = (db: Db, id: number): number | undefined => digestsOf(db, LINES, id, 1).checks[0]

const nameOf = (key: unknown, id: number): string => (typeof key === "string" ? key : `document ${id}`)
