/** Every rule that a call or an item can name is on the page in words, in the words of the rules' own documentation. */
import { globSync, readFileSync } from "node:fs"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type Node, render, html } from "../../cli/page/Html.ts"
import { Reader } from "../../cli/page/language/Language.ts"
import { sentenceText } from "../../cli/page/language/Sentences.ts"
import { showRules } from "../../cli/page/Rules.ts"
import { ruleWords } from "../../cli/page/RuleWords.ts"

describe("rules on the page", () => {
  it("are the rows of the documentation, without its code", async () => {
    const all = await ruleWords()
    const rows = readFileSync("sync/rules/README.md", "utf8").match(/^\| [A-Z]\d.*$/gm) ?? []
    expect(all.map(({ rule }) => rule)).toEqual(rows.map((row) => row.split("|")[1]!.trim()))
    const of = (number: string) => all.find(({ rule }) => rule === number)
    expect(of("T2")).toEqual({
      about: "Invoices",
      rule: "T2",
      when: "open or paid (the service has: nothing)",
      decision: "create it"
    })
    expect(of("M4")?.decision).toBe("that choice stands until it is taken back")
    expect(of("G4")).toEqual({
      about: "Guards",
      rule: "G4",
      when: "with an invoice lowered by more than half, other than by credit notes",
      decision: "it stops before its first call, until a person says that it is right"
    })
    expect(all.filter(({ decision, when }) => decision === "" || /\.ts\b|\]\(/.test(`${when} ${decision}`))).toEqual([])
  })

  it.each(["de", "fr"] as const)("are said in %s", async (language) => {
    const said = (await ruleWords()).flatMap(({ decision, when }) => [when, decision])
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
