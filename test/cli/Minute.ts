/**
 * From the exports of each known program to a dry run, as a person gets there: `daybook init` at a terminal, with each question
 * answered when it is asked.
 */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PRESETS } from "../../sync/setup/Presets.ts"
import { LAYOUTS } from "../sync/setup/Layouts.ts"
import { draftOf } from "../sync/setup/Reading.ts"
import { converse } from "../support/Terminal.ts"

/** How long a person is given to read and answer one question, in seconds. */
export const PER_QUESTION = 10

const found = await Promise.all(
  LAYOUTS.map(async (layout) => ({ layout, presets: (await draftOf(layout.files, layout.answers)).presets }))
)

export const NAMES = PRESETS.map(({ name }) => name)

/** The first layout with a preset, set up at a terminal: what was asked, what was shown, and how many seconds the program took. */
export const minuteOf = async (preset: string) => {
  const layout = found.find(({ presets }) => presets.includes(preset))?.layout
  if (layout === undefined) throw new Error(`no layout of these tests has the preset ${preset}`)
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
  const seconds = (performance.now() - began) / 1000
  // Of payments alone, whose invoices are in another program, nothing can be sent.
  const isDry = status === 0 && /Nothing was sent, and nothing of this trial is kept|Nothing to send/.test(shown)
  return { asked, isDry, seconds, shown, whole: seconds + asked.length * PER_QUESTION }
}
