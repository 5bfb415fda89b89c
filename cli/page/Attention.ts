/**
 * Shows the work queue: what no rule can resolve, by cause, each item with its story and what can be done.
 */
import type { Question } from "../../sync/decisions/Movements.ts"
import type { OpenAttention } from "../../sync/apply/AttentionStore.ts"
import { isKey as isCoverKey } from "../../sync/apply/CoverItems.ts"
import type { AttentionGroup, Stake } from "../../sync/reports/AttentionGroups.ts"
import { isMatchingItem, type StoredChoice } from "../../sync/matching/Choices.ts"
import type { Document } from "../../connectors/Document.ts"
import { documentLink, nameIn, storyOf } from "./DocumentTitle.ts"
import * as Downloads from "./Downloads.ts"
import { button, href, html, keys, mark, type Node, sentence, htmlTable, when } from "./Html.ts"
import { ruleLink } from "./Rules.ts"
import { MOST_OF_CAUSE } from "../../sync/decisions/Together.ts"
import { onPage } from "./OnPage.ts"
import { type KnownPayers, knownPayers } from "./Payers.ts"
import { type Bench, workbench } from "./Workbench.ts"
import { amountText, figure, grouped, plural } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"

/** How many items of one cause a page shows, and how many of them can be chosen. */
export const MOST_TOGETHER = 200

/** The advice of a question about an order, with its answers as the command line takes them. */
const ANSWER = /answer with `daybook attention resolve NUMBER --answer` and (".*")/

const answersIn = (todo: string): ReadonlyArray<string> =>
  [...(ANSWER.exec(todo)?.[1] ?? "").matchAll(/"([^"]*)"/g)].map(([, answer = ""]) => answer)

const RETRY = "`daybook attention retry`"
/** How many items of a cause are shown beside other causes. */
const FEW = 20

interface Items {
  readonly groups: ReadonlyArray<AttentionGroup>
  readonly total: number
  /** The cause that alone is asked for. */
  readonly cause: string | undefined
  /** The documents that the items which are shown are about, as far as there are any, and what is at stake in each. */
  readonly documents: ReadonlyMap<string, Document | undefined>
  readonly stakes: ReadonlyMap<number, Stake | undefined>
  readonly choices: ReadonlyArray<StoredChoice>
  readonly known: KnownPayers
}

/** The items of a cause that a page shows. */
export const shownOf = ({ items }: AttentionGroup, cause: string | undefined): ReadonlyArray<OpenAttention> =>
  items.slice(0, cause === undefined ? FEW : MOST_TOGETHER)

export const causeAt = (cause: string): string => `${href("/attention", { cause })}#${cause}`

const list = (all: Items, form: string): Node => {
  const { cause, groups, total } = all
  if (groups.length === 0)
    return html`<p>${total === 0 ? t`Nothing needs attention.` : t`Nothing of this cause is open any more.`} <a href=${total === 0 ? "/" : "/attention"}>${total === 0 ? t`Back to today` : t`The whole work queue`}</a></p>${keys()}`
  return html`
    <p>
      ${
        cause === undefined
          ? t`${plural(total, "item")} from ${plural(groups.length, "cause")}, those with most items first.`
          : html`<a href="/attention">The whole work queue</a>`
      }
      ${" "}An item closes by itself once its problem is solved. If Daybook cannot see that you solved it, close it here.
    </p>
    ${keys()}
    ${groups.map((group) => ofCause(group, all, form))}
    <p class="row">${Downloads.links((path) => path, "/attention")}</p>
  `
}

/** Offers, which are bought or rejected together, where their prices stand. */
const isCover = ({ todo }: AttentionGroup): boolean => /buy it or reject it under Cover/.test(onPage(todo))

/** Whether each item of a cause needs its own answer. */
const isApart = ({ items, rule }: AttentionGroup): boolean =>
  isMatchingItem(rule) || items.some(({ subject, todo }) => isCoverKey(subject) || answersIn(todo).length > 0)

/** Payments that no number explains: those of strangers may be for no invoice, all of them. */
const isByAmount = ({ rule }: AttentionGroup): boolean => rule === "M3" || rule === "M6"

