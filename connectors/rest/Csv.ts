/** Parses CSV answers into records by column name. Pure. */

/** The rows of a text, raw and as cells. A quoted cell may hold commas and doubled quotes, but no line break. */
const rowsOf = (text: string) =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => ({ line, cells: cellsOf(line) }))

const cellsOf = (line: string): ReadonlyArray<string> => {
  const cells: Array<string> = []
  for (const [, quoted, bare, end] of line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/g)) {
    cells.push(quoted?.replaceAll('""', '"') ?? bare ?? "")
    if (end === "") break
  }
  return cells
}

/**
 * Reads CSV answers with these columns. An answer with other columns is rejected, and one whose last row is too short was
 * cut off. Any other row with more or fewer cells than the header is kept as text, and is quarantined.
 */
export const csv =
  (...columns: ReadonlyArray<string>) =>
  (text: string): ReadonlyArray<unknown> => {
    const [head, ...rows] = rowsOf(text.replace(/^\ufeff/, ""))
    const header = head?.cells ?? []
    const missing = columns.find((column) => !header.includes(column))
    if (missing !== undefined) throw new Error(`the answer has no list with a column ${JSON.stringify(missing)}`)
    if (!text.endsWith("\n") && (rows.at(-1)?.cells ?? header).length < header.length)
      throw new Error("the last row of the list has no end")
    return rows.map(({ cells, line }) =>
      cells.length !== header.length ? line : Object.fromEntries(header.map((name, n) => [name, cells[n]]))
    )
  }
