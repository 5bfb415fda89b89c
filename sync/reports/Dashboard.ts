/**
 * Calculates figures for an overview: calls by day, documents by key. Read-only. The cost
 * of each depends on what is shown, not on the size of the books.
 */
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { amountOf } from "./News.ts"
import { columns, type Row, type Sheet } from "./sheets/Sheet.ts"
import * as Day_ from "../../core/wire/Day.ts"
import { differing } from "../reconciliation/OrderStatement.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { containing } from "./SearchText.ts"

export interface Day {
  readonly day: string
  readonly done: number
  readonly failed: number
}

/** Calls in the last `days` days, oldest first, including days without calls. */
export const calls = (db: Db, today: Day_.Day, days: number): ReadonlyArray<Day> => {
  const first = Day_.addDays(today, 1 - days)
  const rows = db
    .prepare(
      `SELECT date(started / 1000, 'unixepoch') AS day, sum(coalesce(figures ->> '$.done', 0)) AS done,
          sum(coalesce(figures ->> '$.failed', 0) + coalesce(figures ->> '$.unknown', 0)) AS failed
        FROM run WHERE command = 'apply' AND started >= ? GROUP BY day`
    )
    .all(Day_.toEpochMillis(first)) as ReadonlyArray<Day>
  const found = new Map(rows.map((row) => [row.day, row]))
  return Array.from({ length: days }, (_, i) => {
    const day = Day_.addDays(first, i)
    return found.get(day) ?? { day, done: 0, failed: 0 }
  })
}

/** A document and its state, for lists. */
export interface Listed {
  readonly key: string
  readonly deleted: boolean
  readonly document: Document.Document
  /** Its identifier on the service, if it has one. */
  readonly remote: string | null
  readonly reason: string | null
  readonly currency: string | null
  /** Minor units. */
  readonly books: bigint
  readonly service: bigint
  /** The open amount that the source states, and that of its facts; null if the source states nothing. */
  readonly says: bigint | null
  readonly follows: bigint | null
  /** Negative: owed to the buyer. */
  readonly balance: bigint | null
}

export interface Wanted {
  readonly connection: string
  readonly kind: Document.Kind
  /** Searched in the key, the number, the reference and the name; or an amount, `9000` or `9,000.00`. */
  readonly text: string
  /** `differs`: the source's own figure, books and service do not agree. */
  readonly only: "all" | "open" | "differs"
  /** Only documents after this key. */
  readonly after: string
}

const COLUMNS =
  "d.key, d.deleted, d.body, l.remote, l.reason, l.currency, coalesce(l.books_open, 0) AS books, coalesce(l.service_open, 0) AS service, l.source_open AS says, l.source_follows AS follows, l.balance"

/** The fields of a document that are searched. */
const SEARCHED = ["number", "reference", "party.name", "party.id", "order"]
const AMOUNTS = ["gross", "net", "amount"]

