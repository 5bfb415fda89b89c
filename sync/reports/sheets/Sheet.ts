/**
 * What a sheet is: columns with types, and rows that are read one at a time. Knows no file format.
 */
export type ColumnType = "text" | "money" | "date" | "integer" | "instant"

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** Characters that are usually enough to show it. */
  readonly width: number
}

/**
 * Text, a calendar day (`yyyy-mm-dd`), an amount in major units (bigint, 10^-8), a whole number, or an instant in
 * milliseconds since the epoch, as the column's type says. Nothing: the row has no such value.
 */
export type Cell = string | bigint | number | null | undefined

export type Row = ReadonlyArray<Cell>

export interface Sheet {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
  /** Where in a row the currency of its money stands; -1 for a sheet without money. */
  readonly currency: number
  readonly rows: () => IterableIterator<Row>
  /** Whether a row adds up others. */
  readonly isTotal?: (row: Row) => boolean
}

export const column = (name: string, type: ColumnType, width: number): Column => ({ name, type, width })

/** Whether a key belongs to one of the connections. */
export const within = (connections: ReadonlyArray<string>): ((key: string) => boolean) => {
  const known = new Set(connections)
  return (key) => known.has(key.slice(0, key.indexOf("/")))
}
