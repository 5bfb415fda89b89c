/**
 * Determines which subjects a document says something about, and marks them to be planned or matched again. Use inside a
 * page's transaction, which ends with `flush`.
 */
import * as Document from "../../connectors/Document.ts"
import type { Database } from "../state/Database.ts"
import { insert, ManyRows } from "../state/ManyRows.ts"
import type { Ready } from "./Ready.ts"
import { COUNT_AGAIN } from "./ChangedDocuments.ts"

/** How its connection takes part in payments across connections, see `Match.ts`. */
export type PaymentRole = "pays" | "paid" | undefined

const CHANGED = insert({ into: "INSERT INTO changed (subject)", row: "(?)", otherwise: COUNT_AGAIN })

const TO_MATCH = insert({ into: "INSERT INTO to_match", row: "(?)", otherwise: "ON CONFLICT DO NOTHING" })

export class Subjects {
  readonly #db: Database["Service"]
  readonly #connection: string
  readonly #role: PaymentRole
  readonly #changed: ManyRows
  readonly #toMatch: ManyRows

  constructor(db: Database["Service"], connection: string, role: PaymentRole) {
    this.#db = db
    this.#connection = connection
    this.#role = role
    this.#changed = new ManyRows(db, CHANGED)
    this.#toMatch = new ManyRows(db, TO_MATCH)
  }

  clear(): void {
    this.#changed.clear()
    this.#toMatch.clear()
  }

  flush(): void {
    this.#changed.flush()
    this.#toMatch.flush()
  }

  /** Marks the subjects of a new document. */
  index(read: Ready, id: number): void {
    const { key } = read
    // It belongs to no invoice; matching looks for its line at the bank.
    if (read.kind === "payout") return this.#toMatch.add(key)
    for (const subject of read.kind === "invoice" ? [key] : this.#about(key, read.document)) {
      if (subject !== key) {
        this.#db
          .prepare("INSERT INTO allocation (invoice, document) VALUES (?, ?) ON CONFLICT DO NOTHING")
          .run(subject, id)
      }
      this.#touch(subject)
    }
  }

  /** The same for a new version, and for the subjects of the earlier version. */
  reindex(key: Document.Key, earlier: Document.Document, now: Ready, id: number): void {
    for (const subject of this.#about(key, earlier)) {
      if (subject === key) continue
      this.#db.prepare("DELETE FROM allocation WHERE invoice = ? AND document = ?").run(subject, id)
      this.#touch(subject)
    }
    this.index(now, id)
  }

  touch(document: Document.Document): void {
    const key = Document.key(this.#connection, document.kind, document.id)
    if (document.kind === "payout") return this.#toMatch.add(key)
    for (const subject of this.#about(key, document)) this.#touch(subject)
  }

  /** For a payment for another connection's invoice, matching finds that out. */
  #about(key: Document.Key, document: Document.Document): ReadonlyArray<string> {
    if (document.kind === "invoice") return [key]
    return this.#role === "pays" && Document.isAllocated(document) ? [key] : Document.about(this.#connection, document)
  }

  #touch(subject: string): void {
    if (this.#role !== "pays") this.#changed.add(subject)
    if (this.#role !== undefined) this.#toMatch.add(subject)
  }
}