/** The form in which bodies contain this amount; undefined if the text is not an amount. */
const searchedAmount = (text: string): string | undefined => {
  const amount = Decimal.parse(/^-?\d{1,3}(,\d{3})*(\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text)
  return typeof amount === "bigint" ? Decimal.format(amount) : undefined
}

/** The form in which a body contains the text, without the quotation marks. */
const written = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Searches the text of the body first, which leaves few candidates: extracting the fields of each body would take several
 * times as long.
 */
const searching = (kind: Document.Kind, text: string) => {
  const amount = searchedAmount(text)
  const member = (name: string) => Body.at(kind, name, "d.body")
  const like = (what: string, how: string) => `${what} LIKE :${how} ESCAPE '\\'`
  const anywhere = [like("d.key", "like"), like("d.body", "within")]
  const exactly = ["d.key", ...SEARCHED.map(member)].map((what) => like(what, "like"))
  if (amount !== undefined) {
    anywhere.push(like("d.body", "figure"))
    exactly.push(...AMOUNTS.map((name) => `${member(name)} = :amount`))
  }
  return {
    where: `(${anywhere.join(" OR ")}) AND (${exactly.join(" OR ")})`,
    values: {
      like: containing(text),
      within: containing(written(text)),
      ...(amount === undefined ? {} : { amount, figure: containing(`"${amount}"`) })
    }
  }
}

/** Documents in the order of their keys, at most `most`. */
export const documents = (
  db: Db,
  { after, connection, kind, only, text }: Wanted,
  most: number
): ReadonlyArray<Listed> => {
  const start = `${connection}/${kind}/`
  const search = text === "" ? undefined : searching(kind, text)
  // Whether an order's facts match is not stored.
  const apart = only === "differs" && kind === "order"
  // Each condition has its own index.
  const differs = apart
    ? "l.subject IN (SELECT value FROM json_each(:keys))"
    : `l.id IN (SELECT id FROM ledger WHERE connection = :connection AND books_open <> service_open
        UNION ALL SELECT id FROM ledger WHERE connection = :connection AND source_open <> source_follows)`
  const where = [
    only === "all" ? "d.key > :after AND d.key < :end" : "l.subject > :after AND l.subject < :end",
    ...(search === undefined ? [] : [search.where]),
    ...(only === "open" ? ["l.service_open <> 0"] : only === "differs" ? [differs] : [])
  ]
  // Open or differing documents are found by their own index, all others by key.
  const from =
    only === "all"
      ? "document d LEFT JOIN ledger l ON l.subject = d.key"
      : "ledger l CROSS JOIN document d ON d.key = l.subject AND l.connection = :connection"
  const rows = db
    .prepare(
      `SELECT ${COLUMNS} FROM ${from} WHERE ${where.join(" AND ")} ORDER BY ${only === "all" ? "d.key" : "l.subject"} LIMIT :most`
    )
    .safeIntegers()
    .all({
      after: after > start ? after : start,
      end: `${connection}/${kind}0`,
      most,
      ...(only === "all" ? {} : { connection }),
      ...(apart ? { keys: JSON.stringify(differing(db, connection)) } : {}),
      ...search?.values
    }) as ReadonlyArray<Omit<Listed, "deleted" | "document"> & { readonly deleted: bigint; readonly body: string }>
  return rows.map(({ body, deleted, ...row }) => ({ ...row, deleted: deleted === 1n, document: Body.read(body) }))
}

/** The same of several connections, one after the other. */
export const documentsOf = (
  db: Db,
  connections: ReadonlyArray<string>,
  { after, ...wanted }: Omit<Wanted, "connection">,
  most: number
): ReadonlyArray<Listed> => {
  const at = after === "" ? 0 : connections.indexOf(Document.parseKey(after).connection)
  return (at < 0 ? [] : connections.slice(at)).flatMap((connection, i) =>
    documents(db, { ...wanted, connection, after: i === 0 ? after : "" }, most)
  )
}

/** How many documents are read at a time for a file. */
const AT_A_TIME = 500

const titled = (one: Document.Document): { readonly number: string; readonly name: string; readonly day: string } => {
  switch (one.kind) {
    case "invoice":
      return { number: one.number, name: one.party.name, day: one.issued }
    case "order":
      return { number: one.number, name: one.buyer?.name ?? "", day: one.placed }
    default:
      return { number: one.id, name: "", day: one.date }
  }
}

/** All matching documents as a sheet, for download. */
export const documentsSheet = (db: Db, wanted: Omit<Wanted, "after">): Sheet => ({
  name: "Documents",
  currency: 4,
  columns: columns(`Document text 30, Number text 16, Customer text 30, Date date 12, Currency text 9, Amount money 14,
      Open in the books money 16, Open on the service money 16, On the service text 20, Deleted text 9`),
  *rows(): IterableIterator<Row> {
    let after = ""
    for (;;) {
      const some = documents(db, { ...wanted, after }, AT_A_TIME)
      for (const { books, currency: held, deleted, document, key, remote, service } of some) {
        const { day, name, number } = titled(document)
        const currency = document.currency ?? held ?? ""
        const money = Currency.isCurrency(currency)
        const open = (minor: bigint) => (money && held !== null ? Currency.ofMinor(minor, currency) : undefined)
        const amount = money ? amountOf(document) : undefined
        yield [key, number, name, day, currency, amount, open(books), open(service), remote, deleted ? "yes" : "no"]
      }
      if (some.length < AT_A_TIME) return
      after = some.at(-1)?.key ?? ""
    }
  }
})
