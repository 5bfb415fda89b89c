/**
 * Builds the sheets on cover: every invoice that is selected or was covered, with its price and why it is or is not insured;
 * the deadlines; and collections with who confirmed what.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Body from "../../state/Body.ts"
import type { Db } from "../../state/Database.ts"
import * as CollectionList from "../CollectionList.ts"
import * as Reports from "../Cover.ts"
import { columns, type Row, type Sheet } from "./Sheet.ts"

interface Stored extends Reports.StoredCover {
  readonly books: bigint | null
  readonly service: bigint | null
  readonly decision: string | null
  readonly who: string | null
  readonly decided: bigint | null
  readonly available: string | null
  readonly limit_read: bigint | null
}

const instant = (millis: bigint | null): number | null => (millis === null ? null : Number(millis))

const row = (one: Stored): Row => {
  const { currency } = one
  const money = (minor: bigint | null) => (minor === null ? null : Currency.ofMinor(minor, currency))
  const paidIn = one.price_currency ?? currency
  return [
    one.connection,
    one.number,
    one.name,
    one.due,
    currency,
    money(one.books),
    money(one.service),
    one.state,
    money(one.insured),
    // As text, because the price may be in another currency than the row.
    one.price === null ? null : Currency.say(Currency.ofMinor(one.price, paidIn), paidIn),
    instant(one.until),
    one.status,
    one.window_ends,
    one.code,
    one.why === "" ? null : one.why,
    one.decision,
    one.who,
    instant(one.decided),
    one.available === null ? null : Decimal.of(one.available),
    instant(one.limit_read),
    one.quote,
    one.policy,
    one.subject
  ]
}

/** The columns that identify the invoice of a row. */
const INVOICE = columns("Connection text 12, Invoice text 16, Buyer text 28, Due date 11, Currency text 9")

export const coverSheet = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Cover",
  columns: [
    ...INVOICE,
    ...columns(`Open (books) money 14, Open (service) money 14, Cover text 11, Exposure money 14, Price text 14,
      Offered until (UTC) instant 20, Policy is text 18, Window closes date 13, Declined text 22, Why text 50,
      Decision text 10, Decided by text 16, Decided at (UTC) instant 20, Left of the limit money 16,
      Limit read at (UTC) instant 20, Quote text 24, Policy text 24, Document text 24`)
  ],
  currency: 4,
  *rows() {
    const statement = db.raw
      .prepare(
        `SELECT c.*, ${Body.numberOfInvoice("d.body")} AS number, ${Body.at("invoice", "party.name", "d.body")} AS name, l.books_open AS books,
            l.service_open AS service, s.decision, s.who, s.decided, b.available, b.read AS limit_read
          FROM cover c LEFT JOIN document d ON d.key = c.subject LEFT JOIN ledger l ON l.subject = c.subject
            LEFT JOIN buyer_limit b ON b.company = c.company AND b.currency = c.currency AND b.available IS NOT NULL
            LEFT JOIN cover_decision s ON s.id =
              (SELECT max(id) FROM cover_decision WHERE subject = c.subject AND about NOT IN ('collection', 'file'))
          WHERE c.connection = ? ORDER BY c.due, c.subject`
      )
      .safeIntegers()
    for (const connection of connections)
      for (const one of statement.iterate(connection) as Iterable<Stored>) yield row(one)
  }
})

export const deadlines = (db: Db, connections: ReadonlyArray<string>, now: number): Sheet => ({
  name: "Deadlines",
  columns: columns(`Day date 11, Days left integer 9, What text 14, Connection text 12, Invoice text 16, Buyer text 28,
      Policy is text 18, Document text 24`),
  currency: -1,
  *rows() {
    for (const connection of connections)
      for (const { day, daysLeft, name, number, status, subject, what } of Reports.deadlines(db, connection, now))
        yield [day, daysLeft, what, connection, number, name, status, subject]
  }
})

export const collections = (db: Db, connections: ReadonlyArray<string>, now: number): Sheet => ({
  name: "Collections",
  columns: [
    ...INVOICE,
    ...columns(`Open money 14, Insured money 14, Policy text 18, Policy is text 18, Since date 11, Window closes date 13,
      Documents text 40, Confirmed by text 20, Confirmed at (UTC) instant 20, Said text 40,
      Digest of what was shown text 30, Sent at (UTC) instant 20, Recovered money 14, Document text 24`)
  ],
  currency: 4,
  *rows() {
    const at = (text: string | null) => (text === null || text === "" ? null : Date.parse(text))
    for (const connection of connections)
      for (const one of CollectionList.collections(db, connection, now))
        yield [
          connection,
          one.number,
          one.name,
          one.due,
          one.currency,
          Decimal.of(one.open),
          Decimal.of(one.insured),
          one.policy,
          one.status,
          one.since,
          one.windowEnds,
          one.documents.join(", "),
          one.confirmed,
          at(one.confirmedAt),
          one.said === null ? null : JSON.stringify(one.said),
          one.shown,
          at(one.sent),
          one.recovered === null ? null : Decimal.of(one.recovered),
          one.document
        ]
  }
})

/** Whether cover was ever used, so that books without it get no empty sheets. */
export const hasCover = (db: Db): boolean => db.raw.prepare("SELECT 1 FROM cover LIMIT 1").get() !== undefined