const ofCause = (group: AttentionGroup, { cause: only, documents, stakes }: Items, form: string): Node => {
  const { cause, connection, items, rule, since, why } = group
  const shown = shownOf(group, only)
  const stake = stakeText(group)
  const apart = isApart(group) && !isByAmount(group)
  const differ = why === "" || why.includes("…")
  return html`<section id=${cause} class="cause">
    <h2>${sentence(why === "" ? todoOf(group) : why, "begins")}</h2>
    <p>${why === "" ? null : html`<strong>→ ${sentence(todoOf(group))}</strong><br />`}
      <span class="dim">${plural(items.length, "item")}${stake === "" ? "" : t` · ${stake} at stake`} · ${connection} · rule ${ruleLink(rule)} · since ${when(since)}</span></p>
    ${isCover(group) ? html`<div class="row">${groupAction(group)}</div>` : null}
    ${apart ? null : selecting(group)}
    ${htmlTable(
      t`${shown.length < items.length ? t`The first ${grouped(shown.length)} of ` : ""}${plural(items.length, "item")}, from number ${items[0]?.id ?? ""} on`,
      [
        ...(apart ? [] : [{ title: t`Choose`, phone: "bare" as const }]),
        { title: "#", right: true },
        { title: t`Document`, phone: "bare" },
        { title: t`At stake`, right: true, phone: "bare" },
        { title: t`Since`, phone: "gone" },
        { title: t`Actions`, phone: "bare" }
      ],
      shown.map((one) => {
        const [document, at] = [documents.get(one.subject), stakes.get(one.id)]
        return [
          ...(apart
            ? []
            : [
                html`<input type="checkbox" form=${`of-${cause}`} name="id" value=${one.id} aria-label=${t`Choose number ${one.id}`} />`
              ]),
          html`<a href=${`/attention/${one.id}`}>${one.id}</a>`,
          html`${documentLink(one.subject, document)} ${nameIn(document) ?? ""}${differ ? html`<br /><span class="dim">${sentence(one.why, "begins")}</span>` : null}`,
          at === undefined ? "" : amountText(at.amount, at.currency),
          when(one.since),
          actions(one, form)
        ]
      })
    )}
    ${only !== undefined || shown.length === items.length ? null : html`<p><a href=${causeAt(cause)}>More of this cause</a></p>`}
  </section>`
}

/** Asks what would be done with the chosen items of a cause, or with all of them: nothing is done before that is confirmed. */
const selecting = ({ cause, items, rule }: AttentionGroup): Node => {
  const count = grouped(Math.min(items.length, MOST_OF_CAUSE))
  const close = ["close", t`Close the chosen …`, t`Close all ${count} …`] as const
  const ways = isMatchingItem(rule)
    ? [["none", t`The chosen are for no invoice …`, t`All ${count} are for no invoice …`] as const]
    : isAgain(items)
      ? [["again", t`Send the chosen again …`, t`Send all ${count} again …`] as const, close]
      : [close]
  return html`<form id=${`of-${cause}`} class="row" method="get" action="/attention/all">
    <input type="hidden" name="cause" value=${cause} />
    ${ways.map(
      ([what, chosen, all]) => html`<button name="do" value=${what}>${chosen}</button>
        ${items.length < 2 ? null : html`<button name="do" value=${`${what} all`}>${all}</button>`}`
    )}
    <span class="dim">Shows first what that does.</span>
  </form>`
}

const isAgain = (items: ReadonlyArray<OpenAttention>): boolean =>
  items.some(({ refused, todo }) => refused || todo.includes(RETRY))

/** The amount at stake in a group, in words. */
export const stakeText = ({ stake }: AttentionGroup): string =>
  [...stake]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => amountText(amount, currency))
    .join(", ")

/** The message if somebody else has already decided. */
export const second = (words: string): Node => html`<p class="note bad" role="alert">${words}.</p>`

/** What somebody decided of a payment. */
const chosenFor = ({ apart, asked, same, shares }: StoredChoice): Node =>
  asked === true
    ? t`not for what it was matched with`
    : same !== undefined
      ? t`the same money as ${same.join(", ")}`
      : apart !== undefined
        ? t`other money than ${apart.join(", ")}`
        : shares.length === 0
          ? t`none`
          : shares.map(
              ({ amount, invoice }, n) =>
                html`${n === 0 ? "" : ", "}<a href=${storyOf(invoice)}>${invoice}</a> ${figure(amount)}`
            )

