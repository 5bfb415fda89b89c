/**
 * Electronic invoices: reads folders of UBL and CII (Peppol BIS, XRechnung, Factur-X, ZUGFeRD, also within PDFs), FatturaPA,
 * KSeF FA, Facturae and ebInterface.
 *
 * Each file is a part of the source. A file with unchanged size and times is not opened again; a removed file's documents are
 * kept. These files say what was asked for when they were issued, and never what was paid since.
 */
import { Clock, Effect, Schema, Stream } from "effect"
import { createHash } from "node:crypto"
import { basename, extname } from "node:path"
import * as Connector from "../Connector.ts"
import * as Looks from "../Looks.ts"
import { type Facts, Refused } from "./Facts.ts"
import { type File, list, misconfigured, type Opened, open, unavailable } from "./Folder.ts"
import { meaning } from "./Meaning.ts"
import { isOf, Sellers } from "./Sellers.ts"
import { Settings } from "./Settings.ts"

/** Raise it when the same bytes are decoded differently, so that all files are read again. */
const READER = 1

/** Kept of each invoice's XML, in characters. */
const RAW = 16_384

const Bookmark = Schema.Struct({
  /** By part, the digest of the content and of the settings that it was read with. */
  files: Schema.Record(Schema.String, Schema.String),
  looks: Schema.Record(Schema.String, Looks.Look),
  /** Whose invoices these are, if the settings do not say. */
  seller: Schema.optionalKey(Schema.String),
  /** Ids of invoices whose place another one took. */
  replaced: Schema.optionalKey(Schema.Array(Schema.String))
})
type Bookmark = typeof Bookmark.Type
type Page = Connector.Page<Bookmark>

const rawOf = (text: string): string => {
  const short = text.replace(
    /(<[^>]*(?:EmbeddedDocumentBinaryObject|AttachmentBinaryObject|Attachment|SignatureValue|X509Certificate)\b[^>]*>)[^<]{200,}/g,
    "$1…"
  )
  return (short.length > RAW ? `${short.slice(0, RAW)} …` : short).toWellFormed()
}

/** What one file becomes. */
const pageOf = (
  file: File,
  opened: Opened,
  settings: Settings,
  sellers: ReadonlyArray<string>,
  replaced: ReadonlySet<string>
): Pick<Page, "read" | "quarantined"> & {
  readonly notices: Array<Connector.Notice>
  readonly replaces: ReadonlyArray<string>
} => {
  const origin = file.name
  const read: Array<Connector.Read> = []
  const quarantined: Array<Connector.QuarantinedRecord> = []
  const notices: Array<Connector.Notice> = []
  const replaces: Array<string> = []
  const refuse = (why: string, field: string | undefined, text: string, facts?: Facts) =>
    quarantined.push({
      kind: facts?.type === "credit note" ? "credit_note" : "invoice",
      origin,
      raw: rawOf(text),
      why,
      ...(field === undefined ? {} : { field }),
      ...(facts === undefined ? {} : { id: facts.id })
    })
  if (opened.refused !== undefined) refuse(opened.refused.why, opened.refused.field, opened.refused.text)
  for (const { facts, text } of opened.found) {
    if ("nothing" in facts) {
      notices.push({ origin, what: `${facts.nothing}; left out` })
      continue
    }
    if (!isOf(facts, sellers)) {
      notices.push({ origin, what: "an invoice that somebody else issued; left out" })
      continue
    }
    try {
      const meant = meaning(facts, settings)
      for (const what of meant.notices) notices.push({ origin, what })
      if (meant.replaces !== undefined) replaces.push(meant.replaces)
      for (const document of meant.documents)
        read.push({
          document:
            document.kind === "invoice" && replaced.has(document.id) ? { ...document, status: "void" } : document,
          raw: rawOf(text),
          origin
        })
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause
      refuse(cause.message, cause.field, text, facts)
    }
  }
  return { read, quarantined, notices, replaces }
}

/** What has to be known of several files before any is read: whose they are, and which invoices others took the place of. */
const survey = async (files: ReadonlyArray<File>, settings: Settings, known: Bookmark | undefined) => {
  const sellers = new Sellers()
  const replaced = new Set(known?.replaced)
  const isNeeded = settings.seller === undefined && known?.seller === undefined
  if (!isNeeded && settings.corrected_invoices !== "replace") return { seller: known?.seller, replaced }
  for (const file of files)
    for (const { facts } of (await open(file, settings)).found) {
      if ("nothing" in facts) continue
      sellers.add(facts)
      if (settings.corrected_invoices === "replace" && facts.type === "correction" && facts.gross > 0n)
        for (const id of facts.preceding.slice(0, 1)) replaced.add(id)
    }
  const { chosen } = sellers
  if (isNeeded && chosen !== undefined && "shared" in chosen)
    throw misconfigured(
      `these invoices were issued by several sellers (${chosen.shared.join("; ")})`,
      "name your own VAT number or name as source.seller"
    )
  return { seller: known?.seller ?? (chosen !== undefined && "seller" in chosen ? chosen.seller : undefined), replaced }
}

