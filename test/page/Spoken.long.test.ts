/** A served page is in its reader's language: the browser's, then the one that was chosen; an amount that is unclear is refused. */
import { assert, describe, it } from "@effect/vitest"
import { useCommand } from "../support/Cli.ts"
import { peopled, signInAs } from "../support/People.ts"

useCommand()

describe("a served page", { timeout: 240_000 }, () => {
  it("is in the browser's language until another is chosen, and reads no amount that is unclear", async () => {
    const { url } = await peopled([{ name: "bo", roles: ["bookkeeper"] }], false)
    const bo = await signInAs(url, "bo")
    const shown = async (path: string, language: string, more = "") =>
      (await fetch(url + path, { headers: { cookie: `${bo.cookie}${more}`, "accept-language": language } })).text()

    assert.match(await shown("/login", "de-CH,de;q=0.9"), /<html lang="de".*Kennwort/s)
    const german = await shown("/attention", "de")
    assert.match(german, /<html lang="de" data-words="[^"]+">/)
    assert.match(german, /<h1>Arbeitsvorrat<\/h1>/)
    assert.notMatch(german, /<span lang="en">say which invoice/)
    assert.match(await bo.get("/attention").then((answer) => answer.text()), /<html lang="en">.*<h1>Work queue<\/h1>/s)

    const chosen = await bo.post("/language", { language: "fr", at: "/attention" })
    assert.strictEqual(chosen.headers.get("location"), "/attention?said=spoken")
    const cookie = chosen.headers.getSetCookie()[0]!.split(";")[0]!
    assert.match(await shown("/attention", "de", `; ${cookie}`), /<html lang="fr".*<h1>File de travail<\/h1>/s)
    const unknown = await bo.post("/language", { language: "xx", at: "//elsewhere.example" })
    assert.strictEqual(unknown.headers.get("location"), "/?said=notSpoken")
    assert.deepStrictEqual(unknown.headers.getSetCookie(), [])

    const item = /\/attention\/(\d+)\/match|href="\/attention\/(\d+)"/.exec(german)!.slice(1).find(Boolean)!
    const pick = "books/invoice/INV-2"
    const answer = await bo.post(`/attention/${item}/match`, { pick, [`take:${pick}`]: "1.234" })
    assert.include(await answer.text(), "“1.234” is not an amount, or can be read in two ways")
  })
})
