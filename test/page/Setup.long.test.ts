/**
 * Setting up on the page, in Chromium without scripts, before the real daemon: when a connection runs, who is told, and one
 * more connection from files. What somebody wrote in the configuration stays, and who changed what is on record.
 */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Page } from "playwright-core"
import { variableFor } from "../../sync/library/VariableNames.ts"
import type { Config } from "../../sync/library/config/Configuration.ts"
import { atEnd } from "../support/AtEnd.ts"
import { findings } from "../support/Axe.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { books, configuration, INVOICES, service, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"
import { enter, follow, PASSWORD } from "../support/PageHouse.ts"

useCommand()
afterAll(closeAll)

const text = (page: Page): Promise<string> => page.innerText("main")

/** Takes what is posted to it. */
const webhook = async () => {
  const taken: Array<string> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => void (body += chunk))
    request.on("end", () => {
      taken.push(body)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  atEnd(() => void server.close())
  return { taken, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts` }
}

/** Written by hand: in an order and with an indentation of its own. */
const handwritten = (url: string): string => {
  const { connections, ...rest } = configuration(url)
  const daemon = { page: { password: { env: "PAGE_PASSWORD" } }, private_addresses: true }
  const all = { daemon, connections, ...rest }
  return JSON.stringify(all, null, 4).replace('"daemon": {', '"daemon":   {')
}

/** The variable of a channel that posts there. */
const secretOf = (url: string): string => variableFor(["ALERT", "pager", "SECRET"], ["", "webhook", url])

const house = async () => {
  const there = await service()
  const here = books(there.url, { "daybook.config.json": handwritten(there.url) })
  const pager = await webhook()
  const env = { PAGE_PASSWORD: PASSWORD, [secretOf(pager.url)]: "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=" }
  const running = await startDaemon(here.folder, { env })
  const written = () => readFileSync(here.path("daybook.config.json"), "utf8")
  const parsed = () => JSON.parse(written()) as Config
  return { here, pager, running, url: running.url, written, parsed }
}

const RECHNUNGEN = `Rechnungsnummer;Kunde;Rechnungsdatum;Fälligkeitsdatum;Bruttobetrag;Währung
R-1;Maison Verlaine;28.02.2026;30.03.2026;1.200,00;EUR
R-2;Van den Berg;01.03.2026;31.03.2026;34,50;EUR
`

describe("setting up", { timeout: 120_000 }, () => {
  beforeEach((context) => {
    if (place === undefined) context.skip(MISSING)
  })

  it("changes what a form says and nothing else, and puts down who did it", async () => {
    const { here, pager, parsed, running, url, written } = await house()
    const before = written()
    const page = await open({ bypassCSP: true, javaScriptEnabled: false })
    await enter(page, url)

    await page.goto(`${url}/connections/books/setup`)
    await page.check("input[value=interval]")
    await page.fill("input[name=count]", "0")
    await page.fill("input[name=name]", "Ada Reed")
    await follow(page, "button:text('Save')")
    assert.include(await text(page), "connections[0].every: write how often")
    assert.strictEqual(written(), before)
    await page.fill("input[name=count]", "20")
    await page.check("input[name=approve]")
    await follow(page, "button:text('Save')")
    assert.include(await text(page), "Saved. The new schedule applies")
    assert.include(await text(page), "every 20 minutes")
    assert.deepInclude(parsed().connections[0], { every: "20 minutes", approve: true })
    const stays = written().split("\n")
    for (const line of before.split("\n"))
      assert.include(
        stays.map((one) => one.replace(/,$/, "")),
        line.replace(/,$/, "")
      )

    await page.goto(`${url}/alerts`)
    await page.click("summary:has-text('Webhook')")
    const form = page.locator("details[open] form")
    await form.locator("input[name=channel]").fill("pager")
    await form.locator("input[name=url]").fill(pager.url)
    await Promise.all([page.waitForEvent("load"), form.locator("button").click()])
    assert.include(await text(page), `${secretOf(pager.url)} set`)
    await follow(page, "button:text('Send a test')")
    assert.include(await text(page), "pager took the test message")
    // An alert of the first run may come before it.
    assert.isTrue(
      pager.taken.some((message) => message.includes("daybook.test")),
      pager.taken.join("\n")
    )
    await page.goto(`${url}/alerts`)
    await page.click("summary:has-text('Add a rule')")
    await page.selectOption("select[name=on]", "approval")
    await page.check("input[name=to]")
    await follow(page, "details[open] button")
    assert.deepStrictEqual(parsed().alerts?.rules, [{ on: "approval", to: ["pager"] }])
    assert.include(await text(page), "approval, to pager")
    await follow(page, "tr:has-text('Webhook') >> text=Remove")
    assert.include(await text(page), 'there is no channel "pager"')

    await page.goto(`${url}/connections/new`)
    const named = await page.locator("select[name=connector] option").allInnerTexts()
    for (const source of ["QuickBooks Online", "WooCommerce", "Xero"]) assert.include(named, source)
    const upload = { name: "Rechnungen 2026.csv", mimeType: "text/csv", buffer: Buffer.from(RECHNUNGEN) }
    await page.setInputFiles("input[type=file]", upload)
    await follow(page, "button:text('Upload')")
    const shown = await text(page)
    for (const words of ["Rechnungen-2026.csv", "1,234.50", "EUR", "Maison Verlaine"]) assert.include(shown, words)
    await page.goto(page.url().replace(/\?.*/, ""))
    await follow(page, "button:text('Connect')")
    assert.include(await text(page), "Connected. Its first sync shows")
    const made = parsed().connections[1] as unknown as {
      readonly id: string
      readonly source: { readonly invoices: { readonly path: string } }
    }
    assert.strictEqual(made.id, "books-2")
    const path = here.path(made.source.invoices.path)
    await running.says(({ connection, outcome }) => connection === "books-2" && outcome === "waits for approval")

    const newer = { ...upload, buffer: Buffer.from(`${RECHNUNGEN}R-3;Tern;01.03.2026;31.03.2026;1,00;EUR\n`) }
    await page.goto(`${url}/connections/books-2/setup`)
    await page.setInputFiles("input[type=file]", newer)
    await follow(page, "button:text('Upload')")
    assert.include(readFileSync(path, "utf8"), "R-3")

    await page.goto(`${url}/activity?only=decisions`)
    const deeds = await text(page)
    for (const words of [
      "Ada Reed",
      "runs every 20 minutes, and each plan is approved (before: runs ",
      "channel pager added",
      "books-2 connected (files)",
      "newer file"
    ])
      assert.include(deeds, words)
    await page.goto(`${url}/settings`)
    const settings = await text(page)
    for (const words of ["20 minutes", "from the variable PAGE_PASSWORD", "Ada Reed", "(before: runs "])
      assert.include(settings, words)
    const phone = await open({ javaScriptEnabled: true, bypassCSP: true, viewport: { width: 360, height: 700 } })
    await enter(phone, url)
    for (const room of ["/alerts", "/connections/new", "/connections/books/setup", "/settings"]) {
      await phone.goto(`${url}${room}`)
      assert.deepStrictEqual(await findings(phone), [], room)
      assert.isAtMost((await phone.evaluate("document.documentElement.scrollWidth")) as number, 360, room)
    }

    // A page that is open follows the runs, and is not loaded again.
    assert.strictEqual((await fetch(`${url}/live`)).status, 401)
    await phone.goto(url)
    await phone.evaluate("window.opened = 1")
    here.write("invoices.csv", INVOICES.replace("2026-03-01", "2026-13-01"))
    running.turn()
    await phone.getByText("1 record could not be read").waitFor()
    assert.strictEqual(await phone.evaluate("window.opened"), 1)
  })
})
