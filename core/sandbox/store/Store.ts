/**
 * Stores the sandbox's objects: per platform (API key) and kind, in their wire form.
 *
 * Reading by id is one lookup. With a file, all changes of a request are written in one transaction, so that a restart
 * continues where the last process stopped; without one, everything is in memory.
 */
import { createRequire } from "node:module"
import { createHash } from "node:crypto"
import type Sqlite from "better-sqlite3"
import { given } from "../../Entry.ts"
import { type Entity, Shelf } from "./Shelf.ts"

export type { Entity } from "./Shelf.ts"

export type Kind =
  | "organisation"
  | "user"
  | "membership"
  | "soletrader"
  | "transaction"
  | "payment"
  | "quote"
  | "policy"
  | "match"
  | "collection"
  | "document"
  | "order"
  | "order_document"
  | "offer"
  | "intent"
  | "deferred_payment"
  | "ledger"
  | "idempotency"

const PREFIXES: Readonly<Record<Kind, string>> = {
  organisation: "org-",
  user: "user-",
  membership: "membership-",
  soletrader: "st-",
  transaction: "trns-",
  payment: "pay-",
  quote: "quo-",
  policy: "pol-",
  match: "match-",
  collection: "coll-",
  document: "cdoc-",
  order: "order-",
  order_document: "odoc-",
  offer: "offr-",
  intent: "intent-",
  deferred_payment: "defpay-",
  ledger: "ledger-",
  idempotency: "idempotency-"
}

/** The members by which each kind is looked up, besides its id. */
const INDEXED: Readonly<Record<Kind, readonly [string, ...ReadonlyArray<string>]>> = {
  organisation: ["unique_id"],
  user: ["email", "unique_id"],
  membership: ["organisation", "user"],
  soletrader: ["unique_id", "company"],
  transaction: ["unique_id", "owner", "debtor_name", "transaction_key"],
  payment: ["transaction"],
  quote: ["transaction"],
  policy: ["quote", "owner", "debtor", "creditor"],
  match: ["name"],
  collection: ["policy"],
  document: ["policy"],
  order: ["unique_id", "organisation"],
  order_document: ["order"],
  offer: ["order"],
  intent: ["order"],
  deferred_payment: ["company"],
  ledger: ["deferred_payment"],
  idempotency: ["operation"]
}

export type PlatformShelves = Readonly<Record<Kind, Shelf>>

const KINDS = Object.keys(PREFIXES) as ReadonlyArray<Kind>

const empty = (): PlatformShelves =>
  Object.fromEntries(KINDS.map((kind) => [kind, new Shelf(INDEXED[kind])])) as unknown as PlatformShelves

/** In hexadecimal digits: of an object's digest, and of the part of it that is the id. */
const [DIGEST_LENGTH, ID_LENGTH] = [40, 16]
/** So many objects share a hash, because most of the time of hashing is the call. */
const DIGESTS = 64

const digestsOf = (block: number): string =>
  createHash("shake256", { outputLength: (DIGESTS * DIGEST_LENGTH) / 2 })
    .update(String(block))
    .digest("hex")

export class Store {
  #platforms = new Map<string, PlatformShelves>()
  #count = 0
  #digests: { readonly block: number; readonly hex: string } | undefined
  readonly #db: Sqlite.Database | undefined
  #changes: Array<() => void> = []
  /** Whether anyone listens for changes; only then are changed transactions recorded. */
  watched = false
  #touched = new Map<string, string>()

  constructor(file: string | undefined) {
    if (file === undefined) return
    // Loaded on demand: most sandboxes are in memory.
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

  platforms(): Iterable<readonly [string, PlatformShelves]> {
    return this.#platforms
  }

  platform(key: string): PlatformShelves {
    let found = this.#platforms.get(key)
    if (found === undefined) this.#platforms.set(key, (found = empty()))
    return found
  }

  /** An object with the platform that it belongs to; undefined if there is none. */
  whose(kind: Kind, id: string): { readonly key: string; readonly entity: Entity } | undefined {
    for (const [key, platform] of this.#platforms) {
      const entity = platform[kind].get(id)
      if (entity !== undefined) return { key, entity }
    }
    return undefined
  }

  /** A new identifier: opaque, and the same in every run with the same requests. */
  id(kind: Kind): string {
    return this.identify(kind).id
  }

  /** The same, with a secret that cannot be derived from it. */
  identify(kind: Kind): { readonly id: string; readonly secret: string } {
    const n = ++this.#count
    if (this.#db !== undefined) this.#later("INSERT OR REPLACE INTO setting VALUES ('count', ?)", String(n))
    const block = Math.floor(n / DIGESTS)
    if (this.#digests?.block !== block) this.#digests = { block, hex: digestsOf(block) }
    const at = (n % DIGESTS) * DIGEST_LENGTH
    const { hex } = this.#digests
    return {
      id: PREFIXES[kind] + hex.slice(at, at + ID_LENGTH),
      secret: `key-${hex.slice(at + ID_LENGTH, at + DIGEST_LENGTH)}`
    }
  }

  put(key: string, kind: Kind, entity: Entity): Entity {
    const platform = this.platform(key)
    platform[kind].set(entity)
    this.#related(platform, entity)
    if (this.watched) {
      const transaction = kind === "transaction" ? entity.id : entity["transaction"]
      if (typeof transaction === "string") this.#touched.set(transaction, key)
    }
    if (this.#db !== undefined) {
      const text = JSON.stringify(entity)
      this.#later(
        "INSERT INTO entity VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body",
        key,
        kind,
        entity.id,
        this.#count,
        text
      )
    }
    return entity
  }

  delete(key: string, kind: Kind, id: string): void {
    const platform = this.platform(key)
    const before = platform[kind].get(id)
    platform[kind].delete(id)
    if (before !== undefined) this.#related(platform, before)
    this.#later("DELETE FROM entity WHERE platform = ? AND kind = ? AND id = ?", key, kind, id)
  }

  /** A transaction is written with its payments, so its text is as old as they are. */
  #related({ transaction }: PlatformShelves, entity: Entity): void {
    const id = entity["transaction"]
    if (typeof id === "string") transaction.changed(id)
  }

  /** Transactions that changed since the last call, themselves or in related objects; empty unless `watched`. */
  touched(): ReadonlyArray<readonly [transaction: string, platform: string]> {
    if (this.#touched.size === 0) return []
    const all = [...this.#touched]
    this.#touched.clear()
    return all
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
    this.#touched.clear()
    this.#later("DELETE FROM entity")
    this.#later("DELETE FROM setting")
  }

  /** Writes the changes since the last call; called once per request. */
  commit(): void {
    const changes = this.#changes
    if (changes.length === 0) return
    this.#changes = []
    given(this.#db, "the file")
      .transaction(() => {
        for (const change of changes) change()
      })
      .immediate()
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
