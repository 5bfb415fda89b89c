/**
 * Closes a month: for each connection, currency and customer the opening balance, invoices, credit notes, payments and reversals of
 * the month, and the closing balance of its last day, in source, books and service. The three close alike, or the invoices on which
 * they differ are named, with what people decided about them. Exact; the memory depends on the number of customers.
 */
import type { Effect } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Instant from "../../core/wire/Instant.ts"
import type { Invoice } from "../../connectors/Document.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import type { Planning } from "../model/Connection.ts"
import * as Facts from "../plan/Facts.ts"
import * as OpenInBooks from "../plan/OpenInBooks.ts"
import { partyKey } from "../plan/PartyKey.ts"
import { Surroundings } from "../plan/Surroundings.ts"
import { whyOf, wordsOf } from "../reconciliation/InvoiceStatement.ts"
import { openAmount } from "../rules/OpenAmount.ts"
import type { Stepwise } from "../state/Breathe.ts"
import { headOf } from "../state/chain/Chain.ts"
import type { Database, StateError } from "../state/Database.ts"
import { ROW } from "../state/RecordPages.ts"
import { readInParts } from "../state/Snapshot.ts"
import { late } from "./CloseLate.ts"
import { addTo, closing, inBooks, noSums, onService, type Sums } from "./CloseMovements.ts"
import type { Account, Late, MonthClosed, MonthDifference, MonthReport, Roll } from "./CloseReport.ts"

type Db = Database["Service"]

/** How many differences of a connection are listed, and how many late documents. */
export const MOST_LISTED = 1000

/** The first and last day of a month, such as `2026-10`; undefined if it is none. */
export const daysOf = (month: string): { readonly first: Day.Day; readonly last: Day.Day } | undefined => {
  const [, year, number] = /^(\d{4})-(\d{2})$/.exec(month) ?? []
  const first = Day.make(Number(year), Number(number), 1)
  if (first === undefined) return undefined
  const next = Day.addDays(first, 31)
  return { first, last: Day.addDays(Day.of(`${next.slice(0, 7)}-01`), -1) }
}

export const before = (first: Day.Day): string => Day.addDays(first, -1).slice(0, 7)

interface Customer {
  readonly connection: string
  readonly currency: string
  readonly party: string
  customer: string
  readonly books: Sums
  readonly service: Sums
  /** What the source says more than follows from what was read. */
  apart: Decimal.Decimal
  stated: number
  unchecked: number
}

const newCustomer = (of: Pick<Customer, "connection" | "currency" | "party" | "customer">): Customer => ({
  ...of,
  books: noSums(),
  service: noSums(),
  apart: 0n,
  stated: 0,
  unchecked: 0
})

const roll = (sums: Sums, currency: string): Roll => {
  const say = (amount: Decimal.Decimal) => Currency.format(amount, currency)
  return {
    opening: say(sums.opening),
    invoices: say(sums.invoices),
    creditNotes: say(-sums.creditNotes),
    payments: say(-sums.payments),
    reversals: say(sums.reversals),
    closing: say(closing(sums))
  }
}

const account = ({ apart, books, connection, currency, service, stated, unchecked }: Customer): Account => ({
  connection,
  currency,
  books: roll(books, currency),
  service: roll(service, currency),
  source: stated === 0 ? null : Currency.format(closing(books) + apart, currency),
  unchecked
})

const isNone = (sums: Sums): boolean => Object.values(sums).every((amount) => amount === 0n)

const add = (a: Customer, b: Customer): void => {
  for (const side of ["books", "service"] as const)
    for (const name of Object.keys(a[side]) as ReadonlyArray<keyof Sums>) a[side][name] += b[side][name]
  a.apart += b.apart
  a.stated += b.stated
  a.unchecked += b.unchecked
}

const DECIDED = `SELECT closed AS at, NULL AS who, why || ': ' || how AS what FROM attention
    WHERE closed IS NOT NULL AND how NOT IN (SELECT value FROM json_each(:automatic))
      AND (subject = :key OR subject IN (SELECT d.key FROM allocation a JOIN document d ON d.id = a.document WHERE a.invoice = :key))
  UNION ALL SELECT decided, who, decision || ' (' || about || ')' FROM cover_decision WHERE subject = :key
  UNION ALL SELECT c.chosen, NULL, 'the invoices of ' || c.payment || ' were chosen' FROM choice c
    JOIN document d ON d.key = c.payment JOIN allocation a ON a.document = d.id WHERE a.invoice = :key
  ORDER BY 1`

const decidedOn = (db: Db, key: string): MonthDifference["decided"] =>
  (
    db.prepare(DECIDED).all({ key, automatic: JSON.stringify(AttentionStore.NOT_BY_ANSWER) }) as ReadonlyArray<{
      readonly at: number
      readonly who: string | null
      readonly what: string
    }>
  ).map((one) => ({ ...one, at: Instant.fromEpochMillis(one.at) }))

const INVOICES = `SELECT d.key, coalesce(d.read, (SELECT p.read FROM record_page p WHERE p.id = d.record ${ROW})) AS read
  FROM document d WHERE d.key > ? AND d.key < ? ORDER BY d.key`

class Month {
  readonly #db: Db
  readonly #first: Day.Day
  readonly #last: Day.Day
  readonly customers = new Map<string, Customer>()
  readonly differences: Array<MonthDifference> = []
  more = 0

