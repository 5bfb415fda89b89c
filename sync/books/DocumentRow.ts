/** A document as the table has it, and the statements that put it there. */
import { insert } from "../state/ManyRows.ts"
import { ROW } from "../state/RecordPages.ts"

export interface DocumentRow {
  readonly id: number
  readonly scan: number
  readonly deleted: number
  readonly record: number
  readonly body: string
}

/** The columns of a row, as SQL. */
export const ROW_OF_DOCUMENT = "id, scan, deleted, record, body"

/** Inserts a new document: key, scan, record, body. */
export const NEW = insert({
  into: "INSERT INTO document",
  row: "(NULL, ?, ?, 1, 0, NULL, ?, ?)",
  otherwise: "ON CONFLICT DO NOTHING"
})

/** Moves a document to another scan, with its record there; keeps the time when it was read. */
export const TO_SCAN = `UPDATE document SET scan = ?, read = coalesce(read, (SELECT p.read FROM record_page p WHERE p.id = record ${ROW})),
  record = ? WHERE id = ?`
