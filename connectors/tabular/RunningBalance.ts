/**
 * The running balance of a statement: each row's is the one before it and the row's amount, oldest first or newest first.
 * Where that does not add up a row is missing, or amounts or their signs are read wrong.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Batch } from "./Batch.ts"
import type { Context } from "./Cells.ts"
import type { Row } from "./Row.ts"
import type { PaymentSettings } from "./Streams.ts"
import { Unreadable } from "./Unreadable.ts"

interface Stood {
  readonly balance: Decimal
  readonly amount: Decimal | undefined
}

/** Looks at each row in turn; what does not add up is quarantined by itself, beside what is read of the row. */
export const make = (settings: PaymentSettings, context: Context, origin: (row: Row) => string) => {
  const [balanceAt, amountAt] = [context.at("balance"), context.at("amount")]
  let before: Stood | undefined
  let order: "oldest first" | "newest first" | undefined

  const read = (row: Row): Stood | undefined => {
    try {
      const currency = context.currency(row)
      const balance = context.money(row, balanceAt, settings.columns.balance!, currency)
      const amount = context.money(row, amountAt, settings.columns.amount!, currency)
      return balance === undefined ? undefined : { balance, amount }
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      return undefined
    }
  }

  /** Whether two rows that follow each other add up; and which way. */
  const follows = (last: Stood, now: Stood): boolean => {
    const up = now.amount !== undefined && last.balance + now.amount === now.balance
    const down = last.amount !== undefined && now.balance + last.amount === last.balance
    // A balance that is brought forward or carried forward has no amount.
    if (now.amount === undefined && last.amount === undefined) return now.balance === last.balance
    if (order === undefined && up !== down) order = up ? "oldest first" : "newest first"
    return order === undefined
      ? up || down
      : order === "oldest first"
        ? up || carried(last, now)
        : down || carried(now, last)
  }

  return (row: Row, batch: Batch): void => {
    if (balanceAt < 0) return
    const now = row.problem === undefined ? read(row) : undefined
    const last = before
    before = now
    if (now === undefined || last === undefined) return
    batch.balances.checked++
    if (follows(last, now)) return
    batch.balances.wrong++
    const currency = context.currency(row)
    batch.quarantined.push({
      kind: "payment",
      origin: origin(row),
      raw: row.raw,
      field: settings.columns.balance!,
      why: `is ${Currency.say(now.balance, currency)} here and ${Currency.say(last.balance, currency)} in the row before, which is not what the amounts between them come to: a row is missing, or an amount or its sign is read wrong (export the file again, or correct columns.amount)`
    })
  }
}

const carried = (last: Stood, now: Stood): boolean => now.amount === undefined && now.balance === last.balance
