/**
 * Remembers the chunks of a list, so that a connector need not read one again that is as it was: a chunk's documents are a
 * range of ids, and what they add to the control totals is stored.
 *
 * A chunk is remembered only if nothing but invoices was read of it: no record was quarantined, no notice made. It may be
 * skipped only if all its documents are still as they were read of it, and none of them is read elsewhere in the same scan.
 * Otherwise it is in doubt: the transaction fails, and the pull reads again, without skipping anything.
 */
import type { Page } from "../../connectors/Connector.ts"
import type { Db } from "../state/Database.ts"
import { add, type Totals } from "./ControlTotals.ts"
import type { Ready } from "./Ready.ts"
import { isRead, markRead, type ScanState } from "./ScanState.ts"

interface Row {
  readonly digest: string
  readonly detail: string
  readonly first: number
  readonly documents: number
  readonly versions: number
  readonly totals: string
}

/** By scan, what a connector needs to skip chunks. */
export const known = ({ prepare }: Db, connection: string): ReadonlyMap<string, ReadonlyMap<string, string>> => {
  const all = new Map<string, Map<string, string>>()
  const rows = prepare(
    "SELECT s.name, c.digest, c.detail FROM scan s JOIN chunk c ON c.scan = s.id WHERE s.connection = ?"
  )
    .raw()
    .all(connection) as ReadonlyArray<[name: string, digest: string, detail: string]>
  for (const [name, digest, detail] of rows) all.set(name, (all.get(name) ?? new Map()).set(digest, detail))
  return all
}

/** The documents since the last cut. */
interface Current {
  first: number
  last: number
  documents: number
  /** How many of them are new. */
  added: number
  readonly totals: Totals
  isPlain: boolean
}

const nothing = (): Current => ({
  first: 0,
  last: 0,
  documents: 0,
  added: 0,
  totals: new Map(),
  isPlain: true
})

/** The chunks of one scan while it is read from its beginning. */
class OfScan {
  readonly #db: Db
  readonly #scan: number
  readonly #before: ReadonlyMap<string, Row>
  readonly #now = new Map<string, Row>()
  /** Ranges of ids of documents in skipped chunks. */
  readonly #skipped: Array<{ readonly from: number; to: number }> = []
  #current = nothing()

  constructor(db: Db, scan: number) {
    this.#db = db
    this.#scan = scan
    const rows = db.prepare("SELECT * FROM chunk WHERE scan = ?").all(scan) as ReadonlyArray<Row>
    this.#before = new Map(rows.map((row) => [row.digest, row]))
  }

