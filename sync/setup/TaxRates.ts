/** Tells rates of tax from amounts of tax: in per cent, with or without its sign, and as shares of the amount, like 0.19. */
import * as Decimal from "../../core/money/Decimal.ts"
import { type AssignedColumns, withHeadings } from "./Columns.ts"
import { addsUp, amountsIn } from "./Figures.ts"
import { filledOf, type FoundTable } from "./Tables.ts"

export type Amounts = ReadonlyArray<bigint | undefined>

/** Rates of value added tax in Europe, and some others, in per cent. */
const RATES = "5 5.5 6 7 7.7 8 8.1 9 9.5 10 12 13 13.5 14 15 16 17 18 19 20 21 22 23 24 25 25.5 27"
  .split(" ")
  .map(Decimal.of)

export const HUNDRED = Decimal.of("100")
const UNIT = Decimal.of("1")

/** How far a rounded tax may be from a rate. */
const APART = Decimal.of("0.06")

/** A tax as a share of a net amount, in per cent. */
export const percentOf = (tax: bigint, net: bigint): bigint => (net === 0n ? 0n : (tax * HUNDRED) / net)

export const isRate = (value: bigint): boolean => RATES.some((rate) => Decimal.abs(rate - value) < APART)

/** Whether the tax column addsUp rates: as rates they are likelier than as amounts of the rows' net or gross amounts. */
export const holdsRates = (
  taxes: ReadonlyArray<bigint | undefined>,
  nets: ReadonlyArray<bigint | undefined>,
  gross: ReadonlyArray<bigint | undefined>
): boolean => {
  const isGross = nets.every((one) => one === undefined)
  let rates = 0
  let amounts = 0
  for (const [n, tax] of taxes.entries()) {
    const of = isGross ? gross[n] : nets[n]
    if (tax === undefined || tax === 0n || of === undefined) continue
    if (isRate(tax)) rates++
    if (isRate(percentOf(tax, isGross ? of - tax : of))) amounts++
  }
  return rates > amounts && rates * 2 > taxes.filter((one) => one !== undefined && one !== 0n).length
}

/** The texts of a column without a sign of per cent behind them. */
export const ratesIn = (rows: FoundTable["rows"], at = -1): Amounts =>
  amountsIn(
    rows.map((row) => ({ ...row, cells: row.cells.map((cell, n) => (n === at ? cell.replace(/\s*%$/, "") : cell)) })),
    at
  )

/** Rates as shares, like 0.19, which as amounts would be no share that a tax is. */
export const areShares = (taxes: Amounts, amounts: Amounts): boolean => {
  const taxed = addsUp([taxes, amounts], (tax) => tax !== 0n)
  const shares = addsUp([taxes, amounts], (tax) => tax > 0n && tax < UNIT && isRate(tax * 100n))
  const sums = addsUp([taxes, amounts], (tax, of) => tax !== 0n && isRate(percentOf(tax, of)))
  return shares.fits > 0 && shares.fits === taxed.fits && sums.fits * 2 < taxed.fits
}

/** Headings of a rate of tax in a column of its own. */
const TAX = "(?:tax|vat|gst|hst|mwst|ust|umsatzsteuer|mehrwertsteuer|steuer|tva|btw|iva|moms|mva|alv|dph|ptu)"
const RATE = "(?:rate|satz|%|percent|prozent|tarief|taux|tipo|aliquota|sats|stawka|sazba)"
const HEADING = new RegExp(
  `(?:^|[^\\p{L}])${TAX}.*${RATE}|${RATE}.*[^\\p{L}]${TAX}(?:[^\\p{L}]|$)|^aliquota|^taux de tva`,
  "iu"
)

/** Of a list that has only net amounts: a column of rates counts as the tax, whose heading would not be one of amounts. */
export const withRates = (table: FoundTable, columns: AssignedColumns): AssignedColumns => {
  const { amount, gross, net, tax } = columns.at
  if (net === undefined || (amount ?? gross ?? tax) !== undefined) return columns
  const taken = Object.values(columns.at)
  const found = table.header.findIndex((title, n) => {
    if (taken.includes(n) || !HEADING.test(title)) return false
    const rates = ratesIn(table.rows, n)
    const filled = rates.filter((one) => one !== undefined)
    return (
      filled.length > 0 &&
      filled.length === filledOf(table.rows, n).length &&
      filled.every((one) => one === 0n || isRate(one) || (one < UNIT && isRate(one * 100n)))
    )
  })
  return found < 0 ? columns : withHeadings(table, { ...columns.at, tax: found }, columns.language)
}
