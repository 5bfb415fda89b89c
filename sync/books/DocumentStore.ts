/**
 * Stores the books: every document that a source has sent, with the record it was made from.
 *
 * A page and its bookmark are stored in one transaction. Before a document changes or is deleted, its version is copied to
 * the table `version`. An unchanged document costs one look-up.
 */
import { Clock, Effect } from "effect"
import type { Copy, Coverage, QuarantinedRecord } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import { Chunks } from "./Chunks.ts"
import { add, Control, contribution } from "./ControlTotals.ts"
import * as Body from "../state/Body.ts"
import * as Complete from "./Complete.ts"
import type { Db } from "../state/Database.ts"
import type { StateError } from "../state/Database.ts"
import { type DocumentRow, NEW, TO_SCAN } from "./DocumentRow.ts"
import type { IngestCounts } from "../model/reports/Matching.ts"
import { TOGETHER } from "../state/ManyRows.ts"
import { RecordPages } from "../state/RecordPages.ts"
import * as QuarantineStore from "./QuarantineStore.ts"
import { type Brought, type Ready, quarantinedRecord, anew, readyPage, type ReadyPage } from "./Ready.ts"
import { SchemaDrift } from "./SchemaDrift.ts"
import { begin, count, isRead, likely, markRead, NOTHING, findScan, type ScanState } from "./ScanState.ts"
import * as Parts from "./Parts.ts"
import * as StatedTotals from "./StatedTotals.ts"
import { Versions } from "./Versions.ts"
import * as StrangeScans from "./StrangeScans.ts"
import * as Bookmarks from "./Bookmarks.ts"
import { OwnLinks } from "./OwnLinks.ts"
import { type PaymentRole, Subjects } from "./Subjects.ts"
import { unchanged } from "./Unchanged.ts"

/** The state of one pull of one connection. */
export class Intake {
  readonly #db: Db
  readonly #connection: string
  readonly #scans = new Map<string, ScanState>()
  readonly #byId = new Map<number, ScanState>()
  #current: ScanState | undefined
  readonly #bookmarks = new Bookmarks.Moves()
  readonly #control: Control
  readonly #chunks: Chunks
  readonly #records: RecordPages
  readonly #subjects: Subjects
  readonly #links: OwnLinks | undefined
  readonly #drift = new SchemaDrift()
  readonly #versions: Versions
  readonly #counts = { read: 0, added: 0, changed: 0, deleted: 0, quarantined: 0 }

