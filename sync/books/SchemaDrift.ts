/**
 * What documents of a connection usually say, so that it is noticed when its source no longer does: a member that nearly
 * all of them had, and that the latest all lack, though each of them can still be read.
 *
 * Looked at are members that a document of any age and state has alike; counted page by page, where documents are stored
 * that are new or changed.
 */
import type { Document, Kind } from "../../connectors/Document.ts"
import type { Ready } from "./Ready.ts"
import type { Database } from "../state/Database.ts"

type Db = Database["Service"]

const WATCHED: Readonly<Partial<Record<Kind, ReadonlyArray<string>>>> = {
  invoice: ["party.id", "party.country", "party.regnum", "party.vat", "party.address", "net", "gross", "stated.open"],
  payment: ["shares", "reference", "party.id", "party.name"],
  reversal: ["payment", "shares"],
  credit_note: ["shares"],
  order: ["deferredPayment", "serviceOrder", "buyer", "delivery"]
}

/** Documents of a kind that are looked at on one page: enough to know the others by. */
const LOOKED_AT = 200

/** So many before make a habit, and so many behind them break it; nearly all is 19 of 20. */
const BEFORE = 50
const BEHIND = 20

const has = (document: Document, path: string): boolean => {
  let at: unknown = document
  for (const part of path.split(".")) at = (at as { readonly [member: string]: unknown } | undefined)?.[part]
  return at !== undefined && (!Array.isArray(at) || at.length > 0)
}

interface Counted {
  documents: number
  readonly first: string
  readonly had: Map<string, number>
}

/** Counts the documents of one page. */
export class SchemaDrift {
  readonly #kinds = new Map<Kind, Counted>()

  note(read: Pick<Ready, "document" | "kind">): void {
    const { kind } = read
    const members = WATCHED[kind]
    if (members === undefined) return
    let counted = this.#kinds.get(kind)
    if (counted?.documents === LOOKED_AT) return
    const { document } = read
    if (counted === undefined) this.#kinds.set(kind, (counted = { documents: 0, first: document.id, had: new Map() }))
    counted.documents++
    for (const member of members) if (has(document, member)) counted.had.set(member, (counted.had.get(member) ?? 0) + 1)
  }

  /** Adds the page to what is known of the connection. Belongs into its transaction. */
  flush(db: Db, connection: string, now: number): void {
    for (const [kind, { documents, first, had: all }] of this.#kinds) {
      for (const member of WATCHED[kind] ?? []) {
        const had = all.get(member) ?? 0
        const lacking = had > 0 ? [0, null, null] : [documents, now, `${kind}/${first}`]
        db.prepare(
          `INSERT INTO schema_drift VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
            documents = documents + excluded.documents, had = had + excluded.had,
            lacking = iif(excluded.had > 0, 0, lacking + excluded.lacking),
            since = iif(excluded.had > 0, NULL, coalesce(since, excluded.since)),
            origin = iif(excluded.had > 0, NULL, coalesce(origin, excluded.origin))`
        ).run(connection, kind, member, documents, had, ...lacking)
      }
    }
    this.#kinds.clear()
  }
}

/** A member that was usual, and is there no longer. It ends when it comes back, or when that is usual. */
export interface DriftedMember {
  readonly connection: string
  readonly kind: Kind
  readonly member: string
  /** Documents that were read before, how many of them had it, and how many came since, all without it. */
  readonly before: number
  readonly had: number
  readonly lacking: number
  /** The first of these, and when it was read: milliseconds since the epoch. */
  readonly origin: string
  readonly since: number
}

export const drifted = (db: Db): ReadonlyArray<DriftedMember> =>
  db
    .prepare(
      `SELECT connection, kind, member, documents - lacking AS before, had, lacking, origin, since FROM schema_drift
        WHERE lacking >= ? AND documents - lacking >= max(?, lacking) AND had * 20 >= (documents - lacking) * 19
        ORDER BY lacking DESC, connection, kind, member`
    )
    .all(BEHIND, BEFORE) as ReadonlyArray<DriftedMember>
