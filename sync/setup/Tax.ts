/**
 * Finds out what columns of net, tax and gross amounts hold, by calculating: a column "VAT 20" may hold rates, and net and
 * gross may stand under each other's heading.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import { find } from "../../connectors/tabular/Cells.ts"
import { assign, type AssignedColumns, type Assigned, withHeadings } from "./Columns.ts"
import type { SetupAnswers } from "./Answers.ts"
import { amountsIn, addsUp, isNear, isProven } from "./Figures.ts"
import { type Amounts, areShares, holdsRates, HUNDRED, isRate, percentOf, ratesIn, withRates } from "./TaxRates.ts"
import {
  cellsOf,
  filledOf,
  type FoundTable,
  headingAt,
  type Proposal,
  type SetupDecision,
  type SetupQuestion,
  share
} from "./Tables.ts"

export interface TaxSense {
  readonly columns: AssignedColumns
  /** The tax column addsUp rates. */
  readonly isRate: boolean
  /** Its rates are shares, as 0.19. */
  readonly isShare: boolean
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
}

const swapped = (at: Assigned): Assigned => {
  const { gross, net, ...rest } = at
  return { ...rest, ...(net === undefined ? {} : { gross: net }), ...(gross === undefined ? {} : { net: gross }) }
}

/** What is found in a table, before it is said. */
interface Found {
  readonly isRate?: boolean
  readonly isTurned?: boolean
  readonly what: string
  readonly because: string
}

/** What nets, taxes and gross amounts say together; undefined if nothing. */
const together = (nets: Amounts, taxes: Amounts, gross: Amounts, name: string): Found | undefined => {
  const adds = addsUp([nets, taxes, gross], (net, tax, all) => isNear(net + tax, all))
  if (isProven(adds)) return { what: "net + tax = gross", because: `in ${share(adds.fits, adds.rows)} rows` }
  const rated = addsUp([nets, taxes, gross], (net, tax, all) => isNear(net + (net * tax) / HUNDRED, all))
  if (isProven(rated)) {
    const because = `net with so many per cent is gross in ${share(rated.fits, rated.rows)} rows`
    return { isRate: true, what: `${name} is a rate`, because }
  }
  const turned = addsUp([nets, taxes, gross], (net, tax, all) => isNear(all + tax, net))
  if (!isProven(turned)) return undefined
  const because = `only so do net and tax come to gross, in ${share(turned.fits, turned.rows)} rows`
  return { isTurned: true, what: "net and gross the other way round", because }
}

/** Without a column for one of the three, or with one that proves nothing. */
const alone = (nets: Amounts, taxes: Amounts, gross: Amounts, name: string): Found | undefined => {
  if (taxes.some((one) => one !== undefined))
    return holdsRates(taxes, nets, gross)
      ? { isRate: true, what: `${name} is a rate`, because: "as an amount it would be no share that a tax is" }
      : undefined
  const over = addsUp([nets, gross], (net, all) => Decimal.abs(net) > Decimal.abs(all))
  if (!isProven(over)) return undefined
  const because = `net is more than gross in ${share(over.fits, over.rows)} rows`
  return { isTurned: true, what: "net and gross the other way round", because }
}

/**
 * What an amount beside a tax is: before tax if the tax is a rate of all of it and of no rest of it, `either` if it is a rate of
 * both, as 20 is of 100 and of 80.
 */
const sideOf = (taxes: Amounts, amounts: Amounts): "before" | "either" | "within" => {
  const rated = (of: (tax: bigint, amount: bigint) => bigint) =>
    addsUp([taxes, amounts], (tax, amount) => tax !== 0n && isRate(percentOf(tax, of(tax, amount))))
  const [before, within] = [rated((_, amount) => amount), rated((tax, amount) => amount - tax)]
  const taxed = taxes.filter((tax, n) => tax !== undefined && tax !== 0n && amounts[n] !== undefined).length
  if (before.fits === 0 || before.fits !== taxed) return "within"
  return within.fits * 2 < taxed ? "before" : within.fits === taxed ? "either" : "within"
}

const question = (
  table: FoundTable,
  headings: readonly [net: string, tax: string, gross: string],
  said: string
): SetupQuestion => {
  const [net, tax, gross] = headings
  return {
    answer: "column.invoices.gross",
    flag: "--column invoices.gross=HEADING",
    what: `gross amount of ${table.name}`,
    ask: `${JSON.stringify(net)} and ${tax} do not come to ${JSON.stringify(gross)} ${said}. Which column is the amount with tax?`,
    choices: [gross, net]
  }
}

