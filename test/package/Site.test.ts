/** The documentation site: every page, no link that leads nowhere, nothing from elsewhere, and a search in a browser without a server. */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { site } from "../../cli/release/site/Site.ts"
import { addressOf, sitePages } from "../../cli/release/site/SitePages.ts"
import { atEnd } from "../support/AtEnd.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { remove, temporary } from "../support/Built.ts"
import { FILES, PAGES } from "../support/Pages.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const pages = PAGES.map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }))
const into = temporary()

beforeAll(async () => {
  atEnd(() => remove(into))
  mkdirSync(join(into, "0.0.9"), { recursive: true })
  writeFileSync(join(into, "0.0.9/index.html"), "an older one")
  await site(ROOT, pages, new Set(FILES), { into, version: "0.0.10" })
}, 60_000)

const read = (name: string) => readFileSync(join(into, "0.0.10", name), "utf8")

describe("the documentation site", () => {
  it("has every page, with its pictures, and needs nothing from elsewhere", () => {
    const all = readdirSync(join(into, "0.0.10"), { recursive: true, encoding: "utf8" })
    assert.includeMembers(
      all,
      pages.map(({ path }) => addressOf(path)).map((path) => join(path))
    )
    assert.includeMembers(all, [join("cli/page/screenshots/overview.png")])
    for (const { path } of pages) {
      const html = read(addressOf(path))
      for (const [, where] of html.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"/g))
        assert.notMatch(where!, /^[a-z]+:|^\/\//, path)
      // Each page can be reached from each.
      for (const to of pages) assert.include(html, `${addressOf(to.path)}"`, path)
    }
  })

  it("stands beside the other versions, and begins with the newest", () => {
    assert.strictEqual(readFileSync(join(into, "0.0.9/index.html"), "utf8"), "an older one")
    assert.include(readFileSync(join(into, "versions.js"), "utf8"), '["0.0.10","0.0.9"]')
    assert.include(readFileSync(join(into, "index.html"), "utf8"), "0.0.10/index.html")
  })

  it("is searched in a browser, from a disk, and leads to another version", async ({ skip }) => {
    if (place === undefined) skip(MISSING)
    const page = await open({ javaScriptEnabled: true })
    atEnd(closeAll)
    const wrong: Array<string> = []
    page.on("pageerror", (error) => wrong.push(error.message))
    await page.goto(pathToFileURL(join(into, "0.0.10/cli/daemon/index.html")).href)
    await page.fill("#search", "payment matched to nothing")
    await page.locator("#found a").first().click()
    assert.include(page.url(), "0.0.10/cli/SYMPTOMS.html#a-payment-is-matched-to-nothing")
    await page.selectOption("#versions", "0.0.9")
    await page.waitForURL(/0\.0\.9\/index\.html$/)
    assert.deepStrictEqual(wrong, [])
  })

  it("follows links, leaves out those to source files, and ends at one that leads nowhere", () => {
    const made = (text: string) =>
      sitePages(
        [
          { path: "a/README.md", text },
          { path: "b/OTHER.md", text: "# Other\n\n## A *great* part: now\n" }
        ],
        new Set(["a/README.md", "b/OTHER.md", "a/Code.ts"])
      )[0]?.html ?? ""
    assert.include(
      made("# A\n[one](../b/OTHER.md#a-great-part-now)"),
      '<a href="../b/OTHER.html#a-great-part-now">one</a>'
    )
    assert.include(made("# A\n[code](Code.ts), [here](#a)"), '<span>code</span>, <a href="#a">here</a>')
    assert.include(made("# A\n<script>x</script> {{ y }}"), "&lt;script&gt;x&lt;/script&gt; {{ y }}")
    for (const wrong of ["../b/NONE.md", "../b/OTHER.md#no-part", "#b", "None.ts"])
      assert.throws(() => made(`# A\n[x](${wrong})`), `a/README.md: ${wrong}`)
  })
})
