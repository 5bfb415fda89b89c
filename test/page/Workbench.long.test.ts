/** A payment is given to several invoices, and what remains of it runs along: without scripts when asked, with scripts at once. */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { benchFields, chosenLines, remainder } from "../../cli/page/Workbench.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { findings, inEachLook } from "../support/Axe.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { useCommand } from "../support/Cli.ts"
import { until } from "../support/Daemon.ts"
import { BANK, enter, follow, house, text } from "../support/PageHouse.ts"

useCommand()
afterAll(closeAll)

describe("what is chosen for a payment", () => {
  it("is what the command takes, and remains are exact", () => {
    const fields = benchFields(
      new URLSearchParams([
        ["pick", "books/invoice/A"],
        ["take:books/invoice/A", "1,000.10"],
        ["take:books/invoice/B", "7"],
        ["pick", "books/invoice/C"],
        ["invoices", " INV-9=1 \n\nINV-10"]
      ])
    )
    assert.deepStrictEqual(chosenLines(fields), ["books/invoice/A=1000.10", "books/invoice/C", "INV-9=1", "INV-10"])
    assert.isUndefined(remainder(Decimal.of("10"), fields), "no amount is not nothing")
    const one = benchFields(new URLSearchParams("pick=A&take:A=0.1&pick=B&take:B=0.2"))
    assert.strictEqual(remainder(Decimal.of("0.3"), one), 0n)
  })
})

describe("the workbench", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("shows what remains, and saves what was chosen and no more", async () => {
    const { there, url } = await house({}, [BANK])
    const item = async (page: Awaited<ReturnType<typeof open>>) => {
      await page.goto(`${url}/attention`)
      await follow(page, "text=Choose an invoice")
    }
    const scripted = await enter(await open({ javaScriptEnabled: true, bypassCSP: true }), url)
    await item(scripted)
    const left = scripted.locator("output")
    assert.strictEqual(await left.innerText(), "24.00 GBP")
    await scripted.locator("input[name=pick]").nth(0).check()
    assert.strictEqual(await left.innerText(), "0.00 GBP")
    await scripted.locator("input[name^='take:']").nth(0).fill("1.05")
    assert.strictEqual(await left.innerText(), "22.95 GBP")
    await scripted.locator("input[name^='take:']").nth(0).fill("24.01")
    assert.strictEqual(await left.innerText(), "-0.01 GBP: more than was received")
    await inEachLook(scripted, async (look, wide) => {
      assert.deepStrictEqual(await findings(scripted), [], look)
      assert.isAtMost((await scripted.evaluate("document.documentElement.scrollWidth")) as number, wide)
    })

    const page = await enter(await open(), url)
    await item(page)
    const choose = async (number: string, amount: string) => {
      await page.locator(`input[name=pick][value="books/invoice/${number}"]`).check()
      await page.fill(`input[name="take:books/invoice/${number}"]`, amount)
    }
    await choose("INV-4", "20.00")
    await follow(page, "text=Recalculate")
    assert.match(await text(page), /24\.00 GBP received, 1 invoice chosen; remains\s+4\.00 GBP/)
    await choose("INV-6", "4.00")
    await follow(page, "text=Recalculate")
    assert.match(await text(page), /2 invoices chosen; remains\s+0\.00 GBP/)
    assert.notInclude(JSON.stringify(await there.holds()), " 20.00 ", "nothing is saved by looking")
    await follow(page, "text=It is for these")
    assert.include(await text(page), "Saved.")
    const reported = async (number: string) => JSON.stringify((await there.holds())[`books/invoice/${number}`])
    await until("the service has both", async () =>
      (await reported("INV-4")).includes(" 20.00 ") && (await reported("INV-6")).includes(" 4.00 ") ? true : undefined
    )
  })
})
