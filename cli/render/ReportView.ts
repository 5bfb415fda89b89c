/**
 * Renders the end of a run: what was read, what was sent, whether books and service agree, and what needs attention.
 */
import { Duration } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import type { Report } from "../../sync/apply/Report.ts"
import type { OpenAttention } from "../../sync/apply/AttentionStore.ts"
import { verdict } from "../../sync/reconciliation/InvoiceStatement.ts"
import * as ListTotals from "../../sync/reconciliation/ListTotals.ts"
import type { InvoiceStatement } from "../../sync/model/reports/Statement.ts"
import type { QuarantinedRow } from "../../sync/reports/QuarantinedRecords.ts"
import type { DriftRow } from "../../sync/reports/Status.ts"
import type { IngestCounts } from "../../sync/model/reports/Matching.ts"
import type { Timing } from "../../sync/Timing.ts"
import { attentionLines } from "./AttentionView.ts"
import type { Output, Style } from "./Output.ts"
import { grouped, plural } from "../../core/Plural.ts"
import { table } from "./Table.ts"

const PARTS = [
  ["source", "waiting for the source"],
  ["limits", "waiting for its limits"],
  ["disk", "committing to disk"],
  ["service", "waiting for the service"],
  ["us", "Daybook itself"]
] as const

/** Where the time of a sync went, in seconds and as shares. */
export const timing = (spent: Timing, { style }: Pick<Output, "style">): string => {
  const places = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  const seconds = (ms: number) => `${Duration.toSeconds(ms).toLocaleString("en", places)} s`
  const share = (ms: number) => (spent.total === 0 ? "" : (ms / spent.total).toLocaleString("en", { style: "percent" }))
  const rows = PARTS.map(([part, words]) => [words, seconds(spent[part]), share(spent[part])])
  const lines = rows.map(
    ([words = "", time = "", part = ""]) => `  ${words.padEnd(24)}${time.padStart(10)}${part.padStart(6)}`
  )
  return [style.bold(`Where the time went: ${seconds(spent.total)}`), ...lines].join("\n")
}

export const pulled = (connection: string, taken: IngestCounts): string => {
  const parts = [
    taken.added > 0 ? `${plural(taken.added, "document")} new` : "",
    taken.changed > 0 ? `${grouped(taken.changed)} changed` : "",
    taken.deleted > 0 ? `${grouped(taken.deleted)} deleted in the source` : "",
    taken.quarantined > 0 ? `${plural(taken.quarantined, "record")} quarantined` : ""
  ].filter((part) => part !== "")
  const read = taken.read === 0 && taken.quarantined === 0 ? "up to date" : `${grouped(taken.read)} read`
  return `${connection}: ${[read, ...parts].join(", ")}`
}

/** Names for `n` operations that were done, in the order in which they are listed. */
const DONE: Readonly<Record<string, readonly [string, string]>> = {
  "organisations.create": ["organisation", "organisations"],
  "organisations.addUser": ["member", "members"],
  "users.create": ["user", "users"],
  "transactions.create": ["invoice created", "invoices created"],
  "transactions.update": ["invoice changed", "invoices changed"],
  "transactions.amend": ["insured invoice amended", "insured invoices amended"],
  "transactions.confirm": ["draft confirmed", "drafts confirmed"],
  "transactions.matchDebtor": ["debtor matched", "debtors matched"],
  "transactions.createPayment": ["payment or reversal reported", "payments and reversals reported"],
  "transactions.paid": ["marked as paid", "marked as paid"],
  "transactions.remove": ["deleted", "deleted"],
  "quotes.create": ["quote asked for", "quotes asked for"],
  "policies.create": ["policy bought", "policies bought"],
  "collections.create": ["collection created", "collections created"],
  "collections.update": ["collection completed", "collections completed"],
  "collectionDocuments.create": ["document attached", "documents attached"],
  "collectionDocuments.remove": ["document removed", "documents removed"],
  "collections.send": ["collection handed over", "collections handed over"],
  "deferredPayments.capture": ["capture", "captures"],
  "deferredPayments.void": ["void", "voids"],
  "deferredPayments.refund": ["refund", "refunds"],
  "organisations.update": ["buyer changed", "buyers changed"],
  "users.update": ["buyer's user changed", "buyers' users changed"],
  "orders.create": ["order created", "orders created"],
  "offers.create": ["offer asked for", "offers asked for"],
  "orders.putDocument": ["document of an order attached", "documents of orders attached"],
  "orders.update": ["reference changed", "references changed"],
  "deferredPayments.get": ["deferred payment read", "deferred payments read"],
  "orders.get": ["order found", "orders found"],
  "orders.list": ["order found by its reference", "orders found by their references"]
}

export interface Counts {
  /** By operation. */
  readonly done: ReadonlyMap<string, number>
  readonly refused: number
}

export const applied = (report: Report, { done, refused }: Counts, { style }: Output): string => {
  const order = Object.keys(DONE)
  const parts = [...done]
    .toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([operation, n]) => plural(n, ...(DONE[operation] ?? [operation, operation])))
  const lines = [
    report.done === 0 && refused === 0 && report.recovered === 0 && report.unknown === 0
      ? report.stopped === undefined
        ? "Nothing to send."
        : "Nothing was sent."
      : `Sent ${plural(report.done, "call")}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}.`
  ]
  if (report.recovered > 0)
    lines.push(
      `${plural(report.recovered, "call")} of an earlier run had no known outcome; each was looked up on the service first.`
    )
  if (refused > 0) lines.push(style.yellow(`${plural(refused, "call")} refused by the service.`))
  if (report.unknown > 0)
    lines.push(
      style.yellow(
        `${plural(report.unknown, "call")} without a known result; the next run checks them before it sends anything again.`
      )
    )
  return lines.join("\n")
}

