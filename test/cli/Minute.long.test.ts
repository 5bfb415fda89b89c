/** Nobody needs a minute from the exports of a known program to a dry run, ten seconds for each question included. */
import { assert, beforeEach, describe, it } from "@effect/vitest"
import { useCommand } from "../support/Cli.ts"
import { hasScript, MISSING } from "../support/Terminal.ts"
import { minuteOf, NAMES } from "./Minute.ts"

useCommand()

const MOST_QUESTIONS = 5

describe("from exports to a dry run at a terminal", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => {
    if (!hasScript) skip(MISSING)
  })

  for (const preset of NAMES)
    it(`takes at most ${MOST_QUESTIONS} questions: ${preset}`, async () => {
      const { asked, isDry, shown } = await minuteOf(preset)
      assert.isTrue(isDry, shown)
      assert.isAtMost(asked.length, MOST_QUESTIONS, asked.join("\n"))
    })
})
