/**
 * Creates the completeness statement of payments for another connection's invoices: what was received less what went back,
 * and how much of it is for invoices and for none, per connection and currency. Unallocated payments are named.
 */
import * as Currency from "../../core/money/Currency.ts"
import { plural } from "../../core/Plural.ts"
import { asFarAsRead, countQuarantined, type verdict } from "./InvoiceStatement.ts"
import type { PaymentStatement } from "../model/reports/Statement.ts"
import * as ListTotals from "./ListTotals.ts"
import type { Db } from "../state/Database.ts"

/** The result of a statement, as `verdict` says it of invoices. */
export const resultOf = ({
  differences,
  more,
  quarantined
}: Pick<PaymentStatement, "differences" | "more" | "quarantined">): ReturnType<typeof verdict> => {
  const count = differences.length + more
  if (count > 0) return { kind: "differ", text: plural(count, "difference") }
  return quarantined > 0 ? asFarAsRead(quarantined) : { kind: "agree", text: "agree" }
}

const MOST = 100

interface Sums {
  readonly currency: string
  readonly pays: string
  readonly payments: bigint
  readonly received: bigint
  readonly matched: bigint
  readonly none: bigint
  readonly payouts: bigint
  readonly lacking: bigint
  readonly waiting: bigint
}

/** Whether nobody is asked about a payment yet. */
const WAITS = "EXISTS (SELECT 1 FROM to_report t WHERE t.document = m.document AND t.due > 0)"

const sumsOf = (db: Db, connection: string): ReadonlyArray<Sums> =>
  db
    .prepare(
      `SELECT m.pays, m.currency, sum(m.back = 0) AS payments,
            sum(CASE m.back WHEN 0 THEN m.amount ELSE -m.amount END) AS received,
            sum(CASE m.back WHEN 0 THEN m.matched ELSE -m.matched END) AS matched,
            sum(CASE WHEN m.how <> 'payout' THEN 0 WHEN m.back = 0 THEN m.matched ELSE -m.matched END) AS payouts,
            sum(CASE WHEN m.how <> 'none' THEN 0 WHEN m.back = 0 THEN m.matched ELSE -m.matched END) AS none,
            sum(m.matched <> m.amount AND NOT ${WAITS}) AS lacking,
            sum(CASE WHEN m.matched <> m.amount AND ${WAITS} THEN m.amount - m.matched ELSE 0 END) AS waiting
          FROM matching m WHERE m.connection = ? AND m.how <> 'tried' GROUP BY m.pays, m.currency ORDER BY m.currency`
    )
    .safeIntegers()
    .all(connection) as ReadonlyArray<Sums>

export const statements = (db: Db, connections: ReadonlyArray<string>): ReadonlyArray<PaymentStatement> =>
  connections.flatMap((connection) => {
    const sums = sumsOf(db, connection)
    const quarantined = countQuarantined(db, connection)
    const pending = db
      .prepare("SELECT count(*) FROM to_match WHERE key > ? AND key < ?")
      .pluck()
      .get(`${connection}/`, `${connection}0`) as number
    const lists = ListTotals.of(db, connection)
    return sums.map(
      ({ currency, lacking, matched, none, payments, payouts, pays, received, waiting }): PaymentStatement => {
        const say = (minor: bigint) => Currency.format(Currency.ofMinor(minor, currency), currency)
        const { differences, totals } = lists.get(currency) ?? ListTotals.NONE
        const rows = db
          .prepare(
            `SELECT d.key, CASE m.back WHEN 0 THEN m.amount - m.matched ELSE m.matched - m.amount END AS apart, m.why
            FROM matching m JOIN document d ON d.id = m.document
            WHERE m.connection = ? AND m.currency = ? AND m.matched <> m.amount AND NOT ${WAITS} ORDER BY d.key LIMIT ${MOST}`
          )
          .safeIntegers()
          .all(connection, currency) as ReadonlyArray<{
          readonly key: string
          readonly apart: bigint
          readonly why: string | null
        }>
        return {
          connection,
          pays,
          currency,
          payments: Number(payments),
          received: say(received),
          matched: say(matched - none - payouts),
          payouts: say(payouts),
          notForInvoices: say(none),
          waiting: say(waiting),
          ...(totals.length === 0 ? {} : { totals }),
          differences: [
            ...differences,
            ...rows.map(({ apart, key, why }) => ({
              document: key,
              amount: say(apart),
              why: why ?? (key.includes("/reversal/") ? "its payment is not matched" : "it is not matched yet")
            }))
          ],
          more: Math.max(0, Number(lacking) - MOST),
          pending,
          quarantined
        }
      }
    )
  })
