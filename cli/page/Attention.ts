/**
 * Shows attention items: what no rule can resolve, each with its story and what can be done.
 */
import type { Question } from "../../sync/decisions/Movements.ts"
import type { OpenAttention } from "../../sync/apply/AttentionStore.ts"
import type { AttentionGroup } from "../../sync/reports/AttentionGroups.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Candidate } from "../../sync/matching/Candidates.ts"
import { isMatchingItem, type StoredChoice } from "../../sync/matching/Choices.ts"
import { type Document, kindOf } from "../../connectors/Document.ts"
import { candidateLines } from "../render/PaymentView.ts"
import { documentLink, storyOf } from "./DocumentTitle.ts"
import * as Downloads from "./Downloads.ts"
import { button, html, mark, type Node, htmlTable, when, withCommands } from "./Html.ts"
import { onPage } from "./OnPage.ts"
import { grouped } from "../../core/Plural.ts"

/** How many items one form decides about: those in a list that was shown. */
export const MOST_TOGETHER = 200

/** The advice of a question about an order, with its answers as the command line takes them. */
const ANSWER = /answer with `daybook attention resolve NUMBER --answer` and (".*")/

const answersIn = (todo: string): ReadonlyArray<string> =>
  [...(ANSWER.exec(todo)?.[1] ?? "").matchAll(/"([^"]*)"/g)].map(([, answer = ""]) => answer)

const CLOSE = "Close item"
const RETRY = "`daybook attention retry`"

interface Items {
  readonly groups: ReadonlyArray<AttentionGroup>
  readonly total: number
  /** The documents that items are about, as far as there are any. */
  readonly documents: ReadonlyMap<string, Document | undefined>
  readonly choices: ReadonlyArray<StoredChoice>
}

/** Groups items with the same advice. */
const list = ({ documents, groups, total }: Omit<Items, "choices">, form: string): Node => {
  const shown = groups.reduce((sum, { items }) => sum + items.length, 0)
  return shown === 0
    ? html`<p>Nothing needs attention. <a href="/">Back to today</a></p>`
    : html`
        <p>
          ${grouped(total)} ${total === 1 ? "item" : "items"}${shown < total ? `; the first ${shown} are shown` : ""}.
          An item closes by itself once its problem is solved. If Daybook cannot see that you solved it, close it here.
        </p>
        ${groups.map((group) => groupTable(group, documents, form))}
        <p class="row">${Downloads.links((path) => path, "/attention")}</p>
      `
}

const groupTable = (group: AttentionGroup, documents: Items["documents"], form: string): Node => {
  const { items, rule } = group
  const stake = stakeText(group)
  return html`<section id=${`${rule}-${items[0]?.id ?? ""}`}>
    ${htmlTable(
      `→ ${todoOf(group)}${stake === "" ? "" : ` · ${stake} at stake`}`,
      [
        { title: "#", right: true },
        { title: "Since" },
        { title: "Document" },
        { title: "Rule" },
        { title: "Why" },
        { title: "Actions" }
      ],
      items.map((one) => [
        html`<a href=${`/attention/${one.id}`}>${one.id}</a>`,
        when(one.since),
        documentLink(one.subject, documents.get(one.subject)),
        one.rule,
        withCommands(one.why),
        actions(one, form)
      ])
    )}
    ${items.length < 2 || isMatchingItem(rule) || answersIn(group.todo).length > 0 ? null : html`<div class="row">${groupAction(group, form)}</div>`}
  </section>`
}

/** The amount at stake in a group, in words. */
export const stakeText = ({ stake }: AttentionGroup): string =>
  [...stake]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => Currency.say(amount, currency))
    .join(", ")

/** The message if somebody else has already decided. */
export const second = (words: string): Node => html`<p class="note bad" role="alert">${words}.</p>`

/** Shows open items, and the invoices that people chose. */
export const all = ({ choices, ...items }: Items, form: string): Node => html`
  ${list(items, form)}
  ${
    choices.length === 0
      ? null
      : html`
          <h2>Choices of invoices</h2>
          ${htmlTable(
            "Payments allocated to invoices by hand",
            [{ title: "Payment" }, { title: "Invoices" }, { title: "Chosen" }, { title: "What can be done" }],
            choices.map(({ chosen, payment, shares }) => [
              payment,
              shares.length === 0
                ? "none"
                : shares.map(
                    ({ amount, invoice }, n) =>
                      html`${n === 0 ? "" : ", "}<a href=${storyOf(invoice)}>${invoice}</a> ${amount}`
                  ),
              when(chosen),
              button("/payments/undo", "Undo", form, { payment })
            ])
          )}
        `
  }
`

