/**
 * A link from the platform to the first documents, in Chromium without scripts: a source that is authorised in the browser,
 * and files that are uploaded. What is used twice, too old, changed or not allowed is refused, and says what to do.
 */
import Sqlite from "better-sqlite3"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { findings } from "../support/Axe.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { configuration, desk, NOWHERE, useCommand } from "../support/Cli.ts"
import { freePort } from "../support/Daemon.ts"
import { ENVIRONMENT, platform, type Platform } from "./Desk.ts"

useCommand()

afterAll(closeAll)

let one: Platform
beforeAll(async () => {
  one = await platform()
}, 60_000)

const follow = (page: Page, selector: string): Promise<unknown> =>
  Promise.all([page.waitForEvent("load"), page.click(selector)])

const text = (page: Page): Promise<string> => page.innerText("body")

/** Opens a link and presses its button. */
const begin = async (address: string, options: Parameters<typeof open>[0] = {}): Promise<Page> => {
  const page = await open(options)
  await page.goto(address)
  await follow(page, "text=Start")
  return page
}

interface WrittenFile {
  readonly connections: ReadonlyArray<Readonly<Record<string, unknown>> & { readonly id: string }>
}

const connections = (): WrittenFile["connections"] => {
  const path = one.here.path("daybook.connections.json")
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as WrittenFile).connections : []
}

const connection = (id: string) => connections().find((found) => found.id === id)

const upload = async (page: Page, name: string, content: string | Buffer): Promise<void> => {
  await page.setInputFiles("input[type=file]", { name, mimeType: "text/csv", buffer: Buffer.from(content) })
  await follow(page, "text=Upload >> nth=-1")
}

/** No column says the currency, and one day does not exist. */
const CSV = `Invoice No,Customer,Invoice Date,Due Date,Total,Balance
INV-1,Harbour Lane Bakery Ltd,03/04/2026,03/05/2026,120.00,120.00
INV-2,Tern & Sons,04/04/2026,04/05/2026,300.60,0.00
INV-3,Brightwater Foods,31/04/2026,31/05/2026,10.00,10.00
INV-4,Peel Street Cafe,06/04/2026,05/05/2026,10.00,10.00
INV-5,Peel Street Cafe,16/04/2026,16/05/2026,10.00,10.00
INV-6,Peel Street Cafe,26/04/2026,26/05/2026,10.00,0.00
`

