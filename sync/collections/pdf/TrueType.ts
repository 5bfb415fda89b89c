/**
 * As much of a TrueType font as a PDF needs of it: which glyph a character has, how wide it is, and a font of just the
 * glyphs that are used. Glyphs of the smaller font are numbered anew, in the order in which they are given.
 */
import { entryOf } from "../../../core/Entry.ts"

interface Table {
  readonly offset: number
  readonly length: number
}

export interface Font {
  readonly file: DataView
  readonly tables: ReadonlyMap<string, Table>
  readonly unitsPerEm: number
  readonly ascent: number
  readonly descent: number
  /** The font's box: left, bottom, right, top. */
  readonly box: readonly [number, number, number, number]
  /** Of a character; 0 where the font has none. */
  readonly glyph: (character: string) => number
  /** Of a glyph, in the font's own units. */
  readonly width: (glyph: number) => number
}

/** What glyph programs run on, and need unchanged. */
const PROGRAMS = ["cvt ", "fpgm", "prep"]

const tag = (file: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((i) => file.getUint8(at + i)))

const tablesOf = (file: DataView): ReadonlyMap<string, Table> =>
  new Map(
    Array.from({ length: file.getUint16(4) }, (_, n) => {
      const at = 12 + 16 * n
      return [tag(file, at), { offset: file.getUint32(at + 8), length: file.getUint32(at + 12) }] as const
    })
  )

const at = (tables: ReadonlyMap<string, Table>, name: string): number => {
  const table = tables.get(name)
  if (table === undefined) throw new RangeError(`the font has no table ${name}`)
  return table.offset
}

/** Runs of code points with glyphs in a row: from, to, the first glyph. */
type Runs = ReadonlyArray<readonly [number, number, number]>

/** The table of all of Unicode (format 12). */
const runsOf = (file: DataView, cmap: number): Runs => {
  for (let n = 0; n < file.getUint16(cmap + 2); n++) {
    const subtable = cmap + file.getUint32(cmap + 4 + 8 * n + 4)
    if (file.getUint16(subtable) !== 12) continue
    return Array.from({ length: file.getUint32(subtable + 12) }, (_, run) => {
      const from = subtable + 16 + 12 * run
      return [file.getUint32(from), file.getUint32(from + 4), file.getUint32(from + 8)] as const
    })
  }
  throw new RangeError("the font has no table of all of Unicode")
}

export const read = (bytes: Uint8Array): Font => {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const tables = tablesOf(file)
  const [head, hhea, hmtx] = [at(tables, "head"), at(tables, "hhea"), at(tables, "hmtx")]
  const runs = runsOf(file, at(tables, "cmap"))
  const measured = file.getUint16(hhea + 34)
  return {
    file,
    tables,
    unitsPerEm: file.getUint16(head + 18),
    ascent: file.getInt16(hhea + 4),
    descent: file.getInt16(hhea + 6),
    box: [36, 38, 40, 42].map((to) => file.getInt16(head + to)) as unknown as Font["box"],
    glyph: (character) => {
      const codePoint = character.codePointAt(0) ?? 0
      const run = runs.find(([from, to]) => codePoint >= from && codePoint <= to)
      return run === undefined ? 0 : run[2] + codePoint - run[0]
    },
    // Glyphs behind the last one that is measured are as wide as it.
    width: (glyph) => file.getUint16(hmtx + 4 * Math.min(glyph, measured - 1))
  }
}

/** Where a glyph's outline is. */
const outlineOf = ({ file, tables }: Font, glyph: number): Uint8Array => {
  const [loca, glyf] = [at(tables, "loca"), at(tables, "glyf")]
  const long = file.getInt16(at(tables, "head") + 50) === 1
  const offset = (n: number) => (long ? file.getUint32(loca + 4 * n) : 2 * file.getUint16(loca + 2 * n))
  const from = offset(glyph)
  return new Uint8Array(file.buffer, file.byteOffset + glyf + from, offset(glyph + 1) - from)
}

/** Bytes behind a component's glyph, by its flags: its place, and how it is stretched. */
const restOf = (flags: number): number =>
  ((flags & 0x1) !== 0 ? 4 : 2) + ((flags & 0x8) !== 0 ? 2 : (flags & 0x40) !== 0 ? 4 : (flags & 0x80) !== 0 ? 8 : 0)

