/**
 * Finds out what columns of net, tax and gross amounts hold, by calculating: a column "VAT 20" may hold rates, and net and
 * gross may stand under each other's heading.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import { type AssignedColumns, type Assigned, withHeadings } from "./Columns.ts"
import { amountsIn, holds, isNear, isProven } from "./Figures.ts"
import { type FoundTable, headingAt, type SetupDecision, type SetupQuestion, share } from "./Tables.ts"

/** Rates of value added tax in Europe, and some others. */
const RATES = [
  5, 5.5, 6, 7, 7.7, 8, 8.1, 9, 9.5, 10, 12, 13, 13.5, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 25.5, 27
]

const HUNDRED = Decimal.of("100")

/** A tax as a share of a net amount, in per cent. */
const percentOf = (tax: bigint, net: bigint): number => (net === 0n ? 0 : Number((tax * 1_000_000n) / net) / 10_000)

const isRate = (value: number): boolean => RATES.some((rate) => Math.abs(rate - value) < 0.06)

const asNumber = (amount: bigint): number => Number(Decimal.format(amount))

/** Whether the tax column holds rates: as rates they are likelier than as amounts of the rows' net or gross amounts. */
const holdsRates = (
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
    if (isRate(asNumber(tax))) rates++
    if (isRate(percentOf(tax, isGross ? of - tax : of))) amounts++
  }
  return rates > amounts && rates * 2 > taxes.filter((one) => one !== undefined && one !== 0n).length
}

export interface TaxSense {
  readonly columns: AssignedColumns
  /** The tax column holds rates. */
  readonly isRate: boolean
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
}

const swapped = (at: Assigned): Assigned => {
  const { gross, net, ...rest } = at
  return { ...rest, ...(net === undefined ? {} : { gross: net }), ...(gross === undefined ? {} : { net: gross }) }
}

export const taxSense = (table: FoundTable, columns: AssignedColumns, isSaid: boolean): TaxSense => {
  const { at, heading } = columns
  const file = table.name
  const plain = { columns, isRate: false, decisions: [], questions: [] }
  const grossAt = at.gross ?? at.amount
  const [nets, taxes, gross] = [at.net, at.tax, grossAt].map((one) => amountsIn(table.rows, one)) as [
    ReadonlyArray<bigint | undefined>,
    ReadonlyArray<bigint | undefined>,
    ReadonlyArray<bigint | undefined>
  ]
  const name = JSON.stringify(heading("tax") ?? "")
  if (at.tax === undefined) {
    const over = holds([nets, gross], (net, all) => Decimal.abs(net) > Decimal.abs(all))
    if (at.net === undefined || at.gross === undefined || !isProven(over)) return plain
    const decisions = [
      {
        file,
        what: "net and gross the other way round",
        because: `net is more than gross in ${share(over.fits, over.rows)} rows`
      }
    ]
    return { ...plain, columns: withHeadings(table, swapped(at), columns.language), decisions }
  }
  if (at.net === undefined || grossAt === undefined) {
    if (!holdsRates(taxes, nets, gross)) return plain
    return {
      ...plain,
      isRate: true,
      decisions: [
        { file, what: `${name} is a rate`, because: "as an amount it would be no share of the others that a tax is" }
      ]
    }
  }
  const adds = holds([nets, taxes, gross], (net, tax, all) => isNear(net + tax, all))
  if (adds.rows === 0) return plain
  if (isProven(adds))
    return {
      ...plain,
      decisions: [{ file, what: "net + tax = gross", because: `in ${share(adds.fits, adds.rows)} rows` }]
    }
  const rated = holds([nets, taxes, gross], (net, tax, all) => isNear(net + (net * tax) / HUNDRED, all))
  if (isProven(rated))
    return {
      ...plain,
      isRate: true,
      decisions: [
        {
          file,
          what: `${name} is a rate`,
          because: `net with so many per cent is gross in ${share(rated.fits, rated.rows)} rows`
        }
      ]
    }
  const turned = holds([nets, taxes, gross], (net, tax, all) => isNear(all + tax, net))
  if (isProven(turned) && at.gross !== undefined)
    return {
      ...plain,
      columns: withHeadings(table, swapped(at), columns.language),
      decisions: [
        {
          file,
          what: "net and gross the other way round",
          because: `only so do net and tax come to gross, in ${share(turned.fits, turned.rows)} rows`
        }
      ]
    }
  // The tax of each line beside the amount of the whole proves nothing.
  const odd = table.rows[adds.odd]
  if (isSaid || adds.fits * 2 > adds.rows || odd === undefined) return plain
  return {
    ...plain,
    decisions: [
      {
        file,
        what: "net + tax is not gross",
        because: `in ${share(adds.rows - adds.fits, adds.rows)} rows, first in line ${odd.line}`
      }
    ],
    questions: [
      {
        answer: "column.invoices.gross",
        flag: "--column invoices.gross=HEADING",
        what: `gross amount of ${table.name}`,
        ask: `${JSON.stringify(heading("net"))} and ${name} do not come to ${JSON.stringify(headingAt(table.header, grossAt))} in ${share(adds.rows - adds.fits, adds.rows)} rows of ${table.name}, first in line ${odd.line}. Which column is the amount with tax?`,
        choices: [grossAt, at.net].map((one) => headingAt(table.header, one))
      }
    ]
  }
}
