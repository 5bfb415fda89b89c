/**
 * Remembers which parts of a source (files, lists) state a document, beside the one that it is read from. A document is deleted
 * only if no part states it any more. Use inside a page's transaction.
 *
 * Where two parts state it differently, the later copy stands, if they say when they were written. A part that was edited stands
 * against one that still says what it said itself before. Otherwise neither does: the second statement is quarantined, so that
 * nothing of the document is sent, and what was sent stays.
 */
import type { Copy } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import * as Records from "../state/RecordPages.ts"
import * as Copies from "./Copies.ts"
import type { DocumentRow } from "./DocumentRow.ts"
import type { Entries } from "./Entries.ts"
import type { Ready } from "./Ready.ts"
import type { ScanState } from "./ScanState.ts"

/** What a further part's statement comes to. */
export type Weighed =
  /** It stands beside the one that the document is read from. */
  | { readonly type: "beside"; readonly why?: string }
  /** It takes its place. */
  | { readonly type: "instead" }
  /** It is about another document, in a file whose ids begin anew. */
  | { readonly type: "another" }

export const ANEW =
  "a payment of another file has this id as well; both are kept, because ids seem to begin anew in each file"

export const ANOTHER: Weighed = { type: "another" }

interface Part {
  readonly name: string
  readonly copy: string | null
  readonly whole: number
  readonly gone: number
}

/** A part that states a document beside its own. */
interface Other extends Part {
  readonly scan: number
  readonly record: number
  readonly body: string | null
  readonly contested: number
}

const copyOf = ({ copy }: Pick<Part, "copy">): Copy | undefined =>
  copy === null ? undefined : (JSON.parse(copy) as Copy)

export class Parts {
  readonly #db: Db
  readonly #connection: string
  readonly #entries: Entries
  readonly #parts = new Map<number, Part>()

  constructor(db: Db, connection: string, entries: Entries) {
    this.#entries = entries
    this.#db = db
    this.#connection = connection
  }

  /** A part is read from its beginning. */
  begin({ id }: ScanState, copy: Copy | undefined): void {
    const text = copy === undefined ? null : JSON.stringify(copy)
    this.#db
      .prepare("UPDATE scan SET copy = ?, gone = 0 WHERE id = ? AND (copy IS NOT ? OR gone <> 0)")
      .run(text, id, text)
    this.#parts.delete(id)
  }

  /** A part was read to its end. Returns the documents beside which it stands no more. */
  end(scan: ScanState, isRead: (id: number) => boolean): ReadonlyArray<number> {
    const { prepare } = this.#db
    prepare("UPDATE scan SET whole = 1 WHERE id = ? AND whole = 0").run(scan.id)
    this.#parts.delete(scan.id)
    if (scan.blind) return []
    const all = prepare("SELECT document FROM stated WHERE scan = ?").pluck().all(scan.id) as ReadonlyArray<number>
    const lost = all.filter((id) => !isRead(id))
    for (const id of lost) this.remove(id, scan.id)
    return lost
  }

  isGone(scan: number): boolean {
    return this.#part(scan).gone === 1
  }