/** By document, the number of the attention item that explains it, so that nothing is said twice. */
export type Items = ReadonlyMap<string, number>

/** Why a document differs. */
export const reasonOf = ({ document, why }: { readonly document: string; readonly why: string }, items?: Items) => {
  const item = items?.get(document)
  return item === undefined ? why : `see attention item ${item}`
}

/** A statement's result, in a colour. */
const result = (statement: InvoiceStatement, style: Style) => {
  const { kind, text } = verdict(statement)
  return { text, look: kind === "agree" ? style.green : kind === "differ" ? style.yellow : style.dim }
}

/** What its sums do not show by themselves. */
const remarks = (statement: InvoiceStatement): ReadonlyArray<string> => {
  const { connection, credit, currency, explained, sourceSays } = statement
  return [
    ...listTotals(statement),
    ...(credit.invoices === 0
      ? []
      : [
          `  ${connection}: ${Currency.group(credit.amount)} ${currency} of ${plural(credit.invoices, "invoice")} is owed to buyers, because more was received than invoiced. It does not lower these sums`
        ]),
    ...(sourceSays === undefined || Number(explained) === 0
      ? []
      : [
          `  ${connection}: the source's own balances are apart by ${Currency.group(explained)} ${currency} from the books, by what they do not have: payments of other connections, or money that went back`
        ])
  ]
}

/** Control totals that agree; the others are among the differences. */
export const listTotals = (
  statement: Pick<InvoiceStatement, "connection" | "currency" | "totals">
): ReadonlyArray<string> => {
  const agreeing = statement.totals?.filter(({ agrees }) => agrees) ?? []
  const shown = agreeing
    .slice(0, 10)
    .map((one) => `  ${statement.connection}: ${ListTotals.words(one)} (${statement.currency})`)
  const rest = agreeing.length - shown.length
  return rest === 0
    ? shown
    : [...shown, `  ${statement.connection}: ${plural(rest, "more control total agrees", "more control totals agree")}`]
}

export const completeness = (
  statements: ReadonlyArray<InvoiceStatement>,
  { style, width }: Output,
  items?: Items
): string => {
  if (statements.length === 0) return "Nothing to compare yet: no invoice has been sent."
  const rows = statements.map((statement, at) => {
    const { books, connection, currency, invoices, pending, quarantined, service, sourceSays } = statement
    return [
      connection,
      currency,
      grouped(invoices),
      sourceSays === undefined ? "not stated" : Currency.group(sourceSays),
      Currency.group(books),
      Currency.group(service),
      result(statement, style),
      statements.findIndex((one) => one.connection === connection) < at
        ? ""
        : {
            text: [
              pending === 0 ? "" : `${plural(pending, "invoice")} changed since the last run`,
              quarantined === 0 ? "" : `${plural(quarantined, "record")} quarantined`
            ]
              .filter((text) => text !== "")
              .join(", "),
            look: style.yellow
          }
    ]
  })
  const lines = [
    style.bold("Open amounts: source, books and service"),
    table(
      [
        { title: "Connection" },
        { title: "Currency" },
        { title: "Sent", right: true },
        { title: "Source says", right: true },
        { title: "Books", right: true },
        { title: "Service", right: true },
        { title: "" },
        { title: "" }
      ],
      rows,
      { style, width }
    )
  ]
  for (const statement of statements) {
    const { connection, currency, differences, more } = statement
    lines.push(...remarks(statement))
    for (const one of differences.slice(0, 10))
      lines.push(`  ${one.document}: ${Currency.group(one.amount)} ${currency}: ${reasonOf(one, items)}`)
    const rest = differences.length - Math.min(10, differences.length) + more
    if (rest > 0) lines.push(style.dim(`  and ${grouped(rest)} more of ${connection}`))
  }
  return lines.join("\n")
}

export const attention = (open: ReadonlyArray<OpenAttention>, count: number, { style }: Output): string => {
  const lines = [`${style.yellow(style.bold("Needs attention"))} ${style.dim(`(${grouped(count)})`)}`]
  lines.push(...attentionLines(open, style))
  if (count > open.length) lines.push(style.dim(`  and ${count - open.length} more: daybook attention`))
  return lines.join("\n")
}

/** A line about schema drift. */
export const drift = ({ connection, field, kind, origin, records, why }: Omit<DriftRow, "since">): string =>
  `${connection}: ${plural(records, "record")} of kind ${kind} with the same problem: ${field}: ${why} (first ${origin})`

/** @param alike records that share a problem, which is reported once for all of them */
export const quarantined = (
  rows: ReadonlyArray<QuarantinedRow>,
  alike: ReadonlyArray<DriftRow>,
  count: number,
  { style, width }: Output
): string => {
  const columns = [{ title: "Where" }, { title: "Field" }, { title: "What is wrong", flexible: true }]
  const cells = rows.map(({ field, origin, why }) => [origin, field ?? "", why])
  const lines = [
    `${style.yellow(style.bold("Could not be read; quarantined"))} ${style.dim(`(${grouped(count)})`)}`,
    ...(rows.length === 0 ? [] : [table(columns, cells, { style, width })]),
    ...alike.map((row) => style.yellow(drift(row)))
  ]
  const rest = count - rows.length - alike.reduce((sum, { records }) => sum + records, 0)
  if (rest > 0) lines.push(style.dim(`and ${grouped(rest)} more: daybook status`))
  return lines.join("\n")
}
