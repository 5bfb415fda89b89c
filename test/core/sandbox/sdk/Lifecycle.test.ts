/**
 * The SDK as a page uses it, in Chromium (DP 6.3): how it is loaded, with which key, the methods of both elements, and
 * what a developer is told who uses them otherwise.
 */
import { describe, expect, test } from "vitest"
import type { Journal } from "../../../../core/sandbox/index.ts"
import { useStorefront } from "../../../support/Storefront.ts"
import { call, KEY } from "../Wire.ts"

const shop = useStorefront()

const SEARCH = `
const elements = window.elements = DeferredPayment(PUBLIC_KEY).elements()
const element = window.element = elements.create("companySearch", { country: "GB" })`

const NAME = "Company name or registration number"

/** What browsers asked of the elements' side since `n`. */
const asked = async (n: number) => {
  const { body } = await shop().api.get(`/sandbox/requests?since=${n}`)
  return (body as ReadonlyArray<Journal>).filter(({ path }) => /^\/(sdk|frame)\//.test(path))
}

describe("the script", () => {
  test.each(["", "async", "defer"])(
    "DP 6.3: script: loaded as %j it is there when loading has finished",
    async (load) => {
      const { said, heard } = await shop().visit(
        `if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve))
       ${SEARCH}
       watch(element, "companySearch").mount("#a")`,
        { load }
      )
      await heard("ready")
      expect(said).toEqual([])
    }
  )

  test("DP 6.3: script: one that a script has added, and a second one, are complained of", async () => {
    const { said, heard } = await shop().visit(`
      const script = document.createElement("script")
      script.src = document.querySelector("script").src
      document.head.append(script)
      await new Promise((resolve) => { script.onload = resolve })
      ${SEARCH}
      watch(element, "companySearch").mount("#a")`)
    await heard("ready")
    expect(said).toEqual([
      "[deferred payment] the SDK was added to the page by a script. Put its script element into the page's markup.",
      "[deferred payment] the SDK was loaded twice; the first one stays."
    ])
  })

  test("DP 6.3: script: a copy of it does not work, and says why", async () => {
    const { sandbox, serve, url } = shop()
    serve("/copy.js", await (await fetch(sandbox.sdk)).text(), "text/javascript")
    const { heard } = await shop().visit("DeferredPayment(PUBLIC_KEY)", {
      sdk: `${url}/copy.js`,
      policy: { "script-src": `'nonce-c2hvcA' ${url}` }
    })
    expect(await heard("thrown")).toMatch(/^IntegrationError: load the SDK by a script element in the page's markup/)
  })
})

describe("the key", () => {
  test("DP 6.3: public key: a secret key is refused in the page, before it is sent anywhere", async () => {
    const { body: before } = await shop().api.get("/sandbox/requests")
    const { run } = await shop().visit("")
    expect(await run(`thrown(() => DeferredPayment("${KEY}"))`)).toMatch(
      /^IntegrationError: this is not a public key, which begins with pk-. If it is a secret key, it has been seen/
    )
    expect(await run("thrown(() => DeferredPayment())")).toMatch(/^IntegrationError: give the public key/)
    const since = await asked(before.length)
    expect(since.map(({ path }) => path)).toEqual(["/sdk/v1"])
  })

  test("DP 6.3: public key: a secret key that is sent all the same opens nothing, and an unknown one is a failure", async () => {
    const { sandbox, visit } = shop()
    expect(await call(`${sandbox.sdk}/session?public_key=${KEY}`, "GET", undefined, null)).toMatchObject({
      status: 403,
      body: { code: "secret_key" }
    })
    const { heard } = await visit(`
      const element = DeferredPayment("pk-nobody").elements().create("companySearch")
      watch(element, "companySearch").mount("#a")`)
    expect(await heard("failure")).toMatchObject({
      code: "public_key",
      message: expect.stringContaining("This public key is not known.")
    })
  })

  test("DP 6.3: public key: opens none of the service's endpoints", async () => {
    const { sandbox } = shop()
    for (const path of ["/v1/me", "/v1/payment/orders/", "/v1/organisations"])
      expect((await call(sandbox.url + path, "GET", undefined, `Token ${sandbox.publicKeys[0]}`)).status).toBe(401)
  })
})

describe("elements", () => {
  test("DP 6.3: elements.create(name, options): another name, and a second one of a name, are mistakes", async () => {
    const { run } = await shop().visit(SEARCH)
    expect(await run(`thrown(() => elements.create("chekout"))`)).toBe(
      `IntegrationError: there is no element "chekout"; there are companySearch and checkout.`
    )
    expect(await run(`thrown(() => elements.create("companySearch"))`)).toMatch(
      /^IntegrationError: there is already an element companySearch/
    )
  })

  test("DP 6.3: elements.getElement(name): gives the element; null when there is none", async () => {
    const { run } = await shop().visit(SEARCH)
    expect(await run(`[elements.getElement("companySearch") === element, elements.getElement("checkout")]`)).toEqual([
      true,
      null
    ])
    expect(await run(`thrown(() => elements.getElement("nothing"))`)).toMatch(/there is no element "nothing"/)
    await run("element.destroy()")
    expect(await run(`elements.getElement("companySearch")`)).toBeNull()
  })

  test("DP 6.3: mount(css_selector): a selector that fits nothing, that is none, and a second mount are mistakes", async () => {
    const { page, run, heard } = await shop().visit(`${SEARCH}; watch(element, "companySearch")`)
    for (const [selector, why] of [
      [`"#c"`, `nothing on this page matches "#c". Call mount after it is there.`],
      [`"#"`, `"#" is not a CSS selector.`],
      ["document.body", `mount takes a CSS selector, like "#checkout".`]
    ] as const)
      expect(await run(`thrown(() => element.mount(${selector}))`)).toBe(`IntegrationError: companySearch: ${why}`)
    await run(`element.mount("#a")`)
    await heard("ready")
    expect(await run(`thrown(() => element.mount("#b"))`)).toBe(
      `IntegrationError: companySearch: it is already mounted at "#a"; call unmount first.`
    )
    expect([await page.getByLabel(NAME).count(), await page.locator("#b > *").count()]).toEqual([1, 0])
  })

  test("DP 6.3: unmount(): takes the element out; mounted again, its handlers are told as before", async () => {
    const { events, page, run, heard } = await shop().visit(`${SEARCH}; watch(element, "companySearch").mount("#a")`)
    await heard("ready")
    await run("element.unmount()")
    expect(await page.locator("#a > *").count()).toBe(0)
    await run(`element.unmount(); element.mount("#b")`)
    await heard("ready", 2)
    await page.locator("#b").getByLabel("Country").selectOption("FR")
    expect(await heard("countryInputChange")).toBe("FR")
    expect(await events()).toHaveLength(3)
  })

  test("DP 6.3: destroy(): removes the element and its handlers; the name is free again", async () => {
    const { events, page, run, heard } = await shop().visit(`${SEARCH}; watch(element, "companySearch").mount("#a")`)
    await heard("ready")
    await run("element.destroy()")
    expect(await page.locator("#a > *").count()).toBe(0)
    for (const act of [`mount("#a")`, "unmount()", "destroy()", "update({})", `on("ready", () => {})`])
      expect(await run(`thrown(() => element.${act})`)).toMatch(/it was destroyed; create it again/)
    await run(`elements.create("companySearch").mount("#a")`)
    await page.getByLabel("Country").selectOption("FR")
    expect(await events()).toEqual([["ready"]])
  })

  test("DP 6.3: update(options): shows the element anew, and a search that runs is never shown", async () => {
    const { events, page, run, heard } = await shop().visit(`${SEARCH}; watch(element, "companySearch").mount("#a")`)
    await heard("ready")
    await shop().api.post("/sandbox/faults", { kind: "delay", delay_ms: 300, path: "/sdk/v1/companies", times: 1 })
    const sent = page.waitForRequest(/q=harbour/)
    await page.getByLabel(NAME).fill("harbour")
    await sent
    await run(`element.update({ country: "FR" })`)
    await page.getByLabel(NAME).fill("verlaine")
    await page.getByRole("option", { name: "Maison Verlaine SAS" }).waitFor()
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await page.getByRole("listbox").textContent()).not.toContain("Harbour")
    expect(await events()).toEqual([["ready"]])
  })

  test("DP 6.3: update(options): before mount it is what is mounted, and what cannot be shown changes nothing", async () => {
    const { page, run, heard } = await shop().visit(`${SEARCH}; watch(element, "companySearch")`)
    await run(`element.update({ country: "FR" })`)
    expect(await run(`thrown(() => element.update({ country: "XYZ" }))`)).toMatch(/is not a country code/)
    await run(`element.mount("#a")`)
    await heard("ready")
    expect(await page.getByLabel("Country").inputValue()).toBe("FR")
  })

  test("two of them on one page do not meet", async () => {
    const made = JSON.stringify(await shop().offerFor())
    const { events, page, heard } = await shop().visit(`
      const sdk = DeferredPayment(PUBLIC_KEY)
      const [one, other] = [sdk.elements(), sdk.elements()]
      watch(one.create("companySearch", { country: "GB" }), "companySearch", "1 ").mount("#a")
      watch(one.create("checkout", { paymentOffer: ${made} }), "checkout", "2 ").mount("#b")
      watch(other.create("companySearch", { country: "FR" }), "companySearch", "3 ").mount("#b")`)
    for (const event of ["1 ready", "2 ready", "3 ready"]) await heard(event)
    await page.locator("#b").getByLabel("a sole trader").check()
    await page.locator("#a").getByLabel(NAME).fill("harbour")
    await page.locator("#a").getByRole("option", { name: "Harbour Lane Bakery Ltd" }).click()
    await heard("1 companySelection")
    expect((await events()).slice(3).map(([name]) => name)).toEqual(["3 companyTypeInputChange", "1 companySelection"])
  })
})

describe("handlers", () => {
  test("DP 6.2: on(event, handler): bound after mount an event can be lost, and the developer is told", async () => {
    const { events, run, said, heard } = await shop().visit(`${SEARCH}; watch(element, "companySearch").mount("#a")`)
    await heard("ready")
    await run(`element.on("ready", () => events.push(["late"]))`)
    expect(said).toEqual([
      `[deferred payment] companySearch: "ready" is bound after mount. Bind before it: an event that has fired does not come again.`
    ])
    await run(`element.unmount(); element.mount("#a")`)
    await heard("late")
    expect(await events()).toEqual([["ready"], ["ready"], ["late"]])
  })

  test("DP 6.2: on(event, handler): other events, and what is not a function, are mistakes; what a handler throws stays its own", async () => {
    const { run, said, heard } = await shop().visit(SEARCH)
    expect(await run(`thrown(() => element.on("formState", () => {}))`)).toBe(
      `IntegrationError: companySearch: there is no event "formState"; there are ready, failure, countryInputChange, companyTypeInputChange, companySelection.`
    )
    expect(await run(`thrown(() => element.on("ready"))`)).toMatch(/the handler of "ready" is not a function/)
    await run(`element.on("ready", () => { throw new Error("mine") })`)
    await run(`element.on("ready", () => events.push(["next"])), element.mount("#a")`)
    await heard("next")
    expect(said.filter((line) => line.includes("mine"))).not.toEqual([])
  })
})
