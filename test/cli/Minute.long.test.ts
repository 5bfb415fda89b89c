/**
 * From the exports of each known program to a dry run, as a person gets there: `daybook init` at a terminal, with each question
 * answered when it is asked. How long the program itself takes is printed; a person who takes ten seconds for each question has
 * most of a minute left.
 */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { useCommand } from "../support/Cli.ts"
import { converse, hasScript, MISSING } from "../support/Terminal.ts"
import { PRESETS } from "../../sync/setup/Presets.ts"
import { LAYOUTS } from "../sync/setup/Layouts.ts"
import { draftOf } from "../sync/setup/Reading.ts"

useCommand()

const found = await Promise.all(
  LAYOUTS.map(async (layout) => ({ layout, presets: (await draftOf(layout.files, layout.answers)).presets }))
)

const MOST_QUESTIONS = 5

describe("from exports to a dry run at a terminal", { timeout: 120_000 }, () => {
  const took: Array<string> = []
  beforeEach(({ skip }) => {
    if (!hasScript) skip(MISSING)
  })
  afterAll(() => console.log(took.join("\n")))

  for (const { name: preset } of PRESETS) {
    const layout = found.find(({ presets }) => presets.includes(preset))?.layout
    it(`takes at most ${MOST_QUESTIONS} questions: ${preset}`, async () => {
      assert.isDefined(layout, "no layout of these tests has it")
      const { answers = {}, files } = layout
      const folder = mkdtempSync(join(tmpdir(), "minute-"))
      for (const [path, contents] of Object.entries(files)) writeFileSync(join(folder, path), contents)
      const began = performance.now()
      const { asked, shown, status } = await converse(folder, "init", (question) => {
        if (question.includes("[y/N]")) return "y"
        if (/\] $/.test(question)) return ""
        if (question.includes("currency")) return answers.currency ?? "EUR"
        return Object.values(answers.statuses ?? {})[0] ?? ""
      })
      took.push(`${preset}: ${asked.length} questions, ${((performance.now() - began) / 1000).toFixed(1)} s`)
      assert.strictEqual(status, 0, shown)
      // Of payments alone, whose invoices are in another program, nothing can be sent.
      assert.match(shown, /Nothing was sent, and nothing of this trial is kept|Nothing to send/)
      assert.isAtMost(asked.length, MOST_QUESTIONS, asked.join("\n"))
    })
  }
})
