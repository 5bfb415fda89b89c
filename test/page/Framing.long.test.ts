/** What a browser keeps from other sites and from scripts: the session's cookie, the page in a frame, scripts of others. */
import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { atEnd } from "../support/AtEnd.ts"
import { MISSING, open, place } from "../support/Browser.ts"
import { books, configuration, NOWHERE, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"

useCommand()

const PASSWORD = "correct horse battery"

/** Another site with this page. */
const elsewhere = async (html: string): Promise<string> => {
  const server = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end(html))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  atEnd(() => server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

describe("the page in a browser", { timeout: 90_000 }, () => {
  it("gives neither its session nor itself to others", async ({ skip }) => {
    if (place === undefined) skip(MISSING)
    const page = { password: { env: "PAGE_PASSWORD" } }
    const here = books(NOWHERE, {
      "daybook.config.json": JSON.stringify({ ...configuration(NOWHERE), daemon: { page } })
    })
    const { url } = await startDaemon(here.folder, { env: { PAGE_PASSWORD: PASSWORD } })
    const tab = await open({ javaScriptEnabled: true })
    await tab.goto(`${url}/customers`)
    await tab.fill("input[name=password]", PASSWORD)
    await Promise.all([tab.waitForURL(`${url}/customers`), tab.click("button.primary")])
    const cookies = await tab.context().cookies()
    assert.sameMembers(
      cookies.map(({ name }) => name),
      ["daybook", "daybook-known"]
    )
    for (const { httpOnly, name, sameSite } of cookies) {
      assert.isTrue(httpOnly, name)
      assert.strictEqual(sameSite, "Strict", name)
    }
    assert.strictEqual(await tab.evaluate(() => document.cookie), "")

    // A script that somebody brought onto the page does not run.
    const ran = await tab.evaluate(() => {
      const script = document.createElement("script")
      script.textContent = "window.ran = true"
      document.body.append(script)
      const image = document.createElement("img")
      image.setAttribute("onerror", "window.ran = true")
      image.src = "data:,"
      document.body.append(image)
      return new Promise((resolve) => setTimeout(() => resolve("ran" in window), 300))
    })
    assert.isFalse(ran)

    // Nor does another site show it in a frame, or post a form in its name.
    const site = await elsewhere(
      `<iframe src="${url}/customers"></iframe><form method="post" action="${url}/alerts/test"><button>Win</button></form>`
    )
    await tab.goto(site)
    const [, framed] = tab.frames()
    await tab.waitForTimeout(500)
    const shown = framed === undefined ? "" : await framed.content().catch(() => "")
    assert.notInclude(shown, "Customers")
    assert.notInclude(shown, "Password")
    const [answer] = await Promise.all([tab.waitForResponse(`${url}/alerts/test`), tab.click("button")])
    assert.strictEqual(answer.status(), 403)
    // The person is still signed in.
    await tab.goto(`${url}/customers`)
    assert.include(await tab.title(), "Customers")
  })
})
