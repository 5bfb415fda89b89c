/**
 * Stores what the witness read from sources and service until it is judged: in a separate database in a temporary file, so
 * that memory use does not depend on the size of the books. It stores documents, what they are about, and transactions, and
 * draws no conclusions from them.
 */
import Sqlite from "better-sqlite3"
import {
  askedTexts,
  dayOf,
  joinedText,
  keyOf,
  packDocument,
  type PlainDocument,
  type PlainTransaction,
  plainText,
  postings,
  unpackDocument,
  type Units
} from "./Plain.ts"

/** A record of a source that could not be read. */
export interface Unread {
  readonly connection: string
  readonly kind: string
  readonly origin: string
  readonly why: string
  /** The key of the document, if that much could be read. */
  readonly key?: string | undefined
}

/** An invoice in the source, what belongs to it there, and what the service holds of it. */
export interface InvoiceCase {
  readonly key: string
  readonly connection: string
  readonly invoice: PlainDocument | undefined
  /** Payments, reversals and credit notes of its own connection, by key. */
  readonly facts: ReadonlyMap<string, PlainDocument>
  /** What other connections link to it. */
  readonly linked: ReadonlyMap<string, PlainDocument>
  /** More than one: it was sent twice. */
  readonly held: ReadonlyArray<PlainTransaction>
}

const TABLES = `
  CREATE TABLE document (key TEXT PRIMARY KEY, connection TEXT, kind TEXT, number TEXT, about_order TEXT, body TEXT) WITHOUT ROWID;
  CREATE INDEX by_number ON document (connection, number) WHERE number IS NOT NULL;
  CREATE TABLE asked (connection TEXT, reference TEXT, invoice TEXT, PRIMARY KEY (connection, reference, invoice)) WITHOUT ROWID;
  CREATE INDEX asked_for ON asked (invoice); CREATE INDEX by_order ON document (about_order) WHERE about_order IS NOT NULL;
  CREATE TABLE link (document TEXT, invoice TEXT, PRIMARY KEY (document, invoice)) WITHOUT ROWID;
  CREATE INDEX by_invoice ON link (invoice);
  CREATE TABLE held (key TEXT, id TEXT, body TEXT, PRIMARY KEY (key, id)) WITHOUT ROWID;
  CREATE TABLE posting (fact TEXT, invoice TEXT, amount TEXT, day TEXT, PRIMARY KEY (fact, invoice)) WITHOUT ROWID;
  CREATE INDEX posting_on ON posting (invoice);
  CREATE TABLE service_order (reference TEXT, payment TEXT, PRIMARY KEY (reference, payment)) WITHOUT ROWID;
  CREATE TABLE unread (connection TEXT, kind TEXT, origin TEXT, why TEXT, key TEXT);
`

/** How many rows are in memory at once. */
const ROWS = 500

type FactRow = readonly [invoice: string, key: string, body: string]

const NONE: ReadonlyMap<string, PlainDocument> = new Map()

/** By invoice. */
const grouped = (rows: ReadonlyArray<FactRow>) => {
  const found = new Map<string, Map<string, PlainDocument>>()
  for (const [invoice, key, body] of rows) {
    const facts = found.get(invoice) ?? new Map<string, PlainDocument>()
    found.set(invoice, facts.set(key, unpackDocument(body)))
  }
  return (invoice: string): ReadonlyMap<string, PlainDocument> => found.get(invoice) ?? NONE
}

export class Notes {
  readonly #db: Sqlite.Database
  readonly #statements = new Map<string, Sqlite.Statement>()
  #isAnyUnread = false

  /** @param file a new file, or in memory */
  constructor(file = ":memory:") {
    this.#db = new Sqlite(file)
    // The data need not survive the program.
    this.#db.pragma("journal_mode = OFF")
    this.#db.pragma("synchronous = OFF")
    // Nobody else opens it: SQLite need not lock it for each statement, nor read again what it has read.
    this.#db.pragma("locking_mode = EXCLUSIVE")
    this.#db.pragma("cache_size = -32768")
    this.#db.exec(TABLES)
  }

  close(): void {
    this.#db.close()
  }

