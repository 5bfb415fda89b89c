/**
 * CSV and TSV. A row that cannot be read, such as one with a quote that never closes, is given up line by line and
 * reading goes on behind it.
 */
import { CsvError, parse } from "csv-parse"
import { Readable } from "node:stream"
import { type Encoding, utf8 } from "./Bytes.ts"
import { BATCH, NotATable, type Row, type Table } from "./Table.ts"

/** Longer rows are a quote that never closes. */
const LONGEST = 1 << 20

export interface Source {
  readonly path: string
  readonly encoding: Encoding
  readonly mark: number
  readonly separator: string | undefined
}

export const open = async (source: Source): Promise<Table> => {
  const first = await firstLine(source)
  const separator = source.separator ?? separatorOf(first)
  const rows = batches(source, separator)
  const { done, value } = await rows.next()
  const [head, ...rest] = done === true ? [] : value
  if (head === undefined) throw new NotATable("it is empty; the first line must name the columns")
  if (head.problem !== undefined) throw new NotATable(`its first line cannot be read: ${head.problem}`)
  const width = head.cells.length
  const check = (row: Row): Row =>
    row.problem !== undefined ||
    row.cells.length === width ||
    (row.cells.length > width && row.cells.slice(width).every((cell) => cell === ""))
      ? row
      : {
          ...row,
          problem: `it has ${row.cells.length} cells where the header has ${width}; is a quote or a separator missing?`
        }
  return {
    header: head.cells.map((cell) => cell.trim()),
    typed: false,
    rows: (async function* () {
      if (rest.length > 0) yield rest.map(check)
      for await (const batch of rows) yield batch.map(check)
    })()
  }
}

const firstLine = async ({ encoding, mark, path }: Source): Promise<string> => {
  let text = ""
  for await (const chunk of utf8(path, encoding, mark)) {
    text += chunk.toString("utf8")
    const line = text.split(/\r\n|\n|\r/).find((line, index, all) => line.trim() !== "" && index < all.length - 1)
    if (line !== undefined) return line
    if (text.length > LONGEST) break
  }
  return text
}

/** The separator that the header line has most of, outside quotes. */
const separatorOf = (line: string): string => {
  const bare = line.replace(/"[^"]*"/g, "")
  const counts = [",", ";", "\t", "|"].map((mark) => [mark, bare.split(mark).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

interface Parsed {
  readonly record: ReadonlyArray<string>
  readonly raw: string
  readonly info: { readonly bytes: number; readonly lines: number }
}

async function* batches(source: Source, separator: string): AsyncGenerator<ReadonlyArray<Row>> {
  /** Behind the last row that was read: bytes of UTF-8, and lines. */
  let bytes = 0
  let lines = 0
  for (;;) {
    const [fromByte, fromLine] = [bytes, lines]
    const parser = Readable.from(utf8(source.path, source.encoding, source.mark, fromByte)).pipe(
      parse({
        delimiter: separator,
        info: true,
        raw: true,
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        max_record_size: LONGEST
      })
    )
    let batch: Array<Row> = []
    try {
      for await (const { info, raw, record } of parser as AsyncIterable<Parsed>) {
        const text = raw.replace(/[\r\n]+$/, "")
        const line = fromLine + info.lines - newlines(text)
        batch.push(
          text.includes("\0")
            ? { cells: record, line, raw: text, problem: "it contains NUL bytes; is it text?" }
            : { cells: record, line, raw: text }
        )
        bytes = fromByte + info.bytes
        lines = fromLine + info.lines
        if (batch.length === BATCH) {
          yield batch
          batch = []
        }
      }
      if (batch.length > 0) yield batch
      return
    } catch (cause) {
      if (!(cause instanceof CsvError)) throw cause
      const lost = await lineAt(source, bytes)
      if (lost === undefined) throw cause
      batch.push({ cells: [], line: lines + lost.blank + 1, raw: lost.text.slice(0, 4096), problem: reason(cause) })
      yield batch
      bytes += lost.bytes
      lines += lost.blank + 1
    }
  }
}

const reason = ({ code }: CsvError): string =>
  code === "CSV_QUOTE_NOT_CLOSED" || code === "CSV_MAX_RECORD_SIZE"
    ? "a quote is opened and never closed; close it, or double it if it is part of the text"
    : `it is not CSV (${code})`

const newlines = (text: string): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++
  return count
}

/** The first line that is not blank from a byte on, with the bytes up to its end. */
const lineAt = async ({ encoding, mark, path }: Source, from: number) => {
  let buffer = Buffer.alloc(0)
  for await (const chunk of utf8(path, encoding, mark, from)) {
    buffer = Buffer.concat([buffer, chunk])
    const found = scan(buffer)
    if (found !== undefined) return found
    if (buffer.length > 8 * LONGEST) break
  }
  const text = buffer.toString("utf8").trim()
  return text === "" ? undefined : { text, bytes: buffer.length, blank: 0 }
}

const scan = (buffer: Buffer) => {
  let start = 0
  let blank = 0
  for (let end = buffer.indexOf(10); end >= 0; end = buffer.indexOf(10, start)) {
    const text = buffer.toString("utf8", start, end).replace(/\r$/, "")
    if (text.trim() !== "") return { text, bytes: end + 1, blank }
    start = end + 1
    blank++
  }
  return undefined
}
