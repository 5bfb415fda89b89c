/** Holds a row's net amount and tax against its gross amount: a row that contradicts itself is nobody's to believe. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { type Context, Unreadable } from "./Cells.ts"
import type { Row } from "./Row.ts"

/** A rounding cent, and the cent of another rounding. */
const CENTS = Decimal.of("0.02")

interface Read {
  readonly net: Decimal.Decimal | undefined
  readonly gross: Decimal.Decimal | undefined
  readonly currency: string | undefined
}

export const taxCheck = (
  columns: { readonly gross?: string | undefined; readonly tax_amount?: string | undefined },
  { at, money }: Pick<Context, "at" | "money">
): ((row: Row, read: Read) => void) => {
  const taxAt = at("tax_amount")
  if (taxAt < 0) return () => {}
  return (row, { currency, gross, net }) => {
    const tax = money(row, taxAt, columns.tax_amount, currency)
    if (tax === undefined || net === undefined) return
    const say = (amount: Decimal.Decimal) =>
      currency === undefined ? Decimal.format(amount, 2) : Currency.say(amount, currency)
    // The amount without tax is not what is owed.
    if (gross === undefined && columns.gross !== undefined && tax !== 0n)
      throw new Unreadable(
        `is empty, and net ${say(net)} with tax ${say(tax)} comes to ${say(net + tax)}: write it, or leave the row out`,
        columns.gross
      )
    if (gross === undefined || Decimal.abs(net + tax - gross) <= CENTS) return
    throw new Unreadable(
      `says ${say(gross)}, and net ${say(net)} with tax ${say(tax)} comes to ${say(net + tax)}: correct the row, or leave out columns.tax_amount if more is in the amount, like shipping`,
      columns.gross
    )
  }
}