  #part(scan: number): Part {
    const known = this.#parts.get(scan)
    if (known !== undefined) return known
    const part = this.#db.prepare("SELECT name, copy, whole, gone FROM scan WHERE id = ?").get(scan) as Part
    this.#parts.set(scan, part)
    return part
  }

  /** The living parts that state a document beside its own, the latest copy first. */
  others(document: number, own: number): ReadonlyArray<Other> {
    const all = this.#db
      .prepare(
        `SELECT s.scan, s.record, s.body, s.contested, p.name, p.copy, p.whole, p.gone FROM stated s JOIN scan p ON p.id = s.scan
          WHERE s.document = ? AND s.scan <> ? AND p.gone = 0 ORDER BY p.name`
      )
      .all(document, own) as ReadonlyArray<Other>
    const asOf = (one: Other) => copyOf(one)?.asOf ?? ""
    return all.length < 2 ? all : all.toSorted((a, b) => (asOf(a) < asOf(b) ? 1 : asOf(a) > asOf(b) ? -1 : 0))
  }

  /** Weighs what a part states of a document that is read from another one. */
  weigh(scan: ScanState, read: Ready, row: DocumentRow, earlier: Document.Document): Weighed {
    const its = this.#part(row.scan)
    const own = this.#part(scan.id)
    if (row.deleted === 1 || its.gone === 1 || !scan.scanning) return { type: "instead" }
    if (row.body === read.body) return { type: "beside" }
    if (read.entry !== undefined) {
      const isFirst = read.entry.isFinal && !this.#entries.isFinal(row.id, row.scan)
      return { type: isFirst ? "instead" : "beside" }
    }
    const copy = copyOf(own)
    // A list that is read as it is now: what was read last stands.
    if (copy === undefined) return { type: "instead" }
    const other = copyOf(its) ?? {}
    const { document } = read
    if (Copies.isAnother({ document, copy }, { document: earlier, copy: other })) return ANOTHER
    const apart = Copies.apart(document, earlier)
    if (apart.length === 0) return { type: "beside" }
    const isLater = Copies.isLater(copy, other)
    if (isLater !== undefined) return { type: isLater ? "instead" : "beside" }
    const before = this.#of(row.id, scan.id)
    // It was edited, and the other part still says what it said itself.
    if (before !== undefined && before.body === null) return { type: "instead" }
    if (before !== undefined && before.contested === 0 && before.body === read.body) return { type: "beside" }
    if (this.#wasSaid(row, read.body)) return { type: "beside" }
    if (Copies.isProgress(apart) && (copy.asOf === undefined) !== (other.asOf === undefined))
      return { type: copy.asOf === undefined ? "instead" : "beside" }
    return { type: "beside", why: this.#contradiction(row, earlier, read) }
  }

  #contradiction({ record }: DocumentRow, document: Document.Document, read: Ready): string {
    return Copies.contradiction({ document, origin: Records.reader(this.#db)(record).origin }, read)
  }

  #of(document: number, scan: number): Pick<Other, "body" | "contested"> | undefined {
    return this.#db.prepare("SELECT body, contested FROM stated WHERE document = ? AND scan = ?").get(document, scan) as
      | Pick<Other, "body" | "contested">
      | undefined
  }

  /** Whether the part that a document is read from said this before, or another older one does: then it is from an older copy. */
  #wasSaid({ id, scan }: DocumentRow, body: string): boolean {
    const version = this.#db.prepare(
      `SELECT 1 FROM version v JOIN record_page p ON p.id = v.record ${Records.ROW}
        WHERE v.document = :id AND v.body = :body AND v.deleted = 0 AND p.scan = :scan
        UNION SELECT 1 FROM stated WHERE document = :id AND body = :body AND contested = 0`
    )
    return version.get({ id, body, scan }) !== undefined
  }

  /** A part states a document beside the one that it is read from. */
  put(row: DocumentRow, scan: number, body: string, record: () => number, contested = false): void {
    const own = body === row.body ? null : body
    const before = this.#of(row.id, scan)
    if (before !== undefined && before.body === own && before.contested === Number(contested)) return
    this.#db
      .prepare("INSERT OR REPLACE INTO stated VALUES (?, ?, ?, ?, ?)")
      .run(row.id, scan, record(), own, Number(contested))
  }

  /** Another part takes the place of the one that the document was read from, which still states it. */
  replace(row: DocumentRow, by: number): void {
    const { copy, gone, whole } = this.#part(row.scan)
    this.changes(row)
    this.remove(row.id, by)
    if (gone === 0 && (copy !== null || whole === 1))
      this.#db
        .prepare("INSERT OR REPLACE INTO stated VALUES (?, ?, ?, ?, 0)")
        .run(row.id, row.scan, row.record, row.body)
  }

  /** The document changes: parts that said the same still say what it was. */
  changes({ body, id }: DocumentRow): void {
    this.#db.prepare("UPDATE stated SET body = ? WHERE document = ? AND body IS NULL").run(body, id)
  }

  /** The document has changed: parts that contradicted it may say the same now. */
  changed(document: number, own: number, body: string, kind: Document.Kind, id: string): void {
    for (const one of this.others(document, own)) {
      if (one.body === null || (one.contested === 0 && one.body !== body)) continue
      const apart = one.body === body ? [] : Copies.apart(Body.read(one.body), Body.read(body))
      if (apart.length > 0) continue
      this.#release(one.name, kind, id)
      this.#db
        .prepare("UPDATE stated SET contested = 0, body = ? WHERE document = ? AND scan = ?")
        .run(one.body === body ? null : one.body, document, one.scan)
    }
  }

  /** A part does not state a document any more. */
  remove(document: number, scan: number): void {
    const before = this.#of(document, scan)
    if (before === undefined) return
    this.#db.prepare("DELETE FROM stated WHERE document = ? AND scan = ?").run(document, scan)
    if (before.contested === 0) return
    const key = this.#db.prepare("SELECT key FROM document WHERE id = ?").pluck().get(document) as Document.Key
    const { id, kind } = Document.parseKey(key)
    this.#release(this.#part(scan).name, kind as Document.Kind, id)
  }

  #release(scan: string, kind: Document.Kind, id: string): void {
    this.#db
      .prepare("DELETE FROM quarantine WHERE connection = ? AND scan = ? AND kind = ? AND id = ?")
      .run(this.#connection, scan, kind, id)
  }

  /** The source says that it deleted the document. */
  forget(document: number): void {
    const scans = this.#db.prepare("SELECT scan FROM stated WHERE document = ?").pluck().all(document)
    for (const scan of scans as ReadonlyArray<number>) this.remove(document, scan)
  }

  /** A part is not there any more. Returns the documents that were read from it and that others state. */
  leave(id: number): ReadonlyArray<DocumentRow> {
    const { prepare } = this.#db
    for (const document of prepare("SELECT document FROM stated WHERE scan = ?")
      .pluck()
      .all(id) as ReadonlyArray<number>)
      this.remove(document, id)
    this.#entries.leave(id)
    prepare("UPDATE scan SET gone = 1 WHERE id = ?").run(id)
    this.#parts.delete(id)
    return prepare(
      `SELECT d.id, d.scan, d.deleted, d.record, d.body FROM document d WHERE d.scan = ? AND d.deleted = 0
        AND EXISTS (SELECT 1 FROM stated s WHERE s.document = d.id)`
    ).all(id) as ReadonlyArray<DocumentRow>
  }
}
