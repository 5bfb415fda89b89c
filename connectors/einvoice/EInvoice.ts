/**
 * Electronic invoices: reads folders of UBL and CII (Peppol BIS, XRechnung, Factur-X, ZUGFeRD, also within PDFs), FatturaPA,
 * KSeF FA, Facturae and ebInterface.
 *
 * Each file is a part of the source. A file with unchanged size and times is not opened again; a removed file's documents are
 * kept. These files say what was asked for when they were issued, and never what was paid since.
 */
import { Clock, Effect, Stream } from "effect"
import { basename, extname } from "node:path"
import * as Connector from "../Connector.ts"
import * as Looks from "../Looks.ts"
import { diskError } from "../Listed.ts"
import { bytesOf, type File, list, misconfigured, open, unavailable } from "./Folder.ts"
import { Bookmark, Known } from "./Known.ts"
import { holds } from "./Container.ts"
import { type Contents, contentsOf, FILE } from "./Contents.ts"
import type { Facts, Nothing } from "./Facts.ts"
import { isOf, Sellers } from "./Sellers.ts"
import { Settings } from "./Settings.ts"

type Page = Connector.Page<Bookmark>

const NONE = new Uint8Array()

interface Surveyed {
  readonly seller: string | undefined
  /** Ids of invoices whose place another one took, and files that were never issued. */
  readonly replaced: ReadonlySet<string>
}

/** What the exchange system calls its notices of rejection (`IT01234567890_00001_NS_001.xml`). */
const REJECTION = /_NS_/i

async function* factsIn(file: File, settings: Settings): AsyncGenerator<Facts | Nothing> {
  for await (const { found } of open(file, await bytesOf(file), settings)) for (const { facts } of found) yield facts
}

/** What has to be known of several files before any is read: whose they are, and which invoices others took the place of. */
const survey = async (
  files: ReadonlyArray<File>,
  settings: Settings,
  known: Bookmark | undefined
): Promise<Surveyed> => {
  const replaces = settings.corrected_invoices === "replace"
  const before = (known?.replaced ?? []).filter((one) => replaces || one.startsWith(FILE))
  const isNeeded = settings.seller === undefined && known?.seller === undefined
  const some = isNeeded || replaces ? files : files.filter(({ name }) => REJECTION.test(name) || holds(name))
  const rejected: Array<string> = []
  const counted = new Sellers()
  const corrections: Array<Parameters<typeof isOf>[0] & { readonly of: string }> = []
  for (const file of some)
    for await (const facts of factsIn(file, settings)) {
      if ("nothing" in facts) {
        if (facts.rejects !== undefined) rejected.push(`${FILE}${facts.rejects}`)
        continue
      }
      counted.add(facts)
      const [of] = facts.preceding
      if (replaces && of !== undefined && of !== facts.id && facts.type === "correction" && facts.gross > 0n)
        corrections.push({ of, seller: facts.seller })
    }
  const { chosen } = counted
  if (isNeeded && chosen !== undefined && "shared" in chosen)
    throw misconfigured(
      `these invoices were issued by several sellers (${chosen.shared.join("; ")})`,
      "name your own VAT number or name as source.seller"
    )
  const seller = known?.seller ?? (chosen !== undefined && "key" in chosen ? chosen.key : undefined)
  const own = corrections.filter((one) => isOf(one, sellersOf(settings, seller)))
  return { seller, replaced: new Set([...before, ...rejected, ...own.map(({ of }) => of)]) }
}

const sellersOf = ({ seller }: Settings, found: string | undefined): ReadonlyArray<string> =>
  seller ?? (found === undefined ? [] : [found])

/** A credit note of several invoices, which does not say how much of each. */
const isOfSeveral = ({ document }: Connector.Read): boolean =>
  document.kind === "credit_note" && document.shares.some(({ among }) => among !== undefined)

