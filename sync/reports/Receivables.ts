/**
 * Lists invoices that are open in the books, for collecting payments: by age, by the week in which they are due, by customer.
 * Read-only. The cost depends on the open invoices, not on the size of the books.
 */
import type * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { columns, type Row, type Sheet } from "./sheets/Sheet.ts"
import { containing } from "./SearchText.ts"

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
  /** Only these invoices, by the numbers of their documents. */
  readonly documents?: ReadonlyArray<number> | undefined
  /** Searched in the customer's name and the number. */
  readonly text?: string | undefined
}

export interface Receivable {
  readonly key: string
  readonly connection: string
  readonly number: string
  readonly customer: string
  /** Its number in the state file. */
  readonly customerId: number
  readonly issued: Day.Day | null
  readonly due: Day.Day
  /** Days since the due date; zero or negative before. */
  readonly late: number
  readonly currency: string
  readonly gross: Decimal.Decimal | undefined
  /** Negative: owed to the customer. */
  readonly open: Decimal.Decimal
  readonly insured: boolean
}

/** Invoices that are open in the books, from an index of these alone. */
export const OPEN = `SELECT i.document, i.customer, c.connection, c.name, i.currency, i.open, i.insured, i.owed AS due
  FROM customer_invoice i CROSS JOIN customer c ON c.id = i.customer
  WHERE i.open <> 0 AND c.connection IN (SELECT value FROM json_each(:connections))`

const LATE = "CAST(julianday(:today) - julianday(due) AS INTEGER)"
const WEEK = "date(due, 'weekday 0', '-6 days')"
/** The invoice's number, or else its id in the source. */
const NUMBER = `coalesce(${Body.at("invoice", "number", "d.body")}, ${Body.at("invoice", "id", "d.body")})`

const AGED: Readonly<Record<(typeof AGES)[number], string>> = {
  "not due": `${LATE} <= 0`,
  overdue: `${LATE} > 0`,
  "1-30": `${LATE} BETWEEN 1 AND 30`,
  "31-60": `${LATE} BETWEEN 31 AND 60`,
  "61-90": `${LATE} BETWEEN 61 AND 90`,
  "over 90": `${LATE} > 90`
}

const SORTED: Readonly<Record<(typeof SORTS)[number], string>> = {
  due: "due, document",
  amount: "open DESC, document",
  customer: "name COLLATE NOCASE, due, document",
  number: `${NUMBER}, document`
}

const filtered = (filter: ReceivablesFilter, today: Day.Day) => {
  const { age, connections, currency, customer, documents, text, week } = filter
  const where = [
    ...(currency === undefined ? [] : ["currency = :currency"]),
    ...(age === undefined ? [] : [AGED[age]]),
    ...(week === undefined ? [] : [`${WEEK} = :week`]),
    ...(customer === undefined ? [] : ["customer = :customer"]),
    ...(documents === undefined ? [] : ["document IN (SELECT value FROM json_each(:documents))"]),
    ...(text === undefined ? [] : [`(name LIKE :like ESCAPE '\\' OR ${NUMBER} LIKE :like ESCAPE '\\')`])
  ]
  return {
    where: where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`,
    values: {
      connections: JSON.stringify(connections),
      ...(age === undefined ? {} : { today }),
      ...(currency === undefined ? {} : { currency }),
      ...(week === undefined ? {} : { week }),
      ...(customer === undefined ? {} : { customer }),
      ...(documents === undefined ? {} : { documents: JSON.stringify(documents) }),
      ...(text === undefined ? {} : { like: containing(text) })
    }
  }
}

const BY_DOCUMENT = "JOIN document d ON d.id = o.document"

/** Those of one page are found first: the documents of all others need not be looked at. */
const listed = (filter: ReceivablesFilter, sort: (typeof SORTS)[number], where: string, limit: string): string => {
  const documents = sort === "number" || filter.text !== undefined ? BY_DOCUMENT : ""
  return `SELECT o.*, d.key, d.body FROM (SELECT o.* FROM (${OPEN}) o ${documents} ${where} ORDER BY ${SORTED[sort]} ${limit}) o
    ${BY_DOCUMENT} ORDER BY ${SORTED[sort]}`
}

interface Stored {
  readonly key: string
  readonly connection: string
  readonly currency: string
  readonly open: bigint
  readonly insured: bigint
  readonly due: string
  readonly body: string
  readonly customer: bigint
}

const receivable = (row: Stored, today: Day.Day): Receivable => {
  const { body, connection, currency, due, insured, key, open } = row
  const invoice = Body.read(body) as Document.Invoice
  const day = Day.of(due)
  return {
    ...{ key, connection },
    number: invoice.number ?? invoice.id,
    customer: invoice.party?.name ?? "",
    customerId: Number(row.customer),
    issued: invoice.issued ?? null,
    due: day,
    late: Day.between(day, today),
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
  const { values, where } = filtered(filter, today)
  const rows = db
    .prepare(listed(filter, sort, where, "LIMIT :most OFFSET :skip"))
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
  const { values, where } = filtered(filter, today)
  const documents = filter.text === undefined ? "" : BY_DOCUMENT
  const rows = db
    .prepare(
      `SELECT currency, count(*) AS invoices, sum(open) AS open, sum(CASE WHEN ${AGED.overdue} THEN open ELSE 0 END) AS overdue
        FROM (${OPEN}) o ${documents} ${where} GROUP BY currency ORDER BY currency`
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
  columns:
    columns(`Document text 30, Number text 16, Customer text 30, Issued date 12, Due date 12, Days overdue integer 12,
      Currency text 9, Gross money 14, Open money 14, Insured text 9`),
  *rows(): IterableIterator<Row> {
    const { values, where } = filtered(filter, today)
    const rows = db
      .prepare(listed(filter, sort, where, ""))
      .safeIntegers()
      .iterate(values)
    for (const row of rows as IterableIterator<Stored>) {
      const { currency, customer, due, gross, insured, issued, key, late, number, open } = receivable(row, today)
      yield [key, number, customer, issued, due, Math.max(0, late), currency, gross, open, insured ? "yes" : "no"]
    }
  }
})
