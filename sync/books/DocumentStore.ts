/**
 * Stores the books: every document that a source has sent, with the record it was made from.
 *
 * A page and its bookmark are stored in one transaction. Before a document changes or is deleted, its version is copied to
 * the table `version`. An unchanged document costs one look-up.
 */
import { Clock, Effect } from "effect"
import type { QuarantinedRecord } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import { Chunks } from "./Chunks.ts"
import { add, Control, contribution } from "./ControlTotals.ts"
import * as Body from "../state/Body.ts"
import * as Complete from "./Complete.ts"
import type { Database } from "../state/Database.ts"
import type { StateError } from "../state/Database.ts"
import { type DocumentRow, NEW, TO_SCAN } from "./DocumentRow.ts"
import type { IngestCounts } from "./IngestCounts.ts"
import { TOGETHER } from "../state/ManyRows.ts"
import { RecordPages } from "../state/RecordPages.ts"
import * as QuarantineStore from "./QuarantineStore.ts"
import { type Brought, type Ready, readyPage, type ReadyPage } from "./Ready.ts"
import { SchemaDrift } from "./SchemaDrift.ts"
import { begin, count, isRead, likely, markRead, NOTHING, findScan, type ScanState } from "./ScanState.ts"
import * as StatedTotals from "./StatedTotals.ts"
import * as StrangeScans from "./StrangeScans.ts"
import * as Bookmarks from "./Bookmarks.ts"
import { type PaymentRole, Subjects } from "./Subjects.ts"
import { unchanged } from "./Unchanged.ts"

type Db = Database["Service"]

const NOWHERE = 'an unallocated payment; it is ignored unless its connection "pays" for another'

/** The state of one pull of one connection. */
export class Intake {
  readonly #db: Db
  readonly #connection: string
  readonly #role: PaymentRole
  readonly #scans = new Map<string, ScanState>()
  readonly #byId = new Map<number, ScanState>()
  #current: ScanState | undefined
  readonly #bookmarks = new Bookmarks.Moves()
  readonly #control: Control
  readonly #chunks: Chunks
  readonly #records: RecordPages
  readonly #subjects: Subjects
  readonly #drift = new SchemaDrift()
  readonly #counts = { read: 0, added: 0, changed: 0, deleted: 0, quarantined: 0 }

  constructor(db: Db, connection: string, role: PaymentRole = undefined) {
    this.#db = db
    this.#role = role
    this.#connection = connection
    this.#control = new Control(db)
    this.#chunks = new Chunks(db)
    this.#records = new RecordPages(db)
    this.#subjects = new Subjects(db, connection, role)
  }

