/**
 * Changes documents in the books: each earlier version is copied to the table `version`, the sums follow, and what the document
 * is about is planned again. Use inside a page's transaction.
 */
import * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { type Control, contribution } from "./ControlTotals.ts"
import { type DocumentRow, ROW_OF_DOCUMENT, TO_SCAN } from "./DocumentRow.ts"
import { Entries } from "./Entries.ts"
import { type Ready, readyOf } from "./Ready.ts"
import { count, findScan, isRead, type ScanState } from "./ScanState.ts"
import { Parts } from "./Parts.ts"
import type { Subjects } from "./Subjects.ts"
import * as Window from "./Window.ts"

interface Beside {
  readonly control: Control
  readonly counts: { changed: number; deleted: number }
  readonly subjects: Subjects
  /** It pays for another connection. */
  readonly pays: boolean
}

export class Versions {
  readonly #db: Db
  readonly #connection: string
  readonly #control: Control
  readonly #counts: Beside["counts"]
  readonly entries: Entries
  readonly parts: Parts
  readonly #subjects: Subjects
  readonly #pays: boolean

  constructor(db: Db, connection: string, { control, counts, pays, subjects }: Beside) {
    this.#db = db
    this.#connection = connection
    this.#control = control
    this.#counts = counts
    this.entries = new Entries(db, connection)
    this.parts = new Parts(db, connection, this.entries)
    this.#subjects = subjects
    this.#pays = pays
  }

  row(key: Document.Key): DocumentRow | undefined {
    return this.#db.prepare(`SELECT ${ROW_OF_DOCUMENT} FROM document WHERE key = ?`).get(key) as DocumentRow | undefined
  }

  /** The documents that are stored under an id, or under ids that begin with it and a slash. */
  ofRecord(id: string): ReadonlyArray<{ readonly kind: Document.Kind; readonly row: DocumentRow }> {
    const rows = this.#db.prepare(`SELECT ${ROW_OF_DOCUMENT} FROM document WHERE key = ? OR (key > ? AND key < ?)`)
    return Document.KINDS.flatMap((kind) => {
      const key = Document.key(this.#connection, kind, id)
      return (rows.all(key, `${key}/`, `${key}0`) as ReadonlyArray<DocumentRow>).map((row) => ({ kind, row }))
    })
  }

  /** Stores another version of a document. */
  change(row: DocumentRow, home: number, record: number, now: Ready, earlier: Document.Document): void {
    this.#archive(row.id)
    if (row.deleted === 0 && row.scan === home) this.parts.changes(row)
    this.#db
      .prepare("UPDATE document SET scan = ?, n = n + 1, deleted = 0, read = NULL, record = ?, body = ? WHERE id = ?")
      .run(home, record, now.body, row.id)
    this.parts.changed(row.id, home, now.body, now.kind, now.document.id)
    this.#subjects.reindex(now.key, earlier, now, row.id)
    this.#counts.changed++
  }

  /** Whether another part states a document that its own one does not state any more: it is read from there now. */
  statedElsewhere(row: DocumentRow): boolean {
    const [next] = this.parts.others(row.id, row.scan)
    if (next === undefined) return false
    const earlier = Body.read(row.body)
    const document = next.body === null ? earlier : Body.read(next.body)
    this.move(row.scan, earlier, -1, "source", "books")
    this.move(next.scan, document, 1, "source", "books")
    this.parts.changes(row)
    this.parts.remove(row.id, next.scan)
    if (next.body === null) this.#db.prepare(TO_SCAN).run(next.scan, next.record, row.id)
    else {
      const now = readyOf(this.#connection, { document, origin: "", raw: "" })
      this.change(row, next.scan, next.record, now, earlier)
    }
    return true
  }

  move(scan: number, document: Document.Document, count: 1 | -1, ...sides: ReadonlyArray<"source" | "books">): void {
    const { currency = "" } = document
    this.#control.move(scan, { currency, sum: contribution(document) }, count, ...sides)
  }

  #archive(id: number): void {
    this.#db.prepare("INSERT INTO version SELECT id, n, deleted, read, record, body FROM document WHERE id = ?").run(id)
  }

  /**
   * What a scan did not find, and no other part states, is deleted; or out of view, if it left because it was old, or is an entry of
   * a day that no statement covers any more. Returns how many documents that are, and what a person is told.
   */
  lose(scan: ScanState, isAny: boolean, now: number): { readonly lost: number; readonly why?: string | undefined } {
    const rows = isAny ? this.#unread(scan) : []
    if (rows.length === 0) return { lost: 0 }
    const isOfBank = rows.some(({ id }) => this.entries.isEntry(id))
    const why = isOfBank ? undefined : Window.left(this.#db, scan, rows, this.#pays)
    const isDeleted = ({ id }: DocumentRow) => (isOfBank ? this.entries.isDenied(id, scan.id) : why === undefined)
    const [deleted, left] = [rows.filter(isDeleted), rows.filter((row) => !isDeleted(row))]
    for (const row of deleted) this.markDeleted(row, now)
    if (left.length === 0) return { lost: deleted.length }
    const { id } = findScan(this.#db, this.#connection, Window.OUT_OF_VIEW)
    for (const row of left) this.#outOfView(row, id)
    // Whoever states them from now on has them.
    this.parts.leave(id)
    return { lost: deleted.length, why }
  }

  /** The documents of a scan that it did not find, and that no other part states. */
  #unread(scan: ScanState): ReadonlyArray<DocumentRow> {
    const rows = this.#db
      .prepare(`SELECT ${ROW_OF_DOCUMENT} FROM document WHERE scan = ? AND deleted = 0`)
      .iterate(scan.id) as Iterable<DocumentRow>
    const unread: Array<DocumentRow> = []
    for (const row of rows) if (!isRead(scan, row.id)) unread.push(row)
    if (!scan.blind) return unread.filter((row) => !this.statedElsewhere(row))
    for (const row of unread) count(scan, row.body)
    return []
  }

  /** No part covers the document any more: it stays as it was. */
  #outOfView(row: DocumentRow, to: number): void {
    const document = Body.read(row.body)
    this.move(row.scan, document, -1, "source", "books")
    this.move(to, document, 1, "source", "books")
    this.#db.prepare(TO_SCAN).run(to, row.record, row.id)
  }

  markDeleted(row: DocumentRow, now: number): void {
    const { prepare } = this.#db
    this.#archive(row.id)
    prepare("UPDATE document SET n = n + 1, deleted = 1, read = ? WHERE id = ?").run(now, row.id)
    prepare("DELETE FROM entry WHERE document = ?").run(row.id)
    const document = Body.read(row.body)
    this.move(row.scan, document, -1, "books")
    this.#subjects.touch(document, row.id)
    this.#counts.deleted++
  }
}
