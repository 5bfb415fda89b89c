/** Reports failed debits and chargebacks by month: money that went back without being refunded. Read-only. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type * as Document from "../../connectors/Document.ts"
import type * as Day from "../../core/wire/Day.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { amountOf, currencyOf, invoiceNamed, isFailedDebit } from "./News.ts"
import { columns, type Row, type Sheet } from "./sheets/Sheet.ts"

export interface FailedDebit {
  readonly key: string
  readonly date: Day.Day
  readonly currency: string
  readonly amount: Decimal.Decimal
  readonly reversal: Document.Reversal
}

/** Failed debits since a day, latest first; reads only reversals, which are a small part of the books. */
export const failedDebits = (
  db: Db,
  connections: ReadonlyArray<string>,
  { from, to }: { readonly from: string; readonly to: string }
): ReadonlyArray<FailedDebit> =>
  connections
    .flatMap((id) => {
      const rows = db
        .prepare(
          `SELECT key, body FROM document WHERE key > ? AND key < ? AND deleted = 0 AND ${Body.at("reversal", "date")} BETWEEN ? AND ?`
        )
        .iterate(`${id}/reversal/`, `${id}/reversal0`, from, to) as IterableIterator<{
        readonly key: string
        readonly body: string
      }>
      const found: Array<FailedDebit> = []
      for (const { body, key } of [...rows]) {
        const document = Body.read(body)
        if (document.kind !== "reversal" || !isFailedDebit(document)) continue
        const currency = currencyOf(db, { document, key })
        found.push({ key, date: document.date, currency, amount: amountOf(document) ?? 0n, reversal: document })
      }
      return found
    })
    .toSorted((a, b) => (a.date > b.date ? -1 : a.date < b.date ? 1 : a.key < b.key ? -1 : 1))

export interface FailedMonth {
  /** `2026-03` */
  readonly month: string
  readonly debits: number
  readonly amount: Decimal.Decimal
}

/** The last `months` months in one currency, oldest first, including months without any. */
export const byMonth = (
  all: ReadonlyArray<FailedDebit>,
  currency: string,
  today: Day.Day,
  months: number
): ReadonlyArray<FailedMonth> =>
  monthsTo(today, months).map((month) => {
    const own = all.filter((one) => one.currency === currency && one.date.startsWith(month))
    return { month, debits: own.length, amount: Decimal.sum(own.map(({ amount }) => amount)) }
  })

/** The months up to that of a day, oldest first: `2026-03`. */
export const monthsTo = (today: Day.Day, months: number): ReadonlyArray<string> => {
  const last = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1
  return Array.from({ length: months }, (_, i) => {
    const month = last - months + 1 + i
    return `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}`
  })
}

export const failedSheet = (db: Db, all: ReadonlyArray<FailedDebit>): Sheet => ({
  name: "Payments that came back",
  currency: 4,
  columns: columns(`Date date 12, Customer text 30, Invoice text 16, Reason text 14, Currency text 9, Amount money 14,
      Document text 30`),
  *rows(): IterableIterator<Row> {
    for (const { amount, currency, date, key, reversal } of all) {
      const { name, number } = invoiceNamed(db, { key, document: reversal })
      const money = Currency.isCurrency(currency) ? -amount : undefined
      yield [date, name, number, reversal.providerCode ?? reversal.type, currency, money, key]
    }
  }
})
