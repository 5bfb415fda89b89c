/** Lists the files of a folder of electronic invoices, and reads one: what it says, or why it cannot be used. */
import { readFile, stat } from "node:fs/promises"
import { extname } from "node:path"
import { type ConnectorContext, failing } from "../Connector.ts"
import { listed, type ListedFile } from "../Listed.ts"
import { MOST_BYTES, type Part, partsOf, textsOf } from "./Container.ts"
import { Refused, told } from "../Refused.ts"
import type { Facts, Nothing } from "./Facts.ts"
import { factsOf } from "./Roots.ts"
import { ENDINGS } from "./Kinds.ts"
import type { Settings } from "./Settings.ts"

export const { misconfigured, unavailable } = failing("einvoice")

export type File = ListedFile

export const list = ({ path }: Settings, places: Pick<ConnectorContext, "folder" | "folders">): ReadonlyArray<File> =>
  listed({ path, endings: ENDINGS, misconfigured }, places)

/** One invoice of a file. */
export interface Found {
  readonly facts: Facts | Nothing
  /** Its XML. */
  readonly text: string
}

/** Why a file, or an invoice in it, cannot be used. */
export interface Refusal extends Partial<Pick<Refused, "field" | "lines">> {
  readonly why: string
  readonly text: string
}

/** A file, or one within an archive or a mail. */
export interface Opened {
  /** With the names of what it is in before it. */
  readonly name: string
  readonly bytes: Buffer
  readonly found: ReadonlyArray<Found>
  readonly refused?: Refusal
}

/** A PDF may carry the invoice in two versions: the first is taken if both come to the same. */
const preferred = (found: ReadonlyArray<Found>, isPdf: boolean): ReadonlyArray<Found> => {
  if (!isPdf || found.length < 2) return found
  const [first, second] = found.map(({ facts }) => facts)
  if (first === undefined || second === undefined || "nothing" in first || "nothing" in second) return found.slice(0, 1)
  if (first.gross !== second.gross || first.number !== second.number || first.currency !== second.currency)
    throw new Refused("the PDF has two invoices attached that differ", undefined, "take out the one that is right")
  return found.slice(0, 1)
}

type How = Pick<Settings, "withheld">

const openPart = async ({ bytes, name, other, refused }: Part, { withheld }: How): Promise<Opened> => {
  if (other !== undefined) return { name, bytes, found: [{ facts: { nothing: other }, text: "" }] }
  if (refused !== undefined) return { name, bytes, found: [], refused: { why: refused, text: "" } }
  const ending = extname(name).toLowerCase()
  let text = ""
  try {
    const texts = await textsOf(bytes, ending)
    if (texts.length === 0)
      return { name, bytes, found: [{ facts: { nothing: "a PDF that no invoice is attached to" }, text }] }
    const found = texts.flatMap((xml) => {
      text = xml
      return factsOf(xml, withheld === "keep").map((facts) => ({ facts, text: xml }))
    })
    return { name, bytes, found: preferred(found, ending === ".pdf") }
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    const { field, lines, message } = cause
    return { name, bytes, found: [], refused: { why: message, text, field, lines } }
  }
}

/** Each file within a file, one at a time; the file itself, unless it is an archive or a mail. */
export async function* openBytes(name: string, bytes: Buffer, how: How): AsyncGenerator<Opened> {
  let isAny = false
  for (const part of partsOf(name, bytes)) {
    isAny = true
    yield await openPart(part, how)
  }
  if (!isAny)
    yield { name, bytes, found: [{ facts: { nothing: "an archive or a mail without any invoice" }, text: "" }] }
}

const TOO_LARGE = told(`it has more than ${MOST_BYTES / 2 ** 20} MB`, "split it")

export const bytesOf = async ({ path }: File): Promise<Buffer | undefined> => {
  const { size } = await stat(path)
  return size > MOST_BYTES ? undefined : readFile(path)
}

export async function* open({ name }: File, bytes: Buffer | undefined, how: How): AsyncGenerator<Opened> {
  if (bytes === undefined) yield { name, bytes: Buffer.alloc(0), found: [], refused: { why: TOO_LARGE, text: "" } }
  else yield* openBytes(name, bytes, how)
}
