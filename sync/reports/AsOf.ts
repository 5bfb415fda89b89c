/**
 * How invoices stood at an earlier moment, as it was known then: the statement's sums, and what was open by age. From the ledger and
 * what it said before (`state/tables/LedgerHistory.ts`), and from the versions of documents that had been read by then.
 */
import type * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Body from "../state/Body.ts"
import type { Head } from "../state/chain/Entry.ts"
import type { Database } from "../state/Database.ts"
import { ROW } from "../state/RecordPages.ts"

type Db = Database["Service"]

/** The sums of one connection and currency; amounts in major units. */
export interface StoodStatement {
  readonly connection: string
  readonly currency: string
  readonly books: string
  readonly service: string
  /** Left out if the source stated no balance. */
  readonly sourceSays?: string
  readonly unchecked: number
  readonly credit: { readonly amount: string; readonly invoices: number }
  readonly invoices: number
}

const STOOD_AGES = ["not due", "1-30", "31-60", "61-90", "over 90"] as const

export interface StoodAge {
  readonly connection: string
  readonly currency: string
  readonly age: (typeof STOOD_AGES)[number]
  readonly invoices: number
  readonly open: string
}

/** An invoice that was open in the books. */
export interface StoodOpen {
  readonly document: string
  readonly connection: string
  readonly number: string
  readonly customer: string
  readonly issued: string | null
  readonly due: string | null
  readonly late: number
  readonly currency: string
  readonly open: string
}

/** A moment of which the state file can tell. */
export interface StoodMoment extends Head {
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The last entry of the chain by then; undefined: nothing had been read. */
export const momentOf = (db: Db, at: number): StoodMoment | undefined => {
  const found = db.prepare("SELECT n AS entry, hash FROM chain WHERE at <= ? ORDER BY n DESC LIMIT 1").get(at)
  return found === undefined ? undefined : { ...(found as Head), at }
}

/** The ledger's invoices after that entry. The first change of each after it says how it stood. */
const THEN = `WITH first AS (SELECT subject, min(entry) AS entry FROM ledger_was WHERE entry >= :entry GROUP BY subject),
  stood AS (
    SELECT l.subject, l.connection, l.currency, l.books_open, l.service_open, l.balance, l.source_open,
      l.remote IS NOT NULL AS sent, coalesce(l.held ->> '$.stated.due_date', l.held ->> '$.fields.due_date') AS due
    FROM ledger l WHERE l.subject NOT IN (SELECT subject FROM first) AND l.currency <> '' AND instr(l.subject, '/invoice/') > 0
    UNION ALL SELECT w.subject, w.connection, w.currency, w.books_open, w.service_open, w.balance, w.source_open, w.sent, w.due
    FROM first f JOIN ledger_was w ON w.subject = f.subject AND w.entry = f.entry WHERE w.currency <> '')`

const SUMS = `${THEN} SELECT connection, currency, sum(books_open) AS books, sum(service_open) AS service, sum(sent) AS sent,
    sum(coalesce(max(source_open, 0), 0)) AS says, count(source_open) AS stated, count(balance) AS counted,
    sum(coalesce(max(-balance, 0), 0)) AS credit, count(*) FILTER (WHERE balance < 0) AS creditors
  FROM stood WHERE connection IN (SELECT value FROM json_each(:connections)) GROUP BY connection, currency ORDER BY connection, currency`

type SumsRow = Record<"books" | "service" | "sent" | "says" | "stated" | "counted" | "credit" | "creditors", bigint> & {
  readonly connection: string
  readonly currency: string
}

export const statements = (
  db: Db,
  connections: ReadonlyArray<string>,
  { entry }: StoodMoment
): ReadonlyArray<StoodStatement> =>
  (
    db
      .prepare(SUMS)
      .safeIntegers()
      .all({ entry, connections: JSON.stringify(connections) }) as ReadonlyArray<SumsRow>
  ).map(({ books, connection, counted, credit, creditors, currency, says, sent, service, stated }) => {
    const say = (minor: bigint) => Currency.format(Currency.ofMinor(minor, currency), currency)
    return {
      connection,
      currency,
      books: say(books),
      service: say(service),
      ...(stated === 0n ? {} : { sourceSays: say(says) }),
      unchecked: Number(counted - stated),
      credit: { amount: say(credit), invoices: Number(creditors) },
      invoices: Number(sent)
    }
  })

const READ = (row: string) =>
  `coalesce(${row}.read, (SELECT p.read FROM record_page p WHERE p.id = ${row}.record ${ROW}))`

/** The body of a document as it had been read by then. */
const BODY = `SELECT body FROM (
    SELECT d.body, d.n, ${READ("d")} AS read FROM document d WHERE d.key = :key
    UNION ALL SELECT v.body, v.n, ${READ("v")} FROM version v JOIN document d ON d.id = v.document WHERE d.key = :key)
  WHERE read <= :at ORDER BY n DESC LIMIT 1`

const OPEN_THEN = `${THEN} SELECT subject, connection, currency, books_open AS open, due FROM stood
  WHERE books_open <> 0 AND connection IN (SELECT value FROM json_each(:connections)) ORDER BY subject`

interface OpenRow {
  readonly subject: string
  readonly connection: string
  readonly currency: string
  readonly open: bigint
  readonly due: string | null
}

/** @param today the day from which they are late */
export function* open(
  db: Db,
  connections: ReadonlyArray<string>,
  { at, entry }: StoodMoment,
  today: Day.Day
): IterableIterator<StoodOpen & { readonly minor: bigint }> {
  const body = db.prepare(BODY).pluck()
  const rows = db.raw
    .prepare(OPEN_THEN)
    .safeIntegers()
    .iterate({ entry, connections: JSON.stringify(connections) }) as IterableIterator<OpenRow>
  for (const { connection, currency, due: held, open, subject } of rows) {
    const text = body.get({ key: subject, at }) as string | undefined
    const invoice = text === undefined ? undefined : (Body.read(text) as Document.Invoice)
    const due = held ?? invoice?.due ?? null
    yield {
      document: subject,
      connection,
      number: invoice?.number ?? invoice?.id ?? "",
      customer: invoice?.party?.name ?? "",
      issued: invoice?.issued ?? null,
      due,
      late: due === null ? 0 : Day.between(Day.of(due), today),
      currency,
      open: Currency.format(Currency.ofMinor(open, currency), currency),
      minor: open
    }
  }
}

const ageOf = (late: number): StoodAge["age"] =>
  late <= 0 ? "not due" : late <= 30 ? "1-30" : late <= 60 ? "31-60" : late <= 90 ? "61-90" : "over 90"

/** What was open by age, of each connection and currency. */
export const byAge = (all: Iterable<StoodOpen & { readonly minor: bigint }>): ReadonlyArray<StoodAge> => {
  const sums = new Map<string, Omit<StoodAge, "open"> & { readonly minor: bigint }>()
  for (const { connection, currency, late, minor } of all) {
    const age = ageOf(late)
    const key = `${connection} ${currency} ${STOOD_AGES.indexOf(age)}`
    const before = sums.get(key) ?? { connection, currency, age, invoices: 0, minor: 0n }
    sums.set(key, { ...before, invoices: before.invoices + 1, minor: before.minor + minor })
  }
  return [...sums.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { minor, ...one }]) => ({
      ...one,
      open: Currency.format(Currency.ofMinor(minor, one.currency), one.currency)
    }))
}
