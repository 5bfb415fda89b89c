/** Lays out what our documents have in common: margins, line breaks, the lines of a party, page numbers. */
import { setImmediate } from "node:timers/promises"
import { facesFor } from "./Fonts.ts"
import { type Line, type PageContent, PART, type Text, WIDTH, HEIGHT, weightOf } from "./Pdf.ts"
import { charactersOf, type Typesetter, typesetter } from "./Typesetting.ts"

export const MARGIN = 56
export const RIGHT = WIDTH - MARGIN
export const MIDDLE = WIDTH / 2
export const TOP = HEIGHT - 72
export const BOTTOM = 72
export const SIZE = 9.5
const NAME_SIZE = 11

export interface Party {
  readonly name: string
  /** Address, registration and VAT number, one line each. */
  readonly details: ReadonlyArray<string>
}

/** A page that is being filled. */
export interface OpenPage {
  readonly texts: Array<Text>
  readonly rules: Array<Line>
}

/** Leaves out direction marks and other characters without a shape; joiners shape their neighbours and stay. */
export const tidied = (text: string): string =>
  text
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}]/gu, (one) => (/[\u200c\u200d]/.test(one) ? one : " "))
    // Narrow and wide spaces, which none of our fonts has.
    .replace(/[\u2000-\u200a\u202f\u205f]/g, "\u00a0")

type Fit = Pick<Text, "size" | "bold">

const widthOf = (setter: Typesetter, text: string, fit: Fit): number => setter.width(text, fit.size, weightOf(fit))

/** As many characters as fit; at least one. */
const head = (setter: Typesetter, text: string, width: number, fit: Fit, end = ""): string => {
  let short = [...charactersOf(text)]
  while (short.length > 1 && widthOf(setter, short.join("") + end, fit) > width) short = short.slice(0, -1)
  return short.join("")
}

/** Truncates a text to what fits, with an ellipsis. */
export const fitted = (setter: Typesetter, text: string, width: number, fit: Fit): string =>
  widthOf(setter, text, fit) <= width ? text : `${head(setter, text, width, fit, "…")}…`

/** Breaks a text into lines: between words, and within words that are wider than a line. */
export const wrapped = (setter: Typesetter, text: string, width: number, fit: Fit): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ").filter((one) => one !== "")) {
    const last = lines.at(-1)
    const both = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(setter, both, fit) <= width) {
      lines[lines.length - 1] = both
      continue
    }
    let rest = word
    while (widthOf(setter, rest, fit) > width && charactersOf(rest).length > 1) {
      const line = head(setter, rest, width, fit)
      lines.push(line)
      rest = rest.slice(line.length)
    }
    lines.push(rest)
  }
  return lines
}

/** A party's name and details, from `y` downwards. */
export const party = (
  setter: Typesetter,
  label: string,
  { details, name }: Party,
  x: number,
  y: number
): ReadonlyArray<Text> => {
  const width = MIDDLE - MARGIN - 16
  const names = wrapped(setter, tidied(name), width, { size: NAME_SIZE, bold: true }).slice(0, 6)
  const rest = details.flatMap((one) => wrapped(setter, tidied(one), width, { size: SIZE })).slice(0, 12)
  return [
    { x, y, size: 8, text: label },
    ...names.map((text, n): Text => ({ x, y: y - 15 * (n + 1), size: NAME_SIZE, text, bold: true })),
    ...rest.map((text, n): Text => ({ x, y: y - 15 * names.length - 14 * (n + 1), size: SIZE, text }))
  ]
}

/** The top of an order's documents: the title, what it is about, and the two parties. */
export const opening = (
  setter: Typesetter,
  title: string,
  about: string,
  [left, right]: readonly [Labelled, Labelled]
): { readonly texts: ReadonlyArray<Text>; readonly y: number } => {
  const parties = [
    ...party(setter, left.label, left.party, MARGIN, TOP - 54),
    ...party(setter, right.label, right.party, MIDDLE, TOP - 54)
  ]
  const lines = wrapped(setter, tidied(about), RIGHT - MARGIN, { size: SIZE }).slice(0, 2)
  return {
    texts: [
      { x: MARGIN, y: TOP, size: 18, text: title, bold: true },
      ...lines.map((text, n) => ({ x: MARGIN, y: TOP - 20 - 12 * n, size: SIZE, text })),
      ...parties
    ],
    y: Math.min(...parties.map(({ y }) => y)) - 34
  }
}

interface Labelled {
  readonly label: string
  readonly party: Party
}

/** Adds a number to each page. */
export const numbered = (sheets: ReadonlyArray<OpenPage>): ReadonlyArray<PageContent> =>
  sheets.map(({ rules, texts }, n) => {
    const text = `Page ${n + 1} of ${sheets.length}`
    return { rules, texts: [...texts, { x: RIGHT, y: 40, size: 8, text, right: true }] }
  })

/** Collects the text of a document before its fonts are loaded: everything fits. */
const DRAFT: Typesetter = { runs: () => [], width: () => 0, missing: () => [] }

/** Characters that truncation and page numbers add. */
const ALWAYS = "…0123456789"

export interface TypesetPages {
  readonly setter: Typesetter
  readonly pages: ReadonlyArray<PageContent>
}

/**
 * Loads the fonts that a document needs, and lays it out. Text that they cannot write is reported, so that nobody receives a
 * page with empty boxes in place of a name.
 *
 * @param country the reader's country
 */
export const typeset = async (
  pagesOf: (setter: Typesetter) => ReadonlyArray<PageContent>,
  country: string | undefined
): Promise<TypesetPages | { readonly why: string }> => {
  const texts = pagesOf(DRAFT).flatMap((page) => page.texts)
  const textIn = (weight: 400 | 700) =>
    ALWAYS + texts.flatMap((one) => (weightOf(one) === weight ? [one.text] : [])).join(" ")
  const setter = typesetter(await facesFor(textIn(400), country, 400), await facesFor(textIn(700), country, 700))
  for (const [n, { text, ...fit }] of texts.entries()) {
    if (n % PART === 0) await setImmediate()
    const missing = setter.missing(text, weightOf(fit))
    if (missing.length > 0)
      return { why: `"${text}" cannot be written: the fonts here cannot set ${missing.slice(0, 10).join(" ")}` }
  }
  return { setter, pages: pagesOf(setter) }
}
