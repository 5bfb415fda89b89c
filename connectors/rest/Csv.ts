/** CSV that an answer holds whole, as records by the names of its columns. Pure. */

/** The rows of a text: what they are and their cells. A quoted cell may hold commas and doubled quotes; no cell has two lines. */
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
 * Reads answers that are CSV with these columns. What has other columns is none of it, and where the last row is too short,
 * the answer was cut off. Any other row with more or fewer cells than the first stays text, and is quarantined.
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
