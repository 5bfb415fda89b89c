/**
 * Detects schema drift: a field that nearly all documents of a connection had is missing from all of the latest, although
 * each of them can still be read.
 *
 * Checks only fields that do not depend on a document's age or state. Counts page by page, for documents that are new or
 * changed.
 */
import type { Document, Kind } from "../../connectors/Document.ts"
import type { Ready } from "./Ready.ts"
import type { Db } from "../state/Database.ts"

const WATCHED: Readonly<Partial<Record<Kind, ReadonlyArray<string>>>> = {
  invoice: ["party.id", "party.country", "party.regnum", "party.vat", "party.address", "net", "gross", "stated.open"],
  payment: ["shares", "reference", "party.id", "party.name"],
  reversal: ["payment", "shares"],
  credit_note: ["shares"],
  order: ["deferredPayment", "serviceOrder", "buyer", "delivery"]
}

/** How many documents of a kind are checked on one page: enough to represent the others. */
const LOOKED_AT = 200

/** This many documents with the field establish it, and this many without it break it; "nearly all" is 19 of 20. */
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

  /** Adds the page to what is known about the connection. Call inside its transaction. */
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

/** A field that was usual and is now missing. It ends when the field comes back, or when its absence is usual. */
export interface DriftedMember {
  readonly connection: string
  readonly kind: Kind
  readonly member: string
  /** How many documents were read before, how many of them had it, and how many came since, all without it. */
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
