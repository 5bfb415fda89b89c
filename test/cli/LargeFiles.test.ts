/** Files that are large enough for a thread of their own, through the command as it is built. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { books, INVOICES, NOWHERE, ofType, program, useCommand } from "../support/Cli.ts"

useCommand()

/** A column that nobody reads, which makes the file large. */
const ROWS = 45
const NOTE = "x".repeat(200_000)

const invoices = INVOICES.split("\n")
  .slice(0, 1)
  .map((head) => `${head},Note`)
for (let n = 0; n < ROWS; n++) invoices.push(`A${n},Tern & Sons,GB,2026-03-02,2026-04-01,1.00,1.20,Sent,${NOTE}`)

describe("a large file", () => {
  it("is read beside the thread that writes, by a program that the package has", { timeout: 120_000 }, async () => {
    assert.isTrue(existsSync(join(dirname(program()), "reading", "Reader.js")))
    const here = books(NOWHERE, { "invoices.csv": `${invoices.join("\n")}\n` })
    const ran = await here.run("pull", "--json")
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.deepInclude(ofType(ran, "pull")[0], { added: ROWS + 3, quarantined: 0 })
  })
})
