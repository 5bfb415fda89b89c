/** Shows receivables: open amounts, expected payments, largest debtors, and every open invoice, with filters and downloads. */
import type { Day } from "../../core/wire/Day.ts"
import * as Reports from "../../sync/reports/Receivables.ts"
import { storyOf } from "./DocumentTitle.ts"
import type { DaysOutstanding } from "../../sync/reports/DaysOutstanding.ts"
import type { Ageing, CustomerTotal, ExpectedAmount } from "../../sync/reports/Expected.ts"
import type { FailedMonth } from "../../sync/reports/FailedDebits.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Charts from "./Charts.ts"
import * as Downloads from "./Downloads.ts"
import { href, html, htmlTable, mark, type Node } from "./Html.ts"
import * as Currency from "../../core/money/Currency.ts"
import { amountText, fieldText, figure, plural } from "./language/Figures.ts"
import { t, term, terms } from "./language/Texts.ts"

export interface Shown {
  readonly filter: Reports.ReceivablesFilter
  readonly sort: Reports.Page["sort"]
  readonly skip: number
  readonly currencies: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Reports.Receivable>
  readonly more: boolean
  readonly totals: ReadonlyArray<Reports.OpenTotal>
  readonly weeks: ReadonlyArray<ExpectedAmount>
  readonly customers: ReadonlyArray<CustomerTotal>
  readonly usual: ReadonlyArray<ExpectedAmount>
  readonly ageing: ReadonlyArray<Ageing>
  readonly failed: ReadonlyArray<{ readonly currency: string; readonly months: ReadonlyArray<FailedMonth> }>
  readonly outstanding: ReadonlyMap<string, Outstanding>
  /** The selected week of payments that are expected by payment habits. */
  readonly expected: string | undefined
}

/** Days sales outstanding in one currency, and the best possible value: if nothing were overdue. */
export interface Outstanding {
  readonly all: DaysOutstanding
  readonly notDue: DaysOutstanding
}

/** The address of a page with these filters. */
const receivablesAt = (
  { age, currency, text, week }: Omit<Reports.ReceivablesFilter, "connections" | "documents" | "customer">,
  more: {
    readonly sort?: string
    readonly skip?: number
    readonly path?: string
    readonly expected?: string | undefined
  } = {}
): string =>
  href(more.path ?? "/receivables", {
    q: text,
    currency,
    age,
    week,
    expected: more.expected,
    sort: more.sort === "due" ? undefined : more.sort,
    skip: more.skip === undefined || more.skip === 0 ? undefined : String(more.skip)
  })

const AGE_WORDS: Readonly<Record<(typeof Reports.AGES)[number], string>> = {
  "not due": "Not due yet",
  overdue: "Overdue",
  "1-30": "1 to 30 days overdue",
  "31-60": "31 to 60 days",
  "61-90": "61 to 90 days",
  "over 90": "More than 90 days"
}

const SORT_WORDS: Readonly<Record<Reports.Page["sort"], string>> = {
  due: "Due date",
  amount: "Open amount",
  customer: "Customer",
  number: "Number"
}

const choice = (name: string, label: string, words: Readonly<Record<string, string>>, now: string | undefined): Node =>
  html`<label
    >${label}
    <select name=${name}>
      ${Object.entries(words).map(([value, text]) => html`<option value=${value} selected=${value === (now ?? "")}>${text}</option>`)}
    </select>
  </label>`

const filters = ({ currencies, expected, filter: { age, currency, text, week }, sort }: Shown): Node => html`
  <form class="row" method="get" action="/receivables" role="search">
    <label>Customer or number <input type="search" name="q" value=${text ?? ""} /></label>
    ${choice("currency", t`Currency`, { "": t`All`, ...Object.fromEntries(currencies.map((one) => [one, one])) }, currency)}
    ${choice("age", t`Age`, { "": t`All`, ...terms(AGE_WORDS) }, age)}
    ${choice("sort", t`Sort by`, terms(SORT_WORDS), sort)}
    ${week === undefined ? null : html`<label>Due in the week from <input type="date" name="week" value=${week} /></label>`}
    ${expected === undefined ? null : html`<label>Usually paid in the week from <input name="expected" value=${expected} size="10" /></label>`}
    <button class="primary">Show</button>
  </form>
`

const days = ({ days, more }: DaysOutstanding): string =>
  `${more ? t`more than ` : ""}${fieldText(Decimal.toFixed(days, 1))}`

const outstandingText = ({ all, notDue }: Outstanding): Node => html`
  <div>Days sales outstanding: <strong>${days(all)}</strong> (best possible: ${days(notDue)})</div>
  <details>
    <summary>How it is calculated</summary>
    <p>By the count-back method: the open amount is subtracted from the sales of this month so far, then of the month before, and so on.
      A month that is covered completely counts with all its days, the last one with the covered share. Sales are gross, by day
      of issue. The best possible value counts only what is not due yet.</p>
  </details>`

