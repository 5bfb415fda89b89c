/**
 * Exports of programs, in their languages, encodings and ways to write: what `init` makes of them, with nothing said or with
 * one answer, comes to what they say themselves.
 */
import { describe, expect, it } from "vitest"
import { SAMPLES } from "./Layouts.ts"
import { readAll, sumsOf } from "./Reading.ts"

describe("init, of exports as programs write them", () => {
  for (const { answers = {}, currencies, files, name, open, preset, sums } of SAMPLES)
    it(`reads ${name}`, async () => {
      const { documents, found, presets, quarantined } = await readAll(files, answers)
      expect(found.questions.filter(({ suggestion }) => suggestion === undefined)).toEqual([])
      expect(presets).toEqual(preset === undefined ? [] : [preset])
      expect(quarantined).toEqual([])
      expect(sumsOf(documents)).toEqual({ sums, ...(open === undefined ? {} : { open }) })
      const said = documents.flatMap(({ currency }) => (currency === undefined ? [] : [currency]))
      expect([...new Set(said)]).toEqual(currencies)
    })

  it("skips the items of an invoice, and never an invoice without a number", async () => {
    const text = (second: string) =>
      `Reference,Customer,Date,Total,Currency,Item,Hours\nI1,Acme,2026-03-01,10.00,EUR,,\n,,,,,Work,2\n${second}\n`
    const items = await readAll({ "a.csv": text("I2,Acme,2026-03-02,20.00,EUR,,") })
    expect([items.documents.length, items.quarantined]).toEqual([2, []])
    const nameless = await readAll({ "a.csv": text(",Acme,2026-03-02,20.00,EUR,,") })
    expect(nameless.quarantined.join("\n")).toContain("a.csv:4")
  })

  it("asks at most one thing of each but what it suggests, and mostly nothing", () => {
    const asked = SAMPLES.map(({ answers = {} }) => Object.keys(answers).length)
    expect(Math.max(...asked)).toBe(1)
    expect(asked.filter((count) => count === 0).length).toBeGreaterThan(asked.length / 2)
  })
})
