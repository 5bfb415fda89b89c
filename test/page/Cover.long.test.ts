/**
 * The room of cover in Chromium, before the real daemon and the sandbox: an offer is approved and bought, a collection is
 * completed with both declarations and sent; without scripts, light and dark, on a screen and on a phone.
 */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { findings, inEachLook } from "../support/Axe.ts"
import { useCommand } from "../support/Cli.ts"
import { type CoverDesk, coverDesk, ENV, PDF } from "../support/CoverDesk.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { startDaemon, until } from "../support/Daemon.ts"

useCommand()
afterAll(closeAll)

const PASSWORD = "correct horse battery"

const follow = (page: Page, selector: string): Promise<unknown> =>
  Promise.all([page.waitForEvent("load"), page.click(selector)])

/** The daemon over books of which INV-1 is insured and late, and INV-2 has an offer that a person is asked about. */
const house = async (): Promise<{ readonly desk: CoverDesk; readonly url: string }> => {
  const desk = await coverDesk({
    daemon: { page: { password: { env: "PAGE_PASSWORD" } } },
    connection: { every: "1 hour" }
  })
  await desk.does("sync")
  await desk.pass(75)
  await desk.does("sync")
  const running = await startDaemon(desk.folder, { env: { ...ENV, PAGE_PASSWORD: PASSWORD } })
  await running.says(({ connection, outcome }) => connection === "books" && outcome !== undefined)
  return { desk, url: running.url }
}

const enter = async (page: Page, url: string): Promise<Page> => {
  await page.goto(`${url}/cover`)
  await page.fill("input[name=password]", PASSWORD)
  await follow(page, "button.primary")
  return page
}

const text = (page: Page): Promise<string> => page.innerText("main")

const sent = async ({ service }: CoverDesk, path: RegExp): Promise<number> =>
  (await service.calls()).filter((one) => path.test(one.path)).length

const picture = async (page: Page, name: string): Promise<void> => {
  const into = process.env["PICTURES"]
  if (into !== undefined) await page.screenshot({ path: `${into}/${name}.png`, fullPage: true })
}

const file = (name: string, text: string | Uint8Array<ArrayBuffer>) => ({
  name,
  mimeType: "application/pdf",
  buffer: Buffer.from(text as string)
})

/** Adds files by the form: one that is taken, one in its place, and those that are not; then removes one. */
const adds = async (page: Page, url: string): Promise<void> => {
  const put = async (name: string, content: string) => {
    await page.setInputFiles("input[type=file]", file(name, content))
    await page.selectOption("select[name=type]", "proof_delivery")
    await page.fill("form[action$=attach] input[name=name]", "Ada Reed")
    await follow(page, "text=Add it")
    return await text(page)
  }
  assert.include(await put("parcel.pdf", PDF), "Added.")
  await put("parcel.pdf", PDF.replace("invoice", "parcel"))
  assert.include(await put("letter.pdf", PDF.replace("invoice", "letter")), "letter.pdf")
  assert.include(await put("run.pdf", "MZ\u0090"), "give it as PDF, PNG or JPEG")
  await page.goBack()
  await follow(page, "button[aria-label='Remove letter.pdf']")
  const [table] = await page.locator("table").allInnerTexts()
  assert.strictEqual(table?.match(/parcel\.pdf\t/g)?.length, 1)
  assert.notInclude(table, "letter.pdf")
  const form = await page.locator("input[name=form]").first().inputValue()
  const post = (members: Record<string, string>, bytes: Uint8Array<ArrayBuffer>) =>
    page.request.post(`${page.url().replace(/\?.*/, "")}/attach`, {
      multipart: { type: "other", name: "Ada Reed", ...members, file: file("big.pdf", bytes) },
      headers: { origin: url }
    })
  const large = await post({ form }, new Uint8Array(9 * 1024 * 1024))
  assert.strictEqual(large.status(), 413)
  assert.include(await large.text(), "at most 8 MB")
  assert.strictEqual((await post({ form: "x" }, new Uint8Array(9))).status(), 403)
  assert.strictEqual((await post({ form, name: "" }, new Uint8Array(9))).status(), 409)
}

