/**
 * Lists the files that a configuration names, in reading order.
 */
import { existsSync, globSync, readdirSync, statSync } from "node:fs"
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

/** Files beside a single configured file that look like other copies of it, and that nothing reads. */
export const besides = (all: ReadonlyArray<File>, { folder }: Places): ReadonlyArray<Notice> => {
  const read = new Set(all.map(({ path }) => path))
  const single = all.filter(({ path, settings }) => path === resolve(folder, settings.path))
  return [...new Map(single.map((one) => [one.path, one])).values()].flatMap(({ name, path, place }) => {
    const stem = basename(path, extname(path))
    return readdirSync(dirname(path))
      .filter((one) => one.startsWith(stem) && extname(one) === extname(path))
      .filter(
        (one) => ANOTHER.test(basename(one, extname(one)).slice(stem.length)) && !read.has(join(dirname(path), one))
      )
      .toSorted()
      .map((one) => ({
        origin: one,
        what: `looks like another copy of ${name}, and is not read: if it is the newer one, put it in the place of ${name}; if both count, name the folder under source.${place}.path`
      }))
  })
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
