/**
 * What the sandbox holds: per platform (API key), the objects of each kind as they are on the wire.
 *
 * Reads by id are one look-up. With a file every change is written through, in one transaction per request, so a
 * restart goes on where it was; without one, everything is in memory.
 */
import { createRequire } from "node:module"
import { hash } from "node:crypto"
import type Sqlite from "better-sqlite3"

/** An object of the service, as JSON writes it. */
export type Entity = { readonly id: string; readonly [member: string]: unknown }

export type Kind = "organisation" | "user" | "membership" | "transaction" | "payment" | "quote" | "policy" | "match"

const PREFIXES: Readonly<Record<Kind, string>> = {
  organisation: "org-",
  user: "user-",
  membership: "membership-",
  transaction: "trns-",
  payment: "pay-",
  quote: "quo-",
  policy: "pol-",
  match: "match-"
}

/** The objects of one kind, in the order in which they were made, with an index by one member. */
export class Shelf {
  readonly #byId = new Map<string, Entity>()
  readonly #index = new Map<unknown, Set<string>>()
  readonly #member: string

  constructor(member: string) {
    this.#member = member
  }

  get size(): number {
    return this.#byId.size
  }
  get(id: string): Entity | undefined {
    return this.#byId.get(id)
  }
  /** Every object whose indexed member has this value. */
  by(value: unknown): ReadonlyArray<Entity> {
    return [...(this.#index.get(value) ?? [])].map((id) => this.#byId.get(id)!)
  }
  values(): IterableIterator<Entity> {
    return this.#byId.values()
  }
  set(entity: Entity): void {
    this.delete(entity.id, true)
    this.#byId.set(entity.id, entity)
    const value = entity[this.#member]
    const ids = this.#index.get(value)
    if (ids === undefined) this.#index.set(value, new Set([entity.id]))
    else ids.add(entity.id)
  }
  delete(id: string, keep = false): void {
    const before = this.#byId.get(id)
    if (before === undefined) return
    this.#index.get(before[this.#member])?.delete(id)
    if (!keep) this.#byId.delete(id)
  }
}

/** The member that each kind is looked up by, besides its id. */
const INDEXED: Readonly<Record<Kind, string>> = {
  organisation: "unique_id",
  user: "email",
  membership: "organisation",
  transaction: "unique_id",
  payment: "transaction",
  quote: "transaction",
  policy: "quote",
  match: "name"
}

export type Platform = Readonly<Record<Kind, Shelf>>

const KINDS = Object.keys(PREFIXES) as ReadonlyArray<Kind>

const empty = (): Platform =>
  Object.fromEntries(KINDS.map((kind) => [kind, new Shelf(INDEXED[kind])])) as unknown as Platform

export class Store {
  #platforms = new Map<string, Platform>()
  #count = 0
  readonly #db: Sqlite.Database | undefined
  #changes: Array<() => void> = []

  constructor(file: string | undefined) {
    if (file === undefined) return
    // Loaded only when asked for: most sandboxes live in memory.
    const Database = createRequire(import.meta.url)("better-sqlite3") as typeof Sqlite
    this.#db = new Database(file)
    this.#db.pragma("journal_mode = WAL")
    this.#db.exec(
      `CREATE TABLE IF NOT EXISTS entity (platform TEXT, kind TEXT, id TEXT, n INTEGER, body TEXT, PRIMARY KEY (platform, kind, id)) WITHOUT ROWID;
       CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT)`
    )
    const rows = this.#db.prepare("SELECT platform, kind, body FROM entity ORDER BY n").all() as ReadonlyArray<{
      readonly platform: string
      readonly kind: Kind
      readonly body: string
    }>
    for (const { body, kind, platform } of rows) this.platform(platform)[kind].set(JSON.parse(body))
    this.#count = Number(this.setting("count") ?? 0)
  }

  platform(key: string): Platform {
    let found = this.#platforms.get(key)
    if (found === undefined) this.#platforms.set(key, (found = empty()))
    return found
  }

  /** A new identifier: opaque, and the same in every run that makes the same requests. */
  id(kind: Kind): string {
    const n = ++this.#count
    this.#later("INSERT OR REPLACE INTO setting VALUES ('count', ?)", String(n))
    return PREFIXES[kind] + hash("sha1", `${kind} ${n}`).slice(0, 16)
  }

  put(key: string, kind: Kind, entity: Entity): Entity {
    this.platform(key)[kind].set(entity)
    this.#later(
      "INSERT INTO entity VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body",
      key,
      kind,
      entity.id,
      this.#count,
      JSON.stringify(entity)
    )
    return entity
  }

  delete(key: string, kind: Kind, id: string): void {
    this.platform(key)[kind].delete(id)
    this.#later("DELETE FROM entity WHERE platform = ? AND kind = ? AND id = ?", key, kind, id)
  }

  setting(name: string): string | undefined {
    return this.#db?.prepare("SELECT value FROM setting WHERE name = ?").pluck().get(name) as string | undefined
  }

  keep(name: string, value: string): void {
    this.#later("INSERT OR REPLACE INTO setting VALUES (?, ?)", name, value)
  }

  reset(): void {
    this.#platforms = new Map()
    this.#count = 0
    this.#later("DELETE FROM entity")
    this.#later("DELETE FROM setting")
  }

  /** Writes what changed since the last time. Once a request. */
  commit(): void {
    const changes = this.#changes
    if (changes.length === 0) return
    this.#changes = []
    this.#db!.transaction(() => {
      for (const change of changes) change()
    }).immediate()
  }

  close(): void {
    this.commit()
    this.#db?.close()
  }

  #later(sql: string, ...values: ReadonlyArray<string | number>): void {
    const db = this.#db
    if (db !== undefined) this.#changes.push(() => void db.prepare(sql).run(...values))
  }
}
