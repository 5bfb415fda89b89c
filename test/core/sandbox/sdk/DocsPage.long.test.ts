/**
 * The page `/docs/checkout` in Chromium: every element live, with its options and what it reports.
 */
import { describe, expect, test } from "vitest"
import type { Page } from "playwright-core"
import { findings } from "../../../support/Axe.ts"
import { open } from "../../../support/Browser.ts"
import { useStorefront } from "../../../support/Storefront.ts"

const shop = useStorefront()

const visit = async () => {
  const page = await open({ javaScriptEnabled: true, locale: "en-GB", viewport: { width: 1200, height: 900 } })
  const said: Array<string> = []
  page.on("console", (message) => said.push(message.text()))
  page.on("pageerror", ({ message }) => said.push(message))
  await page.goto(`${shop().sandbox.url}/docs`)
  await page.getByRole("link", { name: "checkout" }).click()
  await heard(page, "companySearch", "ready")
  await heard(page, "checkout", "ready")
  return { page, said, frame: page.frameLocator("iframe"), checkout: page.getByRole("region", { name: "checkout" }) }
}

const heard = (page: Page, element: string, line: string): Promise<void> =>
  page
    .getByRole("log", { name: `Events of ${element}` })
    .getByText(line)
    .last()
    .waitFor()

describe("the page of the elements", () => {
  test("shows both live, logs their events, and leaves nothing among a developer's own", async () => {
    const { frame, page, said } = await visit()
    await page.locator("#companySearch").getByLabel("Company name").fill("harbour")
    await page.getByRole("option", { name: "Harbour Lane Bakery Ltd" }).click()
    await heard(page, "companySearch", 'companySelection {"url"')
    await frame.getByLabel("Pay in 30 days").check()
    await frame.getByLabel("Card").check()
    await frame.getByRole("button", { name: "Confirm" }).click()
    await heard(page, "checkout", 'success {"deferred_payment"')
    expect(said).toEqual([])
    expect(await findings(page)).toEqual([])
    for (const path of ["/v1/payment/orders/", "/v1/organisations", "/v1/users"])
      expect((await shop().api.get(path)).body.count, path).toBe(0)
  })

  test("every option and method is at hand, with the code that does the same", async () => {
    const { checkout, frame, page } = await visit()
    await page.getByLabel("companyId").fill("co-1003")
    const search = page.getByRole("region", { name: "companySearch" })
    await search.getByRole("button", { name: "update" }).click()
    await page.locator("#companySearch").getByText("Maison Verlaine SAS").waitFor()
    await checkout.getByLabel("locale").selectOption("fr-fr")
    await checkout.getByLabel("paymentPlanId").check()
    await checkout.getByLabel("hidePaymentPlanName").check()
    await checkout.getByLabel("buttonlessSubmission").check()
    await checkout.getByRole("button", { name: "create and mount" }).click()
    await frame.getByLabel("Carte").check()
    await heard(page, "checkout", 'formState {"isReadyToSubmit":true}')
    await checkout.getByRole("button", { name: "confirmOrder" }).click()
    await heard(page, "checkout", "success")
    await checkout.getByLabel("workflow").selectOption("intent")
    await checkout.getByRole("button", { name: "create and mount" }).click()
    await heard(page, "checkout", "paymentPlanId is not used with an intent.")
    await checkout.getByLabel("workflow").selectOption("paymentOffer")
    await checkout.getByLabel("headless").check()
    await checkout.getByRole("button", { name: "create and mount" }).click()
    await checkout.getByLabel("Code of checkout").getByText("headless: true").waitFor()
    for (const label of ["unmount", "mount", "destroy"])
      await checkout.getByRole("button", { name: label, exact: true }).click()
    await checkout.getByRole("button", { name: "confirmOrder" }).click()
    await heard(page, "checkout", "There is no checkout; create makes one.")
  })
})
