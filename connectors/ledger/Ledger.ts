/**
 * Ledger and audit files that the law prescribes: the FEC of France. They state invoices, credit notes and payments, and which
 * payment settled which invoice, and no due dates.
 */
import { Clock, Effect, Stream } from "effect"
import { hash } from "node:crypto"
import * as Connector from "../Connector.ts"
import { listed, type ListedFile } from "../Listed.ts"
import * as Looks from "../Looks.ts"
import { misconfigured, unavailable } from "./Failures.ts"
import { partsOf, readFiles } from "./fec/Fec.ts"
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
      `no file at ${path} begins like a FEC`,
      "check source.path; the first line of a FEC names its columns"
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
  bookmark: (parts: ReadonlyArray<string>) => Bookmark
): AsyncGenerator<Page> {
  const found = await readFiles(files, settings)
  await settled(files, now)
  const parts: Array<string> = []
  for (const { begins, ends, name, ...contents } of partsOf(found, settings, context)) {
    if (begins) parts.push(name)
    yield {
      ...contents,
      bookmark: bookmark(parts),
      scan: { name, ...(begins ? { begins } : {}), ...(ends ? { ends } : {}) }
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
  const gone = Object.keys(after?.files ?? {}).filter((name) => !files.some((file) => file.name === name))
  const notices = gone.map((origin) => ({ origin, what: "the file was removed; the documents read from it are kept" }))
  const others = files.filter((file) => file.kind !== "fec" && isSame(file))
  const withFecs = (all: Readonly<Record<string, Bookmark["files"][string]>>): Bookmark => ({
    how,
    files: { ...Object.fromEntries(others.flatMap(({ name }) => entryOf(name, before[name]))), ...all }
  })
  if (fecs.every(isSame)) {
    const unchanged = [...new Set(fecs.flatMap(({ name }) => before[name]?.parts ?? []))]
    const bookmark = withFecs(Object.fromEntries(fecs.flatMap(({ name }) => entryOf(name, before[name]))))
    yield { read: [], quarantined: [], notices, bookmark, unchanged }
    return
  }
  // Until all of them were read, none of them was: the lettering of one year settles what another one asked for.
  let parts: ReadonlyArray<string> = []
  yield* readFecs(fecs, settings, context, now, (some) => {
    parts = some
    return withFecs({})
  })
  const bookmark = withFecs(Object.fromEntries(fecs.map(({ look, name }) => [name, { look, parts }])))
  yield { read: [], quarantined: [], notices, bookmark }
}

const entryOf = <A>(name: string, value: A | undefined): ReadonlyArray<readonly [string, A]> =>
  value === undefined ? [] : [[name, value]]

/** How many files `daybook doctor` looks into. */
const MOST_CHECKED = 20

/** What `daybook doctor` says: how many records wait for what. */
const checked = async (settings: Settings, context: Context): Promise<ReadonlyArray<string>> => {
  const files = await filesOf(settings, context, 0)
  const waiting = new Map<string, { readonly first: string; count: number }>()
  const found = await readFiles(files.filter(({ kind }) => kind === "fec").slice(-MOST_CHECKED), settings)
  for (const { quarantined } of partsOf(found, settings, {}))
    for (const { origin, why } of quarantined) {
      const one = waiting.get(why) ?? { first: origin, count: 0 }
      one.count++
      waiting.set(why, one)
    }
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
  title: "Ledger and audit files: FEC (France)",
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
