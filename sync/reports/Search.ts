/**
 * Finds customers and documents of all connections by number, name, reference or amount. Read-only. Numbers are found by their
 * index; the rest by going through keys, names and amounts, and of documents that are not invoices through their text.
 */
import type * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { containing } from "./SearchText.ts"

export interface FoundDocument {
  readonly key: string
  readonly document: Document.Document
  readonly deleted: boolean
}

export interface FoundCustomer {
  readonly id: number
  readonly name: string
  readonly connection: string
}

export interface SearchFound {
  readonly customers: ReadonlyArray<FoundCustomer>
  /** By kind; none of a kind of which nothing was found. */
  readonly documents: ReadonlyMap<Document.Kind, ReadonlyArray<FoundDocument>>
}

/** How many of a kind are shown. */
export const MOST_FOUND = 6

const KINDS = [
  "invoice",
  "order",
  "payment",
  "reversal",
  "credit_note",
  "payout"
] as const satisfies ReadonlyArray<Document.Kind>

/** `2662.59`, `2,662.59`, `2.662,59`, `£2,662` and `GBP 2662.59`; undefined if the text is not an amount. */
export const searchedSum = (text: string): Decimal.Decimal | undefined => {
  const bare = text.replace(/^[A-Z]{3}\s+|(?<!\s)\s+[A-Z]{3}$|[\s\p{Sc}'’]/gu, "")
  const english = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare)
  const german = /^-?\d{1,3}(\.\d{3})+(,\d+)?$|^-?\d+,\d{1,2}$/.test(bare)
  const plain = english ? bare.replaceAll(",", "") : german ? bare.replaceAll(".", "").replace(",", ".") : bare
  // What begins with a zero is the end of a number.
  const amount = /^-?0\d/.test(plain) ? undefined : Decimal.parse(plain)
  return typeof amount === "bigint" ? amount : undefined
}

type Row = Readonly<Record<"key" | "body", string>> & { readonly deleted: number }

const foundOf = ({ body, deleted, key }: Row): FoundDocument => ({
  key,
  document: Body.read(body),
  deleted: deleted === 1
})

/** As the index of numbers has it. */
const NUMBER = Body.at("invoice", "number")

const SELECT = "SELECT key, body, deleted FROM document"

/** How somebody may have typed an id whose letters are large. */
const typed = (text: string): ReadonlyArray<string> => [...new Set([text, text.toUpperCase()])]

/** The document with exactly this id. */
const exactly = (db: Db, start: string, text: string): ReadonlyArray<Row> =>
  byKeys(
    db,
    typed(text).map((one) => `${start}${one}`)
  )

/** Documents whose id begins so. */
const beginning = (db: Db, start: string, text: string): ReadonlyArray<Row> =>
  typed(text).flatMap(
    (one) =>
      db
        .prepare(`${SELECT} WHERE key >= :from AND key < :from || char(1114111) ORDER BY key LIMIT :most`)
        .all({ from: `${start}${one}`, most: MOST_FOUND }) as ReadonlyArray<Row>
  )

/** Documents whose id contains it. Keys alone are in an index: their documents are looked up once they are found. */
const within = (db: Db, start: string, text: string): ReadonlyArray<Row> =>
  byKeys(
    db,
    db
      .prepare(
        "SELECT key FROM document WHERE key > :from AND key < :from || char(1114111) AND substr(key, :length) LIKE :like ESCAPE '\\' ORDER BY key LIMIT :most"
      )
      .pluck()
      .all({
        from: start,
        length: start.length + 1,
        like: containing(text),
        most: MOST_FOUND
      }) as ReadonlyArray<string>
  )

const byKeys = (db: Db, keys: ReadonlyArray<string>): ReadonlyArray<Row> =>
  db
    .prepare(`${SELECT} WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key`)
    .all(JSON.stringify(keys)) as ReadonlyArray<Row>

/** Invoices whose number is not their id, by the beginning of their number. */
const byNumber = (db: Db, start: string, text: string): ReadonlyArray<Row> =>
  db
    .prepare(
      `${SELECT} WHERE ${Body.is("invoice")} AND ${NUMBER} >= :text AND ${NUMBER} < :text || char(1114111)
        AND key > :from AND key < :from || char(1114111) LIMIT :most`
    )
    .all({ text, from: start, most: MOST_FOUND }) as ReadonlyArray<Row>

/** Invoices of this gross amount, the latest first. */
const invoicesOf = (db: Db, start: string, amount: Decimal.Decimal): ReadonlyArray<Row> => {
  const minors = [0, 2, 3].flatMap((digits) => {
    const minor = amount * 10n ** BigInt(digits)
    return minor % Decimal.one === 0n ? [String(minor / Decimal.one)] : []
  })
  const rows = db
    .prepare(
      `SELECT d.key, d.body, d.deleted, i.currency, i.gross FROM customer_invoice i CROSS JOIN document d ON d.id = i.document
        WHERE i.gross IN (SELECT CAST(value AS INTEGER) FROM json_each(:minors)) AND d.key > :from AND d.key < :from || char(1114111)
        ORDER BY i.issued DESC LIMIT 100`
    )
    .safeIntegers()
    .all({ minors: JSON.stringify(minors), from: start }) as ReadonlyArray<
    Omit<Row, "deleted"> & { readonly currency: string; readonly gross: bigint; readonly deleted: bigint }
  >
  return rows
    .filter(({ currency, gross }) => Currency.ofMinor(gross, currency) === amount)
    .map((row) => ({ ...row, deleted: Number(row.deleted) }))
}

/** Documents whose text has this reference, name or amount. */
const byText = (db: Db, start: string, text: string, amount: Decimal.Decimal | undefined): ReadonlyArray<Row> =>
  db
    .prepare(
      `${SELECT} WHERE key > :from AND key < :from || char(1114111)
        AND (body LIKE :like ESCAPE '\\' ${amount === undefined ? "" : "OR instr(body, :figure) > 0"}) ORDER BY key LIMIT :most`
    )
    .all({
      from: start,
      like: containing(JSON.stringify(text).slice(1, -1)),
      most: MOST_FOUND,
      ...(amount === undefined ? {} : { figure: `"${Decimal.format(amount)}"` })
    }) as ReadonlyArray<Row>

/** Goes through numbers and amounts of invoices, and through the text of others, which has their ids. */
const scanned = (db: Db, start: string, kind: Document.Kind, text: string): ReadonlyArray<Row> => {
  const amount = searchedSum(text)
  const begins = beginning(db, start, text)
  if (begins.length >= MOST_FOUND) return begins
  if (kind !== "invoice") return [...begins, ...byText(db, start, text, amount)]
  const named = [
    ...begins,
    ...byNumber(db, start, text),
    ...(amount === undefined ? [] : invoicesOf(db, start, amount))
  ]
  return named.length >= MOST_FOUND ? named : [...named, ...within(db, start, text)]
}

/** What the text may mean, up to a few of each kind. */
export const search = (db: Db, connections: ReadonlyArray<string>, text: string): SearchFound => {
  const customers = db
    .prepare(
      `SELECT id, name, connection FROM customer WHERE connection IN (SELECT value FROM json_each(:connections))
        AND (name LIKE :like ESCAPE '\\' OR party LIKE :like ESCAPE '\\') ORDER BY name COLLATE NOCASE, id LIMIT :most`
    )
    .all({ connections: JSON.stringify(connections), like: containing(text), most: MOST_FOUND })
  const places = KINDS.flatMap((kind) => connections.map((id) => ({ kind, start: `${id}/${kind}/` })))
  const exact = places.map(({ kind, start }) => ({ kind, rows: exactly(db, start, text) }))
  // Whoever types the whole number of a document means that one.
  const isExact = exact.some(({ rows }) => rows.length > 0)
  const all = isExact ? exact : places.map(({ kind, start }) => ({ kind, rows: scanned(db, start, kind, text) }))
  const found = KINDS.map((kind) => {
    const own = all.filter((one) => one.kind === kind).flatMap(({ rows }) => rows)
    const rows = new Map(own.map((row) => [row.key, row] as const))
    return [kind, [...rows.values()].slice(0, MOST_FOUND).map(foundOf)] as const
  })
  return {
    customers: customers as ReadonlyArray<FoundCustomer>,
    documents: new Map(found.filter(([, rows]) => rows.length > 0))
  }
}
