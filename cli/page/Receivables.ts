/** Receivables: what is open, when it is expected, who owes most, and every invoice of it, to filter and to take along. */
import * as Currency from "../../core/money/Currency.ts"
import type { Day } from "../../core/wire/Day.ts"
import * as Reports from "../../sync/reports/Receivables.ts"
import { storyOf } from "./Attention.ts"
import * as Charts from "./Charts.ts"
import { href, html, htmlTable, mark, type Node } from "./Html.ts"
import { plural } from "../../core/Plural.ts"

export interface Shown {
  readonly filter: Reports.ReceivablesFilter
  readonly sort: Reports.Page["sort"]
  readonly skip: number
  readonly currencies: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Reports.Receivable>
  readonly more: boolean
  readonly totals: ReadonlyArray<Reports.OpenTotal>
  readonly weeks: ReadonlyArray<Reports.ExpectedWeek>
  readonly customers: ReadonlyArray<Reports.CustomerTotal>
}

/** The address that shows this. */
export const receivablesAt = (
  { age, currency, text, week }: Omit<Reports.ReceivablesFilter, "connections">,
  more: { readonly sort?: string; readonly skip?: number; readonly path?: string } = {}
): string =>
  href(more.path ?? "/receivables", {
    q: text,
    currency,
    age,
    week,
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

const filters = ({ currencies, filter: { age, currency, text, week }, sort }: Shown): Node => html`
  <form class="row" method="get" action="/receivables" role="search">
    <label>Customer or number <input type="search" name="q" value=${text ?? ""} /></label>
    ${choice("currency", "Currency", { "": "All", ...Object.fromEntries(currencies.map((one) => [one, one])) }, currency)}
    ${choice("age", "Age", { "": "All", ...AGE_WORDS }, age)}
    ${choice("sort", "Sort by", SORT_WORDS, sort)}
    ${week === undefined ? null : html`<label>Due in the week from <input type="date" name="week" value=${week} /></label>`}
    <button class="primary">Show</button>
  </form>
`

const cards = ({ totals }: Shown): Node => html`
  <div class="cards">
    ${totals.map(
      ({ currency, invoices, open, overdue }) => html`<section class="card">
        <h2>Open, ${currency}</h2>
        <div class="big">${Currency.say(open, currency)}</div>
        <div>
          ${plural(invoices, "invoice")},
          ${" "}<a href=${receivablesAt({ currency, age: "overdue" })}>${Currency.say(overdue, currency)} overdue</a>
        </div>
      </section>`
    )}
  </div>
`

const late = ({ due, late }: Reports.Receivable): Node =>
  due === null ? "" : late > 0 ? mark(late > 60 ? "bad" : "warn", `${late} ${late === 1 ? "day" : "days"}`) : ""

const table = ({ rows }: Shown): Node =>
  rows.length === 0
    ? html`<p>No open invoice fits.</p>`
    : htmlTable(
        "Open invoices",
        [
          { title: "Customer" },
          { title: "Invoice" },
          { title: "Issued" },
          { title: "Due" },
          { title: "Overdue" },
          { title: "Gross", right: true },
          { title: "Open", right: true },
          { title: "Cover" }
        ],
        rows.map((one) => [
          one.customer === "" ? "" : html`<a href=${receivablesAt({ text: one.customer })}>${one.customer}</a>`,
          html`<a href=${storyOf(one.key)}>${one.number}</a>`,
          one.issued ?? "",
          one.due ?? "",
          late(one),
          one.gross === undefined ? "" : Currency.sayNumber(one.gross, one.currency),
          one.open < 0n ? mark("warn", Currency.say(one.open, one.currency)) : Currency.say(one.open, one.currency),
          one.insured ? mark("good", "insured") : ""
        ])
      )

const pages = ({ filter, more, rows, skip, sort }: Shown): Node => html`
  <p class="row">
    ${skip === 0 ? null : html`<a href=${receivablesAt(filter, { sort })}>From the beginning</a>`}
    ${more ? html`<a href=${receivablesAt(filter, { sort, skip: skip + rows.length })}>More</a>` : null}
    ${rows.length === 0 ? null : html`Download these: <a href=${receivablesAt(filter, { sort, path: "/receivables.xlsx" })}>Excel</a> <a href=${receivablesAt(filter, { sort, path: "/receivables.csv" })}>CSV</a>`}
  </p>
`

const debtors = (currency: string, { customers }: Shown): Node => {
  const own = customers.filter((one) => one.currency === currency)
  return own.length === 0
    ? null
    : htmlTable(
        `Who owes most, ${currency}`,
        [
          { title: "Customer" },
          { title: "Invoices", right: true },
          { title: "Open", right: true },
          { title: "Overdue", right: true }
        ],
        own.map(({ customer, invoices, open, overdue }) => [
          html`<a href=${receivablesAt({ text: customer, currency })}>${customer === "" ? "(no name)" : customer}</a>`,
          String(invoices),
          Currency.say(open, currency),
          Currency.say(overdue, currency)
        ])
      )
}

export const receivablesPage = (shown: Shown, today: Day): Node => {
  const isWhole = Object.entries(shown.filter).every(([name, value]) => name === "connections" || value === undefined)
  return html`
    ${cards(shown)}
    ${filters(shown)}
    ${
      !isWhole || shown.skip > 0
        ? null
        : html`<div class="cards wide">
            ${shown.totals.map(({ currency }) =>
              Charts.expected(
                currency,
                shown.weeks.filter((one) => one.currency === currency),
                Reports.mondayOf(today)
              )
            )}
          </div>`
    }
    ${table(shown)}
    ${pages(shown)}
    ${!isWhole || shown.skip > 0 ? null : shown.totals.map(({ currency }) => debtors(currency, shown))}
  `
}