/** Further amounts that are added to net and tax, or taken off: a stamp duty, a contribution to a pension fund, a tax withheld. */
const withMore = (
  table: FoundTable,
  { at }: AssignedColumns,
  [nets = [], taxes = [], gross = []]: ReadonlyArray<Amounts>
): SetupDecision | undefined => {
  const taken = new Set(Object.values(at))
  const free = table.header.flatMap((title, n) => {
    const amounts = taken.has(n) || title === "" ? [] : amountsIn(table.rows, n)
    return amounts.some((one) => one !== undefined && one !== 0n)
      ? [1n, -1n].map((sign) => ({ n, sign, amounts: amounts.map((one) => (one ?? 0n) * sign) }))
      : []
  })
  const sets = free.flatMap((one, i) => [
    [one],
    ...free.slice(i + 1).flatMap((other) => (other.n === one.n ? [] : [[one, other]]))
  ])
  const found = sets.find((set) => {
    const rest = gross.map((_, n) => Decimal.sum(set.map(({ amounts }) => amounts[n] ?? 0n)))
    const { fits, rows } = addsUp([nets, taxes, gross, rest], (net, tax, all, more) => isNear(net + tax + more, all))
    return rows > 1 && fits === rows
  })
  if (found === undefined) return undefined
  const names = found.map(({ n, sign }) => `${sign > 0n ? "+" : "−"} ${JSON.stringify(headingAt(table.header, n))}`)
  return { file: table.name, what: `net + tax ${names.join(" ")} = gross`, because: `in all ${table.rows.length} rows` }
}

/** Of payments: the amount before tax and discount stands beside what was paid. */
export const withoutPrice = (table: FoundTable, columns: AssignedColumns): AssignedColumns => {
  const { amount, ...others } = columns.at
  if (amount === undefined || others.gross === undefined || others.tax === undefined) return columns
  const sums = [amount, others.tax, others.gross].map((n) => amountsIn(table.rows, n))
  const adds = addsUp(sums, (net, tax, all) => isNear(net + tax, all))
  return isProven(adds) || withMore(table, columns, sums) !== undefined
    ? withHeadings(table, others, columns.language)
    : columns
}

const NEITHER = "none"

/** In every row the tax is a rate of all of the amount; and the heading says that it is in it, or it is a rate of the rest, too. */
const beforeQuestion = (table: FoundTable, tax: string, gross: string): SetupQuestion => ({
  answer: "column.invoices.net",
  flag: "--column invoices.net=HEADING",
  what: `net amount of ${table.name}`,
  ask: `In every row of ${table.name}, ${tax} is a rate of all of ${JSON.stringify(gross)}, as it is of an amount before tax. Is ${JSON.stringify(gross)} the amount before tax (${NEITHER}: the tax is in it)?`,
  choices: [gross, NEITHER]
})

/** No tax is more than the amount before it; the reader believes no list with so many. */
const TAXED_TWICE = 3

const twiceQuestion = (
  table: FoundTable,
  { at }: AssignedColumns,
  [nets, gross]: readonly [Amounts, Amounts]
): ReadonlyArray<SetupQuestion> => {
  if (at.net === undefined) return []
  const amounts = addsUp([nets, gross], (net, all) => Decimal.abs(all) > Decimal.abs(net) * 2n)
  const different = addsUp([nets, gross], (net, all) => net !== all)
  if (amounts.fits < TAXED_TWICE || amounts.fits * 2 <= different.fits) return []
  const [net, whole] = [headingAt(table.header, at.net), headingAt(table.header, (at.gross ?? at.amount) as number)]
  const others = table.header.flatMap((_, n) => {
    const heading = headingAt(table.header, n)
    return Object.values(at).includes(n) || !isMoney(table, n) ? [] : [heading]
  })
  return [
    {
      answer: "column.invoices.net",
      flag: "--column invoices.net=HEADING",
      what: `net amount of ${table.name}`,
      ask: `In ${share(amounts.fits, amounts.rows)} rows of ${table.name}, ${JSON.stringify(whole)} is more than twice ${JSON.stringify(net)}: no tax is that high. Which column is the amount before tax (${NEITHER}: no column has it, and ${JSON.stringify(whole)} is what is owed)?`,
      choices: [NEITHER, ...others]
    }
  ]
}

