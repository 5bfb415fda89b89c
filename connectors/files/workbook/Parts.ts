/**
 * The parts of a workbook beside its sheets: which sheets there are and where, the strings that cells share, and which formats
 * of numbers are dates.
 */
import type { Archive } from "./Archive.ts"
import { attribute, type Handler, prefixed, scanner } from "./Markup.ts"
import { type NumberFormat, numberFormat } from "./NumberFormat.ts"
import { NotATable } from "../Table.ts"
import { TextItem } from "./TextItem.ts"

/** Sheets that a workbook may have. */
const MOST_SHEETS = 256

/** What the strings of a workbook may take in memory, and one of them beside its characters. */
const LARGEST_STRINGS = 2 ** 28
const STRING_BYTES = 40

export interface Contents {
  readonly sheets: ReadonlyArray<{
    readonly name: string
    readonly part: string | undefined
    readonly isHidden: boolean
  }>
  readonly is1904: boolean
  readonly strings: string | undefined
  readonly styles: string | undefined
}

const ignored = () => {}

/** Reads a part, if it is there. */
const read = async (archive: Archive, name: string | undefined, handler: Partial<Handler>): Promise<void> => {
  if (name === undefined) return
  const { close = ignored, open = ignored, text = ignored } = handler
  const scan = scanner({ close, open, text })
  for await (const piece of archive.text(name)) scan(piece)
}

interface Relationship {
  readonly id: string
  readonly type: string
  readonly target: string
}

/** What a part refers to, by paths from the archive's root. */
const relationships = async (archive: Archive, part: string): Promise<ReadonlyArray<Relationship>> => {
  const slash = part.lastIndexOf("/") + 1
  const found: Array<Relationship> = []
  await read(archive, archive.find(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`), {
    open: (name, attributes) => {
      const target = attribute(attributes, "Target")
      if (name !== "Relationship" || target === undefined) return
      const [id = "", type = ""] = [attribute(attributes, "Id"), attribute(attributes, "Type")]
      found.push({ id, type, target: resolved(part.slice(0, slash), target) })
    }
  })
  return found
}

const resolved = (folder: string, target: string): string => {
  const path: Array<string> = []
  for (const step of (target.startsWith("/") ? target : folder + target).split("/")) {
    if (step === "..") path.pop()
    else if (step !== "." && step !== "") path.push(step)
  }
  return path.join("/")
}

export const contents = async (archive: Archive): Promise<Contents> => {
  const root = await relationships(archive, "")
  const workbook = root.find(({ type }) => type.endsWith("/officeDocument"))?.target ?? "xl/workbook.xml"
  const links = await relationships(archive, workbook)
  const partOf = (kind: string, id?: string) => {
    const link = links.find((one) => one.type.endsWith(`/${kind}`) && (id === undefined || one.id === id))
    return link === undefined ? undefined : archive.find(link.target)
  }
  const sheets: Array<Contents["sheets"][number]> = []
  let is1904 = false
  await read(archive, archive.find(workbook), {
    open: (name, attributes) => {
      if (name === "workbookPr") is1904 = /^(?:1|true|on)$/.test(attribute(attributes, "date1904") ?? "")
      if (name !== "sheet") return
      if (sheets.length === MOST_SHEETS)
        throw new NotATable(
          `it has more than ${MOST_SHEETS} sheets`,
          "save those that are needed in a workbook of their own"
        )
      const id = prefixed(attributes, "id")
      const part = id === undefined ? undefined : partOf("worksheet", id)
      // Another name for the same rows would have them read once more.
      if (part !== undefined && sheets.some((one) => one.part === part))
        throw new NotATable("two of its sheets are the same part of it", "save it again")
      const isHidden = /hidden/i.test(attribute(attributes, "state") ?? "")
      sheets.push({ name: attribute(attributes, "name") ?? "", part, isHidden })
    }
  })
  return { sheets, is1904, strings: partOf("sharedStrings"), styles: partOf("styles") }
}

/** The strings that cells refer to by their position. */
export const strings = async (archive: Archive, part: string | undefined): Promise<ReadonlyArray<string>> => {
  const all: Array<string> = []
  let taken = 0
  const item = new TextItem()
  await read(archive, part, {
    open: (name) => (name === "si" ? item.clear() : item.open(name)),
    text: (text) => item.add(text),
    close: (name) => {
      if (name !== "si") return item.close(name)
      const { text } = item
      taken += text.length + STRING_BYTES
      if (taken > LARGEST_STRINGS)
        throw new NotATable("it has more text than fits into memory", "split it, or save it as .csv")
      all.push(text)
    }
  })
  return all
}

/** How numbers are shown, by style of cells. */
export const formats = async (archive: Archive, part: string | undefined): Promise<ReadonlyArray<NumberFormat>> => {
  const formats = new Map<number, string>()
  const ids: Array<number> = []
  // The same elements occur elsewhere with other meanings: styles of styles, and formats of conditions (`dxfs`).
  let within = ""
  await read(archive, part, {
    open: (name, attributes) => {
      if (name === "cellXfs" || name === "numFmts") within = name
      else if (name === "xf" && within === "cellXfs") ids.push(Number(attribute(attributes, "numFmtId") ?? "0"))
      else if (name === "numFmt" && within === "numFmts")
        formats.set(Number(attribute(attributes, "numFmtId")), attribute(attributes, "formatCode") ?? "")
    },
    close: (name) => {
      if (name === within) within = ""
    }
  })
  return ids.map((id) => numberFormat(id, formats.get(id)))
}
