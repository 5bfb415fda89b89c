/**
 * Whether everybody can use the elements, in Chromium: by keyboard alone, with a screen reader, on a narrow screen, in
 * light and dark, in six languages; under a strict policy, without third parties, and small.
 */
import { gzipSync } from "node:zlib"
import type { Frame, Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { scripts } from "../../../../core/sandbox/sdk/Scripts.ts"
import { findings } from "../../../support/Axe.ts"
import { useStorefront, type Visit } from "../../../support/Storefront.ts"
import { offer, order } from "../Ordering.ts"
import type { Json } from "../Wire.ts"

const shop = useStorefront()

const BOTH = (made: Json, elements = "") => `
const elements = DeferredPayment(PUBLIC_KEY${elements}).elements()
watch(elements.create("companySearch", { country: "GB", countryOptions: ["FR", "GB"] }), "companySearch", "search ").mount("#a")
watch(elements.create("checkout", { paymentOffer: ${JSON.stringify(made)} }), "checkout").mount("#b")`

const ready = async (visited: Visit): Promise<Frame> => {
  await visited.heard("search ready")
  await visited.heard("ready")
  return visited.page.frames()[1]!
}

const width = (where: Page | Frame): Promise<number> => where.evaluate("document.documentElement.scrollWidth")

describe("everybody", () => {
  test.each([
    ["light", 1200],
    ["dark", 320]
  ] as const)("axe finds nothing, in %s, and nothing reaches beyond %i pixels", async (colorScheme, wide) => {
    const visited = await shop().visit(BOTH(await shop().offerFor()), {
      head: '<meta name="color-scheme" content="light dark">',
      window: { colorScheme, viewport: { width: wide, height: 900 } }
    })
    const frame = await ready(visited)
    const { page } = visited
    const look = async (state: string) => {
      expect(await findings(page), state).toEqual([])
      expect(Math.max(await width(page), (await width(frame)) + 16), state).toBeLessThanOrEqual(wide)
    }
    await look("to begin with")
    await page.getByLabel("Company name").fill("declined seller")
    await page.getByRole("option", { name: "Declined Seller Limit Ltd" }).waitFor()
    await frame.getByRole("button", { name: "Confirm" }).click()
    await frame.getByText("Choose when").waitFor()
    await look("companies found, and a mistake")
    await page.getByRole("option", { name: "Declined Seller Limit Ltd" }).click()
    await frame.getByLabel("3 instalments").check()
    await frame.getByLabel("Card").check()
    await look("chosen")
    await page.getByLabel("a sole trader").check()
    await page.getByRole("button", { name: "Use these details" }).click()
    await frame.getByRole("button", { name: "Confirm" }).click()
    await visited.heard("success")
    await look("a form with mistakes, and confirmed")
    const paper = "getComputedStyle(document.querySelector('section')).backgroundColor"
    expect(await frame.evaluate(paper)).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(28, 31, 36)")
  })

  test("the keyboard alone finds a company, chooses a plan and confirms", async () => {
    const visited = await shop().visit(BOTH(await shop().offerFor()))
    const frame = await ready(visited)
    const { page, heard } = visited
    const { keyboard } = page
    const press = async (...keys: ReadonlyArray<string>) => {
      for (const key of keys) await keyboard.press(key)
    }
    await press("Tab", "Tab", "Tab")
    await keyboard.type("foods")
    await page.getByRole("option", { name: "Brightwater Foods Ltd" }).waitFor()
    await press("Escape")
    expect(await page.getByRole("listbox").count()).toBe(0)
    await keyboard.type(" ltd")
    await page.getByRole("option", { name: "Brightwater Foods Ltd" }).waitFor()
    await press("ArrowUp", "ArrowDown")
    const input = page.getByRole("combobox", { name: "Company name" })
    const active = await input.getAttribute("aria-activedescendant")
    expect(await page.locator(`#${active}`).getAttribute("aria-selected")).toBe("true")
    await press("Enter")
    expect(await heard("search companySelection")).toMatchObject({ id: "co-1001" })
    // From the button that changes it into the frame.
    await press("Tab", "Space", "ArrowDown", "Tab", "Space", "ArrowDown", "Tab", "Tab", "Enter")
    expect(await heard("success")).toMatchObject({ deferred_payment: { status: "accepted" } })
    expect(await frame.evaluate("document.activeElement.textContent")).toMatch(/^Confirmed|^$/)
  })

  test("a screen reader is told of results, of what is chosen and of mistakes", async () => {
    const visited = await shop().visit(BOTH(await shop().offerFor()))
    const frame = await ready(visited)
    const { page } = visited
    const status = page.getByRole("status")
    await page.getByLabel("Company name").fill("foods")
    await status.getByText("Companies found: 1.").waitFor()
    await page.getByLabel("Company name").fill("nobody")
    await status.getByText("No company found.").waitFor()
    await page.getByLabel("Company name").fill("foods")
    await page.getByRole("option", { name: "Brightwater Foods Ltd" }).click()
    await status.getByText("Chosen: Brightwater Foods Ltd").waitFor()
    await frame.getByRole("button").click()
    await frame.getByRole("alert").getByText("Choose when you want to pay.").waitFor()
    await page.getByLabel("a sole trader").check()
    await page.getByRole("button", { name: "Use these details" }).click()
    await page.getByRole("alert").getByText("Some fields need your attention.").waitFor()
    const born = page.getByLabel("Date of birth")
    expect(await born.getAttribute("aria-invalid")).toBe("true")
    expect(await page.locator(`#${await born.getAttribute("aria-describedby")}`).textContent()).toBe(
      "Fill in this field."
    )
  })

  test("DP 6.3: content security policy: with the hosts named and nothing inline allowed, nothing is complained of, and nobody else is asked", async () => {
    const visited = await shop().visit(BOTH(await shop().offerFor()))
    await ready(visited)
    await visited.page.getByLabel("Company name").fill("foods")
    await visited.page.getByRole("option", { name: "Brightwater Foods Ltd" }).click()
    await visited.page.frameLocator("iframe").getByRole("button").click()
    expect(visited.said).toEqual([])
    const hosts = new Set(visited.requests.map(({ origin }) => origin).filter((origin) => origin !== "null"))
    expect([...hosts].toSorted()).toEqual([shop().url, shop().sandbox.url, shop().sandbox.frame].toSorted())
  })
})

describe("languages", () => {
  const WORDS = {
    en: ["Company name or registration number", "Confirm and pay later", "£20.00 on 31 March 2026", "Pay in 30 days"],
    de: [
      "Firmenname oder Registernummer",
      "Bestätigen und später zahlen",
      "20,00 £ am 31. März 2026",
      "In 30 Tagen zahlen"
    ],
    fr: [
      "Nom ou numéro d’immatriculation",
      "Confirmer et payer plus tard",
      "20,00 £GB le 31 mars 2026",
      "Payer dans 30 jours"
    ],
    es: [
      "Nombre o número de registro",
      "Confirmar y pagar más tarde",
      "20,00 GBP el 31 de marzo de 2026",
      "Pagar en 30 días"
    ],
    it: [
      "Nome o numero di registrazione",
      "Conferma e paga più tardi",
      "20,00 £ il 31 marzo 2026",
      "Paga tra 30 giorni"
    ],
    nl: [
      "Bedrijfsnaam of registratienummer",
      "Bevestigen en later betalen",
      "£ 20,00 op 31 maart 2026",
      "Betaal over 30 dagen"
    ]
  }

  test("each speaks for itself, and is loaded alone, with amounts and dates as it writes them", async () => {
    await shop().api.post("/sandbox/clock", { set: "2026-03-01T09:00:00Z" })
    for (const [language, [search, confirm, due, plan]] of Object.entries(WORDS)) {
      const made = await offer(shop().api, (await order(shop().api)).id, {
        locale: `${language}-${language === "en" ? "gb" : language}`
      })
      const visited = await shop().visit(BOTH(made, ", {}"), { lang: language })
      const frame = await ready(visited)
      await visited.page.getByLabel(search!).waitFor()
      const words = (await frame.locator("section").innerText()).replace(/[\u00a0\u202f]/g, " ")
      for (const one of [confirm, due, plan]) expect(words).toContain(one)
      const loaded = visited.requests.map(({ pathname }) => pathname).filter((path) => path.includes("/locales/"))
      expect(loaded.toSorted()).toEqual([`/frame/v1/locales/${language}.json`, `/sdk/v1/locales/${language}.json`])
      expect(await frame.locator("html").getAttribute("lang")).toBe(language)
    }
    await shop().api.post("/sandbox/reset")
  })

  test("the one that a page asks for comes first", async () => {
    const { page, heard } = await shop().visit(BOTH(await shop().offerFor(), `, { locale: "nl-BE" }`), { lang: "de" })
    await heard("ready")
    await page.frameLocator("iframe").getByText("Wanneer wilt u betalen?").waitFor()
    await page.getByLabel("Bedrijfsnaam").waitFor()
  })

  test("all of them say the same things, in the same places", async () => {
    const { locales } = await scripts()
    expect(Object.keys(locales).toSorted()).toEqual(Object.keys(WORDS).toSorted())
    const english: Readonly<Record<string, string>> = JSON.parse(locales["en"]!)
    const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()
    for (const [language, text] of Object.entries(locales)) {
      const words: Readonly<Record<string, string>> = JSON.parse(text)
      expect(Object.keys(words), language).toEqual(Object.keys(english))
      for (const [name, said] of Object.entries(words))
        expect(places(said), `${language} ${name}`).toEqual(places(english[name]!))
    }
  })
})

describe("size", () => {
  test("what a buyer with an offer loads is 15 kB at most, compressed", async () => {
    const { frame, locales, sdk } = await scripts()
    const shared = Object.keys(frame).filter((name) => !name.startsWith("CompanyPanel"))
    const parts = [sdk, ...shared.map((name) => frame[name]!)].map((text) => gzipSync(text).length)
    const words = Math.max(...Object.values(locales).map((text) => gzipSync(text).length))
    expect(parts.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(15_000)
    expect(words).toBeLessThanOrEqual(1_500)
  })

  test("is compressed on its way, and says what it is", async () => {
    const { sandbox } = shop()
    const answer = await fetch(sandbox.sdk, { headers: { "accept-encoding": "gzip" } })
    expect([answer.headers.get("content-encoding"), answer.headers.get("content-type")]).toEqual([
      "gzip",
      "text/javascript; charset=utf-8"
    ])
    expect(await answer.text()).toContain(sandbox.frame)
    for (const path of ["/sdk/v2", "/sdk/v1/locales/xx.json", "/sdk/v1/nothing", "/frame/v1"])
      expect((await fetch(sandbox.url + path)).status, path).toBe(404)
    for (const path of ["/v1/me", "/sandbox/companies", "/sdk/v1", "/docs"])
      expect((await fetch(sandbox.frame + path)).status, path).toBe(404)
  })
})
