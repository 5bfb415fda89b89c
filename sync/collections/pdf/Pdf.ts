/**
 * Writes pages of text as a PDF, with the font in it, so that every reader shows the same. The bytes follow from the
 * content alone: no moment, no chance, no compressor whose next version packs differently.
 */
import { type Font, subset } from "./TrueType.ts"

/** One piece of text. Places are in points, from the page's lower left corner. */
export interface Text {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly text: string
  readonly bold?: boolean
  /** `x` is where it ends. */
  readonly right?: boolean
}

/** A thin line across. */
export interface Line {
  readonly from: number
  readonly to: number
  readonly y: number
}

export interface PageContent {
  readonly texts: ReadonlyArray<Text>
  readonly rules: ReadonlyArray<Line>
}

/** A4, in points. */
export const [WIDTH, HEIGHT] = [595, 842]

/** What a reader names the font; the letters in front say that it is a part of one. */
const NAME = "DAYBOK+DejaVuSans"

/** How wide a text is in points. */
export const widthOf = (font: Font, text: string, size: number): number =>
  ([...text].reduce((sum, one) => sum + font.width(font.glyph(one)), 0) * size) / font.unitsPerEm

const hex = (value: number): string => value.toString(16).padStart(4, "0")

/** To a thousandth of a point. */
const points = (value: number): string => String(Math.round(value * 1000) / 1000)

/** What of the font a file needs. */
interface Used {
  /** By character, the number that its glyph has in the file. Two characters may share one. */
  readonly numbers: ReadonlyMap<string, number>
  /** Of the whole font, in the order of their numbers; the first is of what is not there. */
  readonly glyphs: ReadonlyArray<number>
}

const contentOf = ({ rules, texts }: PageContent, { numbers }: Used, font: Font): string => {
  const pieces = texts.map(({ bold, right, size, text, x, y }) => {
    const from = right === true ? x - widthOf(font, text, size) : x
    const glyphs = [...text].map((one) => hex(numbers.get(one) ?? 0)).join("")
    // Bold is the same outline with its edge drawn.
    const mode = bold === true ? `2 Tr ${points(size / 30)} w` : "0 Tr"
    return `BT /F1 ${points(size)} Tf ${mode} ${points(from)} ${points(y)} Td <${glyphs}> Tj ET`
  })
  const lines = rules.map(({ from, to, y }) => `0.5 w ${points(from)} ${points(y)} m ${points(to)} ${points(y)} l S`)
  return [...pieces, ...lines].join("\n")
}

/** Characters in one block of the table below. */
const BLOCK = 100

/** What characters the glyphs stand for, so that the text can be searched and copied. */
const toUnicode = ({ numbers }: Used): string => {
  const first = new Map([...numbers].toReversed().map(([one, n]) => [n, one]))
  const pairs = [...first].map(([n, one]) => {
    const units = Array.from({ length: one.length }, (_, at) => hex(one.charCodeAt(at)))
    return `<${hex(n)}> <${units.join("")}>`
  })
  const blocks = Array.from({ length: Math.ceil(pairs.length / BLOCK) }, (_, n) =>
    pairs.slice(BLOCK * n, BLOCK * (n + 1))
  )
  return [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
    "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
    "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
    "1 begincodespacerange <0000> <ffff> endcodespacerange",
    ...blocks.map((block) => `${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`),
    "endcmap CMapName currentdict /CMap defineresource pop end end"
  ].join("\n")
}

const stream = (body: Buffer | string, more = ""): Buffer => {
  const bytes = typeof body === "string" ? Buffer.from(body, "latin1") : body
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length}${more} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream")
  ])
}

/** The objects that make the font known, the first of which is number `first`. */
const fontObjects = (font: Font, used: Used, first: number): ReadonlyArray<Buffer | string> => {
  const { glyphs } = used
  const scaled = (value: number): number => Math.round((value * 1000) / font.unitsPerEm)
  const file = subset(font, glyphs)
  const widths = glyphs.map((glyph) => scaled(font.width(glyph)))
  return [
    `<< /Type /Font /Subtype /Type0 /BaseFont /${NAME} /Encoding /Identity-H /DescendantFonts [${first + 1} 0 R] /ToUnicode ${first + 4} 0 R >>`,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${NAME} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${first + 2} 0 R /CIDToGIDMap /Identity /W [0 [${widths.join(" ")}]] >>`,
    `<< /Type /FontDescriptor /FontName /${NAME} /Flags 4 /FontBBox [${font.box.map(scaled).join(" ")}] /ItalicAngle 0 /Ascent ${scaled(font.ascent)} /Descent ${scaled(font.descent)} /CapHeight 729 /StemV 80 /FontFile2 ${first + 3} 0 R >>`,
    stream(file, ` /Length1 ${file.length}`),
    stream(toUnicode(used))
  ]
}

/** Text as a PDF's own strings have it. */
const title = (text: string): string =>
  `<feff${Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at))).join("")}>`

const FONT = 4

export const writePdf = (font: Font, name: string, pages: ReadonlyArray<PageContent>): Buffer => {
  const used = usedBy(font, pages)
  const before = FONT + 5
  const pageNumber = (n: number): number => before + 2 * n
  const objects: ReadonlyArray<Buffer | string> = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map((_, n) => `${pageNumber(n)} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    `<< /Title ${title(name)} >>`,
    ...fontObjects(font, used, FONT),
    ...pages.flatMap((page, n) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${pageNumber(n) + 1} 0 R /Resources << /Font << /F1 ${FONT} 0 R >> >> >>`,
      stream(contentOf(page, used, font))
    ])
  ]
  return assembled(objects)
}

const usedBy = (font: Font, pages: ReadonlyArray<PageContent>): Used => {
  const numbers = new Map<string, number>()
  const glyphs = [0]
  for (const one of [...new Set(pages.flatMap(({ texts }) => texts.flatMap(({ text }) => [...text])))].toSorted()) {
    const glyph = font.glyph(one)
    if (!glyphs.includes(glyph)) glyphs.push(glyph)
    numbers.set(one, glyphs.indexOf(glyph))
  }
  return { numbers, glyphs }
}

const assembled = (objects: ReadonlyArray<Buffer | string>): Buffer => {
  const head = Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")
  const parts = [head]
  let size = head.length
  const offsets = objects.map((object, n) => {
    const at = size
    const body = Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")])
    parts.push(body)
    size += body.length
    return `${String(at).padStart(10, "0")} 00000 n \n`
  })
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${size}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}
