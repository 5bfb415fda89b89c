/**
 * Reports on customers: who owes what, how they pay, and everything about one customer. Read-only. The cost of the list
 * depends on the open invoices, that of one customer on the customer's own documents.
 */
import { entriesOf } from "../collections/Account.ts"
import type { AccountEntry } from "../collections/StatementOfAccount.ts"
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import type * as Day from "../../core/wire/Day.ts"
import type { BuyerLimit } from "../model/CoverContext.ts"
import * as CoverFacts from "../plan/CoverFacts.ts"
import * as Facts from "../plan/Facts.ts"
import { atOnce, type Stepwise } from "../state/Breathe.ts"
import type { Db } from "../state/Database.ts"
import { lateness, type PayingTime, usual } from "./Expected.ts"
import { OPEN, type OpenTotal } from "./Receivables.ts"
import { column, columns, type Row, type Sheet } from "./sheets/Sheet.ts"
import { containing } from "./SearchText.ts"

export const CUSTOMER_SORTS = ["open", "overdue", "name"] as const

export interface CustomersFilter {
  readonly connections: ReadonlyArray<string>
  readonly currency?: string | undefined
  /** In the name. */
  readonly text?: string | undefined
}

export interface Customer {
  readonly id: number
  readonly connection: string
  /** The customer's key in the source. */
  readonly party: string
  readonly name: string
  readonly country: string | null
}

/** A customer with the open amount in one currency; none for a customer who owes nothing. */
export interface CustomerRow extends Customer {
  readonly currency: string | null
  readonly invoices: number
  readonly open: Decimal.Decimal
  readonly overdue: Decimal.Decimal
}

const SORTED: Readonly<Record<(typeof CUSTOMER_SORTS)[number], string>> = {
  open: "open IS NULL, open DESC, name COLLATE NOCASE, id",
  overdue: "overdue IS NULL, overdue DESC, name COLLATE NOCASE, id",
  name: "name COLLATE NOCASE, id, currency"
}

const OWED = `SELECT o.customer, o.currency, count(*) AS invoices, sum(o.open) AS open,
    sum(CASE WHEN o.due < :today THEN o.open ELSE 0 END) AS overdue
  FROM (${OPEN}) o GROUP BY o.customer, o.currency`

type Stored = Omit<CustomerRow, "id" | "invoices" | "open" | "overdue"> &
  Readonly<Record<"id", bigint>> &
  Readonly<Record<"invoices" | "open" | "overdue", bigint | null>>

const rowOf = ({ id, invoices, open, overdue, ...row }: Stored): CustomerRow => ({
  ...row,
  id: Number(id),
  invoices: Number(invoices ?? 0n),
  open: Currency.ofMinor(open ?? 0n, row.currency ?? ""),
  overdue: Currency.ofMinor(overdue ?? 0n, row.currency ?? "")
})

/** Customers who owe something; with a search text, also those who do not. */
export const customers = (
  db: Db,
  { connections, currency, text }: CustomersFilter,
  {
    most,
    skip,
    sort
  }: { readonly sort: (typeof CUSTOMER_SORTS)[number]; readonly most: number; readonly skip: number },
  today: Day.Day
): ReadonlyArray<CustomerRow> => {
  const where = [
    "c.connection IN (SELECT value FROM json_each(:connections))",
    ...(text === undefined ? [] : ["c.name LIKE :like ESCAPE '\\'"]),
    ...(currency === undefined ? [] : ["w.currency = :currency"])
  ]
  const rows = db
    .prepare(
      `SELECT c.id, c.connection, c.party, c.name, c.country, w.currency, w.invoices, w.open, w.overdue
        FROM customer c ${text === undefined ? "" : "LEFT "}JOIN (${OWED}) w ON w.customer = c.id
        WHERE ${where.join(" AND ")} ORDER BY ${SORTED[sort]} LIMIT :most OFFSET :skip`
    )
    .safeIntegers()
    .all({
      ...{ connections: JSON.stringify(connections), today, most, skip },
      ...(text === undefined ? {} : { like: containing(text) }),
      ...(currency === undefined ? {} : { currency })
    }) as ReadonlyArray<Stored>
  return rows.map(rowOf)
}

export const customersSheet = (
  db: Db,
  filter: CustomersFilter,
  sort: (typeof CUSTOMER_SORTS)[number],
  today: Day.Day
): Sheet => ({
  name: "Customers",
  currency: 3,
  columns: [
    column("Customer", "text", 30),
    column("Connection", "text", 14),
    column("Country", "text", 9),
    column("Currency", "text", 9),
    column("Invoices", "integer", 10),
    column("Open", "money", 14),
    column("Overdue", "money", 14),
    column("Usually late by, days", "integer", 16)
  ],
  *rows(): IterableIterator<Row> {
    for (const one of customers(db, filter, { sort, most: 1_000_000, skip: 0 }, today)) {
      const { connection, country, currency, id, invoices, name, open, overdue } = one
      const money = currency === null ? [undefined, undefined] : [open, overdue]
      yield [name, connection, country, currency, invoices, ...money, usual(lateness(db, id))?.days]
    }
  }
})

