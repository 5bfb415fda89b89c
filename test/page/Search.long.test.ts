/** The box that finds everything, in Chromium: from every page, with and without scripts, for everybody. */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { findings, inEachLook } from "../support/Axe.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { useCommand } from "../support/Cli.ts"
import { until } from "../support/Daemon.ts"
import { enter, follow, house, text } from "../support/PageHouse.ts"

useCommand()
afterAll(closeAll)

describe("the page's search", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("leads from a number, a name or an amount to its invoice or customer; without scripts too", async () => {
    const { url } = await house()
    const page = await enter(await open(), url)
    const find = async (words: string) => {
      await page.fill("header input[name=q]", words)
      await follow(page, "header form.find button")
      return page.innerText("main")
    }
    assert.match(await find("300.60"), /INV-2\s+Brightwater Foods Ltd\s+2026-03-02\s+300\.60 GBP\s+books/)
    assert.strictEqual(await page.inputValue("header input[name=q]"), "300.60")
    assert.include(await find("brightwater"), "Customers")
    assert.include(await find("<b>nothing</b>"), "Nothing has “<b>nothing</b>” as its number")
    // The whole number of one document leads to it; what others have as well does not.
    await find("inv-2")
    assert.include(await page.innerText("h1"), "Invoice INV-2")
    await find("inv-")
    assert.include(await page.innerText("h1"), "Search: inv-")

    const typing = await enter(await open({ javaScriptEnabled: true, bypassCSP: true }), url)
    await typing.keyboard.press("/")
    await typing.goto(`${url}/search`)
    await typing.locator("header input[name=q]").pressSequentially("inv-4")
    await until("it is found while one types", async () =>
      (await text(typing)).includes("Brightwater") ? true : undefined
    )
    // Whoever types goes on typing.
    assert.include(await typing.innerText("h1"), "Search")
    assert.include(typing.url(), "/search")
    await inEachLook(typing, async (look, wide) => {
      assert.deepStrictEqual(await findings(typing), [], look)
      assert.isAtMost((await typing.evaluate("document.documentElement.scrollWidth")) as number, wide)
    })
  })
})
