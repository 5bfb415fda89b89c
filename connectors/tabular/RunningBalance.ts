/**
 * Checks the running balance of a statement: each row's balance must be the previous one plus the row's amount, oldest first
 * or newest first. If it is not, a row is missing, or amounts or their signs are misread. The closing balance is compared
 * with the first balance plus the amounts of all rows that were read.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Batch } from "./Batch.ts"
import type { Context } from "./Cells.ts"
import type { Row } from "./Row.ts"
import type { PaymentSettings } from "./Streams.ts"
import { Missed } from "./Missed.ts"
import { Unreadable } from "./Unreadable.ts"

interface Stood {
  readonly balance: Decimal
  readonly amount: Decimal | undefined
}

interface End extends Stood {
  readonly line: number
  readonly at: string
  /** Whether its amount is unreadable, so that the balance before it is unknown. */
  readonly unknown: boolean
}

interface Place {
  readonly file: string
  readonly origin: (row: Row) => string
}

/** Checks each row in turn; a balance that does not follow is quarantined separately, and the row is still read. */
class RunningBalance {
  readonly #settings: PaymentSettings
  readonly #context: Context
  readonly #within: Place
  readonly #balanceAt: number
  readonly #currencies = new Set<string>()
  readonly #missed = new Missed()
  #before: Stood | undefined
  #order: "oldest first" | "newest first" | undefined
  #first: End | undefined
  #last: End | undefined
  /** Sums of the rows after the first balance: up to the last balance, and after it. */
  #sum: Decimal = 0n
  #behind: Decimal = 0n

  constructor(settings: PaymentSettings, context: Context, within: Place) {
    this.#settings = settings
    this.#context = context
    this.#within = within
    this.#balanceAt = context.at("balance")
  }

  row(row: Row, batch: Batch): void {
    const column = this.#settings.columns.balance
    if (column === undefined || this.#balanceAt < 0) return
    const now = row.problem === undefined ? this.#read(row) : undefined
    const last = this.#before
    this.#before = now
    if (now === undefined || last === undefined) return
    batch.balances.checked++
    if (this.#follows(last, now)) return
    batch.balances.wrong++
    const currency = this.#context.currency(row)
    batch.quarantined.push({
      kind: "payment",
      origin: this.#within.origin(row),
      raw: row.raw,
      field: column,
      why: `is ${Currency.say(now.balance, currency)} here and ${Currency.say(last.balance, currency)} in the row before, and the amounts in between do not add up to the difference: a row is missing, or an amount or its sign is read wrong (export the file again, or correct columns.amount)`
    })
  }

  /** A row that yielded no document. */
  missed(row: Row): void {
    if (this.#first === undefined || row.line < this.#first.line) return
    const amount = this.#money(row, "amount")
    if (typeof amount === "bigint") this.#missed.add(row.line, amount)
  }

  /** No more rows follow. */
  end({ stated }: Batch): void {
    const [first, last, column] = [this.#first, this.#last, this.#settings.columns.balance]
    const [currency, ...others] = this.#currencies
    if (first === undefined || last === undefined || column === undefined) return
    if (currency === undefined || others.length > 0) return
    const newest = this.#order === "newest first"
    const [opens, closes] = newest ? [last, first] : [first, last]
    if (opens.unknown) return
    const opening = opens.balance - (opens.amount ?? 0n)
    stated.push({
      kind: "payment",
      list: this.#within.file,
      what: "closing balance",
      column,
      currency,
      amount: closes.balance,
      read: opening + (first.amount ?? 0n) + this.#sum - this.#missed.sum,
      at: closes.at
    })
  }

  /** Undefined if amount or balance cannot be read, or if there is no balance. */
  #read(row: Row): Stood | undefined {
    const [balance, amount] = [this.#money(row, "balance"), this.#money(row, "amount")]
    const known = typeof amount === "bigint" ? amount : undefined
    if (this.#first !== undefined) this.#behind += known ?? 0n
    if (typeof balance !== "bigint") return undefined
    const unknown = amount === "unreadable"
    this.#reach({ balance, amount: known, unknown, line: row.line, at: this.#within.origin(row) })
    const currency = this.#context.currency(row)
    if (currency !== undefined) this.#currencies.add(currency)
    return unknown ? undefined : { balance, amount: known }
  }

  #reach(end: End): void {
    this.#first ??= end
    this.#last = end
    this.#sum += this.#behind
    this.#behind = 0n
    this.#missed.reach(end.line)
  }

  #money(row: Row, name: "amount" | "balance"): Decimal | "unreadable" | undefined {
    const { columns } = this.#settings
    try {
      return this.#context.money(row, this.#context.at(name), columns[name], this.#context.currency(row))
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      return "unreadable"
    }
  }

  /** Whether the balances of two adjacent rows follow from each other, and in which order. */
  #follows(last: Stood, now: Stood): boolean {
    const up = now.amount !== undefined && last.balance + now.amount === now.balance
    const down = last.amount !== undefined && now.balance + last.amount === last.balance
    // A balance brought forward or carried forward has no amount.
    if (now.amount === undefined && last.amount === undefined) return now.balance === last.balance
    if (this.#order === undefined && up !== down) this.#order = up ? "oldest first" : "newest first"
    return this.#order === undefined
      ? up || down
      : this.#order === "oldest first"
        ? up || carried(last, now)
        : down || carried(now, last)
  }
}

const carried = (last: Stood, now: Stood): boolean => now.amount === undefined && now.balance === last.balance

export const make = (...of: ConstructorParameters<typeof RunningBalance>) => new RunningBalance(...of)
