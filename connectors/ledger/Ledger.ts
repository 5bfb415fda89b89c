/**
 * Ledger and audit files that the law prescribes: the FEC of France, SAF-T of Portugal; and DATEV's posting batches. They state invoices, credit notes and payments, and which
 * payment settled which invoice, and no due dates.
 */
import { Clock, Effect, Stream } from "effect"
import { hash } from "node:crypto"
import * as Connector from "../Connector.ts"
import { diskError, listed, type ListedFile } from "../Listed.ts"
import * as Looks from "../Looks.ts"
import { misconfigured, unavailable } from "./Failures.ts"
import { partsOf, readFiles } from "./fec/Fec.ts"
import { datevParts, readBatches } from "./datev/Datev.ts"
import type { Part } from "./Part.ts"
import { readSaft } from "./saft/SaftPt.ts"
import { ENDINGS, kindOf, type LedgerKind } from "./Kinds.ts"
import { Bookmark } from "./Known.ts"
import { Settings } from "./Settings.ts"

type Page = Connector.Page<Bookmark>
type Context = Connector.ConnectorContext

/** Raise it when the same bytes are decoded differently, so that all files are read again. */
const READER = 2

interface Reading {
  readonly settings: Settings
  readonly context: Context
  readonly now: number
}

interface Seen extends ListedFile {
  readonly kind: LedgerKind
  readonly look: Looks.Look
}

const filesOf = async ({ path }: Settings, context: Context, now: number): Promise<ReadonlyArray<Seen>> => {
  const found: Array<Seen> = []
  for (const file of listed({ path, endings: ENDINGS, misconfigured }, context)) {
    const kind = await kindOf(file.path)
    if (kind !== undefined) found.push({ ...file, kind, look: await Looks.look(file.path, now) })
  }
  if (found.length === 0)
    throw misconfigured(
      `no file at ${path} begins like a FEC, a SAF-T PT or an EXTF file`,
      "check source.path; the first line of a FEC names its columns, a SAF-T PT is XML, and DATEV's files begin with EXTF"
    )
  return found
}

/** Fails if a file changed while it was read. */
const settled = async (files: ReadonlyArray<Seen>, now: number): Promise<void> => {
  for (const { look, name, path } of files)
    if ((await Looks.look(path, now)).file !== look.file)
      throw unavailable(`${name} is still being written: it changed while it was read; run again`)
}

/** Those of one kind that are read together: what one of them asks for, another one settles. */
const TOGETHER: Readonly<
  Record<
    "fec" | "datev",
    (files: ReadonlyArray<Seen>, settings: Settings) => Promise<(context: Context) => Iterable<Part>>
  >
> = {
  fec: async (files, settings) => {
    const found = await readFiles(files, settings)
    return (context) => partsOf(found, settings, context)
  },
  datev: async (files, settings) => {
    const found = await readBatches(files)
    return (context) => datevParts(found, settings, context)
  }
}

async function* readTogether(
  kind: "fec" | "datev",
  files: ReadonlyArray<Seen>,
  { context, now, settings }: Reading,
  parts: Array<string>,
  bookmark: () => Bookmark
): AsyncGenerator<Page> {
  const found = await TOGETHER[kind](files, settings)
  await settled(files, now)
  for (const { begins, ends, name, ...contents } of found(context)) {
    if (begins) parts.push(name)
    yield {
      ...contents,
      bookmark: bookmark(),
      scan: { name, ...(begins ? { begins } : {}), ...(ends ? { ends } : {}) }
    }
  }
}

async function* readSafts(
  files: ReadonlyArray<Seen>,
  { context: { first }, now, settings }: Reading,
  known: Map<string, Bookmark["files"][string]>,
  bookmark: () => Bookmark
): AsyncGenerator<Page> {
  for (const file of files) {
    const { look, name } = file
    let [begins, left] = [true, first ?? Infinity]
    for await (const { asOf, contents, isLast, isWhole } of readSaft(file, settings)) {
      const isCut = contents.read.length > left
      const read = isCut ? contents.read.slice(0, left) : contents.read
      left -= read.length
      if (isLast) await settled([file], now)
      const ends = isLast && isWhole && !isCut
      if (ends) known.set(name, { look, parts: [name] })
      yield {
        ...contents,
        read,
        bookmark: bookmark(),
        scan: {
          name,
          ...(begins ? { begins, ...(asOf === undefined ? {} : { copy: { asOf } }) } : {}),
          ...(ends ? { ends } : {})
        }
      }
      if (isCut) break
      begins = false
    }
  }
}

