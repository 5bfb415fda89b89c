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
import * as OpenInBooks from "../plan/OpenInBooks.ts"
import { Surroundings } from "../plan/Surroundings.ts"
import * as InvoiceStatement from "../reconciliation/InvoiceStatement.ts"
import type { Stepwise } from "../state/Breathe.ts"
import { headOf } from "../state/chain/Chain.ts"
import type { StateError, Db } from "../state/Database.ts"
import { readInParts } from "../state/Snapshot.ts"
import { movesOf, waitingFor } from "../plan/CloseInvoice.ts"
import { late } from "./CloseLate.ts"
import { isApart, monthNumber, readMoves } from "../plan/CloseEntries.ts"
import { addTo, closingOf } from "../plan/CloseMovements.ts"
import { addCustomer, type MonthCustomer, isNone, namedCustomers, newCustomer, totals } from "./CloseAccounts.ts"
import { AGAIN, keptAccounts } from "./CloseKept.ts"
import { movedSince, unmatchedOn } from "./CloseOpening.ts"
import type { Late, MonthClosed, MonthDifference, MonthReport } from "./CloseReport.ts"

/** How many invoices are looked at in one piece. */
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
const ALL = `SELECT key FROM document WHERE key > :first AND key < :end
  UNION SELECT invoice FROM allocation WHERE invoice > :first AND invoice < :end
  UNION SELECT subject FROM ledger WHERE subject > :first AND subject < :end AND remote IS NOT NULL ORDER BY 1`

const UNPLANNED = `SELECT 1 FROM document WHERE key > :first AND key < :end AND :id NOT IN (SELECT connection FROM paying) LIMIT 1`

/** Those, and those of which source, books and service closed apart. */
const NEEDED = `SELECT l.subject, '' AS moves FROM ledger_month m CROSS JOIN ledger l ON l.id = m.ledger
    WHERE m.again = 1 AND l.subject > :first AND l.subject < :end
  UNION SELECT subject, '' FROM changed WHERE subject > :first AND subject < :end
  UNION SELECT subject, '' FROM unbooked WHERE subject > :first AND subject < :end
  UNION ALL SELECT l.subject, m.moves FROM ledger_month m CROSS JOIN ledger l ON l.id = m.ledger
    WHERE m.apart <= :month AND m.until >= :month AND l.subject > :first AND l.subject < :end 
      AND m.ledger NOT IN (${AGAIN}) ORDER BY 1`

interface Invoice extends MonthCustomer {
  readonly customer: string
  readonly remote: string | null
}

class Month {
  readonly #db: Db
  readonly #first: Day.Day
  readonly #last: Day.Day
  readonly #around: Surroundings
  readonly customers = new Map<string, MonthCustomer>()
  readonly differences: Array<MonthDifference> = []
  readonly unplanned: Array<string> = []
  /** Payments and credit notes for invoices that are not in the books, by connection and currency. */
  readonly #without = new Map<
    string,
    { readonly connection: string; readonly currency: string; payments: number; sum: Decimal.Decimal }
  >()
  readonly #all: boolean
  #most = MOST_OF_MONTH
  more = 0

  constructor(db: Db, { first, last }: { readonly first: Day.Day; readonly last: Day.Day }, all: boolean) {
    this.#db = db
    this.#first = first
    this.#last = last
    this.#all = all
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
    const month = monthNumber(this.#first)
    if (!this.#all) for (const one of keptAccounts(this.#db, connection, month)) this.#count(one)
    yield
    let n = 0
    const rows = this.#db.raw.prepare(this.#all ? ALL : NEEDED).raw()
    for (const row of rows.iterate(this.#all ? range : { ...range, month })) {
      const [key, moves = ""] = row as readonly [string, string?]
      if (moves === "") this.#invoice(connection, key, planning)
      else if (isApart(readMoves(moves), month)) this.#differs(connection, key, planning)
      if (++n % PART === 0) yield
    }
  }

  /** What an invoice adds to this month; undefined if nothing. */
  #look(connection: string, key: string, planning: Planning) {
    const moves = movesOf(this.#db, key, planning, this.#around)
    if (moves.currency === undefined) return { moves, one: undefined }
    const { books, currency, figures, invoice, party, service } = moves
    const one = newCustomer({ connection, currency, party })
    for (const movement of books) addTo(one.books, movement, this.#first, this.#last)
    for (const movement of service) addTo(one.service, movement, this.#first, this.#last)
    if (figures !== undefined && invoice !== undefined && invoice.issued <= this.#last) {
      const { follows, says } = figures
      if (says === undefined) one.unchecked = 1
      else one.stated = 1
      one.apart = says === undefined ? 0n : says - follows
    }
    // It was settled before the month began.
    const isOver = isNone(one.books) && isNone(one.service) && one.apart === 0n
    return { moves, one: isOver ? undefined : { ...one, customer: moves.customer, remote: moves.remote?.id ?? null } }
  }

  #invoice(connection: string, key: string, planning: Planning): void {
    const { moves, one } = this.#look(connection, key, planning)
    this.#countWithout(moves.facts)
    if (one === undefined) return
    this.#count(one)
    if (closingOf(one.books) !== closingOf(one.service) || one.apart !== 0n) this.#list(one, key)
  }

  /** An invoice that differs, and is in the sums. */
  #differs(connection: string, key: string, planning: Planning): void {
    const one = this.differences.length < this.#most ? this.#look(connection, key, planning).one : undefined
    if (one === undefined) this.more++
    else this.#list(one, key)
  }

  #list(one: Invoice, key: string): void {
    if (this.differences.length < this.#most) this.differences.push(this.#difference(one, key))
    else this.more++
  }

  #countWithout(facts: InvoiceFacts): void {
    const { connection } = facts
    for (const { amount, document } of waitingFor(facts))
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

  #count(one: MonthCustomer): void {
    const by = `${one.connection} ${one.currency} ${one.party}`
    const known = this.customers.get(by) ?? newCustomer(one)
    this.customers.set(by, known)
    addCustomer(known, one)
  }

  #difference(one: Invoice, document: string): MonthDifference {
    const say = (amount: Decimal.Decimal) => Currency.format(amount, one.currency)
    const { connection, currency, customer, remote } = one
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
function* report(db: Db, { all = false, connections, days, month }: MonthAsked): Stepwise<MonthReport> {
  const found = new Month(db, days, all)
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
  const customers = yield* namedCustomers(db, found.customers)
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

export interface MonthAsked {
  readonly connections: ReadonlyArray<string>
  readonly month: string
  readonly days: NonNullable<ReturnType<typeof daysOf>>
  /** Also looks at every invoice that was settled before, instead of relying on what is kept of them. */
  readonly all?: boolean
}

/** The same, on a snapshot of its own: others have their turn meanwhile. */
export const inParts = (db: Db, asked: MonthAsked): Effect.Effect<MonthReport, StateError> =>
  readInParts(
    db,
    () => true,
    (books) => report(books, asked)
  )
