/** Tells from an entry's accounts what its lines on customers' accounts are (plan comptable général). */
import type { Decimal } from "../../../core/money/Decimal.ts"
import type { PayMethod } from "../../Document.ts"

export type Role =
  | "invoice"
  | "credit note"
  | "payment"
  | "reversal"
  /** A credit against neither money nor revenue: written off, a discount, an exchange loss, set off. */
  | "settled"
  /** A debit against neither money nor revenue. */
  | "charge"
  /** From one account of customers to another. */
  | "moved"
  /** What earlier years left. */
  | "opening"

export interface Accounts {
  readonly customers: ReadonlyArray<string>
  readonly money: ReadonlyArray<string>
}

/** Receivables, bills of exchange, doubtful ones. */
export const CUSTOMERS = ["411", "413", "416"]
/** Banks and bills being collected, cash, transit accounts, advances received. */
export const MONEY = ["51", "53", "467", "58", "4191"]

const starts = (account: string, prefixes: ReadonlyArray<string>): boolean => {
  for (const prefix of prefixes) if (account.startsWith(prefix)) return true
  return false
}

export const isCustomer = (account: string, { customers }: Accounts): boolean => starts(account, customers)

/** Rounding gains, exchange gains and what provisions give back are no revenue of an invoice. */
const isRevenue = (account: string): boolean => account.startsWith("7") && !starts(account, ["758", "766", "78"])

/** Discounts, exchange losses and bad debts beside money. */
const LOSSES = ["654", "658", "665", "666", "6714"]

/** What one line of an entry says. */
export interface Posting {
  readonly account: string
  readonly amount: Decimal
}

/** The sums of an entry, by what its accounts are. Debits are positive. */
export interface Sums {
  readonly customers: Decimal
  readonly money: Decimal
  readonly revenue: Decimal
  readonly vat: Decimal
  readonly losses: Decimal
  /** The first account that is none of these. */
  readonly other: string | undefined
  readonly method: PayMethod | undefined
  readonly isOpening: boolean
}

export const sumsOf = (postings: ReadonlyArray<Posting>, accounts: Accounts, isOpening: boolean): Sums => {
  let [customers, money, revenue, vat, losses] = [0n, 0n, 0n, 0n, 0n]
  let [other, method]: [string | undefined, PayMethod | undefined] = [undefined, undefined]
  let opens = isOpening
  for (const { account, amount } of postings) {
    if (starts(account, accounts.customers)) customers += amount
    else if (starts(account, accounts.money)) {
      money += amount
      method ??= account.startsWith("53") ? "cash" : account.startsWith("51") ? "bank" : undefined
    } else if (isRevenue(account)) revenue += amount
    else if (account.startsWith("4457")) vat += amount
    else if (account.startsWith("89")) opens = true
    else {
      other ??= account
      if (starts(account, LOSSES)) losses += amount
    }
  }
  return { customers, money, revenue, vat, losses, other, method, isOpening: opens }
}

/** What a line on a customer's account is, within its entry. */
export const roleOf = (amount: Decimal, sums: Sums): Role => {
  if (sums.isOpening) return "opening"
  if (amount > 0n) {
    if (sums.revenue < 0n || (sums.vat < 0n && sums.money === 0n)) return "invoice"
    if (sums.money < 0n) return "reversal"
  } else {
    if (sums.revenue > 0n || (sums.vat > 0n && sums.money === 0n && sums.losses === 0n)) return "credit note"
    if (sums.money > 0n) return "payment"
  }
  if (sums.customers === 0n) return "moved"
  return amount > 0n ? "charge" : "settled"
}
