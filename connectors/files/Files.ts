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
import { basename, extname, join, relative, resolve, sep } from "node:path"
import * as Connector from "../Connector.ts"
import { facts, stamp } from "./Bytes.ts"
import * as Csv from "./Csv.ts"
import * as Dates from "./Dates.ts"
import * as JsonLines from "./JsonLines.ts"
import { find } from "./Cells.ts"
import * as Numerals from "./Numerals.ts"
import * as Rows from "./Rows.ts"
import { Settings, type Stream as Name, type StreamSettings } from "./Settings.ts"
import type { Row, Table } from "./Table.ts"
import * as Workbook from "./Workbook.ts"

/** Part of every digest: raised when the same bytes are read in another way, so that all is read once more. */
const READER = 2

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

/** A file, and none that a program keeps beside an open one (`~$books.xlsx`, `.~lock.books.csv#`). */
const isOurs = (path: string): boolean => !/^(?:~\$|\.)/.test(basename(path)) && statSync(path).isFile()

/** The files of every stream, in the order in which they are read. Throws a `SourceError`. */
const list = (settings: Settings, folder: string): ReadonlyArray<File> =>
  STREAMS.flatMap((stream) => {
    const one = settings[stream]
    if (one === undefined) return []
    const path = resolve(folder, one.path)
    const there = existsSync(path)
    const isFolder = there && statSync(path).isDirectory()
    const found = isFolder
      ? globSync("**/*", { cwd: path })
          .map((name) => join(path, name))
          .filter((name) => ENDINGS.includes(extname(name).toLowerCase()) && isOurs(name))
      : there
        ? [path]
        : globSync(one.path, { cwd: folder })
            .map((name) => resolve(folder, name))
            .filter(isOurs)
    if (found.length === 0) {
      throw misconfigured(
        `${stream}: there is no ${isFolder ? `file that ends in ${ENDINGS.join(", ")} in` : "file at"} ${path}`,
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
      return JsonLines.open(source, Rows.columnsOf(settings))
    case ".xlsx":
      return Workbook.open(path, settings.sheet)
    default:
      throw misconfigured(`${name} ends in none of ${ENDINGS.join(", ")}`, "rename it, or name another path")
  }
}

const NEEDED = ["id", "customer", "issued", "due", "invoice", "date", "amount"]

/** Every column is there. Answers what is odd about them. */
const checkColumns = ({ name, path, settings, stream }: File, { absent, header }: Table): ReadonlyArray<string> => {
  const ours = Object.entries(settings.columns as Record<string, string>).map(([field, column]) => [
    "columns",
    field,
    column
  ])
  const extras = Object.entries("metadata" in settings ? (settings.metadata ?? {}) : {})
  const odd: Array<string> = []
  const repeated = extname(path).toLowerCase() === ".jsonl" ? [] : header.filter((one, n) => header.indexOf(one) < n)
  for (const [map, field, column] of [...ours, ...extras.map((one) => ["metadata", ...one])] as Array<
    [string, string, string]
  >) {
    const asks = `${JSON.stringify(column)}, which source.${stream}.${map}.${field} asks for`
    const listed = (names: ReadonlyArray<string>) => names.map((one) => JSON.stringify(one)).join(", ")
    if (find(header, column) < 0) {
      throw misconfigured(
        `${name} has no column ${asks}; it has ${listed(header)}`,
        "correct the configuration, or the file's header"
      )
    }
    if (absent?.columns.includes(column)) {
      if (map === "columns" && NEEDED.includes(field)) {
        throw misconfigured(
          `${name} has no member ${asks}; its records have ${listed(absent.there)}`,
          "correct the configuration, or the file"
        )
      }
      odd.push(`its first records have no ${asks}; they have ${listed(absent.there)}`)
    }
    if (repeated.includes(column)) odd.push(`it has several columns ${asks}; the first is read`)
  }
  return odd
}

/** The decimal mark of a file: as set, or as its first rows leave no doubt. */
const markFor = (
  { settings }: File,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>
): Numerals.Mark | undefined => {
  if (settings.decimal !== undefined) return settings.decimal
  const columns = settings.columns as Record<string, string | undefined>
  const at = ["net", "gross", "amount"].flatMap((field) =>
    columns[field] === undefined ? [] : [find(header, columns[field])]
  )
  const texts = rows.flatMap(({ cells, numbers }) =>
    at.flatMap((index) => (numbers?.[index] === true ? [] : [(cells[index] ?? "").trim()]))
  )
  return Numerals.markOf(texts)
}

/** A wrong format is told from wrong rows: most of a file's first rows fail on a date. */
const checkDates = ({ name, settings, stream }: File, rows: number, bad: Rows.Batch["badDates"]): void => {
  if (bad.length < 2 || bad.length * 2 < rows) return
  const { column, text } = bad[0]!
  const fitting = Dates.suggest(bad.map((one) => one.text))
  throw misconfigured(
    `${name}: ${bad.length} of the first ${rows} rows have dates that are not written ${settings.date_format ?? "yyyy-MM-dd"} (${JSON.stringify(column)} says ${JSON.stringify(text)})`,
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
    const digest = `${READER} ${content.digest} ${hash("sha1", JSON.stringify(file.settings), "base64url")}`
    if (files[part] === digest) unchanged.push(part)
    else {
      try {
        yield* readFile(file, part, digest, content, files)
      } catch (cause) {
        throw sourceError(cause, file.name)
      }
    }
  }
  if (unchanged.length > 0) yield { read: [], setAside: [], bookmark: { files: { ...files } }, unchanged }
}

const encodingOddities = ({ path, settings }: File, { encoding }: Content): ReadonlyArray<string> =>
  encoding !== "windows-1252" || extname(path).toLowerCase() === ".xlsx"
    ? []
    : settings.encoding === undefined
      ? ["it is not UTF-8; it was read as windows-1252 (set encoding if that is wrong)"]
      : settings.encoding === "utf-8"
        ? ["it is not UTF-8, which encoding says; characters are lost (leave encoding out, or correct it)"]
        : []

type Content = Awaited<ReturnType<typeof facts>>

async function* readFile(
  file: File,
  part: string,
  digest: string,
  content: Content,
  files: Record<string, string>
): AsyncGenerator<Page> {
  const before = await stamp(file.path)
  const table = await openTable(file, content)
  const odd = [...checkColumns(file, table), ...encodingOddities(file, content)]
  let decode: ((rows: ReadonlyArray<Row>) => Rows.Batch) | undefined
  for await (const rows of table.rows) {
    const first = decode === undefined
    decode ??= Rows.compile(file.stream, file.settings, {
      file: file.name,
      table,
      mark: markFor(file, table.header, rows)
    })
    const { badDates, notices, read, setAside } = decode(rows)
    if (first) {
      checkDates(file, rows.length, badDates)
      for (const what of odd) notices.push({ origin: file.name, what })
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
    throw unreachable(`${file.name} was written to while it was read; run again when it is complete`)
  }
  files[part] = digest
  yield {
    read: [],
    setAside: [],
    bookmark: { files: { ...files } },
    part: { name: part, ends: true, ...(decode === undefined ? { begins: true } : {}) }
  }
}

const unreachable = (why: string) =>
  new Connector.SourceError({ connector: "files", reason: new Connector.Unreachable({ why }) })

const sourceError = (cause: unknown, name = "a file"): Connector.SourceError => {
  if (cause instanceof Connector.SourceError) return cause
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === "EACCES" || code === "EPERM")
    return misconfigured(`${name} cannot be read (${code})`, "check its permissions")
  if (code === "ENOENT") return unreachable(`${name} went away while it was read; run again`)
  if (code === "EBUSY" || code === "EIO") return unreachable(`${name} cannot be read now (${code})`)
  return unreadable(name, message)
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
          try {
            checkColumns(file, await openTable(file, await facts(file.path)))
          } catch (cause) {
            throw sourceError(cause, file.name)
          }
        return []
      },
      catch: (cause) => sourceError(cause)
    }),
  pull: (settings, after, { folder }) =>
    Stream.fromAsyncIterable(read(settings, after, folder), (cause) => sourceError(cause))
})
