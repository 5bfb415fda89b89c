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

interface Link {
  readonly href: string
  readonly text: string
}

/** In the browser: the links of a room, and what its title, its rules and its tables are. */
const LINKS = `(() => {
  const main = document.querySelector("main")
  const text = (one) => (one?.textContent ?? "").replaceAll(/\\s+/g, " ").trim()
  return [...main.querySelectorAll("a[href]")].map((one) => ({ href: one.getAttribute("href"), text: text(one) }))
})()`
const PLACE = `((id) => document.getElementById(id)?.closest("tr")?.textContent ?? "")`
const ROWS = `[...document.querySelectorAll("main table")].map((one) => one.tBodies[0].rows.length)`

/** What a document's kind is called before its number. */
const NAMED = /^(Invoice|Payment for|Payment|Credit note|Reversal|Order) /

/** A link whose text is a count of what it leads to. */
const COUNT = /^(\d+) (documents?|invoices?|items?)$/

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

  it("leads to the rule that it names, to the row with its number, and to as many rows as it counts", async () => {
    const { url } = await house({}, [BANK])
    const page = await enter(await open({ javaScriptEnabled: true, bypassCSP: true }), url)
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
    const links = new Map<string, Link>()
    for (const { address } of await crawled(url, { cookie }, 3)) {
      await page.goto(url + address)
      for (const one of (await page.evaluate(LINKS)) as ReadonlyArray<Link>)
        links.set(`${one.href} ${one.text}`, { ...one, href: new URL(one.href, page.url()).href.slice(url.length) })
    }
    const all = [...links.values()]
    const wrong: Array<string> = []

    const rules = all.filter(({ href }) => href.startsWith("/rules#"))
    assert.isAtLeast(rules.length, 2, "rules are named")
    await page.goto(`${url}/rules`)
    for (const { href, text } of rules) {
      const row = (await page.evaluate(`${PLACE}(${JSON.stringify(href.split("#")[1])})`)) as string
      if (href !== `/rules#${text}` || !row.startsWith(text) || row.length < text.length + 20)
        wrong.push(`rule ${text}: ${href} leads to "${row.slice(0, 60)}"`)
    }

    const rows = all.filter(({ href, text }) => /^\/documents\/[^?]+$/.test(href) && /\d/.test(text))
    assert.isAtLeast(rows.length, 10, "rows are named")
    for (const { href, text } of rows) {
      await page.goto(url + href)
      // It is called by its number, its id or its key; money is shown with its invoice, among the evidence.
      const number = text.replace(NAMED, "").replace(/^(books|bank)\/[a-z_]+\//, "")
      const places = [await page.locator("h1").innerText(), ...(await page.locator("main summary").allInnerTexts())]
      if (!places.some((one) => one.includes(number))) wrong.push(`row "${text}": ${href} is "${places[0]}"`)
    }

    const counts = all.filter(({ href, text }) => COUNT.test(text) && href !== "")
    assert.isAtLeast(counts.length, 4, "rows are counted")
    for (const { href, text } of counts) {
      await page.goto(url + href)
      const tables = (await page.evaluate(ROWS)) as ReadonlyArray<number>
      const count = Number(COUNT.exec(text)?.[1])
      const sum = tables.reduce((a, b) => a + b, 0)
      if (!tables.includes(count) && sum !== count) wrong.push(`${text}: ${href} has ${tables.join(", ")}`)
    }
    assert.deepStrictEqual(wrong, [])
  })
})
