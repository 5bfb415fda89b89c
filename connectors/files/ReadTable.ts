/**
 * Reads a table's rows as pages. Where each row means the same wherever it stands, a page ends with a chunk, and chunks that
 * the books have are skipped.
 */
import { setImmediate } from "node:timers/promises"
import * as CountryNames from "../../core/wire/CountryNames.ts"
import type * as Connector from "../Connector.ts"
import { type Batch, batch } from "../tabular/Batch.ts"
import * as Rows from "../tabular/Rows.ts"
import * as Account from "./Account.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Facts } from "../Bytes.ts"
import * as Checks from "./Checks.ts"
import { Chunks } from "../Chunks.ts"
import { copyOf } from "./Copies.ts"
import * as Csv from "./Csv.ts"
import { misconfigured } from "./Failures.ts"
import * as JsonLines from "./JsonLines.ts"
import type { Bookmark, Changed } from "./Known.ts"
import * as LaterHeadings from "./LaterHeadings.ts"
import type { File } from "./Listing.ts"
import { TABLES } from "./Settings.ts"
import { BATCH, NotATable, type Row, type Table } from "./Table.ts"
import * as Workbook from "./Workbook.ts"
import * as Years from "./Years.ts"

type Page = Connector.Page<Bookmark>

/** Rows per page: enough that disk writes are rare, few enough to need little memory. */
export const PAGE = 1900

/** Rows per page where pages end with chunks, which are about as long. */
const MOST = 2 * PAGE

/** Rows at the start of a file that are used to detect its format. */
const SAMPLE = 500

/** Limits the memory reserved in advance: a file whose first rows are unusually short seems to have more rows than it has. */
const EXPECTED = 1 << 22

/** @param chunks for tables of text: what the reader says of its chunks, and which it skips */
export const openTable = async (
  { ending, name, path, settings }: File,
  { encoding, mark }: Facts,
  chunks?: Chunks
): Promise<Table> => {
  const set = settings.encoding === "latin1" ? "windows-1252" : settings.encoding
  const source = { path, encoding: set ?? encoding, mark, headerAt: settings.header_row, chunks }
  switch (ending) {
    case ".csv":
      return Csv.open({ ...source, separator: settings.separator })
    case ".tsv":
      return Csv.open({ ...source, separator: settings.separator ?? "\t" })
    case ".jsonl":
      return JsonLines.open(source, Rows.columnsOf(settings))
    case ".xlsx":
      return Workbook.open(path, {
        sheet: settings.sheet,
        headerAt: settings.header_row,
        limit: settings.unpacked_limit
      })
    default:
      throw misconfigured(`${name} does not end in one of ${TABLES.join(", ")}`, "rename it, or set another path")
  }
}

export interface Reading {
  readonly bookmark: Bookmark
  /** Number of rows to read; all by default. */
  readonly first: number | undefined
  readonly others: Rows.Within["others"]
  /** Whether the source has invoices, so that its payments are those of these invoices. */
  readonly hasInvoices: boolean
  /** A digest of the settings. */
  readonly how: string
  /** Chunks that may be skipped, see `ConnectorContext`. */
  readonly chunks: ReadonlyMap<string, string> | undefined
  /** The latest day in it, where its name does not say when it was written and other exports of its list are there. */
  readonly latest?: Day | undefined
  /** How a table's headings differ from those before. */
  readonly changed: (header: ReadonlyArray<string>) => Changed
}

/**
 * What the records of a file may take in the books, in bytes: so many in any case, or so many times the bytes of the file. A
 * workbook of a few bytes can become millions of rows.
 */
const HARMLESS_BYTES = 2 ** 25
const TIMES_BYTES = 64
/** What a quarantined record takes beside its text. */
const RECORD_BYTES = 200

