/** A daemon with its page, connected to the sandbox, and a signed-in user in Chromium. */
import type { Page } from "playwright-core"
import { books, configuration, INVOICES, service } from "./Cli.ts"
import { startDaemon } from "./Daemon.ts"

export const PASSWORD = "correct horse battery"

/** INV-4's buyer is unknown, INV-5 and INV-7 cannot be read; a name contains what looks like markup. */
export const MORE = `${INVOICES}INV-4,Brightwater,GB,2026-03-04,2026-04-03,20.00,24.00,Sent
INV-5,Broken Ltd,GB,2026-03-99,2026-04-03,20.00,24.00,Sent
INV-6,<script>alert(1)</script> & Sons,GB,2026-03-04,2026-04-03,20.00,24.00,Sent
INV-7,Broken Ltd,GB,2026-03-99,2026-04-03,20.00,24.00,Sent
`

/** A bank statement that pays those books: its payment cannot be matched. */
export const BANK = {
  id: "bank",
  every: "1 hour",
  source: {
    connector: "files",
    payments: {
      path: "bank.csv",
      columns: { id: "No", date: "Day", amount: "Amount", customer: "From" },
      currency: "GBP"
    }
  },
  pays: "books"
}

export const house = async (connection: object = {}, others: ReadonlyArray<{ readonly id: string }> = []) => {
  const there = await service()
  const { connections, ...rest } = configuration(there.url)
  const daemon = { page: { password: { env: "PAGE_PASSWORD" } } }
  const here = books(there.url, {
    "daybook.config.json": JSON.stringify({
      ...rest,
      daemon,
      connections: [{ ...connections[0], every: "1 hour", ...connection }, ...others]
    }),
    "invoices.csv": MORE,
    "bank.csv": "No,Day,Amount,From\n1,2026-03-22,24.00,Somebody Else\n"
  })
  const running = await startDaemon(here.folder, { env: { PAGE_PASSWORD: PASSWORD } })
  for (const { id } of [{ id: "books" }, ...others])
    await running.says(({ connection, outcome }) => connection === id && outcome !== undefined)
  return { there, here, url: running.url, running }
}

/** Clicks a link or button and waits for the new page: navigating earlier would cancel the request. */
export const follow = (page: Page, selector: string): Promise<unknown> =>
  Promise.all([page.waitForEvent("load"), page.click(selector)])

export const enter = async (page: Page, url: string, password = PASSWORD): Promise<Page> => {
  await page.goto(`${url}/attention`)
  await page.fill("input[name=password]", password)
  await follow(page, "button.primary")
  return page
}

export const text = (page: Page): Promise<string> => page.innerText("body")
