/**
 * Builds the sheets of what was done and what is left to do: calls, attention items, records that could not be read, and the
 * completeness statement with every difference.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { InvoiceStatement, ListTotal, OrderStatement } from "../../model/reports/Statement.ts"
import * as InvoiceStatements from "../../reconciliation/InvoiceStatement.ts"
import * as ListTotals from "../../reconciliation/ListTotals.ts"
import * as PaymentStatement from "../../reconciliation/PaymentStatement.ts"
import * as Standings from "../../reconciliation/Standings.ts"
import * as OrderCompleteness from "../../reconciliation/OrderStatement.ts"
import * as PastCalls from "../../state/calls/PastCalls.ts"
import type { Db } from "../../state/Database.ts"
import { columns, type Row, type Sheet, within } from "./Sheet.ts"

export const calls = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Calls",
  currency: 8,
  columns:
    columns(`N integer 8, Run integer 7, Claimed at (UTC) instant 20, Document text 30, Caused by text 30, Rule text 7,
      Operation text 26, Because text 60, Currency text 9, Amount money 15, Times sent integer 11, Outcome text 10,
      Status integer 8, Remote id text 26, Answered at (UTC) instant 20`),
  rows: function* () {
    const ours = within(connections)
    const currencyOf = db.prepare("SELECT currency FROM ledger WHERE subject = ?").pluck()
    for (const row of PastCalls.all(db, "asc")) {
      if (!ours(row.subject)) continue
      const { amount, currency } = asked(row.request)
      yield [
        row.id,
        row.run,
        row.claimed,
        row.subject,
        row.fact === row.subject ? null : row.fact,
        row.rule,
        row.operation,
        row.reason,
        amount === undefined ? null : (currency ?? (currencyOf.get(row.subject) as string | undefined) ?? null),
        amount,
        row.sends,
        row.outcome ?? "not known",
        row.status,
        row.remote,
        row.answered
      ]
    }
  }
})

interface Request {
  readonly body?: Readonly<Record<string, unknown>>
  /** Here the amount is an integer of 10^-8, see `Claims.claim`. */
  readonly posting?: { readonly amount: string }
}

/** The amount of a call, in major units: that of a payment, or the amount of an invoice. */
const asked = (request: string): { readonly amount?: Decimal.Decimal; readonly currency?: string } => {
  const { body, posting } = JSON.parse(request) as Request
  if (posting !== undefined) return { amount: BigInt(posting.amount) }
  const text = body?.["gross_amount"] ?? body?.["net_amount"]
  const amount = typeof text === "string" ? Decimal.parse(text) : undefined
  const currency = body?.["currency"]
  return {
    ...(typeof amount === "bigint" ? { amount } : {}),
    ...(typeof currency === "string" ? { currency } : {})
  }
}

export const attentionSheet = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Attention",
  currency: -1,
  columns: columns(
    `Since (UTC) instant 20, Document text 30, Caused by text 30, Rule text 7, Why text 70, What to do text 70`
  ),
  rows: function* () {
    const ours = within(connections)
    const rows = db.raw
      .prepare("SELECT since, subject, fact, rule, why, todo FROM attention WHERE closed IS NULL ORDER BY subject, id")
      .raw()
      .iterate() as IterableIterator<[number, string, string, string, string, string]>
    for (const [since, subject, fact, rule, why, todo] of rows) {
      if (ours(subject)) yield [since, subject, fact === subject ? null : fact, rule, why, todo]
    }
  }
})

export const quarantined = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Quarantined",
  currency: -1,
  columns:
    columns(`Connection text 18, Where text 34, Kind text 12, Id text 20, Field text 16, Why text 60, Raw record text 80,
      Since (UTC) instant 20`),
  rows: function* () {
    const rows = db.raw
      .prepare(
        "SELECT connection, origin, kind, id, field, why, raw, since FROM quarantine WHERE connection = ? ORDER BY rowid"
      )
      .raw()
    for (const connection of connections) yield* rows.iterate(connection) as IterableIterator<Row>
  }
})