/** A file's bytes, if nobody wrote it meanwhile. */
const whole = async (file: File, now: number) => {
  const look = await Looks.look(file.path, now)
  const bytes = await bytesOf(file)
  if ((await Looks.look(file.path, now)).file !== look.file)
    throw unavailable(`${file.name} is still being written: it changed while it was read; run again`)
  return { bytes, look }
}

const lastPage = (
  known: Known,
  notices: ReadonlyArray<Connector.Notice>,
  unchanged: ReadonlyArray<string>,
  name: string | undefined
): Page => ({
  read: [],
  quarantined: [],
  notices,
  bookmark: known.last(),
  unchanged,
  ...(name === undefined ? {} : { scan: { name } })
})

async function* read(
  settings: Settings,
  after: Bookmark | undefined,
  { first, ...places }: Connector.ConnectorContext,
  now: number
): AsyncGenerator<Page> {
  const listed = list(settings, places)
  const all = listed.slice(0, first)
  const known = new Known(after, settings)
  const [fresh, unchanged]: [Array<File>, Array<File>] = [[], []]
  for (const file of all) (known.isSame(file.name, await Looks.look(file.path, now)) ? unchanged : fresh).push(file)
  const { replaced, seller } = await survey(fresh, settings, after)
  known.seller = settings.seller === undefined ? seller : undefined
  const notices: Array<Connector.Notice> = known
    .forget(first === undefined ? listed : undefined)
    .map((origin) => ({ origin, what: "the file was removed; the documents read from it are kept" }))
  const sellers = sellersOf(settings, seller)
  // The invoices that new ones replace are in files of before. They come first: until they are read, nothing of the new ones is.
  const isReplacedNow = [...replaced].some((id) => !known.replaced.includes(id))
  const again = isReplacedNow ? unchanged : []
  const queue = [...again, ...fresh]
  const count = queue.length
  // Notices go to a file that is not read again, which would take them back.
  let noting: string | undefined
  for (const [at, file] of queue.entries()) {
    if (at === again.length) known.replaced = [...replaced]
    const { bytes, look } = await whole(file, now)
    known.release(file.name)
    const late: Array<Connector.Read> = []
    let before: Contents | undefined
    let begins = true
    const page = ({ quarantined, read }: Contents, bookmark: Bookmark, ends: boolean): Page => {
      const scan = { name: file.name, ...(begins && { begins }), ...(ends && { ends }) }
      begins = false
      return { read, quarantined, bookmark, scan }
    }
    for await (const opened of open(file, bytes, settings)) {
      if (before !== undefined) yield page(before, known.behind, false)
      const { read, ...rest } = contentsOf(opened, { settings, sellers, replaced, known })
      before = { ...rest, read: read.filter((one) => !isOfSeveral(one)) }
      late.push(...read.filter(isOfSeveral))
      // The invoices that it credits come first.
      if (late.length > 0 && !holds(file.name) && at < count - 1) {
        queue.push(file)
        before = undefined
        break
      }
      notices.push(...before.notices)
    }
    if (before === undefined) continue
    if (late.length === 0) noting = file.name
    else yield page(before, known.behind, false)
    // What is open of its invoices may be what it credits when it is read again.
    const bookmark = known.next(file.name, bytes ?? NONE, late.length === 0 ? look : undefined)
    yield page(late.length === 0 ? before : { read: late, quarantined: [], notices: [] }, bookmark, true)
  }
  const quiet = isReplacedNow ? [] : unchanged.map(({ name }) => name)
  if (quiet.length > 0 || notices.length > 0 || known.isBehind) yield lastPage(known, notices, quiet, noting)
  // A preview: the files that it did not ask for are not read.
  const next = listed[all.length]
  if (next !== undefined)
    yield { read: [], quarantined: [], bookmark: known.last(), scan: { name: next.name, begins: true } }
}

/** How many files `daybook doctor` looks into. */
const MOST_CHECKED = 2000

