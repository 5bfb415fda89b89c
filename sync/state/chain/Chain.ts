/**
 * Writes the chain: whatever a transaction writes of facts is appended in the same transaction, so that a fact and its entry are on
 * disk together or not at all. Triggers of this connection to the file note the rows; no writer of facts knows of the chain. The
 * triggers are not in the file: whoever changes it with another program leaves a fact that is not what its entry says.
 */
import type Sqlite from "better-sqlite3"
import { unpacked } from "../RecordPages.ts"
import { CHAINED, type Chained, keyColumns, RECORDS, rowOf } from "./Chained.ts"
import * as Documents from "./Documents.ts"
import { type Entry, type Head, hashOf, sha256, START } from "./Entry.ts"
import { toStored } from "./Stored.ts"

/** The most facts of one entry. */
const MOST = 500

const trigger = (chained: Chained, event: string, row: "NEW" | "OLD"): string => {
  const { key, table, when } = chained
  // The rest of a claim never changes: only that it has a receipt.
  const of = event === "UPDATE" && table === "claim" ? " OF claimed, sends" : ""
  const rows = when === undefined ? "" : ` WHEN ${row}.${when}`
  const name = `chain_${table}_${event}_${row}`
  // A number never changes, so the new row is enough; but of rows that are facts only in some state, like closed items, the old one may
  // have been a fact that the new one is not.
  if (typeof key === "string" && when === undefined && event === "UPDATE" && row === "OLD") return ""
  return `CREATE TEMP TRIGGER ${name} AFTER ${event}${of} ON main.${table}${rows} BEGIN
    INSERT INTO to_chain VALUES ('${table}', ${keyColumns(chained, row)}) ON CONFLICT DO NOTHING; END;`
}

const QUEUE = `CREATE TEMP TABLE to_chain (kind TEXT, key ANY, PRIMARY KEY (kind, key)) STRICT, WITHOUT ROWID;
CREATE TEMP TRIGGER chain_version AFTER UPDATE OF n ON main.document BEGIN
  INSERT INTO to_chain VALUES ('version', json_array(NEW.id, NEW.n)) ON CONFLICT DO NOTHING; END;
${CHAINED.map((one) => trigger(one, "INSERT", "NEW") + trigger(one, "UPDATE", "NEW") + trigger(one, "UPDATE", "OLD") + trigger(one, "DELETE", "OLD")).join("\n")}`

interface Db {
  readonly prepare: (sql: string) => Sqlite.Statement
}

interface Noted {
  readonly kind: string
  readonly key: number | string
}

const quoted = (text: string | Uint8Array): string => `"${sha256(text).slice(0, 32)}"`

/** Records by what they say, however they are packed: so that who has the text can compute the digest. */
const records = (db: Db, id: number | string): string => {
  const row = db.prepare("SELECT scan, read, size, content FROM record_page WHERE id = ?").get(id) as
    | { readonly scan: number; readonly read: number; readonly size: number; readonly content: Buffer }
    | undefined
  if (row === undefined) return "null"
  return quoted(Buffer.concat([Buffer.from(`${row.scan} ${row.read} `), whole(row.content, row.size)]))
}

/** What it unpacks to, or itself if it was damaged since. */
const whole = (content: Buffer, size: number): Buffer => {
  try {
    return unpacked(content, size)
  } catch {
    return content
  }
}

/**
 * What a row is now: its digest, or itself. Null: there is none.
 *
 * @param packed what a page has of a claim or a receipt
 */
export const factOf = (
  db: Db,
  chained: Chained,
  key: number | string,
  packed: (table: string, id: number) => string | undefined = () => undefined
): string => {
  if (chained.table === RECORDS) return records(db, key)
  const row = db.prepare(rowOf(chained)).pluck().get({ key }) as string | undefined
  const text = row ?? packed(chained.table, Number(key))
  if (text === undefined) return "null"
  return chained.whole === true ? text : quoted(text)
}

/** A later version of a document, as an entry has it. */
export const versionOf = (db: Db, key: string): string => {
  const [id, n] = JSON.parse(key) as [number, number]
  const text = db.prepare(Documents.VERSION_TEXT).pluck().get({ id, n }) as string | undefined
  return text === undefined ? "null" : quoted(text)
}

const BY_TABLE = new Map(CHAINED.map((one) => [one.table, one]))

/** The latest entry; undefined if there is none yet. */
export const headOf = (db: Db): Head | undefined =>
  db.prepare("SELECT n AS entry, lower(hex(hash)) AS hash FROM chain ORDER BY n DESC LIMIT 1").get() as Head | undefined

const append = (db: Db, at: number, entries: Iterable<Pick<Entry, "kind" | "content">>): void => {
  const last = headOf(db)
  let [n, hash]: [number, string] = last === undefined ? [START.n, START.hash] : [last.entry, last.hash]
  for (const { content, kind } of entries) {
    n++
    hash = hashOf(hash, { n, at, kind, content })
    const stored = toStored({ content, hash })
    db.prepare("INSERT INTO chain VALUES (?, ?, ?, ?, ?)").run(n, at, kind, stored.content, stored.hash)
  }
}

function* noted(db: Db): Iterable<Pick<Entry, "kind" | "content">> {
  let [kind, facts]: [string, Array<string>] = ["", []]
  for (const one of db
    .prepare("SELECT kind, key FROM temp.to_chain ORDER BY kind, key")
    .all() as ReadonlyArray<Noted>) {
    if (one.kind !== kind || facts.length === MOST) {
      if (facts.length > 0) yield { kind, content: `[${facts.join(",")}]` }
      ;[kind, facts] = [one.kind, []]
    }
    const chained = BY_TABLE.get(kind)
    const fact = chained === undefined ? versionOf(db, String(one.key)) : factOf(db, chained, one.key)
    facts.push(`[${one.key},${fact}]`)
  }
  if (facts.length > 0) yield { kind, content: `[${facts.join(",")}]` }
}

function* added(db: Db, before: number, last: number): Iterable<Pick<Entry, "kind" | "content">> {
  for (let first = before + 1; first <= last; first += Documents.MOST_DOCUMENTS)
    yield {
      kind: "document",
      content: Documents.contentOf(db, first, Math.min(Documents.MOST_DOCUMENTS, last - first + 1))
    }
}

export interface Chaining {
  /** Notes what is written from now on. Before a transaction begins: one that fails takes back what is made in it. */
  readonly note: () => void
  /** Runs a transaction's work, and appends what it wrote of facts. */
  readonly run: <A>(work: () => A) => A
}

/**
 * @param now milliseconds since the epoch
 */
export const chaining = (raw: Sqlite.Database, prepare: Db["prepare"], now: () => number): Chaining => {
  const db = { prepare }
  const lastDocument = () => db.prepare("SELECT coalesce(max(id), 0) FROM document").pluck().get() as number
  const isNoting = db.prepare("SELECT 1 FROM temp.sqlite_schema WHERE name = 'to_chain'")
  return {
    note: () => {
      // SQLite drops what is temporary when it is told to keep it elsewhere.
      if (isNoting.get() === undefined) raw.exec(QUEUE)
    },
    run: (work) => {
      const before = lastDocument()
      const result = work()
      const last = lastDocument()
      if (last > before) append(db, now(), added(db, before, last))
      if (db.prepare("SELECT 1 FROM temp.to_chain LIMIT 1").get() !== undefined) {
        append(db, now(), noted(db))
        db.prepare("DELETE FROM temp.to_chain").run()
      }
      return result
    }
  }
}
