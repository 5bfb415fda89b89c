/**
 * Walks the chain from its latest entry to its first, and compares every fact with its latest entry, and every entry with the one
 * before. What is seen of a table is one bit for each row, so that memory stays flat; of people's decisions, their keys.
 */
import type { Effect } from "effect"
import { Bitmap } from "../Bitmap.ts"
import { atOnce, type Stepwise } from "../Breathe.ts"
import type { Database, StateError } from "../Database.ts"
import { readInParts } from "../Snapshot.ts"
import { plural } from "../../../core/Plural.ts"
import * as CallPages from "../calls/CallPages.ts"
import { factOf, headOf, versionOf } from "./Chain.ts"
import { CHAINED, type Chained, keyColumns } from "./Chained.ts"
import * as Documents from "./Documents.ts"
import { broken, type Entry, type Head, START } from "./Entry.ts"
import { fromStored, type StoredEntry } from "./Stored.ts"
import type { Statement } from "better-sqlite3"

/** A snapshot of the state file. */
interface Db {
  readonly prepare: (sql: string) => Statement
}

export interface Verified {
  readonly entries: number
  readonly head?: Head
  /** When the latest entry was written, milliseconds. */
  readonly at?: number
  /** How many facts were compared with their entries. */
  readonly facts: number
  /** What is wrong, in sentences; latest first. */
  readonly problems: ReadonlyArray<string>
  /** How many more there are. */
  readonly more: number
}

const MOST_NAMED = 100

const WRONG_MARKS =
  "SELECT id FROM claim c WHERE id BETWEEN ? AND ? AND has_receipt <> EXISTS (SELECT 1 FROM receipt r WHERE r.claim = c.id)"

const CHANGED = "SELECT id, key FROM document WHERE id BETWEEN ? AND ? AND n > 1"

/** How many facts are compared in one piece, and among how many rows one is looked for. */
const PART = 200
const LOOKED = 5000

interface Page extends CallPages.CallPage {
  readonly connection: string
}

type Fact = readonly [key: number | ReadonlyArray<unknown>, fact: unknown]

/** The rows of a table that a later entry spoke of already. */
class Seen {
  readonly #rows: Bitmap
  readonly #last: number
  readonly #keys = new Set<string>()

  /** @param last the highest number of a row that is there; later ones were removed, and are few */
  constructor(last: number) {
    this.#rows = new Bitmap(last)
    this.#last = last
  }

  /** Whether it is the first time. */
  add(key: Fact[0]): boolean {
    const isNew = !this.has(key)
    if (this.#isRow(key)) this.#rows.add(key)
    else if (isNew) this.#keys.add(JSON.stringify(key))
    return isNew
  }

  has(key: Fact[0]): boolean {
    return this.#isRow(key) ? this.#rows.has(key) : this.#keys.has(JSON.stringify(key))
  }

  #isRow(key: Fact[0]): key is number {
    return typeof key === "number" && key <= this.#last
  }
}

class Walk {
  readonly #db: Db
  readonly #seen = new Map<string, Seen>()
  readonly #changed: Bitmap
  readonly #packed: (table: string, id: number) => string | undefined
  readonly #problems: Array<string> = []
  #more = 0
  #facts = 0
  #versions = 0
  /** The last document that no entry spoke of so far. */
  #last: number
  entries = 0
  isBroken = false

  constructor(db: Db) {
    this.#db = db
    const find = CallPages.reader(db)
    this.#packed = (table, id) => (table === "claim" || table === "receipt" ? find(id)?.[table] : undefined)
    this.#last = this.#number("SELECT coalesce(max(id), 0) FROM document")
    this.#changed = new Bitmap(this.#last)
    for (const chained of CHAINED) {
      const { key, table } = chained
      const rows = table === "receipt" ? "claim" : table
      const last = typeof key === "string" ? this.#number(`SELECT coalesce(max(id), 0) FROM ${rows}`) : 0
      this.#seen.set(table, new Seen(last))
    }
  }

