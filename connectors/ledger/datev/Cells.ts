/** The cells of a row. */

/** Texts are in quotes, which are doubled within; a row that was cut off within one does not close it. */
const ROW = /^(?:"(?:[^"]|"")*"|[^";]*)(?:;(?:"(?:[^"]|"")*"|[^";]*))*$/

const CONTROL = /\p{Cc}/u

/** The cells of a row; quotes are doubled within quotes. */
export const cellsOf = (row: string): ReadonlyArray<string> => {
  if (!row.includes('"')) return row.split(";")
  return [...`;${row}`.matchAll(/;(?:"((?:[^"]|"")*)"|([^;]*))/g)].map(
    ([, quoted, plain = ""]) => quoted?.replaceAll('""', '"').trim() ?? plain
  )
}

/** What is wrong with how a row is written. */
export const brokenIn = (row: string): string | undefined => {
  if (!ROW.test(row)) return "a text in it does not end with a quote: was the file cut off?"
  return CONTROL.test(row) ? "it has a character that nobody can write: was the file damaged?" : undefined
}
