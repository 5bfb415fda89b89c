/**
 * The files that a configuration names, in the order in which they are read.
 */
import { existsSync, globSync, statSync } from "node:fs"
import { basename, extname, join, relative, resolve, sep } from "node:path"
import { misconfigured } from "./Failures.ts"
import { type Settings, type Stream, STREAMS, type StreamSettings } from "./Settings.ts"

export const ENDINGS = [".csv", ".tsv", ".xlsx", ".jsonl"]

export interface File {
  readonly stream: Stream
  readonly settings: StreamSettings
  readonly path: string
  /** Relative to the configuration's folder, with forward slashes. */
  readonly name: string
  /** In lower case, with its point. */
  readonly ending: string
}

/** A file, and none that a program keeps beside an open one (`~$books.xlsx`, `.~lock.books.csv#`). */
const isOurs = (path: string): boolean =>
  !/^(?:~\$|\.)/.test(basename(path)) && statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Every file of every stream. Throws a `SourceError` where a stream has none. */
export const list = (settings: Settings, folder: string): ReadonlyArray<File> =>
  STREAMS.flatMap((stream) => listStream(settings, stream, folder))

const listStream = (settings: Settings, stream: Stream, folder: string): ReadonlyArray<File> => {
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
      `check source.${stream}.path in the configuration; it is relative to the configuration's folder`
    )
  }
  return found.toSorted().map((path) => ({
    stream,
    settings: one,
    path,
    name: relative(folder, path).split(sep).join("/"),
    ending: extname(path).toLowerCase()
  }))
}