  /** Rows of a table by their ids; undefined between its parts. */
  *#byId(sql: string, table: string): Generator<{ readonly id: number; readonly key: string } | undefined> {
    const last = this.#number(`SELECT coalesce(max(id), 0) FROM ${table}`)
    const rows = this.#db.prepare(sql)
    for (let first = 1; first <= last; first += LOOKED) {
      yield* rows.all(first, first + LOOKED - 1) as ReadonlyArray<{ readonly id: number; readonly key: string }>
      yield undefined
    }
  }

  #number(sql: string): number {
    return this.#db.prepare(sql).pluck().get() as number
  }

  problem(why: string): void {
    if (this.#problems.length < MOST_NAMED) this.#problems.push(why)
    else this.#more++
  }

  /** An entry, and the one before it. */
  *entry(before: Pick<Entry, "n" | "hash">, entry: Entry): Stepwise<void> {
    this.entries++
    const why = broken(before, entry)
    if (why === undefined) return yield* this.#compare(entry)
    this.isBroken = true
    this.problem(why)
  }

  *#compare({ content, kind, n }: Entry): Stepwise<void> {
    if (kind === "document") return this.#documents(n, content)
    const chained = CHAINED.find(({ table }) => table === kind)
    for (const [key, then] of JSON.parse(content) as ReadonlyArray<Fact>) {
      if (++this.#facts % PART === 0) yield
      if (chained === undefined) this.#version(n, key as readonly [number, number], then)
      else if (this.#seen.get(kind)?.add(key) === true) this.#fact(n, chained, key, then)
    }
  }

  #fact(entry: number, chained: Chained, key: Fact[0], then: unknown): void {
    const now = factOf(this.#db, chained, typeof key === "number" ? key : JSON.stringify(key), this.#packed)
    if (JSON.stringify(JSON.parse(now)) !== JSON.stringify(then))
      this.problem(`${chained.table} ${named(key)} ${says(entry, now, then)}`)
  }

  #version(entry: number, [id, version]: readonly [number, number], then: unknown): void {
    this.#versions++
    const key = (this.#db.prepare("SELECT key FROM document WHERE id = ?").pluck().get(id) ??
      `document ${id}`) as string
    const now = versionOf(this.#db, `[${id},${version}]`)
    if (now !== JSON.stringify(then)) this.problem(`version ${version} of ${key} ${says(entry, now, then)}`)
    if (this.#changed.has(id)) return
    this.#changed.add(id)
    const latest = this.#db.prepare("SELECT n FROM document WHERE id = ?").pluck().get(id)
    if (latest !== version && !this.isBroken)
      this.problem(`${key} has version ${latest}, and the last that has an entry is ${version}`)
  }

  #documents(entry: number, content: string): void {
    const [first, count] = JSON.parse(content) as [number, number]
    this.#facts += count
    this.#unchained(first + count)
    this.#last = first - 1
    for (const key of Documents.differing(this.#db, content)) this.problem(`${key} is not what entry ${entry} says`)
  }

  #unchained(first: number): void {
    if (this.isBroken) return
    for (let id = this.#last; id >= first; id--)
      this.problem(`${this.#db.prepare("SELECT key FROM document WHERE id = ?").pluck().get(id)} has no entry`)
  }

  /** What has no entry. Of a broken chain nothing can be said: its entries were removed or changed. */
  *end(head: Head | undefined, at: number | undefined): Stepwise<Verified> {
    this.#unchained(1)
    if (!this.isBroken) for (const chained of CHAINED) yield* this.#rest(chained)
    yield* this.#pages()
    const versions = this.#number("SELECT count(*) FROM version")
    if (!this.isBroken && versions !== this.#versions)
      this.problem(`${plural(versions, "earlier version")} of documents, and ${this.#versions} have an entry`)
    for (const one of this.#byId(CHANGED, "document")) {
      if (one === undefined) yield
      else if (!this.isBroken && !this.#changed.has(one.id)) this.problem(`the versions of ${one.key} have no entry`)
    }
    for (const one of this.#byId(WRONG_MARKS, "claim")) {
      if (one === undefined) yield
      else this.problem(`claim ${one.id} says that it has a receipt, or has none, and it is not so`)
    }
    return {
      entries: this.entries,
      ...(head === undefined ? {} : { head }),
      ...(at === undefined ? {} : { at }),
      facts: this.#facts,
      problems: this.#problems,
      more: this.#more
    }
  }

  /** What pages say of their calls, and that each call is in one place only. */
  *#pages(): Stepwise<void> {
    const found = new Bitmap(this.#number("SELECT coalesce(max(id), 0) FROM call_page"))
    const row = this.#db.prepare("SELECT 1 FROM claim WHERE id = :id UNION ALL SELECT 1 FROM receipt WHERE claim = :id")
    const listed = this.#db
      .prepare(
        "SELECT 1 FROM ledger l JOIN call_of o ON o.ledger = l.id WHERE l.subject = ? AND l.connection = ? AND o.page = ?"
      )
      .pluck()
    for (const page of this.#db.prepare("SELECT * FROM call_page").iterate() as IterableIterator<Page>) {
      yield
      const calls = CallPages.callsIn(page)
      if (calls[0]?.id !== page.first || calls.at(-1)?.id !== page.id)
        this.problem(`the page of calls ${page.first} to ${page.id} is not as it was written`)
      for (const { claim, id } of calls) {
        const isSeen = this.#seen.get("claim")?.has(id) === true && this.#seen.get("receipt")?.has(id) === true
        if (!isSeen && !this.isBroken) this.problem(`call ${id} has no entry`)
        if (found.has(id) || row.get({ id }) !== undefined) this.problem(`call ${id} is there twice`)
        found.add(id)
        const [, , subject] = JSON.parse(claim) as ReadonlyArray<unknown>
        if (listed.get(subject, page.connection, page.id) === undefined)
          this.problem(`call ${id} is not found from ${String(subject)}`)
      }
    }
  }

  *#rest(chained: Chained): Stepwise<void> {
    const { table, when = "1" } = chained
    const keys = this.#db.prepare(`SELECT ${keyColumns(chained, "t")} AS key FROM ${table} t WHERE ${when}`).pluck()
    let n = 0
    for (const key of keys.iterate() as IterableIterator<string | number>) {
      if (++n % LOOKED === 0) yield
      const of: Fact[0] = typeof key === "number" ? key : JSON.parse(key)
      if (this.#seen.get(table)?.has(of) !== true) this.problem(`${table} ${named(of)} has no entry`)
    }
  }
}

const named = (key: Fact[0]): string => (typeof key === "number" ? `${key}` : key.join(" "))

const says = (entry: number, now: string, then: unknown): string =>
  now === "null"
    ? `was removed: entry ${entry} has it`
    : then === null
      ? `is there, and entry ${entry} says that it was removed`
      : `is not what entry ${entry} says`

function* walked(db: Db, known?: Head): Stepwise<Verified> {
  const walk = new Walk(db)
  const head = headOf(db)
  let after: Entry | undefined
  let at: number | undefined
  const rows = db.prepare("SELECT * FROM chain ORDER BY n DESC").iterate() as IterableIterator<StoredEntry>
  for (const row of rows) {
    const entry = fromStored(row)
    at ??= entry.at
    if (after !== undefined) yield* walk.entry(entry, after)
    after = entry
    yield
  }
  if (after !== undefined) yield* walk.entry(START, after)
  const there =
    known === undefined
      ? undefined
      : db.prepare("SELECT lower(hex(hash)) FROM chain WHERE n = ?").pluck().get(known.entry)
  if (known !== undefined && there !== known.hash)
    walk.problem(
      there === undefined
        ? `entry ${known.entry}, which was written down elsewhere, is not there: the end of the chain was removed, or this is an older file`
        : `entry ${known.entry} is not the one that was written down elsewhere`
    )
  return yield* walk.end(head, at)
}

/**
 * Reads one snapshot of the state file.
 *
 * @param known an entry's number and hash, as they were written down elsewhere
 */
export const verify = (db: Db, known?: Head): Verified => atOnce(walked(db, known))

/** The same, on a snapshot of its own: others have their turn meanwhile. */
export const verifyInParts = (db: Database["Service"], known?: Head): Effect.Effect<Verified, StateError> =>
  readInParts(
    db,
    () => true,
    (books) => walked(books, known)
  )
