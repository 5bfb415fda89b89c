/** Lists the files of a setting `path`: a file, a folder or a glob, relative to the configuration's folder. */
import { existsSync, globSync, statSync } from "node:fs"
import { basename, extname, join, relative, resolve, sep } from "node:path"
import { isOutside, OUTSIDE } from "./Confined.ts"
import { type ConnectorContext, SourceError } from "./Connector.ts"

export interface ListedFile {
  readonly path: string
  /** Relative to the configuration's folder, with forward slashes. */
  readonly name: string
}

export interface Listing {
  readonly path: string
  /** How the names of files end that are read from a folder. */
  readonly endings: ReadonlyArray<string>
  readonly misconfigured: (what: string, hint: string) => SourceError
}

const isRead = (path: string, endings: ReadonlyArray<string>): boolean =>
  endings.includes(extname(path).toLowerCase()) &&
  !/^(?:~\$|\.)/.test(basename(path)) &&
  statSync(path, { throwIfNoEntry: false })?.isFile() === true

export const listed = (
  { endings, misconfigured, path: given }: Listing,
  { folder, folders }: Pick<ConnectorContext, "folder" | "folders">
): ReadonlyArray<ListedFile> => {
  const path = resolve(folder, given)
  const outside = (what: string) => misconfigured(`${what} ${OUTSIDE.what}`, OUTSIDE.hint)
  if (isOutside(path, folders)) throw outside(given)
  const there = existsSync(path)
  const found =
    there && !statSync(path).isDirectory()
      ? [path]
      : (there ? globSync("**/*", { cwd: path }) : globSync(given, { cwd: folder }))
          .map((name) => (there ? join(path, name) : resolve(folder, name)))
          .filter((one) => isRead(one, endings))
  if (found.length === 0)
    throw misconfigured(
      `no file ending in ${endings.join(", ")} was found at ${path}`,
      "check source.path in the configuration; it is relative to the configuration's folder"
    )
  const astray = found.find((one) => isOutside(one, folders))
  if (astray !== undefined) throw outside(relative(folder, astray))
  return found.toSorted().map((one) => ({ path: one, name: relative(folder, one).split(sep).join("/") }))
}

/** What became of reading a listed file, as the source's failure: anything that is none yet came from the disk. */
export const diskError =
  (unavailable: (why: string) => SourceError) =>
  (cause: unknown): SourceError =>
    cause instanceof SourceError
      ? cause
      : unavailable(
          `a file gave no data (${(cause as NodeJS.ErrnoException).code ?? (cause as Error).message}); run again`
        )
