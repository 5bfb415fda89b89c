/** Every rule that a call or an item can name is on the page in words, and these are the words of the rules' own documentation. */
import { globSync, readFileSync } from "node:fs"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type Node, render, html } from "../../cli/page/Html.ts"
import { Reader } from "../../cli/page/language/Language.ts"
import { sentenceText } from "../../cli/page/language/Sentences.ts"
import { showRules } from "../../cli/page/Rules.ts"
import { RULE_WORDS } from "../../sync/rules/RuleWords.ts"

/** Without links, and without the names of files of the program. */
const plain = (text: string) =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/ \(`[^`]*\.ts`\)/g, "")
    .trim()

/** A guard has its code where other rules have what follows. */
const STOPS = "it stops before its first call, until a person says that it is right"

describe("rules on the page", () => {
  it("are those of the documentation, in its words", () => {
    const rows = readFileSync("sync/rules/README.md", "utf8")
      .split("\n")
      .filter((line) => /^\| [A-Z]\d/.test(line))
      .map((line) => line.split("|").slice(1, -1).map(plain))
    expect(RULE_WORDS.map(({ rule, then, when }) => [rule, when, then])).toEqual(
      rows.map((cells) => {
        const [rule, when, more] = cells
        if (rule?.startsWith("G") === true) return [rule, when, STOPS]
        return [rule, cells.length === 4 ? when : `${when} (the service has: ${more})`, cells.at(-2)]
      })
    )
  })

  it("name no file of the program", () =>
    expect(RULE_WORDS.filter(({ then, when }) => /\.ts\b/.test(when + then))).toEqual([]))

  it.each(["de", "fr"] as const)("are said in %s", (language) => {
    const said = RULE_WORDS.flatMap(({ then, when }) => [when, then])
    const own = Effect.runSync(Effect.sync(() => said.map(sentenceText)).pipe(Effect.provideService(Reader, language)))
    expect(said.filter((english, n) => own[n] === english && /[a-z]{2}/.test(english))).toEqual([])
  })

  it("are all that a call, an item or a guard can name, each with a place of its own", async () => {
    const sources = globSync("sync/**/*.ts").map((file) => readFileSync(file, "utf8"))
    const named = new Set(
      sources.flatMap((text) => [...text.matchAll(/\b(?:rule|guard): "([A-Z]\d{1,2})"/g)].map(([, one]) => one!))
    )
    expect(named.size).toBeGreaterThan(25)
    const { body } = (await Effect.runPromise(showRules({} as never, {} as never) as Effect.Effect<unknown>)) as {
      readonly body: Node
    }
    const page = render(html`<div>${body}</div>`)
    expect([...named].filter((rule) => page.split(`id="${rule}"`).length !== 2)).toEqual([])
  })
})
