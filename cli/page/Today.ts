/**
 * Shows Today: what is new since the last visit, whether everything agrees, what needs attention grouped by cause, waiting
 * plans, deadlines.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Approval } from "../../sync/plan/Approvals.ts"
import type { AttentionGroup } from "../../sync/reports/AttentionGroups.ts"
import type { CoverDeadline } from "../../sync/reports/Cover.ts"
import { MOST_NEWS, type NewsFigure, type What } from "../../sync/reports/News.ts"
import type { OpenTotal } from "../../sync/reports/Receivables.ts"
import type { RunState } from "../../sync/schedule/RunState.ts"
import { causeAt, groupAction, stakeText, todoOf } from "./Attention.ts"
import { cameBack } from "./FailedDebits.ts"
import { button, href, html, keys, mark, type Node, sentence, htmlTable, when } from "./Html.ts"
import { agree, completeness, type Statements } from "./Statements.ts"
import { amountText, figure, grouped, plural } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"

export interface Today extends Statements {
  readonly since: number
  readonly now: number
  readonly news: ReadonlyArray<NewsFigure>
  /** There is more news than was added up. */
  readonly moreNews: boolean
  /** How many items are open because the service refused a call. */
  readonly refused: number
  readonly failing: ReadonlyArray<{ readonly connection: string; readonly turn: RunState }>
  readonly groups: ReadonlyArray<AttentionGroup>
  readonly attention: number
  readonly approvals: ReadonlyArray<Approval>
  readonly deadlines: ReadonlyArray<CoverDeadline>
  readonly open: ReadonlyArray<OpenTotal>
  readonly notReadable: number
  /** How many documents were read and not planned yet. */
  readonly waiting: number
}

export const WORDS: Readonly<Record<What, string>> = {
  in: "Money in",
  back: "Money back",
  invoices: "New invoices",
  credits: "New credit notes",
  payouts: "Payouts",
  orders: "New orders",
  goods: "Parcels, cancellations, returns",
  changed: "Changed",
  deleted: "Deleted in the source"
}

/** Figures that are shown even if they are zero. */
const ALWAYS: ReadonlyArray<What> = ["in", "back", "invoices", "changed"]
/** Figures without amounts: a sum would be meaningless without the earlier values. */
const UNSUMMED: ReadonlyArray<What> = ["changed", "deleted", "goods"]

const instant = (millis: number): string => new Date(millis).toISOString().slice(0, 16)

export const changesAt = (since: number, what?: string, path = "/changes"): string =>
  href(path, { since: instant(since), what })

const card = (title: string, big: Node, words: Node): Node =>
  html`<section class="card"><h3>${title}</h3><div class="big">${big}</div><div>${words}</div></section>`

const sum = (amount: Decimal.Decimal, currency: string): Node =>
  html`<div class=${amount < 0n ? "sum bad" : "sum"}>${amountText(amount, currency)}</div>`

const newsCard = (what: What, { moreNews, news, since }: Today): Node => {
  const own = news.filter((one) => one.what === what)
  const documents = own.reduce((all, one) => all + one.documents, 0)
  if (documents === 0 && !ALWAYS.includes(what)) return null
  const failed = own.reduce((all, one) => all + one.failed, 0)
  const sums = moreNews || UNSUMMED.includes(what) ? [] : own.filter(({ amount }) => amount !== 0n)
  const count = `${grouped(documents)}${moreNews ? t` or more` : ""}`
  return card(
    term(WORDS[what]),
    documents === 0
      ? "–"
      : sums.length === 0
        ? count
        : sums.map(({ amount, currency }) => sum(what === "back" ? -amount : amount, currency)),
    documents === 0
      ? t`Nothing new`
      : html`<a href=${changesAt(since, what)}>${sums.length === 0 ? t`Which` : plural(documents, "document")}</a>${failed === 0 ? null : html`, ${mark("bad", cameBack(failed))}`}`
  )
}

const failures = ({ failing, refused }: Today): Node => {
  if (refused === 0 && failing.length === 0) return null
  return html`<section class="card">
    <h3>Failed</h3>
    ${refused === 0 ? null : html`<p>${mark("bad", plural(refused, "call"))} refused by the service and not sent again. <a href="/attention">Which</a></p>`}
    ${failing.map(({ connection, turn }) => html`<p>${mark("bad", connection)} failed ${turn.failures === 1 ? "once" : t`${turn.failures} times in a row`}: ${turn.message} <a href="/connections">Look at it</a></p>`)}
  </section>`
}

