/**
 * The principles of a first mapping on every way to one: `daybook init`, the page's set-up and a link, as a browser does by HTTP.
 * The same bad file for each kind of fault: each way says the same of it, in words of its own, and passes over nothing.
 */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { BAD_FILES } from "./BadFiles.ts"
import { desk, run, useCommand } from "../support/Cli.ts"
import { type Platform, platform } from "./Desk.ts"
import { byLink, signedIn, textOf } from "./Ways.ts"

useCommand()

let one: Platform
let onPage: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  one = await platform()
  onPage = await signedIn(one)
}, 120_000)

/** Neither a flag, nor a place in a configuration, nor a folder of the machine. */
const OF_NO_FORM = /--[a-z]|source\.|columns\.|date_format|statuses|leave_out|configuration|\/tmp\/|connected\//

describe("a bad file", { timeout: 300_000 }, () => {
  for (const [n, { files, kind, says }] of BAD_FILES.entries())
    it(`is spoken of on every way: ${kind}`, async () => {
      const here = desk(files)
      const init = await run(here.folder, ["init", ...Object.keys(files), "--yes", "--name", "Acme"])
      assert.match(`${init.stdout}${init.stderr}`.replace(/\s+/g, " "), says)
      assert.notMatch(init.stderr, /source\.|columns\.|date_format/)
      for (const page of [await onPage(files), await byLink(one, files, `bad${n}`)]) {
        const text = textOf(page)
        assert.match(text, says, text)
        assert.notMatch(text.replace(/use daybook init\./, ""), OF_NO_FORM)
      }
    })

  it("of which nothing can be read is not kept, and the others are", async () => {
    const good = BAD_FILES.find(({ kind }) => kind === "a column that nobody knows")!.files
    const page = await onPage({ ...good, "empty.csv": "nothing\n" })
    assert.match(textOf(page), /empty\.csv has no row that names its columns/)
    assert.notInclude(page, "<li>empty.csv</li>")
    assert.include(page, "<li>books.csv</li>")
    assert.match(textOf(page), /column "Weather" is not used/)
  })
})
