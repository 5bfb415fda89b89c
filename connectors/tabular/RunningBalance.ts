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
  /** The amount after fees, where they are in a column of their own and were taken off the balance. */
  readonly net: Decimal | undefined
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

/** Checks the rows of one account in turn; a balance that does not follow is quarantined separately, and the row is still read. */
class Account {
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
  /** What was taken off the balance beside the amounts. */
  #fees: Decimal = 0n

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
    if (this.#follows(last, now)) {
      const later = this.#order === "newest first" ? last : now
      const before = this.#order === "newest first" ? now : last
      if (later.amount !== undefined && later.net !== undefined && before.balance + later.amount !== later.balance)
        this.#fees += later.amount - later.net
      return
    }
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
      read: opening + (first.amount ?? 0n) + this.#sum - this.#missed.sum - this.#fees,
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
    const fee = this.#money(row, "fee")
    const net = known === undefined || typeof fee !== "bigint" ? known : known - (fee < 0n ? -fee : fee)
    this.#reach({ balance, amount: known, net, unknown, line: row.line, at: this.#within.origin(row) })
    const currency = this.#context.currency(row)
    if (currency !== undefined) this.#currencies.add(currency)
    return unknown ? undefined : { balance, amount: known, net }
  }

  #reach(end: End): void {
    this.#first ??= end
    this.#last = end
    this.#sum += this.#behind
    this.#behind = 0n
    this.#missed.reach(end.line)
  }

  #money(row: Row, name: "amount" | "balance" | "fee"): Decimal | "unreadable" | undefined {
    const { columns } = this.#settings
    if (columns[name] === undefined) return undefined
    try {
      return this.#context.money(row, this.#context.at(name), columns[name], this.#context.currency(row))
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      return "unreadable"
    }
  }

  /** Whether the balances of two adjacent rows follow from each other, and in which order. */
  #follows(last: Stood, now: Stood): boolean {
    const up = leads(last.balance, now)
    const down = leads(now.balance, last)
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

/** Whether a balance and the amount of the row after it come to that row's balance, with or without its fee. */
const leads = (before: Decimal, { amount, balance, net }: Stood): boolean =>
  (amount !== undefined && before + amount === balance) || (net !== undefined && before + net === balance)

const carried = (last: Stood, now: Stood): boolean => now.amount === undefined && now.balance === last.balance

/** Each account, and each currency of it, has balances of its own. */
class RunningBalance {
  readonly #of: readonly [PaymentSettings, Context, Place]
  readonly #accounts = new Map<string, Account>()

  constructor(...of: readonly [PaymentSettings, Context, Place]) {
    this.#of = of
  }

  #accountOf(row: Row): Account {
    const [{ columns }, context] = this.#of
    const currency = row.problem === undefined ? (context.currencyIn(row) ?? "") : ""
    const account =
      columns.account === undefined || row.problem !== undefined ? "" : context.cell(row, context.at("account"))
    const key = `${account}\n${currency}`
    const found = this.#accounts.get(key) ?? new Account(...this.#of)
    this.#accounts.set(key, found)
    return found
  }

  row(row: Row, batch: Batch): void {
    if (this.#of[0].columns.balance === undefined) return
    // A row that cannot be read may be of any of them.
    if (row.problem !== undefined) for (const one of this.#accounts.values()) one.row(row, batch)
    else this.#accountOf(row).row(row, batch)
  }

  /** A row that yielded no document. */
  missed(row: Row): void {
    if (this.#of[0].columns.balance !== undefined) this.#accountOf(row).missed(row)
  }

  /** No more rows follow. */
  end(batch: Batch): void {
    for (const one of this.#accounts.values()) one.end(batch)
  }
}

export const make = (...of: ConstructorParameters<typeof RunningBalance>) => new RunningBalance(...of)
