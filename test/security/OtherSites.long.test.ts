/**
 * What another site can do in the browser of somebody who is signed in, in Chromium over TLS: each form of the table of routes is
 * sent from it in every way that needs no permission, each page is framed by it, and on each page a script that got there does
 * nothing, while every text of the books is one.
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { configuration, desk, INVOICES, PAYMENTS, service, useCommand } from "../support/Cli.ts"
import { contents, filesIn } from "../support/Contents.ts"
import { freePort, startDaemon, until } from "../support/Daemon.ts"
import { BANK, PASSWORD } from "../support/PageHouse.ts"
import { personsFile } from "../support/People.ts"
import { attack, embed, fetched, submit, type Target } from "./InBrowser.ts"
import { cell, MARKED, otherSite, type Passed, planted, proxy } from "./BehindTls.ts"

useCommand()
afterAll(closeAll)

const ENVIRONMENT = {
  PAGE_PASSWORD: PASSWORD,
  HOOKS: "Bearer agreed-with-the-service",
  PLATFORM: "platform-0123456789abcdef",
  DAYBOOK_SEAL: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
}

/** The two tables in `Routes.txt`. */
const [ONE, MANY] = ["One configuration", "A tenant of several"] as const

/** The routes of one of the two tables that another test keeps complete. */
const rowsOf = (title: string, method: "GET" | "POST"): ReadonlyArray<string> => {
  const [, table = ""] = readFileSync("test/security/Routes.txt", "utf8").split(`# ${title}\n`)
  return [...table.split("\n# ")[0]!.matchAll(/^(GET|POST) (\S+)/gm)].flatMap(([, verb, path = ""]) =>
    verb === method ? [path] : []
  )
}

/** Their pages: what is shown, and no file. */
const pagesOf = (title: string): ReadonlyArray<string> =>
  rowsOf(title, "GET").filter(
    (path) => !/\.(csv|xlsx|pdf|css|js|woff2)$|\/api\/|\/(live|healthz|readyz|metrics)$/.test(path)
  )

/** Books in which every text is an attack. */
const booksOf = async (url: string, evil: string) => {
  const bad = planted(evil)
  const { connections, service: at } = configuration((await service()).url)
  const [first] = connections
  const owner = { organisation: { ...first!.owner.organisation, name: `Acme ${bad}` } }
  const tokens = [{ name: "platform", token: { env: "PLATFORM" }, scopes: ["read", "plan", "approve", "connect"] }]
  const sources = [{ connector: "files" }]
  const connect = { url, name: `Pay ${MARKED}`, return_urls: ["https://pay.example.com"], sources }
  const page = { password: { env: "PAGE_PASSWORD" } }
  const daemon = { page, api: { tokens }, connect, webhooks: { authorization: { env: "HOOKS" } } }
  const all = [{ ...first, every: "1 hour", approve: true, owner }, BANK]
  const persons = await personsFile([
    { name: "ada", full_name: `Ada ${bad}`, declares: true, roles: ["administrator", "operator", "approver"] }
  ])
  const files = {
    "invoices.csv": `${INVOICES}INV-4,${cell(bad)},GB,2026-03-04,2026-04-03,20.00,24.00,Sent
${cell(`INV-${bad}`)},Plain Ltd,GB,2026-03-04,2026-04-03,20.00,24.00,Sent
INV-6,${cell(bad)},GB,${cell(bad)},2026-04-03,20.00,24.00,Sent
INV-7,Odd Ltd,${cell(bad)},2026-03-04,2026-04-03,20.00,24.00,${cell(bad)}\n`,
    "payments.csv": `${PAYMENTS}${cell(`P-${bad}`)},${cell(bad)},2026-03-22,5.00,,${cell(bad)}\n`,
    "bank.csv": `No,Day,Amount,From\n${cell(`B-${bad}`)},2026-03-22,24.00,${cell(bad)}\n`
  }
  return { settings: { service: at, daemon, connections: all }, persons, files }
}

type Fill = (path: string) => string

/** Addresses of what is there, so that nothing is refused because it does not exist. */
const fillOf = (state: string, word: string): Fill => {
  const db = new Sqlite(state, { readonly: true })
  const first = (sql: string) => encodeURIComponent(String(db.prepare(sql).pluck().get() ?? "x"))
  const document = first("SELECT key FROM document ORDER BY key DESC")
  const attention = first("SELECT id FROM attention ORDER BY id")
  const customer = first("SELECT customer FROM customer_invoice")
  db.close()
  return (path) =>
    path
      .replace(/attention\/(:which|\{id\})/, `attention/${attention}`)
      .replace(/(customers|documents)\/:which/, (_, list) => `${list}/${list === "customers" ? customer : document}`)
      .replace(/cover\/:which|\{invoice\}/, (one) => one.replace(/:which|\{invoice\}/, document))
      .replace(":word", word)
      .replace(":deed", "sync")
      .replace(/:tenant/, "acme")
      .replace(/:\w+|\{\w+\}/g, "books")
}

