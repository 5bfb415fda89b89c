/**
 * XLSX. Cells become text: numbers with the digits that the workbook shows of them, dates as calendar days. A
 * workbook that unpacks to far more than it is long is refused before it is unpacked.
 */
import { openAsBlob } from "node:fs"
import { open as openFile } from "node:fs/promises"
import { BATCH, NotATable, type Row, type Table } from "./Table.ts"

/** Unpacked bytes that are accepted. */
const LARGEST = 2 ** 31

export const open = async (path: string, sheet: string | undefined): Promise<Table> => {
  await refuseBombs(path)
  const { streamXlsxRows } = await import("hucre/xlsx")
  const blob = await openAsBlob(path)
  const rows = batches(
    streamXlsxRows(blob.stream() as ReadableStream<Uint8Array>, sheet === undefined ? {} : { sheet })
  )
  const { done, value } = await rows.next()
  const [head, ...rest] = done === true ? [] : value
  if (head === undefined) throw new NotATable("its sheet is empty; the first row must name the columns")
  return {
    header: head.cells.map((cell) => cell.trim()),
    typed: true,
    rows: (async function* () {
      if (rest.length > 0) yield rest
      yield* rows
    })()
  }
}

async function* batches(
  source: AsyncIterable<{ readonly index: number; readonly values: ReadonlyArray<unknown> }>
): AsyncGenerator<ReadonlyArray<Row>> {
  let batch: Array<Row> = []
  for await (const { index, values } of source) {
    const cells = values.map(text)
    if (cells.every((cell) => cell === "")) continue
    batch.push({ cells, line: index + 1, raw: JSON.stringify(cells) })
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

const text = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (value instanceof Date)
    return Number.isNaN(value.getTime())
      ? ""
      : value
          .toISOString()
          .replace(/T00:00:00.000Z$/, "")
          .replace(".000Z", "")
  if (typeof value === "number")
    return Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-6) ? String(value) : shortest(value)
  return String(value)
}

/** Spreadsheets keep 15 digits; a double's shortest form can show two more, which are noise. */
const shortest = (value: number): string => {
  const full = String(value)
  return full.replace(/\D/g, "").length > 15 ? String(Number(value.toPrecision(15))) : full
}

/** Adds up what the archive's directory says it unpacks to. */
const refuseBombs = async (path: string): Promise<void> => {
  const file = await openFile(path, "r")
  try {
    const { size } = await file.stat()
    const tail = Buffer.alloc(Math.min(size, 65_557))
    await file.read(tail, 0, tail.length, size - tail.length)
    const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
    if (end < 0) throw new NotATable("it is not an XLSX workbook (no archive directory); save it as .xlsx or .csv")
    const length = tail.readUInt32LE(end + 12)
    const offset = tail.readUInt32LE(end + 16)
    if (offset === 0xffffffff || length > 1 << 26) throw new NotATable("its archive directory is too large")
    const directory = Buffer.alloc(length)
    await file.read(directory, 0, length, offset)
    let unpacked = 0
    for (let at = 0; at + 46 <= length && directory.readUInt32LE(at) === 0x02014b50; ) {
      unpacked += directory.readUInt32LE(at + 24)
      at += 46 + directory.readUInt16LE(at + 28) + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
    }
    if (unpacked > LARGEST || (unpacked > 1 << 26 && unpacked > size * 200)) {
      throw new NotATable(`it unpacks to ${unpacked} bytes, which no ledger does; it is refused`)
    }
  } finally {
    await file.close()
  }
}
