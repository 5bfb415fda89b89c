/**
 * From a folder of 300 electronic invoices in seven syntaxes and a bank's statement to a dry run, as a person gets there: `daybook init`
 * at a terminal, with one question. What it is to come to is worked out here.
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { useCommand } from "../support/Cli.ts"
import { converse, hasScript, MISSING } from "../support/Terminal.ts"
import { mixed } from "./MixedInvoices.ts"

useCommand()

const MOST_SECONDS = 60

describe("from a folder of mixed electronic invoices to a dry run at a terminal", { timeout: 240_000 }, () => {
  it("takes one question and less than a minute", async ({ skip }) => {
    if (!hasScript) skip(MISSING)
    const folder = mkdtempSync(join(tmpdir(), "mixed-"))
    mixed(folder, 300)
    const began = performance.now()
    const { asked, shown, status } = await converse(folder, "init", (question) =>
      question.includes("[y/N]") ? "y" : ""
    )
    const seconds = (performance.now() - began) / 1000
    console.log(`${asked.length} questions, ${seconds.toFixed(1)} s`)
    assert.strictEqual(status, 0, shown)
    assert.include(shown, "300 to create", shown)
    assert.strictEqual(asked.filter((question) => !question.includes("[y/N]")).length, 1, asked.join("\n"))
    assert.isBelow(seconds, MOST_SECONDS)
  })
})
