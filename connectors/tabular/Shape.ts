/**
 * Computes values from several columns: summed amounts, debit and credit, ids made of several parts or of a row's content.
 * Each becomes a column appended to the table, so that later steps see one column per field. A table whose settings need
 * none of this is passed through unchanged.
 */
import { hash } from "node:crypto"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Currencies from "./Currencies.ts"
import * as Expressions from "./Expressions.ts"
import * as Numerals from "./Numerals.ts"
import type { Row } from "./Row.ts"
import type { StreamSettings, Written } from "./Streams.ts"
import { Unreadable } from "./Unreadable.ts"
import * as Where from "./Where.ts"

export interface Cells extends Where.Cells {
  /** The currency of a row, if it states one. */
  readonly currency: (row: Row) => string | undefined
}

export interface Shape {
  readonly settings: StreamSettings
  readonly header: ReadonlyArray<string>
  readonly row: (row: Row) => Row
}

/** The value of a computed column in a row; `number` if it has a decimal point and no grouping. */
interface Made {
  readonly name: string
  readonly number: boolean
  readonly value: (row: Row) => string
}

type Columns = Readonly<Record<string, Expressions.Expression>>

export const compile = (settings: Written, header: ReadonlyArray<string>, cells: Cells): Shape => {
  const columns: Record<string, string> = {}
  const made: Array<Made> = []
  for (const [field, expression] of Object.entries(settings.columns as Columns)) {
    if (typeof expression === "string") columns[field] = expression
    else {
      // The table may have a heading with the same name.
      const name = `${Expressions.label(expression)}${header.includes(Expressions.label(expression)) ? ` (${field})` : ""}`
      columns[field] = name
      made.push({ name, ...makingOf(field, expression, cells) })
    }
  }
  const plain = { ...settings, columns } as StreamSettings
  if (made.length === 0) return { settings: plain, header, row: (row) => row }
  return { settings: plain, header: [...header, ...made.map(({ name }) => name)], row: widened(header.length, made) }
}

const widened =
  (width: number, made: ReadonlyArray<Made>) =>
  (row: Row): Row => {
    if (row.problem !== undefined) return row
    const cells = Array.from({ length: width }, (_, n) => row.cells[n] ?? "")
    const numbers = Array.from({ length: width }, (_, n) => row.numbers?.[n] ?? false)
    const faults = new Map<number, Unreadable>()
    for (const { number, value } of made) {
      try {
        cells.push(value(row))
      } catch (cause) {
        if (!(cause instanceof Unreadable)) throw cause
        faults.set(cells.length, cause)
        cells.push("")
      }
      numbers.push(number)
    }
    return { ...row, cells, numbers, ...(faults.size === 0 ? {} : { faults }) }
  }

const AMOUNTS = [
  "net",
  "gross",
  "tax_amount",
  "amount",
  "balance",
  "paid",
  "credited",
  "refunded",
  "unallocated",
  "total"
]

const makingOf = (field: string, expression: Expressions.Expression, cells: Cells): Omit<Made, "name"> => {
  if (AMOUNTS.includes(field)) return { number: true, value: amountOf(expression as Expressions.Amount, cells) }
  if (!Array.isArray(expression) && typeof expression === "object" && "content" in expression) {
    return { number: false, value: contentId((expression as { content: ReadonlyArray<string> }).content, cells) }
  }
  const at = Expressions.columnsOf(expression).map((heading) => [heading, cells.find(heading)] as const)
  if (field !== "id") {
    const isFirst = !Array.isArray(expression) && "first" in (expression as object)
    return {
      number: false,
      value: (row) => {
        const texts = at.map(([, n]) => cells.cell(row, n)).filter((one) => one !== "")
        return isFirst ? (texts[0] ?? "") : texts.join(" ")
      }
    }
  }
  return {
    number: false,
    value: (row) =>
      at
        .map(([heading, n]) => {
          const text = cells.cell(row, n)
          if (text === "")
            throw new Unreadable(
              "is empty, and is a part of the id; write it, or make the id of other columns",
              heading
            )
          return text
        })
        .join(":")
  }
}

/** The sum of a row's amounts; empty if all of them are. */
const amountOf = (expression: Expressions.Amount, cells: Cells): ((row: Row) => string) => {
  const { isFirst = false, minus, negative, percent, plus, sides, unit } = Expressions.sumOf(expression)
  const rated = percent === undefined ? undefined : rateOf(percent, cells)
  const turned = negative === undefined ? () => false : Where.compile(negative, cells)
  const parts = [
    ...plus.map((heading) => ({ heading, at: cells.find(heading), sign: 1n })),
    ...minus.map((heading) => ({ heading, at: cells.find(heading), sign: -1n }))
  ]
  return (row) => {
    const found = parts.flatMap(({ at, heading, sign }) => {
      const amount = amountAt(row, at, heading, cells, unit)
      return amount === undefined ? [] : [{ amount, heading, sign }]
    })
    if (found.length === 0) return ""
    const total = sides
      ? oneSide(found)
      : Decimal.sum((isFirst ? found.slice(0, 1) : found).map(({ amount, sign }) => amount * sign))
    const whole = rated === undefined ? total : rated(row, total)
    return Decimal.format(turned(row) ? -whole : whole)
  }
}

