/**
 * Reads XLSX. Cells become text: numbers with the fifteen digits that a workbook stores, dates as calendar days. A workbook
 * that unpacks to far more than its own size is rejected before it is read.
 */
import { createReadStream, openAsBlob } from "node:fs"
import { type FileHandle, open as openFile } from "node:fs/promises"
import { pipeline } from "node:stream"
import { createInflateRaw } from "node:zlib"
import { BATCH, NotATable, rejoined, type Row, type Table } from "./Table.ts"

/** Largest unpacked size, however large the file is; and the part of it that the archive's directory may take up. */
const LARGEST_BYTES = 2 ** 31
const HARMLESS_BYTES = 2 ** 26
const RATIO = 200
const LISTING_BYTES = 2 ** 20

/** Reading a small chunk takes longer than unpacking it, so chunks are large. */
const CHUNK_BYTES = 2 ** 18

export interface Options {
  readonly sheet: string | undefined
  /** The header's row; by default the first row that is not empty. */
  readonly headerAt: number | undefined
  /** Largest unpacked size, in megabytes. */
  readonly limit: number | undefined
}

export const open = async (path: string, { headerAt, limit, sheet }: Options): Promise<Table> => {
  const { sheets, serials } = await inspect(path, limit)
  if (sheet !== undefined && !sheets.includes(sheet)) {
    const names = sheets.map((one) => JSON.stringify(one)).join(", ")
    throw new NotATable(`it has no sheet ${JSON.stringify(sheet)}; it has ${names} (correct sheet)`)
  }
  const { streamXlsxRows } = await import("hucre/xlsx")
  const blob = await openAsBlob(path)
  const rows = batches(
    streamXlsxRows(blob.stream() as ReadableStream<Uint8Array>, sheet === undefined ? {} : { sheet }),
    headerAt ?? 1
  )
  const { done, value } = await rows.next()
  const [head, ...rest] = done === true ? [] : value
  if (head === undefined) throw new NotATable("its sheet is empty; the first row must name the columns")
  return {
    header: head.cells.map((cell) => cell.trim()),
    typed: true,
    close: () => rows.return(undefined),
    serials,
    rows: rejoined(rest, rows)
  }
}

/** The names of its sheets, in order. */
export const sheetsOf = async (path: string): Promise<ReadonlyArray<string>> => (await inspect(path, undefined)).sheets

/** The first rows of a sheet, unchanged. */
export const top = async (path: string, sheet: string, most: number): Promise<ReadonlyArray<Row>> => {
  const { streamXlsxRows } = await import("hucre/xlsx")
  const blob = await openAsBlob(path)
  const rows: Array<Row> = []
  for await (const batch of batches(streamXlsxRows(blob.stream() as ReadableStream<Uint8Array>, { sheet }), 1)) {
    rows.push(...batch)
    if (rows.length >= most) break
  }
  return rows.slice(0, most)
}

async function* batches(
  source: AsyncIterable<{ readonly index: number; readonly values: ReadonlyArray<unknown> }>,
  from: number
): AsyncGenerator<ReadonlyArray<Row>> {
  let batch: Array<Row> = []
  for await (const { index, values } of source) {
    if (index + 1 < from) continue
    const cells = values.map(text)
    if (cells.every((cell) => cell.trim() === "")) continue
    const numbers = values.map((value) => typeof value === "number")
    batch.push({ cells, line: index + 1, raw: JSON.stringify(cells), numbers })
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
          .replace(/(?:\.000)?Z$/, "")
  if (typeof value === "number")
    return Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-6) ? String(value) : shortest(value)
  return String(value)
}

/** Formats a number with fifteen digits: a double's shortest form can have two more, which are noise. */
const shortest = (value: number): string => {
  const full = String(value)
  // True for nearly all numbers.
  if (full.length <= 15) return full
  return full.replace(/\D/g, "").length > 15 ? String(Number(value.toPrecision(15))) : full
}

interface Entry {
  readonly name: string
  readonly method: number
  readonly packed: number
  readonly unpacked: number
  readonly at: number
}

