/**
 * Shows whether source, books and service agree, as sums per connection and currency.
 */
import { group } from "../../core/money/Currency.ts"
import { grouped } from "../../core/Plural.ts"
import { type Statement, verdict } from "../../sync/reconciliation/InvoiceStatement.ts"
import { countApart, type OrderStatement, ownTotals } from "../../sync/reconciliation/OrderStatement.ts"
import type { PaymentStatement } from "../../sync/reconciliation/PaymentStatement.ts"
import { href, html, mark, type Node, htmlTable } from "./Html.ts"

export interface Statements {
  readonly statements: ReadonlyArray<Statement>
  readonly orders: ReadonlyArray<OrderStatement>
  readonly payments: ReadonlyArray<PaymentStatement>
}

const n = (value: number): string => grouped(value)

/** The result in a word or two. */
export const agree = (
  statements: ReadonlyArray<{
    readonly differences: ReadonlyArray<unknown>
    readonly unchecked?: number
    readonly quarantined?: number
    readonly stale?: true
    readonly lists?: ReadonlyArray<{ readonly agrees: boolean }>
  }>
): Node => {
  const apart = statements.filter(
    ({ differences, lists = [] }) => differences.length > 0 || lists.some(({ agrees }) => !agrees)
  ).length
  return statements.length === 0
    ? mark("plain", "nothing yet")
    : apart === 0
      ? statements.some(({ stale }) => stale)
        ? mark("plain", "agreed at the last run")
        : statements.some(({ quarantined = 0 }) => quarantined > 0)
          ? mark("plain", "agree as far as read")
          : statements.some(({ unchecked = 0 }) => unchecked > 0)
            ? mark("plain", "books and service agree")
            : mark("good", "agree")
      : mark("warn", `${apart} apart`)
}

/** All sums. */
export const completeness = (data: Statements): Node => html`
  ${invoices(data)} ${orders(data)} ${payments(data)} ${lists(data)}
`

/** The result for an amount, with a link to its differences. */
const result = (differences: number, path: string): Node =>
  differences === 0 ? mark("good", "agree") : html`<a href=${path}>${mark("warn", `${n(differences)} apart`)}</a>`

const invoices = (data: Statements): Node =>
  data.statements.length === 0
    ? html`<p class="dim">Nothing was sent yet.</p>`
    : htmlTable(
        "Open amounts: source, books and service",
        [
          { title: "Connection" },
          { title: "Currency" },
          { title: "Invoices", right: true },
          { title: "Source says", right: true },
          { title: "Books", right: true },
          { title: "Service", right: true },
          { title: "Owed to buyers", right: true },
          { title: "Result" }
        ],
        data.statements.map((statement) => {
          const { books, connection, credit, currency, differences, invoices, more, service, sourceSays } = statement
          const { kind, text } = verdict(statement)
          return [
            connection,
            currency,
            n(invoices),
            sourceSays === undefined ? "not stated" : group(sourceSays),
            group(books),
            group(service),
            credit.invoices === 0 ? "" : `${group(credit.amount)} (${n(credit.invoices)})`,
            kind === "not checked"
              ? mark("plain", text)
              : result(differences.length + more, href("/documents", { connection, only: "differs" }))
          ]
        })
      )

const orders = (data: Statements): Node | null =>
  data.orders.length === 0
    ? null
    : htmlTable(
        "Orders: authorised = captured + voided + expired + open",
        [
          { title: "Connection" },
          { title: "Currency" },
          { title: "Orders", right: true },
          { title: "Authorised", right: true },
          { title: "Captured", right: true },
          { title: "Voided", right: true },
          { title: "Expired", right: true },
          { title: "Open", right: true },
          { title: "Refunded", right: true },
          { title: "Source: captured", right: true },
          { title: "voided", right: true },
          { title: "refunded", right: true },
          { title: "Its own totals" },
          { title: "Result" }
        ],
        data.orders.map((one) => [
          one.connection,
          one.currency,
          n(one.orders),
          group(one.authorised),
          group(one.captured),
          group(one.voided),
          group(one.expired),
          group(one.open),
          group(one.refunded),
          group(one.source.captured),
          group(one.source.voided),
          group(one.source.refunded),
          ownTotals(one),
          result(countApart(one), href("/documents", { connection: one.connection, kind: "order", only: "differs" }))
        ])
      )

const payments = (data: Statements): Node | null =>
  data.payments.length === 0
    ? null
    : htmlTable(
        "Payments, and the invoices of other connections that they are for",
        [
          { title: "Connection" },
          { title: "Pays" },
          { title: "Currency" },
          { title: "Payments", right: true },
          { title: "Received", right: true },
          { title: "Matched", right: true },
          { title: "Payouts", right: true },
          { title: "Not for invoices", right: true },
          { title: "Result" }
        ],
        data.payments.map((one) => [
          one.connection,
          one.pays,
          one.currency,
          n(one.payments),
          group(one.received),
          group(one.matched),
          html`<a href="/payouts">${group(one.payouts)}</a>`,
          group(one.notForInvoices),
          result(one.differences.length + one.more, "/attention")
        ])
      )

/** The totals that lists of the sources state themselves, next to what was read of them. */
const lists = (data: Statements): Node | null => {
  const all = [
    ...[...data.statements, ...data.payments].map(({ connection, currency, totals = [] }) => ({
      connection,
      currency,
      totals
    })),
    ...data.orders.map(({ connection, currency, lists = [] }) => ({ connection, currency, totals: lists }))
  ].flatMap(({ totals, ...of }) => totals.map((total) => ({ ...of, total })))
  return all.length === 0
    ? null
    : htmlTable(
        "Control totals stated by files and lists",
        [
          { title: "Connection" },
          { title: "Currency" },
          { title: "List" },
          { title: "It says", right: true },
          { title: "Read", right: true },
          { title: "Result" }
        ],
        all.map(({ connection, currency, total: { agrees, amount, at, column, list, read, what } }) => [
          connection,
          currency,
          `${what === "total" ? "" : "closing balance of "}${list} (${column})`,
          group(amount),
          group(read),
          agrees ? mark("good", "agrees") : html`${mark("warn", "differs")} (${at})`
        ])
      )
}