describe("the room of cover", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("shows offers with their price, and has one bought at exactly that", async () => {
    const { desk, url } = await house()
    const page = await enter(await open(), url)
    const room = await text(page)
    for (const words of ["1 offer for you to approve", "201.60 GBP", "180.00 GBP", "21.60 GBP", "8,100.00 GBP"])
      assert.include(room, words)
    assert.include(room, "more than 50.00 GBP for one invoice")
    assert.match(room, /500\.00 GBP left/)
    const old = await page.locator("input[name=offer]").first().inputValue()
    assert.match(old, / books\/invoice\/INV-2$/)
    // The browser asks whose decision it is, and the page takes none without a name.
    await page.click("text=Buy the chosen")
    assert.strictEqual(await page.locator("input[name=name]:invalid").count(), 1)
    await page.fill("input[name=name]", "Ada Reed")
    await follow(page, "text=Buy the chosen")
    assert.include(await text(page), "Choose the offers that it is about")
    await page.goto(`${url}/cover`)
    await page.fill("input[name=name]", "Ada Reed")
    await page.check("input[name=offer]")
    await follow(page, "text=Buy the chosen")
    assert.include(await text(page), "What was chosen is bought at these prices in the next run")
    await until("bought", async () => (await sent(desk, /^\/v1\/policies$/)) === 2 || undefined)
    await page.goto(`${url}/cover`)
    assert.notInclude(await text(page), "for you to approve")
    // The same form once more decides nothing.
    const form = await page.locator("input[name=form]").first().inputValue()
    const again = await page.request.post(`${url}/cover/offers/buy`, {
      form: { form, offer: old, name: "Ada Reed" },
      headers: { origin: url }
    })
    assert.strictEqual(again.status(), 409)
    const nobody = await page.request.post(`${url}/cover/offers/buy`, {
      form: { form, offer: old, name: " " },
      headers: { origin: url }
    })
    assert.include(await nobody.text(), "Say who decides")
    await page.goto(`${url}/documents/books%2Finvoice%2FINV-2`)
    assert.include(await text(page), "Ada Reed")
    assert.strictEqual(await sent(desk, /^\/v1\/policies$/), 2)
  })

  it("shows a collection with its documents, takes a file and both declarations, and sends it once", async () => {
    const { desk, url } = await house()
    const page = await enter(await open(), url)
    await picture(page, "room")
    await follow(page, "table:not(.calendar) a[href^='/cover/']")
    const shown = await text(page)
    for (const words of [
      "Collection of INV-1",
      "INV-1.pdf",
      "statement-of-account.pdf",
      "28 days are left",
      "not shown"
    ])
      assert.include(shown, words)
    assert.notInclude(shown, ENV.BANK_NUMBER)
    await picture(page, "collection")
    await adds(page, url)
    await picture(page, "added")
    assert.strictEqual(await page.locator("input[type=checkbox]:checked, input[type=radio]:checked").count(), 0)
    await page.check("input[name=disputed][value=no]")
    await page.check("input[name=confirm_correct]")
    // As given with the file.
    assert.strictEqual(await page.inputValue("form.declaration >> nth=1 >> input[name=name]"), "Ada Reed")
    // The browser asks for the second declaration, and the page takes no form without it.
    await page.click("text=Confirm and hand over")
    assert.strictEqual(await page.locator("input[name=collections_terms_acceptance]:invalid").count(), 1)
    const fields = await page
      .locator("form.declaration")
      .last()
      .evaluate((form) =>
        Object.fromEntries(new FormData(form as HTMLFormElement) as unknown as Iterable<[string, string]>)
      )
    const half = await page.request.post(`${page.url().replace(/\?.*/, "")}/confirm`, {
      form: fields,
      headers: { origin: url }
    })
    assert.strictEqual(half.status(), 409)
    assert.include(await half.text(), "accepts the terms of collection")
    await page.check("input[name=collections_terms_acceptance]")
    await follow(page, "text=Confirm and hand over")
    assert.include(await text(page), "It is handed over in the next run")
    await until("handed over", async () => (await sent(desk, /\/send$/)) === 1 || undefined)
    await until("written", async () => {
      await page.goto(`${url}/cover/books%2Finvoice%2FINV-1`)
      return (await text(page)).includes("Handed over on") || undefined
    })
    assert.include(await text(page), "confirmed by Ada Reed")
    await picture(page, "sent")
    assert.strictEqual(await sent(desk, /\/send$/), 1)
  })

  it("can be used by everybody, light and dark, on a screen and on a phone", async () => {
    const { url } = await house()
    const page = await enter(await open({ javaScriptEnabled: true, bypassCSP: true }), url)
    for (const path of ["/cover", "/cover/books%2Finvoice%2FINV-1", "/cover/books%2Finvoice%2FINV-2"]) {
      await page.goto(`${url}${path}`)
      await inEachLook(page, async (look, wide) => {
        const where = `${path} ${look}`
        await picture(page, where.replaceAll(/[/% ]/g, "-"))
        assert.deepStrictEqual(await findings(page), [], where)
        const width = (await page.evaluate("document.documentElement.scrollWidth")) as number
        assert.isAtMost(width, wide, `${where}: nothing reaches beyond the window`)
      })
    }
  })

  it("says what to write where no connection has cover", async () => {
    const desk = await coverDesk({
      cover: null,
      daemon: { page: { password: { env: "PAGE_PASSWORD" } } },
      connection: { every: "1 hour" }
    })
    const { url } = await startDaemon(desk.folder, { env: { ...ENV, PAGE_PASSWORD: PASSWORD } })
    assert.include(await text(await enter(await open(), url)), "No connection has cover.")
  })
})