/** Unpacks a workbook once, discarding the output, to check its size; finds its sheets and its date system on the way. */
const inspect = async (
  path: string,
  limit: number | undefined
): Promise<{ readonly sheets: ReadonlyArray<string>; readonly serials: number }> => {
  const file = await openFile(path, "r")
  try {
    const { size } = await file.stat()
    const entries = await directory(file, size)
    const budget =
      limit === undefined ? Math.min(LARGEST_BYTES, Math.max(HARMLESS_BYTES, size * RATIO)) : limit * 2 ** 20
    let unpacked = entries.reduce((sum, entry) => sum + entry.unpacked, 0)
    if (unpacked > budget) throw bomb(unpacked)
    // The sizes in the archive's directory may be wrong, so the actual bytes are counted.
    unpacked = 0
    let workbook = ""
    for (const entry of entries) {
      for await (const chunk of unpack(path, file, entry)) {
        unpacked += chunk.length
        if (unpacked > budget) throw bomb(unpacked)
        if (/^xl\/workbook\.xml$/i.test(entry.name) && workbook.length < LISTING_BYTES)
          workbook += chunk.toString("latin1")
      }
    }
    const sheets = [
      ...Buffer.from(workbook, "latin1")
        .toString()
        .matchAll(/<(?:\w+:)?sheet\s[^>]*?\bname="([^"]*)"/g)
    ]
    return {
      sheets: sheets.map(([, name = ""]) => unescaped(name)),
      serials: /<(?:\w+:)?workbookPr\s[^>]*?\bdate1904="(?:1|true|on)"/.test(workbook) ? 1462 : 0
    }
  } finally {
    await file.close()
  }
}

const bomb = (bytes: number) =>
  new NotATable(
    `it unpacks to ${bytes} bytes or more, which is over the limit (set unpacked_limit to allow more megabytes)`
  )

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const unescaped = (name: string): string =>
  name.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (all, hex, decimal, entity) => {
    const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal ?? Number.NaN)
    return code <= 0x10ffff ? String.fromCodePoint(code) : (ENTITIES[entity] ?? all)
  })

/** The entries of the archive's directory. */
const directory = async (file: FileHandle, size: number): Promise<ReadonlyArray<Entry>> => {
  const tail = Buffer.alloc(Math.min(size, 65_557))
  await file.read(tail, 0, tail.length, size - tail.length)
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > tail.length) {
    throw new NotATable("it is not an XLSX workbook, or only a part of one; save it as .xlsx or .csv")
  }
  const length = tail.readUInt32LE(end + 12)
  const offset = tail.readUInt32LE(end + 16)
  if (offset === 0xffffffff || length > HARMLESS_BYTES) throw new NotATable("its archive directory is too large")
  const listing = Buffer.alloc(length)
  await file.read(listing, 0, length, offset)
  const entries: Array<Entry> = []
  for (let at = 0; at + 46 <= length && listing.readUInt32LE(at) === 0x02014b50; ) {
    const name = listing.readUInt16LE(at + 28)
    entries.push({
      name: listing.toString("utf8", at + 46, at + 46 + name),
      method: listing.readUInt16LE(at + 10),
      packed: listing.readUInt32LE(at + 20),
      unpacked: listing.readUInt32LE(at + 24),
      at: listing.readUInt32LE(at + 42)
    })
    at += 46 + name + listing.readUInt16LE(at + 30) + listing.readUInt16LE(at + 32)
  }
  return entries
}

async function* unpack(path: string, file: FileHandle, { at, method, name, packed }: Entry): AsyncGenerator<Buffer> {
  const head = Buffer.alloc(30)
  await file.read(head, 0, 30, at)
  if (head.readUInt32LE(0) !== 0x04034b50) throw new NotATable(`its archive is damaged at ${name}; save it again`)
  const start = at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  if (packed === 0) return
  const bytes = createReadStream(path, { start, end: start + packed - 1, highWaterMark: CHUNK_BYTES })
  const unpacked = method === 8 ? pipeline(bytes, createInflateRaw({ chunkSize: CHUNK_BYTES }), () => {}) : bytes
  yield* unpacked as AsyncIterable<Buffer>
}
