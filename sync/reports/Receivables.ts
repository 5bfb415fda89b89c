/**
 * Lists invoices that are open in the books, for collecting payments: by age, by the week in which they are due, by customer.
 * Read-only. The cost depends on the open invoices, not on the size of the books.
 */
import type * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Body from "../state/Body.ts"
import type { Database } from "../state/Database.ts"
import { column, type Row, type Sheet } from "./sheets/Sheet.ts"
import { containing } from "./SearchText.ts"

type Db = Database["Service"]

export const AGES = ["not due", "overdue", "1-30", "31-60", "61-90", "over 90"] as const
export const SORTS = ["due", "amount", "customer", "number"] as const

export interface ReceivablesFilter {
  readonly connections: ReadonlyArray<string>
  readonly currency?: string | undefined
  /** Days since the due date. */
  readonly age?: (typeof AGES)[number] | undefined
  /** The Monday of the week in which they are due. */
  readonly week?: Day.Day | undefined
  /** One customer, by its number in the state file. */
  readonly customer?: number | undefined
  /** Only these invoices. */
  readonly keys?: ReadonlyArray<string> | undefined
  /** Searched in the customer's name and the number. */
  readonly text?: string | undefined
}

export interface Receivable {
  readonly key: string
  readonly connection: string
  readonly number: string
  readonly customer: string
  /** Its number in the state file. */
  readonly customerId: number | null
  readonly issued: Day.Day | null
  readonly due: Day.Day | null
  /** Days since the due date; zero or negative before. */
  readonly late: number
  readonly currency: string
  readonly gross: Decimal.Decimal | undefined
  /** Negative: owed to the customer. */
  readonly open: Decimal.Decimal
  readonly insured: boolean
}

/** Invoices open in books and on the service, and those on which the two differ: each has its own index. */
export const OPEN = `SELECT d.id AS document, l.subject AS key, l.connection, l.currency, l.books_open AS open,
    coalesce(l.held ->> '$.insured', 0) AS insured,
    coalesce(l.held ->> '$.stated.due_date', l.held ->> '$.fields.due_date', ${Body.at("invoice", "due", "d.body")}) AS due, d.body
  FROM ledger l JOIN document d ON d.key = l.subject
  WHERE l.id IN (
      SELECT id FROM ledger WHERE connection IN (SELECT value FROM json_each(:connections)) AND service_open <> 0
      UNION SELECT id FROM ledger WHERE connection IN (SELECT value FROM json_each(:connections)) AND books_open <> service_open)
    AND l.books_open <> 0 AND l.subject LIKE '%/invoice/%'`

const LATE = "CAST(julianday(:today) - julianday(due) AS INTEGER)"
const WEEK = "date(due, 'weekday 0', '-6 days')"
const NAME = `coalesce(${Body.at("invoice", "party.name", "body")}, '')`
/** The invoice's number, or else its id in the source. */
const NUMBER = `coalesce(${Body.at("invoice", "number", "body")}, ${Body.at("invoice", "id", "body")})`

const AGED: Readonly<Record<(typeof AGES)[number], string>> = {
  "not due": `(due IS NULL OR ${LATE} <= 0)`,
  overdue: `${LATE} > 0`,
  "1-30": `${LATE} BETWEEN 1 AND 30`,
  "31-60": `${LATE} BETWEEN 31 AND 60`,
  "61-90": `${LATE} BETWEEN 61 AND 90`,
  "over 90": `${LATE} > 90`
}

const SORTED: Readonly<Record<(typeof SORTS)[number], string>> = {
  due: "due, key",
  amount: "open DESC, key",
  customer: `${NAME} COLLATE NOCASE, due, key`,
  number: `${NUMBER}, key`
}

const filtered = ({ age, connections, currency, customer, keys, text, week }: ReceivablesFilter, today: Day.Day) => {
  const where = [
    ...(currency === undefined ? [] : ["currency = :currency"]),
    ...(age === undefined ? [] : [AGED[age]]),
    ...(week === undefined ? [] : [`${WEEK} = :week`]),
    // With "+" each open invoice is looked for among the customer's, and not each of the customer's in each open one.
    ...(customer === undefined
      ? []
      : ["+document IN (SELECT document FROM customer_invoice WHERE customer = :customer)"]),
    ...(keys === undefined ? [] : ["key IN (SELECT value FROM json_each(:keys))"]),
    ...(text === undefined ? [] : [`(${NAME} LIKE :like ESCAPE '\\' OR ${NUMBER} LIKE :like ESCAPE '\\')`])
  ]
  return {
    from: `FROM (${OPEN}) o${where.length === 0 ? "" : ` WHERE ${where.join(" AND ")}`}`,
    values: {
      connections: JSON.stringify(connections),
      ...(age === undefined ? {} : { today }),
      ...(currency === undefined ? {} : { currency }),
      ...(week === undefined ? {} : { week }),
      ...(customer === undefined ? {} : { customer }),
      ...(keys === undefined ? {} : { keys: JSON.stringify(keys) }),
      ...(text === undefined ? {} : { like: containing(text) })
    }
  }
}

