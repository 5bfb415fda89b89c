/**
 * Finds stored facts of an order (parcels, cancellations, returns) or an invoice (payments, reversals, credit notes) that
 * the source no longer lists with it.
 */
import type { Page } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import type { Db } from "../state/Database.ts"

const SUBJECTS = ["order", "invoice"] as const

/**
 * Their keys. Records that could not be read do not count as deleted; nothing does if it is unknown which could not be read.
 */
export const missing = (
  db: Db,
  connection: string,
  { complete = [], read, quarantined }: Pick<Page<unknown>, "complete" | "read" | "quarantined">
): ReadonlyArray<string> => {
  if (complete.length === 0 || quarantined.some(({ id }) => id === undefined)) return []
  const there = new Set(read.map(({ document: { id, kind } }) => Document.key(connection, kind, id)))
  const unread = new Set(quarantined.map(({ id }) => id))
  const stored = db
    .prepare(
      "SELECT d.key FROM allocation a JOIN document d ON d.id = a.document WHERE a.invoice = ? AND d.deleted = 0"
    )
    .pluck()
  /** Payments of another connection may be allocated to its invoices. */
  const isGone = (key: string): boolean => {
    const its = Document.parseKey(key)
    return its.connection === connection && !there.has(key) && !unread.has(its.id)
  }
  return complete
    .filter((id) => !unread.has(id))
    .flatMap((id) =>
      SUBJECTS.flatMap((kind) => stored.all(Document.key(connection, kind, id)) as ReadonlyArray<string>)
    )
    .filter(isGone)
}
