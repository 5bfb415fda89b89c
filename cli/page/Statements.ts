/**
 * Shows whether source, books and service agree, as sums per connection and currency.
 */
import type { Kind } from "../../connectors/Document.ts"
import type { InvoiceStatement, OrderStatement, PaymentStatement } from "../../sync/model/reports/Statement.ts"
import { verdict } from "../../sync/reconciliation/InvoiceStatement.ts"
import * as Orders from "../../sync/reconciliation/OrderStatement.ts"
import { resultOf } from "../../sync/reconciliation/PaymentStatement.ts"
import { href, html, mark, type Node, sentence, htmlTable } from "./Html.ts"
import { groupText, grouped, plural } from "./language/Figures.ts"
import { t } from "./language/Texts.ts"
import { sentenceText } from "./language/Sentences.ts"

export interface Statements {
  readonly statements: ReadonlyArray<InvoiceStatement>
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
    ? mark("plain", t`nothing yet`)
    : apart === 0
      ? statements.some(({ stale }) => stale)
        ? mark("plain", t`agreed at the last run`)
        : statements.some(({ quarantined = 0 }) => quarantined > 0)
          ? mark("plain", t`agree as far as read`)
          : statements.some(({ unchecked = 0 }) => unchecked > 0)
            ? mark("plain", t`books and service agree`)
            : mark("good", t`agree`)
      : mark("warn", plural(apart, "sum differs", "sums differ"))
}

/** All sums. */
export const completeness = (data: Statements): Node => html`
  ${invoices(data)} ${orders(data)} ${payments(data)} ${lists(data)}
`

/** A statement's result, with a link to its differences. */
const result = ({ kind, text }: ReturnType<typeof verdict>, differences: number, path: string): Node =>
  kind === "not checked"
    ? mark("plain", sentenceText(text))
    : kind === "agree"
      ? mark("good", t`agree`)
      : html`<a href=${path}>${mark("warn", plural(differences, "difference"))}</a>`

/** How many documents a sum is of, with a link to them. */
const rowsAt = (count: number, connection: string, kind?: Kind): Node =>
  html`<a href=${href("/documents", { connection, kind })}>${n(count)}</a>`

const invoices = (data: Statements): Node =>
  data.statements.length === 0
    ? html`<p class="dim">Nothing was sent yet.</p>`
    : htmlTable(
        t`Open amounts: source, books and service`,
        [
          { title: t`Connection` },
          { title: t`Currency` },
          { title: t`Invoices`, right: true },
          { title: t`Source says`, right: true },
          { title: t`Books`, right: true },
          { title: t`Service`, right: true },
          { title: t`Owed to buyers`, right: true },
          { title: t`Result` }
        ],
        data.statements.map((statement) => {
          const { books, connection, credit, currency, differences, invoices, more, service, sourceSays } = statement
          return [
            connection,
            currency,
            rowsAt(invoices, connection),
            sourceSays === undefined ? t`not stated` : groupText(sourceSays),
            groupText(books),
            groupText(service),
            credit.invoices === 0 ? "" : `${groupText(credit.amount)} (${n(credit.invoices)})`,
            result(verdict(statement), differences.length + more, href("/documents", { connection, only: "differs" }))
          ]
        })
      )

const orders = (data: Statements): Node | null =>
  data.orders.length === 0
    ? null
    : htmlTable(
        t`Orders: authorised = captured + voided + expired + open`,
        [
          { title: t`Connection` },
          { title: t`Currency` },
          { title: t`Orders`, right: true },
          { title: t`Authorised`, right: true },
          { title: t`Captured`, right: true },
          { title: t`Voided`, right: true },
          { title: t`Expired`, right: true },
          { title: t`Open`, right: true },
          { title: t`Refunded`, right: true },
          { title: t`Source: captured`, right: true },
          { title: t`voided`, right: true },
          { title: t`refunded`, right: true },
          { title: t`Its own totals` },
          { title: t`Result` }
        ],
        data.orders.map((one) => [
          one.connection,
          one.currency,
          rowsAt(one.orders, one.connection, "order"),
          groupText(one.authorised),
          groupText(one.captured),
          groupText(one.voided),
          groupText(one.expired),
          groupText(one.open),
          groupText(one.refunded),
          groupText(one.source.captured),
          groupText(one.source.voided),
          groupText(one.source.refunded),
          sentence(Orders.ownTotals(one)),
          result(
            Orders.orderResult(one),
            Orders.countApart(one),
            href("/documents", { connection: one.connection, kind: "order", only: "differs" })
          )
        ])
      )

const payments = (data: Statements): Node | null =>
  data.payments.length === 0
    ? null
    : htmlTable(
        t`Payments, and the invoices of other connections that they are for`,
        [
          { title: t`Connection` },
          { title: t`Pays` },
          { title: t`Currency` },
          { title: t`Payments`, right: true },
          { title: t`Received`, right: true },
          { title: t`Matched`, right: true },
          { title: t`Payouts`, right: true },
          { title: t`Not for invoices`, right: true },
          { title: t`Waiting`, right: true },
          { title: t`Result` }
        ],
        data.payments.map((one) => [
          one.connection,
          one.pays,
          one.currency,
          rowsAt(one.payments, one.connection, "payment"),
          groupText(one.received),
          groupText(one.matched),
          html`<a href="/payouts">${groupText(one.payouts)}</a>`,
          groupText(one.notForInvoices),
          groupText(one.waiting),
          result(resultOf(one), one.differences.length + one.more, "/attention")
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
        t`Control totals stated by files and lists`,
        [
          { title: t`Connection` },
          { title: t`Currency` },
          { title: t`List` },
          { title: t`It says`, right: true },
          { title: t`Read`, right: true },
          { title: t`Result` }
        ],
        all.map(({ connection, currency, total: { agrees, amount, at, column, list, read, what } }) => [
          connection,
          currency,
          what === "total" ? `${list} (${column})` : t`closing balance of ${list} (${column})`,
          groupText(amount),
          groupText(read),
          agrees ? mark("good", t`agrees`) : html`${mark("warn", t`differs`)} (${at})`
        ])
      )
}
