/**
 * Loads the fonts for our documents: Noto Sans, script by script, from packages that contain each in slices of some hundred
 * characters. A slice is loaded when a text contains one of its characters, and cached.
 */
import { create, type Font } from "fontkit"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import subsetFont from "subset-font"

const { resolve } = createRequire(import.meta.url)

/** The order in which families are searched. Chinese characters shared by several languages depend on the text's country. */
const FAMILIES = [
  "noto-sans",
  "noto-sans-armenian",
  "noto-sans-georgian",
  "noto-sans-hebrew",
  "noto-sans-arabic",
  "noto-sans-thai",
  "noto-sans-bengali",
  "noto-sans-gujarati",
  "noto-sans-kannada",
  "noto-sans-malayalam",
  "noto-sans-tamil",
  "noto-sans-telugu"
]
const [JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL] = ["noto-sans-jp", "noto-sans-kr", "noto-sans-sc", "noto-sans-tc"]
const EAST_ASIAN = [JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL]
const OF_COUNTRIES: Readonly<Record<string, string>> = {
  JP: JAPANESE,
  KR: KOREAN,
  CN: SIMPLIFIED,
  SG: SIMPLIFIED,
  TW: TRADITIONAL,
  HK: TRADITIONAL,
  MO: TRADITIONAL
}

/** Families in search order, according to letters that only one language uses, or to the country. */
const families = (texts: string, country: string | undefined): ReadonlyArray<string> => {
  const first = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(texts)
    ? JAPANESE
    : (OF_COUNTRIES[country ?? ""] ?? (/\p{Script=Hangul}/u.test(texts) ? KOREAN : SIMPLIFIED))
  return [...FAMILIES, first, ...EAST_ASIAN.filter((one) => one !== first)]
}

interface Slice {
  readonly file: string
  /** Ranges of code points, inclusive. */
  readonly ranges: ReadonlyArray<readonly [from: number, to: number]>
}

const slices = new Map<string, ReadonlyArray<Slice>>()

/** `U+0e01-0e5b,U+200c` */
const rangesOf = (text: string): Slice["ranges"] =>
  text.split(",").map((one) => {
    const [from = "", to = from] = one.slice(2).split("-")
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
  })

const slicesOf = (family: string): ReadonlyArray<Slice> => {
  const known = slices.get(family)
  if (known !== undefined) return known
  const where = `@fontsource-variable/${family}`
  const table = JSON.parse(readFileSync(resolve(`${where}/unicode.json`), "utf8")) as Record<string, string>
  const found = Object.entries(table).map(([name, ranges]) => ({
    file: `${where}/files/${family}-${name.replace(/[[\]]/g, "")}-wght-normal.woff2`,
    ranges: rangesOf(ranges)
  }))
  slices.set(family, found)
  return found
}

const holds = ({ ranges }: Slice, point: number): boolean => ranges.some(([from, to]) => from <= point && point <= to)

/** The first code point of a text. */
export const pointOf = (text: string): number => text.codePointAt(0) ?? 0

const sliceOf = (point: number, among: ReadonlyArray<string>): Slice | undefined => {
  for (const family of among) {
    const found = slicesOf(family).find((slice) => holds(slice, point))
    if (found !== undefined) return found
  }
  return undefined
}

export type Weight = 400 | 700

/** One slice in one weight, as a font of its own. */
export interface Face {
  readonly id: string
  readonly bytes: Buffer
  readonly font: Font
}

const faces = new Map<string, Promise<Face>>()

const load = async (id: string, { file, ranges }: Slice, weight: Weight): Promise<Face> => {
  const letters = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => from + n))
  // A single weight, uncompressed, so that the document can embed only the letters that it needs.
  const bytes = await subsetFont(readFileSync(resolve(file)), String.fromCodePoint(...letters), {
    targetFormat: "truetype",
    variationAxes: { wght: weight }
  })
  return { id, bytes, font: create(bytes) as Font }
}

const faceOf = (slice: Slice, weight: Weight): Promise<Face> => {
  const id = `${slice.file}:${weight}`
  const loading = faces.get(id) ?? load(id, slice, weight)
  faces.set(id, loading)
  return loading
}

/** The face for a character, given as its code point; undefined if no font has it. */
export type Faces = (point: number) => Face | undefined

/**
 * @param texts all texts that will be written
 * @param country the reader's country
 */
export const facesFor = async (texts: string, country: string | undefined, weight: Weight): Promise<Faces> => {
  const among = families(texts, country)
  const found = new Map<number, Face>()
  for (const point of new Set(Array.from(texts, pointOf))) {
    const slice = sliceOf(point, among)
    if (slice !== undefined) found.set(point, await faceOf(slice, weight))
  }
  return (point) => found.get(point)
}
