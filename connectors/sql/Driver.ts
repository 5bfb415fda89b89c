/**
 * Defines what the connector needs from a database driver. All values are returned as the text that the database writes, so
 * that amounts, ids and days never pass through a JavaScript number or date.
 *
 * A driver reads in one read-only transaction, begun when it is opened: all streams of a pull see the same snapshot, and
 * edits do not shift pages.
 */
import type { Value } from "./Cursor.ts"

export type Type = "whole" | "number" | "time" | "day" | "uuid" | "text" | "unknown"

export interface Column {
  readonly name: string
  readonly type: Type
}

export interface Dialect {
  readonly name: "PostgreSQL" | "MySQL" | "SQLite"
  readonly quote: (name: string) => string
  /** A value, for comparison with a column. */
  readonly literal: (value: Value, column: Column) => string
  /** A column as used to sort rows, and to compare with the last row. */
  readonly ordered: (column: string, type: Type) => string
  /** A column's text, trimmed. */
  readonly trimmed: (column: string) => string
  /** Whether a column can hold this id, so that it is worth querying for. */
  readonly fits: (id: string, column: Column) => boolean
}

/** One row: for each column its text (null for NULL), and whether it is a number. */
export interface Record {
  readonly cells: ReadonlyArray<string | null>
  readonly numbers: ReadonlyArray<boolean>
}

export interface Driver {
  readonly dialect: Dialect
  /** The columns that a statement returns. */
  readonly columns: (statement: string) => Promise<ReadonlyArray<Column>>
  /** Batches of at most `size` rows. Only one read may be open, and must be read to its end. */
  readonly read: (
    statement: string,
    size: number,
    columns: ReadonlyArray<Column>
  ) => AsyncIterable<ReadonlyArray<Record>>
  /** Closes the connection, in any state, and does not wait for the server. Never rejects. */
  readonly close: () => Promise<void>
}

export interface OpenOptions {
  /** How long nothing may arrive while an answer is waited for. Milliseconds. */
  readonly patience: number
  /** How many bytes a page of rows may have, and any other answer. */
  readonly most: number
  /** Ends the connection, whatever it waits for. */
  readonly signal: AbortSignal
}

/** How long connecting may take, signing in included. Milliseconds. */
export const connectMs = ({ patience }: OpenOptions): number => Math.min(patience, 15_000)

export const isNumber = ({ type }: Column): boolean => type === "whole" || type === "number"

/** A number as it may be written into a statement. */
export const NUMBER = /^-?\d+(?:\.\d+)?$/

/** A name as standard SQL quotes it. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text as a standard SQL literal. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const WHOLE = /^-?\d{1,30}$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const fits: Dialect["fits"] = (id, { type }) =>
  id.includes("\0") ? false : type === "whole" ? WHOLE.test(id) : type === "uuid" ? UUID.test(id) : true
