/**
 * `daybook/checkout` in Chromium, against the sandbox's SDK: nothing is lost however late the script or a handler comes,
 * and the elements as components.
 */
import { build } from "esbuild"
import { gzipSync } from "node:zlib"
import { beforeAll, describe, expect, test } from "vitest"
import { type PageOptions, useStorefront } from "../../support/Storefront.ts"

const shop = useStorefront()

/** One module for a page, bundled from a few lines. */
const bundle = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022"
  })
  return outputFiles[0]!.text
}

beforeAll(async () => {
  const lines = `export * from "../../../core/checkout/index.ts"\nexport * as React from "preact/compat"`
  shop().serve("/checkout.js", await bundle(lines), "text/javascript")
})

const visit = (script: string, given: PageOptions = {}) =>
  shop().visit(
    `const { defineElements, load, React, reactElements } = await import("${shop().url}/checkout.js")
     const sdk = load({ sdk: "${shop().sandbox.sdk}", publicKey: PUBLIC_KEY, onError: ({ message }) => events.push(["refused", message]) })
     window.sdk = sdk
     sdk.loaded.then(() => events.push(["loaded"]), ({ message }) => events.push(["not loaded", message]))
     ${script}`,
    { load: "async", policy: { "script-src": `'nonce-c2hvcA' ${shop().sandbox.url} ${shop().url}` }, ...given }
  )

const CHECKOUT = async (more = "") => `{ paymentOffer: ${JSON.stringify(await shop().offerFor())}, ${more} }`

describe("the loader", () => {
  test("does what was called before the script came, and reports events whenever a handler is bound", async () => {
    await shop().api.post("/sandbox/faults", { kind: "delay", delay_ms: 400, path: "/sdk/v1", times: 1 })
    const { page, run, said, heard } = await visit(`
      window.element = sdk.elements().create("checkout", ${await CHECKOUT()})
      element.mount("#a")
      events.push(["called"])`)
    await heard("loaded")
    const frame = page.frameLocator("iframe")
    await frame.getByLabel("Pay in 30 days").check()
    await frame.getByLabel("Card").check()
    await frame.getByRole("button").click()
    await frame.getByText("Confirmed.").waitFor()
    // Everything has happened, and nobody was told.
    await run(
      `for (const event of ["success", "failure", "ready"]) element.on(event, (payload) => events.push([event, payload]))`
    )
    expect(await heard("success")).toMatchObject({ deferred_payment: { status: "accepted" } })
    await heard("ready")
    expect(said).toEqual([])
  })

  test("keeps the order of calls, gives elements by name, and reports what the SDK refuses", async () => {
    const { events, page, run, heard } = await visit(`
      window.elements = sdk.elements()
      const element = elements.create("companySearch", { country: "GB" })
      element.on("ready", () => events.push(["ready"]))
      element.mount("#nowhere")
      element.mount("#a")
      element.update({ country: "XYZ" })
      element.unmount()
      element.mount("#b")
      element.update({ country: "FR" })`)
    await heard("ready")
    expect((await events()).filter(([name]) => name === "refused").map(([, why]) => why)).toEqual([
      `companySearch: nothing on this page matches "#nowhere". Call mount after it is there.`,
      `companySearch: "XYZ" is not a country code of two capital letters.`
    ])
    expect(await page.locator("#b").getByLabel("Country").inputValue()).toBe("FR")
    expect(await page.locator("#a > *").count()).toBe(0)
    expect(await run(`typeof elements.getElement("companySearch").mount`)).toBe("function")
    await run(`elements.getElement("companySearch").destroy()`)
    await expect.poll(() => page.locator("#b > *").count()).toBe(0)
    expect(await run(`elements.getElement("companySearch")`)).toBeNull()
  })

  test("a script that is not in the markup, or does not load, is a failure that names it", async () => {
    const { sdk } = shop().sandbox
    const use = `sdk.elements().create("companySearch", {}).on("failure", ({ message }) => events.push(["failure", message]))`
    const without = await visit(use, { sdk: `${shop().url}/other.js` })
    const why = `<script src="${sdk}" async></script> is not in the page's markup`
    expect(await without.heard("not loaded")).toBe(why)
    expect(await without.heard("failure")).toBe(why)
    await shop().api.post("/sandbox/faults", { kind: "lose_request", path: "/sdk/v1" })
    const lost = await visit(use)
    expect(await lost.heard("failure")).toBe(`<script src="${sdk}" async></script> has not loaded`)
  })

  test("is 2 kB at most, compressed, components included", async () => {
    const size = (text: string) => gzipSync(text).length
    expect(size(await bundle(`export { load } from "../../../core/checkout/index.ts"`))).toBeLessThanOrEqual(1_000)
    expect(size(await bundle(`export * from "../../../core/checkout/index.ts"`))).toBeLessThanOrEqual(2_000)
  })
})

