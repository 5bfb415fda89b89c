/** Shows the rules in words; wherever the page names one, the name leads here. */
import { Effect } from "effect"
import { RULE_WORDS, type RuleWords } from "../../sync/rules/RuleWords.ts"
import { html, htmlTable, type Node, sentence } from "./Html.ts"
import type { ReadingHandler } from "./Response.ts"
import { t, term } from "./language/Texts.ts"

/** The number of a rule, with its words behind it. */
export const ruleLink = (rule: string): Node => html`<a href=${`/rules#${rule}`}>${rule}</a>`

/** Its first row is the place of a rule. */
const names = (row: RuleWords): Node =>
  row.rule
    .split(", ")
    .map(
      (one, n) =>
        html`${n === 0 ? "" : ", "}${RULE_WORDS.find(({ rule }) => rule.split(", ").includes(one)) === row ? html`<span id=${one}>${one}</span>` : one}`
    )

export const showRules: ReadingHandler = () =>
  Effect.sync(() => ({
    title: t`Rules`,
    body: html`
      <p>Each call to the service and each item has the number of the rule that it follows from.</p>
      ${[...Map.groupBy(RULE_WORDS, ({ about }) => about)].map(
        ([about, rules]) =>
          html`<h2>${term(about)}</h2>${htmlTable(
            t`Rules about: ${term(about)}`,
            [{ title: t`Rule` }, { title: t`When` }, { title: t`Then` }],
            rules.map((row) => [names(row), sentence(row.when, "begins"), sentence(row.then, "begins")])
          )}`
      )}
    `
  }))
