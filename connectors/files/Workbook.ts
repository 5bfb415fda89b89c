/**
 * Reads XLSX: the sheets of a workbook as tables of text. Only the parts that are needed are unpacked, while they are read.
 */
import { NotATable, rejoined, type Row, type Table } from "./Table.ts"
import * as Archive from "./workbook/Archive.ts"
import type { NumberFormat } from "./workbook/NumberFormat.ts"
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

/** What the rows of every sheet refer to. */
interface Shared {
  readonly strings: ReadonlyArray<string>
  readonly formats: ReadonlyArray<NumberFormat>
}

const sharedOf = async (archive: Archive.Archive, { strings, styles }: Parts.Contents): Promise<Shared> => ({
  strings: await Parts.strings(archive, strings),
  formats: await Parts.formats(archive, styles)
})

/** The rows of a sheet, which close the workbook behind them. */
async function* rowsOf(
  archive: Archive.Archive,
  contents: Parts.Contents,
  {
    from,
    shared,
    sheet
  }: { readonly from: number; readonly sheet: string | undefined; readonly shared?: Shared | undefined }
): AsyncGenerator<ReadonlyArray<Row>> {
  const { is1904, sheets } = contents
  try {
    const found = sheet === undefined ? sheets[0] : sheets.find(({ name }) => name === sheet)
    if (found === undefined) {
      if (sheet === undefined) throw new NotATable("it has no sheet; is it an XLSX workbook?")
      const names = sheets.map(({ name }) => JSON.stringify(name)).join(", ")
      throw new NotATable(`it has no sheet ${JSON.stringify(sheet)}; it has ${names}`, "correct sheet")
    }
    if (found.part === undefined)
      throw new NotATable(`its sheet ${JSON.stringify(found.name)} has no rows`, "choose another with sheet")
    // First, because rows are stored and sent before the last one is read.
    await archive.check(found.part)
    yield* Sheet.rows(archive.text(found.part), { ...(shared ?? (await sharedOf(archive, contents))), is1904, from })
  } finally {
    await archive.close()
  }
}

export const open = async (path: string, { headerAt, limit, sheet }: Options, shared?: Shared): Promise<Table> => {
  const archive = await Archive.open(path, limit)
  const contents = await contentsOf(archive)
  const rows = rowsOf(archive, contents, { sheet, from: headerAt ?? 1, shared })
  const { done, value } = await rows.next()
  const [head, ...behind] = done === true ? [] : value
  const headless = headerAt === 0
  const rest = headless && head !== undefined ? [head, ...behind] : behind
  if (head === undefined)
    throw new NotATable("its sheet is empty, and the first row must name the columns", "choose another with sheet")
  if (head.problem !== undefined) {
    await rows.return(undefined)
    throw new NotATable(`its first row cannot be read: ${head.problem}`, "correct that row")
  }
  return {
    header: head.cells.map((cell) => (headless ? "" : cell.trim())),
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

export interface SheetTop {
  readonly sheet: string
  readonly isHidden: boolean
  /** Its first rows, unchanged. */
  readonly top: ReadonlyArray<Row>
  readonly open: (headerAt: number) => Promise<Table>
}

/** Its sheets, in order. What they share is read once. */
export const sheets = async (path: string, most: number): Promise<ReadonlyArray<SheetTop>> => {
  const archive = await Archive.open(path, undefined)
  try {
    const contents = await Parts.contents(archive)
    const shared = await sharedOf(archive, contents)
    const found: Array<SheetTop> = []
    for (const { isHidden, name: sheet } of contents.sheets) {
      const rows: Array<Row> = []
      const kept = { ...archive, close: async () => {} }
      for await (const batch of rowsOf(kept, contents, { sheet, from: 1, shared })) {
        rows.push(...batch)
        if (rows.length >= most) break
      }
      found.push({
        sheet,
        isHidden,
        top: rows.slice(0, most),
        open: (headerAt) => open(path, { sheet, headerAt, limit: undefined }, shared)
      })
    }
    return found
  } finally {
    await archive.close()
  }
}
