/**
 * Records that could not be read, as the state file has them. Used inside a page's transaction.
 */
import type { QuarantinedRecord } from "../../connectors/Connector.ts"
import type * as Document from "../../connectors/Document.ts"
import type { Database } from "../state/Database.ts"
import { likely, type ScanState } from "./ScanState.ts"

type Db = Database["Service"]

/** A record of a scan could not be read. */
export const put = (
  { prepare }: Db,
  connection: string,
  { lacking, name }: Pick<ScanState, "lacking" | "name">,
  record: QuarantinedRecord,
  now: number
): void => {
  const { field = null, id = null, kind, origin, raw, why } = record
  // Read once more, and still not to be read.
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

/** A document that was quarantined can be read now. */
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

/** The source no longer knows it. */
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
