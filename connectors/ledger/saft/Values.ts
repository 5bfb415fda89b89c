/** Reads the values of a SAF-T: amounts, days, references to documents. */
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import type { Node } from "../../XmlRecords.ts"
import { textAt } from "../../XmlNodes.ts"
import { Refused } from "../../Refused.ts"

export const CENT = 1_000_000n

/** The text of the last element of a path; fails if it is not there. */
export const needed = (node: Node, path: string): string => {
  const text = textAt(node, path)
  if (text === undefined) throw new Refused(`it has no ${path.split("/").at(-1)}`, path.split("/").at(-1))
  return text
}

export const amountOf = (text: string, field: string): Decimal.Decimal => {
  const value = Decimal.parse(text)
  if (typeof value === "string") throw new Refused(`${JSON.stringify(text)} ${value}`, field)
  return value
}

/** The amount at a path; undefined if it is not there. */
export const amountAt = (node: Node, path: string): Decimal.Decimal | undefined => {
  const text = textAt(node, path)
  return text === undefined ? undefined : amountOf(text, path.split("/").at(-1) ?? path)
}

/** An amount of money in whole cents. */
export const moneyAt = (node: Node, path: string): Decimal.Decimal => {
  const field = path.split("/").at(-1) ?? path
  const value = amountOf(needed(node, path), field)
  if (value % CENT !== 0n) throw new Refused(`${Decimal.format(value)} is not in whole cents`, field)
  return value
}

/** `yyyy-MM-dd`, also with a time behind it; undefined for any other text. */
export const dayIn = (text: string | undefined): Day.Day | undefined => {
  const [, y, m, d] = /^(\d{4})-(\d{2})-(\d{2})(?:T.*)?$/.exec(text?.trim() ?? "") ?? []
  return y === undefined ? undefined : Day.make(Number(y), Number(m), Number(d))
}

export const dayAt = (node: Node, path: string): Day.Day => {
  const text = needed(node, path)
  const day = dayIn(text)
  if (day === undefined) throw new Refused(`${JSON.stringify(text)} is not a calendar day`, path.split("/").at(-1))
  return day
}

/** References differ from numbers in blanks. */
export const numberIn = (text: string): string => text.trim().replace(/\s+/g, " ")

const HALF_CENT = CENT / 2n

/** To whole cents, half a cent away from zero. */
export const rounded = (amount: Decimal.Decimal): Decimal.Decimal => {
  const cents = (Decimal.abs(amount) + HALF_CENT) / CENT
  return (amount < 0n ? -cents : cents) * CENT
}

/** With its tax: an amount and a percentage. */
export const withTax = (net: Decimal.Decimal, percentage: Decimal.Decimal): Decimal.Decimal =>
  net + Decimal.multiply(net, percentage) / 100n
