/**
 * Invoices, credit notes and payments in files: CSV, TSV, XLSX, JSON Lines.
 *
 * A file is a part: what it held when it was last read to its end and holds no longer has vanished. A file whose
 * content is as it was then is not read again. Files are read in the order of their names, invoices before credit
 * notes before payments; a pull that dies begins the file in hand anew.
 */
import { Effect, Schema, Stream } from "effect"
import { hash } from "node:crypto"
import { existsSync, globSync, statSync } from "node:fs"
import { extname, join, relative, resolve, sep } from "node:path"
import * as Connector from "../Connector.ts"
import { facts, stamp } from "./Bytes.ts"
import * as Csv from "./Csv.ts"
import * as Dates from "./Dates.ts"
import * as JsonLines from "./JsonLines.ts"
import * as Numerals from "./Numerals.ts"
import { find } from "./Cells.ts"
import * as Rows from "./Rows.ts"
import { Settings, type Stream as Name, type StreamSettings } from "./Settings.ts"
import { NotATable, type Row, type Table } from "./Table.ts"
import * as Workbook from "./Workbook.ts"

const ENDINGS = [".csv", ".tsv", ".xlsx", ".jsonl"]
const STREAMS = ["invoices", "credit_notes", "payments"] as const

/** By part (`invoices/2024.csv`): a digest of the content and of the settings that it was read with. */
const Bookmark = Schema.Struct({ files: Schema.Record(Schema.String, Schema.String) })
type Bookmark = typeof Bookmark.Type
type Page = Connector.Page<Bookmark>

const misconfigured = (what: string, hint: string) =>
  new Connector.SourceError({ connector: "files", reason: new Connector.Misconfigured({ what, hint }) })

const unreadable = (where: string, why: string) =>
  new Connector.SourceError({ connector: "files", reason: new Connector.Unreadable({ where, why }) })

interface File {
  readonly stream: Name
  readonly settings: StreamSettings
  readonly path: string
  /** Relative to the configuration's folder, with forward slashes. */
  readonly name: string
}

/** The files of every stream, in the order in which they are read. Throws a `SourceError`. */
const list = (settings: Settings, folder: string): ReadonlyArray<File> =>
  STREAMS.flatMap((stream) => {
    const one = settings[stream]
    if (one === undefined) return []
    const path = resolve(folder, one.path)
    const found =
      existsSync(path) && statSync(path).isDirectory()
        ? globSync(`**/*{${ENDINGS.join(",")}}`, { cwd: path }).map((name) => join(path, name))
        : existsSync(path)
          ? [path]
          : globSync(one.path, { cwd: folder }).map((name) => resolve(folder, name))
    if (found.length === 0) {
      throw misconfigured(
        `${stream}: there is no file at ${path}`,
        "check source." + stream + ".path in the configuration; it is relative to the configuration's folder"
      )
    }
    return found
      .toSorted()
      .map((path) => ({ stream, settings: one, path, name: relative(folder, path).split(sep).join("/") }))
  })

const openTable = async (
  { name, path, settings }: File,
  { encoding, mark }: { readonly encoding: Csv.Source["encoding"]; readonly mark: number }
): Promise<Table> => {
  const source = { path, encoding: settings.encoding ?? encoding, mark }
  switch (extname(path).toLowerCase()) {
    case ".csv":
      return Csv.open({ ...source, separator: settings.separator })
    case ".tsv":
      return Csv.open({ ...source, separator: settings.separator ?? "\t" })
    case ".jsonl":
      return JsonLines.open(source, asked(settings))
    case ".xlsx":
      return Workbook.open(path, settings.sheet)
    default:
      throw misconfigured(`${name} ends in none of ${ENDINGS.join(", ")}`, "rename it, or name another path")
  }
}

/** Every column that the settings name, by the file's names. */
const asked = (settings: StreamSettings): ReadonlyArray<string> => [
  ...Object.values(settings.columns as Record<string, string>),
  ...Object.values("metadata" in settings ? (settings.metadata ?? {}) : {})
]

const checkColumns = ({ name, settings, stream }: File, header: ReadonlyArray<string>): void => {
  const ours = settings.columns as Record<string, string>
  for (const [field, column] of Object.entries(ours)) {
    if (find(header, column) >= 0) continue
    throw misconfigured(
      `${name} has no column ${JSON.stringify(column)}, which source.${stream}.columns.${field} asks for; it has ${header.map((one) => JSON.stringify(one)).join(", ")}`,
      "correct the configuration, or the file's header"
    )
  }
}

/** The decimal mark of a file: as set, or as its first rows leave no doubt, or a point. */
const markFor = ({ settings }: File, header: ReadonlyArray<string>, rows: ReadonlyArray<Row>): Numerals.Mark => {
  if (settings.decimal !== undefined) return settings.decimal
  const columns = settings.columns as Record<string, string | undefined>
  const at = ["net", "gross", "amount"].flatMap((field) =>
    columns[field] === undefined ? [] : [find(header, columns[field])]
  )
  return Numerals.markOf(rows.flatMap((row) => at.map((index) => (row.cells[index] ?? "").trim()))) ?? "."
}