  /** @param isTable its payments name invoices by id or number */
  constructor(db: Db, connection: string, role: PaymentRole = undefined, isTable = false) {
    if (isTable && role !== "pays") this.#links = new OwnLinks(db, connection)
    this.#db = db
    this.#connection = connection
    this.#control = new Control(db)
    this.#chunks = new Chunks(db)
    this.#records = new RecordPages(db)
    this.#subjects = new Subjects(db, connection, role)
    const [control, subjects] = [this.#control, this.#subjects]
    this.#versions = new Versions(db, connection, { control, counts: this.#counts, subjects, pays: role === "pays" })
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
      this.#db.soon(() => {
        for (const { bookmark, page } of pages) this.#keep(page, bookmark, now)
      })
    )

  #keep(page: Brought, bookmark: string | undefined, now: number): void {
    const scan = (this.#current = this.#scan(page.scan?.name ?? this.#current?.name ?? ""))
    if (page.scan?.begins) this.#begin(scan, page.scan.copy)
    this.#control.clear()
    this.#records.clear()
    this.#subjects.clear()
    this.#counts.read += this.#chunks.skip(scan, page.skipped)
    this.#take(scan, page, now)
    this.#records.flush(scan.id, now)
    for (const record of page.quarantined) this.#quarantine(scan, record, now)
    for (const { what, origin } of page.notices ?? []) this.#notice(scan, what, origin)
    for (const name of page.gone ?? [])
      for (const row of this.#versions.parts.leave(this.#scan(name).id)) this.#versions.statedElsewhere(row)
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
    if (page.scan?.ends && scan.scanning) this.#end(scan, page.covers ?? [], now)
    this.#subjects.flush()
    if (bookmark === undefined) return
    this.#bookmarks.move(this.#db, this.#connection, bookmark, page, now)
  }

  /** Stores what a page read. */
  #take(scan: ScanState, page: Brought, now: number): void {
    const all = readyPage(this.#connection, page).read
    const { quarantined, read } = this.#links?.all(all) ?? { read: all, quarantined: [] }
    this.#counts.read += quarantined.length
    for (const record of quarantined) this.#quarantine(scan, record, now)
    if (page.entries === undefined) return this.#storeAll(scan, read, now)
    const found = this.#versions.entries.identify(scan, read, page.entries, (what, { origin }) =>
      this.#notice(scan, what, origin)
    )
    const ready = found.map((one) => one.ready)
    this.#storeAll(scan, ready, now)
    this.#versions.entries.keep(scan.id, found)
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
    return this.#db.soon(() => Bookmarks.end(this.#db, this.#connection))
  })

  #scan(name: string): ScanState {
    const known = this.#scans.get(name)
    if (known !== undefined) return known
    const scan = findScan(this.#db, this.#connection, name)
    this.#scans.set(name, scan)
    this.#byId.set(scan.id, scan)
    return scan
  }

  #begin(scan: ScanState, copy: Copy | undefined): void {
    const { prepare } = this.#db
    this.#versions.parts.begin(scan, copy)
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
      const row = this.#versions.row(read.key)
      if (row === undefined) continue
      if (added.delete(row.id)) this.#added(scan, read, row.id)
      else this.#again(scan, read, row, now)
    }
  }

  #store(scan: ScanState, read: Ready, now: number): void {
    this.#note(scan, read)
    const row = this.#versions.row(read.key)
    if (row === undefined) this.#add(scan, read, now)
    else this.#again(scan, read, row, now)
  }

  #add(scan: ScanState, read: Ready, now: number): void {
    const { lastInsertRowid } = this.#db
      .prepare(NEW.one)
      .run(read.key, scan.id, this.#records.add(scan.id, read, now), read.body)
    this.#added(scan, read, lastInsertRowid as number)
  }

  /** Records that it was read, whatever the result. */
  #note(scan: ScanState, read: Ready): void {
    this.#counts.read++
    this.#chunks.add(scan, read)
    if (scan.quarantined.size > 0) QuarantineStore.bringBack(this.#db, this.#connection, scan, read.document)
    if (scan.scanning) add(scan.totals, read.currency, 1, read.sum)
  }

  /** Stores the changes of a document that the books have. */
  #again(scan: ScanState, read: Ready, row: DocumentRow, now: number): void {
    const { prepare } = this.#db
    const { body } = read
    const isAlike = row.body === body
    const earlier = isAlike ? read.document : Body.read(row.body)
    // A page without a scan, as from a sweep, leaves the document in its scan.
    const home = scan.name === "" ? row.scan : scan.id
    if (row.scan !== home && !this.#takesPlace(scan, read, row, earlier, now)) return
    // Seen before by a scan in progress, this one or its former one: it counts once, here.
    const scanned = this.#byId.get(row.scan)
    // Another id with the same key is another document: its taking the first one's place shows as a difference.
    const same = earlier.id === read.document.id
    if (same && scanned?.scanning && row.deleted === 0 && isRead(scanned, row.id)) {
      add(scanned.totals, earlier.currency ?? "", -1, -contribution(earlier))
    }
    this.#chunks.see(scan, row.id)
    if (isAlike && row.deleted === 0 && row.scan === home) return
    if (row.deleted === 0) this.#versions.move(row.scan, earlier, -1, ...(same ? ["source" as const] : []), "books")
    this.#control.move(home, read, 1, "source", "books")
    if (isAlike && row.deleted === 0) {
      prepare(TO_SCAN).run(home, this.#records.add(scan.id, read, now), row.id)
      return
    }
    this.#versions.change(row, home, this.#records.add(scan.id, read, now), read, earlier)
    this.#drift.note(read)
    if (row.deleted === 1) scan.revived++
  }

  /** Whether a part's statement of a document that is read from another part takes that one's place; otherwise keeps it beside. */
  #takesPlace(scan: ScanState, read: Ready, row: DocumentRow, earlier: Document.Document, now: number): boolean {
    // In a file whose ids begin anew, it has the file's name as well.
    const own = anew(this.#connection, scan, read)
    const other = row.body === read.body || own === undefined ? undefined : this.#versions.row(own.key)
    const weighed = other?.deleted === 0 ? Parts.ANOTHER : this.#versions.parts.weigh(scan, read, row, earlier)
    if (weighed.type === "another" && own !== undefined) {
      this.#notice(scan, Parts.ANEW, read.origin)
      if (other === undefined) this.#add(scan, own, now)
      else this.#again(scan, own, other, now)
      return false
    }
    if (weighed.type !== "beside") {
      if (row.deleted === 0) this.#versions.parts.replace(row, scan.id)
      return true
    }
    add(scan.totals, read.currency, -1, -read.sum)
    this.#chunks.see(scan, row.id)
    const record = () => this.#records.add(scan.id, read, now)
    this.#versions.parts.put(row, scan.id, read.body, record, weighed.why !== undefined)
    if (weighed.why !== undefined) this.#quarantine(scan, quarantinedRecord(read, { why: weighed.why }), now)
    return false
  }

  /** Records that a new document was stored. */
  #added(scan: ScanState, read: Ready, id: number): void {
    this.#chunks.see(scan, id, true)
    this.#drift.note(read)
    this.#subjects.index(read, id)
    this.#control.move(scan.id, read, 1, "source", "books")
    scan.firstAdded = scan.added++ === 0 ? id : Math.min(scan.firstAdded, id)
    this.#counts.added++
  }

  #quarantine(scan: ScanState, record: QuarantinedRecord, now: number): void {
    this.#counts.quarantined++
    this.#chunks.spoil(scan)
    QuarantineStore.put(this.#db, this.#connection, scan, record, now)
    if (record.id === undefined) {
      scan.blind = true
      return
    }
    // What is stored under this id stays as it is until the record can be read again.
    for (const { kind, row } of this.#versions.ofRecord(record.id)) {
      // Nothing of it is sent until it can be read again.
      if (likely(record.kind).includes(kind)) this.#subjects.touch(Body.read(row.body))
      this.#chunks.check(scan, row.id)
      if (!scan.scanning || isRead(scan, row.id)) continue
      markRead(scan, row.id)
      if (row.deleted === 0 && row.scan === scan.id) count(scan, row.body)
    }
  }

  /** Ends a scan that was read to its end: documents that it no longer has count as deleted, unless another part has them. */
  #end(scan: ScanState, covers: ReadonlyArray<Coverage>, now: number): void {
    this.#versions.entries.end(scan, covers)
    const { prepare } = this.#db
    const held = prepare("SELECT total(books_count) FROM control WHERE scan = ?").pluck().get(scan.id)
    const seen = [...scan.totals.values()].reduce((sum, { count }) => sum + count, 0)
    const { lost, why } = this.#versions.lose(scan, held !== seen, now)
    if (why !== undefined) this.#notice(scan, why, scan.name)
    for (const key of this.#versions.entries.denied(covers)) this.#deleted(key, now)
    this.#versions.parts.end(scan, (id) => isRead(scan, id))
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
    const row = this.#versions.row(key)
    if (row === undefined || row.deleted === 1) return
    this.#versions.parts.forget(row.id)
    this.#versions.markDeleted(row, now)
    this.#versions.move(row.scan, Body.read(row.body), -1, "source")
  }
}
