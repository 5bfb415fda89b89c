/**
 * Ledger and audit files that the law prescribes: the FEC of France, SAF-T of Portugal. They state invoices, credit notes and payments, and which
 * payment settled which invoice, and no due dates.
 */
import { Clock, Effect, Stream } from "effect"
import { hash } from "node:crypto"
import * as Connector from "../Connector.ts"
import { listed, type ListedFile } from "../Listed.ts"
import * as Looks from "../Looks.ts"
import { misconfigured, unavailable } from "./Failures.ts"
import { partsOf, readFiles } from "./fec/Fec.ts"
import { readSaft } from "./saft/SaftPt.ts"
import { ENDINGS, kindOf, type LedgerKind } from "./Kinds.ts"
import { Bookmark } from "./Known.ts"
import { Settings } from "./Settings.ts"

type Page = Connector.Page<Bookmark>
type Context = Connector.ConnectorContext

/** Raise it when the same bytes are decoded differently, so that all files are read again. */
const READER = 1

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
      `no file at ${path} begins like a FEC or a SAF-T PT`,
      "check source.path; the first line of a FEC names its columns, and a SAF-T PT is XML"
    )
  return found
}

/** Fails if a file changed while it was read. */
const settled = async (files: ReadonlyArray<Seen>, now: number): Promise<void> => {
  for (const { look, name, path } of files)
    if ((await Looks.look(path, now)).file !== look.file)
      throw unavailable(`${name} is still being written: it changed while it was read; run again`)
}

async function* readFecs(
  files: ReadonlyArray<Seen>,
  settings: Settings,
  context: Context,
  now: number,
  parts: Array<string>,
  bookmark: () => Bookmark
): AsyncGenerator<Page> {
  const found = await readFiles(files, settings)
  await settled(files, now)
  for (const { begins, ends, name, ...contents } of partsOf(found, settings, context)) {
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
  settings: Settings,
  { first }: Context,
  now: number,
  known: Map<string, Bookmark["files"][string]>,
  bookmark: () => Bookmark
): AsyncGenerator<Page> {
  for (const file of files) {
    const { look, name } = file
    let [begins, left] = [true, first ?? Infinity]
    for await (const { contents, isLast, isWhole } of readSaft(file, settings)) {
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
        scan: { name, ...(begins ? { begins } : {}), ...(ends ? { ends } : {}) }
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
  const fecs = files.filter(({ kind }) => kind === "fec")
  // The lettering of one year settles what another one asked for: all FECs are read, or none.
  const isRead = (file: Seen) => (file.kind === "fec" ? !fecs.every(isSame) : !isSame(file))
  const known = new Map(files.flatMap((file) => (isRead(file) ? [] : entryOf(file.name, before[file.name]))))
  const bookmark = (): Bookmark => ({ how, files: Object.fromEntries(known) })
  const unchanged = [...new Set([...known.values()].flatMap(({ parts }) => parts))]
  const gone = Object.keys(after?.files ?? {}).filter((name) => !files.some((file) => file.name === name))
  const notices = gone.map((origin) => ({ origin, what: "the file was removed; the documents read from it are kept" }))
  yield* readSafts(
    files.filter((file) => file.kind === "saft-pt" && isRead(file)),
    settings,
    context,
    now,
    known,
    bookmark
  )
  if (fecs.some(isRead)) {
    const parts: Array<string> = []
    yield* readFecs(fecs, settings, context, now, parts, bookmark)
    for (const { look, name } of fecs) known.set(name, { look, parts })
  }
  yield { read: [], quarantined: [], notices, bookmark: bookmark(), unchanged }
}

const entryOf = <A>(name: string, value: A | undefined): ReadonlyArray<readonly [string, A]> =>
  value === undefined ? [] : [[name, value]]

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
  const found = await readFiles(
    files.filter(({ kind }) => kind === "fec"),
    settings
  )
  for (const part of partsOf(found, settings, {})) wait(part)
  for (const file of files.filter(({ kind }) => kind === "saft-pt").slice(-MOST_CHECKED))
    for await (const { contents } of readSaft(file, settings)) wait(contents)
  return [...waiting].map(([why, { count, first }]) =>
    count === 1 ? `${first}: ${why}` : `${first} and ${count - 1} more: ${why}`
  )
}

const sourceError = (cause: unknown): Connector.SourceError =>
  cause instanceof Connector.SourceError
    ? cause
    : unavailable(
        `a file gave no data (${(cause as NodeJS.ErrnoException).code ?? (cause as Error).message}); run again`
      )

export const ledger = Connector.make({
  name: "ledger",
  title: "Ledger and audit files: FEC (France), SAF-T (Portugal)",
  capabilities: {
    kinds: ["invoice", "payment", "reversal", "credit_note"],
    onThisMachine: true,
    deletions: "complete scan",
    blindSpots: ["a removed file: the documents read from it are kept"],
    firstOfEach: true
  },
  settings: Settings,
  bookmark: Bookmark,
  check: (settings, context) => Effect.tryPromise({ try: () => checked(settings, context), catch: sourceError }),
  pull: (settings, after, context) =>
    Clock.currentTimeMillis.pipe(
      Effect.map((now) => Stream.fromAsyncIterable(read(settings, after, context, now), sourceError)),
      Stream.unwrap
    )
})
