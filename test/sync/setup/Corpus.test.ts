/**
 * A corpus of layouts of programs, processors and banks: rows of our own in the layouts that these write. What each comes to is
 * known from the rows alone. Nothing is read wrong without a word, and hardly any needs more than one answer.
 */
import { describe, expect, it } from "vitest"
import { CORPUS } from "./Layouts.ts"
import { readAll, sumsOf } from "./Reading.ts"

describe("init, of layouts of programs and banks", () => {
  for (const { answers = {}, files, name, open, sums } of CORPUS)
    it(`reads ${name}`, async () => {
      const { documents, found, quarantined } = await readAll(files, answers)
      expect(found.questions.filter(({ suggestion }) => suggestion === undefined)).toEqual([])
      expect(quarantined).toEqual([])
      expect(sumsOf(documents)).toEqual({ sums, ...(open === undefined ? {} : { open }) })
    })

  it("asks at most one thing of nine in ten, and of none more than two", () => {
    const asked = CORPUS.map(({ answers = {} }) => Object.keys(answers).length)
    expect(asked.filter((count) => count <= 1).length).toBeGreaterThanOrEqual(asked.length * 0.9)
    expect(Math.max(...asked)).toBeLessThanOrEqual(2)
  })
})
