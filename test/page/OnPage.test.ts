/** Advice that names a command says on the page what is done there. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { onPage } from "../../cli/page/OnPage.ts"

/** What the page has no form for stays a command. */
const ON_THE_COMMAND_LINE = [
  "daybook connections without",
  "daybook reconcile --fix",
  "daybook cover quote",
  "daybook doctor",
  "daybook reconcile`"
]

/** Every text of the rules, of sending and of matching that names a command, as it is written. */
const advice = ["rules", "apply", "matching"].flatMap((room) =>
  readdirSync(new URL(`../../sync/${room}/`, import.meta.url))
    .filter((name) => name.endsWith(".ts") && !["Apply.ts", "CoverDecisions.ts", "CoverWords.ts"].includes(name))
    .flatMap((name) => readFileSync(new URL(`../../sync/${room}/${name}`, import.meta.url), "utf8").split("\n"))
    .filter((line) => /["'`].*daybook [a-z]+/.test(line) && !/^\s*(\/?\*|\/\/)/.test(line))
    .map((line) =>
      line
        .replaceAll("\\`", "`")
        .replace(/\$\{quoted[^}]*\}/, `"yes"`)
        .replace(/\$\{[^}]*\}/g, "books/invoice/1")
    )
)

describe("advice on the page", () => {
  it("names no command for what is done on the page", () => {
    assert.isAbove(advice.length, 15)
    for (const line of advice) {
      const said = onPage(line)
      if (!ON_THE_COMMAND_LINE.some((command) => said.includes(command))) assert.notMatch(said, /daybook [a-z]+/, line)
    }
  })

  it("reads as somebody would say it", () => {
    const said = {
      "correct it in the source, then send it again with `daybook attention retry`":
        "correct it in the source, then send it again",
      "`daybook attention retry` finds the buyer again": "sending it again finds the buyer again",
      "buy it with `daybook cover buy books/invoice/1`, or reject it with `daybook cover reject books/invoice/1`":
        "buy it or reject it under Cover",
      "look at it, and confirm it: `daybook collect books/invoice/1`": "look at it, and confirm it, under Cover",
      'answer with `daybook attention resolve NUMBER --answer` and "yes" or "no"': "answer it"
    }
    for (const [text, words] of Object.entries(said)) assert.strictEqual(onPage(text), words)
  })
})