describe("a link", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("leads from the platform through the source's own page to the first documents and back", async () => {
    const address = await one.link({ tenant: "tern", connectors: ["./ledger"], state: "a&b" })
    const page = await open()
    await page.goto(address)
    assert.include(await text(page), "Connect your books to Acme Pay")
    await page.goto(address)
    await follow(page, "text=Start")
    assert.notInclude(page.url(), address.split("/").at(-1)!, "the link's word is in no address any more")
    assert.include(await text(page), "Let Acme Pay read your Ledger & Sons")
    // Who does not agree comes back to the same step.
    await follow(page, "text=Continue to Ledger & Sons")
    await follow(page, "#refuse")
    assert.include(await text(page), "You did not agree at Ledger & Sons. Nothing was connected")
    await follow(page, "text=Continue to Ledger & Sons")
    await follow(page, "#agree")
    const shown = await text(page)
    assert.include(shown, "Is this right?")
    assert.match(shown, /Should they go to the account of tern at Acme Pay\?.*\nConnect\n/s)
    assert.match(shown, /invoice\s+open\s+2\s+420\.60\s+GBP/)
    assert.include(shown, "Tern & <b>Sons</b>")
    assert.strictEqual(connection("tern-ledger"), undefined, "nothing is connected before it is confirmed")
    await follow(page, "button.primary")
    assert.include(await text(page), "Back at the platform")
    const back = one.there.back.at(-1)!
    assert.deepStrictEqual(Object.fromEntries(back.searchParams), { status: "connected", state: "a&b" })
    const made = connection("tern-ledger")
    assert.deepInclude(made, {
      source: { connector: "./ledger", client_id: { env: "LEDGER_ID" }, client_secret: { env: "LEDGER_SECRET" } }
    })
    assert.include(JSON.stringify(made?.["owner"]), '"unique_id":"tern","name":"tern"')
    await one.daemon.says(({ message }) => message.includes("new: tern-ledger"))
    assert.deepStrictEqual(one.there.referrers, [], "no page says where it was opened from")
    await page.goBack()
    await page.goto(`${new URL(address).origin}/connect`)
    assert.include(await text(page), "Acme Pay reads your books from now on.")
  })

  it("takes files, asks what they do not say in one line each, and shows what they come to", async () => {
    const page = await begin(
      await one.link({ tenant: "lane", connectors: ["files"], return_url: `${one.there.url}/books?from=mail` })
    )
    await upload(page, "photo.pdf", "%PDF-1.7 nothing")
    assert.include(await text(page), "photo.pdf cannot be used: it is a PDF; export the list as CSV or Excel.")
    await upload(page, "../../invoices march.csv", CSV)
    assert.include(await text(page), "invoices march.csv")
    await follow(page, "text=Continue")
    assert.include(await text(page), "Which currency are the amounts of")
    assert.notInclude(await text(page), "connected/lane-files")
    await page.fill('input[name="answer:currency"]', "Pounds")
    await follow(page, "button.primary")
    assert.include(await text(page), '"Pounds" is not an answer to')
    await page.fill('input[name="answer:currency"]', "gbp")
    await follow(page, "button.primary")
    const shown = await text(page)
    assert.match(shown, /invoice\s+open\s+5\s+450\.60\s+GBP\s+140\.00/)
    assert.include(shown, "1 record would be quarantined")
    assert.include(shown, "31/04/2026")
    assert.include(shown, "invoices march.csv:4")
    assert.notInclude(shown, "connected/lane-files")
    // A person puts a column right, and then takes it back.
    await page.click("summary")
    await page.selectOption('select[name="column:invoices.gross"]', "Balance")
    await follow(page, "text=Read the files again with these columns")
    await page.click("summary")
    assert.strictEqual(await page.inputValue('select[name="column:invoices.gross"]'), "Balance")
    await page.selectOption('select[name="column:invoices.gross"]', "Total")
    await follow(page, "text=Read the files again with these columns")
    await follow(page, "button.primary >> text=Connect")
    assert.deepStrictEqual(Object.fromEntries(one.there.back.at(-1)!.searchParams), {
      from: "mail",
      status: "connected"
    })
    const { invoices } = connection("lane-files")!["source"] as { readonly invoices: Readonly<Record<string, unknown>> }
    assert.match(String(invoices["path"]), /^connected\/lane-files\/[A-Za-z0-9]+\/invoices-march\.csv$/)
    await one.daemon.says(({ message }) => message.includes("new: lane-files"))
  })

  it("asks for the keys of a source without such a page, and keeps none of them in the clear", async () => {
    const page = await begin(await one.link({ tenant: "wood", connectors: ["woocommerce", "files"] }))
    await follow(page, "text=WooCommerce")
    await page.fill("#url", one.there.url)
    await page.fill("#key", "ck_secret_consumer_key")
    await page.fill("#secret", "cs_secret_consumer_secret")
    await follow(page, "button.primary")
    assert.include(await text(page), "Something went wrong")
    assert.notInclude(await page.content(), "cs_secret")
    for (const name of readdirSync(one.here.folder).filter((name) => name.startsWith("daybook")))
      assert.notInclude(readFileSync(one.here.path(name), "latin1"), "cs_secret", name)
    await follow(page, "text=Choose another source")
    assert.include(await text(page), "Where do you keep your invoices?")
    await follow(page, "text=Cancel and go back to Acme Pay")
    assert.deepStrictEqual(Object.fromEntries(one.there.back.at(-1)!.searchParams), { status: "cancelled" })
    assert.strictEqual(connection("wood-woocommerce"), undefined)
  })

  it("is refused when it was used, has expired, was changed, or asks for what it does not allow", async () => {
    const address = await one.link({ tenant: "used", connectors: ["files", "./ledger"] })
    const page = await begin(address)
    const other = await open()
    await other.goto(address)
    assert.include(await text(other), "This link was used already")
    assert.include(await text(other), "Ask Acme Pay for a new link, and open that.")
    // Who began goes on, also by the link.
    await page.goto(address)
    assert.include(await text(page), "Where do you keep your invoices?")

    const changed = `${address.slice(0, -1)}${address.endsWith("A") ? "B" : "A"}`
    await other.goto(changed)
    assert.include(await text(other), "This link is not valid")

    const old = await one.link({ tenant: "old", expires: "1m" })
    const db = new Sqlite(one.here.path("daybook.db"), { timeout: 20_000 })
    db.exec("UPDATE connect_link SET expires = made WHERE tenant = 'old'")
    db.close()
    await other.goto(old)
    assert.include(await text(other), "This link has expired")
    const pressed = await fetch(`${old}/open`, { method: "POST", redirect: "manual" })
    assert.deepStrictEqual([pressed.status, pressed.headers.get("set-cookie")], [410, null])

    await page.$eval("input[name=connector]", (input) => input.setAttribute("value", "woocommerce"))
    await follow(page, "button.primary")
    assert.include(await text(page), "This link does not allow that source")
  })

  it("can be used by everybody, light and dark, on a screen and on a phone", async () => {
    const views = {
      light: { width: 1280, height: 900 },
      dark: { width: 360, height: 740 }
    } as const
    const page = await open({ javaScriptEnabled: true, bypassCSP: true })
    // Half of the pages in each look: all of them are made of the same parts.
    const look = async (what: string, colorScheme: keyof typeof views) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(views[colorScheme])
      assert.deepStrictEqual(await findings(page), [], `${colorScheme} ${what}`)
      const wide = await page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
      assert.isFalse(wide, `${what} is wider than the window`)
    }
    await page.goto(await one.link({ tenant: "axe" }))
    await look("welcome", "dark")
    await follow(page, "text=Start")
    await look("choose", "light")
    await follow(page, "text=Ledger & Sons")
    await look("authorise", "light")
    await follow(page, "text=Choose another source")
    await follow(page, "text=WooCommerce")
    await look("keys", "dark")
    await follow(page, "text=Choose another source")
    await follow(page, "text=Upload files")
    await upload(page, "list.csv", CSV)
    await look("files", "dark")
    await follow(page, "text=Continue")
    await look("questions", "light")
    await page.fill('input[name="answer:currency"]', "GBP")
    await follow(page, "button.primary")
    await page.click("summary")
    await look("review", "dark")
  })
})