/** Adds a rate to an amount, or takes it out, rounded to the currency's last digit as invoices are. */
const rateOf = ({ heading, isAdded, isShare = false }: NonNullable<Expressions.Sum["percent"]>, cells: Cells) => {
  const at = cells.find(heading)
  return (row: Row, amount: Decimal.Decimal): Decimal.Decimal => {
    const text = cells.cell(row, at).replace(/(?<!\s)\s*%$/, "")
    const rate = Numerals.parse(text === "" ? "0" : text, row.numbers?.[at] === true ? "." : cells.mark, undefined)
    const hundred = Decimal.of(isShare ? "1" : "100")
    if (typeof rate === "string" || rate < 0n || rate > hundred)
      throw new Unreadable(`${JSON.stringify(text)} is not a rate from 0 to ${isShare ? 1 : 100}; correct it`, heading)
    const [times, over] = isAdded ? [hundred + rate, hundred] : [hundred, hundred + rate]
    const unit = Decimal.power(Decimal.DECIMAL_PLACES - Currency.decimals(cells.currency(row) ?? ""))
    const scaled = Decimal.abs(amount) * times
    const rounded = ((2n * scaled + over * unit) / (2n * over * unit)) * unit
    return amount < 0n ? -rounded : rounded
  }
}

interface Part {
  readonly amount: Decimal.Decimal
  readonly heading: string
  readonly sign: bigint
}

/** Of debit and credit, the one that is not zero, regardless of its own sign. */
const oneSide = (found: ReadonlyArray<Part>): Decimal.Decimal => {
  const [first, second] = found.filter(({ amount }) => amount !== 0n)
  if (first === undefined) return 0n
  if (second !== undefined) {
    throw new Unreadable(
      `has an amount, and so has ${JSON.stringify(first.heading)}; only one of the two can (write plus and minus if both count)`,
      second.heading
    )
  }
  if (first.amount < 0n && first.sign > 0n) {
    throw new Unreadable(
      "is negative, and credits are not; are debit and credit swapped? Correct columns.amount",
      first.heading
    )
  }
  return Decimal.abs(first.amount) * first.sign
}

const [HUNDRED, THOUSAND] = [100n, 1000n]

/** An amount under one heading; undefined if its cell is empty. */
export const amountAt = (
  row: Row,
  at: number,
  heading: string,
  cells: Cells,
  unit?: Expressions.Sum["unit"]
): Decimal.Decimal | undefined => {
  const text = cells.cell(row, at)
  if (text === "") return undefined
  // Where thousands are written, their decimals are not the currency's.
  const currency = unit === undefined ? cells.currency(row) : undefined
  const amount = Numerals.parse(text, row.numbers?.[at] === true ? "." : cells.mark, currency)
  if (typeof amount === "string") throw new Unreadable(`${JSON.stringify(text)} ${amount}`, heading)
  if (unit === "hundredths" && amount % HUNDRED !== 0n)
    throw new Unreadable(
      `${JSON.stringify(text)} has more decimal places than an amount in hundredths can have; correct it, or the column's unit`,
      heading
    )
  return unit === "hundredths" ? amount / HUNDRED : unit === "thousands" ? amount * THOUSAND : amount
}

/** An id for a row without one: a digest of these cells, numbered if several rows have the same. */
const contentId = (headings: ReadonlyArray<string>, cells: Cells): ((row: Row) => string) => {
  const at = headings.map((heading) => cells.find(heading))
  const times = new Map<string, number>()
  return (row) => {
    const texts = at.map((n) => cells.cell(row, n))
    if (texts.every((text) => text === ""))
      throw new Unreadable(
        "is empty, and an id is made of it; write it, or make the id of other columns",
        headings.join(", ")
      )
    const digest = hash("sha1", JSON.stringify(texts), "hex").slice(0, 16)
    const nth = (times.get(digest) ?? 0) + 1
    times.set(digest, nth)
    return nth === 1 ? digest : `${digest}-${nth}`
  }
}

/** The currency from the row or from the settings; it is validated when the row is read. */
export const currencyOf = (settings: Written, { cell, find }: Pick<Cells, "cell" | "find">) => {
  const heading = "currency" in settings.columns ? settings.columns.currency : undefined
  const at = heading === undefined ? -1 : find(heading)
  const fixed = settings.currency?.toUpperCase()
  const read = Currencies.read(settings.currencies)
  return (row: Row): string | undefined => {
    const text = at < 0 ? "" : cell(row, at)
    return text === "" ? fixed : read(text)
  }
}
