/** An evidence pack in a real browser, from a file and without a network: it is checked, and a figure leads to the source's row. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { extractText } from "unpdf"
import { MISSING, open, place } from "../support/Browser.ts"
import { failed, useCommand } from "../support/Cli.ts"
import { chooseFile, packed, text } from "../support/EvidencePack.ts"

useCommand()

describe("an evidence pack", { timeout: 90_000 }, () => {
  it("is checked in a browser without Daybook or a network, and leads from a figure to the source's row", async ({
    skip
  }) => {
    if (place === undefined) skip(MISSING)
    const { folder, parts } = await packed()
    const tab = await open({ javaScriptEnabled: true, offline: true })
    assert.include(await chooseFile(tab, folder, "march.zip"), "every fact is what its entry says")
    assert.match(
      (await tab.textContent("#statement")) ?? "",
      /All customers0\.00420\.600\.00220\.000\.00200\.60200\.60200\.60/
    )
    await tab.click("text=Brightwater Foods Ltd")
    await tab.click("#found >> text=books/invoice/INV-2")
    await tab.waitForSelector("#found h3")
    const found = (await tab.textContent("#found")) ?? ""
    assert.include(found, "INV-2,Brightwater Foods Ltd,GB,2026-03-02,2026-04-01,250.50,300.60,Sent,200.60")
    assert.include(found, "invoices.csv:3")
    assert.include(found, "2026-04-15", "its later version")
    assert.include(found, "receipt")
    assert.match(text(parts, "READ-ME.txt"), /^Evidence of 2026-03\n/)
    const { text: printed } = await extractText(new Uint8Array(parts["statement.pdf"]!), { mergePages: true })
    assert.match(printed, /Closing statement 2026-03.*was closed by Ada Keeper/s)
    assert.match(printed, /= closing balance\s+200\.60\s+200\.60\s+200\.60/)
    assert.match(printed, /Brightwater Foods Ltd\s+GBP\s+200\.60\s+200\.60\s+200\.60/)
  })

  it("is a ZIP file by its name, and is not left half-written", async () => {
    const { folder, run } = await packed()
    assert.include(failed(await run("close", "2026-03", "--pack", "march.tar"), 2), "march.tar.zip")
    assert.include(
      failed(await run("close", "2026-03", "--pack", join("no-folder", "march.zip")), 2),
      "its folder does not exist"
    )
    assert.strictEqual(readFileSync(join(folder, "march.zip")).subarray(0, 2).toString(), "PK")
  })
})
