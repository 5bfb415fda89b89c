/**
 * The daemon's page in Chromium, before the real daemon and the sandbox: every page and every action, without scripts,
 * light and dark, on a screen and on a phone; and whether everybody can use it.
 */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { findings, inEachLook } from "../support/Axe.ts"
import { api, checkout } from "../support/Checkout.ts"
import { desk, ofType, type Service, service, useCommand } from "../support/Cli.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { startDaemon, until } from "../support/Daemon.ts"
import { BANK, enter, follow, house, MORE, PASSWORD, text } from "../support/PageHouse.ts"

useCommand()
afterAll(closeAll)

const transactions = async (there: Service): Promise<number> => Object.keys(await there.holds()).length

const ROOMS = [
  ...[
    "/",
    "/changes",
    "/activity",
    "/connections",
    "/alerts",
    "/receivables",
    "/failed",
    "/customers",
    "/plans",
    "/attention",
    "/documents",
    "/debtors",
    "/months?month=2026-03"
  ],
  "/documents/books%2Finvoice%2FINV-2"
]

/** One for all the tests that change nothing in it. */
let known: Awaited<ReturnType<typeof house>> | undefined
const looked = async () => (known ??= await house())

describe("the page", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("asks for the password, goes on to where one wanted to be, and shows nothing without it", async () => {
    const { url } = await looked()
    const page = await open()
    await enter(page, url, "wrong password")
    assert.include(await text(page), "Wrong password.")
    await page.fill("input[name=password]", PASSWORD)
    await follow(page, "button.primary")
    assert.strictEqual(new URL(page.url()).pathname, "/attention")
    await follow(page, "text=Sign out")
    await page.goto(`${url}/documents`)
    assert.include(await text(page), "Password")
    for (const path of [...ROOMS, "/receivables.csv"]) {
      const answer = await fetch(`${url}${path}`, { redirect: "manual" })
      assert.deepStrictEqual([answer.status, await answer.text()], [303, ""], path)
    }
    const elsewhere = await fetch(`${url}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ password: PASSWORD, to: "//evil.example/" })
    })
    assert.strictEqual(elsewhere.headers.get("location"), "/")
  })

  it("shows results as one types, and times of the reader's own zone, where scripts run", async () => {
    const { url } = await looked()
    const page = await enter(await open({ javaScriptEnabled: true, timezoneId: "Australia/Eucla" }), url)
    await page.goto(`${url}/documents`)
    const rows = page.locator("#results tbody tr")
    assert.isAbove(await rows.count(), 1)
    await page.locator("main input[name=q]").pressSequentially("brightwater foods")
    await until("the one is shown", async () => ((await rows.count()) === 1 ? true : undefined))
    await until("the address says it", async () => (page.url().includes("q=brightwater+foods") ? true : undefined))
    assert.strictEqual(await page.evaluate("document.activeElement.name"), "q")
    await page.goto(`${url}/attention`)
    const time = page.locator("main time").first()
    const [at, shown, utc] = [
      await time.getAttribute("datetime"),
      await time.innerText(),
      await time.getAttribute("title")
    ]
    const minutes = (Date.parse(`${shown.replace(" ", "T")}:00Z`) - Date.parse(`${at!.slice(0, 16)}:00Z`)) / 60_000
    assert.deepStrictEqual([minutes, utc], [525, `${at!.slice(0, 19).replace("T", " ")} UTC`])
    assert.include(await page.innerText("footer"), "Australia/Eucla")
  })

  it("shows what was read and sent, and names what a source says as it is, never as markup", async () => {
    const { url } = await looked()
    const page = await enter(await open(), url)
    await follow(page, "nav >> text=Today")
    const today = await text(page)
    for (const words of ["Source, books and service", "agree", "To decide"]) assert.include(today, words)
    assert.match(today, /Money in\s+[\d,.]+/)
    await follow(page, "text=2 records could not be read")
    const overview = await text(page)
    assert.match(overview, /books\s+files\s+\d+/)
    assert.match(overview, /Sources that changed[\s\S]*books\s+invoice\s+Issued\s+.*2026-03-99.*\s+2\s+invoices\.csv:6/)
    assert.lengthOf(overview.match(/is not a date written/g)!, 1, "what several records share is said once")
    assert.match(overview, /invoices\.csv:8\s+Issued\s+as several records/)
    await follow(page, "nav >> text=Documents")
    assert.include(await text(page), "<script>alert(1)</script> & Sons")
    assert.strictEqual(await page.locator("main script").count(), 0)
    await page.fill("main input[name=q]", "brightwater foods")
    await follow(page, "button.primary")
    assert.strictEqual(await page.locator("tbody tr").count(), 1)
    await follow(page, "tbody a")
    const story = await text(page)
    const arithmetic = "300.60 asked − 100.00 received = 200.60 open"
    for (const words of ["books/invoice/INV-2", arithmetic, "Create invoice", "Payment P-2"])
      assert.include(story, words)
    await page.goto(`${url}/documents/nowhere`)
    assert.include(await text(page), "No page has this address.")
    for (const path of ["/nowhere", "/documents/a/b", "/plans/approve"]) {
      assert.strictEqual((await page.goto(`${url}${path}`))?.status(), 404, path)
      assert.include(await text(page), "No page has this address.")
    }
    await follow(page, "text=Back to today")
    assert.include(await text(page), "Source, books and service")
  })

  it("shows its rooms in groups: all beside a wide page, and on a phone those of every day, the others under Menu", async () => {
    const { url } = await looked()
    const page = await enter(await open({ viewport: { width: 1280, height: 800 } }), url)
    const rooms = page.locator("header nav a:visible")
    assert.strictEqual(await rooms.count(), 14)
    await page.setViewportSize({ width: 390, height: 800 })
    const names = (await rooms.allInnerTexts()).map((name) => name.replaceAll(/\s+/g, " ").trim())
    assert.deepStrictEqual(names, ["Today", "Work queue 1", "Approvals"])
    await page.click("text=Menu")
    assert.strictEqual(await rooms.count(), 14)
    await follow(page, "nav >> text=Customers")
    assert.strictEqual(await rooms.count(), 3)
  })

  it("closes what a person dealt with", async () => {
    const { here, url } = await house()
    const page = await enter(await open(), url)
    assert.include(await text(page), "5.00 is allocated to an invoice that was not found in the source")
    await follow(page, "tbody a")
    assert.include(await text(page), "What can be done:")
    await follow(page, "text=Close item")
    assert.include(await text(page), "Closed.")
    assert.include(await text(page), "Nothing needs attention.")
    assert.strictEqual((await here.run("attention")).stdout, "Nothing needs attention.\n")
  })

  it("remembers which invoice a payment is for, and sends it to the service", async () => {
    const { here, there, url } = await house({}, [BANK])
    const page = await enter(await open(), url)
    const choose = async () => {
      await page.goto(`${url}/attention`)
      await page.click("text=Choose an invoice")
    }
    await choose()
    assert.include(await text(page), "Invoices that it may be for, the likeliest first")
    assert.strictEqual(await page.locator("main tbody tr").count(), 2)
    await page.fill("textarea", "INV-404")
    await follow(page, "text=It is for these")
    assert.include(await text(page), 'Nothing was saved: there is no invoice "INV-404" in books')
    assert.deepStrictEqual(ofType(await here.run("attention", "--json"), "attention").length, 2)
    await page.fill("textarea", "INV-4=20.00\nINV-6")
    await follow(page, "text=It is for these")
    assert.include(await text(page), "Saved.")
    const reported = async (number: string) => JSON.stringify((await there.holds())[`books/invoice/${number}`])
    await until("the service has it", async () => ((await reported("INV-6")).includes(" 4.00 ") ? true : undefined))
    await until("of both", async () => ((await reported("INV-4")).includes(" 20.00 ") ? true : undefined))
  })

  it("asks what somebody else sent to the service for an order was for, and goes on by the answer", async () => {
    const there = await service()
    const payment = await checkout(there, "1041", 10_000, "accepted")
    await api(there.url, "POST", `/v1/payment/deferred_payments/${payment}/capture`, { amount: 4_075 })
    const example = new URL("../../examples/4-orders/", import.meta.url)
    const of = (name: string) => readFileSync(new URL(name, example), "utf8")
    const { connections, ...rest } = JSON.parse(of("daybook.config.json"))
    const shop = connections.filter(({ id }: { readonly id: string }) => id === "shop")
    const settings = { ...rest.service, url: there.url, settle_after: "200 millis" }
    const daemon = { page: { password: { env: "PAGE_PASSWORD" } } }
    const files = ["orders.csv", "parcels.csv", "cancellations.csv", "returns.csv"].map((name) => [name, of(name)])
    const here = desk({
      ...Object.fromEntries(files),
      "daybook.config.json": JSON.stringify({ service: settings, daemon, connections: shop })
    })
    const { says, url } = await startDaemon(here.folder, { env: { PAGE_PASSWORD: PASSWORD } })
    assert.strictEqual((await here.run("sync")).status, 3)
    const page = await enter(await open(), url)
    assert.include(await text(page), "Others captured 40.75 GBP")
    await follow(page, "nav >> text=Work queue")
    assert.notInclude(await text(page), "daybook attention resolve")
    await follow(page, "button:has-text('it was for this order')")
    assert.include(await text(page), "The answer is kept")
    await says(({ message }) => message.includes("sent"))
    await follow(page, "nav >> text=Today")
    assert.match(await text(page), /shop\s+GBP\s+\d\s+100\.00\s+72\.22\s+27\.78\s+0\.00/)
  })

  it("remembers whom a debtor is, and sends it to the service in the next run", async () => {
    const { there, url } = await house()
    const page = await enter(await open(), url)
    await follow(page, "nav >> text=Companies to confirm")
    await follow(page, '[aria-label="Choose a company: Brightwater"]')
    assert.include(await text(page), "Brightwater Foods Ltd")
    await follow(page, "text=This one")
    assert.include(await text(page), "Saved.")
    await until("the service has it", async () =>
      (await there.calls()).some(({ path }) => path.endsWith("/match_debtor")) ? true : undefined
    )
  })

  it("sends an approved plan, and only what was approved", async () => {
    const { here, there, url } = await house({ approve: true })
    assert.deepStrictEqual(await there.calls(), [])
    const page = await enter(await open(), url)
    await follow(page, "nav >> text=Approvals")
    assert.include(await text(page), "new: INV-1 to Harbour Lane Bakery Ltd")
    assert.match(await text(page), /Invoice INV-1\s+Harbour Lane Bakery Ltd\s+Create invoice[^\n]*\s+[\d,.]+ GBP/)
    // What changes behind the page's back is not what was seen.
    here.write("invoices.csv", `${MORE}INV-8,Late Ltd,GB,2026-03-05,2026-04-03,20.00,24.00,Sent\n`)
    assert.include((await here.run("pull")).stdout, "1 document new")
    await follow(page, "button.primary")
    await until("a new plan is shown", async () => {
      await page.goto(`${url}/plans`)
      const words = await text(page)
      return words.includes("Late Ltd") && !words.includes("The books changed since") ? true : undefined
    })
    assert.deepStrictEqual(await there.calls(), [])
    const waiting = page.locator("button.primary")
    const asked = Number(/Approve (\d+) calls/.exec(await waiting.innerText())![1])
    await follow(page, "button.primary")
    assert.include(await text(page), "Approved.")
    await until("the calls were sent", async () => ((await transactions(there)) === 5 ? true : undefined))
    await until("all of them", async () => ((await there.calls()).length === asked ? true : undefined))
    await until("nothing waits any more", async () => {
      await page.goto(`${url}/plans`)
      return (await text(page)).includes("No plan waits for approval.") ? true : undefined
    })
  })

  it("can be used with the keyboard alone: signs in, comes to a plan, approves it; just its calls are sent", async () => {
    const { here, there, url } = await house({ approve: true })
    const seen = ofType(await here.run("plan", "--json"), "call")
    const page = await open()
    await page.goto(`${url}/plans`)
    await page.locator("input[name=password]:focus").waitFor()
    await page.keyboard.type(PASSWORD)
    await Promise.all([page.waitForURL(`${url}/plans`), page.keyboard.press("Enter")])
    const focused = () => page.locator(":focus").innerText({ timeout: 1000 })
    const words: Array<string> = []
    for (let n = 0; n < 30 && !words.at(-1)?.startsWith("Approve "); n++) {
      await page.keyboard.press("Tab")
      words.push(await focused())
    }
    assert.deepStrictEqual(words.slice(0, 4), ["To the content", "", "Find", "Today"])
    assert.strictEqual(words.at(-1), `Approve ${seen.length} calls`)
    await Promise.all([page.waitForURL(/said=approved/), page.keyboard.press("Enter")])
    assert.include(await text(page), "Approved.")
    await until("the calls were sent", async () => ((await there.calls()).length >= seen.length ? true : undefined))
    const form = ({ method, path }: { readonly [name: string]: unknown }) =>
      `${String(method)} ${String(path)
        .replace(/(\/v1\/transactions\/)(<[^>]+>|[^/]+)/, "$1…")
        .replace(/\/$/, "")}`
    assert.deepStrictEqual((await there.calls()).map((call) => form({ ...call })).toSorted(), seen.map(form).toSorted())
    const invoices = seen.filter(({ rule }) => rule === "T2").map(({ document }) => String(document))
    assert.sameMembers(Object.keys(await there.holds()), invoices)
  })

  it("sends nothing of a plan that was rejected", async () => {
    const { there, url } = await house({ approve: true })
    const page = await enter(await open(), url)
    await page.goto(`${url}/plans`)
    await follow(page, "button.danger")
    assert.include(await text(page), "Rejected. Nothing is sent")
    assert.deepStrictEqual(await there.calls(), [])
  })

  it("takes no form of another site, nor one without the session's word", async () => {
    const { there, url } = await house({ approve: true })
    const page = await enter(await open(), url)
    const [cookie] = await page.context().cookies()
    const digest = await page.goto(`${url}/plans`).then(() => page.inputValue("input[name=digest] >> nth=0"))
    const word = await page.inputValue("input[name=form] >> nth=1")
    const post = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${url}/plans/approve`, {
        method: "POST",
        redirect: "manual",
        headers: {
          cookie: `daybook=${cookie!.value}`,
          "content-type": "application/x-www-form-urlencoded",
          ...headers
        },
        body: new URLSearchParams({ connection: "books", digest, ...fields })
      })
    assert.deepStrictEqual([cookie!.httpOnly, cookie!.sameSite], [true, "Strict"])
    assert.strictEqual((await post({})).status, 403)
    assert.strictEqual((await post({ form: word }, { origin: "https://evil.example" })).status, 403)
    assert.strictEqual((await post({ form: word }, { "sec-fetch-site": "cross-site" })).status, 403)
    assert.strictEqual((await post({ form: word }, { cookie: "daybook=forged" })).status, 403)
    assert.strictEqual((await post({ form: "x".repeat(5_000_000) })).status, 413)
    assert.deepStrictEqual(await there.calls(), [])
    assert.strictEqual((await post({ form: word })).status, 303)
  })

  it("can be used by everybody, light and dark, on a screen and on a phone", { timeout: 120_000 }, async () => {
    const { url } = await house({ approve: true }, [BANK])
    const page = await enter(await open({ javaScriptEnabled: true, bypassCSP: true }), url)
    for (const path of [...ROOMS, "/attention/1"]) {
      await page.goto(`${url}${path}`)
      await inEachLook(page, async (look, wide) => {
        const where = `${path} ${look}`
        assert.deepStrictEqual(await findings(page), [], where)
        const width = (await page.evaluate("document.documentElement.scrollWidth")) as number
        assert.isAtMost(width, wide, `${where}: nothing reaches beyond the window`)
      })
    }
    await page.goto(`${url}/connections`)
    const charts = page.locator("figure")
    assert.isAbove(await charts.count(), 0)
    await inEachLook(page, async () => {
      for (const chart of await charts.all()) {
        assert.match((await chart.locator("svg").getAttribute("aria-label"))!, /figures are in the table below/)
        assert.isFalse(await chart.locator("table").isVisible())
        await chart.locator("summary").click()
        assert.isTrue(await chart.locator("table").isVisible())
        await chart.locator("summary").click()
      }
    })
  })
})