const LISTED = "SELECT *, (SELECT i.customer FROM customer_invoice i WHERE i.document = o.document) AS customer"

interface Stored {
  readonly key: string
  readonly connection: string
  readonly currency: string
  readonly open: bigint
  readonly insured: bigint
  readonly due: string | null
  readonly body: string
  readonly customer: bigint | null
}

const receivable = (row: Stored, today: Day.Day): Receivable => {
  const { body, connection, currency, due, insured, key, open } = row
  const invoice = Body.read(body) as Document.Invoice
  const day = due === null ? null : Day.of(due)
  return {
    ...{ key, connection },
    number: invoice.number ?? invoice.id,
    customer: invoice.party?.name ?? "",
    customerId: row.customer === null ? null : Number(row.customer),
    issued: invoice.issued ?? null,
    due: day,
    late: day === null ? 0 : Day.between(day, today),
    currency,
    gross: invoice.gross,
    open: Currency.ofMinor(open, currency),
    insured: insured === 1n
  }
}

export interface Page {
  readonly sort: (typeof SORTS)[number]
  readonly most: number
  /** How many rows to skip. */
  readonly skip: number
}

/** One page of them, in this order. */
export const receivables = (
  db: Db,
  filter: ReceivablesFilter,
  { most, skip, sort }: Page,
  today: Day.Day
): ReadonlyArray<Receivable> => {
  const { from, values } = filtered(filter, today)
  const rows = db
    .prepare(`${LISTED} ${from} ORDER BY ${SORTED[sort]} LIMIT :most OFFSET :skip`)
    .safeIntegers()
    .all({ ...values, most, skip }) as ReadonlyArray<Stored>
  return rows.map((row) => receivable(row, today))
}

export interface OpenTotal {
  readonly currency: string
  readonly invoices: number
  readonly open: Decimal.Decimal
  /** The overdue part. */
  readonly overdue: Decimal.Decimal
}

type OpenRow = Record<"invoices" | "open" | "overdue", bigint> & { readonly currency: string }

const openTotal = ({ currency, invoices, open, overdue }: OpenRow): OpenTotal => ({
  currency,
  invoices: Number(invoices),
  open: Currency.ofMinor(open, currency),
  overdue: Currency.ofMinor(overdue, currency)
})

/** The totals, by currency. */
export const totals = (db: Db, filter: ReceivablesFilter, today: Day.Day): ReadonlyArray<OpenTotal> => {
  const { from, values } = filtered(filter, today)
  const rows = db
    .prepare(
      `SELECT currency, count(*) AS invoices, sum(open) AS open, sum(CASE WHEN ${AGED.overdue} THEN open ELSE 0 END) AS overdue
        ${from} GROUP BY currency ORDER BY currency`
    )
    .safeIntegers()
    .all({ ...values, today }) as ReadonlyArray<OpenRow>
  return rows.map(openTotal)
}

/** The Monday of a day's week. */
export const mondayOf = (day: Day.Day): Day.Day => Day.addDays(day, -((new Date(day).getUTCDay() + 6) % 7))

/** All of them as a sheet, for download. */
export const receivablesSheet = (db: Db, filter: ReceivablesFilter, sort: Page["sort"], today: Day.Day): Sheet => ({
  name: "Receivables",
  currency: 6,
  columns: [
    column("Document", "text", 30),
    column("Number", "text", 16),
    column("Customer", "text", 30),
    column("Issued", "date", 12),
    column("Due", "date", 12),
    column("Days overdue", "integer", 12),
    column("Currency", "text", 9),
    column("Gross", "money", 14),
    column("Open", "money", 14),
    column("Insured", "text", 9)
  ],
  *rows(): IterableIterator<Row> {
    const { from, values } = filtered(filter, today)
    const rows = db.prepare(`${LISTED} ${from} ORDER BY ${SORTED[sort]}`).safeIntegers().iterate(values)
    for (const row of rows as IterableIterator<Stored>) {
      const { currency, customer, due, gross, insured, issued, key, late, number, open } = receivable(row, today)
      yield [key, number, customer, issued, due, Math.max(0, late), currency, gross, open, insured ? "yes" : "no"]
    }
  }
})