const isMoney = ({ rows }: FoundTable, n: number): boolean => {
  const filled = filledOf(rows, n)
  return (
    filled.length > 0 && filled.every((text) => /\d/.test(text)) && amountsIn(rows, n).some((one) => one !== undefined)
  )
}

/** So many rows show that a column is what is left of an amount, and not the amount. */
const SHOWN = 2

/** An amount with tax that is nothing in some rows, in which net is not, and net with tax in all others: what is still open, or was paid. */
const areLeft = (at: Assigned, [nets, taxes, gross]: readonly [Amounts, Amounts, Amounts]): boolean => {
  if (at.net === undefined || (at.balance ?? at.paid) !== undefined) return false
  const isTaxed = (net: bigint, tax: bigint, all: bigint) =>
    isNear(net + tax, all) || isNear(net + (net * tax) / HUNDRED, all)
  const taxed = addsUp([nets, taxes, gross], isTaxed)
  const none = addsUp([nets, taxes, gross], (net, _, all) => net !== 0n && all === 0n)
  return taxed.fits >= SHOWN && none.fits >= SHOWN && taxed.fits + none.fits === taxed.rows
}

/** The column of the tax where net and tax come to gross, by which the reader holds each later row against itself. */
export const provenTax = (table: FoundTable, columns: AssignedColumns): string | undefined => {
  const { at, heading } = columns
  const grossAt = at.gross ?? at.amount
  if (at.net === undefined || at.tax === undefined || grossAt === undefined) return undefined
  const sums = [at.net, at.tax, grossAt].map((n) => amountsIn(table.rows, n))
  const isRead = cellsOf(table.rows, at.tax).every((text, n) => text === "" || sums[1]?.[n] !== undefined)
  const adds = addsUp(sums, (net, tax, all) => isNear(net + tax, all))
  if (!isRead || !isProven(adds)) return undefined
  return adds.fits === adds.rows || withMore(table, columns, sums) === undefined ? heading("tax") : undefined
}

/** Rows in which net and tax are not gross, in a list where they are: which of the three is wrong, nobody but a person knows. */
const oddQuestion = (
  table: FoundTable,
  columns: AssignedColumns,
  sums: ReadonlyArray<Amounts>,
  named: Readonly<Record<string, string>>
): ReadonlyArray<SetupQuestion> => {
  const tax = provenTax(table, columns)
  const adds = addsUp(sums, (net, tax, all) => isNear(net + tax, all))
  const odd = table.rows[adds.odd]
  if (tax === undefined || odd === undefined || (named["invoices.tax_amount"] ?? named["tax_amount"]) !== undefined)
    return []
  const { at } = columns
  const [net, gross] = [at.net, at.gross ?? at.amount].map((n) => JSON.stringify(headingAt(table.header, n ?? 0)))
  return [
    {
      answer: "column.tax_amount",
      flag: "--column tax_amount=HEADING",
      what: `rows of ${table.name} whose tax does not fit`,
      ask: `In ${share(adds.rows - adds.fits, adds.rows)} rows of ${table.name}, first in line ${odd.line}, ${net} and ${JSON.stringify(tax)} do not come to ${gross}. Shall such rows wait until they are corrected (${tax}), or is ${gross} what is owed all the same (${NEITHER}: the tax is not compared)?`,
      choices: [tax, NEITHER],
      suggestion: tax
    }
  ]
}

/** A preset's list is held against its tax as any other, and asked about the same. */
export const presetTax = (
  table: FoundTable,
  proposal: Proposal,
  { columns: named = {} }: SetupAnswers
): { readonly proposal: Proposal; readonly questions: ReadonlyArray<SetupQuestion> } => {
  const [net, gross] = [proposal.columns["net"], proposal.columns["gross"]]
  const { at, language } = assign(table)
  if (typeof net !== "string" || typeof gross !== "string" || at.tax === undefined) return { proposal, questions: [] }
  const [netAt, grossAt] = [find(table.header, net), find(table.header, gross)]
  if (netAt < 0 || grossAt < 0) return { proposal, questions: [] }
  const columns = withHeadings(table, { net: netAt, gross: grossAt, tax: at.tax }, language)
  const tax = provenTax(table, columns)
  if (tax === undefined) return { proposal, questions: [] }
  const sums = [netAt, at.tax, grossAt].map((n) => amountsIn(table.rows, n))
  return {
    proposal: { ...proposal, columns: { ...proposal.columns, tax_amount: tax } },
    questions: oddQuestion(table, columns, sums, named)
  }
}

