/**
 * The books: every document that a source has stated, with the record it was made from.
 *
 * A page is stored whole with its bookmark, or not at all. Documents are never edited in place: what changes, or
 * vanishes, moves its earlier version to `version` first. An unchanged document costs one look-up.
 *
 * Control totals: what was read of a part (a file, a listing) is added up as it is read, what the books hold of it
 * as it is written. The two meet in the completeness statement.
 */
import { Clock, Effect } from "effect"
import type { Page, Read, SetAside } from "../connectors/Connector.ts"
import * as Document from "../connectors/Document.ts"
import type { Database } from "./Database.ts"
import type { StateError } from "./Database.ts"

type Db = Database["Service"]

interface Row {
  readonly id: number
  readonly part: number
  readonly gone: number
  readonly body: string
}

interface Part {
  readonly id: number
  readonly name: string
  /** Being read from its beginning, so that what is not seen has vanished. */
  scanning: boolean
  /** Had no documents when this scan began: inserting first is then quicker than looking first. */
  fresh: boolean
  /** A record without an id was set aside: nothing can be taken to have vanished. */
  blind: boolean
  readonly totals: Totals
}

/** Sums by currency; the empty currency where a document names none. */
type Totals = Map<string, { count: number; sum: bigint }>

const add = (totals: Totals, currency: string, count: number, sum: bigint) => {
  const total = totals.get(currency)
  if (total === undefined) totals.set(currency, { count, sum })
  else {
    total.count += count
    total.sum += sum
  }
}

/** What a document adds to what is open: invoices and reversals raise it, payments and credit notes lower it. */
export const contribution = (document: Document.Document): bigint => {
  if (document.kind === "invoice") {
    return document.status === "void" || document.status === "draft" ? 0n : (document.gross ?? document.net ?? 0n)
  }
  let sum = 0n
  for (const share of document.shares) sum += share.amount
  return document.kind === "reversal" ? sum : -sum
}

/** What an intake took in so far. */
export interface Taken {
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly vanished: number
  readonly setAside: number
}

/** Everything one pull of one connection needs to remember while it goes on. */
export class Intake {
  readonly #db: Db
  readonly #connection: string
  readonly #parts = new Map<string, Part>()
  #current: Part | undefined
  #seen = new Uint8Array(1 << 16)
  readonly #taken = { read: 0, added: 0, changed: 0, vanished: 0, setAside: 0 }

  constructor(db: Db, connection: string) {
    this.#db = db
    this.#connection = connection
  }