interface Signed {
  readonly tab: Page
  readonly passed: Array<Passed>
}

const follow = (tab: Page, selector: string) => Promise.all([tab.waitForEvent("load"), tab.click(selector)])

const signIn = async (url: string, path = "/"): Promise<Page> => {
  const tab = await open({ javaScriptEnabled: true, ignoreHTTPSErrors: true })
  await tab.goto(`${url}${path}`)
  await tab.fill("input[name=person]", "ada")
  await tab.fill("input[name=password]", PASSWORD)
  await follow(tab, "button.primary")
  return tab
}

/** Everything that a form of the page may bring, but for the session's own word. */
const FIELDS = {
  ...{ connection: "books", id: "1", ids: "1", digest: "0", name: "Ada", person: "ada", password: PASSWORD },
  ...{ party: "Plain Ltd", note: "changed", which: "books", every: "2 hours", channel: "ops", kind: "failed" }
}

const WAYS = ["top-level", "frame", "fetch", "fetch with a file"] as const

/** Sends each form from the page that is shown, in every way that needs no permission of the other site. */
const send = async ({ passed, tab }: Signed, targets: ReadonlyArray<Target>) => {
  const home = tab.url()
  const forms = () => passed.filter(({ method }) => method === "POST")
  const arrived = (count: number) => until(`${count} forms arrived`, () => (forms().length >= count ? true : undefined))
  passed.length = 0
  for (const target of targets) {
    await tab.goto(home, { waitUntil: "domcontentloaded" })
    await Promise.all([
      tab.waitForURL(({ href }) => href !== home, { waitUntil: "commit" }),
      tab.evaluate(submit, [[target], FIELDS, "_self"] as const)
    ])
  }
  await tab.goto(home)
  await tab.evaluate(submit, [targets, FIELDS, "frame"] as const)
  await arrived(2 * targets.length)
  for (const withFile of [false, true]) await tab.evaluate(fetched, [targets, FIELDS, withFile] as const)
  await arrived(WAYS.length * targets.length)
  return forms()
}

/** A signed-in person, and what other sites can reach of the daemon. */
const house = async (title: string) => {
  const sites = { "of another host": await otherSite("localhost"), "of the same host": await otherSite("127.0.0.1") }
  const port = await freePort()
  const written = await booksOf(`https://127.0.0.1:${port}`, sites["of the same host"].url)
  const isOne = title === ONE
  const { daemon, ...books } = written.settings
  const { connect: _, page, ...own } = daemon
  const here = desk(
    isOne
      ? {
          ...written.files,
          "daybook.config.json": JSON.stringify(written.settings),
          "daybook.persons.json": written.persons
        }
      : {
          ...Object.fromEntries(Object.entries(written.files).map(([name, text]) => [`tenants/acme/${name}`, text])),
          "tenants/daybook.tenants.json": JSON.stringify({ daemon: { page } }),
          "tenants/daybook.tenants.persons.json": written.persons,
          "tenants/acme/daybook.config.json": JSON.stringify({ ...books, daemon: own })
        }
  )
  const running = await startDaemon(here.folder, { env: ENVIRONMENT, args: isOne ? [] : ["--tenants", "tenants"] })
  for (const id of ["books", "bank"])
    await running.says(({ connection, outcome }) => connection === id && outcome !== undefined)
  const { passed, url } = await proxy(port, () => running.url)
  const tab = await signIn(url, isOne ? "/people" : "/t/acme/people")
  const form = await tab.getAttribute("input[name=form]", "value")
  const link = isOne ? await opened(tab, running.url) : { word: "", form: "" }
  const state = here.path(isOne ? "daybook.db" : "tenants/acme/daybook.db")
  const fill = fillOf(state, link.word)
  const kept = () => [contents(state), filesIn(here.folder).filter((one) => !/\.db-?\w* /.test(one))]
  const targets = rowsOf(title, "POST").map(
    (path): Target => [url + fill(path), path.startsWith("/connect/") ? link.form : (form ?? "")]
  )
  const pages = pagesOf(title).map((path) => url + fill(path))
  return { sites, url, passed, tab, targets, pages, kept, home: `${url}${isOne ? "" : "/t/acme"}/people` }
}