export const taxSense = (
  table: FoundTable,
  assigned: AssignedColumns,
  { columns: named = {} }: SetupAnswers
): TaxSense => {
  const columns = withRates(table, assigned)
  const [saidGross, saidNet] = ["gross", "net"].map((field) => named[`invoices.${field}`] ?? named[field])
  const { at, heading } = columns
  const grossAt = at.gross ?? at.amount
  const [nets, gross] = [amountsIn(table.rows, at.net), amountsIn(table.rows, grossAt)]
  const rates = ratesIn(table.rows, at.tax)
  const isShare = areShares(rates, at.net === undefined ? gross : nets)
  const taxes = isShare ? rates.map((one) => (one === undefined ? one : one * 100n)) : rates
  const plain = { columns, isRate: false, isShare, decisions: [], questions: [] }
  if (saidGross === undefined && areLeft(at, [nets, taxes, gross])) {
    // Any other amount is free then: a person is asked whether it is what is open, or what was paid.
    const { amount: _, gross: open, ...others } = at
    const left = withHeadings(table, open === undefined ? others : { ...others, balance: open }, columns.language)
    const found = taxSense(table, left, { columns: named })
    const what = `${JSON.stringify(heading("gross"))} is what is open`
    const because = "it is nothing in some rows, and net with tax in all others"
    const decisions = open === undefined ? [] : [{ file: table.name, what, because }]
    return { ...found, decisions: [...decisions, ...found.decisions] }
  }
  const name = JSON.stringify(heading("tax") ?? "")
  const side =
    at.net === undefined && grossAt !== undefined && saidGross === undefined ? sideOf(taxes, gross) : "within"
  const isAsked = at.gross === undefined ? side === "either" : side === "before"
  if (grossAt !== undefined && saidNet !== NEITHER && (side === "before" || isAsked)) {
    const { amount: _, gross: __, ...others } = at
    const own = headingAt(table.header, grossAt)
    if (isAsked && saidNet === undefined) return { ...plain, questions: [beforeQuestion(table, name, own)] }
    const decisions = [
      {
        file: table.name,
        what: `${JSON.stringify(own)} is before tax`,
        because: `${name} is a rate of it in every row`
      }
    ]
    return { ...plain, columns: withHeadings(table, { ...others, net: grossAt }, columns.language), decisions }
  }
  const isWhole = at.net !== undefined && at.tax !== undefined && grossAt !== undefined
  const found = isWhole ? together(nets, taxes, gross, name) : alone(nets, taxes, gross, name)
  if (found !== undefined && (found.isTurned !== true || at.gross !== undefined)) {
    const { because, isRate = false, isTurned = false, what } = found
    const decisions = [{ file: table.name, what, because }]
    const right = isTurned ? withHeadings(table, swapped(at), columns.language) : columns
    const questions = isRate || isTurned ? [] : oddQuestion(table, columns, [nets, taxes, gross], named)
    return { ...plain, columns: right, isRate, decisions, questions }
  }
  const twice = saidNet === undefined && saidGross === undefined ? twiceQuestion(table, columns, [nets, gross]) : []
  if (twice.length > 0 && !isWhole) return { ...plain, questions: twice }
  const adds = addsUp([nets, taxes, gross], (net, tax, all) => isNear(net + tax, all))
  const odd = table.rows[adds.odd]
  // The tax of each line beside the amount of the whole proves nothing.
  if (!isWhole || saidGross !== undefined || adds.fits * 2 > adds.rows || odd === undefined) return plain
  const more = withMore(table, columns, [nets, taxes, gross])
  if (more !== undefined) return { ...plain, decisions: [more] }
  const said = `in ${share(adds.rows - adds.fits, adds.rows)} rows of ${table.name}, first in line ${odd.line}`
  const headings = [headingAt(table.header, at.net), name, headingAt(table.header, grossAt)] as const
  return {
    ...plain,
    decisions: [{ file: table.name, what: "net + tax is not gross", because: said }],
    questions: [question(table, headings, said)]
  }
}