/** What `daybook doctor` says: how many files wait for which setting. */
const checked = async (settings: Settings, context: Connector.ConnectorContext): Promise<ReadonlyArray<string>> => {
  const all = list(settings, context).slice(0, MOST_CHECKED)
  const { replaced, seller } = await survey(all, settings, undefined)
  const around = { settings, sellers: sellersOf(settings, seller), replaced, known: new Known(undefined, settings) }
  const waiting = new Map<string, { readonly why: string; readonly first: string; files: number }>()
  for (const file of all)
    for await (const opened of open(file, await bytesOf(file), settings))
      for (const { field = "", why } of contentsOf(opened, around).quarantined) {
        const one = waiting.get(field) ?? { why, first: opened.name, files: 0 }
        one.files++
        waiting.set(field, one)
      }
  return [...waiting.values()].map(({ files, first, why }) =>
    files === 1 ? `${first}: ${why}` : `${first} and ${files - 1} more: ${why}`
  )
}

const EMBEDDED = /<[\w:.-]{0,100}EmbeddedDocumentBinaryObject\s([^<>]*)>([^<]+)</g

/** A PDF that was sent with the XML. */
const embedded = (text: string): Uint8Array | undefined => {
  for (const [, said = "", base64 = ""] of text.matchAll(EMBEDDED))
    if (said.includes("application/pdf")) return Buffer.from(base64, "base64")
  return undefined
}

async function* documentFiles(
  settings: Settings,
  { id }: Connector.Named,
  context: Connector.ConnectorContext,
  largest: number
): AsyncGenerator<Connector.DocumentFile> {
  for (const file of list(settings, context))
    for await (const { bytes, found, name } of open(file, await bytesOf(file), settings)) {
      const mine = found.find(({ facts }) => "id" in facts && facts.id === id)
      if (mine === undefined) continue
      const isPdf = extname(name).toLowerCase() === ".pdf"
      const pdf = isPdf ? bytes : embedded(mine.text)
      if (pdf === undefined) continue
      if (pdf.length > largest) throw unavailable(`${name} is larger than ${largest} bytes; save it smaller`)
      return yield { name: isPdf ? basename(name) : `${basename(name, extname(name))}.pdf`, bytes: pdf }
    }
}

/** Bytes of one file that take longer to read than a thread of its own takes to start. */
const HEAVY_BYTES = 1 << 20

const isHeavy = async (
  settings: Settings,
  after: Bookmark | undefined,
  context: Connector.ConnectorContext,
  now: number
): Promise<boolean> => {
  for (const { name, path } of list(settings, context)) {
    const look = await Looks.look(path, now)
    if (Number(look.file.split(" ")[0]) >= HEAVY_BYTES && !Looks.isSame(after?.looks[name], look)) return true
  }
  return false
}

const sourceError = diskError(unavailable)

export const einvoice = Connector.make({
  name: "einvoice",
  title: "Electronic invoices: UBL, CII, Factur-X, ZUGFeRD, XRechnung, FatturaPA, KSeF, Facturae, ebInterface",
  capabilities: {
    kinds: ["invoice", "credit_note", "payment"],
    onThisMachine: true,
    deletions: "not at all",
    blindSpots: [
      "a removed file: the documents read from it are kept",
      "everything after the invoice was issued: payments"
    ],
    firstOfEach: true
  },
  settings: Settings,
  bookmark: Bookmark,
  isHeavy: (settings, after, context) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.promise(() => isHeavy(settings, after, context, now).catch(() => false))
    ),
  check: (settings, context) => Effect.tryPromise({ try: () => checked(settings, context), catch: sourceError }),
  pull: (settings, after, context) =>
    Clock.currentTimeMillis.pipe(
      Effect.map((now) => Stream.fromAsyncIterable(read(settings, after, context, now), sourceError)),
      Stream.unwrap
    ),
  documents: (settings, of, context, largest) =>
    Stream.fromAsyncIterable(documentFiles(settings, of, context, largest), sourceError)
})
