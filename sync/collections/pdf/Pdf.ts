/**
 * Writes pages of text as a PDF with embedded letter shapes, so that every reader shows the same. The bytes depend on the
 * content alone: no time stamp, no random value, no compressor whose next version compresses differently.
 */
import { setImmediate } from "node:timers/promises"
import PDFDocument from "pdfkit"
import type { Day } from "../../../core/wire/Day.ts"
import type { Run, Typesetter } from "./Typesetting.ts"

/** One piece of text. Positions are in points, from the page's lower left corner. */
export interface Text {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly text: string
  readonly bold?: boolean
  /** `x` is the right edge. */
  readonly right?: boolean
}

/** A thin horizontal line. */
export interface Line {
  readonly from: number
  readonly to: number
  readonly y: number
}

export interface PageContent {
  readonly texts: ReadonlyArray<Text>
  readonly rules: ReadonlyArray<Line>
}

/** How many texts are set before others have their turn: each has to be shaped. */
export const PART = 50

/** A4, in points. */
export const [WIDTH, HEIGHT] = [595, 842]

export const weightOf = ({ bold }: Pick<Text, "bold">) => (bold === true ? 700 : 400)

const writeRun = (document: PDFKit.PDFDocument, { face, text }: Run, size: number, x: number, y: number): void => {
  document.registerFont(face.id, face.bytes).font(face.id).fontSize(size)
  // Only the features that its script requires. An explicit list makes pdfkit shape the text as a whole, not word by word.
  const features: Array<PDFKit.Mixins.OpenTypeFeatures> = []
  document.text(text, x, HEIGHT - y, { features, lineBreak: false, baseline: "alphabetic" })
}

const writeText = (document: PDFKit.PDFDocument, setter: Typesetter, one: Text): void => {
  const { right, size, text, x, y } = one
  let at = right === true ? x - setter.width(text, size, weightOf(one)) : x
  for (const run of setter.runs(text, weightOf(one))) {
    writeRun(document, run, size, at, y)
    at += size * run.width
  }
}

export interface About {
  readonly title: string
  /** The creation date in the file: taken from the content, so that the same content always gives the same bytes. */
  readonly day: Day
}

export const writePdf = async (
  setter: Typesetter,
  { day, title }: About,
  pages: ReadonlyArray<PageContent>
): Promise<Buffer> => {
  const document = new PDFDocument({
    size: [WIDTH, HEIGHT],
    margin: 0,
    pdfVersion: "1.7",
    compress: false,
    autoFirstPage: false,
    // Otherwise it loads a default font.
    font: null as unknown as string,
    info: { Title: title, Creator: "Daybook", CreationDate: new Date(`${day}T00:00:00Z`) }
  })
  for (const { rules, texts } of pages) {
    document.addPage()
    for (const [n, one] of texts.entries()) {
      if (n % PART === 0) await setImmediate()
      writeText(document, setter, one)
    }
    for (const { from, to, y } of rules) {
      document
        .lineWidth(0.5)
        .moveTo(from, HEIGHT - y)
        .lineTo(to, HEIGHT - y)
        .stroke()
    }
  }
  document.end()
  return document.read() as Buffer
}
