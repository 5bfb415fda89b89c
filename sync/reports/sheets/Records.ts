/**
 * What was done and what is left to do, as sheets: the calls, what needs a person, what could not be read, and the
 * completeness statement with every difference.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Completeness from "../../Completeness.ts"
import * as OrderCompleteness from "../../OrderCompleteness.ts"
import type { Database } from "../../state/Database.ts"
import { column, type Row, type Sheet, within } from "./Sheet.ts"

type Db = Database["Service"]

interface CallRow {
  readonly id: number
  readonly run: number
  readonly subject: string
  readonly fact: string
  readonly rule: string
  readonly operation: string
  readonly request: string
  readonly because: string
  readonly claimed: number
  readonly sends: number
  readonly outcome: string | null
  readonly status: number | null
  readonly remote: string | null
  readonly answered: number | null
  readonly currency: string | null
}

export const calls = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Calls",
  currency: 8,
  columns: [
    column("N", "integer", 8),
    column("Run", "integer", 7),
    column("Claimed at (UTC)", "instant", 20),
    column("Document", "text", 30),
    column("Caused by", "text", 30),
    column("Rule", "text", 7),
    column("Operation", "text", 26),
    column("Because", "text", 60),
    column("Currency", "text", 9),
    column("Amount", "money", 15),
    column("Times sent", "integer", 11),
    column("Outcome", "text", 10),
    column("Status", "integer", 8),
    column("Remote id", "text", 26),
    column("Answered at (UTC)", "instant", 20)
  ],
  rows: function* () {
    const ours = within(connections)
    const rows = db.raw
      .prepare(
        `SELECT c.id, c.run, c.subject, c.fact, c.rule, c.operation, c.request, c.because, c.claimed, c.sends,
            c.outcome, c.status, c.remote, c.answered, l.currency
          FROM call c LEFT JOIN ledger l ON l.subject = c.subject ORDER BY c.id`
      )
      .iterate() as IterableIterator<CallRow>
    for (const row of rows) {
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
        row.because,
        amount === undefined ? null : (currency ?? row.currency),
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
  /** The amount is a count of 10^-8 here, see `Claims.claim`. */
  readonly posting?: { readonly amount: string }
}

/** The amount that a call was about, in major units: of a payment, or what an invoice was said to ask for. */
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

export const attention = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Attention",
  currency: -1,
  columns: [
    column("Since (UTC)", "instant", 20),
    column("Document", "text", 30),
    column("Caused by", "text", 30),
    column("Rule", "text", 7),
    column("Why", "text", 70),
    column("What to do", "text", 70)
  ],
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

export const setAside = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Set aside",
  currency: -1,
  columns: [
    column("Connection", "text", 18),
    column("Where", "text", 34),
    column("Kind", "text", 12),
    column("Id", "text", 20),
    column("Field", "text", 16),
    column("Why", "text", 60),
    column("As it was read", "text", 80),
    column("Since (UTC)", "instant", 20)
  ],
  rows: function* () {
    const rows = db.raw
      .prepare(
        "SELECT connection, origin, kind, id, field, why, raw, since FROM set_aside WHERE connection = ? ORDER BY rowid"
      )
      .raw()
    for (const connection of connections) yield* rows.iterate(connection) as IterableIterator<Row>
  }
})

interface Differing {
  readonly subject: string
  readonly remote: string | null
  readonly books_open: bigint
  readonly service_open: bigint
  readonly why: string | null
}

/** The statements of all connections, each followed by what differs, without the limit of the one on the screen. */
export const completeness = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Completeness",
  currency: 1,
  columns: [
    column("Connection", "text", 18),
    column("Currency", "text", 9),
    column("What", "text", 12),
    column("Document", "text", 32),
    column("Source", "money", 16),
    column("Books", "money", 16),
    column("Service", "money", 16),
    column("Difference", "money", 16),
    column("Why", "text", 70)
  ],
  isTotal: (row) => row[2] === STATEMENT || row[2] === ORDERS,
  rows: function* () {
    const statement = db.raw
      .prepare(
        `SELECT l.subject, l.remote, l.books_open, l.service_open,
            (SELECT a.why FROM attention a WHERE a.subject = l.subject AND a.closed IS NULL LIMIT 1) AS why
          FROM ledger l WHERE l.connection = :connection AND l.currency = :currency AND l.books_open <> l.service_open
            AND l.subject > :connection || '/' || :kind || '/' AND l.subject < :connection || '/' || :kind || '0'
          ORDER BY l.subject`
      )
      .safeIntegers()
    const differing = function* (connection: string, currency: string, kind: string): Generator<Row> {
      for (const row of statement.iterate({ connection, currency, kind }) as IterableIterator<Differing>) {
        const inBooks = major(row.books_open, currency)
        const onService = major(row.service_open, currency)
        const why = row.why ?? (row.remote === null ? UNTOLD : UNSENT)
        yield [connection, currency, "difference", row.subject, null, inBooks, onService, inBooks - onService, why]
      }
    }
    for (const statement of Completeness.statements(db, connections)) {
      const { books, connection, currency, service, source } = statement
      const parts = statement.differences.filter(({ document }) => document.startsWith(`${connection}: `))
      yield [
        connection,
        currency,
        STATEMENT,
        null,
        Decimal.of(source),
        Decimal.of(books),
        Decimal.of(service),
        Decimal.of(books) - Decimal.of(service),
        said(statement)
      ]
      for (const { amount, document, why } of parts) {
        yield [connection, currency, "difference", document, null, null, null, Decimal.of(amount), why]
      }
      yield* differing(connection, currency, "invoice")
    }
    for (const one of OrderCompleteness.statements(db, connections)) {
      const { books, connection, currency, open } = one
      const [inBooks, onService] = [Decimal.of(books), Decimal.of(open)]
      yield [connection, currency, ORDERS, null, null, inBooks, onService, inBooks - onService, summed(one)]
      yield* differing(connection, currency, "order")
    }
  }
})

const STATEMENT = "statement"
const ORDERS = "orders"
const UNTOLD = "the service has not been told yet"
const UNSENT = "not everything has been sent yet"

/** What is open of orders, beside what they come to. */
const summed = ({ authorised, captured, expired, open, refunded, voided }: OrderCompleteness.OrderStatement): string =>
  `${authorised} authorised = ${captured} captured + ${voided} voided + ${expired} expired + ${open} open; ${refunded} refunded`

const said = ({ differences, more }: Completeness.Statement): string => {
  const count = differences.length + more
  if (count === 0) return "source, books and service agree"
  return count === 1 ? "1 difference, listed below" : `${count} differences, listed below`
}

const major = (minor: bigint, currency: string): Decimal.Decimal =>
  minor * 10n ** BigInt(Decimal.PLACES - Currency.decimals(currency))
