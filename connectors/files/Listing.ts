/**
 * Lists the files that a configuration names, in reading order.
 */
import { closeSync, existsSync, globSync, openSync, readdirSync, readSync, statSync } from "node:fs"
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path"
import { isOutside, OUTSIDE } from "../Confined.ts"
import type { ConnectorContext, Notice } from "../Connector.ts"
import { periodOf } from "./Copies.ts"
import { misconfigured } from "./Failures.ts"
import { BANK_ENDINGS } from "./bank/Formats.ts"
import { type Entry, entries, type Settings, TABLES } from "./Settings.ts"

export interface File extends Entry {
  readonly path: string
  /** Path relative to the configuration's folder, with forward slashes. */
  readonly name: string
  /** Extension, in lower case, with the dot. */
  readonly ending: string
}

/** Excludes the lock files that programs keep beside an open file (`~$books.xlsx`, `.~lock.books.csv#`). */
const isOurs = (path: string): boolean =>
  !/^(?:~\$|\.)/.test(basename(path)) && statSync(path, { throwIfNoEntry: false })?.isFile() === true

export type Places = Pick<ConnectorContext, "folder" | "folders">

/** Every file of every stream. Throws a `SourceError` if a stream has none, or one that may not be read. */
export const list = (settings: Settings, places: Places): ReadonlyArray<File> =>
  entries(settings).flatMap((entry) => listEntry(entry, places))

/** Names that a browser or a desk gives to another copy of a file: `books (1).csv`, `books - Copy.csv`. */
const ANOTHER = /^ ?(?:\(\d{1,3}\)|[-–] ?(?:copy|kopie|copie|copia|kopia).*)$/iu

/** How much of a file is looked at to find its headings and first rows, and in how many files of a folder. */
const LOOKED_BYTES = 16_384
const MOST_BESIDE = 100

interface Beginning {
  readonly head: string
  /** The first two cells of its first rows. */
  readonly rows: ReadonlySet<string>
}

/** How a text file begins, from the line with its headings on; undefined if there is none. */
const beginningOf = (path: string, line: number): Beginning | undefined => {
  if (!isOurs(path)) return undefined
  const file = openSync(path, "r")
  try {
    const bytes = Buffer.alloc(LOOKED_BYTES)
    const lines = bytes.toString("latin1", 0, readSync(file, bytes, 0, LOOKED_BYTES, 0)).split(/\r\n?|\n/)
    const head = lines[line - 1]?.trim() ?? ""
    const separator = /[,;\t|]/.exec(head)?.[0]
    if (separator === undefined) return undefined
    const rows = lines.slice(line).flatMap((row) => {
      const cells = row.split(separator)
      return cells.length > 2 ? [cells.slice(0, 2).join(separator)] : []
    })
    return { head, rows: new Set(rows) }
  } finally {
    closeSync(file)
  }
}

type Begins = (path: string, line: number) => Beginning | undefined

/** Files beside a single configured file that nothing reads: those that are called like a copy of it, and those that begin like it. */
export const besides = (all: ReadonlyArray<File>, { folder }: Places): ReadonlyArray<Notice> => {
  const read = new Set(all.map(({ path }) => path))
  const single = all.filter((one) => one.bank === undefined && one.path === resolve(folder, one.settings.path))
  const known = new Map<string, Beginning | undefined>()
  const begins: Begins = (path, line) => {
    const key = `${path}:${line}`
    if (!known.has(key)) known.set(key, beginningOf(path, line))
    return known.get(key)
  }
  return [...new Map(single.map((one) => [one.path, one])).values()].flatMap((file) => besidesOf(file, read, begins))
}

const besidesOf = (
  { ending, name, path, place, settings }: File,
  read: ReadonlySet<string>,
  begins: Begins
): ReadonlyArray<Notice> => {
  const [stem, line] = [basename(path, extname(path)), settings.header_row ?? 1]
  const own = ending === ".csv" || ending === ".tsv" ? begins(path, line) : undefined
  const isCopy = (one: string) => one.startsWith(stem) && ANOTHER.test(basename(one, extname(one)).slice(stem.length))
  const isAlike = (one: string) => {
    const other = own === undefined ? undefined : begins(join(dirname(path), one), line)
    return other?.head === own?.head && [...(other?.rows ?? [])].some((row) => own?.rows.has(row))
  }
  return readdirSync(dirname(path))
    .filter((one) => extname(one).toLowerCase() === ending && !read.has(join(dirname(path), one)))
    .slice(0, MOST_BESIDE)
    .toSorted()
    .filter((one) => isCopy(one) || isAlike(one))
    .map((one) => ({
      origin: one,
      what: `${isCopy(one) ? "looks like another copy of" : "begins like"} ${name}, and is not read: if it is the newer one, put it in the place of ${name}; if both count, name the folder under source.${place}.path`
    }))
}

const listEntry = (entry: Entry, { folder, folders }: Places): ReadonlyArray<File> => {
  const { bank, place, settings, stream } = entry
  const outside = (what: string) => misconfigured(`${stream}: ${what} ${OUTSIDE.what}`, OUTSIDE.hint)
  const endings = bank === undefined ? TABLES : BANK_ENDINGS
  const path = resolve(folder, settings.path)
  if (isOutside(path, folders)) throw outside(settings.path)
  const there = existsSync(path)
  const isFolder = there && statSync(path).isDirectory()
  const found = isFolder
    ? globSync("**/*", { cwd: path })
        .map((name) => join(path, name))
        .filter((name) => endings.includes(extname(name).toLowerCase()) && isOurs(name))
    : there
      ? [path]
      : globSync(settings.path, { cwd: folder })
          .map((name) => resolve(folder, name))
          .filter(isOurs)
  if (found.length === 0) {
    throw misconfigured(
      `${stream}: there is no ${isFolder ? `file that ends in ${endings.join(", ")} in` : "file at"} ${path}`,
      `check source.${place}.path in the configuration; it is relative to the configuration's folder`
    )
  }
  const astray = found.find((one) => isOutside(one, folders))
  if (astray !== undefined) throw outside(relative(folder, astray))
  const all = found.toSorted()
  return (settings.files === "newest" ? newest(all, place) : all).map((path) => ({
    ...entry,
    path,
    name: relative(folder, path).split(sep).join("/"),
    ending: extname(path).toLowerCase()
  }))
}

/** The file whose name has the latest date. */
const newest = (paths: ReadonlyArray<string>, place: string): ReadonlyArray<string> => {
  const dated = paths.map((path) => ({ path, asOf: periodOf(path)?.asOf ?? "" }))
  const without = dated.find(({ asOf }) => asOf === "")
  if (without !== undefined)
    throw misconfigured(
      `${basename(without.path)} has no date in its name`,
      `name each export like export-2026-11-24.csv, or leave out source.${place}.files`
    )
  return [dated.reduce((a, b) => (b.asOf >= a.asOf ? b : a)).path]
}