/** One action for all items of a group; a link if each needs its own choice. */
export const groupAction = ({ items, rule, todo }: AttentionGroup, form: string): Node => {
  const [first] = items
  if (first === undefined) return null
  if (isMatchingItem(rule)) return html`<a class="button" href=${`/attention#${rule}-${first.id}`}>Choose invoices</a>`
  if (answersIn(todo).length > 0) return html`<a class="button" href=${`/attention#${rule}-${first.id}`}>Answer</a>`
  const again = todo.includes(RETRY) || items.some(({ refused }) => refused)
  const [one, all] = again ? ["Send again", "Send all again"] : [CLOSE, "Close all"]
  const some = items.slice(0, MOST_TOGETHER)
  return html`<form method="post" action=${`/attention/all/${again ? "retry" : "resolve"}`}>
    <input type="hidden" name="form" value=${form} />
    <input type="hidden" name="ids" value=${some.map(({ id }) => id).join(" ")} />
    <button class="plain">${some.length === 1 ? one : `${all} (${grouped(some.length)})`}</button>
  </form>`
}

/** The advice in terms of the page instead of the command line, if it can be done here. */
export const todoOf = ({ rule, todo }: Pick<OpenAttention, "rule" | "todo">): string =>
  isMatchingItem(rule) ? "say which invoice it is for; or correct it in the source" : onPage(todo)

const actions = ({ id, refused, rule, todo }: OpenAttention, form: string): Node => html`
  ${isMatchingItem(rule) ? html`<a class="button" href=${`/attention/${id}`} aria-label=${`Choose an invoice for number ${id}`}>Choose an invoice</a>` : null}
  ${refused || todo.includes(RETRY) ? button(`/attention/${id}/retry`, "Send again", form) : null}
  ${answersIn(todo).map((answer) => button(`/attention/${id}/resolve`, answer, form, { answer }))}
  ${answersIn(todo).length > 0 ? null : button(`/attention/${id}/resolve`, CLOSE, form)}
`

const candidate = (id: number, one: Candidate, form: string): ReadonlyArray<Node> => {
  const { accept = [one.invoice], amount, due, invoice, number, open, party, why } = one
  return [
    html`<a href=${storyOf(invoice)}>${number}</a>`,
    party,
    due,
    open,
    why === undefined ? "" : `${amount === undefined ? "" : `${amount}: `}${why}`,
    button(
      `/attention/${id}/match`,
      accept.length > 1 ? "These together" : "This one",
      form,
      { invoices: accept.join("\n") },
      "primary"
    )
  ]
}

const choice = ({ id, subject }: OpenAttention, form: string, candidates: ReadonlyArray<Candidate>): Node => html`
  <h2>Which invoice it is for</h2>
  ${
    candidates.length === 0
      ? html`<p>${candidateLines(subject, [])}</p>`
      : htmlTable(
          kindOf(subject) === "reversal"
            ? "Invoices that had a payment of that amount before, the likeliest first"
            : "Invoices that it may be for, the likeliest first",
          [
            { title: "Invoice" },
            { title: "Customer" },
            { title: "Due" },
            { title: "Open", right: true },
            { title: "Why" },
            { title: "Choice" }
          ],
          candidates.map((one) => candidate(id, one, form))
        )
  }
  <form class="row" method="post" action=${`/attention/${id}/match`}>
    <input type="hidden" name="form" value=${form} />
    <label
      >Others, one on each line by number, id or key; INV-7=10.00 for a part
      <textarea name="invoices" rows="2" required></textarea>
    </label>
    <button>It is for these</button>
  </form>
  <div class="row">${button(`/attention/${id}/match`, "Not for any invoice", form, { none: "yes" })}</div>
`

/** Whether a payment is the same money as one of others. */
const sameMoney = ({ id }: OpenAttention, form: string, { like, payment }: Question): Node => html`
  <form method="post" action=${`/attention/${id}/same`} class="row">
    <input type="hidden" name="form" value=${form} />
    ${like.map((key) => html`<button name="same" value=${key}>${payment} is the same money as ${key}</button>`)}
    <button name="apart" value="yes">They are apart: both were received</button>
  </form>
`

export const one = (
  found: OpenAttention,
  form: string,
  asked: ReadonlyArray<Candidate> | Question | undefined,
  said: { readonly wrong: string; readonly asks: ReadonlyArray<string> | undefined } | undefined
): Node => html`
  ${said === undefined ? null : html`<p class="note bad" role="alert">${said.wrong}</p>`}
  ${
    said?.asks === undefined
      ? null
      : html`<div class="row">${button(`/attention/${found.id}/match`, "It is for these all the same", form, { invoices: said.asks.join("\n"), sure: "yes" })}</div>`
  }
  <dl>
    <dt>Document</dt>
    <dd><a href=${storyOf(found.subject)}>${found.subject}</a></dd>
    ${found.fact === found.subject ? null : html`<dt>Because of</dt><dd>${found.fact}</dd>`}
    <dt>Rule</dt>
    <dd>${found.rule}</dd>
    <dt>Since</dt>
    <dd>${when(found.since)}</dd>
    <dt>State</dt>
    <dd>${found.refused ? mark("warn", "the service refused a call; nothing more is sent for this document") : mark("warn", "open")}</dd>
  </dl>
  <p class="note">${withCommands(found.why)}</p>
  <p><strong>What can be done:</strong> ${withCommands(todoOf(found))}</p>
  ${asked === undefined ? html`<div class="row">${actions(found, form)}</div>` : "like" in asked ? sameMoney(found, form, asked) : choice(found, form, asked)}
`