  #run(sql: string, ...values: ReadonlyArray<string | null>): void {
    this.#prepared(sql).run(...values)
  }

  #all<A>(sql: string, ...values: ReadonlyArray<string>): ReadonlyArray<A> {
    return this.#prepared(sql).all(...values) as ReadonlyArray<A>
  }

  #prepared(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql)
    this.#statements.set(sql, known)
    return known
  }

  /** Writes many rows in one transaction. */
  together<A>(work: () => A): A {
    this.#db.exec("BEGIN")
    const result = work()
    this.#db.exec("COMMIT")
    return result
  }

  /** Stores a document; the latest version counts. */
  document(connection: string, document: PlainDocument): void {
    const { id, kind, number, order, reference = "", shares = [] } = document
    const key = keyOf(connection, kind, id)
    const row = [
      key,
      connection,
      kind,
      kind === "invoice" && number !== undefined ? plainText(number) : null,
      order === undefined ? null : keyOf(connection, "order", order),
      packDocument(document)
    ]
    const insert = this.#prepared("INSERT INTO document VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
    // Most are read once.
    if (insert.run(row).changes === 0) {
      this.#forget(key)
      insert.run(row)
    }
    if (kind === "invoice")
      for (const one of askedTexts(reference)) this.#run("INSERT INTO asked VALUES (?, ?, ?)", connection, one, key)
    for (const { invoice } of shares)
      this.#run("INSERT OR IGNORE INTO link VALUES (?, ?)", key, keyOf(connection, "invoice", invoice))
  }

  #forget(key: string): void {
    if (this.#prepared("DELETE FROM document WHERE key = ?").run(key).changes === 0) return
    this.#run("DELETE FROM link WHERE document = ?", key)
    this.#run("DELETE FROM asked WHERE invoice = ?", key)
  }

  deleted(connection: string, kind: string, id: string): void {
    this.#forget(keyOf(connection, kind, id))
  }

  /** Forgets an order's parcels, cancellations and returns, which are read again. */
  withoutFacts(connection: string, order: string): void {
    const sql = "SELECT key FROM document WHERE about_order = ?"
    for (const { key } of this.#all<{ readonly key: string }>(sql, keyOf(connection, "order", order))) this.#forget(key)
  }

  unread({ connection, key, kind, origin, why }: Unread): void {
    this.#isAnyUnread = true
    this.#run("INSERT INTO unread VALUES (?, ?, ?, ?, ?)", connection, kind, origin, why, key ?? null)
  }

  unreadOf(connection: string): ReadonlyArray<Unread> {
    return this.#all("SELECT * FROM unread WHERE connection = ? ORDER BY rowid", connection)
  }

  /** Whether the latest record of a document, or one about an invoice, could not be read. */
  isUnread(key: string): boolean {
    if (!this.#isAnyUnread) return false
    const sql = `SELECT 1 FROM unread WHERE key = ? OR substr(?, 1, length(key) + 1) = key || '/'
      UNION ALL SELECT 1 FROM link l JOIN unread u ON u.key = l.document WHERE l.invoice = ? LIMIT 1`
    return this.#all(sql, key, key, key).length > 0
  }

  transaction(transaction: PlainTransaction): void {
    const { id = "", unique_id: key } = transaction
    this.#run("INSERT OR REPLACE INTO held VALUES (?, ?, ?)", key, id, JSON.stringify(transaction))
    for (const [fact, amount] of postings(transaction))
      this.#run(
        "INSERT OR REPLACE INTO posting VALUES (?, ?, ?, ?)",
        fact,
        key,
        `${amount}`,
        dayOf(transaction, fact) ?? null
      )
  }

  serviceOrder(reference: string, payment: string): void {
    this.#run("INSERT OR IGNORE INTO service_order VALUES (?, ?)", reference, payment)
  }

  /** The deferred payments of the service's orders of this reference. */
  paymentsOf(reference: string): ReadonlyArray<string> {
    const found = this.#all<{ readonly payment: string }>(
      "SELECT payment FROM service_order WHERE reference = ?",
      reference
    )
    return found.map(({ payment }) => payment)
  }

  /** Those of these invoices that the source has, with their own ids: all that is to be known of many. */
  idsOf(invoices: ReadonlyArray<string>): ReadonlyMap<string, string> {
    const sql = `SELECT d.key, d.body ->> '$.id' FROM json_each(?) k CROSS JOIN document d ON d.key = k.value`
    return new Map(this.#prepared(sql).raw().all(JSON.stringify(invoices)) as ReadonlyArray<readonly [string, string]>)
  }

  find(key: string): PlainDocument | undefined {
    const [found] = this.#all<{ readonly body: string }>("SELECT body FROM document WHERE key = ?", key)
    return found === undefined ? undefined : unpackDocument(found.body)
  }

  hasAny(connection: string, kind: string): boolean {
    const [from, to] = [`${connection}/${kind}/`, `${connection}/${kind}0`]
    return this.#all("SELECT 1 FROM document WHERE key > ? AND key < ? LIMIT 1", from, to).length > 0
  }

  /** Payments, reversals and credit notes of the invoice's own connection. */
  factsOf(invoice: string): ReadonlyMap<string, PlainDocument> {
    return this.factsOfAll([invoice])(invoice)
  }

  /** The same of many. */
  factsOfAll(invoices: ReadonlyArray<string>): (invoice: string) => ReadonlyMap<string, PlainDocument> {
    const sql = `SELECT l.invoice, d.key, d.body FROM json_each(?) k CROSS JOIN link l ON l.invoice = k.value
      CROSS JOIN document d ON d.key = l.document ORDER BY d.key`
    return grouped(this.#prepared(sql).raw().all(JSON.stringify(invoices)) as ReadonlyArray<FactRow>)
  }

  /** What other connections link to an invoice by its id or number. */
  #linked(invoice: PlainDocument | undefined, paying: ReadonlyArray<string>) {
    const names = [...new Set([invoice?.id, invoice?.number])].filter((name) => name !== undefined)
    return new Map(paying.flatMap((one) => names.flatMap((name) => [...this.factsOf(keyOf(one, "invoice", name))])))
  }

  /**
   * Every invoice that the source states, allocates something to, or the service holds, by key.
   *
   * @param paying the connections that pay for them
   */
  *invoices(connection: string, paying: ReadonlyArray<string> = []): Generator<InvoiceCase> {
    const sql = `SELECT key FROM (SELECT key FROM document UNION SELECT key FROM held UNION SELECT invoice FROM link)
      WHERE key > ? AND key < ? ORDER BY key LIMIT ${ROWS}`
    for (const keys of this.#keys(sql, `${connection}/invoice`)) {
      const range = [keys[0] ?? "", keys.at(-1) ?? ""] as const
      const bodies = new Map(this.#pairs("SELECT key, body FROM document WHERE key >= ? AND key <= ?", ...range))
      const held = new Map<string, Array<PlainTransaction>>()
      for (const [key, body] of this.#pairs(
        "SELECT key, body FROM held WHERE key >= ? AND key <= ? ORDER BY key, id",
        ...range
      )) {
        const transaction = JSON.parse(body) as PlainTransaction
        if (held.get(key)?.push(transaction) === undefined) held.set(key, [transaction])
      }
      const facts = this.factsOfAll(keys)
      for (const key of keys) {
        const body = bodies.get(key)
        const invoice = body === undefined ? undefined : unpackDocument(body)
        const linked = this.#linked(invoice, paying)
        yield { key, connection, invoice, facts: facts(key), linked, held: held.get(key) ?? [] }
      }
    }
  }

  #pairs(sql: string, ...values: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> {
    return this.#prepared(sql)
      .raw()
      .all(...values) as ReadonlyArray<readonly [string, string]>
  }

  /** Every document of a kind, by key. */
  *documents(connection: string, kind: string): Generator<readonly [key: string, document: PlainDocument]> {
    const sql = `SELECT key FROM document WHERE key > ? AND key < ? ORDER BY key LIMIT ${ROWS}`
    for (const keys of this.#keys(sql, `${connection}/${kind}`))
      for (const key of keys) {
        const document = this.find(key)
        if (document !== undefined) yield [key, document]
      }
  }

  /** As many at once as may be in memory. */
  *#keys(sql: string, prefix: string): Generator<ReadonlyArray<string>> {
    let after = `${prefix}/`
    for (;;) {
      const keys = this.#prepared(sql).pluck().all(after, `${prefix}0`) as ReadonlyArray<string>
      const last = keys.at(-1)
      if (last === undefined) return
      yield keys
      if (keys.length < ROWS) return
      after = last
    }
  }

  /** Parcels, cancellations and returns. */
  ofOrder(order: string): ReadonlyArray<PlainDocument> {
    const rows = this.#all<{ readonly body: string }>("SELECT body FROM document WHERE about_order = ?", order)
    return rows.map(({ body }) => unpackDocument(body))
  }

  /** The invoices of a connection with this number, or whose buyers are asked to write this, in lower-case letters and digits. */
  numbered(connection: string, number: string): ReadonlyArray<string> {
    return this.#all<{ readonly key: string }>(
      "SELECT key FROM document WHERE connection = ? AND number = ? UNION SELECT invoice FROM asked WHERE connection = ? AND reference = ?",
      connection,
      number,
      connection,
      joinedText(number)
    ).map(({ key }) => key)
  }

  /** The invoices on which the service shows a fact of another connection, with the amounts. */
  standing(fact: string): ReadonlyMap<string, Units> {
    const rows = this.#all<{ readonly invoice: string; readonly amount: string }>(
      "SELECT invoice, amount FROM posting WHERE fact = ?",
      fact
    )
    return new Map(rows.map(({ amount, invoice }) => [invoice, BigInt(amount)]))
  }

  /** The day on which the service shows a fact on an invoice, if stated. */
  dayOn(fact: string, invoice: string): string | undefined {
    const sql = "SELECT day FROM posting WHERE fact = ? AND invoice = ?"
    const [found] = this.#all<{ readonly day: string | null }>(sql, fact, invoice)
    return found?.day?.slice(0, 10)
  }

  /** What the service shows on an invoice, with the day if stated. */
  postedOn(invoice: string): ReadonlyArray<{ readonly fact: string; readonly amount: Units; readonly day?: string }> {
    return this.#all<{ readonly fact: string; readonly amount: string; readonly day: string | null }>(
      "SELECT fact, amount, day FROM posting WHERE invoice = ?",
      invoice
    ).map(({ amount, day, fact }) => ({
      fact,
      amount: BigInt(amount),
      ...(day === null ? {} : { day: day.slice(0, 10) })
    }))
  }

  /** The facts of a connection that the service shows, by key. */
  *posted(connection: string): Generator<string> {
    const sql = `SELECT DISTINCT fact AS key FROM posting WHERE fact > ? AND fact < ? ORDER BY fact LIMIT ${ROWS}`
    let after = `${connection}/`
    for (;;) {
      const rows = this.#all<{ readonly key: string }>(sql, after, `${connection}0`)
      for (const { key } of rows) yield key
      const last = rows.at(-1)
      if (last === undefined || rows.length < ROWS) return
      after = last.key
    }
  }
}
