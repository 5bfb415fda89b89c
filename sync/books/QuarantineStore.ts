/**
 * Stores records that could not be read. Use inside a page's transaction.
 */
import type { QuarantinedRecord } from "../../connectors/Connector.ts"
import type * as Document from "../../connectors/Document.ts"
import type { Database } from "../state/Database.ts"
import { likely, type ScanState } from "./ScanState.ts"

type Db = Database["Service"]

/** Quarantines a record of a scan. */
export const put = (
  { prepare }: Db,
  connection: string,
  { lacking, name }: Pick<ScanState, "lacking" | "name">,
  record: QuarantinedRecord,
  now: number
): void => {
  const { field = null, id = null, kind, origin, raw, why } = record
  // It was read again, and still cannot be decoded.
  if (lacking) {
    prepare("DELETE FROM quarantine WHERE connection = ? AND scan = ? AND origin = ? AND (raw = ? OR id = ?)").run(
      connection,
      name,
      origin,
      raw,
      id
    )
  }
  prepare("INSERT INTO quarantine VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
    connection,
    name,
    origin,
    kind,
    id,
    field,
    why,
    raw,
    now
  )
}

/** Releases a document that can be read now. */
export const bringBack = (
  { prepare }: Db,
  connection: string,
  scan: string,
  { id, kind }: Pick<Document.Document, "id" | "kind">
): void => {
  prepare(
    `DELETE FROM quarantine WHERE connection = ? AND scan = ? AND kind IN (SELECT value FROM json_each(?))
      AND (id = ? OR substr(?, 1, length(id) + 1) = id || '/')`
  ).run(connection, scan, JSON.stringify(likely(kind)), id, id)
}

/** Drops a record that the source no longer has. */
export const drop = (
  { prepare }: Db,
  connection: string,
  scan: string,
  { id, kind }: { readonly id: string; readonly kind: Document.Kind }
): void => {
  prepare("DELETE FROM quarantine WHERE connection = ? AND scan = ? AND kind = ? AND id = ?").run(
    connection,
    scan,
    kind,
    id
  )
}