/** Turns a part's batches into pages; the first page begins its scan. */
export const pager = (part: string, bookmark: Bookmark, bytes: number, copy: Connector.Copy = {}) => {
  const most = Math.max(HARMLESS_BYTES, bytes * TIMES_BYTES)
  let kept = 0
  const count = (records: ReadonlyArray<{ readonly raw: string }>, beside: number) => {
    for (const { raw } of records) kept += raw.length + beside
    if (kept > most)
      throw new NotATable(
        `its records take more than ${Math.round(most / 2 ** 20)} MB, which is far more than the file; is it damaged?`
      )
  }
  let begins = true
  const scan = () => {
    const scan = { name: part, ...(begins ? { begins, copy } : {}) }
    begins = false
    return scan
  }
  const paged = ({ notices, read, quarantined, stated }: Batch, chunk?: Connector.Chunk): Page => {
    count(read, 0)
    count(quarantined, RECORD_BYTES)
    return {
      read,
      quarantined,
      notices,
      bookmark,
      scan: scan(),
      ...(stated.length === 0 ? {} : { stated }),
      ...(chunk === undefined ? {} : { chunk })
    }
  }
  const skipping = (skipped: ReadonlyArray<string>): Page => ({
    read: [],
    quarantined: [],
    bookmark,
    scan: scan(),
    skipped
  })
  return { begins: () => begins, paged, skipping }
}

/** Whether a row of a table means the same wherever it stands, so that it can be known without its neighbours. */
const isEachAlone = ({ ending, settings, stream }: File, { encoding }: Facts, { first, others }: Reading): boolean =>
  first === undefined &&
  stream === "invoices" &&
  (ending === ".csv" || ending === ".tsv") &&
  !encoding.startsWith("utf-16") &&
  settings.encoding?.startsWith("utf-16") !== true &&
  others?.length === 0 &&
  settings.where === undefined &&
  settings.leave_out === undefined &&
  settings.lines === undefined &&
  settings.fill_down === undefined &&
  typeof (settings.columns as { readonly id?: unknown }).id === "string"

/** What has become of a table's chunks: what was decoded of the current one, and which were skipped. */
class Progress {
  readonly #chunks: Chunks
  readonly #decode: Rows.Compiled
  #documents = 0
  #skipped: ReadonlyArray<string> = []

  constructor(chunks: Chunks, decode: Rows.Compiled) {
    this.#chunks = chunks
    this.#decode = decode
  }

  /** Documents of the current chunk go onto a page. */
  add(documents: number): void {
    this.#documents += documents
  }

  /** The chunk that ends after the latest rows, of which some documents are not on a page yet; undefined if none does. */
  ended(documents: number): Connector.Chunk | undefined {
    const passed = this.#chunks.take()
    if (passed === undefined) return undefined
    const { digest, isSkipped, lines } = passed
    if (isSkipped && digest !== undefined) {
      this.#decode.skip(this.#chunks.detail(digest))
      this.#skipped = [...this.#skipped, digest]
      return undefined
    }
    const carried = this.#decode.carried()
    const all = this.#documents + documents
    this.#documents = 0
    if (digest === undefined || carried === undefined) return {}
    return { known: { digest, documents: all, detail: JSON.stringify({ lines, ...carried }) } }
  }

  /** Takes the digests of the chunks that were skipped. */
  skipped(): ReadonlyArray<string> {
    const skipped = this.#skipped
    this.#skipped = []
    return skipped
  }
}

/** Compiles the settings by the table's first rows. */
const compile = (
  file: File,
  content: Facts,
  { countries, reading, table, year }: Beside,
  { chunks, rows }: { readonly chunks: Chunks | undefined; readonly rows: ReadonlyArray<Row> }
): Rows.Compiled => {
  const mark = Checks.mark(file, table.header, rows)
  const { hasInvoices, how, others } = reading
  if (chunks !== undefined) chunks.context = JSON.stringify([how, content.encoding, table.header, mark, year])
  const expected = rowsExpected(file, content, rows)
  return Rows.compile(file.stream, file.settings, {
    file: file.name,
    table,
    countries,
    year,
    others,
    hasInvoices,
    mark,
    expected
  })
}

interface Beside {
  readonly table: Table
  readonly countries: CountryNames.Lookup | undefined
  readonly year: Years.Year | undefined
  readonly reading: Reading
}