  isSkipped(id: number): boolean {
    for (const { from, to } of this.#skipped) if (from <= id && id <= to) return true
    return false
  }

  add({ currency, kind, sum }: Ready): void {
    add(this.#current.totals, currency, 1, sum)
    if (kind !== "invoice") this.#current.isPlain = false
  }

  see(id: number, isNew: boolean): void {
    const current = this.#current
    if (current.documents === 0 || id < current.first) current.first = id
    if (id > current.last) current.last = id
    if (isNew) current.added++
    current.documents++
  }

  spoil(): void {
    this.#current.isPlain = false
  }

  cut({ known }: NonNullable<Page<unknown>["chunk"]>): void {
    const { added, documents, first, isPlain, last, totals } = this.#current
    this.#current = nothing()
    if (known === undefined || !isPlain || documents === 0) return
    const { detail, digest } = known
    // Each document once, and none between them that is not of this chunk.
    if (documents !== known.documents || last - first + 1 !== documents) return
    const versions = added === documents ? documents : this.#versions(first, documents)
    if (versions === undefined) return
    const sums = [...totals].map(([currency, { count, sum }]) => [currency, count, String(sum)])
    this.#now.set(digest, { digest, detail, first, documents, versions, totals: JSON.stringify(sums) })
  }

  /** The sum of versions of consecutive documents; undefined unless all of them are in this scan. */
  #versions(first: number, documents: number): number | undefined {
    const found = this.#db
      .prepare(
        "SELECT count(*) AS documents, sum(n) AS versions FROM document WHERE id BETWEEN ? AND ? AND scan = ? AND deleted = 0"
      )
      .get(first, first + documents - 1, this.#scan) as { readonly documents: number; readonly versions: number }
    return found.documents === documents ? found.versions : undefined
  }

  /** Counts a chunk's documents as read. Returns their number; undefined if it is in doubt. */
  skip(scan: ScanState, digest: string): number | undefined {
    const row = this.#before.get(digest)
    if (row === undefined || this.#now.has(digest)) return undefined
    const { documents, first, totals, versions } = row
    if (this.#versions(first, documents) !== versions) return undefined
    const end = first + documents
    for (let id = first; id < end; id++) {
      if (isRead(scan, id)) return undefined
      markRead(scan, id)
    }
    for (const [currency, count, sum] of JSON.parse(totals) as ReadonlyArray<[string, number, string]>)
      add(scan.totals, currency, count, BigInt(sum))
    const last = this.#skipped.at(-1)
    if (last?.to === first - 1) last.to = end - 1
    else this.#skipped.push({ from: first, to: end - 1 })
    this.#now.set(digest, row)
    this.#current = nothing()
    return documents
  }

  /** The scan was read to its end. */
  end(): void {
    const { prepare } = this.#db
    if (this.#before.size > 0) prepare("DELETE FROM chunk WHERE scan = ?").run(this.#scan)
    for (const { detail, digest, documents, first, totals, versions } of this.#now.values())
      prepare("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?)").run(
        this.#scan,
        digest,
        detail,
        first,
        documents,
        versions,
        totals
      )
  }
}

/** The chunks of what one pull reads. Use inside a page's transaction. */
export class Chunks {
  readonly #db: Db
  readonly #scans = new Map<number, OfScan>()
  /** Whether a chunk was skipped that may not be: this pull has to begin again. */
  isInDoubt = false

  constructor(db: Db) {
    this.#db = db
  }

  begin({ id }: ScanState): void {
    this.#scans.set(id, new OfScan(this.#db, id))
  }

  /** A document is read, whatever it comes to. */
  add(scan: ScanState, read: Ready): void {
    this.#scans.get(scan.id)?.add(read)
  }

  /** A document that was read is stored under this id: marks it as read. */
  see(scan: ScanState, id: number, isNew = false): void {
    const chunks = this.#scans.get(scan.id)
    if (chunks !== undefined) {
      if (chunks.isSkipped(id)) this.#doubt()
      // Read twice: it is in two chunks, or twice in this one.
      if (isRead(scan, id)) chunks.spoil()
      chunks.see(id, isNew)
    }
    markRead(scan, id)
  }

  /** Something is said of a document that a skipped chunk may have as well. */
  check(scan: ScanState, id: number): void {
    if (this.#scans.get(scan.id)?.isSkipped(id) === true) this.#doubt()
  }

  /** Something else was read than an invoice that is as it should be. */
  spoil(scan: ScanState): void {
    this.#scans.get(scan.id)?.spoil()
  }

  /** Counts the documents of skipped chunks as read, and returns how many these are. */
  skip(scan: ScanState, digests: ReadonlyArray<string> = []): number {
    let documents = 0
    for (const digest of digests) documents += this.#scans.get(scan.id)?.skip(scan, digest) ?? this.#doubt()
    return documents
  }

  /** A page is stored. */
  cut(scan: ScanState, { chunk }: Pick<Page<unknown>, "chunk">): void {
    if (chunk !== undefined) this.#scans.get(scan.id)?.cut(chunk)
  }

  end({ id }: ScanState): void {
    this.#scans.get(id)?.end()
    this.#scans.delete(id)
  }

  #doubt(): never {
    this.isInDoubt = true
    throw new Error("a chunk of a list is not as it was when it was read")
  }
}
