/**
 * Reads XLSX: the sheets of a workbook as tables of text. Only the parts that are needed are unpacked, while they are read.
 */
import { NotATable, rejoined, type Row, type Table } from "./Table.ts"
import * as Archive from "./workbook/Archive.ts"
import * as Parts from "./workbook/Parts.ts"
import * as Sheet from "./workbook/Sheet.ts"

/** Days between the serial numbers of the 1904 system and those of the 1900 system. */
const SYSTEMS_APART = 1462

export interface Options {
  readonly sheet: string | undefined
  /** The header's row; by default the first row that is not empty. */
  readonly headerAt: number | undefined
  /** Largest unpacked size, in megabytes. */
  readonly limit: number | undefined
}

/** The rows of a sheet, which close the workbook behind them. */
async function* rowsOf(
  archive: Archive.Archive,
  { is1904, sheets, strings, styles }: Parts.Contents,
  { from, sheet }: { readonly from: number; readonly sheet: string | undefined }
): AsyncGenerator<ReadonlyArray<Row>> {
  try {
    const found = sheet === undefined ? sheets[0] : sheets.find(({ name }) => name === sheet)
    if (found === undefined) {
      if (sheet === undefined) throw new NotATable("it has no sheet; is it an XLSX workbook?")
      const names = sheets.map(({ name }) => JSON.stringify(name)).join(", ")
      throw new NotATable(`it has no sheet ${JSON.stringify(sheet)}; it has ${names} (correct sheet)`)
    }
    if (found.part === undefined) throw new NotATable(`its sheet ${JSON.stringify(found.name)} has no rows`)
    // First, because rows are stored and sent before the last one is read.
    await archive.check(found.part)
    yield* Sheet.rows(archive.text(found.part), {
      strings: await Parts.strings(archive, strings),
      isDate: await Parts.dateStyles(archive, styles),
      is1904,
      from
    })
  } finally {
    await archive.close()
  }
}

export const open = async (path: string, { headerAt, limit, sheet }: Options): Promise<Table> => {
  const archive = await Archive.open(path, limit)
  const contents = await contentsOf(archive)
  const rows = rowsOf(archive, contents, { sheet, from: headerAt ?? 1 })
  const { done, value } = await rows.next()
  const [head, ...rest] = done === true ? [] : value
  if (head === undefined) throw new NotATable("its sheet is empty; the first row must name the columns")
  return {
    header: head.cells.map((cell) => cell.trim()),
    typed: true,
    close: () => rows.return(undefined),
    serials: contents.is1904 ? SYSTEMS_APART : 0,
    rows: rejoined(rest, rows)
  }
}

/** Closes the archive only if it has none. */
const contentsOf = async (archive: Archive.Archive): Promise<Parts.Contents> => {
  try {
    return await Parts.contents(archive)
  } catch (cause) {
    await archive.close()
    throw cause
  }
}

/** The names of its sheets, in order. */
export const sheetsOf = async (path: string): Promise<ReadonlyArray<string>> => {
  const archive = await Archive.open(path, undefined)
  try {
    return (await Parts.contents(archive)).sheets.map(({ name }) => name)
  } finally {
    await archive.close()
  }
}

/** The first rows of a sheet, unchanged. */
export const top = async (path: string, sheet: string, most: number): Promise<ReadonlyArray<Row>> => {
  const archive = await Archive.open(path, undefined)
  const rows: Array<Row> = []
  for await (const batch of rowsOf(archive, await contentsOf(archive), { sheet, from: 1 })) {
    rows.push(...batch)
    if (rows.length >= most) break
  }
  return rows.slice(0, most)
}
