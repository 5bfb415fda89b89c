/**
 * The principles of a first mapping on every way to one: `daybook init`, the page's set-up and a link, as a browser does by HTTP.
 * The same bad file for each kind of fault: each way says the same of it, in words of its own, and passes over nothing.
 */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { BAD_FILES } from "./BadFiles.ts"
import { desk, run, useCommand } from "../support/Cli.ts"
import { ENVIRONMENT, type Platform, platform, visitor } from "./Desk.ts"

useCommand()

let one: Platform
let signedIn: (path: string, body?: FormData | URLSearchParams) => Promise<string>

/** As a person reads it. */
const textOf = (page: string): string =>
  page
    .replace(/<head>[\s\S]*?<\/head>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")

beforeAll(async () => {
  one = await platform()
  const { url } = one.daemon
  const body = new URLSearchParams({ password: ENVIRONMENT.PAGE_PASSWORD })
  const entered = await fetch(`${url}/login`, { method: "POST", redirect: "manual", body })
  const cookie = entered.headers.get("set-cookie")!.split(";")[0]!
  signedIn = async (path, body) =>
    (
      await fetch(`${url}${path}`, { headers: { cookie }, ...(body === undefined ? {} : { method: "POST", body }) })
    ).text()
}, 120_000)

const onPage = async (files: Readonly<Record<string, string>>): Promise<string> => {
  let page = await signedIn("/connections/new")
  for (const [name, text] of Object.entries(files)) {
    const body = new FormData()
    body.set("form", /name="form" value="([^"]+)"/.exec(page)![1]!)
    body.set("file", new File([text], name))
    page = await signedIn(/action="(\/setup\/[^"]*files)"/.exec(page)![1]!, body)
  }
  // Whose books they are no file says.
  const body = new URLSearchParams({ form: /name="form" value="([^"]+)"/.exec(page)![1]!, "answer:name": "Acme" })
  const asked = await signedIn(/action="(\/setup\/[^"]*)files"/.exec(page)![1]! + "look", body)
  return page + asked
}

const byLink = async (files: Readonly<Record<string, string>>, n: number): Promise<string> => {
  const here = await visitor(one, `bad${n}`)
  await here.post("source", { connector: "files" })
  for (const [name, text] of Object.entries(files)) await here.post("upload", {}, new File([text], name))
  await here.post("uploaded", {})
  return here.page()
}

/** Neither a flag, nor a place in a configuration, nor a folder of the machine. */
const OF_NO_FORM = /--[a-z]|source\.|columns\.|date_format|statuses|leave_out|configuration|\/tmp\/|connected\//

describe("a bad file", { timeout: 300_000 }, () => {
  for (const [n, { files, kind, says }] of BAD_FILES.entries())
    it(`is spoken of on every way: ${kind}`, async () => {
      const here = desk(files)
      const init = await run(here.folder, ["init", ...Object.keys(files), "--yes", "--name", "Acme"])
      assert.match(`${init.stdout}${init.stderr}`.replace(/\s+/g, " "), says)
      assert.notMatch(init.stderr, /source\.|columns\.|date_format/)
      for (const page of [await onPage(files), await byLink(files, n)]) {
        const text = textOf(page)
        assert.match(text, says, text)
        assert.notMatch(text.replace(/use daybook init\./, ""), OF_NO_FORM)
      }
    })

  it("of which nothing can be read is not kept, and the others are", async () => {
    const good = BAD_FILES.find(({ kind }) => kind === "a column that nobody knows")!.files
    const page = await onPage({ ...good, "empty.csv": "nothing\n" })
    assert.match(textOf(page), /empty\.csv has no row that names its columns/)
    assert.notInclude(page, "<li>empty.csv</li>")
    assert.include(page, "<li>books.csv</li>")
    assert.match(textOf(page), /column "Weather" is not used/)
  })
})
