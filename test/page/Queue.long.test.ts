/**
 * The work queue in Chromium: causes, what a decision about several items would do, and that exactly that is done; with the
 * keyboard, without scripts, and for everybody.
 */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { findings, inEachLook } from "../support/Axe.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { books, configuration, ofType, service, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"
import { enter, follow, PASSWORD, text } from "../support/PageHouse.ts"

useCommand()
afterAll(closeAll)

const LOST = Array.from({ length: 25 }, (_, n) => `Q-${n},INV-9${n},2026-03-20,${n + 1}.00,,`).join("\n")

/** A daemon with 25 payments for invoices that the books do not have. */
const house = async () => {
  const there = await service()
  const { connections, ...rest } = configuration(there.url)
  const here = books(there.url, {
    "daybook.config.json": JSON.stringify({
      ...rest,
      daemon: { page: { password: { env: "PAGE_PASSWORD" } } },
      connections: [{ ...connections[0], every: "1 hour" }]
    }),
    "payments.csv": `Ref,Invoice,Date,Amount,Type,Code\n${LOST}\n`
  })
  const running = await startDaemon(here.folder, { env: { PAGE_PASSWORD: PASSWORD } })
  await running.says(({ connection, outcome }) => connection === "books" && outcome !== undefined)
  const left = async () => ofType(await here.run("attention", "--json"), "attention").length
  return { here, there, url: running.url, left }
}

describe("the work queue", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("shows one cause for what has one cause, and closes exactly what was chosen, after it was shown; without scripts", async () => {
    const { left, there, url } = await house()
    const page = await enter(await open(), url)
    const queue = await text(page)
    assert.include(queue, "25 items from 1 cause")
    assert.include(queue, "… is allocated to an invoice that was not found in the source")
    assert.match(queue, /25 items · books · rule P1/)
    assert.strictEqual(await page.locator("tbody tr").count(), 20)
    await follow(page, "text=More of this cause")
    assert.strictEqual(await page.locator("tbody tr").count(), 25)
    const before = (await there.calls()).length
    await page.locator("input[name=id]").nth(0).check()
    await page.locator("input[name=id]").nth(2).check()
    await follow(page, "text=Close the chosen …")
    const shown = await text(page)
    for (const words of ["2 items are closed", "Nothing is sent", "Close 2 items"]) assert.include(shown, words)
    assert.strictEqual(await left(), 25, "nothing is done by looking")
    await follow(page, "button.primary")
    assert.include(await text(page), "Closed, exactly those that were shown.")
    assert.strictEqual(await left(), 23)

    await follow(page, "text=Close all 23 …")
    const other = await enter(await open(), url)
    await follow(other, "tbody a")
    await follow(other, "text=Close item")
    await follow(page, "button.primary")
    assert.include(await text(page), "Nothing was done: something about these items changed")
    assert.include(await text(page), "1 item of those you chose were closed meanwhile.")
    assert.strictEqual(await left(), 22)
    await follow(page, "button.primary")
    assert.strictEqual(await left(), 0)
    assert.strictEqual((await there.calls()).length, before)
    await page.goto(`${url}/attention/all?do=close&cause=none`)
    assert.include(await text(page), "No item was chosen.")
  })

  it("is worked off with a few keys, which can be turned off", async () => {
    const { left, url } = await house()
    const page = await enter(await open({ javaScriptEnabled: true }), url)
    await page.waitForSelector("[data-keys]:visible")
    const press = async (...keys: ReadonlyArray<string>) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press("j", "x", "j", "j", "x", "k")
    assert.strictEqual(await page.locator("input[name=id]:checked").count(), 2)
    assert.strictEqual(await page.locator("tbody tr").nth(1).locator(":focus").count(), 1)
    await Promise.all([page.waitForURL(/do=close/), press("e")])
    assert.include(await text(page), "2 items are closed")
    await page.goBack()
    await press("j")
    await Promise.all([page.waitForURL(/attention\/\d+$/), press("Enter")])
    await page.goto(`${url}/attention`)
    await page.click("text=Turn them off")
    await page.reload()
    await page.locator("body").click({ position: { x: 1, y: 1 } })
    await press("j", "x")
    assert.strictEqual(await page.locator("input[name=id]:checked").count(), 0)
    assert.strictEqual(await left(), 25)
  })

  it("can be used by everybody, light and dark, on a screen and on a phone", async () => {
    const { url } = await house()
    const page = await enter(await open({ javaScriptEnabled: true, bypassCSP: true }), url)
    for (const selector of ["", "text=More of this cause", "text=Close all 25 …"]) {
      if (selector !== "") await follow(page, selector)
      await inEachLook(page, async (look, wide) => {
        assert.deepStrictEqual(await findings(page), [], `${look} ${selector}`)
        assert.isAtMost((await page.evaluate("document.documentElement.scrollWidth")) as number, wide)
      })
    }
  })
})
