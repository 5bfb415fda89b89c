/**
 * A corpus of layouts of programs, processors and banks: rows of our own in the layouts that these write. What each comes to is
 * known from the rows alone. Nothing is read wrong without a word, and hardly any needs more than one answer.
 */
import { describe, expect, it } from "vitest"
import { banks } from "./corpus/Banks.ts"
import { readAll, sumsOf } from "./Reading.ts"

const LAYOUTS = [...banks]

describe("init, of layouts of programs and banks", () => {
  for (const { answers = {}, files, name, open, sums } of LAYOUTS)
    it(`reads ${name}`, async () => {
      const { documents, found, quarantined } = await readAll(files, answers)
      expect(found.questions.filter(({ suggestion }) => suggestion === undefined)).toEqual([])
      expect(quarantined).toEqual([])
      expect(sumsOf(documents)).toEqual({ sums, ...(open === undefined ? {} : { open }) })
    })
})
