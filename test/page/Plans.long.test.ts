/**
 * A plan of many documents in Chromium: in columns, filtered, in an order and chosen from in the address; a part of it is approved
 * exactly as it was shown. Without scripts, with the keyboard, and for everybody.
 */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { findings, inEachLook } from "../support/Axe.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { books, configuration, service, useCommand } from "../support/Cli.ts"
import { startDaemon, until } from "../support/Daemon.ts"
import { enter, follow, PASSWORD, text } from "../support/PageHouse.ts"

useCommand()
afterAll(closeAll)

const DOCUMENTS = 120
const NAMES = ["Anna Ltd", "Brightwater Foods Ltd", "Corner Shop Ltd"]
const ROWS = Array.from(
  { length: DOCUMENTS },
  (_, n) => `INV-${100 + n},${NAMES[n % 3]},GB,2026-03-04,2026-04-03,${100 + n}.00,${120 + n}.00,Sent`
)

/** A daemon with a plan of 120 invoices that waits. */
const house = async () => {
  const there = await service()
  const { connections, ...rest } = configuration(there.url)
  const here = books(there.url, {
    "daybook.config.json": JSON.stringify({
      ...rest,
      daemon: { page: { password: { env: "PAGE_PASSWORD" } } },
      connections: [{ ...connections[0], every: "1 hour", approve: true }]
    }),
    "invoices.csv": `Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n${ROWS.join("\n")}\n`,
    "payments.csv": "Ref,Invoice,Date,Amount,Type,Code\n"
  })
  const running = await startDaemon(here.folder, { env: { PAGE_PASSWORD: PASSWORD } })
  await running.says(({ connection, outcome }) => connection === "books" && outcome !== undefined)
  return { here, there, url: running.url }
}

describe("a plan of many documents", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("is filtered, put in order and chosen from over several pages; all but the chosen are sent, as it was shown", async () => {
    const { there, url } = await house()
    const page = await enter(await open(), url)
    await page.goto(`${url}/plans`)
    const rows = page.locator("tbody tr")
    assert.strictEqual(await rows.count(), 50)
    const choose = async (number: string) => page.locator(`input[value="books/invoice/${number}"]`).check()
    await choose("INV-100")
    await follow(page, "text=The next 50")
    assert.include(await text(page), "1 document chosen.")
    await choose("INV-150")
    await page.fill("main input[name=q]", "corner shop")
    await page.selectOption("select[name=order]", "amount")
    await follow(page, "text=Show >> nth=0")
    assert.match(await rows.first().innerText(), /INV-219\s+Corner Shop Ltd\s+Create invoice\s+239\.00 GBP/)
    assert.strictEqual(await rows.count(), DOCUMENTS / 3)
    await choose("INV-219")
    await follow(page, "text=Approve all but the chosen …")
    const shown = await text(page)
    const parts = [...shown.matchAll(/(\d+)\s+(\d+)\s+(\d+) to create: \+([\d,.]+) GBP open/g)].map(
      ([, , , n, sum]) => [Number(n), Number(sum!.replaceAll(",", ""))]
    )
    assert.deepStrictEqual(
      parts.map(([n]) => n),
      [117, 3, 120]
    )
    assert.strictEqual(parts[0]![1]! + parts[1]![1]!, parts[2]![1]!, "what is sent and what is left out are the plan")
    assert.deepStrictEqual(await there.calls(), [], "nothing is done by looking")
    await follow(page, "button.primary")
    assert.include(await text(page), "Approved.")
    const held = async () => Object.keys(await there.holds())
    await until("they are sent", async () => ((await held()).length === 117 ? true : undefined))
    const left = ["INV-100", "INV-150", "INV-219"].map((number) => `books/invoice/${number}`)
    assert.isEmpty((await held()).filter((key) => left.includes(key)))
    await until("the rest waits again", async () => {
      await page.goto(`${url}/plans`)
      return (await text(page)).includes("3 to create") ? true : undefined
    })
  })

  it("is approved as far as a filter leaves it, and not at all once the books are others than those that were shown", async () => {
    const { here, there, url } = await house()
    const page = await enter(await open(), url)
    await page.goto(`${url}/plans?connection=books&q=anna`)
    await follow(page, "text=Approve these 40 …")
    assert.match(await text(page), /To send\s+41\s+41\s+40 to create/)
    assert.include(await text(page), "Sent as well, because what is chosen needs it: books/owner")
    here.write("invoices.csv", `Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n${ROWS.slice(1).join("\n")}\n`)
    assert.include((await here.run("pull")).stdout, "1 deleted")
    await follow(page, "button.primary")
    assert.include(await text(page), "The books changed since you saw that plan; nothing was decided.")
    assert.deepStrictEqual(await there.calls(), [])
    await page.goto(`${url}/plans/part?connection=books&way=only`)
    assert.include(await text(page), "No document was chosen; nothing was decided.")
  })

  it("can be used with keys, and by everybody, light and dark, on a screen and on a phone", async () => {
    const { url } = await house()
    const page = await enter(await open({ javaScriptEnabled: true, bypassCSP: true }), url)
    await page.goto(`${url}/plans`)
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key)
    assert.strictEqual(await page.locator("input[name=document]:checked").count(), 2)
    await page.keyboard.press("/")
    await page.keyboard.type("x1")
    assert.strictEqual(await page.inputValue("header input[name=q]"), "x1")
    for (const selector of ["", "text=Approve only the chosen …"]) {
      if (selector !== "") await follow(page, selector)
      await inEachLook(page, async (look, wide) => {
        assert.deepStrictEqual(await findings(page), [], `${look} ${selector}`)
        assert.isAtMost((await page.evaluate("document.documentElement.scrollWidth")) as number, wide)
      })
    }
  })
})