/** A link, opened in this browser; the word of another that nobody has opened. */
const opened = async (tab: Page, daemon: string) => {
  const link = async (tenant: string): Promise<string> => {
    const headers = { authorization: `Bearer ${ENVIRONMENT.PLATFORM}`, "content-type": "application/json" }
    const body = JSON.stringify({ tenant, name: planted("https://127.0.0.1") })
    const answer = await fetch(`${daemon}/api/v1/connect-links`, { method: "POST", headers, body })
    const text = await answer.text()
    assert.strictEqual(answer.status, 201, text)
    return (JSON.parse(text) as { readonly url: string }).url
  }
  await tab.goto(await link("tern"))
  await follow(tab, "text=Start")
  const form = (await tab.getAttribute("input[name=form]", "value")) ?? ""
  return { form, word: (await link("lane")).split("/").at(-1)! }
}

const houses = new Map<string, ReturnType<typeof house>>()
const houseOf = (title: string) => {
  const made = houses.get(title) ?? house(title)
  houses.set(title, made)
  return made
}

const FORBIDDEN = [
  ...["base-uri", "connect-src", "form-action", "frame-src", "img-src", "object-src"],
  ...["script-src-attr", "script-src-elem", "style-src-elem"]
]

describe("another site", { timeout: 300_000 }, () => {
  for (const title of [ONE, MANY]) {
    it(`neither frames a page nor runs or loads anything in it: ${title}`, async ({ skip }) => {
      if (place === undefined) skip(MISSING)
      const { kept, pages, passed, sites, tab } = await houseOf(title)
      const cookies = await tab.context().cookies()
      assert.isAtLeast(cookies.length, 2)
      for (const { httpOnly, name, sameSite, secure } of cookies)
        assert.deepStrictEqual(
          [name, httpOnly, secure, sameSite],
          [name, true, true, name === "daybook_connect" ? "Lax" : "Strict"]
        )
      const before = kept()
      for (const { url } of Object.values(sites)) {
        passed.length = 0
        await tab.goto(url)
        await tab.evaluate(embed, pages)
        const shown = () => tab.frames().slice(1)
        await until("frames", () => (shown().every((one) => one.url() !== "") ? true : undefined))
        assert.lengthOf(shown(), pages.length)
        for (const one of shown()) assert.match(one.url(), /^chrome-error:/)
      }
      assert.deepStrictEqual(kept(), before)
      const { asked, url: site } = sites["of the same host"]
      for (const one of pages) {
        await tab.goto(one)
        const { before, ...after } = await tab.evaluate(attack, [site, FORBIDDEN.length] as const)
        assert.strictEqual(before[0], 0, `${one} takes a text for markup`)
        assert.deepStrictEqual(after, { forbidden: FORBIDDEN, ran: "nothing" }, one)
        // The name of who is signed in, or of who made the link, stands on each but those to sign in.
        assert.strictEqual(before[1], !/\/login(\/|$)/.test(one), one)
      }
      assert.deepStrictEqual(asked, [])
      for (const { headers, path } of passed) assert.include(headers["strict-transport-security"], "max-age", path)
    })

    it(`sends no form in the name of who is signed in: ${title}`, async ({ skip }) => {
      if (place === undefined) skip(MISSING)
      const { home, kept, passed, sites, tab, targets } = await houseOf(title)
      assert.isAbove(targets.length, 50)
      const before = kept()
      for (const [which, site] of Object.entries(sites)) {
        await tab.goto(site.url)
        for (const { cookies, origin, path, status } of await send({ passed, tab }, targets)) {
          // 400: of a stranger no file is read.
          assert.include([400, 401, 403], status, `${which}: ${path}`)
          assert.strictEqual(origin, site.url)
          // Cookies know no ports: those of the same host bring them along.
          assert.strictEqual(/daybook=/.test(cookies), which === "of the same host", `${which}: ${path}`)
        }
      }
      assert.deepStrictEqual(kept(), before)
      // The very same forms are accepted from the page itself.
      await tab.goto(home)
      assert.include(await tab.title(), "People")
      passed.length = 0
      const last = ([address]: Target) => (/\/open$/.test(address) ? 1 : 0)
      // What a provider says of who signed out is no form.
      const own = targets
        .filter(([address]) => !/\/api\/|\/webhooks\/|\/leave|\/login\/ended/.test(address))
        .toSorted((a, b) => last(a) - last(b))
      await tab.evaluate(fetched, [own, FIELDS] as const)
      const refused = passed.filter(({ method, status }) => method === "POST" && [400, 401, 403].includes(status))
      assert.deepStrictEqual(
        refused.map(({ path, status }) => `${status} ${path}`),
        []
      )
    })
  }
})
