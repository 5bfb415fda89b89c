/**
 * An assistant prepares decisions, and a person confirms them on the page, in Chromium: everything is chosen there already, nothing is
 * decided by preparing and looking, and what changed since is not chosen.
 */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { assistant } from "../support/Assistant.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { useCommand } from "../support/Cli.ts"
import { coverDesk, ENV } from "../support/CoverDesk.ts"
import { startDaemon, until } from "../support/Daemon.ts"
import { BANK, enter, follow, house, PASSWORD, text } from "../support/PageHouse.ts"

useCommand()
afterAll(closeAll)

const PREPARED = "prepared what is chosen here. Nothing is decided until you do it."
const MOVED = "What was prepared here is something else by now, so nothing is chosen."

/** What the assistant answers, and the page as a person opens it; with another digest, as if something had changed since. */
const opened = async (folder: string, url: string, wanted: Readonly<Record<string, unknown>>, env = {}) => {
  const { ask } = await assistant(folder, { PAGE_PASSWORD: PASSWORD, ...env })
  const { answer, isError, text: said } = await ask("draft", wanted)
  assert.isFalse(isError, said)
  const page = await enter(await open(), url)
  const draft = String(answer["page"])
  assert.include(draft, String(answer["digest"]))
  const moved = await open()
  await enter(moved, url)
  await moved.goto(`${url}${draft.replace(/draft=[^&]+/, "draft=another")}`)
  assert.include(await text(moved), MOVED)
  await page.goto(`${url}${draft}`)
  assert.include(await text(page), PREPARED)
  return { page, moved }
}

const checked = (page: Page, name: string) => page.locator(`input[name=${name}]:checked`).count()

describe("a decision that an assistant prepared", { timeout: 180_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("about a payment is in the workbench, and is saved by the person alone", async () => {
    const { here, there, url } = await house({}, [BANK])
    const { ask } = await assistant(here.folder, { PAGE_PASSWORD: PASSWORD })
    const items = (await ask("attention")).answer["items"] as ReadonlyArray<{
      readonly id: number
      readonly subject: string
    }>
    const [item] = items.filter(({ subject }) => subject === "bank/payment/1")
    const before = JSON.stringify(await there.holds())
    const wanted = { item: item?.id, invoices: ["INV-4=20.00", "INV-6=4.00"] }
    const { moved, page } = await opened(here.folder, url, wanted)
    assert.strictEqual(await page.inputValue("textarea[name=invoices]"), "INV-4=20.00\nINV-6=4.00")
    assert.strictEqual(await moved.inputValue("textarea[name=invoices]"), "")
    assert.strictEqual(JSON.stringify(await there.holds()), before)
    await follow(page, "text=It is for these")
    assert.include(await text(page), "Saved.")
    await until("the service has both", async () => {
      const held = await there.holds()
      const reported = (number: string) => JSON.stringify(held[`books/invoice/${number}`])
      return reported("INV-4").includes(" 20.00 ") && reported("INV-6").includes(" 4.00 ") ? true : undefined
    })
    for (const [wrong, why] of [
      [wanted, "is not open"],
      [{}, "name one of item, plan and offers"],
      [{ item: 1, plan: "books" }, "name one of item, plan and offers"],
      [{ plan: "books" }, "no plan of books waits for approval"],
      [{ offers: ["INV-1"] }, "no offer for"]
    ] as const) {
      const refused = await ask("draft", wrong)
      assert.isTrue(refused.isError)
      assert.include(refused.text, why)
    }
  })

  it("about a plan has the documents chosen, and what is sent is what was approved", async () => {
    const { here, there, url } = await house({ approve: true })
    const documents = ["books/invoice/INV-1", "books/invoice/INV-2"]
    const { moved, page } = await opened(here.folder, url, { plan: "books", documents })
    assert.strictEqual(await checked(page, "document"), 2)
    assert.strictEqual(await checked(moved, "document"), 0)
    await follow(page, "text=Approve only the chosen …")
    assert.deepStrictEqual(await there.calls(), [])
    await follow(page, "button.primary")
    await until("they are sent", async () => {
      const held = Object.keys(await there.holds()).toSorted()
      return held.length === 2 && held.every((key) => documents.includes(key)) ? true : undefined
    })
  })

  it("about offers has them chosen at their prices, and buys none by itself", async () => {
    const desk = await coverDesk({
      daemon: { page: { password: { env: "PAGE_PASSWORD" } } },
      connection: { every: "1 hour" }
    })
    await desk.does("sync")
    const running = await startDaemon(desk.folder, { env: { ...ENV, PAGE_PASSWORD: PASSWORD } })
    await running.says(({ connection, outcome }) => connection === "books" && outcome !== undefined)
    const policies = async () => (await desk.service.calls()).filter(({ path }) => path === "/v1/policies").length
    const before = await policies()
    const { moved, page } = await opened(desk.folder, running.url, { offers: ["INV-2"] }, ENV)
    assert.strictEqual(await checked(page, "offer"), 1)
    assert.strictEqual(await checked(moved, "offer"), 0)
    assert.strictEqual(await policies(), before)
    await page.fill("#offers input[name=name]", "Pat")
    await follow(page, "text=Buy the chosen")
    await until("it is bought", async () => ((await policies()) === before + 1 ? true : undefined))
  })
})
