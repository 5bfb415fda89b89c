/**
 * Defines a sheet: typed columns, and rows that are read one at a time. Independent of the file format.
 */
export type ColumnType = "text" | "money" | "date" | "integer" | "instant"

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** How many characters are usually enough to show it. */
  readonly width: number
}

/**
 * Text, a calendar day (`yyyy-mm-dd`), an amount in major units (bigint, 10^-8), an integer, or an instant in milliseconds
 * since the epoch, according to the column's type. Null or undefined: the row has no such value.
 */
export type Cell = string | bigint | number | null | undefined

export type Row = ReadonlyArray<Cell>

export interface Sheet {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
  /** The index of the column with the currency of the row's money; -1 for a sheet without money. */
  readonly currency: number
  /** Nothing in place of a row: others may have their turn before the next one. */
  readonly rows: () => IterableIterator<Row | undefined>
  /** Whether a row is a total of others. */
  readonly isTotal?: (row: Row) => boolean
}

export const column = (name: string, type: ColumnType, width: number): Column => ({ name, type, width })

/** Columns as text: the name, the type and the width of each, with commas between them. */
export const columns = (text: string): ReadonlyArray<Column> =>
  text.split(",").map((one) => {
    const words = one.trim().split(/\s+/)
    return column(words.slice(0, -2).join(" "), words.at(-2) as ColumnType, Number(words.at(-1)))
  })

/** Whether a key belongs to one of the connections. */
export const within = (connections: ReadonlyArray<string>): ((key: string) => boolean) => {
  const known = new Set(connections)
  return (key) => known.has(key.slice(0, key.indexOf("/")))
}
