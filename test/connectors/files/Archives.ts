/** ZIP archives and workbooks that no program writes, for tests of what reads them. */
import { crc32, deflateRawSync } from "node:zlib"

/** An archive of these parts, packed or stored, whose directory may lie about the length of one. */
export const archive = (
  parts: Readonly<Record<string, string | Uint8Array>>,
  claimed: Readonly<Record<string, number>> = {},
  isStored = false
): Uint8Array => {
  const [locals, centrals]: [Array<Uint8Array>, Array<Uint8Array>] = [[], []]
  let offset = 0
  for (const [name, part] of Object.entries(parts)) {
    const content = Buffer.from(part)
    const packed = isStored ? content : deflateRawSync(content, { level: 9 })
    const head = (signature: number, first: ReadonlyArray<number>, middle: ReadonlyArray<number>) => {
      const bytes = Buffer.alloc(64)
      let at = bytes.writeUInt32LE(signature)
      for (const short of [...first, 20, 0, isStored ? 0 : 8, 0, 0]) at = bytes.writeUInt16LE(short, at)
      for (const long of [crc32(content), packed.length, claimed[name] ?? content.length])
        at = bytes.writeUInt32LE(long, at)
      for (const short of [name.length, 0, ...middle]) at = bytes.writeUInt16LE(short, at)
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(name)])
    }
    const position = [offset & 0xffff, offset >>> 16]
    centrals.push(head(0x02014b50, [20], [0, 0, 0, 0, 0, ...position]))
    const local = Buffer.concat([head(0x04034b50, [], []), packed])
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(centrals.length, 8)
  end.writeUInt16LE(centrals.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

const NAMES = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

interface Written {
  /** The elements of the shared strings. */
  readonly strings?: string
  /** Formats of numbers by id, and the formats that styles have. */
  readonly styles?: string
  /** What the directory says of the sheet's length. */
  readonly claimed?: number
  /** What follows the rows. */
  readonly end?: string
  /** Whether the parts are stored as they are. */
  readonly isStored?: boolean
}

/** A workbook whose sheet has these rows, as XML. */
export const sheetOf = (
  rows: string,
  { claimed, end = "</sheetData></worksheet>", isStored, strings = "", styles = "" }: Written = {}
): Uint8Array => {
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${KINDS}/${kind}" Target="${target}"/>`
  const sheet = "xl/worksheets/sheet1.xml"
  return archive(
    {
      "[Content_Types].xml": "<Types/>",
      "_rels/.rels": `<Relationships>${relation("r1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
      "xl/workbook.xml": `<workbook ${NAMES} xmlns:r="${KINDS}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": `<Relationships>${relation("rId1", "worksheet", "worksheets/sheet1.xml")}${relation("rId2", "sharedStrings", "/xl/sharedStrings.xml")}${relation("rId3", "styles", "styles.xml")}</Relationships>`,
      "xl/sharedStrings.xml": `<sst ${NAMES}>${strings}</sst>`,
      "xl/styles.xml": `<styleSheet ${NAMES}>${styles}</styleSheet>`,
      [sheet]: `<?xml version="1.0"?>\n<worksheet ${NAMES}><sheetData>${rows}${end}`
    },
    claimed === undefined ? {} : { [sheet]: claimed },
    isStored
  )
}
