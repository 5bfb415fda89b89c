/**
 * Adds up the state of invoices for the statement (`InvoiceStatement.ts`). An invoice that did not change since it was
 * planned is taken from the ledger; one that did is recalculated here, so that what was read and not yet sent is a
 * difference. The cost depends on the size of the change.
 */
import type { Planning } from "../model/Connection.ts"
import * as OpenInBooks from "../plan/OpenInBooks.ts"
import type { Stepwise } from "../state/Breathe.ts"
import type { Db } from "../state/Database.ts"

/** How many differences of each kind a statement names. */
export const MOST = 100

/** How many invoices are recalculated before others have their turn. */
const PART = 100

/** The sums of one connection and currency, in minor units. */
export interface OpenSums {
  readonly books: bigint
  /** The open amount that the source itself states, for how many invoices; and how many count. */
  readonly says: bigint
  readonly stated: bigint
  readonly counted: bigint
  /** Where the source states a balance: what it would be with these facts, less the books. */
  readonly explained: bigint
  /** What buyers are owed, for how many invoices. */
  readonly credit: bigint
  readonly creditors: bigint
}

export const NO_SUMS: OpenSums = {
  books: 0n,
  says: 0n,
  stated: 0n,
  counted: 0n,
  explained: 0n,
  credit: 0n,
  creditors: 0n
}

const combined = (a: OpenSums, b: OpenSums, sign: 1n | -1n): OpenSums => ({
  books: a.books + sign * b.books,
  says: a.says + sign * b.says,
  stated: a.stated + sign * b.stated,
  counted: a.counted + sign * b.counted,
  explained: a.explained + sign * b.explained,
  credit: a.credit + sign * b.credit,
  creditors: a.creditors + sign * b.creditors
})

export const add = (a: OpenSums, b: OpenSums): OpenSums => combined(a, b, 1n)

const positive = (amount: bigint) => (amount > 0n ? amount : 0n)

/** What one invoice adds to the sums; `ledger_sum` keeps the same sums for the rows of the ledger. */
const sumsOfOne = ({ balance = null, books, follows = null, says = null }: OpenInBooks.Open): OpenSums => ({
  books,
  says: positive(says ?? 0n),
  stated: says === null ? 0n : 1n,
  counted: balance === null ? 0n : 1n,
  explained: says === null ? 0n : positive(follows ?? 0n) - books,
  credit: positive(-(balance ?? 0n)),
  creditors: (balance ?? 0n) < 0n ? 1n : 0n
})

/** By currency, as each invoice was last planned; with the open amount on the service, and how many were sent to it. */
export const sumsOf = (
  db: Db,
  connection: string
): ReadonlyMap<string, OpenSums & { readonly service: bigint; readonly sent: bigint }> => {
  const rows = db
    .prepare(
      `SELECT currency, books, service, sent, says, stated, counted, explained, credit, creditors
        FROM ledger_sum WHERE connection = ? AND invoices > 0 ORDER BY currency`
    )
    .safeIntegers()
    .all(connection) as ReadonlyArray<
    OpenSums & { readonly currency: string; readonly service: bigint; readonly sent: bigint }
  >
  return new Map(rows.map((sums) => [sums.currency, sums]))
}

/** The state of an invoice in one currency. */
export interface Differing {
  readonly subject: string
  readonly books: bigint
  readonly service: bigint
  readonly remote: string | null
}

/** The open amount of an invoice that the source itself states, and that of its facts. */
export interface SaidOtherwise {
  readonly subject: string
  readonly says: bigint
  readonly follows: bigint
}

/** For an invoice that changed: in the ledger's currency, and in its current one if that differs. */
const standings = ({
  now,
  row,
  subject
}: OpenInBooks.Changed): ReadonlyArray<Differing & { readonly currency: string }> => {
  const { remote, service } = row ?? { remote: null, service: 0n }
  const before = row === undefined || row.currency === now?.currency ? [] : [{ ...row, subject, books: 0n }]
  const own = row?.currency === now?.currency ? service : 0n
  return [...before, ...(now === undefined ? [] : [{ ...now, subject, remote, service: own }])]
}

const otherwise = (subject: string, now: OpenInBooks.Open | undefined): SaidOtherwise | undefined => {
  const { follows = null, says = null } = now ?? {}
  return says === null || follows === null || says === follows ? undefined : { subject, says, follows }
}

/** The first ones, one more than are named, and their total number. */
interface Some<A> {
  readonly first: Array<A>
  count: number
}

const hold = <A>(all: Map<string, Some<A>>, currency: string, one: A): void => {
  const found = all.get(currency) ?? { first: [], count: 0 }
  all.set(currency, found)
  if (found.count++ <= MOST) found.first.push(one)
}

/** The changed invoices by key, and nothing after each part of them. */
function* changed(db: Db, connection: string, planning: Planning): Generator<OpenInBooks.Changed | undefined> {
  let count = 0
  for (const one of OpenInBooks.changed(db, connection, planning)) {
    yield one
    if (++count % PART === 0) yield undefined
  }
}

/** The invoices that changed since they were last planned, recalculated from their documents. */
export class Reckoned {
  readonly #corrections = new Map<string, OpenSums>()
  readonly #differing = new Map<string, Some<Differing>>()
  readonly #otherwise = new Map<string, Some<SaidOtherwise>>()

