/**
 * Files: reads invoices, credit notes, payments, orders and parcels from CSV, TSV, XLSX and JSON Lines, and payments also
 * from bank formats.
 *
 * A file is a part of the source: documents that were in it when it was last read to its end, and are no longer, were
 * deleted. A file with unchanged content is not read again, and not even opened if its size and times show that. Files are
 * read in the order of their names: invoices, then credit notes, payments, orders and what belongs to orders. An
 * interrupted pull starts the current file again.
 */
import { Clock, Effect, Stream } from "effect"
import { hash } from "node:crypto"
import * as Connector from "../Connector.ts"
import { KINDS } from "../Document.ts"
import { type BankFile, BankFiles, isBank, partOf } from "./BankFiles.ts"
import { openBank } from "./bank/Formats.ts"
import { type Facts, facts } from "./Bytes.ts"
import * as Checks from "./Checks.ts"
import * as Csv from "./Csv.ts"
import { misconfigured, sourceError, unavailable } from "./Failures.ts"
import { isHeavy } from "./Heavy.ts"
import * as JsonLines from "./JsonLines.ts"
import { type File, list } from "./Listing.ts"
import { Bookmark, Known } from "./Known.ts"
import * as Looks from "./Looks.ts"
import { type Batch, batch } from "../tabular/Batch.ts"
import * as Rows from "../tabular/Rows.ts"
import * as CountryNames from "../../core/wire/CountryNames.ts"
import { Settings, TABLES } from "./Settings.ts"
import type { Row, Table } from "./Table.ts"
import * as Years from "./Years.ts"
import * as Workbook from "./Workbook.ts"

/** Part of every digest. Raise it when the same bytes are decoded differently, so that all files are read again. */
const READER = 5

/** Rows per page: enough that disk writes are rare, few enough to need little memory. */
const PAGE = 1900

/** Rows at the start of a file that are used to detect its format. */
const SAMPLE = 500

/** Limits the memory reserved in advance: a file whose first rows are unusually short seems to have more rows than it has. */
const EXPECTED = 1 << 22

type Page = Connector.Page<Bookmark>