/** Where the numbers of the glyphs stand that an outline is put together from. */
const componentsOf = (outline: Uint8Array): ReadonlyArray<number> => {
  const view = new DataView(outline.buffer, outline.byteOffset, outline.length)
  if (outline.length === 0 || view.getInt16(0) >= 0) return []
  const found: Array<number> = []
  for (let from = 10; ; ) {
    const flags = view.getUint16(from)
    found.push(from + 2)
    if ((flags & 0x20) === 0) return found
    from += 4 + restOf(flags)
  }
}

/** The glyphs, and behind them those that they are put together from. */
const withComponents = (font: Font, glyphs: ReadonlyArray<number>): ReadonlyArray<number> => {
  const all = [...new Set(glyphs)]
  // What is added on the way is walked through, too.
  for (const glyph of all) {
    const outline = outlineOf(font, glyph)
    const view = new DataView(outline.buffer, outline.byteOffset, outline.length)
    for (const place of componentsOf(outline)) {
      const part = view.getUint16(place)
      if (!all.includes(part)) all.push(part)
    }
  }
  return all
}

const padded = (bytes: Uint8Array): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

const checksum = (bytes: Buffer): number => {
  let sum = 0
  for (let n = 0; n < bytes.length; n += 4) sum = (sum + bytes.readUInt32BE(n)) >>> 0
  return sum
}

/** A font file of these tables, which are in the order of their names. */
const fileOf = (tables: ReadonlyArray<readonly [string, Buffer]>): Buffer => {
  const header = Buffer.alloc(12 + 16 * tables.length)
  const exponent = Math.floor(Math.log2(tables.length))
  header.writeUInt32BE(0x00010000, 0)
  header.writeUInt16BE(tables.length, 4)
  header.writeUInt16BE(16 * 2 ** exponent, 6)
  header.writeUInt16BE(exponent, 8)
  header.writeUInt16BE(16 * (tables.length - 2 ** exponent), 10)
  let offset = header.length
  const bodies = tables.map(([name, bytes], n) => {
    const body = padded(bytes)
    header.write(name, 12 + 16 * n, "latin1")
    header.writeUInt32BE(checksum(body), 16 + 16 * n)
    header.writeUInt32BE(offset, 20 + 16 * n)
    header.writeUInt32BE(bytes.length, 24 + 16 * n)
    offset += body.length
    return body
  })
  return Buffer.concat([header, ...bodies])
}

/** The outlines, each with the new numbers of what it is put together from, and where each begins. */
const outlines = (font: Font, glyphs: ReadonlyArray<number>) => {
  const numbers = new Map(glyphs.map((glyph, n) => [glyph, n]))
  const loca = Buffer.alloc(4 * (glyphs.length + 1))
  let size = 0
  const bodies = glyphs.map((glyph, n) => {
    const outline = Buffer.from(outlineOf(font, glyph))
    for (const place of componentsOf(outline))
      outline.writeUInt16BE(numbers.get(outline.readUInt16BE(place)) ?? 0, place)
    const body = padded(outline)
    size += body.length
    loca.writeUInt32BE(size, 4 * (n + 1))
    return body
  })
  return { glyf: Buffer.concat(bodies), loca }
}

/** A font of these glyphs alone; the first has to be what is shown for a character that is not there. */
export const subset = (font: Font, used: ReadonlyArray<number>): Buffer => {
  const glyphs = withComponents(font, used)
  const copied = (name: string): Buffer => {
    const { length, offset } = entryOf(font.tables, name)
    return Buffer.from(new Uint8Array(font.file.buffer, font.file.byteOffset + offset, length))
  }
  const { glyf, loca } = outlines(font, glyphs)
  const hmtx = Buffer.alloc(4 * glyphs.length)
  const from = at(font.tables, "hmtx")
  const measured = font.file.getUint16(at(font.tables, "hhea") + 34)
  glyphs.forEach((glyph, n) => {
    hmtx.writeUInt16BE(font.width(glyph), 4 * n)
    const bearing = glyph < measured ? from + 4 * glyph + 2 : from + 4 * measured + 2 * (glyph - measured)
    hmtx.writeInt16BE(font.file.getInt16(bearing), 4 * n + 2)
  })
  const [head, hhea, maxp] = [copied("head"), copied("hhea"), copied("maxp")]
  head.writeUInt32BE(0, 8)
  head.writeInt16BE(1, 50)
  hhea.writeUInt16BE(glyphs.length, 34)
  maxp.writeUInt16BE(glyphs.length, 4)
  const programs = PROGRAMS.filter((name) => font.tables.has(name)).map((name) => [name, copied(name)] as const)
  const rest = { glyf, head, hhea, hmtx, loca, maxp }
  return fileOf([...programs, ...Object.entries(rest)].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
