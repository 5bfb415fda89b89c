/**
 * The element `companySearch` in Chromium (DP 6.2, 6.3): which company the buyer is, found by search or described.
 */
import { describe, expect, test } from "vitest"
import { type PageOptions, useStorefront } from "../../../support/Storefront.ts"

const shop = useStorefront()

/** A page with the element, with these options. */
const visit = (options = "{}", given: PageOptions = {}, more = "") =>
  shop().visit(
    `window.element = watch(DeferredPayment(PUBLIC_KEY).elements().create("companySearch", ${options}), "companySearch")
     ${more}
     element.mount("#a")`,
    given
  )

const ready = async (options?: string, given?: PageOptions) => {
  const visited = await visit(options, given)
  await visited.heard("ready")
  return visited
}

const NAME = "Company name or registration number"

describe("a registered company", () => {
  test("DP 6.2: companySearch ready: fires once it can be used; countries are named in the page's language", async () => {
    const { events, page } = await ready()
    expect(await events()).toEqual([["ready"]])
    expect(await page.getByLabel("Country").locator("option:checked").textContent()).toBe("United Kingdom")
    expect(await page.getByLabel("Country").locator("option").count()).toBeGreaterThan(200)
    expect(await page.getByLabel(NAME).isVisible()).toBe(true)
  })

  test("DP 6.2: companySearch companySelection: carries the company with its type, and null when it is changed", async () => {
    const { events, page, heard } = await ready()
    await page.getByLabel(NAME).fill("harbour")
    await page.getByRole("option", { name: "Harbour Lane Bakery Ltd" }).click()
    expect(await heard("companySelection")).toMatchObject({
      id: "co-1000",
      type: "registered-company",
      name: "Harbour Lane Bakery Ltd",
      country: "GB",
      identifiers: [{ id_type: "reg_number", value: "10000000" }, {}]
    })
    await page.getByRole("button", { name: "Change" }).click()
    expect(await heard("companySelection", 2)).toBeNull()
    await page.getByLabel(NAME).fill("10000001")
    await page.getByRole("option", { name: "Brightwater Foods Ltd" }).click()
    expect(await heard("companySelection", 3)).toMatchObject({ id: "co-1001" })
    await page.getByLabel("Country").selectOption("FR")
    expect(await heard("companySelection", 4)).toBeNull()
    expect((await events()).map(([name]) => name).at(-2)).toBe("countryInputChange")
  })

  test("DP 6.2: companySearch countryInputChange: carries the country, whose companies are searched from then on", async () => {
    const { page, heard } = await ready(`{ country: "GB" }`)
    await page.getByLabel("Country").selectOption("FR")
    expect(await heard("countryInputChange")).toBe("FR")
    await page.getByLabel(NAME).fill("verlaine")
    await page.getByRole("option", { name: "Maison Verlaine SAS" }).click()
    expect(await heard("companySelection")).toMatchObject({ id: "co-1003" })
  })

  test("says what was not found, and shows only what was typed last", async () => {
    const { page, heard } = await ready()
    await page.getByLabel(NAME).fill("nobody of that name")
    await page.getByText("No company found.").waitFor()
    // The first answer comes long after the second.
    await shop().api.post("/sandbox/faults", { kind: "delay", delay_ms: 600, path: "/sdk/v1/companies", times: 1 })
    const asked = page.waitForRequest(/q=har/)
    await page.getByLabel(NAME).fill("har")
    await asked
    await page.getByLabel(NAME).fill("brightwater")
    await page.getByRole("option", { name: "Brightwater Foods Ltd" }).waitFor()
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(await page.getByRole("option").filter({ hasText: "Ltd" }).count()).toBe(1)
    await shop().api.post("/sandbox/faults", { kind: "lose_request", path: "/sdk/v1/companies" })
    await page.getByLabel(NAME).fill("harbour")
    await page.getByText("The search did not work.").waitFor()
    await shop().api.remove("/sandbox/faults")
    await page.getByLabel(NAME).fill("harbour l")
    await page.getByRole("option", { name: "Harbour Lane Bakery Ltd" }).click()
    await heard("companySelection")
  })
})