const cards = ({ outstanding, totals }: Shown, isWhole: boolean): Node => html`
  <div class="cards">
    ${totals.map(({ currency, invoices, open, overdue }) => {
      const own = outstanding.get(currency)
      return html`<section class="card">
        <h2>Open, ${currency}</h2>
        <div class="sum">${amountText(open, currency)}</div>
        <div>
          ${plural(invoices, "invoice")},
          ${" "}<a href=${receivablesAt({ currency, age: "overdue" })}>${amountText(overdue, currency)} overdue</a>
        </div>
        ${own === undefined || !isWhole ? null : outstandingText(own)}
      </section>`
    })}
  </div>
`

const customerOf = ({ customer, customerId }: Reports.Receivable): Node =>
  customerId === null
    ? customer
    : html`<a href=${`/customers/${customerId}`}>${customer === "" ? t`(no name)` : customer}</a>`

const late = ({ due, late }: Reports.Receivable): Node =>
  due === null ? "" : late > 0 ? mark(late > 60 ? "bad" : "warn", plural(late, "day")) : ""

/**
 * Open invoices with their overdue and insured amounts.
 *
 * @param ofOne all are of one customer, who is not named in each row
 */
export const receivablesTable = (rows: ReadonlyArray<Reports.Receivable>, caption: string, ofOne = false): Node =>
  rows.length === 0
    ? html`<p>No open invoice matches. Invoices appear once their plan has been sent: <a href="/plans">plans that wait</a>, <a href="/receivables">all open invoices</a>.</p>`
    : htmlTable(
        caption,
        [
          ...(ofOne ? [] : [{ title: t`Customer`, phone: "bare" as const }]),
          { title: t`Invoice`, phone: "bare" },
          { title: t`Issued`, phone: "gone" },
          { title: t`Due` },
          { title: t`Overdue`, phone: "bare" },
          { title: t`Gross`, right: true, phone: "gone" },
          { title: t`Open`, right: true, phone: "bare" },
          { title: t`Cover`, phone: "bare" }
        ],
        rows.map((one) => [
          ...(ofOne ? [] : [customerOf(one)]),
          html`<a href=${storyOf(one.key)}>${one.number}</a>`,
          figure(one.issued ?? ""),
          figure(one.due ?? ""),
          late(one),
          one.gross === undefined ? "" : figure(Currency.sayNumber(one.gross, one.currency)),
          one.open < 0n ? mark("warn", amountText(one.open, one.currency)) : amountText(one.open, one.currency),
          one.insured ? mark("good", t`insured`) : ""
        ])
      )

const pages = ({ expected, filter, more, rows, skip, sort }: Shown): Node => {
  const at = (of: { readonly skip?: number; readonly path?: string }) =>
    receivablesAt(filter, { sort, expected, ...of })
  return html`
    <p class="row">
      ${skip === 0 ? null : html`<a href=${at({})}>From the beginning</a>`}
      ${more ? html`<a href=${at({ skip: skip + rows.length })}>More</a>` : null}
      ${rows.length === 0 ? null : Downloads.links((path) => at({ path }), "/receivables")}
    </p>
  `
}

/** Thousandths of the largest value. */
const share = (part: bigint, whole: bigint): number => (part <= 0n || whole <= 0n ? 0 : Number((part * 1000n) / whole))

const debtors = (currency: string, { customers }: Shown): Node => {
  const own = customers.filter((one) => one.currency === currency)
  const most = own.reduce((top, { open }) => (open > top ? open : top), 0n)
  return own.length === 0
    ? null
    : html`<section class="card">${htmlTable(
        t`Who owes most, ${currency}`,
        [
          { title: t`Customer` },
          { title: t`Invoices`, right: true },
          { title: t`Open`, right: true },
          { title: t`Overdue`, right: true }
        ],
        own.map(({ customer, id, invoices, open, overdue }) => [
          html`<a href=${`/customers/${id}`}>${customer === "" ? t`(no name)` : customer}</a>
            <svg class="bar" viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
              <rect class="c2" width=${share(open, most)} height="24" rx="4" /><rect class="c3" width=${share(overdue, most)} height="24" rx="4" />
            </svg>`,
          String(invoices),
          amountText(open, currency),
          amountText(overdue, currency)
        ])
      )}</section>`
}

const charts = (shown: Shown, today: Day): Node =>
  shown.totals.map(
    ({ currency }) => html`<div class="cards wide below">
      ${Charts.expected({
        currency,
        due: shown.weeks.filter((one) => one.currency === currency),
        usual: shown.usual.filter((one) => one.currency === currency),
        monday: Reports.mondayOf(today)
      })}
      ${Charts.receivables(
        currency,
        shown.ageing.filter((one) => one.currency === currency)
      )}
      ${debtors(currency, shown)}
      ${shown.failed.filter((one) => one.currency === currency).map(({ months }) => Charts.failedDebits(currency, months))}
    </div>`
  )

export const receivablesPage = (shown: Shown, today: Day): Node => {
  const isFiltered = Object.entries(shown.filter).some(([name, value]) => name !== "connections" && value !== undefined)
  const isWhole = !isFiltered && shown.skip === 0
  return html`
    ${cards(shown, isWhole)}
    ${isWhole ? charts(shown, today) : null}
    <h2>Open invoices</h2>
    ${filters(shown)}
    <div id="results">
      ${receivablesTable(shown.rows, t`Sorted by ${term(SORT_WORDS[shown.sort].toLowerCase())}`)}
      ${pages(shown)}
    </div>
  `
}