export const find = (db: Db, connections: ReadonlyArray<string>, id: number): Customer | undefined => {
  const found = db.prepare("SELECT id, connection, party, name, country FROM customer WHERE id = ?").get(id) as
    | Customer
    | undefined
  return found !== undefined && connections.includes(found.connection) ? found : undefined
}

/** How a customer paid in a quarter. */
export interface Quarter {
  /** `2026 Q1` */
  readonly quarter: string
  readonly invoices: number
  /** The mean number of days after the due date, rounded half up; negative: early. */
  readonly late: number
}

const QUARTERS = `SELECT substr(paid, 1, 4) || ' Q' || ((CAST(substr(paid, 6, 2) AS INTEGER) + 2) / 3) AS quarter, count(*) AS invoices,
    CAST(floor(avg(julianday(paid) - julianday(due)) + 0.5) AS INTEGER) AS late
  FROM customer_invoice WHERE customer = ? AND paid IS NOT NULL GROUP BY 1 ORDER BY 1 DESC LIMIT ?`

export interface CustomerNote {
  readonly written: number
  readonly who: string
  readonly words: string
}

/** Everything about one customer. */
export interface CustomerStory extends Customer {
  readonly totals: ReadonlyArray<OpenTotal>
  readonly usual: PayingTime | undefined
  /** Latest first. */
  readonly quarters: ReadonlyArray<Quarter>
  readonly invoices: number
  /** The company that a person chose. */
  readonly match: string | null
  readonly limits: ReadonlyArray<BuyerLimit>
  readonly notes: ReadonlyArray<CustomerNote>
}

const MOST_QUARTERS = 8

export const story = (db: Db, one: Customer, totals: ReadonlyArray<OpenTotal>): CustomerStory => {
  const { connection, id, party } = one
  const companies = db
    .prepare("SELECT DISTINCT company, currency FROM cover WHERE connection = ? AND buyer = ? AND company IS NOT NULL")
    .all(connection, party) as ReadonlyArray<{ readonly company: string; readonly currency: string }>
  return {
    ...one,
    totals,
    usual: usual(lateness(db, id)),
    quarters: db.prepare(QUARTERS).all(id, MOST_QUARTERS) as ReadonlyArray<Quarter>,
    invoices: db.prepare("SELECT count(*) FROM customer_invoice WHERE customer = ?").pluck().get(id) as number,
    match:
      (db.prepare("SELECT company FROM match WHERE connection = ? AND party = ?").pluck().get(connection, party) as
        | string
        | undefined) ?? null,
    limits: companies.flatMap(({ company, currency }) => CoverFacts.limitOf(db, company, currency) ?? []),
    notes: db
      .prepare(
        "SELECT written, who, words FROM customer_note WHERE connection = ? AND party = ? ORDER BY id DESC LIMIT 50"
      )
      .all(connection, party) as ReadonlyArray<CustomerNote>
  }
}

/** A line of an account. */
export interface AccountLine extends AccountEntry {
  readonly currency: string
  /** The invoice that the line is about. */
  readonly invoice: string
  /** The balance after this line, in its currency. */
  readonly balance: Decimal.Decimal
}

/** Up to how many invoices the complete account is read. */
const MOST_ACCOUNT = 2000

const LATEST = `SELECT d.key FROM customer_invoice i JOIN document d ON d.id = i.document
  WHERE i.customer = ? ORDER BY i.issued DESC, i.document DESC LIMIT ?`

/**
 * The account of a customer's latest invoices: invoiced, paid, failed and credited amounts, sorted by day, with the balance
 * after each line by currency.
 */
export const account = (db: Db, id: number, most = MOST_ACCOUNT): ReadonlyArray<AccountLine> =>
  atOnce(accountInParts(db, id, most))

/** How many invoices are read before others have their turn. */
const PART = 100

function* accountInParts(db: Db, id: number, most: number): Stepwise<ReadonlyArray<AccountLine>> {
  const keys = db.prepare(LATEST).pluck().all(id, most) as ReadonlyArray<string>
  const entries: Array<Omit<AccountLine, "balance">> = []
  for (const [n, key] of keys.toReversed().entries()) {
    if (n % PART === PART - 1) yield
    const facts = Facts.invoiceFacts(db, key)
    const { invoice } = facts
    if (invoice === undefined) continue
    for (const entry of entriesOf(facts, invoice)) entries.push({ ...entry, currency: invoice.currency, invoice: key })
  }
  const balances = new Map<string, Decimal.Decimal>()
  return entries
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .map((entry) => {
      const balance = (balances.get(entry.currency) ?? 0n) + entry.amount
      balances.set(entry.currency, balance)
      return { ...entry, balance }
    })
}

export const accountSheet = (db: Db, id: number): Sheet => ({
  name: "Statement of account",
  currency: 3,
  columns: columns(
    `Date date 12, What text 34, Due date 12, Currency text 9, Amount money 14, Balance money 14, Document text 30`
  ),
  *rows(): IterableIterator<Row | undefined> {
    const lines = yield* accountInParts(db, id, MOST_ACCOUNT)
    for (const { amount, balance, currency, date, due, invoice, what } of lines)
      yield [date, what, due, currency, amount, balance, invoice]
  }
})
