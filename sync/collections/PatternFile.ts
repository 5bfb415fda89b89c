/**
 * Finds the copy of a document among the user's own files: the path of a setting with its number or id filled in.
 * Whatever a source puts into a number, the path stays inside the configuration's folder, also with symbolic links.
 */
import { readFileSync, realpathSync, statSync } from "node:fs"
import { basename, isAbsolute, relative, resolve, sep } from "node:path"
import type { Invoice } from "../../connectors/Document.ts"

export type CopyResult =
  | { readonly name: string; readonly bytes: Uint8Array }
  /** `absent`: there is no such file. */
  | { readonly why: string; readonly absent?: true }

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Fills in literally: a `$` in a number has no special meaning. */
const filled = (pattern: string, { id, number }: Pick<Invoice, "id" | "number">): string =>
  pattern.replace(/\{(number|id)\}/g, (_, name: string) => (name === "id" ? id : number))

export const patternFile = (
  folder: string,
  pattern: string,
  invoice: Pick<Invoice, "id" | "number">,
  largest: number,
  setting = "cover.handover.documents"
): CopyResult => {
  const named = filled(pattern, invoice)
  const path = named.includes("\0") ? folder : resolve(folder, named)
  const outside = `${JSON.stringify(named)} is not in the configuration's folder; write ${setting} so that it is`
  if (!isInside(resolve(folder), path)) return { why: outside }
  try {
    if (!isInside(realpathSync(folder), realpathSync(path))) return { why: outside }
    const found = statSync(path)
    if (!found.isFile()) return { why: `${named} is not a file` }
    if (found.size > largest) {
      const why = `${named} has ${Math.ceil(found.size / 2 ** 20)} MB, and at most ${largest / 2 ** 20} MB can be handed over: make it smaller`
      return { why }
    }
    return { name: basename(path), bytes: readFileSync(path) }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return { why: `${named} was not found; add the file`, absent: true }
    return { why: `${named} cannot be read (${code ?? String(cause)})` }
  }
}
