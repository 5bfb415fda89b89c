/**
 * The first page: what is read and sent, whether source, books and service agree, what is open and by how long, and what
 * waits for a person.
 */
import { group } from "../../core/money/Currency.ts"
import type { Approval } from "../../sync/plan/Approvals.ts"
import { type Statement, verdict } from "../../sync/reconciliation/InvoiceStatement.ts"
import type { Ageing, Day } from "../../sync/reports/Dashboard.ts"
import type { PaymentStatement } from "../../sync/reconciliation/PaymentStatement.ts"
import { countApart, type OrderStatement, ownTotals } from "../../sync/reconciliation/OrderStatement.ts"
import type { ConnectionRow, RunRow } from "../../sync/reports/Status.ts"
import type { RunState } from "../../sync/schedule/RunState.ts"
import * as Charts from "./Charts.ts"
import { href, html, mark, type Node, htmlTable, when } from "./Html.ts"
import { type Problems, problems } from "./Problems.ts"
import { grouped } from "../../core/Plural.ts"

export interface Overview extends Problems {
  readonly connections: ReadonlyArray<
    ConnectionRow & { readonly source: string; readonly turn: RunState | undefined; readonly next: number | undefined }
  >
  readonly statements: ReadonlyArray<Statement>
  readonly orders: ReadonlyArray<OrderStatement>
  readonly payments: ReadonlyArray<PaymentStatement>
  readonly attention: number
  readonly approvals: ReadonlyArray<Approval>
  readonly ageing: ReadonlyArray<Ageing>
  readonly calls: ReadonlyArray<Day>
  readonly runs: ReadonlyArray<RunRow>
}

const KINDS = [
  "invoices",
  "payments",
  "reversals",
  "credit_notes",
  "orders",
  "fulfilments",
  "cancellations",
  "returns"
] as const satisfies ReadonlyArray<keyof ConnectionRow>

const n = (value: number): string => grouped(value)

const how = ({ turn }: { readonly turn: RunState | undefined }): Node =>
  turn === undefined || turn.began === null
    ? mark("plain", "not yet")
    : turn.ended === null
      ? mark("plain", "running")
      : turn.failures > 0
        ? html`${mark("bad", `failed ${turn.failures === 1 ? "once" : `${turn.failures} times`}`)}<br />${turn.message}`
        : html`${mark(turn.outcome === "done" ? "good" : "warn", turn.outcome ?? "done")}${" "}${when(turn.ended)}`

const card = (title: string, big: Node, words: Node): Node =>
  html`<section class="card"><h2>${title}</h2><div class="big">${big}</div><div>${words}</div></section>`

const agree = (
  statements: ReadonlyArray<{
    readonly differences: ReadonlyArray<unknown>
    readonly unchecked?: number
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
        : statements.some(({ unchecked = 0 }) => unchecked > 0)
          ? mark("plain", "books and service agree")
          : mark("good", "agree")
      : mark("warn", `${apart} apart`)
}

const outcome = ({ ended, outcome }: RunRow): Node =>
  ended === null
    ? mark("plain", "interrupted")
    : outcome === "done"
      ? mark("good", "done")
      : mark("bad", outcome ?? "not known")

const figure = (text: string | null, name: string): string => {
  const value = text === null ? undefined : (JSON.parse(text) as Readonly<Record<string, unknown>>)[name]
  return typeof value === "number" ? n(value) : ""
}

export const overview = (data: Overview): Node => {
  const currencies = [...new Set(data.ageing.map(({ currency }) => currency))]
  return html`
    ${cards(data)}
    ${connections(data)}
    <h2>Completeness</h2>
    ${invoices(data)}
    ${orders(data)}
    ${payments(data)}
    ${lists(data)}
    <h2>Over time</h2>
    <div class="cards wide">
      ${currencies.map((currency) =>
        Charts.receivables(
          currency,
          data.ageing.filter((row) => row.currency === currency)
        )
      )}
      ${Charts.calls(data.calls)}
    </div>
    ${runs(data)}
    ${problems(data)}
  `
}

const cards = (data: Overview): Node => {
  const waiting = data.approvals.filter(({ decision }) => decision === null)
  return html`
    <div class="cards">
      ${card("Source, books and service", agree([...data.statements, ...data.orders, ...data.payments]), "Sums per connection and currency, below")}
      ${card(
        "Needs attention",
        n(data.attention),
        data.attention === 0 ? none(data) : html`<a href="/attention">See what, and what can be done</a>`
      )}
      ${card(
        "Plans to approve",
        n(waiting.length),
        waiting.length === 0 ? "None." : html`<a href="/plans">Look at ${waiting.length === 1 ? "it" : "them"}</a>`
      )}
      ${card(
        "Not readable",
        n(data.notReadable),
        data.notReadable === 0 ? "Every record could be read." : html`<a href="#quarantined">Quarantined records</a>`
      )}
    </div>
  `
}

/** What was read and not planned yet may need attention, too. */
const none = (data: Overview): string => {
  const waiting = data.connections.reduce((sum, one) => sum + one.waiting, 0)
  return waiting === 0 || data.approvals.length > 0
    ? "Nothing."
    : `Nothing so far; ${n(waiting)} ${waiting === 1 ? "document is" : "documents are"} not planned yet.`
}

const connections = (data: Overview): Node => html`
    <h2>Connections</h2>
    ${htmlTable(
      "What was read and sent, and the last run",
      [
        { title: "Connection" },
        { title: "Source" },
        { title: "Documents", right: true },
        { title: "Sent", right: true },
        { title: "To plan", right: true },
        { title: "Read" },
        { title: "Last run" },
        { title: "Next" }
      ],
      data.connections.map((one) => [
        html`<a href=${href("/documents", { connection: one.connection })}>${one.name ?? one.connection}</a>`,
        one.source,
        n(KINDS.reduce((sum, kind) => sum + one[kind], 0)),
        n(one.sent),
        n(one.waiting),
        when(one.read),
        how(one),
        one.next === undefined ? mark("plain", "on request") : when(one.next)
      ])
    )}
`

/** How an amount that differs is shown, and where it leads. */
const result = (differences: number, path: string): Node =>
  differences === 0 ? mark("good", "agree") : html`<a href=${path}>${mark("warn", `${n(differences)} apart`)}</a>`

const invoices = (data: Overview): Node =>
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

const orders = (data: Overview): Node | null =>
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

const payments = (data: Overview): Node | null =>
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
          { title: "Result" }
        ],
        data.payments.map((one) => [
          one.connection,
          one.pays,
          one.currency,
          n(one.payments),
          group(one.received),
          group(one.matched),
          result(one.differences.length + one.more, "/attention")
        ])
      )

/** What lists of the sources say themselves that they come to, beside what was read of them. */
const lists = (data: Overview): Node | null => {
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
        "Control totals: what files and lists say themselves that they come to",
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

const runs = (data: Overview): Node => html`
    <h2>Last runs</h2>
    ${htmlTable(
      "The last runs, newest first",
      [
        { title: "#", right: true },
        { title: "What" },
        { title: "Began" },
        { title: "Calls", right: true },
        { title: "Failed", right: true },
        { title: "Outcome" }
      ],
      data.runs.map((run) => [
        String(run.id),
        run.command,
        when(run.started),
        figure(run.figures, "done"),
        figure(run.figures, "failed"),
        outcome(run)
      ])
    )}
`