describe("components", () => {
  test("of React: mounted with it, shown anew when options change, told to the latest handler, gone with it", async () => {
    const { events, page, run, heard } = await visit(`
      const { Checkout, CompanySearch } = reactElements(React)
      const { createElement: h, createRoot, Fragment, render } = React
      window.show = (country, tag, more) => render(h(Fragment, {},
        h(CompanySearch, { sdk, options: { country }, onReady: () => events.push(["ready " + tag]),
          onCountryInputChange: (code) => events.push([tag, code]) }),
        more && h(Checkout, { sdk, ...more })), document.querySelector("#a"))
      window.checkout = { options: ${await CHECKOUT("buttonlessSubmission: true")}, elementRef: (element) => { window.paying = element },
        onReady: () => events.push(["checkout"]), onFormState: (state) => events.push(["state", state]), onSuccess: () => events.push(["success"]) }
      show("GB", "one")`)
    await heard("ready one")
    await run(`show("GB", "two")`)
    await page.getByLabel("Country").selectOption("NL")
    expect(await heard("two")).toBe("NL")
    await run(`show("FR", "three", checkout)`)
    await page.getByLabel("Country").locator("option:checked").getByText("France").waitFor({ state: "attached" })
    await heard("checkout")
    const frame = page.frameLocator("iframe")
    await frame.getByLabel("Pay in 60 days").check()
    await frame.getByLabel("Bank transfer").check()
    await run("paying.confirmOrder()")
    await heard("success")
    await run(`show("FR", "four")`)
    await expect.poll(() => page.locator("iframe").count()).toBe(0)
    expect(await run("paying")).toBeNull()
    expect((await events()).filter(([name]) => name.startsWith("ready"))).toHaveLength(1)
  })

  test("of the web: options as a property, events of the DOM, destroyed when taken out", async () => {
    const { page, run, heard } = await visit(
      `
      const early = document.querySelector("daybook-checkout")
      early.options = ${await CHECKOUT("buttonlessSubmission: true")}
      for (const name of ["ready", "formState", "success"]) early.addEventListener(name, ({ detail }) => events.push([name, detail]))
      defineElements(sdk)
      const search = document.createElement("daybook-company-search")
      search.addEventListener("companySelection", ({ detail }) => events.push(["companySelection", detail.id]))
      search.options = { country: "GB" }
      document.querySelector("#a").append(search)`,
      { body: "<daybook-checkout></daybook-checkout>" }
    )
    await heard("ready")
    await page.getByLabel("Company name").fill("harbour")
    await page.getByRole("option", { name: "Harbour Lane Bakery Ltd" }).click()
    expect(await heard("companySelection")).toBe("co-1000")
    const frame = page.frameLocator("iframe")
    await frame.getByLabel("Pay in 60 days").check()
    await frame.getByLabel("Bank transfer").check()
    expect(await heard("formState", 2)).toEqual({ isReadyToSubmit: true })
    await run(`document.querySelector("daybook-checkout").confirmOrder()`)
    await heard("success")
    await run(`document.querySelector("daybook-checkout").remove()`)
    await run(`document.querySelector("daybook-company-search").options = { country: "FR" }`)
    await expect.poll(() => page.getByLabel("Country").inputValue()).toBe("FR")
    expect(await page.locator("iframe").count()).toBe(0)
  })
})
