/** A daemon with its page before the sandbox, and a person in Chromium who is signed in. */
import type { Page } from "playwright-core"
import { books, configuration, INVOICES, service } from "./Cli.ts"
import { startDaemon } from "./Daemon.ts"

export const PASSWORD = "correct horse battery"

/** INV-4's buyer is not known by its name, INV-5's and INV-7's records cannot be read; what looks like markup is a name. */
export const MORE = `${INVOICES}INV-4,Brightwater,GB,2026-03-04,2026-04-03,20.00,24.00,Sent
INV-5,Broken Ltd,GB,2026-03-99,2026-04-03,20.00,24.00,Sent
INV-6,<script>alert(1)</script> & Sons,GB,2026-03-04,2026-04-03,20.00,24.00,Sent
INV-7,Broken Ltd,GB,2026-03-99,2026-04-03,20.00,24.00,Sent
`

/** A bank's statement that pays those books: nobody can tell what its payment is for. */
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

/** Every link and every form leads to a page: until it is there, going elsewhere would call the request off. */
export const follow = (page: Page, selector: string): Promise<unknown> =>
  Promise.all([page.waitForEvent("load"), page.click(selector)])

export const enter = async (page: Page, url: string, password = PASSWORD): Promise<Page> => {
  await page.goto(`${url}/attention`)
  await page.fill("input[name=password]", password)
  await follow(page, "button.primary")
  return page
}

export const text = (page: Page): Promise<string> => page.innerText("body")