/** Shows open items, and the invoices that people chose. */
export const all = ({ choices, known, ...items }: Items, form: string): Node => html`
  ${list({ ...items, choices, known }, form)}
  ${
    choices.length === 0
      ? null
      : html`
          <h2>Choices of invoices</h2>
          ${htmlTable(
            t`Payments allocated to invoices by hand, and which are the same money`,
            [{ title: t`Payment` }, { title: t`Invoices` }, { title: t`Chosen` }, { title: t`What can be done` }],
            choices.map((one) => [
              one.payment,
              chosenFor(one),
              when(one.chosen),
              [
                button("/payments/undo", t`Undo`, form, { payment: one.payment }),
                one.apart === undefined
                  ? null
                  : button("/payments/undo", t`They are the same money`, form, { payment: one.payment, same: "yes" })
              ]
            ])
          )}
        `
  }
  ${knownPayers(known, form)}
`

/** What to do about a cause: a link, to where each item has its choice or the consequences are shown first. */
export const groupAction = (group: AttentionGroup): Node => {
  const { cause, items, rule } = group
  const label = isCover(group)
    ? t`Decide under Cover`
    : isMatchingItem(rule)
      ? t`Choose invoices`
      : isApart(group)
        ? t`Look at it`
        : isAgain(items)
          ? t`Send again …`
          : t`Close …`
  const at = isCover(group)
    ? "/cover#waiting"
    : isApart(group)
      ? causeAt(cause)
      : href("/attention/all", { cause, do: `${isAgain(items) ? "again" : "close"} all` })
  return html`<a class="button" href=${at}>${label}</a>`
}

const PLACE_IT = "say which invoice it is for; or correct it in the source"

/** The advice in terms of the page instead of the command line, if it can be done here. */
export const todoOf = ({ rule, todo }: Pick<OpenAttention, "rule" | "todo">): string =>
  isMatchingItem(rule) && rule !== "V1" ? PLACE_IT : onPage(todo)

const actions = ({ id, refused, rule, todo }: OpenAttention, form: string): Node => html`
  ${isMatchingItem(rule) ? html`<a class="button" href=${`/attention/${id}`} aria-label=${t`Choose an invoice for number ${id}`}>Choose an invoice</a>` : null}
  ${refused || todo.includes(RETRY) ? button(`/attention/${id}/retry`, t`Send again`, form) : null}
  ${answersIn(todo).map((answer) => button(`/attention/${id}/resolve`, term(answer), form, { answer }))}
  ${answersIn(todo).length > 0 ? null : button(`/attention/${id}/resolve`, t`Close item`, form)}
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
  asked: Bench | Question | undefined,
  said: { readonly wrong: string; readonly asks: ReadonlyArray<string> | undefined } | undefined
): Node => html`
  ${said === undefined ? null : html`<p class="note bad" role="alert">${said.wrong}</p>`}
  ${
    said?.asks === undefined
      ? null
      : html`<div class="row">${button(`/attention/${found.id}/match`, t`It is for these all the same`, form, { invoices: said.asks.join("\n"), sure: "yes" })}</div>`
  }
  <p>
    ${found.refused ? mark("warn", t`the service refused a call; nothing more is sent for this document`) : mark("warn", t`open`)}${" "}
    <span class="dim">${t`Number ${found.id}`} · since ${when(found.since)} · rule ${ruleLink(found.rule)} · <a href=${storyOf(found.subject)}>${found.subject}</a>${found.fact === found.subject ? null : html` · because of <a href=${storyOf(found.fact)}>${found.fact}</a>`}</span>
  </p>
  <p class="note">${sentence(found.why, "begins")}</p>
  ${keys()}
  <p><strong>What can be done:</strong> ${sentence(todoOf(found))}</p>
  ${asked === undefined ? html`<div class="row">${actions(found, form)}</div>` : "like" in asked ? sameMoney(found, form, asked) : workbench(found, asked, form)}
`
