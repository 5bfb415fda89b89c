/** Shows customers: a list of who owes what, and a page for each with open invoices, payment behaviour, account and notes. */
import type * as Reports from "../../sync/reports/Customers.ts"
import type { Receivable } from "../../sync/reports/Receivables.ts"
import { storyOf } from "./DocumentTitle.ts"
import * as Downloads from "./Downloads.ts"
import { href, html, htmlTable, mark, type Node, sentence, nameField, type Visitor, when } from "./Html.ts"
import { receivablesTable } from "./Receivables.ts"
import { amountText, figure, groupText, grouped, plural } from "./language/Figures.ts"
import { t, terms } from "./language/Texts.ts"

const customerAt = (id: number): string => `/customers/${id}`

export interface CustomerList {
  readonly filter: Omit<Reports.CustomersFilter, "connections">
  readonly sort: (typeof Reports.CUSTOMER_SORTS)[number]
  readonly skip: number
  readonly currencies: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Reports.CustomerRow & { readonly usual: number | undefined }>
  readonly more: boolean
}

const SORT_WORDS: Readonly<Record<(typeof Reports.CUSTOMER_SORTS)[number], string>> = {
  open: "Open amount",
  overdue: "Overdue amount",
  name: "Name"
}

const listAt =
  ({ filter: { currency, text }, sort }: CustomerList, skip = 0) =>
  (path: string): string =>
    href(path, {
      q: text,
      currency,
      sort: sort === "open" ? undefined : sort,
      skip: skip === 0 ? undefined : `${skip}`
    })

const select = (name: string, label: string, words: Readonly<Record<string, string>>, now: string): Node => html`
  <label>${label} <select name=${name}>
    ${Object.entries(words).map(([value, text]) => html`<option value=${value} selected=${value === now}>${text}</option>`)}
  </select></label>`

/** A customer's usual delay, in words. */
const lateText = (days: number | undefined): string =>
  days === undefined
    ? t`not known yet`
    : days === 0
      ? t`on the day`
      : days > 0
        ? t`${plural(days, "day")} late`
        : t`${plural(-days, "day")} early`

const money = (amount: bigint, currency: string | null): Node =>
  currency === null ? "" : amount < 0n ? mark("warn", amountText(amount, currency)) : amountText(amount, currency)

export const customerList = (list: CustomerList): Node => html`
  <form class="row" method="get" action="/customers" role="search">
    <label>Name <input type="search" name="q" value=${list.filter.text ?? ""} /></label>
    ${select("currency", t`Currency`, { "": t`All`, ...Object.fromEntries(list.currencies.map((one) => [one, one])) }, list.filter.currency ?? "")}
    ${select("sort", t`Sort by`, terms(SORT_WORDS), list.sort)}
    <button class="primary">Show</button>
  </form>
  <div id="results">
    ${
      list.rows.length === 0
        ? html`<p>${list.filter.text === undefined ? t`Nobody owes anything. Customers appear once their invoices have been planned and sent.` : t`No customer has a name like that.`}</p>`
        : htmlTable(
            list.filter.text === undefined ? t`Customers who owe something` : t`Customers`,
            [
              { title: t`Customer` },
              { title: t`Connection` },
              { title: t`Invoices`, right: true },
              { title: t`Open`, right: true },
              { title: t`Overdue`, right: true },
              { title: t`Usually pays` }
            ],
            list.rows.map(({ connection, country, currency, id, invoices, name, open, overdue, usual }) => [
              html`<a href=${customerAt(id)}>${name === "" ? t`(no name)` : name}</a>${country === null ? "" : html` <span class="dim">${country}</span>`}`,
              connection,
              invoices === 0 ? "" : grouped(invoices),
              money(open, currency),
              overdue === 0n ? "" : money(overdue, currency),
              lateText(usual)
            ])
          )
    }
    <p class="row">
      ${list.skip === 0 ? null : html`<a href=${listAt(list)("/customers")}>From the beginning</a>`}
      ${list.more ? html`<a href=${listAt(list, list.skip + list.rows.length)("/customers")}>More</a>` : null}
      ${list.rows.length === 0 ? null : Downloads.links(listAt(list), "/customers")}
    </p>
  </div>
`

export interface CustomerPage {
  readonly story: Reports.CustomerStory
  readonly open: ReadonlyArray<Receivable>
  readonly account: ReadonlyArray<Reports.AccountLine>
}

const MOST_LINES = 100