/** A wrong format is told from wrong rows: most of a file's first rows fail on a date. */
const checkDates = (
  { name, settings, stream }: File,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>,
  bad: number
): void => {
  if (bad < 2 || bad * 2 < rows.length) return
  const columns = settings.columns as Record<string, string | undefined>
  const column = columns["issued"] ?? columns["date"]!
  const values = rows.map((row) => row.cells[find(header, column)]?.trim() ?? "").filter((value) => value !== "")
  const fitting = Dates.suggest(values)
  throw misconfigured(
    `${name}: ${bad} of the first ${rows.length} rows have dates that are not written ${settings.date_format ?? "yyyy-MM-dd"} (${JSON.stringify(column)} says ${JSON.stringify(values[0] ?? "")})`,
    fitting.length === 0
      ? `set source.${stream}.date_format to how they are written, like "d/M/yyyy"`
      : `set source.${stream}.date_format to ${fitting.map((one) => JSON.stringify(one)).join(" or ")}`
  )
}

async function* read(settings: Settings, after: Bookmark | undefined, folder: string): AsyncGenerator<Page> {
  const files: Record<string, string> = { ...after?.files }
  const all = list(settings, folder)
  const parts = new Set(all.map(({ name, stream }) => `${stream}/${name}`))
  const lost = Object.keys(files).filter((part) => !parts.has(part))
  for (const part of lost) delete files[part]
  if (lost.length > 0) {
    yield {
      read: [],
      setAside: [],
      notices: lost.map((part) => ({ origin: part, what: "the file is no longer there; what was read of it is kept" })),
      bookmark: { files: { ...files } },
      part: { name: lost[0]! }
    }
  }
  const unchanged: Array<string> = []
  for (const file of all) {
    const part = `${file.stream}/${file.name}`
    const content = await facts(file.path)
    const digest = `${content.digest} ${hash("sha1", JSON.stringify(file.settings), "base64url")}`
    if (files[part] === digest) unchanged.push(part)
    else yield* readFile(file, part, digest, content, files)
  }
  if (unchanged.length > 0) yield { read: [], setAside: [], bookmark: { files: { ...files } }, unchanged }
}

async function* readFile(
  file: File,
  part: string,
  digest: string,
  content: Awaited<ReturnType<typeof facts>>,
  files: Record<string, string>
): AsyncGenerator<Page> {
  const before = await stamp(file.path)
  const table = await openTable(file, content)
  checkColumns(file, table.header)
  let decode: ((rows: ReadonlyArray<Row>) => Rows.Batch) | undefined
  for await (const rows of table.rows) {
    const first = decode === undefined
    decode ??= Rows.compile(file.stream, file.settings, {
      file: file.name,
      header: table.header,
      typed: table.typed,
      mark: markFor(file, table.header, rows)
    })
    const { badDates, notices, read, setAside } = decode(rows)
    if (first) checkDates(file, table.header, rows, badDates)
    if (
      first &&
      content.encoding === "windows-1252" &&
      file.settings.encoding === undefined &&
      extname(file.path) !== ".xlsx"
    ) {
      notices.push({
        origin: file.name,
        what: "it is not UTF-8; it was read as windows-1252 (set encoding if that is wrong)"
      })
    }
    yield {
      read,
      setAside,
      notices,
      bookmark: { files: { ...files } },
      part: { name: part, ...(first ? { begins: true } : {}) }
    }
  }
  if ((await stamp(file.path)) !== before) {
    throw new Connector.SourceError({
      connector: "files",
      reason: new Connector.Unreachable({
        why: `${file.name} was written to while it was read; run again when it is complete`
      })
    })
  }
  files[part] = digest
  yield {
    read: [],
    setAside: [],
    bookmark: { files: { ...files } },
    part: { name: part, ends: true, ...(decode === undefined ? { begins: true } : {}) }
  }
}

const sourceError = (cause: unknown): Connector.SourceError => {
  if (cause instanceof Connector.SourceError) return cause
  if (cause instanceof NotATable) return unreadable("the file", cause.message)
  const { code, message, path } = cause as NodeJS.ErrnoException
  if (code === "EACCES" || code === "ENOENT")
    return misconfigured(`${path ?? "a file"} cannot be read (${code})`, "check the path and its permissions")
  return unreadable(path ?? "a file", message)
}

export const files = Connector.make({
  name: "files",
  title: "CSV, TSV, XLSX and JSON Lines",
  capabilities: {
    kinds: ["invoice", "payment", "reversal", "credit_note"],
    deletions: "complete scan",
    blindSpots: ["a file that is removed: what was read of it is kept"]
  },
  settings: Settings,
  bookmark: Bookmark,
  check: (settings, { folder }) =>
    Effect.tryPromise({
      try: async () => {
        for (const file of list(settings, folder))
          checkColumns(file, (await openTable(file, await facts(file.path))).header)
        return []
      },
      catch: sourceError
    }),
  pull: (settings, after, { folder }) => Stream.fromAsyncIterable(read(settings, after, folder), sourceError)
})
