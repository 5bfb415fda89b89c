/**
 * Every amount and count in every room says what it is, and leads on: beside it is a link to its rows, its document or its rule, or its
 * own document is shown around it.
 */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { useCommand } from "../support/Cli.ts"
import { BANK, enter, house } from "../support/PageHouse.ts"
import { crawled } from "../support/PageRooms.ts"

useCommand()
afterAll(closeAll)

/** What the service says of itself, and no document. */
const ITS_OWN = /in Confidence of Companies that the service's search finds/

/** In the browser: the figures that nothing names, and those that lead nowhere. */
const LOOK = `(() => {
  const figure = /^[-−+]?\\d[\\d,]*(\\.\\d+)?( [A-Z]{3})?$/
  const found = []
  const main = document.querySelector("main")
  const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.textContent.trim()
    const at = node.parentElement
    if (!figure.test(text) || at.closest("svg, code, pre, time, option, select, textarea, label, button, script, caption")) continue
    const cell = at.closest("td, th")
    const around = at.closest("tr, .card, dd, li, p, summary, details")
    const head = cell?.closest("table")?.querySelectorAll("thead th")[cell.cellIndex]
    const words = (element) => (element?.textContent ?? "").replaceAll(/[-−+]?\\d[\\d.,]*( [A-Z]{3})?/g, "").trim()
    const isNamed = cell ? words(head) !== "" : words(around?.querySelector("h2") ?? around) !== ""
    if (!isNamed) found.push("says nothing: " + text)
    const table = cell?.closest(".table")
    // A document's own page shows its source around it; what the workbench adds up stands beside it.
    const leads = location.pathname.startsWith("/documents/") || at.closest("[role=status]") || [around, cell && table, at.closest("form")].some((one) => one?.querySelector("a[href]"))
    if (!leads) found.push("leads nowhere: " + text + " in " + (head?.textContent ?? "") + " of " + (table?.getAttribute("aria-label") ?? around?.textContent ?? "").trim().slice(0, 80))
  }
  return found
})()`

describe("every figure", { timeout: 300_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("says what it is, and leads to where it comes from", async () => {
    const { url } = await house({}, [BANK])
    const page = await enter(await open({ javaScriptEnabled: true, bypassCSP: true }), url)
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
    const found = new Set<string>()
    for (const { address, room } of await crawled(url, { cookie }, 4)) {
      await page.goto(url + address)
      for (const one of (await page.evaluate(LOOK)) as ReadonlyArray<string>)
        if (!ITS_OWN.test(one)) found.add(`${room}: ${one}`)
    }
    assert.deepStrictEqual([...found].toSorted(), [])
  })
})