  constructor(db: Db, { first, last }: { readonly first: Day.Day; readonly last: Day.Day }) {
    this.#db = db
    this.#first = first
    this.#last = last
  }

  *connection(connection: string): Stepwise<void> {
    const planning = OpenInBooks.settingsOf(this.#db, connection)
    if (planning === undefined) return
    const around = new Surroundings(this.#db)
    const most = this.differences.length + MOST_LISTED
    let n = 0
    const rows = this.#db.raw.prepare(INVOICES).iterate(`${connection}/invoice/`, `${connection}/invoice0`)
    for (const { key, read } of rows as IterableIterator<{ readonly key: string; readonly read: number }>) {
      this.#invoice(connection, key, Day.fromEpochMillis(read), planning, around, most)
      if (++n % 500 === 0) yield
    }
  }

  #invoice(
    connection: string,
    key: string,
    read: Day.Day,
    planning: Planning,
    around: Surroundings,
    most: number
  ): void {
    const facts = Facts.invoiceFacts(this.#db, key, around)
    const remote = Facts.remoteInvoice(this.#db, key)
    const { invoice } = facts
    if (invoice === undefined || invoice.issued > this.#last) return
    const open = openAmount(facts, remote, planning)
    if (open === undefined || (open.figures === undefined && remote === undefined)) return
    const one = newCustomer({
      connection,
      currency: invoice.currency,
      party: partyKey(invoice),
      customer: invoice.party.name
    })
    for (const movement of inBooks(facts, invoice, open, read)) addTo(one.books, movement, this.#first, this.#last)
    if (remote !== undefined)
      for (const movement of onService(facts, invoice, remote)) addTo(one.service, movement, this.#first, this.#last)
    if (open.figures?.says !== undefined) {
      one.stated = 1
      one.apart = open.figures.says - open.figures.follows
    } else if (open.figures !== undefined) one.unchecked = 1
    this.#count(one)
    if (closing(one.books) === closing(one.service) && one.apart === 0n) return
    if (this.differences.length < most) this.differences.push(this.#difference(one, key, invoice, remote?.id ?? null))
    else this.more++
  }

  #count(one: Customer): void {
    const by = `${one.connection} ${one.currency} ${one.party}`
    const known = this.customers.get(by)
    if (known === undefined) this.customers.set(by, one)
    else add(known, one)
  }

  #difference(one: Customer, document: string, { currency, party }: Invoice, remote: string | null): MonthDifference {
    const say = (amount: Decimal.Decimal) => Currency.format(amount, currency)
    return {
      document,
      connection: one.connection,
      currency,
      customer: party.name,
      source: one.stated === 0 ? null : say(closing(one.books) + one.apart),
      books: say(closing(one.books)),
      service: say(closing(one.service)),
      why:
        closing(one.books) === closing(one.service)
          ? wordsOf(this.#db, one.connection, document)
          : whyOf(this.#db, { subject: document, remote }),
      decided: decidedOn(this.#db, document)
    }
  }
}

const totals = (customers: Iterable<Customer>): ReadonlyArray<Account> => {
  const sums = new Map<string, Customer>()
  for (const one of customers) {
    const by = `${one.connection} ${one.currency}`
    const total = sums.get(by) ?? newCustomer({ ...one, party: "", customer: "" })
    sums.set(by, total)
    add(total, one)
  }
  return [...sums.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => account(one))
}

/** Who closed a month of these connections, and when. */
export const closedBy = (db: Db, connections: ReadonlyArray<string>, month: string): ReadonlyArray<MonthClosed> =>
  (
    db
      .prepare(
        `SELECT connection, closed, who, digest FROM closed_month
          WHERE month = ? AND connection IN (SELECT value FROM json_each(?)) ORDER BY connection`
      )
      .all(month, JSON.stringify(connections)) as ReadonlyArray<Omit<MonthClosed, "at"> & { readonly closed: number }>
  ).map(({ closed, ...one }) => ({ ...one, at: Instant.fromEpochMillis(closed) }))

/** Reads one snapshot of the state file. */
function* report(
  db: Db,
  connections: ReadonlyArray<string>,
  month: string,
  days: { readonly first: Day.Day; readonly last: Day.Day }
): Stepwise<MonthReport> {
  const found = new Month(db, days)
  for (const connection of connections) yield* found.connection(connection)
  const missed: Array<Late> = []
  let moreLate = 0
  for (const { at, connection } of closedBy(db, connections, before(days.first)))
    for (const one of late(db, connection, Date.parse(at), Day.addDays(days.first, -1)))
      if (missed.length < MOST_LISTED) missed.push(one)
      else moreLate++
  const customers = [...found.customers.values()]
  const chain = headOf(db)
  return {
    month,
    ...days,
    closed: closedBy(db, connections, month),
    accounts: totals(customers),
    customers: customers
      .filter(({ apart, books, service }) => !isNone(books) || !isNone(service) || apart !== 0n)
      .map((one) => ({ ...account(one), party: one.party, customer: one.customer })),
    differences: found.differences,
    more: found.more,
    late: missed,
    moreLate,
    ...(chain === undefined ? {} : { chain })
  }
}

/** The same, on a snapshot of its own: others have their turn meanwhile. */
export const inParts = (
  db: Db,
  connections: ReadonlyArray<string>,
  month: string,
  days: { readonly first: Day.Day; readonly last: Day.Day }
): Effect.Effect<MonthReport, StateError> =>
  readInParts(
    db,
    () => true,
    (books) => report(books, connections, month, days)
  )
