/** What the bank formats of fixed columns have in common: CODA, Norma 43, CFONB 120. */
import * as Currency from "../../../core/money/Currency.ts"
import type * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { type Balance, Fault } from "./Entry.ts"

/** Columns of a record, counted from 1 as the formats' descriptions do; editors strip blanks at the end. */
export const columns = (line: string, from: number, to: number): string => line.padEnd(128).slice(from - 1, to)

export const trimmed = (line: string, from: number, to: number): string =>
  columns(line, from, to).trim().replace(/\s+/g, " ")

/** `ddMMyy` or `yyMMdd`. */
export const dayIn = (text: string, order: "dmy" | "ymd"): Day.Day | undefined => {
  if (!/^\d{6}$/.test(text)) return undefined
  const [a, b, c] = [text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)].map(Number) as [number, number, number]
  return order === "dmy" ? Day.make(2000 + c, b, a) : Day.make(2000 + a, b, c)
}

/** Digits with so many decimal places; what the currency does not have has to be zero. */
export const amountIn = (digits: string, places: number, currency: string, field: string): Decimal.Decimal => {
  if (!/^\d{1,15}$/.test(digits)) throw new Fault(field, `${JSON.stringify(digits)} is not an amount`)
  if (!Currency.isCurrency(currency)) throw new Fault("currency", `${JSON.stringify(currency)} is not a currency`)
  const own = Currency.decimals(currency)
  const minor = BigInt(digits)
  if (own >= places) return Currency.ofMinor(minor * 10n ** BigInt(own - places), currency)
  const step = 10n ** BigInt(places - own)
  if (minor % step !== 0n) throw new Fault(field, `${JSON.stringify(digits)} is finer than ${currency}`)
  return Currency.ofMinor(minor / step, currency)
}

/** A balance, or undefined where it cannot be read. */
export const balanceOf = (read: () => Decimal.Decimal, currency: string): Balance | undefined => {
  try {
    return { amount: read(), currency }
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}
