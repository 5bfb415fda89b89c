/** The seventh example, as a program of someone else: a quarter of a year from quotes to money recovered. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { atEnd } from "../support/AtEnd.ts"
import { builtLibrary, remove, temporary } from "../support/Built.ts"

const EXAMPLE = fileURLToPath(new URL("../../examples/7-cover", import.meta.url))

describe("the example of cover", () => {
  it("quotes, buys, hands over and recovers in one command", { timeout: 180_000 }, () => {
    const folder = temporary()
    atEnd(() => remove(folder))
    mkdirSync(join(folder, "node_modules"))
    symlinkSync(builtLibrary(), join(folder, "node_modules", "daybook"))
    cpSync(EXAMPLE, folder, { recursive: true })
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    const said = execFileSync(process.execPath, ["cover.ts"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"]
    })
    for (const words of [
      "Q1 books/invoice/INV-1: ",
      "Q4 books/invoice/INV-1: offered for 22.40 GBP (premium 20.00 GBP, tax 2.40 GBP) for 900.00 GBP insured, insures Harbour Lane Bakery Ltd (GB, 10000000, GB10000000), within cover.price",
      "  INV-3: buyer-uncreditworthy\n",
      "  2026-03: 22.40 of 500.00 GBP spent\n",
      "Ada approves 201.60 GBP\n",
      "Q5 books/invoice/INV-2: ",
      "  INV-1: late_can_handover\n",
      "  invoice: INV-1.pdf\n  statement: statement-of-account.pdf\n",
      "H5 books/invoice/INV-1: Ada Reed confirmed on 2026-05-16 that it is correct, and accepted the terms of collection",
      "H6 books/invoice/INV-1: ",
      "INV-1 was handed over on 2026-05-16; recovery_complete\n"
    ])
      assert.include(said, words)
    assert.notInclude(said, "12345678")
  })
})