const openTable = async ({ ending, name, path, settings }: File, { encoding, mark }: Facts): Promise<Table> => {
  const set = settings.encoding === "latin1" ? "windows-1252" : settings.encoding
  const source = { path, encoding: set ?? encoding, mark, headerAt: settings.header_row }
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

async function* read(
  settings: Settings,
  after: Bookmark | undefined,
  { first, folder }: Connector.ConnectorContext,
  now: number
): AsyncGenerator<Page> {
  const banks = new BankFiles(after?.banks)
  const known = new Known(after, banks)
  const { files, looks } = known
  const all = list(settings, folder)
  const lost = removed(files, all)
  known.forget(lost)
  const [name] = lost
  if (name !== undefined) yield ofRemoved(lost, name, known.bookmark)
  const unchanged: Array<string> = []
  await banks.look(all, looks, now)
  known.last()
  for (const file of all) {
    const part = partOf(file)
    try {
      const look = await Looks.look(file.path, now)
      const others = othersOf(file, all)
      const beside = isBank(file) ? [banks.othersOf(file)] : (others ?? [])
      const how = hash("sha1", JSON.stringify([file.settings, ...beside]), "base64url")
      const isSame = isReadAlike(files[part], how) && Looks.isSame(looks[part], look)
      const content = isSame ? undefined : await facts(file.path)
      const digest = content === undefined ? files[part] : `${READER} ${content.digest} ${how}`
      if (content === undefined || digest === undefined || files[part] === digest) {
        if (!isSame) looks[part] = look
        unchanged.push(part)
        continue
      }
      const of = { bookmark: known.bookmark, first, others }
      const { begins, whole } = yield* isBank(file)
        ? readBankFile(banks, file, content, of)
        : readFile(file, part, content, of)
      if ((await Looks.look(file.path, now)).file !== look.file) {
        throw unavailable(`${file.name} is still being written: it changed while it was read; run again`)
      }
      if (!whole) continue
      files[part] = digest
      looks[part] = look
      yield {
        read: [],
        quarantined: [],
        bookmark: known.next(),
        scan: { name: part, ends: true, ...(begins ? { begins: true } : {}) }
      }
    } catch (cause) {
      throw sourceError(cause, file.name)
    }
  }
  if (unchanged.length > 0) yield { read: [], quarantined: [], bookmark: known.last(), unchanged }
  else if (known.isBehind) yield { read: [], quarantined: [], bookmark: known.last() }
}

/** Parts that were read before and no longer exist. */
const removed = (known: Bookmark["files"], all: ReadonlyArray<File>): ReadonlyArray<string> => {
  const parts = new Set(all.map(partOf))
  return Object.keys(known).filter((part) => !parts.has(part))
}

const ofRemoved = (parts: ReadonlyArray<string>, name: string, bookmark: Bookmark): Page => ({
  read: [],
  quarantined: [],
  notices: parts.map((part) => ({
    origin: part,
    what: "the file is no longer there; the documents read from it are kept"
  })),
  bookmark,
  scan: { name }
})

interface Reading {
  readonly bookmark: Bookmark
  /** Number of rows to read; all by default. */
  readonly first: number | undefined
  readonly others: Rows.Within["others"]
}

/** Whether a file was last read with the current settings and reader. */
const isReadAlike = (digest: string | undefined, how: string): boolean =>
  digest?.startsWith(`${READER} `) === true && digest.endsWith(` ${how}`)

/** Turns a part's batches into pages; the first page begins its scan. */
const pager = (part: string, bookmark: Bookmark) => {
  let begins = true
  const paged = ({ notices, read, quarantined, stated }: Batch): Page => {
    const scan = { name: part, ...(begins ? { begins } : {}) }
    begins = false
    return { read, quarantined, notices, bookmark, scan, ...(stated.length === 0 ? {} : { stated }) }
  }
  return { begins: () => begins, paged }
}

/** The same as `readFile`, for a bank file. */
async function* readBankFile(
  banks: BankFiles,
  file: BankFile,
  content: Facts,
  { bookmark, first }: Reading
): AsyncGenerator<Page, { readonly begins: boolean; readonly whole: boolean }, undefined> {
  const { begins, paged } = pager(partOf(file), bookmark)
  const batches = banks.read(file, content, { first, page: PAGE })
  for (;;) {
    const { done, value } = await batches.next()
    if (done === true) return { begins: begins(), whole: value.whole }
    if (begins()) for (const what of Checks.encoding(file, content)) value.notices.push({ origin: file.name, what })
    yield paged(value)
  }
}

/** Yields a file's pages, except the last. Returns whether the last page must begin the scan, and whether all was read. */
async function* readFile(
  file: File,
  part: string,
  content: Facts,
  { bookmark, first: most, others }: Reading
): AsyncGenerator<Page, { readonly begins: boolean; readonly whole: boolean }, undefined> {
  const table = await openTable(file, content)
  const { language } = file.settings
  const countries = language === undefined ? undefined : await CountryNames.load(language)
  const year = await Years.of(file, content)
  const { begins, paged } = pager(part, bookmark)
  try {
    const odd = [
      ...(await Checks.headings(file, table)),
      ...Checks.unread(file, table),
      ...Checks.encoding(file, content)
    ]
    let decode: Rows.Compiled | undefined
    let page: Batch | undefined
    const wanted = firstRows(table.rows, most)
    for await (const rows of firstTogether(wanted.rows)) {
      page ??= batch()
      if (decode === undefined) {
        decode = Rows.compile(file.stream, file.settings, {
          file: file.name,
          table,
          countries,
          year,
          others,
          mark: Checks.mark(file, table.header, rows),
          expected: rowsExpected(file, content, rows)
        })
        decode(rows, page)
        Checks.rows(file, table.header, rows, page)
        for (const what of odd) page.notices.push({ origin: file.name, what })
      } else decode(rows, page)
      if (page.rows < PAGE) continue
      yield paged(page)
      page = undefined
    }
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

/** The row filters of the other streams of the same file, for the first stream only: it reports rows that none reads. */
const othersOf = ({ path, place }: File, all: ReadonlyArray<File>): Rows.Within["others"] => {
  const same = all.filter((one) => one.path === path)
  return same[0]?.place === place ? same.slice(1).map(({ settings }) => settings.where) : undefined
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

/** What `daybook doctor` reports about a file. */
const checked = async (file: File): Promise<ReadonlyArray<string>> => {
  try {
    if (isBank(file)) {
      await openBank(file, await facts(file.path))
      return []
    }
    const table = await openTable(file, await facts(file.path))
    try {
      await Checks.headings(file, table)
    } finally {
      await table.close()
    }
    return []
  } catch (cause) {
    return [sourceError(cause, file.name).message.replace(/^files: /, "")]
  }
}

export const files = Connector.make({
  name: "files",
  title: "CSV, TSV, XLSX, JSON Lines and bank statements",
  capabilities: {
    kinds: KINDS,
    deletions: "complete scan",
    blindSpots: ["a removed file: the documents read from it are kept"],
    firstOfEach: true
  },
  settings: Settings,
  bookmark: Bookmark,
  check: (settings, { folder }) =>
    Effect.tryPromise({
      try: async () => {
        const problems: Array<string> = []
        for (const file of list(settings, folder)) problems.push(...(await checked(file)))
        return problems
      },
      catch: (cause) => sourceError(cause)
    }),
  isHeavy: (settings, after, { folder }) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      // What is wrong with them is said where they are read.
      Effect.promise(() => isHeavy(settings, folder, after?.looks ?? {}, now).catch(() => false))
    ),
  pull: (settings, after, surroundings) =>
    Clock.currentTimeMillis.pipe(
      Effect.map((now) =>
        Stream.fromAsyncIterable(read(settings, after, surroundings, now), (cause) => sourceError(cause))
      ),
      Stream.unwrap
    )
})
