/**
 * The books: every document that a source has stated, with the record it was made from.
 *
 * A page is stored whole with its bookmark, or not at all. Documents are never edited in place: what changes, or
 * vanishes, moves its earlier version to `version` first. An unchanged document costs one look-up.
 */
import { Clock, Effect } from "effect"
import type { Page, Read, QuarantinedRecord } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import { add, Control, contribution } from "./ControlTotals.ts"
import * as ChangedDocuments from "./ChangedDocuments.ts"
import * as CompleteOrders from "./CompleteOrders.ts"
import type { Database } from "../state/Database.ts"
import type { StateError } from "../state/Database.ts"
import { SchemaDrift } from "./SchemaDrift.ts"
import { count, isMarked, likely, mark, NOTHING, type Part } from "./ScanState.ts"
import { readingOf } from "./Bookmarks.ts"

type Db = Database["Service"]

interface Row {
  readonly id: number
  readonly part: number
  readonly gone: number
  readonly body: string
}

const NOWHERE = 'money for no invoice; it is left out, unless its connection "pays" for another'

/** What an intake took in so far. */
export interface IngestCounts {
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly deleted: number
  readonly quarantined: number
}

/** How its connection takes part in payments across connections, see `Match.ts`. */
type Role = "pays" | "paid" | undefined

/** Everything one pull of one connection needs to remember while it goes on. */
export class Intake {
  readonly #db: Db
  readonly #connection: string
  readonly #role: Role
  readonly #parts = new Map<string, Part>()
  readonly #byId = new Map<number, Part>()
  #current: Part | undefined
  /** The books say that a pull is going on. */
  #reading = false
  readonly #control: Control
  readonly #habits = new SchemaDrift()
  readonly #counts = { read: 0, added: 0, changed: 0, deleted: 0, quarantined: 0 }

  constructor(db: Db, connection: string, role: Role = undefined) {
    this.#db = db
    this.#role = role
    this.#connection = connection
    this.#control = new Control(db)
  }