  get taken(): Taken {
    return { ...this.#taken }
  }

  /** Stores one page. */
  readonly keep = (page: Page<unknown>, bookmark: string): Effect.Effect<void, StateError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => this.#db.transaction(() => this.#keep(page, bookmark, now)))

  #keep(page: Page<unknown>, bookmark: string, now: number): void {
    const { prepare } = this.#db
    const part = (this.#current = this.#part(page.part?.name ?? this.#current?.name ?? ""))
    if (page.part?.begins) this.#begin(part)
    const books: Totals = new Map()
    for (const read of page.read) this.#store(part, read, books, now)
    for (const record of page.setAside) this.#putAside(part, record, now)
    for (const { what, origin } of page.notices ?? []) {
      prepare(`INSERT INTO notice VALUES (?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET times = times + 1`).run(
        this.#connection,
        part.name,
        what,
        origin
      )
    }
    if (page.part?.ends && part.scanning) this.#end(part, books, now)
    this.#flush(part.id, "books", books)
    prepare(
      "INSERT INTO bookmark VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bookmark = excluded.bookmark, moved = excluded.moved"
    ).run(this.#connection, bookmark, now)
  }

  #part(name: string): Part {
    let part = this.#parts.get(name)
    if (part === undefined) {
      const { prepare } = this.#db
      prepare("INSERT INTO part (connection, name) VALUES (?, ?) ON CONFLICT DO NOTHING").run(this.#connection, name)
      const id = prepare("SELECT id FROM part WHERE connection = ? AND name = ?").pluck().get(this.#connection, name)
      part = { id: id as number, name, scanning: false, fresh: false, blind: false, totals: new Map() }
      this.#parts.set(name, part)
    }
    return part
  }

  #begin(part: Part): void {
    const { prepare } = this.#db
    part.scanning = true
    part.blind = false
    part.totals.clear()
    part.fresh = prepare("SELECT 1 FROM control WHERE part = ? AND books_count > 0").get(part.id) === undefined
    prepare("DELETE FROM set_aside WHERE connection = ? AND part = ?").run(this.#connection, part.name)
    prepare("DELETE FROM notice WHERE connection = ? AND part = ?").run(this.#connection, part.name)
  }

  #store(part: Part, { document, raw, origin, body: written }: Read, books: Totals, now: number): void {
    const { prepare } = this.#db
    const key = Document.key(this.#connection, document.kind, document.id)
    const body = written ?? Document.encode(document)
    const amount = contribution(document)
    const currency = document.currency ?? ""
    this.#taken.read++

    if (part.fresh) {
      const { changes, lastInsertRowid } = this.#insert(key, part.id, now, origin, body, raw)
      if (changes === 1) {
        this.#mark(lastInsertRowid as number)
        this.#index(key, document, lastInsertRowid as number)
        add(books, currency, 1, amount)
        add(part.totals, currency, 1, amount)
        this.#taken.added++
        return
      }
    }
    const row = prepare("SELECT id, part, gone, body FROM document WHERE key = ?").get(key) as Row | undefined
    if (row === undefined) {
      const { lastInsertRowid } = this.#insert(key, part.id, now, origin, body, raw)
      this.#mark(lastInsertRowid as number)
      this.#index(key, document, lastInsertRowid as number)
      add(books, currency, 1, amount)
      this.#taken.added++
    } else {
      // Read before in this pull, or moved here from another part: it counts once, here.
      if (this.#isMarked(row.id) || row.part !== part.id) this.#uncount(row, "source")
      this.#mark(row.id)
      if (row.body !== body || row.gone === 1) {
        this.#archive(row.id)
        prepare(
          "UPDATE document SET part = ?, n = n + 1, gone = 0, seen = ?, origin = ?, body = ?, raw = ? WHERE id = ?"
        ).run(part.id, now, origin, body, raw, row.id)
        const earlier = Document.decode(row.body)
        if (row.gone === 0) this.#uncount(row, "books")
        add(books, currency, 1, amount)
        this.#reindex(key, earlier, document, row.id)
        this.#taken.changed++
      } else if (row.part !== part.id) {
        prepare("UPDATE document SET part = ?, origin = ? WHERE id = ?").run(part.id, origin, row.id)
        this.#uncount(row, "books")
        add(books, currency, 1, amount)
      }
    }
    add(part.totals, currency, 1, amount)
  }

  #insert(key: string, part: number, now: number, origin: string, body: string, raw: string) {
    return this.#db
      .prepare("INSERT INTO document VALUES (NULL, ?, ?, 1, 0, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
      .run(key, part, now, origin, body, raw)
  }

  #archive(id: number): void {
    this.#db
      .prepare("INSERT INTO version SELECT id, n, gone, seen, origin, body, raw FROM document WHERE id = ?")
      .run(id)
  }

  /** Marks what a new document touches as changed. */
  #index(key: string, document: Document.Document, id: number): void {
    if (document.kind === "invoice") this.#touch(key)
    else {
      for (const share of document.shares) {
        const invoice = Document.key(this.#connection, "invoice", share.invoice)
        this.#db.prepare("INSERT INTO allocation VALUES (?, ?) ON CONFLICT DO NOTHING").run(invoice, id)
        this.#touch(invoice)
      }
    }
  }

  /** Likewise for a new version: the invoices of the earlier one are touched as well. */
  #reindex(key: string, earlier: Document.Document, now: Document.Document, id: number): void {
    if (earlier.kind !== "invoice") {
      for (const share of earlier.shares) {
        const invoice = Document.key(this.#connection, "invoice", share.invoice)
        this.#db.prepare("DELETE FROM allocation WHERE invoice = ? AND document = ?").run(invoice, id)
        this.#touch(invoice)
      }
    }
    this.#index(key, now, id)
  }

  #touch(subject: string): void {
    this.#db.prepare("INSERT INTO changed VALUES (?) ON CONFLICT DO NOTHING").run(subject)
  }

  #putAside(part: Part, record: SetAside, now: number): void {
    const { prepare } = this.#db
    this.#taken.setAside++
    prepare("INSERT INTO set_aside VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      this.#connection,
      part.name,
      record.origin,
      record.kind,
      record.id ?? null,
      record.field ?? null,
      record.why,
      record.raw,
      now
    )
    if (record.id === undefined) {
      part.blind = true
      return
    }
    // What is stored under this id stays as it is until the record can be read again.
    for (const kind of ["invoice", "payment", "reversal", "credit_note"] as const) {
      const key = Document.key(this.#connection, kind, record.id)
      const rows = prepare("SELECT id, part, gone, body FROM document WHERE key = ? OR (key > ? AND key < ?)").all(
        key,
        `${key}/`,
        `${key}0`
      ) as ReadonlyArray<Row>
      for (const row of rows) {
        if (row.part !== part.id || this.#isMarked(row.id)) continue
        this.#mark(row.id)
        if (row.gone === 0) {
          const stored = Document.decode(row.body)
          add(part.totals, stored.currency ?? "", 1, contribution(stored))
        }
      }
    }
  }

  /** A part was read to its end: what it held and no longer does has vanished. */
  #end(part: Part, books: Totals, now: number): void {
    const { prepare } = this.#db
    this.#flush(part.id, "books", books)
    books.clear()
    const held = prepare("SELECT total(books_count) FROM control WHERE part = ?").pluck().get(part.id)
    let seen = 0
    for (const { count } of part.totals.values()) seen += count
    if (held !== seen && !part.blind) {
      const rows = prepare("SELECT id, part, gone, body FROM document WHERE part = ? AND gone = 0").iterate(part.id)
      const vanished: Array<Row> = []
      for (const row of rows as Iterable<Row>) if (!this.#isMarked(row.id)) vanished.push(row)
      for (const row of vanished) this.#vanish(row, now)
    }
    prepare("UPDATE control SET source_count = 0, source_sum = '0' WHERE part = ?").run(part.id)
    this.#flush(part.id, "source", part.totals)
    part.scanning = false
    part.fresh = false
  }

  #vanish(row: Row, now: number): void {
    const { prepare } = this.#db
    this.#archive(row.id)
    prepare("UPDATE document SET n = n + 1, gone = 1, seen = ? WHERE id = ?").run(now, row.id)
    this.#uncount(row, "books")
    const document = Document.decode(row.body)
    if (document.kind === "invoice") this.#touch(Document.key(this.#connection, "invoice", document.id))
    else for (const share of document.shares) this.#touch(Document.key(this.#connection, "invoice", share.invoice))
    this.#taken.vanished++
  }

  /** Takes a stored document out of the totals of the part that it belonged to. */
  #uncount(row: Row, side: "source" | "books"): void {
    if (row.gone === 1) return
    const document = Document.decode(row.body)
    const totals: Totals = new Map()
    add(totals, document.currency ?? "", -1, -contribution(document))
    const scanned = [...this.#parts.values()].find((part) => part.id === row.part && part.scanning)
    if (side === "source" && scanned !== undefined) {
      if (this.#isMarked(row.id))
        for (const [currency, { count, sum }] of totals) add(scanned.totals, currency, count, sum)
    } else this.#flush(row.part, side, totals)
  }

  #flush(part: number, side: "source" | "books", totals: Totals): void {
    const { prepare } = this.#db
    for (const [currency, { count, sum }] of totals) {
      if (count === 0 && sum === 0n) continue
      prepare("INSERT INTO control VALUES (?, ?, 0, '0', 0, '0') ON CONFLICT DO NOTHING").run(part, currency)
      const before = prepare(`SELECT ${side}_sum FROM control WHERE part = ? AND currency = ?`)
        .pluck()
        .get(part, currency)
      prepare(
        `UPDATE control SET ${side}_count = ${side}_count + ?, ${side}_sum = ? WHERE part = ? AND currency = ?`
      ).run(count, String(BigInt(before as string) + sum), part, currency)
    }
  }

  #mark(id: number): void {
    const at = id >> 3
    if (at >= this.#seen.length) {
      const larger = new Uint8Array(Math.max(this.#seen.length * 2, at + 1))
      larger.set(this.#seen)
      this.#seen = larger
    }
    this.#seen[at]! |= 1 << (id & 7)
  }

  #isMarked(id: number): boolean {
    return ((this.#seen[id >> 3] ?? 0) & (1 << (id & 7))) !== 0
  }
}