async function* read(
  settings: Settings,
  after: Bookmark | undefined,
  context: Connector.ConnectorContext,
  now: number
): AsyncGenerator<Page> {
  const all = list(settings, context)
  const [files, looks] = [{ ...after?.files }, { ...after?.looks }]
  const how = createHash("sha256")
    .update(JSON.stringify([READER, settings]))
    .digest("base64url")
    .slice(0, 12)
  const fresh: Array<File> = []
  const unchanged: Array<string> = []
  for (const file of all) {
    const isSame =
      files[file.name]?.endsWith(` ${how}`) === true && Looks.isSame(looks[file.name], await Looks.look(file.path, now))
    if (isSame) unchanged.push(file.name)
    else fresh.push(file)
  }
  const { replaced, seller } = await survey(fresh, settings, after)
  const sellers = settings.seller ?? (seller === undefined ? [] : [seller])
  const bookmark = (): Bookmark => ({
    files: { ...files },
    looks: { ...looks },
    ...(seller === undefined || settings.seller !== undefined ? {} : { seller }),
    ...(replaced.size === 0 ? {} : { replaced: [...replaced] })
  })
  const gone = Object.keys(files).filter((name) => !all.some((file) => file.name === name))
  for (const name of gone) {
    delete files[name]
    delete looks[name]
  }
  if (gone.length > 0)
    yield {
      read: [],
      quarantined: [],
      notices: gone.map((origin) => ({
        origin,
        what: "the file is no longer there; the documents read from it are kept"
      })),
      bookmark: bookmark(),
      scan: { name: gone[0] ?? "" }
    }
  // The invoices that new ones replace are in files of before.
  const isReplacedNow = [...replaced].some((id) => after?.replaced?.includes(id) !== true)
  const again = isReplacedNow ? all.filter(({ name }) => unchanged.includes(name)) : []
  for (const file of [...again, ...fresh]) {
    const look = await Looks.look(file.path, now)
    const opened = await open(file, settings)
    if ((await Looks.look(file.path, now)).file !== look.file)
      throw unavailable(`${file.name} is still being written: it changed while it was read; run again`)
    const { notices, quarantined, read } = pageOf(file, opened, settings, sellers, replaced)
    files[file.name] = `${createHash("sha256").update(opened.bytes).digest("base64url")} ${how}`
    looks[file.name] = look
    yield { read, quarantined, notices, bookmark: bookmark(), scan: { name: file.name, begins: true, ends: true } }
  }
  const quiet = unchanged.filter((name) => !again.some((file) => file.name === name))
  if (quiet.length > 0) yield { read: [], quarantined: [], bookmark: bookmark(), unchanged: quiet }
}

/** What `daybook doctor` says: how many files wait for which setting. */
const checked = async (settings: Settings, context: Connector.ConnectorContext): Promise<ReadonlyArray<string>> => {
  const all = list(settings, context).slice(0, 2000)
  const { replaced, seller } = await survey(all, settings, undefined)
  const sellers = settings.seller ?? (seller === undefined ? [] : [seller])
  const waiting = new Map<string, { readonly why: string; readonly first: string; files: number }>()
  for (const file of all)
    for (const { field = "", why } of pageOf(file, await open(file, settings), settings, sellers, replaced)
      .quarantined) {
      const one = waiting.get(field) ?? { why, first: file.name, files: 0 }
      one.files++
      waiting.set(field, one)
    }
  return [...waiting.values()].map(({ files, first, why }) =>
    files === 1 ? `${first}: ${why}` : `${first} and ${files - 1} more: ${why}`
  )
}

/** A PDF that was sent with the XML. */
const embedded = (text: string): Uint8Array | undefined => {
  const [, base64] = /<[^>]*EmbeddedDocumentBinaryObject[^>]*application\/pdf[^>]*>([^<]+)</.exec(text) ?? []
  return base64 === undefined ? undefined : Buffer.from(base64, "base64")
}

async function* documentFiles(
  settings: Settings,
  { id }: Connector.Named,
  context: Connector.ConnectorContext,
  largest: number
): AsyncGenerator<Connector.DocumentFile> {
  for (const file of list(settings, context)) {
    const { bytes, found } = await open(file, settings)
    const mine = found.find(({ facts }) => "id" in facts && facts.id === id)
    if (mine === undefined) continue
    const isPdf = extname(file.path).toLowerCase() === ".pdf"
    const pdf = isPdf ? bytes : embedded(mine.text)
    if (pdf === undefined) return
    if (pdf.length > largest) throw unavailable(`${file.name} is larger than ${largest} bytes`)
    yield { name: isPdf ? basename(file.path) : `${basename(file.path, extname(file.path))}.pdf`, bytes: pdf }
    return
  }
}

const sourceError = (cause: unknown): Connector.SourceError =>
  cause instanceof Connector.SourceError
    ? cause
    : unavailable(
        `a file gave no data (${(cause as NodeJS.ErrnoException).code ?? (cause as Error).message}); run again`
      )

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
  check: (settings, context) => Effect.tryPromise({ try: () => checked(settings, context), catch: sourceError }),
  pull: (settings, after, context) =>
    Clock.currentTimeMillis.pipe(
      Effect.map((now) => Stream.fromAsyncIterable(read(settings, after, context, now), sourceError)),
      Stream.unwrap
    ),
  documents: (settings, of, context, largest) =>
    Stream.fromAsyncIterable(documentFiles(settings, of, context, largest), sourceError)
})
