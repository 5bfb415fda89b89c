/** Shows the rules in words; wherever the page names one, the name leads here. */
import { Effect } from "effect"
import { html, htmlTable, type Node, sentence } from "./Html.ts"
import type { ReadingHandler } from "./Response.ts"
import { type RuleWords, ruleWords } from "./RuleWords.ts"
import { t, term } from "./language/Texts.ts"

/** The number of a rule, with its words behind it. */
export const ruleLink = (rule: string): Node => html`<a href=${`/rules#${rule}`}>${rule}</a>`

/** Its first row is the place of a rule. */
const names = (row: RuleWords, all: ReadonlyArray<RuleWords>): Node =>
  row.rule
    .split(", ")
    .map(
      (one, n) =>
        html`${n === 0 ? "" : ", "}${all.find(({ rule }) => rule.split(", ").includes(one)) === row ? html`<span id=${one}>${one}</span>` : one}`
    )

export const showRules: ReadingHandler = () =>
  Effect.map(Effect.promise(ruleWords), (all) => ({
    title: t`Rules`,
    body: html`
      <p>Each call to the service and each item has the number of the rule that it follows from.</p>
      ${[...Map.groupBy(all, ({ about }) => about)].map(
        ([about, rules]) =>
          html`<h2>${term(about)}</h2>${htmlTable(
            t`Rules about: ${term(about)}`,
            [{ title: t`Rule` }, { title: t`When` }, { title: t`Then` }],
            rules.map((row) => [names(row, all), sentence(row.when, "begins"), sentence(row.decision, "begins")])
          )}`
      )}
    `
  }))
