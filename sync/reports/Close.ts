/**
 * Closes a month: for each connection, currency and customer the opening balance, invoices, credit notes, payments and reversals of
 * the month, and the closing balance of its last day, in source, books and service. The three close alike, or the invoices on which
 * they differ are named, with what people decided about them. Exact; the memory depends on the number of customers.
 */
import type { Effect } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Instant from "../../core/wire/Instant.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import type { Planning } from "../model/Connection.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import * as Facts from "../plan/Facts.ts"
import * as OpenInBooks from "../plan/OpenInBooks.ts"
import { partyKey } from "../plan/PartyKey.ts"
import { Surroundings } from "../plan/Surroundings.ts"
import * as InvoiceStatement from "../reconciliation/InvoiceStatement.ts"
import { openAmount } from "../rules/OpenAmount.ts"
import type { Stepwise } from "../state/Breathe.ts"
import { headOf } from "../state/chain/Chain.ts"
import type { StateError, Db } from "../state/Database.ts"
import { ROW } from "../state/RecordPages.ts"
import { readInParts } from "../state/Snapshot.ts"
import { late } from "./CloseLate.ts"
import { addTo, closingOf, inBooks, type MonthSums, type Movement, noSums, onService } from "./CloseMovements.ts"
import { movedSince, unmatchedOn } from "./CloseOpening.ts"
import type { MonthAccount, Late, MonthClosed, MonthDifference, MonthReport, Roll } from "./CloseReport.ts"

/** How many invoices or customers are looked at in one piece. */
const PART = 100

/** How many differences of a connection are listed, and how many late documents. */
const MOST_OF_MONTH = 1000

/** The first and last day of a month, such as `2026-10`; undefined if it is none. */
export const daysOf = (month: string): { readonly first: Day.Day; readonly last: Day.Day } | undefined => {
  const [, year, number] = /^(\d{4})-(\d{2})$/.exec(month) ?? []
  const first = Day.make(Number(year), Number(number), 1)
  // The month before and the month after it are days, too.
  if (first === undefined || first < "1900" || first > "9998") return undefined
  const next = Day.addDays(first, 31)
  return { first, last: Day.addDays(Day.of(`${next.slice(0, 7)}-01`), -1) }
}

export const before = (first: Day.Day): string => Day.addDays(first, -1).slice(0, 7)

