/**
 * The page's preview in Chromium, without scripts: the records of a source beside the documents that they become, what would
 * be quarantined, and what they come to; nothing of it is stored or sent.
 */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import type { Page } from "playwright-core"
import { books, configuration, INVOICES, service, useCommand } from "../support/Cli.ts"
import { findings, inEachLook } from "../support/Axe.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { startDaemon } from "../support/Daemon.ts"

useCommand()
afterAll(closeAll)

const PASSWORD = "correct horse battery"
const LATER = `${INVOICES}INV-5,Broken Ltd,GB,2026-03-99,2026-04-03,20.00,24.00,Sent
INV-6,<b>Bold</b> & Sons,GB,2026-03-04,2026-04-03,20.00,24.00,Sent
`

const follow = (page: Page, selector: string): Promise<unknown> =>
  Promise.all([page.waitForEvent("load"), page.click(selector)])

const text = (page: Page): Promise<string> => page.innerText("main")

/** A daemon that has read its books, whose file has changed since. */
const house = async () => {
  const there = await service()
  const { connections, ...rest } = configuration(there.url)
  const { payments: _, ...its } = connections[0]!.source
  const gone = {
    id: "gone",
    every: "1 hour",
    source: { ...its, invoices: { ...its.invoices, path: "gone.csv" } },
    owner: connections[0]!.owner
  }
  const here = books(there.url, {
    "daybook.config.json": JSON.stringify({
      ...rest,
      daemon: { page: { password: { env: "PAGE_PASSWORD" } } },
      connections: [{ ...connections[0], every: "1 hour" }, gone]
    })
  })
  const running = await startDaemon(here.folder, { env: { PAGE_PASSWORD: PASSWORD } })
  for (const id of ["books", "gone"])
    await running.says(({ connection, outcome }) => connection === id && outcome !== undefined)
  here.write("invoices.csv", LATER)
  const enter = async (page: Page) => {
    await page.goto(`${running.url}/preview`)
    await page.fill("input[name=password]", PASSWORD)
    await follow(page, "button.primary")
    return page
  }
  const stored = () => {
    const db = new Sqlite(here.path("daybook.db"), { readonly: true })
    try {
      return db.prepare("SELECT (SELECT count(*) FROM document), (SELECT count(*) FROM claim)").raw().get()
    } finally {
      db.close()
    }
  }
  return { there, here, url: running.url, enter, stored }
}

describe("the page's preview", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("shows records beside what they become, what would be quarantined and the sums; and stores nothing", async () => {
    const { enter, stored, there, url } = await house()
    const before = [stored(), await there.calls()]
    const page = await enter(await open())
    assert.include(await text(page), "Nothing is stored and nothing is sent")
    await follow(page, "text=Read the first records of books")
    const shown = await text(page)
    for (const words of [
      "Preview of books",
      "1 record would be quarantined",
      "INV-6,<b>Bold</b> & Sons,GB,2026-03-04",
      '"2026-03-99" is not a date',
      "invoices.csv:5"
    ])
      assert.include(shown, words)
    assert.match(shown, /invoice\s+open\s+3\s+\d+\.\d\d\s+GBP/)
    assert.strictEqual(await page.locator("main b").count(), 0)
    await follow(page, "text=Read them again")
    assert.include(await text(page), "Preview of books")
    assert.deepStrictEqual([stored(), await there.calls()], before)

    await page.goto(`${url}/preview/books`)
    assert.include(await text(page), "Read the first records of books")
    await follow(page, "text=Read the first records of gone")
    assert.include(await text(page), "gone.csv")
  })

  it("reads nothing without a session and the word of its forms", async () => {
    const { url } = await house()
    for (const path of ["/preview", "/preview/books"]) {
      const answer = await fetch(`${url}${path}`, { redirect: "manual" })
      assert.deepStrictEqual([answer.status, await answer.text()], [303, ""], path)
    }
    const answer = await fetch(`${url}/preview/books`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams()
    })
    assert.strictEqual(answer.status, 403)
    assert.notInclude(await answer.text(), "INV-1")
  })

  it("can be used by everybody, light and dark, on a screen and on a phone", async () => {
    const { enter } = await house()
    const page = await enter(await open({ javaScriptEnabled: true, bypassCSP: true }))
    for (const selector of ["", "text=Read the first records of books"]) {
      if (selector !== "") await follow(page, selector)
      await inEachLook(page, async (look, wide) => {
        assert.deepStrictEqual(await findings(page), [], `${look} ${selector}`)
        const width = (await page.evaluate("document.documentElement.scrollWidth")) as number
        assert.isAtMost(width, wide)
      })
    }
  })
})