  get counts(): IngestCounts {
    return { ...this.#counts }
  }

  /** Stores one page. Without a bookmark, the one that is stored stays. */
  readonly keep = (page: Page<unknown>, bookmark: string | undefined): Effect.Effect<void, StateError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => this.#db.transaction(() => this.#keep(page, bookmark, now)))

  #keep(page: Page<unknown>, bookmark: string | undefined, now: number): void {
    const { prepare } = this.#db
    const part = (this.#current = this.#part(page.part?.name ?? this.#current?.name ?? ""))
    if (page.part?.begins) this.#begin(part)
    this.#control.clear()
    for (const read of page.read) this.#store(part, read, now)
    for (const record of page.quarantined) this.#quarantine(part, record, now)
    for (const { what, origin } of page.notices ?? []) this.#notice(part, what, origin)
    for (const { id, kind } of page.gone ?? []) {
      this.#gone(Document.key(this.#connection, kind, id), now)
      // What the source no longer knows need not be read any more.
      if (part.lacking)
        prepare("DELETE FROM set_aside WHERE connection = ? AND part = ? AND kind = ? AND id = ?").run(
          this.#connection,
          part.name,
          kind,
          id
        )
    }
    for (const key of CompleteOrders.missing(this.#db, this.#connection, page)) this.#gone(key, now)
    this.#control.flush()
    this.#habits.flush(this.#db, this.#connection, now)
    if (page.part?.ends && part.scanning) this.#end(part, now)
    if (bookmark === undefined) return
    const sql =
      "INSERT INTO bookmark VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bookmark = excluded.bookmark, moved = excluded.moved"
    prepare(sql).run(this.#connection, bookmark, now)
    if (!this.#reading) prepare(sql).run(readingOf(this.#connection), "", now)
    this.#reading = true
  }

  #notice({ name }: Part, what: string, origin: string): void {
    this.#db
      .prepare("INSERT INTO notice VALUES (?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET times = times + 1")
      .run(this.#connection, name, what, origin)
  }

  /** The source was read to its end. */
  readonly end: Effect.Effect<void, StateError> = Effect.suspend(() => {
    const { prepare } = this.#db
    const mark = readingOf(this.#connection)
    if (prepare("SELECT 1 FROM bookmark WHERE connection = ?").get(mark) === undefined) return Effect.void
    return Effect.asVoid(this.#db.transaction(() => prepare("DELETE FROM bookmark WHERE connection = ?").run(mark)))
  })

  #part(name: string): Part {
    let part = this.#parts.get(name)
    if (part === undefined) {
      const { prepare } = this.#db
      prepare("INSERT INTO part (connection, name) VALUES (?, ?) ON CONFLICT DO NOTHING").run(this.#connection, name)
      const id = prepare("SELECT id FROM part WHERE connection = ? AND name = ?").pluck().get(this.#connection, name)
      const lacking =
        prepare("SELECT 1 FROM set_aside WHERE connection = ? AND part = ?").get(this.#connection, name) !== undefined
      part = {
        id: id as number,
        name,
        scanning: false,
        fresh: false,
        blind: false,
        lacking,
        totals: new Map(),
        seen: NOTHING
      }
      this.#parts.set(name, part)
      this.#byId.set(part.id, part)
    }
    return part
  }

  #begin(part: Part): void {
    const { prepare } = this.#db
    part.scanning = true
    part.blind = false
    part.lacking = false
    part.totals.clear()
    part.seen = new Uint8Array(1 << 13)
    part.fresh = prepare("SELECT 1 FROM control WHERE part = ? AND books_count > 0").get(part.id) === undefined
    prepare("DELETE FROM set_aside WHERE connection = ? AND part = ?").run(this.#connection, part.name)
    prepare("DELETE FROM notice WHERE connection = ? AND part = ?").run(this.#connection, part.name)
  }

  #store(part: Part, { document, raw, origin, body: written }: Read, now: number): void {
    const { prepare } = this.#db
    const key = Document.key(this.#connection, document.kind, document.id)
    const body = written ?? Document.encode(document)
    this.#counts.read++
    if (this.#role !== "pays" && "unallocated" in document) this.#notice(part, NOWHERE, origin)
    if (part.lacking) this.#bringBack(part, document)
    if (part.scanning) add(part.totals, document.currency ?? "", 1, contribution(document))

    let row: Row | undefined
    if (!part.fresh || !this.#isNew(part, key, document, now, origin, body, raw)) {
      row = prepare("SELECT id, part, gone, body FROM document WHERE key = ?").get(key) as Row | undefined
      if (row === undefined) this.#isNew(part, key, document, now, origin, body, raw)
    }
    if (row === undefined) return
    const earlier = row.body === body ? document : Document.decode(row.body)
    // Seen before by a scan that is going on, this one or that of the part it was in: it counts once, here.
    const scanned = this.#byId.get(row.part)
    // Another id under the same key is another document: that it took the place of the first shows as a difference.
    const same = earlier.id === document.id
    if (same && scanned?.scanning && row.gone === 0 && isMarked(scanned, row.id)) {
      add(scanned.totals, earlier.currency ?? "", -1, -contribution(earlier))
    }
    mark(part, row.id)
    // A page of no part, as a sweep brings it, leaves what is stored in the part that will be scanned for it.
    const home = part.name === "" ? row.part : part.id
    if (row.body === body && row.gone === 0 && row.part === home) return
    if (row.gone === 0) this.#control.move(row.part, earlier, -1, ...(same ? ["source" as const] : []), "books")
    this.#control.move(home, document, 1, "source", "books")
    if (row.body === body && row.gone === 0) {
      prepare("UPDATE document SET part = ?, origin = ? WHERE id = ?").run(home, origin, row.id)
      return
    }
    this.#archive(row.id)
    prepare(
      "UPDATE document SET part = ?, n = n + 1, gone = 0, seen = ?, origin = ?, body = ?, raw = ? WHERE id = ?"
    ).run(home, now, origin, body, raw, row.id)
    this.#reindex(key, earlier, document, row.id)
    this.#counts.changed++
  }

  /** Stores a document that was never seen before; answers false, and changes nothing, when it was. */
  #isNew(
    part: Part,
    key: string,
    document: Document.Document,
    now: number,
    origin: string,
    body: string,
    raw: string
  ): boolean {
    const { changes, lastInsertRowid } = this.#db
      .prepare("INSERT INTO document VALUES (NULL, ?, ?, 1, 0, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
      .run(key, part.id, now, origin, body, raw)
    if (changes === 0) return false
    mark(part, lastInsertRowid as number)
    this.#index(key, document, lastInsertRowid as number)
    this.#control.move(part.id, document, 1, "source", "books")
    this.#counts.added++
    return true
  }

  #archive(id: number): void {
    this.#db
      .prepare("INSERT INTO version SELECT id, n, gone, seen, origin, body, raw FROM document WHERE id = ?")
      .run(id)
  }

  /** Marks what a new document touches as changed. */
  #index(key: string, document: Document.Document, id: number): void {
    this.#habits.note(document)
    for (const subject of this.#about(key, document)) {
      if (subject !== key) {
        this.#db
          .prepare("INSERT INTO allocation (invoice, document) VALUES (?, ?) ON CONFLICT DO NOTHING")
          .run(subject, id)
      }
      this.#touch(subject)
    }
  }

  /** What it says something about. Of a payment for another connection's invoice, matching will find that out. */
  #about(key: string, document: Document.Document): ReadonlyArray<string> {
    return this.#role === "pays" && Document.isAllocated(document) ? [key] : Document.about(this.#connection, document)
  }

  /** Likewise for a new version, and for what the earlier one was about. */
  #reindex(key: string, earlier: Document.Document, now: Document.Document, id: number): void {
    for (const subject of this.#about(key, earlier)) {
      if (subject === key) continue
      this.#db.prepare("DELETE FROM allocation WHERE invoice = ? AND document = ?").run(subject, id)
      this.#touch(subject)
    }
    this.#index(key, now, id)
  }

  #touch(subject: string): void {
    const { prepare } = this.#db
    if (this.#role !== "pays") ChangedDocuments.touch(this.#db, subject)
    if (this.#role !== undefined) prepare("INSERT INTO to_match VALUES (?) ON CONFLICT DO NOTHING").run(subject)
  }

  #quarantine(part: Part, record: QuarantinedRecord, now: number): void {
    const { prepare } = this.#db
    this.#counts.quarantined++
    // Read once more, and still not to be read.
    if (part.lacking) {
      prepare("DELETE FROM set_aside WHERE connection = ? AND part = ? AND origin = ? AND (raw = ? OR id = ?)").run(
        this.#connection,
        part.name,
        record.origin,
        record.raw,
        record.id ?? null
      )
    }
    part.lacking ||= !part.scanning
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
    for (const kind of Document.KINDS) {
      const key = Document.key(this.#connection, kind, record.id)
      const rows = prepare("SELECT id, part, gone, body FROM document WHERE key = ? OR (key > ? AND key < ?)").all(
        key,
        `${key}/`,
        `${key}0`
      ) as ReadonlyArray<Row>
      for (const row of rows) {
        if (!part.scanning || row.part !== part.id || isMarked(part, row.id)) continue
        mark(part, row.id)
        if (row.gone === 0) count(part, row.body)
      }
    }
  }

  /** A document that was quarantined can be read now. */
  #bringBack(part: Part, { id, kind }: Document.Document): void {
    this.#db
      .prepare(
        `DELETE FROM set_aside WHERE connection = ? AND part = ? AND kind IN (SELECT value FROM json_each(?))
          AND (id = ? OR substr(?, 1, length(id) + 1) = id || '/')`
      )
      .run(this.#connection, part.name, JSON.stringify(likely(kind)), id, id)
  }

  /** A part was read to its end: what it held and no longer does has vanished. */
  #end(part: Part, now: number): void {
    const { prepare } = this.#db
    const held = prepare("SELECT total(books_count) FROM control WHERE part = ?").pluck().get(part.id)
    let seen = 0
    for (const { count } of part.totals.values()) seen += count
    if (held !== seen) {
      const rows = prepare("SELECT id, part, gone, body FROM document WHERE part = ? AND gone = 0").iterate(part.id)
      const unseen: Array<Row> = []
      for (const row of rows as Iterable<Row>) if (!isMarked(part, row.id)) unseen.push(row)
      for (const row of unseen) {
        if (part.blind) count(part, row.body)
        else this.#vanish(row, now)
      }
    }
    this.#control.flush()
    this.#control.read(part.id, part.totals)
    part.scanning = false
    part.fresh = false
    part.seen = NOTHING
  }

  /** The source says that it deleted this document. */
  #gone(key: string, now: number): void {
    const row = this.#db.prepare("SELECT id, part, gone, body FROM document WHERE key = ?").get(key) as Row | undefined
    if (row === undefined || row.gone === 1) return
    this.#vanish(row, now)
    this.#control.move(row.part, Document.decode(row.body), -1, "source")
  }

  #vanish(row: Row, now: number): void {
    const { prepare } = this.#db
    this.#archive(row.id)
    prepare("UPDATE document SET n = n + 1, gone = 1, seen = ? WHERE id = ?").run(now, row.id)
    const document = Document.decode(row.body)
    this.#control.move(row.part, document, -1, "books")
    const key = Document.key(this.#connection, document.kind, document.id)
    for (const subject of this.#about(key, document)) this.#touch(subject)
    this.#counts.deleted++
  }
}
