/** Every room in German and French: nothing that a person reads there is English, but for their own data, code and names of programs. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { closeAll, open } from "../support/Browser.ts"
import { useCommand } from "../support/Cli.ts"
import { BANK, enter, house } from "../support/PageHouse.ts"
import { crawled } from "../support/PageRooms.ts"

useCommand()
afterAll(closeAll)

/** Words that neither language has, of which an English sentence has at least one. */
const ENGLISH =
  /(?<!\p{L})(the|is|are|of|and|not|with|from|this|that|which|been|have|has|were|your|you|for|by|be|its|it|only|each|open|sent|due|paid|read|without|invoices?|payments?|since|never|must|can|cannot|does|shows|after|before|every|other|than|into|yes)(?!\p{L})/iu

/** What people wrote, and names: the same in every language. */
const OWN = [
  /Harbour Lane Bakery Ltd/g,
  /Brightwater( Foods)?( Ltd)?/g,
  /<script>alert\(1\)<\/script> & Sons/g,
  /Broken Ltd/g,
  /Tern & Sons/g,
  /Somebody Else/g,
  /\S+\/(invoice|payment)\/\S+/g,
  /(invoices|payments|bank)\.csv(:\d+)?/g,
  /\bINV-\d+ an\b/g
]

/** What a source is told: the headings of files, and what stands in them. */
const COLUMNS = ["Due", "From", "Invoice", "open"]

const decoded = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

const shownOf = (markup: string): ReadonlyArray<string> => {
  const bare = markup
    .replaceAll(/<(code|pre|script|style)\b[^>]*>.*?<\/\1>/gs, " ")
    .replaceAll(/<form[^>]*action="\/language".*?<\/form>/gs, " ")
  const attributes = [...bare.matchAll(/\s(?:aria-label|title|placeholder|alt|label)="([^"]*)"/g)].map(
    ([_, text]) => text!
  )
  return [...bare.replaceAll(/<(?!script>|\/script>)[^>]*>/g, "\n").split("\n"), ...attributes].map((text) =>
    decoded(text).trim()
  )
}

describe("every room", { timeout: 300_000 }, () => {
  it("is in its reader's language alone", async () => {
    const { url } = await house({}, [BANK])
    const page = await enter(await open(), url)
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
    const found = new Set<string>()
    for (const language of ["de", "fr"])
      for (const { markup, room } of await crawled(url, { cookie, "accept-language": language }, 8)) {
        for (const text of shownOf(markup).filter((one) => room !== "/settings" || !COLUMNS.includes(one)))
          if (ENGLISH.test(OWN.reduce((left, own) => left.replaceAll(own, ""), text)))
            found.add(`${language} ${room}: ${text}`)
        for (const [_, text] of markup.matchAll(/<span lang="en">([^<]*)/g))
          found.add(`${language} ${room} marked: ${text}`)
      }
    assert.deepStrictEqual([...found], [])
  })
})
