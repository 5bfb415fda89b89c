/**
 * How everything stood after an earlier run, as it was known then: what the run said, and what was open by age. From the statements that
 * are kept of runs, what the ledger said before (`state/tables/History.ts`), and the versions of documents that had been read by then.
 */
import type * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Proof } from "../model/reports/Statement.ts"
import * as Body from "../state/Body.ts"
import type { Head } from "../state/chain/Entry.ts"
import type { Db } from "../state/Database.ts"
import { ROW, unpacked } from "../state/RecordPages.ts"
import { type Stood, stoodAt } from "../state/tables/History.ts"
import type { CoverBudget } from "./Cover.ts"

/** What a run said: its statements, and what was spent on cover in that month. */
export interface KeptStatements extends Pick<Proof, "completeness" | "orders" | "payments" | "cover"> {
  readonly budgets: ReadonlyArray<CoverBudget>
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

/** A run of which the state file can tell. */
export interface StoodMoment extends Stood, Head {}

/** The last run by then that said something; undefined: none had. */
export const momentOf = (db: Db, at: number): StoodMoment | undefined =>
  db.prepare("SELECT id AS statement, at, entry, hash FROM statement WHERE at <= ? ORDER BY id DESC LIMIT 1").get(at) as
    | StoodMoment
    | undefined

/** What runs had said of these connections by then. */
export const statements = (db: Db, connections: ReadonlyArray<string>, { statement }: StoodMoment): KeptStatements => {
  const find = db.prepare(
    "SELECT size, content FROM statement WHERE connection = ? AND id <= ? ORDER BY id DESC LIMIT 1"
  )
  const all = connections.flatMap((connection) => {
    const row = find.get(connection, statement) as { readonly size: number; readonly content: Buffer } | undefined
    return row === undefined ? [] : [JSON.parse(unpacked(row.content, row.size).toString()) as KeptStatements]
  })
  return {
    completeness: all.flatMap(({ completeness }) => completeness),
    orders: all.flatMap(({ orders }) => orders),
    payments: all.flatMap(({ payments }) => payments),
    cover: all.flatMap(({ cover }) => cover),
    budgets: all.flatMap(({ budgets }) => budgets)
  }
}

const READ = (row: string) =>
  `coalesce(${row}.read, (SELECT p.read FROM record_page p WHERE p.id = ${row}.record ${ROW}))`

/** The body of a document as it had been read by then. */
const BODY = `SELECT body FROM (
    SELECT d.body, d.n, ${READ("d")} AS read FROM document d WHERE d.key = :key
    UNION ALL SELECT v.body, v.n, ${READ("v")} FROM version v JOIN document d ON d.id = v.document WHERE d.key = :key)
  WHERE read <= :at ORDER BY n DESC LIMIT 1`

const openThen = (stood: Stood): string =>
  `${stoodAt(stood)} SELECT subject, connection, currency, books_open AS open, due FROM ledger
    WHERE books_open <> 0 AND currency <> '' AND connection IN (SELECT value FROM json_each(?)) ORDER BY subject`

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
  stood: Stood,
  today: Day.Day
): IterableIterator<StoodOpen & { readonly minor: bigint }> {
  const body = db.prepare(BODY).pluck()
  const rows = db.raw
    .prepare(openThen(stood))
    .safeIntegers()
    .iterate(JSON.stringify(connections)) as IterableIterator<OpenRow>
  for (const { connection, currency, due: held, open, subject } of rows) {
    const text = body.get({ key: subject, at: stood.at }) as string | undefined
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
