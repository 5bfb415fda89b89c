/**
 * Each preset is met by a layout of these tests, and means the same whatever capitals, spaces and signs its program writes into
 * its headings: a known heading is never dropped.
 */
import { describe, expect, it } from "vitest"
import { PRESETS } from "../../../sync/setup/Presets.ts"
import { squash } from "../../../sync/setup/Vocabulary.ts"
import { LAYOUTS } from "./Layouts.ts"
import { draftOf, readAll, sumsOf } from "./Reading.ts"

const withPresets = await Promise.all(
  LAYOUTS.map(async (layout) => ({ layout, presets: (await draftOf(layout.files, layout.answers)).presets }))
)
const known = withPresets.filter(({ presets }) => presets.length > 0)

const HEADINGS = new Set(
  PRESETS.flatMap(({ needs, streams }) => [needs, typeof streams === "function" ? [] : streams])
    .flatMap((one) => JSON.stringify(one).match(/(?<=")[^"]+(?=")/g) ?? [])
    .map(squash)
)

/** The line of the headings: the first with three cells that a preset names. */
const rewritten = (text: string, write: (heading: string) => string): string => {
  const lines = text.split("\n")
  const at = lines.findIndex((line) => line.split(/[,;\t]/).filter((one) => HEADINGS.has(squash(one))).length > 2)
  lines[at] = (lines[at] ?? "").replace(/[^,;\t"\r]+/g, (cell) =>
    squash(write(cell)) === squash(cell) ? write(cell) : cell
  )
  return lines.join("\n")
}

const WAYS: Readonly<Record<string, (heading: string) => string>> = {
  "in lower case with strokes": (heading) =>
    heading
      .trim()
      .toLowerCase()
      .replaceAll(/[ /.-]+/g, "_"),
  "in capitals with spaces": (heading) =>
    heading
      .trim()
      .toUpperCase()
      .replaceAll(/[_/.-]+/g, " ")
}

describe("presets", () => {
  it("are each met by a layout here", () => {
    const met = new Set(known.flatMap(({ presets }) => presets))
    expect(PRESETS.map(({ name }) => name).filter((name) => !met.has(name))).toEqual([])
  })

  for (const [n, { layout, presets }] of known.entries()) {
    const { answers = {}, files, name } = layout
    if (Object.values(files).some((one) => typeof one !== "string")) continue
    // Each way takes as long as the other, so every second layout is written in each.
    for (const [how, write] of Object.entries(WAYS).filter((_, way) => way === n % 2))
      it(`mean the same ${how}: ${name}`, async () => {
        const before = await readAll(files, answers)
        const texts = Object.entries(files).map(([path, text]) => [path, rewritten(text as string, write)])
        const after = await readAll(Object.fromEntries(texts), answers)
        expect(after.presets).toEqual(presets)
        expect(after.quarantined).toEqual(before.quarantined)
        expect(sumsOf(after.documents)).toEqual(sumsOf(before.documents))
      })
  }
})
