/**
 * Shows Today: whether everything agrees, waiting plans and what needs attention grouped by cause, what is new since the last visit,
 * deadlines.
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
/** How many causes are shown here; the work queue has all. */
const MOST_CAUSES = 8

const instant = (millis: number): string => new Date(millis).toISOString().slice(0, 16)

export const changesAt = (since: number, what?: string, path = "/changes"): string =>
  href(path, { since: instant(since), what })

const sum = (amount: Decimal.Decimal, currency: string): Node =>
  html`<div class=${amount < 0n ? "bad" : undefined}>${amountText(amount, currency)}</div>`

const newsLine = (what: What, { moreNews, news, since }: Today): Node => {
  const own = news.filter((one) => one.what === what)
  const documents = own.reduce((all, one) => all + one.documents, 0)
  if (documents === 0 && !ALWAYS.includes(what)) return null
  const failed = own.reduce((all, one) => all + one.failed, 0)
  const sums = moreNews || UNSUMMED.includes(what) ? [] : own.filter(({ amount }) => amount !== 0n)
  return html`<li>
    <div>
      ${term(WORDS[what])}<br />
      ${
        documents === 0
          ? html`<span class="dim">Nothing new</span>`
          : html`<a href=${changesAt(since, what)}>${plural(documents, "document")}${moreNews ? t` or more` : ""}</a>${failed === 0 ? null : html`, ${mark("bad", cameBack(failed))}`}`
      }
    </div>
    <div class="right">${sums.map(({ amount, currency }) => sum(what === "back" ? -amount : amount, currency))}</div>
  </li>`
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
  <section class="card">
    <h2>Since ${when(data.since)}</h2>
    <div class="row">
      <a href=${href("/", { since: instant(data.now - 86_400_000).slice(0, 10) })}>Since yesterday</a>
      <a href=${href("/", { since: instant(data.now - 7 * 86_400_000).slice(0, 10) })}>Seven days</a>
      <a href="/">Since you last looked</a>
    </div>
    ${data.moreNews ? html`<p class="note">More than ${grouped(MOST_NEWS)} documents are new: they are counted no further. Their sums are under <a href="/receivables">Receivables</a>.</p>` : null}
    <ul class="lines">${(Object.keys(WORDS) as ReadonlyArray<What>).map((what) => newsLine(what, data))}</ul>
    ${button("/seen", t`I have seen this`, form)}
  </section>
`

const planLine = ({ calls, connection, made, why, words }: Approval): Node => html`<li>
  <div>
    <a href=${`/plans#${connection}`}>${t`Approve the plan of ${connection}`}</a><br />
    ${words === null || words === "" ? plural(calls, "call") : sentence(words, "begins")}<br />
    <span class="dim">${why === null ? t`This connection requires approval for every plan` : sentence(why, "begins")} · ${when(made)}</span>
  </div>
  <a class="button" href=${`/plans#${connection}`}>Look at it</a>
</li>`

const causeLine = (group: AttentionGroup): Node => {
  const stake = stakeText(group)
  return html`<li>
    <div>
      <a href=${causeAt(group.cause)}>${sentence(group.why === "" ? todoOf(group) : group.why, "begins")}</a><br />
      ${group.why === "" ? null : html`→ ${sentence(todoOf(group))}<br />`}
      <span class="dim">${plural(group.items.length, "item")}${stake === "" ? "" : t` · ${stake} at stake`} · since ${when(group.since)}</span>
    </div>
    ${groupAction(group)}
  </li>`
}

const deciding = (data: Today): Node => {
  const plans = data.approvals.filter(({ decision }) => decision === null)
  const isNone = plans.length + data.groups.length === 0
  return html`<section class="card" id="attention">
    <h2>To decide</h2>
    ${keys()}
    ${
      isNone
        ? html`<p>Nothing needs attention.${data.waiting > 0 ? t` ${plural(data.waiting, "document")} not planned yet.` : ""}</p>`
        : html`<p class="dim">Plans first, of which nothing is sent until someone approves them; then causes, those with most items first.</p>
          <ul class="lines">${plans.map(planLine)} ${data.groups.slice(0, MOST_CAUSES).map(causeLine)}</ul>
          ${data.groups.length > MOST_CAUSES ? html`<p><a href="/attention">${plural(data.groups.length, "cause")} in the work queue</a></p>` : null}`
    }
    ${data.notReadable === 0 ? null : html`<p><a href="/connections#quarantined">${plural(data.notReadable, "record")} could not be read</a>; the rest was used.</p>`}
  </section>`
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

/** What the statements say of one currency, added up over connections. */
const sumsOf = (data: Today, currency: string) => {
  const own = data.statements.filter((one) => one.currency === currency)
  const of = (amounts: ReadonlyArray<string>) => Decimal.sum(amounts.map(Decimal.of))
  return {
    source: own.some(({ sourceSays }) => sourceSays === undefined)
      ? undefined
      : of(own.map(({ sourceSays = "0" }) => sourceSays)),
    books: of(own.map(({ books }) => books)),
    service: of(own.map(({ service }) => service))
  }
}

const side = (title: string, amount: Decimal.Decimal | undefined, books: Decimal.Decimal, currency: string): Node =>
  html`<div>
    <div class="dim">${title}</div>
    <span class=${amount === undefined ? "dim" : `sum ${amount === books ? "proved" : "bad"}`}>${amount === undefined ? t`not stated` : amountText(amount, currency)}</span>
  </div>`

/** What is open in one currency: in the source, the books and on the service, with two lines below what is the same. */
const equation = (data: Today, currency: string): Node => {
  const { books, service, source } = sumsOf(data, currency)
  const { invoices, overdue } = data.open.find((one) => one.currency === currency) ?? { invoices: 0, overdue: 0n }
  return html`<div class="equation">
    ${side(t`Source`, source, books, currency)} ${side(t`Books`, books, books, currency)} ${side(t`Service`, service, books, currency)}
    <div>
      <div class="dim">Open, ${currency}</div>
      <a href=${href("/receivables", { currency })}>${plural(invoices, "invoice")}</a>${overdue === 0n ? null : html`,${" "}<a href=${href("/receivables", { currency, age: "overdue" })}>${amountText(overdue, currency)} overdue</a>`}
    </div>
  </div>`
}

const proof = (data: Today): Node => {
  const currencies = [...new Set([...data.statements, ...data.open].map(({ currency }) => currency))].toSorted()
  return html`<section class="card">
    <h2>Source, books and service</h2>
    <p class="big">${agree([...data.statements, ...data.orders, ...data.payments])}</p>
    ${currencies.map((currency) => equation(data, currency))}
    <p class="dim">
      <a href="#completeness">The sums</a>${
        data.attention > 0
          ? html`, without what <a href="/attention">${plural(data.attention, "item")} of the work queue</a> ${data.attention === 1 ? t`is` : t`are`} about`
          : null
      }
    </p>
  </section>`
}

export const todayPage = (data: Today, form: string): Node => html`
  ${proof(data)} ${failures(data)}
  <div class="halves">
    ${deciding(data)}
    ${news(data, form)}
  </div>
  ${deadlines(data)}
  <h2 id="completeness">Does everything agree?</h2>
  ${completeness(data)}
`
