/** Lists the files of a folder of electronic invoices, and reads one: what it says, or why it cannot be used. */
import { existsSync, globSync, statSync } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { basename, extname, join, relative, resolve, sep } from "node:path"
import { isOutside, OUTSIDE } from "../Confined.ts"
import { type ConnectorContext, failing } from "../Connector.ts"
import { MOST_BYTES, textsOf } from "./Container.ts"
import { type Facts, type Nothing, Refused } from "./Facts.ts"
import { factsOf } from "./Roots.ts"
import type { Settings } from "./Settings.ts"

export const { misconfigured, unavailable } = failing("einvoice")

export interface File {
  readonly path: string
  /** Relative to the configuration's folder, with forward slashes. */
  readonly name: string
}

const ENDINGS = [".xml", ".pdf", ".p7m", ".xsig"]

const isOurs = (path: string): boolean =>
  ENDINGS.includes(extname(path).toLowerCase()) &&
  !/^(?:~\$|\.)/.test(basename(path)) &&
  statSync(path, { throwIfNoEntry: false })?.isFile() === true

export const list = (
  { path: given }: Settings,
  { folder, folders }: Pick<ConnectorContext, "folder" | "folders">
): ReadonlyArray<File> => {
  const path = resolve(folder, given)
  const outside = (what: string) => misconfigured(`${what} ${OUTSIDE.what}`, OUTSIDE.hint)
  if (isOutside(path, folders)) throw outside(given)
  const there = existsSync(path)
  const found =
    there && !statSync(path).isDirectory()
      ? [path]
      : (there ? globSync("**/*", { cwd: path }) : globSync(given, { cwd: folder }))
          .map((name) => (there ? join(path, name) : resolve(folder, name)))
          .filter(isOurs)
  if (found.length === 0)
    throw misconfigured(
      `no file ending in ${ENDINGS.join(", ")} was found at ${path}`,
      "check source.path in the configuration; it is relative to the configuration's folder"
    )
  const astray = found.find((one) => isOutside(one, folders))
  if (astray !== undefined) throw outside(relative(folder, astray))
  return found.toSorted().map((path) => ({ path, name: relative(folder, path).split(sep).join("/") }))
}

/** One invoice of a file. */
export interface Found {
  readonly facts: Facts | Nothing
  /** Its XML. */
  readonly text: string
}

export interface Opened {
  readonly bytes: Buffer
  readonly found: ReadonlyArray<Found>
  readonly refused?: { readonly why: string; readonly field?: string; readonly text: string }
}

/** A PDF may carry the invoice in two versions: the first is taken if both come to the same. */
const preferred = (found: ReadonlyArray<Found>, isPdf: boolean): ReadonlyArray<Found> => {
  if (!isPdf || found.length < 2) return found
  const [first, second] = found.map(({ facts }) => facts)
  if (first === undefined || second === undefined || "nothing" in first || "nothing" in second) return found.slice(0, 1)
  if (first.gross !== second.gross || first.number !== second.number || first.currency !== second.currency)
    throw new Refused("the PDF has two invoices attached that differ")
  return found.slice(0, 1)
}

export const open = async ({ path }: File, { withheld }: Pick<Settings, "withheld">): Promise<Opened> => {
  const { size } = await stat(path)
  if (size > MOST_BYTES)
    return {
      bytes: Buffer.alloc(0),
      found: [],
      refused: { why: `it has more than ${MOST_BYTES / 2 ** 20} MB`, text: "" }
    }
  const bytes = await readFile(path)
  const ending = extname(path).toLowerCase()
  let text = ""
  try {
    const texts = await textsOf(bytes, ending)
    if (texts.length === 0)
      return { bytes, found: [{ facts: { nothing: "a PDF that no invoice is attached to" }, text }] }
    const found = texts.flatMap((xml) => {
      text = xml
      return factsOf(xml, withheld === "keep").map((facts) => ({ facts, text: xml }))
    })
    return { bytes, found: preferred(found, ending === ".pdf") }
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    const { field, message } = cause
    return { bytes, found: [], refused: { why: message, text, ...(field === undefined ? {} : { field }) } }
  }
}