interface Customer {
  readonly connection: string
  readonly currency: string
  readonly party: string
  customer: string
  readonly books: MonthSums
  readonly service: MonthSums
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

const roll = (sums: MonthSums, currency: string): Roll => {
  const say = (amount: Decimal.Decimal) => Currency.format(amount, currency)
  return {
    opening: say(sums.opening),
    invoices: say(sums.invoices),
    creditNotes: say(-sums.creditNotes),
    payments: say(-sums.payments),
    reversals: say(sums.reversals),
    closing: say(closingOf(sums))
  }
}

const account = ({ apart, books, connection, currency, service, stated, unchecked }: Customer): MonthAccount => ({
  connection,
  currency,
  books: roll(books, currency),
  service: roll(service, currency),
  source: stated === 0 ? null : Currency.format(closingOf(books) + apart, currency),
  unchecked
})

const isNone = (sums: MonthSums): boolean => Object.values(sums).every((amount) => amount === 0n)

const add = (a: Customer, b: Customer): void => {
  for (const side of ["books", "service"] as const)
    for (const name of Object.keys(a[side]) as ReadonlyArray<keyof MonthSums>) a[side][name] += b[side][name]
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

/** Those of the books, those that only the service has, and those that only payments and credit notes name. */
const INVOICES = `SELECT key FROM document WHERE key > :first AND key < :end
  UNION SELECT invoice FROM allocation WHERE invoice > :first AND invoice < :end
  UNION SELECT subject FROM ledger WHERE subject > :first AND subject < :end AND remote IS NOT NULL ORDER BY 1`

const UNPLANNED = `SELECT 1 FROM document WHERE key > :first AND key < :end AND :id NOT IN (SELECT connection FROM paying) LIMIT 1`

const READ = `SELECT coalesce(d.read, (SELECT p.read FROM record_page p WHERE p.id = d.record ${ROW})) FROM document d WHERE d.key = ?`

class Month {
  readonly #db: Db
  readonly #first: Day.Day
  readonly #last: Day.Day
  readonly #around: Surroundings
  readonly customers = new Map<string, Customer>()
  readonly differences: Array<MonthDifference> = []
  readonly unplanned: Array<string> = []
  /** Payments and credit notes for invoices that are not in the books, by connection and currency. */
  readonly #without = new Map<
    string,
    { readonly connection: string; readonly currency: string; payments: number; sum: Decimal.Decimal }
  >()
  #most = MOST_OF_MONTH
  more = 0

  constructor(db: Db, { first, last }: { readonly first: Day.Day; readonly last: Day.Day }) {
    this.#db = db
    this.#first = first
    this.#last = last
    this.#around = new Surroundings(db)
  }

  *connection(connection: string): Stepwise<void> {
    const planning = OpenInBooks.settingsOf(this.#db, connection)
    const range = { first: `${connection}/invoice/`, end: `${connection}/invoice0` }
    if (planning === undefined) {
      const has = this.#db.prepare(UNPLANNED).get({ ...range, id: connection }) !== undefined
      if (has) this.unplanned.push(connection)
      return
    }
    this.#most = this.differences.length + MOST_OF_MONTH
    let n = 0
    const keys = this.#db.raw.prepare(INVOICES).pluck()
    for (const key of keys.iterate(range)) {
      this.#invoice(connection, key as string, planning)
      if (++n % PART === 0) yield
    }
  }

  #invoice(connection: string, key: string, planning: Planning): void {
    const facts = Facts.invoiceFacts(this.#db, key, this.#around)
    const remote = Facts.remoteInvoice(this.#db, key)
    const open = openAmount(facts, remote, planning)
    if (facts.invoice === undefined || facts.deleted) this.#countWithout(facts)
    if (open === undefined || (open.figures === undefined && remote === undefined)) return
    const { invoice } = facts
    const party = invoice === undefined ? "" : partyKey(invoice)
    const customer = invoice?.party.name ?? String(remote?.fields["debtor_name"] ?? "")
    const one = newCustomer({ connection, currency: open.currency, party, customer })
    const counted = (movement: Movement, sums: MonthSums) => addTo(sums, movement, this.#first, this.#last)
    if (invoice !== undefined)
      for (const movement of inBooks(facts, invoice, open, () => this.#read(key))) counted(movement, one.books)
    if (remote !== undefined) for (const movement of onService(facts, remote)) counted(movement, one.service)
    if (open.figures !== undefined && invoice !== undefined && invoice.issued <= this.#last) {
      const { follows, says } = open.figures
      if (says === undefined) one.unchecked = 1
      else one.stated = 1
      one.apart = says === undefined ? 0n : says - follows
    }
    this.#count(one)
    if (closingOf(one.books) === closingOf(one.service) && one.apart === 0n) return
    if (this.differences.length < this.#most) this.differences.push(this.#difference(one, key, remote?.id ?? null))
    else this.more++
  }

  #countWithout({ connection, creditNotes, payments }: InvoiceFacts): void {
    for (const { amount, document } of [...payments, ...creditNotes])
      if (document.date <= this.#last) {
        const { currency = "" } = document
        const by = `${connection} ${currency}`
        const known = this.#without.get(by) ?? { connection, currency, payments: 0, sum: 0n }
        this.#without.set(by, { ...known, payments: known.payments + 1, sum: known.sum + amount })
      }
  }

  withoutInvoice(): MonthReport["unmatched"] {
    return [...this.#without.values()].map(({ sum, ...one }) => ({
      ...one,
      amount: Currency.format(sum, one.currency)
    }))
  }

  /** The day on which a document was read as it is now. */
  #read(key: string): Day.Day {
    return Day.fromEpochMillis(this.#db.prepare(READ).pluck().get(key) as number)
  }

  #count(one: Customer): void {
    const by = `${one.connection} ${one.currency} ${one.party}`
    const known = this.customers.get(by)
    if (known === undefined) this.customers.set(by, one)
    else add(known, one)
  }

  #difference(one: Customer, document: string, remote: string | null): MonthDifference {
    const say = (amount: Decimal.Decimal) => Currency.format(amount, one.currency)
    const { connection, currency, customer } = one
    return {
      document,
      connection,
      currency,
      customer,
      source: one.stated === 0 ? null : say(closingOf(one.books) + one.apart),
      books: say(closingOf(one.books)),
      service: say(closingOf(one.service)),
      why:
        closingOf(one.books) === closingOf(one.service)
          ? InvoiceStatement.wordsOf(this.#db, connection, document)
          : InvoiceStatement.whyOf(this.#db, { subject: document, remote }),
      decided: decidedOn(this.#db, document)
    }
  }
}

const totals = (customers: Iterable<Customer>): ReadonlyArray<MonthAccount> => {
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
  const lateSums = new Map<string, Decimal.Decimal>()
  let moreLate = 0
  for (const { at, connection } of closedBy(db, connections, before(days.first))) {
    const paid = db.prepare("SELECT pays FROM paying WHERE connection = ?").pluck().get(connection)
    for (const one of late(db, connection, Date.parse(at), Day.addDays(days.first, -1)))
      if (one === undefined) yield
      else {
        const by = `${typeof paid === "string" ? paid : connection} ${one.currency}`
        lateSums.set(by, (lateSums.get(by) ?? 0n) + Decimal.of(one.now) - Decimal.of(one.was))
        if (missed.length < MOST_OF_MONTH) missed.push(one)
        else moreLate++
      }
  }
  const customers: Array<MonthReport["customers"][number]> = []
  let n = 0
  for (const one of found.customers.values()) {
    const { apart, books, customer, party, service } = one
    if (!isNone(books) || !isNone(service) || apart !== 0n) customers.push({ ...account(one), party, customer })
    if (++n % PART === 0) yield
  }
  const accounts = totals(found.customers.values())
  const chain = headOf(db)
  return {
    month,
    ...days,
    closed: closedBy(db, connections, month),
    accounts,
    customers,
    differences: found.differences,
    more: found.more,
    late: missed,
    moreLate,
    moved: movedSince(db, connections, before(days.first), accounts, lateSums),
    unmatched: [...unmatchedOn(db, connections, days.last), ...found.withoutInvoice()],
    unplanned: found.unplanned,
    quarantined: db
      .prepare("SELECT count(*) FROM quarantine WHERE connection IN (SELECT value FROM json_each(?))")
      .pluck()
      .get(JSON.stringify(connections)) as number,
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
