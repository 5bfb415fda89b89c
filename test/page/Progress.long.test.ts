/** A page that somebody looks at tells, without being loaded again, how far a run has come that goes on. */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { subject } from "../../connectors/stripe/Sample.ts"
import { atEnd } from "../support/AtEnd.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { configuration, desk, INVOICES, PAYMENTS, service, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"
import { enter, PASSWORD } from "../support/PageHouse.ts"
import { serveSource } from "../support/SourceServer.ts"

useCommand()
afterAll(closeAll)

const ENV = { STRIPE_KEY: "rk_sample", PAGE_PASSWORD: PASSWORD }

/** Books, and a Stripe that answers with two records at a time, and slowly. */
const house = async () => {
  const there = await service()
  const source = await serveSource(subject.open().source!, { page: 2, millis: 1500 })
  atEnd(source.close)
  const { connections, service: settings } = configuration(there.url)
  const [books] = connections
  const stripe = { connector: "stripe", key: { env: "STRIPE_KEY" }, url: source.url }
  const here = desk({
    "invoices.csv": INVOICES,
    "payments.csv": PAYMENTS,
    "daybook.config.json": JSON.stringify({
      service: settings,
      daemon: { page: { password: { env: "PAGE_PASSWORD" } } },
      connections: [
        { ...books, every: "1 hour" },
        { id: "stripe", every: "1 hour", owner: books!.owner, source: stripe }
      ]
    })
  })
  return startDaemon(here.folder, { env: ENV })
}

describe("a page while a run goes on", { timeout: 240_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it.each(["en", "de"])("counts what was read, and stops when the run ends (%s)", async (locale) => {
    const { says, url } = await house()
    const page = await enter(await open({ javaScriptEnabled: true, locale }), url)
    await page.goto(`${url}/connections`)
    const shown = page.locator("#progress")
    await shown.waitFor({ state: "visible", timeout: 60_000 })
    const counts = new Set<string>()
    const begun = await page.evaluate("performance.timeOrigin")
    for (let n = 0; n < 200 && counts.size < 2; n++) {
      const text = (await shown.textContent()) ?? ""
      // Another connection's run may still be shown.
      if (text.startsWith("stripe")) counts.add(text)
      await page.waitForTimeout(200)
    }
    assert.strictEqual(counts.size, 2)
    for (const one of counts) assert.match(one, locale === "en" ? /^stripe: \d+ read$/ : /^stripe: \d+ gelesen$/)
    await says(({ connection, outcome }) => connection === "stripe" && outcome !== undefined)
    await shown.waitFor({ state: "hidden", timeout: 60_000 })
    assert.strictEqual(await page.evaluate("performance.timeOrigin"), begun)
  })
})