const cards = ({ limits, totals, usual }: Reports.CustomerStory): Node => html`
  <div class="cards">
    ${
      totals.length === 0
        ? html`<section class="card"><h2>Open</h2><div class="big">Nothing</div></section>`
        : totals.map(
            ({ currency, invoices, open, overdue }) => html`<section class="card"><h2>Open, ${currency}</h2>
              <div class="sum">${amountText(open, currency)}</div>
              <div>${html`<a href="#open">${plural(invoices, "invoice")}</a>`}, ${amountText(overdue, currency)} overdue</div></section>`
          )
    }
    <section class="card"><h2>Usually pays</h2>
      <div class="sum">${lateText(usual?.days)}</div>
      <div>${usual === undefined ? t`After three paid invoices this is known.` : t`Mean of the last ${plural(usual.invoices, "paid invoice")}, against the due date`}</div>
    </section>
    ${limits.map(
      ({ available, currency, maximum, used }) => html`<section class="card"><h2>Limit of cover, ${currency}</h2>
        <div class="sum">${available === undefined ? t`not known` : t`${figure(`${groupText(available)} ${currency}`)} free`}</div>
        <div>${used === undefined ? "" : t`${groupText(used)} used`}${maximum === undefined ? "" : t` of ${groupText(maximum)}`}</div></section>`
    )}
  </div>`

const trend = ({ quarters }: Reports.CustomerStory): Node =>
  quarters.length === 0
    ? null
    : html`<h2>How they pay</h2>
        ${htmlTable(
          t`Days after the due date, by the quarter in which it was paid`,
          [{ title: t`Quarter` }, { title: t`Paid invoices`, right: true }, { title: t`Mean` }, { title: t`Trend` }],
          quarters.map(({ invoices, late, quarter }, i) => {
            const before = quarters[i + 1]?.late
            const change = before === undefined ? 0 : late - before
            return [
              quarter,
              grouped(invoices),
              lateText(late),
              change === 0
                ? ""
                : mark(
                    change > 0 ? "warn" : "good",
                    change > 0 ? t`${plural(change, "day")} slower` : t`${plural(-change, "day")} faster`
                  )
            ]
          })
        )}`

const accountTable = ({ account, story: { id, totals } }: CustomerPage): Node => {
  const shown = account.slice(-MOST_LINES).toReversed()
  if (shown.length === 0) return null
  return html`<h2>Account</h2>
    ${htmlTable(
      shown.length < account.length
        ? t`The latest ${shown.length} of ${grouped(account.length)} lines`
        : t`Invoices, payments, failed payments and credit notes, the latest first`,
      [
        { title: t`Date` },
        { title: t`What` },
        { title: t`Due` },
        { title: t`Amount`, right: true },
        { title: t`Balance`, right: true }
      ],
      shown.map(({ amount, balance, currency, date, due, invoice, what }) => [
        figure(date),
        html`<a href=${storyOf(invoice)}>${sentence(what)}</a>`,
        figure(due ?? ""),
        amountText(amount, currency),
        amountText(balance, currency)
      ])
    )}
    <p class="row">Whole account: <a href=${`${customerAt(id)}/statement.xlsx`}>Excel</a> <a href=${`${customerAt(id)}/statement.csv`}>CSV</a></p>
    ${
      totals.length === 0
        ? null
        : html`<p class="row">Statement of what is open, for the customer: ${totals.map(({ currency }) => html`<a href=${href(`${customerAt(id)}/statement.pdf`, { currency })}>PDF, ${currency}</a> `)}</p>`
    }`
}

const notes = ({ id, notes }: Reports.CustomerStory, visitor: Visitor): Node => html`
  <h2>Notes</h2>
  ${notes.length === 0 ? html`<p class="dim">None yet.</p>` : html`<ul>${notes.map(({ who, words, written }) => html`<li>${words} <span class="dim">${who}, ${when(written)}</span></li>`)}</ul>`}
  <form class="row" method="post" action=${`${customerAt(id)}/note`}>
    <input type="hidden" name="form" value=${visitor.form} />
    <label>Note <textarea name="words" rows="2" maxlength="2000" required></textarea></label>
    ${nameField(visitor, true)}
    <button>Add</button>
  </form>`

export const customerPage = (page: CustomerPage, visitor: Visitor): Node => {
  const { connection, country, invoices, match, party } = page.story
  return html`
    <p>${[connection, country, plural(invoices, "invoice")].filter((one) => one !== null && one !== "").join(" · ")}${" "}
      · ${match === null ? html`<a href="/debtors">Debtors to match to a company</a>` : html`<a href=${href("/debtors/one", { connection, party })}>Matched to company ${match}</a>`}</p>
    ${cards(page.story)}
    ${page.open.length === 0 ? null : html`<h2 id="open">Open invoices</h2>${receivablesTable(page.open, t`Sorted by due date`, true)}`}
    ${trend(page.story)}
    ${accountTable(page)}
    ${notes(page.story, visitor)}
  `
}