const FORM = { "content-type": "application/x-www-form-urlencoded" }

/** Opens a link as a program does. */
const cookieFor = async (address: string): Promise<string> => {
  const opened = await fetch(`${address}/open`, { method: "POST", redirect: "manual" })
  return opened.headers.get("set-cookie")!
}

describe("a link's session", { timeout: 60_000 }, () => {
  it("is one browser's: no other site, form or program goes on with it", async () => {
    const { url } = one.daemon
    const set = await cookieFor(await one.link({ tenant: "door", connectors: ["files", "./ledger"] }))
    assert.match(set, /HttpOnly/)
    assert.match(set, /SameSite=Lax/)
    assert.match(set, /Path=\/connect/)
    const cookie = set.split(";")[0]!
    const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${url}${path}`, { method: "POST", redirect: "manual", headers: { ...FORM, cookie, ...headers }, body })
    const page = await fetch(`${url}/connect`, { headers: { cookie } })
    const form = /name="form" value="([^"]+)"/.exec(await page.text())![1]!
    assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
    assert.include(page.headers.get("content-security-policy"), `form-action 'self' ${one.there.url};`)
    assert.strictEqual((await post("/connect/source", "connector=files")).status, 403)
    for (const evil of [{ "sec-fetch-site": "cross-site" }, { origin: "http://evil.example" }, { origin: "null" }]) {
      assert.strictEqual((await post("/connect/source", `connector=files&form=${form}`, evil)).status, 403)
      assert.strictEqual((await post(`/connect/${"w".repeat(43)}/open`, "", evil)).status, 403)
    }
    assert.strictEqual((await fetch(`${url}/connect`)).status, 403)
    assert.strictEqual((await post("/connect/source", `connector=files&form=${form}`, { origin: url })).status, 303)
    // Of a form that is not the session's own, no file is kept.
    const sent = new FormData()
    sent.set("form", "another")
    sent.set("file", new Blob([CSV]), "list.csv")
    const refused = await fetch(`${url}/connect/upload`, {
      method: "POST",
      headers: { cookie },
      body: sent,
      redirect: "manual"
    })
    assert.strictEqual(refused.status, 422)
    assert.include(await refused.text(), "belongs to another session")
    assert.isFalse(existsSync(one.here.path("connected/door-files")))
    // The page of the daemon is behind its own door.
    const inside = await fetch(`${url}/`, { headers: { cookie }, redirect: "manual" })
    assert.strictEqual(inside.status, 303)
  })

  it("makes those wait who ask too often", async () => {
    const asked = (from: string) => fetch(`${one.daemon.url}/connect`, { headers: { "x-forwarded-for": from } })
    for (let n = 0; n < 120; n++) assert.strictEqual((await asked("203.0.113.9")).status, 403)
    const refused = await asked("203.0.113.9")
    assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "60"])
    assert.strictEqual((await asked("203.0.113.10")).status, 403)
    // Its own name, on this machine, is no proxy's.
    assert.strictEqual((await fetch(`${one.daemon.url}/metrics`)).status, 200)
    // Who has a link is not kept out by those who have none.
    const headers = { "x-forwarded-for": "203.0.113.9" }
    const opened = await fetch(await one.link({ tenant: "throttled" }), { headers })
    assert.strictEqual(opened.status, 200)
  })
})

describe("making a link", () => {
  for (const [what, source, said] of [
    [
      "a database, whose address may name files and servers of this machine",
      { connector: "sql", url: { env: "DATABASE" } },
      "connector: sql cannot be offered"
    ],
    ["a folder that people name", { connector: "einvoice", path: "ask" }, "connector: einvoice cannot be offered"],
    [
      "a source whose address people enter and whose key is the platform's",
      { connector: "woocommerce", key: { env: "KEY" }, secret: { env: "SECRET" } },
      "url: people enter it"
    ]
  ] as const)
    it(`never offers ${what}`, async () => {
      const connect = {
        url: "http://127.0.0.1:4020",
        name: "Acme Pay",
        return_urls: ["https://pay.example.com"],
        sources: [{ connector: "files" }, source]
      }
      const { service } = configuration(NOWHERE)
      const here = desk({ "daybook.config.json": JSON.stringify({ service, connections: [], daemon: { connect } }) })
      const ran = await here.run("daemon", "--listen", `127.0.0.1:${await freePort()}`)
      assert.strictEqual(ran.status, 2, ran.stderr)
      assert.include(ran.stderr, `daemon.connect.sources[1].${said}`)
    })

  it("asks for a token with its scope, and takes only what the configuration names", async () => {
    assert.strictEqual((await one.ask({ tenant: "a" }, ENVIRONMENT.READER_TOKEN)).status, 403)
    const refused = async (body: object) => {
      const { answer, status } = await one.ask(body)
      assert.strictEqual(status, 422)
      return String(answer["message"])
    }
    assert.include(
      await refused({ tenant: "a", return_url: "https://evil.example/" }),
      "is not in daemon.connect.return_urls"
    )
    assert.include(
      await refused({ tenant: "a", return_url: `${one.there.url}/books/../evil` }),
      "is not in daemon.connect.return_urls"
    )
    assert.include(await refused({ tenant: "a", connectors: ["woocomerce"] }), "did you mean woocommerce?")
    assert.include(await refused({ tenant: "../a" }), "use letters, digits")
    assert.include(await refused({ tenant: "a", expires: "90d" }), "from 1m to 30d")
    assert.include(await refused({ tenant: "a", owner: { organisation: { unique_id: "a" } } }), "owner")
    const address = await one.link({ tenant: "kept" })
    const word = address.split("/").at(-1)!
    assert.match(word, /^[A-Za-z0-9_-]{43}$/)
    for (const name of readdirSync(one.here.folder).filter((name) => name.startsWith("daybook.db")))
      assert.notInclude(readFileSync(one.here.path(name), "latin1"), word, name)
    const headers = { authorization: `Bearer ${ENVIRONMENT.PLATFORM_TOKEN}` }
    const listed = await fetch(`${one.daemon.url}/api/v1/connect-links`, { headers })
    const { links } = (await listed.json()) as { readonly links: ReadonlyArray<Readonly<Record<string, unknown>>> }
    assert.deepInclude(
      links.find(({ tenant }) => tenant === "kept"),
      { status: "open", by: "platform" }
    )
  })
})