/** The statements of all connections, each followed by all of its differences, without the limit for the screen. */
export const completeness = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Completeness",
  currency: 1,
  columns:
    columns(`Connection text 18, Currency text 9, What text 12, Document text 32, Source says money 16, Books money 16,
      Service money 16, Credit balances money 16, Difference money 16, Why text 70`),
  isTotal: (row) => row[2] === STATEMENT || row[2] === ORDERS,
  rows: function* () {
    for (const statement of yield* InvoiceStatements.inParts(db, connections)) {
      const { books, connection, credit, currency, service, sourceSays } = statement
      const parts = statement.differences.filter(({ document }) => document.startsWith(`${connection}: `))
      yield [
        connection,
        currency,
        STATEMENT,
        null,
        sourceSays === undefined ? null : Decimal.of(sourceSays),
        Decimal.of(books),
        Decimal.of(service),
        Decimal.of(credit.amount),
        Decimal.of(books) - Decimal.of(service),
        said(statement)
      ]
      yield* listed(connection, currency, statement.totals)
      const isListed = (document: string) => statement.totals?.some(({ at }) => document === `${connection}: ${at}`)
      for (const { amount, document, why } of parts) {
        if (isListed(document) === true) continue
        yield [connection, currency, "difference", document, null, null, null, null, Decimal.of(amount), why]
      }
      yield* apart(db, connection, currency)
    }
    for (const { connection, currency, totals } of PaymentStatement.statements(db, connections))
      yield* listed(connection, currency, totals)
    yield* orderRows(db, connections)
  }
})

/** The totals that lists of the source state themselves, next to what was read of them. */
const listed = function* (connection: string, currency: string, totals: ReadonlyArray<ListTotal> = []): Generator<Row> {
  for (const total of totals) {
    const [says, read] = [Decimal.of(total.amount), Decimal.of(total.read)]
    yield [connection, currency, LISTED, total.at, says, read, null, null, says - read, ListTotals.words(total)]
  }
}

/** Every invoice on which the source's own figure, the books and the service differ. */
const apart = function* (db: Db, connection: string, currency: string): Generator<Row | undefined> {
  for (const one of Standings.everySaidOtherwise(db, connection, currency)) {
    if (one === undefined) {
      yield undefined
      continue
    }
    const { follows, says, subject } = one
    const [its, ours] = [major(says, currency), major(follows, currency)]
    const why = InvoiceStatements.wordsOf(db, connection, subject)
    yield [connection, currency, "difference", subject, its, ours, null, null, its - ours, why]
  }
  for (const row of Standings.everyDifference(db, connection, currency)) {
    if (row === undefined) {
      yield undefined
      continue
    }
    const [ours, its] = [major(row.books, currency), major(row.service, currency)]
    const why = InvoiceStatements.whyOf(db, row)
    yield [connection, currency, "difference", row.subject, null, ours, its, null, ours - its, why]
  }
}

const numberOf = (amount: string | undefined): Decimal.Decimal | null =>
  amount === undefined ? null : Decimal.of(amount)

/** The open amounts of orders in the source, in the books and on the service; and every difference. */
const orderRows = function* (db: Db, connections: ReadonlyArray<string>): Generator<Row | undefined> {
  for (const one of yield* OrderCompleteness.inParts(db, connections, Number.POSITIVE_INFINITY)) {
    const { books, connection, currency, differences, lists, open, source, waiting } = one
    const [inBooks, onService] = [Decimal.of(books), Decimal.of(open)]
    yield [
      connection,
      currency,
      ORDERS,
      null,
      Decimal.of(source.open),
      inBooks,
      onService,
      null,
      inBooks - onService,
      summed(one)
    ]
    yield* listed(connection, currency, lists)
    for (const { amount, document, service, source, totals, what, why } of [...differences, ...waiting]) {
      if (what === "currency") continue
      const of = totals === true ? ", by the source's own totals" : ""
      const row = [
        numberOf(source),
        null,
        Decimal.of(service),
        null,
        Decimal.of(amount),
        `${what}${of}: ${why}`
      ] as const
      yield [connection, currency, "difference", document, ...row]
    }
  }
}

const STATEMENT = "statement"
const LISTED = "control total"
const ORDERS = "orders"

/** The open amount of orders, next to their totals on the service and in the source. */
const summed = (one: OrderStatement): string => {
  const { authorised, captured, expired, open, refunded, source, voided } = one
  const service = `${authorised} authorised = ${captured} captured + ${voided} voided + ${expired} expired + ${open} open; ${refunded} refunded`
  const its = `${source.total} = ${source.captured} captured + ${source.voided} voided + ${source.open} open; ${source.refunded} refunded`
  return `${OrderCompleteness.orderResult(one).text}: ${service}; in the source ${its}; its own totals: ${OrderCompleteness.ownTotals(one)}`
}

const said = (statement: InvoiceStatement): string => {
  const { kind, text } = InvoiceStatements.verdict(statement)
  if (kind === "differ") return `${text}, listed below`
  return kind === "agree" ? "source, books and service agree" : text
}

const major = (minor: bigint, currency: string): Decimal.Decimal => Currency.ofMinor(minor, currency)
