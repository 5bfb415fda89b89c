/**
 * Determines which subjects a document says something about, and marks them to be planned or matched again. Use inside a
 * page's transaction, which ends with `flush`.
 */
import * as Document from "../../connectors/Document.ts"
import type { Db } from "../state/Database.ts"
import { insert, ManyRows } from "../state/ManyRows.ts"
import type { Ready } from "./Ready.ts"
import { COUNT_AGAIN } from "./ChangedDocuments.ts"
import { ordersCalled, shippedBy } from "./Parcels.ts"
import { sharing, carriedPayment } from "./Together.ts"

/** How its connection takes part in payments across connections, see `Match.ts`. */
export type PaymentRole = "pays" | "paid" | undefined

const CHANGED = insert({ into: "INSERT INTO changed (subject)", row: "(?)", otherwise: COUNT_AGAIN })

const TO_REPORT = insert({
  into: "INSERT INTO to_report (document)",
  row: "(?)",
  otherwise: "ON CONFLICT DO UPDATE SET due = 0"
})

const TO_MATCH = insert({ into: "INSERT INTO to_match", row: "(?)", otherwise: "ON CONFLICT DO NOTHING" })

export class Subjects {
  readonly #db: Db
  readonly #connection: string
  readonly #role: PaymentRole
  /** The connections whose orders it ships. */
  readonly #ships: ReadonlyArray<string>
  readonly #changed: ManyRows
  readonly #toMatch: ManyRows
  readonly #toReport: ManyRows

  constructor(db: Db, connection: string, role: PaymentRole) {
    this.#db = db
    this.#connection = connection
    this.#role = role
    this.#ships = shippedBy(db, connection)
    this.#changed = new ManyRows(db, CHANGED)
    this.#toMatch = new ManyRows(db, TO_MATCH)
    this.#toReport = new ManyRows(db, TO_REPORT)
  }

  clear(): void {
    this.#changed.clear()
    this.#toMatch.clear()
    this.#toReport.clear()
  }

  flush(): void {
    this.#changed.flush()
    this.#toMatch.flush()
    this.#toReport.flush()
  }

  /** Marks the subjects of a new document. */
  index(read: Ready, id: number): void {
    const { key } = read
    // It belongs to no invoice; matching looks for its line at the bank.
    if (read.kind === "payout") return this.#toMatch.add(key)
    if (read.kind !== "invoice") this.#besides(read.document)
    for (const subject of read.kind === "invoice" ? [key] : this.#about(key, read.document)) {
      if (subject !== key) {
        this.#db
          .prepare("INSERT INTO allocation (invoice, document) VALUES (?, ?) ON CONFLICT DO NOTHING")
          .run(subject, id)
      }
      this.#touch(subject)
    }
    if (read.kind !== "invoice") this.#report(read.document, id)
  }

  /** The same for a new version, and for the subjects of the earlier version. */
  reindex(key: Document.Key, earlier: Document.Document, now: Ready, id: number): void {
    for (const subject of this.#about(key, earlier)) {
      if (subject === key) continue
      this.#db.prepare("DELETE FROM allocation WHERE invoice = ? AND document = ?").run(subject, id)
      this.#touch(subject)
    }
    this.#besides(earlier)
    this.#report(earlier, id)
    this.index(now, id)
  }

  /** @param id if it is gone */
  touch(document: Document.Document, id?: number): void {
    if (id !== undefined) this.#report(document, id)
    this.#besides(document)
    const key = Document.key(this.#connection, document.kind, document.id)
    if (document.kind === "payout") return this.#toMatch.add(key)
    for (const subject of this.#about(key, document)) this.#touch(subject)
  }

  /** For a payment for another connection's invoice, matching finds that out. */
  #about(key: Document.Key, document: Document.Document): ReadonlyArray<string> {
    if (document.kind === "invoice") return [key]
    return this.#role === "pays" && Document.isAllocated(document) ? [key] : Document.about(this.#connection, document)
  }

  /** Unallocated money needs attention (`matching/Report.ts`) until it has an invoice or is deleted. */
  #report(document: Document.Document, id: number): void {
    if (this.#role !== "pays" && "unallocated" in document) this.#toReport.add(id)
  }

  /** Other orders of its deferred payment, which are decided together; and another connection's order, if it is a parcel of that. */
  #besides(document: Document.Document): void {
    for (const { key } of sharing(this.#db, this.#connection, carriedPayment(this.#db, this.#connection, document)))
      this.#changed.add(key)
    if (document.kind !== "fulfilment") return
    for (const connection of this.#ships)
      for (const order of ordersCalled(this.#db, connection, document.order)) this.#changed.add(order)
  }

  #touch(subject: string): void {
    if (this.#role !== "pays") this.#changed.add(subject)
    if (this.#role !== undefined) this.#toMatch.add(subject)
  }
}