  get counts(): IngestCounts {
    return { ...this.#counts }
  }

  /** Whether a page skipped what it may not: the pull begins again, and skips nothing. */
  get isInDoubt(): boolean {
    return this.#chunks.isInDoubt
  }

  /** Stores one page. Without a bookmark, the stored one stays. */
  readonly keep = (page: Brought | ReadyPage, bookmark: string | undefined): Effect.Effect<void, StateError> =>
    this.keepAll([{ page, bookmark }])

  /** Stores some pages in one transaction. */
  readonly keepAll = (
    pages: Iterable<{ readonly page: Brought | ReadyPage; readonly bookmark: string | undefined }>
  ): Effect.Effect<void, StateError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      this.#db.transaction(() => {
        for (const { bookmark, page } of pages) this.#keep(page, bookmark, now)
      })
    )

  #keep(page: Brought, bookmark: string | undefined, now: number): void {
    const scan = (this.#current = this.#scan(page.scan?.name ?? this.#current?.name ?? ""))
    if (page.scan?.begins) this.#begin(scan)
    this.#control.clear()
    this.#records.clear()
    this.#subjects.clear()
    this.#counts.read += this.#chunks.skip(scan, page.skipped)
    this.#storeAll(scan, readyPage(this.#connection, page).read, now)
    this.#records.flush(scan.id, now)
    for (const record of page.quarantined) this.#quarantine(scan, record, now)
    for (const { what, origin } of page.notices ?? []) this.#notice(scan, what, origin)
    for (const { id, kind } of page.deleted ?? []) {
      this.#deleted(Document.key(this.#connection, kind, id), now)
      // A record that the source no longer has need not be read any more.
      if (scan.quarantined.size > 0) QuarantineStore.drop(this.#db, this.#connection, scan.name, { kind, id })
    }
    for (const key of Complete.missing(this.#db, this.#connection, page)) this.#deleted(key, now)
    this.#control.flush()
    this.#drift.flush(this.#db, this.#connection, now)
    StatedTotals.keep(this.#db, scan.id, page.stated)
    this.#chunks.cut(scan, page)
    if (page.scan?.ends && scan.scanning) this.#end(scan, now)
    this.#subjects.flush()
    if (bookmark === undefined) return
    this.#bookmarks.move(this.#db, this.#connection, bookmark, page, now)
  }

  #notice(scan: ScanState, what: string, origin: string): void {
    this.#chunks.spoil(scan)
    this.#db
      .prepare("INSERT INTO notice VALUES (?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET times = times + 1")
      .run(this.#connection, scan.name, what, origin)
  }

  /** Records that the source was read to its end. */
  readonly end: Effect.Effect<void, StateError> = Effect.suspend(() => {
    if (!Bookmarks.isReading(this.#db, this.#connection)) return Effect.void
    return this.#db.transaction(() => Bookmarks.end(this.#db, this.#connection))
  })

  #scan(name: string): ScanState {
    let scan = this.#scans.get(name)
    if (scan === undefined) {
      scan = findScan(this.#db, this.#connection, name)
      this.#scans.set(name, scan)
      this.#byId.set(scan.id, scan)
    }
    return scan
  }

  #begin(scan: ScanState): void {
    const { prepare } = this.#db
    begin(scan, prepare("SELECT total(books_count) FROM control WHERE scan = ?").pluck().get(scan.id) as number)
    QuarantineStore.begin(this.#db, this.#connection, scan)
    prepare("DELETE FROM notice WHERE connection = ? AND scan = ?").run(this.#connection, scan.name)
    StatedTotals.forget(this.#db, scan.id)
    this.#chunks.begin(scan)
  }

  #storeAll(scan: ScanState, all: ReadonlyArray<Ready>, now: number): void {
    let at = 0
    for (; (scan.fresh || scan.scanning) && at + TOGETHER <= all.length; at += TOGETHER) {
      const some = all.slice(at, at + TOGETHER)
      if (scan.fresh) this.#storeNew(scan, some, now)
      else this.#storeChanged(scan, some, now)
    }
    for (const read of all.slice(at)) this.#store(scan, read, now)
  }

  /** Stores the changes of documents that are mostly unchanged. Documents that this scan saw before are handled separately. */
  #storeChanged(scan: ScanState, all: ReadonlyArray<Ready>, now: number): void {
    const known = unchanged(this.#db, scan.id, all)
    for (const [n, read] of all.entries()) {
      const id = known.get(n)
      if (id === undefined || isRead(scan, id)) this.#store(scan, read, now)
      else {
        this.#note(scan, read)
        this.#chunks.see(scan, id)
      }
    }
  }

  /** Stores documents that are almost all new. */
  #storeNew(scan: ScanState, all: ReadonlyArray<Ready>, now: number): void {
    const values = all.flatMap((read) => [read.key, scan.id, this.#records.add(scan.id, read, now), read.body])
    const { changes, lastInsertRowid } = this.#db.prepare(NEW.many).run(values)
    if (changes === all.length) {
      const before = (lastInsertRowid as number) - all.length
      for (const [n, read] of all.entries()) {
        this.#note(scan, read)
        this.#added(scan, read, before + n + 1)
      }
      return
    }
    // Some already existed: from now on each is looked up first.
    scan.fresh = false
    const added = new Set<number>()
    for (let n = 0; n < changes; n++) added.add((lastInsertRowid as number) - n)
    for (const read of all) {
      this.#note(scan, read)
      const row = this.#row(read.key)
      if (row === undefined) continue
      if (added.delete(row.id)) this.#added(scan, read, row.id)
      else this.#again(scan, read, row, now)
    }
  }

  #store(scan: ScanState, read: Ready, now: number): void {
    this.#note(scan, read)
    const row = this.#row(read.key)
    if (row !== undefined) return this.#again(scan, read, row, now)
    const { lastInsertRowid } = this.#db
      .prepare(NEW.one)
      .run(read.key, scan.id, this.#records.add(scan.id, read, now), read.body)
    this.#added(scan, read, lastInsertRowid as number)
  }

  #row(key: Document.Key): DocumentRow | undefined {
    return this.#db.prepare("SELECT id, scan, deleted, body FROM document WHERE key = ?").get(key) as
      | DocumentRow
      | undefined
  }

  /** Records that it was read, whatever the result. */
  #note(scan: ScanState, read: Ready): void {
    this.#counts.read++
    this.#chunks.add(scan, read)
    // An invoice has nothing to allocate, so it need not be decoded.
    if (this.#role !== "pays" && read.kind !== "invoice" && "unallocated" in read.document)
      this.#notice(scan, NOWHERE, read.origin)
    if (scan.quarantined.size > 0) QuarantineStore.bringBack(this.#db, this.#connection, scan, read.document)
    if (scan.scanning) add(scan.totals, read.currency, 1, read.sum)
  }

  /** Stores the changes of a document that the books have. */
  #again(scan: ScanState, read: Ready, row: DocumentRow, now: number): void {
    const { prepare } = this.#db
    const { body, key } = read
    const isAlike = row.body === body
    const earlier = isAlike ? read.document : Body.read(row.body)
    // Seen before by a scan in progress, this one or its former one: it counts once, here.
    const scanned = this.#byId.get(row.scan)
    // Another id with the same key is another document: its taking the first one's place shows as a difference.
    const same = earlier.id === read.document.id
    if (same && scanned?.scanning && row.deleted === 0 && isRead(scanned, row.id)) {
      add(scanned.totals, earlier.currency ?? "", -1, -contribution(earlier))
    }
    this.#chunks.see(scan, row.id)
    // A page without a scan, as from a sweep, leaves the document in its scan.
    const home = scan.name === "" ? row.scan : scan.id
    if (isAlike && row.deleted === 0 && row.scan === home) return
    if (row.deleted === 0) this.#move(row.scan, earlier, -1, ...(same ? ["source" as const] : []), "books")
    this.#control.move(home, read, 1, "source", "books")
    if (isAlike && row.deleted === 0) {
      prepare(TO_SCAN).run(home, this.#records.add(scan.id, read, now), row.id)
      return
    }
    this.#archive(row.id)
    prepare("UPDATE document SET scan = ?, n = n + 1, deleted = 0, read = NULL, record = ?, body = ? WHERE id = ?").run(
      home,
      this.#records.add(scan.id, read, now),
      body,
      row.id
    )
    this.#drift.note(read)
    this.#subjects.reindex(key, earlier, read, row.id)
    if (row.deleted === 1) scan.revived++
    this.#counts.changed++
  }

  /** Records that a new document was stored. */
  #added(scan: ScanState, read: Ready, id: number): void {
    this.#chunks.see(scan, id, true)
    this.#drift.note(read)
    this.#subjects.index(read, id)
    this.#control.move(scan.id, read, 1, "source", "books")
    scan.added++
    this.#counts.added++
  }

  #move(scan: number, document: Document.Document, count: 1 | -1, ...sides: ReadonlyArray<"source" | "books">): void {
    const { currency = "" } = document
    this.#control.move(scan, { currency, sum: contribution(document) }, count, ...sides)
  }

  #archive(id: number): void {
    this.#db.prepare("INSERT INTO version SELECT id, n, deleted, read, record, body FROM document WHERE id = ?").run(id)
  }

  #quarantine(scan: ScanState, record: QuarantinedRecord, now: number): void {
    const { prepare } = this.#db
    this.#counts.quarantined++
    this.#chunks.spoil(scan)
    QuarantineStore.put(this.#db, this.#connection, scan, record, now)
    if (record.id === undefined) {
      scan.blind = true
      return
    }
    // What is stored under this id stays as it is until the record can be read again.
    for (const kind of Document.KINDS) {
      const key = Document.key(this.#connection, kind, record.id)
      const rows = prepare("SELECT id, scan, deleted, body FROM document WHERE key = ? OR (key > ? AND key < ?)").all(
        key,
        `${key}/`,
        `${key}0`
      ) as ReadonlyArray<DocumentRow>
      for (const row of rows) {
        // Nothing of it is sent until it can be read again.
        if (likely(record.kind).includes(kind)) this.#subjects.touch(Body.read(row.body))
        this.#chunks.check(scan, row.id)
        if (!scan.scanning || row.scan !== scan.id || isRead(scan, row.id)) continue
        markRead(scan, row.id)
        if (row.deleted === 0) count(scan, row.body)
      }
    }
  }

  /** Ends a scan that was read to its end: documents that it no longer has count as deleted. */
  #end(scan: ScanState, now: number): void {
    const { prepare } = this.#db
    const held = prepare("SELECT total(books_count) FROM control WHERE scan = ?").pluck().get(scan.id)
    let seen = 0
    let lost = 0
    for (const { count } of scan.totals.values()) seen += count
    if (held !== seen) {
      const rows = prepare("SELECT id, scan, deleted, body FROM document WHERE scan = ? AND deleted = 0").iterate(
        scan.id
      )
      const unread: Array<DocumentRow> = []
      for (const row of rows as Iterable<DocumentRow>) if (!isRead(scan, row.id)) unread.push(row)
      for (const row of unread) {
        if (scan.blind) count(scan, row.body)
        else this.#markDeleted(row, now)
      }
      lost = scan.blind ? 0 : unread.length
    }
    QuarantineStore.end(this.#db, this.#connection, scan)
    StrangeScans.note(this.#db, scan.id, { ...scan, kept: scan.before - lost })
    this.#control.flush()
    this.#control.read(scan.id, scan.totals)
    this.#chunks.end(scan)
    scan.scanning = false
    scan.fresh = false
    scan.read = NOTHING
  }

  /** The source says that it deleted this document. */
  #deleted(key: string, now: number): void {
    const row = this.#row(key)
    if (row === undefined || row.deleted === 1) return
    this.#markDeleted(row, now)
    this.#move(row.scan, Body.read(row.body), -1, "source")
  }

  #markDeleted(row: DocumentRow, now: number): void {
    const { prepare } = this.#db
    this.#archive(row.id)
    prepare("UPDATE document SET n = n + 1, deleted = 1, read = ? WHERE id = ?").run(now, row.id)
    const document = Body.read(row.body)
    this.#move(row.scan, document, -1, "books")
    this.#subjects.touch(document)
    this.#counts.deleted++
  }
}
