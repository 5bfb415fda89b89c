/** An evidence pack that somebody edited who keeps it: its page names what was changed. */
import { assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { MISSING, open, place } from "../support/Browser.ts"
import { useCommand } from "../support/Cli.ts"
import { choose, chooseFile, edited, hidden, packed, type Parts, text, twice } from "../support/EvidencePack.ts"

useCommand()

describe("an evidence pack", { timeout: 90_000 }, () => {
  it("names what was changed, removed or added, wherever it stands", async ({ skip }) => {
    if (place === undefined) skip(MISSING)
    const { folder, parts } = await packed()
    const tab = await open({ javaScriptEnabled: true, offline: true })
    assert.include(await choose(tab, folder, parts), "every fact is what its entry says")
    const line = (name: string) => text(parts, name).split("\n")[0]!
    const without = (name: string) => edited(parts, name, (all) => all.slice(all.indexOf("\n") + 1))
    const rest = Object.keys(parts).filter((name) => /^facts\//.test(name) && text(parts, name) !== "")
    assert.includeMembers(rest, ["facts/claim.jsonl", "facts/receipt.jsonl", "facts/closed_month.jsonl"])
    const changes: ReadonlyArray<readonly [says: RegExp, parts: Parts]> = [
      [/documents 1 to \d+ are not/, edited(parts, "documents.jsonl", (all) => all.replace("INV-1", "INV-7"))],
      [/documents 1 to \d+ are not/, without("documents.jsonl")],
      [/version \[2,2\] is not/, edited(parts, "versions.jsonl", (all) => all.replace("2026-04-15", "2026-04-16"))],
      [/version \[2,2\] was removed/, without("versions.jsonl")],
      [/record_page 1 is not/, edited(parts, "records.jsonl", (all) => all.replace("300.60", "300.61"))],
      [/record_page 1 was removed/, without("records.jsonl")],
      [/entry 2 was changed/, edited(parts, "chain.jsonl", (all) => all.replace(/(\n\[2,\d+)/, "$11"))],
      [/entries 1 to 1 are missing/, without("chain.jsonl")],
      [
        /books was closed by Ada Keeper with a statement that said something else/,
        edited(parts, "statement.json", (all) => all.replaceAll("420.60", "520.60"))
      ],
      [/which the statement names/, edited(parts, "statement.json", (all) => all.replace(/"hash":"./, '"hash":"x'))],
      ...rest.flatMap((name): ReadonlyArray<readonly [RegExp, Parts]> => {
        const [key] = JSON.parse(line(name)) as [unknown]
        const named = `${name.slice(6, -6)} ${JSON.stringify(key)}`.replaceAll(/[[\]]/g, "\\$&")
        return [
          [new RegExp(`${named} was removed`), without(name)],
          [
            new RegExp(`${named} is not what`),
            edited(parts, name, (all) => all.replace(/[a-z](?=[^a-z]*\]"\])/, (one) => (one === "x" ? "y" : "x")))
          ],
          [
            /has no entry/,
            edited(
              parts,
              name,
              (all) => `${all}${JSON.stringify([typeof key === "number" ? 999_999 : ["x"], "[1]"])}\n`
            )
          ]
        ]
      })
    ]
    for (const [says, changed] of changes) {
      const said = await choose(tab, folder, changed)
      assert.match(said, says)
      assert.include(said, "not as it was written")
    }
    for (const [says, changed] of hidden(parts)) assert.match(await choose(tab, folder, changed), says)
    writeFileSync(join(folder, "twice.zip"), twice(parts))
    assert.match(await chooseFile(tab, folder, "twice.zip"), /two parts that are called statement\.json/)
    await tab.fill("#head", `1:${"0".repeat(64)}`)
    await tab.setInputFiles("#file", join(folder, "march.zip"))
    await tab.waitForSelector("#result.bad >> text=which you wrote down")
  })
})
