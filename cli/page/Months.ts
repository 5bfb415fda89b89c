/** Shows a month's closing statement in source, books and service, what differs, what was read late, and a form that closes it. */
import { remarks, type MonthAccount, type MonthReport, type Roll } from "../../sync/reports/CloseReport.ts"
import { alike, PARTS_OF_MONTH } from "../render/MonthView.ts"
import { storyOf } from "./DocumentTitle.ts"
import { choices, href, html, htmlTable, mark, type Node, type Visitor, when, sentence } from "./Html.ts"
import { figure, groupText, grouped, plural } from "./language/Figures.ts"
import { t } from "./language/Texts.ts"

/** The most rows of a table; the workbook has all. */
const MOST = 200

export interface ShownMonth {
  readonly report: MonthReport
  /** What is closed is closed by exactly what is shown. */
  readonly digest: string
  readonly connections: ReadonlyArray<string>
  /** Why it cannot be closed yet. */
  readonly notYet: string | undefined
  /** The months that can be looked at, the newest first, and for how many connections somebody closed them. */
  readonly months: ReadonlyArray<{ readonly month: string; readonly closed: number }>
}

const sides = () => [t`Source`, t`Books`, t`Service`].map((title) => ({ title, right: true }))

const money = (amount: string | null): string => (amount === null ? t`not stated` : groupText(amount))

const chosen = ({ connections, months, report: { month, unplanned } }: ShownMonth): Node => {
  const all = connections.length - unplanned.length
  const words = (closed: number) => (closed === 0 ? "" : closed < all ? t` (partly closed)` : t` (closed)`)
  return html`
  <form class="row" method="get" action="/months">
    <label>Month
      <select name="month">
        ${months.map((one) => html`<option value=${one.month} selected=${one.month === month}>${one.month}${words(one.closed)}</option>`)}
      </select>
    </label>
    <button>Show</button>
  </form>`
}

/** The documents that a part adds up; balances lead to the customers whose they are. */
const rowsOf = (part: keyof Roll, connection: string): string => {
  const kinds = { invoices: "invoice", creditNotes: "credit_note", payments: "payment", reversals: "reversal" } as const
  return part === "opening" || part === "closing" ? "#customers" : href("/documents", { connection, kind: kinds[part] })
}

/** What is the same as in the books has two lines below it. */
const closes = (amount: string | null, books: string): Node =>
  amount === null ? money(amount) : html`<span class=${amount === books ? "proved" : "bad"}>${money(amount)}</span>`

const account = ({ books, connection, currency, service, source }: MonthAccount): Node =>
  htmlTable(
    `${connection}, ${currency}`,
    [{ title: t`Part` }, ...sides()],
    (Object.keys(PARTS_OF_MONTH) as ReadonlyArray<keyof Roll>).map((part) => [
      html`<a href=${rowsOf(part, connection)}>${sentence(PARTS_OF_MONTH[part])}</a>`,
      part === "closing" ? closes(source, books.closing) : "",
      part === "closing" ? closes(books.closing, books.closing) : money(books[part]),
      part === "closing" ? closes(service.closing, books.closing) : money(service[part])
    ])
  )

const sums = (report: MonthReport): Node => {
  const { accounts, unplanned } = report
  return html`
    ${accounts.length === 0 && unplanned.length === 0 ? html`<p>Nothing was open in this month, and nothing moved.</p>` : html`<div class="cards wide">${accounts.map(account)}</div>`}
    ${remarks(report).map((words) => html`<p class="note">${sentence(words)}</p>`)}`
}

const cut = (all: number): string => (all > MOST ? t`: the first ${MOST} of ${grouped(all)}` : ` (${grouped(all)})`)

const differences = (report: MonthReport): Node => {
  const { accounts, differences: all, more } = report
  if (accounts.length === 0) return null
  return all.length === 0
    ? html`<p>${sentence(alike(report))}</p>`
    : htmlTable(
        t`Differences${cut(all.length + more)}`,
        [
          { title: t`Document` },
          { title: t`Customer` },
          ...sides(),
          { title: t`Currency` },
          { title: t`Why` },
          { title: t`What people decided` }
        ],
        all
          .slice(0, MOST)
          .map((one) => [
            html`<a href=${storyOf(one.document)}>${one.document}</a>`,
            one.customer,
            money(one.source),
            money(one.books),
            money(one.service),
            one.currency,
            sentence(one.why),
            one.decided.map(
              ({ at, what, who }) => html`<div>${figure(at.slice(0, 10))} ${who ?? ""} ${sentence(what)}</div>`
            )
          ])
      )
}

const late = ({ late: all, moreLate }: MonthReport): Node =>
  all.length === 0
    ? null
    : htmlTable(
        t`Read late: dated before this month, and read after the month before was closed${cut(all.length + moreLate)}`,
        [
          { title: t`Document` },
          { title: t`Date` },
          { title: t`When closed`, right: true },
          { title: t`Now`, right: true },
          { title: t`Currency` },
          { title: t`Read` }
        ],
        all
          .slice(0, MOST)
          .map((one) => [
            html`<a href=${storyOf(one.document)}>${one.document}</a>`,
            figure(one.date),
            money(one.was),
            money(one.now),
            one.currency,
            when(Date.parse(one.read))
          ])
      )

const customers = ({ customers: all }: MonthReport): Node =>
  all.length === 0
    ? null
    : html`<details id="customers">
        <summary>${plural(all.length, "customer's account", "customers' accounts")}</summary>
        ${htmlTable(
          t`Closing balances of customers${cut(all.length)}`,
          [{ title: t`Customer` }, { title: t`Connection` }, ...sides(), { title: t`Currency` }],
          all
            .slice(0, MOST)
            .map((one) => [
              html`<a href=${href("/customers", { q: one.customer })}>${one.customer}</a>`,
              one.connection,
              money(one.source),
              money(one.books.closing),
              money(one.service.closing),
              one.currency
            ])
        )}
      </details>`

const closing = (
  { connections, digest, notYet, report: { closed, month, unplanned } }: ShownMonth,
  visitor: Visitor
) => {
  const open = connections.filter((id) => !unplanned.includes(id) && !closed.some((one) => one.connection === id))
  return html`
    <h2>Close it</h2>
    ${closed.map(({ at, connection, who }) => html`<p>${mark("good", t`closed`)} ${connection}: by ${who}, ${when(Date.parse(at))}</p>`)}
    ${
      open.length === 0
        ? closed.length === 0
          ? html`<p>Nothing was sent to the service yet, so this month cannot be closed.</p>`
          : null
        : notYet === undefined
          ? html`<p>What is read of ${month} after that is shown as late in the next month. It cannot be taken back.</p>
              ${choices(
                visitor,
                { month, digest, connection: connections },
                {
                  all: [{ action: "/months/close", label: t`Close${" "}${month}`, look: "primary" }],
                  named: "required"
                }
              )}`
          : html`<p>${sentence(notYet, "begins")}.</p>`
    }`
}

export const monthPage = (shown: ShownMonth, visitor: Visitor): Node => {
  const { report } = shown
  const { first, last, month } = report
  return html`
    ${chosen(shown)}
    <p>${figure(first)} to ${figure(last)}</p>
    ${sums(report)} ${differences(report)} ${late(report)} ${customers(report)}
    <p class="row">Download it: <a href=${href("/months.xlsx", { month })}>Excel</a> <a href=${href("/months.pdf", { month })}>PDF</a></p>
    ${closing(shown, visitor)}
    <p class="dim">Evidence that an auditor can check alone: <code>${`daybook close ${month} --pack ${month}.zip`}</code></p>`
}
