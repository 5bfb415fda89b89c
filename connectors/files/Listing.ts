/**
 * Lists the files that a configuration names, in reading order.
 */
import { existsSync, globSync, statSync } from "node:fs"
import { basename, extname, join, relative, resolve, sep } from "node:path"
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

/** Every file of every stream. Throws a `SourceError` if a stream has none. */
export const list = (settings: Settings, folder: string): ReadonlyArray<File> =>
  entries(settings).flatMap((entry) => listEntry(entry, folder))

const listEntry = (entry: Entry, folder: string): ReadonlyArray<File> => {
  const { bank, place, settings, stream } = entry
  const endings = bank === undefined ? TABLES : BANK_ENDINGS
  const path = resolve(folder, settings.path)
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
  return found.toSorted().map((path) => ({
    ...entry,
    path,
    name: relative(folder, path).split(sep).join("/"),
    ending: extname(path).toLowerCase()
  }))
}
