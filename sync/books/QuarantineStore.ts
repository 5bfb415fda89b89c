/**
 * Stores records that could not be read. Use inside a page's transaction.
 *
 * A scan that begins does not know yet which of these records it will find. Those with an id stay until it has read them, or
 * has ended: if it fails before, what the books have of them is still older than what the source says.
 */
import type { QuarantinedRecord } from "../../connectors/Connector.ts"
import type * as Document from "../../connectors/Document.ts"
import type { Db } from "../state/Database.ts"
import { idsInQuarantine, likely, recordsOf, type ScanState } from "./ScanState.ts"

type Scan = Pick<ScanState, "earlier" | "name" | "quarantined" | "scanning">

/** A scan begins: what is quarantined until now is of earlier readings. */
export const begin = ({ prepare }: Db, connection: string, scan: ScanState): void => {
  prepare("DELETE FROM quarantine WHERE connection = ? AND scan = ? AND id IS NULL").run(connection, scan.name)
  scan.quarantined = idsInQuarantine(prepare, connection, scan.name)
  scan.earlier = prepare("SELECT coalesce(max(rowid), 0) FROM quarantine").pluck().get() as number
}

/** A scan ended: what earlier readings quarantined, and it did not find, is not in the source any more. */
export const end = ({ prepare }: Db, connection: string, { earlier, name }: Scan): void =>
  void prepare("DELETE FROM quarantine WHERE connection = ? AND scan = ? AND rowid <= ?").run(connection, name, earlier)

/** Quarantines a record of a scan, in place of what an earlier reading quarantined of it. */
export const put = (db: Db, connection: string, scan: Scan, record: QuarantinedRecord, now: number): void => {
  const { prepare } = db
  const { field = null, id = null, kind, origin, raw, why } = record
  if (scan.scanning) {
    if (id !== null) bringBack(db, connection, scan, { id, kind })
  } else {
    if (scan.quarantined.size > 0)
      prepare("DELETE FROM quarantine WHERE connection = ? AND scan = ? AND origin = ? AND (raw = ? OR id = ?)").run(
        connection,
        scan.name,
        origin,
        raw,
        id
      )
    scan.quarantined.add(id ?? "")
  }
  // SQLite gives the highest row to another once it is deleted: a scan's own rows are above those of earlier readings.
  prepare(
    `INSERT INTO quarantine (rowid, connection, scan, origin, kind, id, field, why, raw, since)
      VALUES (max(?, (SELECT coalesce(max(rowid), 0) FROM quarantine)) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  ).run(scan.scanning ? scan.earlier : 0, connection, scan.name, origin, kind, id, field, why, raw, now)
}

/** Releases what earlier readings quarantined of a record that has now been read. */
export const bringBack = (
  { prepare }: Db,
  connection: string,
  { earlier, name, quarantined, scanning }: Scan,
  { id, kind }: Pick<Document.Document, "id" | "kind">
): void => {
  const records = recordsOf(id)
  if (!records.some((one) => quarantined.has(one))) return
  prepare(
    `DELETE FROM quarantine WHERE connection = ? AND kind IN (SELECT value FROM json_each(?))
      AND id IN (SELECT value FROM json_each(?)) AND scan = ? AND rowid <= ?`
  ).run(
    connection,
    JSON.stringify(likely(kind)),
    JSON.stringify(records),
    name,
    scanning ? earlier : Number.MAX_SAFE_INTEGER
  )
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