async function* read(
  settings: Settings,
  after: Bookmark | undefined,
  context: Context,
  now: number
): AsyncGenerator<Page> {
  const how = hash("sha256", JSON.stringify([READER, settings]), "base64url").slice(0, 12)
  const before = after?.how === how ? after.files : {}
  const files = await filesOf(settings, context, now)
  const isSame = ({ look, name }: Seen) => Looks.isSame(before[name]?.look, look)
  const of = (kind: LedgerKind) => files.filter((file) => file.kind === kind)
  const isRead = (file: Seen) => (file.kind === "saft-pt" ? !isSame(file) : !of(file.kind).every(isSame))
  const known = new Map(files.flatMap((file) => (isRead(file) ? [] : entryOf(file.name, before[file.name]))))
  const bookmark = (): Bookmark => ({ how, files: Object.fromEntries(known) })
  const unchanged = [...new Set([...known.values()].flatMap(({ parts }) => parts))]
  const gone = Object.keys(after?.files ?? {}).filter((name) => !files.some((file) => file.name === name))
  const notices = gone.map((origin) => ({ origin, what: "the file was removed; the documents read from it are kept" }))
  const reading = { settings, context, now }
  yield* readSafts(of("saft-pt").filter(isRead), reading, known, bookmark)
  for (const kind of ["fec", "datev"] as const) {
    const its = of(kind)
    if (!its.some(isRead)) continue
    const parts: Array<string> = []
    yield* readTogether(kind, its, reading, parts, bookmark)
    for (const { look, name } of its) known.set(name, { look, parts })
  }
  yield { read: [], quarantined: [], notices, bookmark: bookmark(), unchanged }
}

const entryOf = <A>(name: string, value: A | undefined): ReadonlyArray<readonly [string, A]> =>
  value === undefined ? [] : [[name, value]]

/** Bytes that take longer to read than a thread of its own takes to start. */
const HEAVY_BYTES = 1 << 23

const isHeavy = async (
  settings: Settings,
  after: Bookmark | undefined,
  context: Context,
  now: number
): Promise<boolean> =>
  (await filesOf(settings, context, now)).some(
    ({ look, name }) => Number(look.file.split(" ")[0]) >= HEAVY_BYTES && !Looks.isSame(after?.files[name]?.look, look)
  )

/** How many files `daybook doctor` looks into. */
const MOST_CHECKED = 20

/** What `daybook doctor` says: how many records wait for what. */
const checked = async (settings: Settings, context: Context): Promise<ReadonlyArray<string>> => {
  const files = await filesOf(settings, context, 0)
  const waiting = new Map<string, { readonly first: string; count: number }>()
  const wait = ({ quarantined }: Connector.PageContents) => {
    for (const { origin, why } of quarantined) {
      const one = waiting.get(why) ?? { first: origin, count: 0 }
      one.count++
      waiting.set(why, one)
    }
  }
  for (const kind of ["fec", "datev"] as const) {
    const found = await TOGETHER[kind](
      files.filter((file) => file.kind === kind),
      settings
    )
    for (const part of found({ folder: context.folder })) wait(part)
  }
  for (const file of files.filter(({ kind }) => kind === "saft-pt").slice(-MOST_CHECKED))
    for await (const { contents } of readSaft(file, settings)) wait(contents)
  return [...waiting].map(([why, { count, first }]) =>
    count === 1 ? `${first}: ${why}` : `${first} and ${count - 1} more: ${why}`
  )
}

const sourceError = diskError(unavailable)

export const ledger = Connector.make({
  name: "ledger",
  title: "Ledger and audit files: FEC (France), SAF-T (Portugal), DATEV EXTF (Germany, Austria)",
  capabilities: {
    kinds: ["invoice", "payment", "reversal", "credit_note"],
    onThisMachine: true,
    deletions: "complete scan",
    blindSpots: ["a removed file: the documents read from it are kept"],
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
    )
})