describe("a sole trader", () => {
  const FIELDS = {
    trading_name: "Ann's Flowers",
    trading_address: "2 Mill Road",
    trading_address_postcode: "PO2 2BB",
    trading_address_city: "Portsmouth",
    proprietor_name: "Ann Example",
    date_of_birth: "1980-02-29",
    proprietor_address_line1: "Flat 1",
    proprietor_address_line2: "3 Hill Street",
    proprietor_address_postcode: "PO3 3CC",
    proprietor_address_city: "Southsea"
  }

  test("DP 6.2: companySearch companyTypeInputChange: carries the type; a sole trader describes itself and is carried", async () => {
    const { page, run, heard } = await ready(`{ country: "GB" }`)
    await page.getByLabel("a sole trader").check()
    expect(await heard("companyTypeInputChange")).toBe("sole-trader")
    await page.getByRole("button", { name: "Use these details" }).click()
    await page.getByText("Some fields need your attention.").waitFor()
    const focused = await run(`document.querySelector("#a").firstElementChild.shadowRoot.activeElement.id`)
    expect(focused).toBe("trading_name")
    for (const [name, value] of Object.entries(FIELDS)) await page.locator(`#${name}`).fill(value)
    await page.getByRole("button", { name: "Use these details" }).click()
    expect(await heard("companySelection")).toEqual({
      ...FIELDS,
      type: "sole-trader",
      trading_address_country: "GB",
      proprietor_address_country: "GB"
    })
    await page.getByLabel("a registered company").check()
    expect(await heard("companyTypeInputChange", 2)).toBe("registered-company")
    expect(await heard("companySelection", 2)).toBeNull()
  })
})

describe("options", () => {
  test("DP 6.3: companySearch companyId: shows that company as chosen; one that does not exist is a failure", async () => {
    const { events, page } = await ready(`{ companyId: "co-1004" }`)
    expect(await page.getByText("Bergmann Maschinenbau GmbH").isVisible()).toBe(true)
    expect(await page.getByLabel("Country").inputValue()).toBe("DE")
    expect(await events()).toEqual([["ready"]])
    const { heard } = await visit(`{ companyId: "co-nobody" }`)
    expect(await heard("failure")).toMatchObject({ code: "status_404" })
  })

  test("DP 6.3: companySearch country: is the one that is chosen to begin with", async () => {
    const { events, page } = await ready(`{ country: "NL" }`)
    expect(await page.getByLabel("Country").inputValue()).toBe("NL")
    expect(await events()).toEqual([["ready"]])
    const { run } = await visit()
    for (const [options, why] of [
      [
        `{ country: "United Kingdom" }`,
        `companySearch: "United Kingdom" is not a country code of two capital letters.`
      ],
      [`{ country: "NL", countryOptions: ["GB"] }`, "companySearch: the country NL is not one of countryOptions."],
      [`{ companyId: 7 }`, `companySearch: companyId is the identifier of a company, like "co-1000".`]
    ] as const)
      expect(await run(`thrown(() => element.update(${options}))`)).toBe(`IntegrationError: ${why}`)
  })

  test("DP 6.3: companySearch countryOptions: only those can be chosen, the first one to begin with", async () => {
    const { page, said } = await ready(`{ countryOptions: ["NL", "DE"], countryOption: [] }`, { lang: "de" })
    expect(await page.getByLabel("Land").locator("option").allTextContents()).toEqual(["Deutschland", "Niederlande"])
    expect(await page.getByLabel("Land").inputValue()).toBe("NL")
    expect(said).toEqual(["[deferred payment] companySearch: there is no option countryOption."])
  })
})

describe("what goes wrong", () => {
  test("DP 6.2: companySearch failure: the SDK's host does not answer, and the developer is told which", async () => {
    await shop().api.post("/sandbox/faults", { kind: "lose_request", path: "/sdk/v1/session" })
    const { events, page, heard } = await visit()
    const { url } = shop().sandbox
    expect(await heard("failure")).toEqual({
      code: "unreachable",
      message: `${url} cannot be reached. If this page has a Content-Security-Policy, its connect-src must name ${url}.`
    })
    expect(await events()).toHaveLength(1)
    expect(await page.locator("#a").textContent()).toBe("")
  })
})
