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
import { TABLE_KINDS } from "../tabular/RowReader.ts"
import { type BankFile, BankFiles, isBank, partOf } from "./BankFiles.ts"
import { openBank } from "./bank/Formats.ts"
import type { Day } from "../../core/wire/Day.ts"
import { type Facts, facts } from "../Bytes.ts"
import * as Checks from "./Checks.ts"
import { copyOf } from "./Copies.ts"
import { sourceError, unavailable } from "./Failures.ts"
import { isHeavy } from "./Heavy.ts"
import { besides, type File, list } from "./Listing.ts"
import { Bookmark, Known } from "./Known.ts"
import * as Looks from "../Looks.ts"
import type * as Rows from "../tabular/Rows.ts"
import { oldestFirst, orderOf, undatedIn } from "./Newest.ts"
import { openTable, PAGE, pager, type Reading, readTable } from "./ReadTable.ts"
import { Settings } from "./Settings.ts"

/** Part of every digest. Raise it when the same bytes are decoded differently, so that all files are read again. */
const READER = 8

type Page = Connector.Page<Bookmark>

async function* read(
  settings: Settings,
  after: Bookmark | undefined,
  { before, chunks, first, ...places }: Connector.ConnectorContext,
  now: number
): AsyncGenerator<Page> {
  const banks = new BankFiles(after?.banks)
  const known = new Known(after, banks, before as Bookmark | undefined)
  const { files, looks } = known
  const all = list(settings, places)
  const lost = removed(files, all)
  known.forget(lost)
  const [name] = lost
  if (name !== undefined) yield ofRemoved(lost, name, known.bookmark)
  const notices = besides(all, places)
  if (notices.length > 0) yield { read: [], quarantined: [], notices, bookmark: known.bookmark }
  const unchanged: Array<string> = []
  await banks.look(all, looks, now)
  known.latest = await ordered(all, known, now)
  known.last()
  for (const file of oldestFirst(all, known)) {
    const part = partOf(file)
    try {
      const look = await Looks.look(file.path, now)
      const others = othersOf(file, all)
      const beside = isBank(file) ? [banks.othersOf(file)] : (others ?? [])
      const latest = known.latest[part]
      const how = fingerprint([file.settings, ...beside, ...(latest === undefined ? [] : [latest])])
      const isSame = isReadAlike(files[part], how) && Looks.isSame(looks[part], look)
      const content = isSame ? undefined : await facts(file.path)
      const digest = content === undefined ? files[part] : `${READER} ${content.digest} ${how}`
      if (content === undefined || digest === undefined || files[part] === digest) {
        if (!isSame) looks[part] = look
        unchanged.push(part)
        continue
      }
      const hasInvoices = settings.invoices !== undefined
      const changed = (header: ReadonlyArray<string>) => known.changed(file.place, header)
      const set = { others, hasInvoices, how: `${READER} ${how}`, changed, latest }
      const of = { ...set, bookmark: known.bookmark, first, chunks: chunks?.get(part) }
      const { begins, whole } = yield* isBank(file)
        ? readBankFile(banks, file, content, of)
        : readTable(file, part, content, of)
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
        ...(isBank(file) ? { covers: banks.coverageOf(file) } : {}),
        scan: { name: part, ends: true, ...(begins ? { begins: true, copy: copyOf(file, latest) } : {}) }
      }
    } catch (cause) {
      throw sourceError(cause, file.name)
    }
  }
  if (unchanged.length > 0) yield { read: [], quarantined: [], bookmark: known.last(), unchanged }
  else if (known.isBehind) yield { read: [], quarantined: [], bookmark: known.last() }
}

/** The order of the exports of each list; as it is known, unless one of them changed. */
const ordered = async (all: ReadonlyArray<File>, { bookmark, latest, looks }: Known, now: number) => {
  const group = undatedIn(all)
  const isSame = await Promise.all(
    group.map(async (file) => Looks.isSame(looks[partOf(file)], await Looks.look(file.path, now)))
  )
  const found = isSame.every((one) => one) ? latest : await orderOf(group, bookmark)
  const parts = new Set(group.map(partOf))
  return Object.fromEntries(
    Object.entries(found).flatMap(([part, day]) => (day === undefined || !parts.has(part) ? [] : [[part, day]]))
  ) as Readonly<Record<string, Day>>
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
  scan: { name },
  gone: parts
})

/** Longest text that is its own fingerprint, in characters. */
const SHORT = 2000

/** Hashes only long texts: hashing loads Node's cryptography, which takes longer than finding all files unchanged. */
const fingerprint = (settings: ReadonlyArray<unknown>): string => {
  const text = JSON.stringify(settings)
  return text.length > SHORT ? hash("sha1", text, "base64url") : text
}

/** Whether a file was last read with the current settings and reader. */
const isReadAlike = (digest: string | undefined, how: string): boolean =>
  digest?.startsWith(`${READER} `) === true && digest.endsWith(` ${how}`)

/** The same as `readTable`, for a bank file. */
async function* readBankFile(
  banks: BankFiles,
  file: BankFile,
  content: Facts,
  { bookmark, first }: Reading
): AsyncGenerator<Page, { readonly begins: boolean; readonly whole: boolean }, undefined> {
  const { begins, paged } = pager(partOf(file), bookmark, content.bytes)
  const batches = banks.read(file, content, { first, page: PAGE })
  for (;;) {
    const { done, value } = await batches.next()
    if (done === true) return { begins: begins(), whole: value.whole }
    if (begins()) for (const what of Checks.encoding(file, content)) value.notices.push({ origin: file.name, what })
    yield { ...paged(value), entries: value.entries }
  }
}

/** What the other streams of the same file choose, for the first stream only: it reports rows that none reads. */
const othersOf = ({ path, place }: File, all: ReadonlyArray<File>): Rows.Within["others"] => {
  const same = all.filter((one) => one.path === path)
  return same[0]?.place === place
    ? same.slice(1).map(({ settings: { leave_out, where } }) => ({
        ...(leave_out === undefined ? {} : { leave_out }),
        ...(where === undefined ? {} : { where })
      }))
    : undefined
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
    kinds: TABLE_KINDS,
    onThisMachine: true,
    deletions: "complete scan",
    blindSpots: ["a removed file: the documents read from it are kept"],
    firstOfEach: true,
    linksByNumber: true
  },
  settings: Settings,
  bookmark: Bookmark,
  check: (settings, places) =>
    Effect.tryPromise({
      try: async () => {
        const problems: Array<string> = []
        for (const file of list(settings, places)) problems.push(...(await checked(file)))
        return problems
      },
      catch: (cause) => sourceError(cause)
    }),
  isHeavy: (settings, after, places) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      // What is wrong with them is said where they are read.
      Effect.promise(() => isHeavy(settings, places, after?.looks ?? {}, now).catch(() => false))
    ),
  pull: (settings, after, surroundings) =>
    Clock.currentTimeMillis.pipe(
      Effect.map((now) =>
        Stream.fromAsyncIterable(read(settings, after, surroundings, now), (cause) => sourceError(cause))
      ),
      Stream.unwrap
    )
})
