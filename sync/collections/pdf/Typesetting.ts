/**
 * Typesets a line of text: which piece of it uses which face, and the visual order of the pieces if the text, or some of its
 * words, are read from right to left (Unicode's bidirectional algorithm).
 */
import type BidiJs from "bidi-js"
import { createRequire } from "node:module"
import { type Face, type Faces, pointOf, type Weight } from "./Fonts.ts"

// The module exports the function itself, although its types say otherwise.
const bidi = (createRequire(import.meta.url)("bidi-js") as typeof BidiJs.default)()
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

export const charactersOf = (text: string): ReadonlyArray<string> =>
  Array.from(graphemes.segment(text), ({ segment }) => segment)

/** A piece of a line, in one face and one direction. */
export interface Run {
  readonly face: Face
  /** In reading order. */
  readonly text: string
  readonly level: number
}

/** Characters that belong to no script: spaces, brackets, digits. */
const COMMON = /^[\p{Script=Common}\p{Script=Inherited}]+$/u
const LEFTWARDS = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** Combining marks use the face of the letter before them, if it has them. */
const faceOf = (one: string, faces: Faces, before: Face | undefined): Face | undefined =>
  before !== undefined && COMMON.test(one) && has(before, one) ? before : faces(pointOf(one))

const has = ({ font }: Face, text: string): boolean => [...text].every((one) => font.hasGlyphForCodePoint(pointOf(one)))

/**
 * Splits Thai's sara am into two characters, with the first before a tone mark, so that shaping works and the text can be
 * copied.
 */
const thai = (text: string): string => text.replace(/([\u0e48-\u0e4b]?)\u0e33/g, "\u0e4d$1\u0e32")

/** Pieces in reading order. Characters that no face has are left out. */
const pieces = (given: string, faces: Faces): Array<Run> => {
  const text = thai(given)
  const { levels } = bidi.getEmbeddingLevels(text)
  const mirrored = bidi.getMirroredCharactersMap(text, levels)
  const runs: Array<Run> = []
  for (const { index, segment } of graphemes.segment(text)) {
    const level = levels[index] ?? 0
    const shown = mirrored.get(index) ?? segment
    const last = runs.at(-1)
    const face = faceOf(shown, faces, last?.face)
    if (face === undefined) continue
    if (last?.face === face && last.level === level) runs[runs.length - 1] = { ...last, text: last.text + shown }
    else runs.push({ face, text: shown, level })
  }
  return runs
}

/** Visual order: reverses runs at each level, from the highest down. */
const ordered = (runs: ReadonlyArray<Run>): ReadonlyArray<Run> => {
  let line = [...runs]
  for (let level = Math.max(0, ...runs.map((one) => one.level)); level > 0; level--) {
    const next: Array<Run> = []
    let turned: Array<Run> = []
    for (const run of line) {
      if (run.level >= level) turned = [run, ...turned]
      else {
        next.push(...turned, run)
        turned = []
      }
    }
    line = [...next, ...turned]
  }
  return line
}

/** Right-to-left letters are reversed when they are shaped; runs of only signs are reversed here. */
const turned = (run: Run): Run =>
  run.level % 2 === 0 || LEFTWARDS.test(run.text) ? run : { ...run, text: charactersOf(run.text).toReversed().join("") }

/** A piece with its shaped letters. */
export interface ShapedRun extends Run {
  /** At a font size of one point. */
  readonly width: number
  /** False if a letter is missing, or if shaping fails, as for some joined letters (fontkit 2.0). */
  readonly isWhole: boolean
}

const shaped = (run: Run): ShapedRun => {
  try {
    const { advanceWidth, glyphs } = run.face.font.layout(run.text, [])
    return { ...run, width: advanceWidth / run.face.font.unitsPerEm, isWhole: glyphs.every(({ id }) => id !== 0) }
  } catch {
    return { ...run, width: 0, isWhole: false }
  }
}

/** The pieces of a line from left to right. */
export const runsOf = (text: string, faces: Faces): ReadonlyArray<ShapedRun> =>
  ordered(pieces(text, faces)).map(turned).map(shaped)

const isWritable = (text: string, faces: Faces): boolean =>
  charactersOf(text).every((one) => faces(pointOf(one)) !== undefined) &&
  runsOf(text, faces).every(({ isWhole }) => isWhole)

/** Measures and sets text. */
export interface Typesetter {
  readonly runs: (text: string, weight: Weight) => ReadonlyArray<ShapedRun>
  /** In points. */
  readonly width: (text: string, size: number, weight: Weight) => number
  /** The characters or words of a text that cannot be written. */
  readonly missing: (text: string, weight: Weight) => ReadonlyArray<string>
}

export const typesetter = (plain: Faces, bold: Faces): Typesetter => {
  const facesOf = (weight: Weight) => (weight === 400 ? plain : bold)
  // Cached, because each text is measured, checked and written.
  const known = { 400: new Map<string, ReadonlyArray<ShapedRun>>(), 700: new Map<string, ReadonlyArray<ShapedRun>>() }
  const runs: Typesetter["runs"] = (text, weight) => {
    const found = known[weight].get(text) ?? runsOf(text, facesOf(weight))
    known[weight].set(text, found)
    return found
  }
  return {
    runs,
    width: (text, size, weight) => size * runs(text, weight).reduce((sum, run) => sum + run.width, 0),
    missing: (text, weight) => {
      const faces = facesOf(weight)
      const characters = charactersOf(text)
      if (
        characters.every((one) => faces(pointOf(one)) !== undefined) &&
        runs(text, weight).every((one) => one.isWhole)
      )
        return []
      const alone = characters.filter((one) => !isWritable(one, faces))
      return [...new Set(alone.length > 0 ? alone : text.split(" ").filter((word) => !isWritable(word, faces)))]
    }
  }
}