const news = (data: Today, form: string): Node => html`
  <h2>Since ${when(data.since)}</h2>
  <div class="row">
    <a href=${href("/", { since: instant(data.now - 86_400_000).slice(0, 10) })}>Since yesterday</a>
    <a href=${href("/", { since: instant(data.now - 7 * 86_400_000).slice(0, 10) })}>Seven days</a>
    <a href="/">Since you last looked</a>
    ${button("/seen", t`I have seen this`, form)}
  </div>
  ${data.moreNews ? html`<p class="note">More than ${grouped(MOST_NEWS)} documents are new: they are counted no further. Their sums are under <a href="/receivables">Receivables</a>.</p>` : null}
  <div class="cards news">
    ${(Object.keys(WORDS) as ReadonlyArray<What>).map((what) => newsCard(what, data))}
    ${failures(data)}
  </div>
`

const attention = (data: Today): Node => html`
  <h2 id="attention">Needs attention</h2>
  ${keys()}
  ${
    data.groups.length === 0
      ? html`<p>Nothing needs attention.${data.waiting > 0 && data.approvals.length === 0 ? t` ${plural(data.waiting, "document")} not planned yet.` : ""}</p>`
      : htmlTable(
          t`By cause, those with most items first`,
          [
            { title: t`Items`, right: true },
            { title: t`At stake`, right: true },
            { title: t`Cause, and what can be done` },
            { title: t`Since` },
            { title: t`Action` }
          ],
          data.groups.map((group) => [
            grouped(group.items.length),
            stakeText(group),
            html`<a href=${causeAt(group.cause)}>${sentence(group.why === "" ? todoOf(group) : group.why)}</a>
              ${group.why === "" ? null : html`<br /><span class="dim">→ ${sentence(todoOf(group))}</span>`}`,
            when(group.since),
            groupAction(group)
          ])
        )
  }
  ${data.notReadable === 0 ? null : html`<p><a href="/connections#quarantined">${plural(data.notReadable, "record")} could not be read</a>; the rest was used.</p>`}
`

const plans = ({ approvals }: Today): Node => {
  const waiting = approvals.filter(({ decision }) => decision === null)
  if (waiting.length === 0) return null
  return html`
    <h2>Approvals that wait for you</h2>
    ${htmlTable(
      t`What each would do; nothing is sent until someone approves it`,
      [{ title: t`Connection` }, { title: t`What` }, { title: t`Made` }, { title: t`Why you are asked` }],
      waiting.map(({ calls, connection, made, why, words }) => [
        html`<a href=${`/plans#${connection}`}>${connection}</a>`,
        words === null || words === "" ? plural(calls, "call") : sentence(words),
        when(made),
        why === null ? t`this connection requires approval for every plan` : sentence(why)
      ])
    )}
  `
}

const deadlines = ({ deadlines }: Today): Node =>
  deadlines.length === 0
    ? null
    : html`
        <h2>Days that matter</h2>
        ${htmlTable(
          t`Of cover, in the next two weeks`,
          [
            { title: t`Day` },
            { title: t`In`, right: true },
            { title: t`What` },
            { title: t`Invoice` },
            { title: t`Customer` },
            { title: t`Open`, right: true }
          ],
          deadlines.map(({ currency, day, daysLeft, name, number, open, subject, what }) => [
            figure(day),
            daysLeft === 0 ? mark("warn", t`today`) : plural(daysLeft, "day"),
            what === "due"
              ? t`insured invoice is due`
              : what === "offer ends"
                ? term(what)
                : mark("warn", t`last day to hand it over`),
            html`<a href=${`/cover/${encodeURIComponent(subject)}`}>${number}</a>`,
            name,
            amountText(Decimal.of(open), currency)
          ])
        )}
      `

const state = (data: Today): Node => html`
  <div class="cards below">
    ${card(
      t`Source, books and service`,
      agree([...data.statements, ...data.orders, ...data.payments]),
      html`<a href="#completeness">The sums</a>${
        data.attention > 0
          ? html`, without what <a href="/attention">${plural(data.attention, "item")} of the work queue</a> ${data.attention === 1 ? t`is` : t`are`} about`
          : null
      }`
    )}
    ${data.open.map(({ currency, invoices, open, overdue }) =>
      card(
        t`Open, ${currency}`,
        sum(open, currency),
        html`<a href=${href("/receivables", { currency })}>${plural(invoices, "invoice")}</a>,${" "}
          <a href=${href("/receivables", { currency, age: "overdue" })}>${amountText(overdue, currency)} overdue</a>`
      )
    )}
  </div>
`

export const todayPage = (data: Today, form: string): Node => html`
  ${news(data, form)}
  ${state(data)}
  ${attention(data)}
  ${plans(data)}
  ${deadlines(data)}
  <h2 id="completeness">Does everything agree?</h2>
  ${completeness(data)}
`
