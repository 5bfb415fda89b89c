/**
 * Watches columns that no field uses because they said nothing when that was decided: a row in which one says what is open, what was
 * paid, or a day is held back, and nobody is asked for the whole amount in the meantime.
 */
import type * as Decimal from "../../core/money/Decimal.ts"
import { type Context, find, Unreadable } from "./Cells.ts"
import type { Row } from "./Row.ts"
import type { InvoiceSettings, Unused } from "./Streams.ts"

const SAID: Readonly<Record<Exclude<Unused, "any">, string>> = {
  empty: "the column was empty",
  zero: "the column was zero in every row",
  whole: "the column was the whole amount in every row"
}

interface Watched {
  readonly at: number
  readonly heading: string
  readonly before: keyof typeof SAID
}

/** A day with its year, in whatever order. */
const DAY = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/. ]+(?:\d{1,2}|\p{L}{3,})[-/., ]+(?:\d{4}|\d\d))(?:[T ]|$)/u
/** An amount and no number of something else. */
const CENTS = /[.,]\d\d$/

export const unusedCheck = (
  { columns, unused = {} }: InvoiceSettings,
  { cell, header, money }: Context
): ((row: Row, whole: Decimal.Decimal, currency: string) => void) => {
  const watched: ReadonlyArray<Watched> = Object.entries(unused).flatMap(([heading, before]) => {
    const at = find(header, heading)
    return at < 0 || before === "any" ? [] : [{ at, heading, before }]
  })
  const { balance, due, paid, settled, status, terms } = columns
  const areAmounts = (balance ?? paid) === undefined
  const areDays = (due ?? terms) === undefined || (areAmounts && (settled ?? status) === undefined)
  const amountIn = (row: Row, at: number, text: string, currency: string): Decimal.Decimal | undefined => {
    if (text === "") return undefined
    try {
      return money(row, at, undefined, currency)
    } catch {
      return undefined
    }
  }
  const isOther = ({ at, before }: Watched, row: Row, text: string, whole: Decimal.Decimal, currency: string) => {
    const amount = amountIn(row, at, text, currency)
    if (before === "whole") return amount !== whole
    if (areDays && DAY.test(text)) return true
    if (before === "zero") return amount !== undefined && amount !== 0n
    return areAmounts && amount !== undefined && amount >= 0n && amount <= whole && CENTS.test(text)
  }
  return (row, whole, currency) => {
    for (const one of watched) {
      const { at, before, heading } = one
      const text = cell(row, at)
      if ((before === "empty" && text === "") || !isOther(one, row, text, whole, currency)) continue
      throw new Unreadable(
        `says ${JSON.stringify(text)}, and ${SAID[before]} when it was decided that nothing uses it: if it is what is open, what was paid, or a day, name it under columns.balance, columns.paid, columns.settled or columns.due; otherwise take it out of unused`,
        heading
      )
    }
  }
}
