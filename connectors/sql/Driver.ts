/**
 * What the connector asks of a database, whichever it is. Everything comes as the text that the database writes, so that
 * no amount, no id and no day ever passes through a number or a date of JavaScript.
 *
 * A driver reads in one transaction that can only read, begun when it is opened: every stream of a pull sees the same
 * moment, and pages do not shift under edits.
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
  /** A value in a comparison with a column. */
  readonly literal: (value: Value, column: Column) => string
  /** A column where rows are put in order by it, and compared with where that order was left. */
  readonly ordered: (column: string, type: Type) => string
  /** A column's text without blanks around it. */
  readonly trimmed: (column: string) => string
  /** Whether an id can be one of this column, so that asking for it makes sense. */
  readonly fits: (id: string, column: Column) => boolean
}

/** One row: for each column its text, null where there is nothing, and whether that is a number. */
export interface Record {
  readonly cells: ReadonlyArray<string | null>
  readonly numbers: ReadonlyArray<boolean>
}

export interface Driver {
  readonly dialect: Dialect
  /** The columns that a statement gives. */
  readonly columns: (statement: string) => Promise<ReadonlyArray<Column>>
  /** Batches of rows, `size` at most. Read one after the other, each to its end. */
  readonly read: (
    statement: string,
    size: number,
    columns: ReadonlyArray<Column>
  ) => AsyncIterable<ReadonlyArray<Record>>
  /** Lets go of the database, whatever state it is in. Never rejects. */
  readonly close: () => Promise<void>
}

/** A text as SQL's standard writes it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const WHOLE = /^-?\d{1,30}$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const fits: Dialect["fits"] = (id, { type }) =>
  id.includes("\0") ? false : type === "whole" ? WHOLE.test(id) : type === "uuid" ? UUID.test(id) : true