  static *of(db: Db, connection: string, planning: Planning): Stepwise<Reckoned> {
    const found = new Reckoned()
    for (const one of changed(db, connection, planning)) {
      if (one === undefined) yield
      else found.#take(one)
    }
    return found
  }

  #take(one: OpenInBooks.Changed): void {
    const { now, row, subject } = one
    if (row !== undefined) this.#correct(row, -1n)
    if (now !== undefined) this.#correct(now, 1n)
    for (const { currency, ...standing } of standings(one))
      if (standing.books !== standing.service) hold(this.#differing, currency, standing)
    const apart = otherwise(subject, now)
    if (now !== undefined && apart !== undefined) hold(this.#otherwise, now.currency, apart)
  }

  #correct(open: OpenInBooks.Open, sign: 1n | -1n): void {
    this.#corrections.set(open.currency, combined(this.correction(open.currency), sumsOfOne(open), sign))
  }

  currencies(): Iterable<string> {
    return this.#corrections.keys()
  }

  /** The difference between the books and the ledger. */
  correction(currency: string): OpenSums {
    return this.#corrections.get(currency) ?? NO_SUMS
  }

  differing(currency: string): Some<Differing> {
    return this.#differing.get(currency) ?? { first: [], count: 0 }
  }

  saidOtherwise(currency: string): Some<SaidOtherwise> {
    return this.#otherwise.get(currency) ?? { first: [], count: 0 }
  }
}

/** The condition for rows of the ledger: those that did not change since they were written, or all of them. */
const rowsWhere = (differs: string, all: boolean): string =>
  `FROM ledger l WHERE connection = ? AND subject < connection || '/order/' AND currency = ? AND ${differs}${
    all ? "" : " AND NOT EXISTS (SELECT 1 FROM changed c WHERE c.subject = l.subject)"
  }`

const ON_SERVICE = {
  columns: "SELECT subject, books_open AS books, service_open AS service, remote",
  differs: "books_open <> service_open"
}
const IN_SOURCE = {
  columns: "SELECT subject, source_open AS says, source_follows AS follows",
  differs: "source_open <> source_follows"
}

interface Named<A> {
  /** By key, at most a hundred. */
  readonly first: ReadonlyArray<A>
  /** How many more there are. */
  readonly more: number
}

const named = <A extends { readonly subject: string }>(
  db: Db,
  [connection, currency]: readonly [string, string],
  { columns, differs }: typeof ON_SERVICE,
  changed: Some<A> | undefined
): Named<A> => {
  const of = rowsWhere(differs, changed === undefined)
  const rows = db
    .prepare(`${columns} ${of} ORDER BY subject LIMIT ${MOST + 1}`)
    .safeIntegers()
    .all(connection, currency) as ReadonlyArray<A>
  const settled =
    rows.length <= MOST
      ? rows.length
      : (db.prepare(`SELECT count(*) ${of}`).pluck().get(connection, currency) as number)
  const { count, first: others } = changed ?? { first: [], count: 0 }
  const first = [...rows, ...others].toSorted((a, b) => (a.subject < b.subject ? -1 : 1)).slice(0, MOST)
  return { first, more: settled + count - first.length }
}

/** The invoices on which books and service differ. */
export const differing = (db: Db, connection: string, currency: string, again: Reckoned | undefined) =>
  named<Differing>(db, [connection, currency], ON_SERVICE, again?.differing(currency))

/** The invoices for which the source states something else than its facts. */
export const saidOtherwise = (db: Db, connection: string, currency: string, again: Reckoned | undefined) =>
  named<SaidOtherwise>(db, [connection, currency], IN_SOURCE, again?.saidOtherwise(currency))

const every = (db: Db, connection: string, currency: string, { columns, differs }: typeof ON_SERVICE, all: boolean) =>
  db.raw
    .prepare(`${columns} ${rowsWhere(differs, all)} ORDER BY subject`)
    .safeIntegers()
    .iterate(connection, currency)

/** All of them, read one at a time: first those that did not change since the last run, then the others in parts, each by key. */
export function* everyDifference(db: Db, connection: string, currency: string): Generator<Differing | undefined> {
  const planning = OpenInBooks.settingsOf(db, connection)
  yield* every(db, connection, currency, ON_SERVICE, planning === undefined) as IterableIterator<Differing>
  if (planning === undefined) return
  for (const one of changed(db, connection, planning)) {
    if (one === undefined) yield undefined
    else
      for (const standing of standings(one))
        if (standing.currency === currency && standing.books !== standing.service) yield standing
  }
}

/** The same for the source's own figures. */
export function* everySaidOtherwise(
  db: Db,
  connection: string,
  currency: string
): Generator<SaidOtherwise | undefined> {
  const planning = OpenInBooks.settingsOf(db, connection)
  yield* every(db, connection, currency, IN_SOURCE, planning === undefined) as IterableIterator<SaidOtherwise>
  if (planning === undefined) return
  for (const one of changed(db, connection, planning)) {
    const apart = one?.now?.currency === currency ? otherwise(one.subject, one.now) : undefined
    if (one === undefined || apart !== undefined) yield apart
  }
}
