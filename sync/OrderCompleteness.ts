/**
 * The completeness statement of orders: authorised = captured + voided + open, per connection and currency, as the
 * service was last read, beside what this connection told it, with every difference named. What expired is told apart.
 */
import * as Currency from "../core/money/Currency.ts"
import type { Database } from "./state/Database.ts"

type Db = Database["Service"]

interface Difference {
  readonly document: string
  /** Books less service. */
  readonly amount: string
  readonly why: string
}

export interface OrderStatement {
  readonly connection: string
  readonly currency: string
  /** Orders whose deferred payment was found. */
  readonly orders: number
  /** Amounts in major units with the currency's decimals. */
  readonly authorised: string
  readonly captured: string
  readonly voided: string
  readonly expired: string
  /** As the service was last read. */
  readonly open: string
  /** What is open as far as this connection told. */
  readonly books: string
  readonly refunded: string
  readonly differences: ReadonlyArray<Difference>
  /** Differences beyond the first hundred. */
  readonly more: number
  /** Orders that wait, or changed since the last run. */
  readonly pending: number
}

const MOST = 100
const MEMBERS = ["captured", "voided", "expired", "open", "refunded"] as const

type Sums = Readonly<Record<(typeof MEMBERS)[number] | "orders" | "books", bigint>> & { readonly currency: string }

interface Differing {
  readonly subject: string
  readonly apart: bigint
  readonly why: string | null
}

export const statements = (db: Db, connections: ReadonlyArray<string>): ReadonlyArray<OrderStatement> =>
  connections.flatMap((connection) => {
    const range = [`${connection}/order/`, `${connection}/order0`] as const
    const sums = db
      .prepare(
        `SELECT currency, sum(remote <> coalesce(told ->> '$.order', '')) AS orders, sum(books_open) AS books, ${MEMBERS.map((name) => `sum(CAST(told ->> '$.${name}' AS INTEGER)) AS ${name}`).join(", ")}
          FROM ledger WHERE subject > ? AND subject < ? AND told IS NOT NULL GROUP BY currency ORDER BY currency`
      )
      .safeIntegers()
      .all(...range) as ReadonlyArray<Sums>
    const pending = db
      .prepare("SELECT count(*) FROM changed WHERE subject > ? AND subject < ?")
      .pluck()
      .get(...range) as number
    return sums.map((one): OrderStatement => {
      const say = (minor: bigint) =>
        Currency.format(minor * 10n ** BigInt(8 - Currency.decimals(one.currency)), one.currency)
      const rows = db
        .prepare(
          `SELECT l.subject, l.books_open - l.service_open AS apart,
              (SELECT a.why FROM attention a WHERE a.subject = l.subject AND a.closed IS NULL LIMIT 1) AS why
            FROM ledger l WHERE l.subject > ? AND l.subject < ? AND l.currency = ? AND l.books_open <> l.service_open
            ORDER BY l.subject`
        )
        .safeIntegers()
        .all(...range, one.currency) as ReadonlyArray<Differing>
      return {
        connection,
        currency: one.currency,
        orders: Number(one.orders),
        authorised: say(one.captured + one.voided + one.expired + one.open),
        captured: say(one.captured),
        voided: say(one.voided),
        expired: say(one.expired),
        open: say(one.open),
        books: say(one.books),
        refunded: say(one.refunded),
        differences: rows.slice(0, MOST).map(({ apart, subject, why }) => ({
          document: subject,
          amount: say(apart),
          why: why ?? "not everything has been sent yet"
        })),
        more: Math.max(0, rows.length - MOST),
        pending
      }
    })
  })