/** Yields a file's pages, except the last. Returns whether the last page must begin the scan, and whether all was read. */
export async function* readTable(
  file: File,
  part: string,
  content: Facts,
  reading: Reading
): AsyncGenerator<Page, { readonly begins: boolean; readonly whole: boolean }, undefined> {
  const chunks = isEachAlone(file, content, reading) ? new Chunks(reading.chunks ?? new Map()) : undefined
  const table = await openTable(file, content, chunks)
  const { language } = file.settings
  const countries = language === undefined ? undefined : await CountryNames.load(language)
  const year = await Years.of(file, content)
  const { begins, paged, skipping } = pager(part, reading.bookmark, content.bytes, copyOf(file, reading.latest))
  try {
    const odd = [
      ...(await Checks.headings(file, table)),
      ...Checks.unread(file, table),
      ...LaterHeadings.check(file, table, reading.changed(table.header)),
      ...Checks.encoding(file, content),
      ...(reading.first === undefined ? [] : Account.of(file, table))
    ]
    let decode: Rows.Compiled | undefined
    let progress: Progress | undefined
    let page: Batch | undefined
    const wanted = firstRows(table.rows, reading.first)
    for await (const rows of firstTogether(wanted.rows)) {
      const skipped = rows.length === 0 ? [] : (progress?.skipped() ?? [])
      if (skipped.length > 0) yield skipping(skipped)
      if (decode === undefined) {
        page = batch()
        decode = compile(file, content, { countries, reading, table, year }, { chunks, rows })
        if (chunks !== undefined) progress = new Progress(chunks, decode)
        await decodeInParts(decode, rows, page)
        Checks.rows(file, table.header, rows, page)
        for (const what of odd) page.notices.push({ origin: file.name, what })
      } else if (rows.length > 0) await decodeInParts(decode, rows, (page ??= batch()))
      const chunk = progress?.ended(page?.read.length ?? 0)
      if (chunk === undefined && (page === undefined || page.rows < (progress === undefined ? PAGE : MOST))) continue
      if (chunk === undefined) progress?.add(page?.read.length ?? 0)
      yield paged(page ?? batch(), chunk)
      page = undefined
    }
    const skipped = progress?.skipped() ?? []
    if (skipped.length > 0) yield skipping(skipped)
    // Flushes what the last rows began and a further row might have continued.
    if (decode !== undefined && wanted.whole()) {
      const end = page ?? batch()
      decode([], end, true)
      if (end.read.length + end.quarantined.length + end.notices.length + end.stated.length > 0) page = end
    }
    if (page !== undefined) yield paged(page)
    return { begins: begins(), whole: wanted.whole() }
  } finally {
    await table.close()
  }
}

/** Decodes rows while others have their turn: code that has not run before takes fifty milliseconds for the first hundreds. */
const decodeInParts = async (decode: Rows.Compiled, rows: ReadonlyArray<Row>, page: Batch): Promise<void> => {
  for (let at = 0; at < rows.length; at += BATCH) {
    await setImmediate()
    decode(rows.slice(at, at + BATCH), page)
  }
}

/** Limits the rows, and tells whether these were all. */
const firstRows = (batches: AsyncIterable<ReadonlyArray<Row>>, most = Number.POSITIVE_INFINITY) => {
  let whole = true
  async function* rows(): AsyncGenerator<ReadonlyArray<Row>> {
    let left = most
    for await (const batch of batches) {
      whole = batch.length <= left
      yield whole ? batch : batch.slice(0, left)
      if (!whole) return
      left -= batch.length
    }
  }
  return { rows: rows(), whole: () => whole }
}

/** Merges the first batches, so that the first one has enough rows to detect the file's format. */
async function* firstTogether(batches: AsyncIterable<ReadonlyArray<Row>>): AsyncGenerator<ReadonlyArray<Row>> {
  let first: Array<Row> | undefined = []
  for await (const rows of batches) {
    if (first === undefined) yield rows
    else {
      for (const row of rows) first.push(row)
      if (first.length < SAMPLE) continue
      yield first
      first = undefined
    }
  }
  if (first !== undefined && first.length > 0) yield first
}

/** Estimates the number of rows in a file; 0 if its size does not tell. */
const rowsExpected = ({ ending }: File, { bytes, encoding }: Facts, rows: ReadonlyArray<Row>): number => {
  if (ending === ".xlsx" || rows.length < SAMPLE) return 0
  const characters = rows.reduce((sum, { raw }) => sum + raw.length + 1, 0) / rows.length
  return Math.min(EXPECTED, (bytes / (encoding.startsWith("utf-16") ? 2 : 1) / characters) * 1.05)
}
