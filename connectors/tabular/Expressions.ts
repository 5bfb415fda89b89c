/**
 * Defines what a field may be configured as: one heading, or several that are combined.
 */
import { Schema } from "effect"
import * as Where from "./Where.ts"

const maybe = Schema.optionalKey
const heading = Schema.NonEmptyString
const headings = Schema.Array(heading).check(Schema.isMinLength(1, { message: "name at least one column" }))
const some = Schema.Union([heading, headings])

/** The first of several columns that is not empty. */
const First = Schema.Struct({ first: headings })

/** Texts of several columns, joined by a space. */
export const Text = Schema.Union([heading, headings, First])

/** Ids of several columns, joined by a colon; or derived from a row's content if the table has no id. */
export const Id = Schema.Union([heading, headings, Schema.Struct({ content: headings })])

/** Amounts of several columns, added up. */
export const Amount = Schema.Union([
  heading,
  headings,
  First,
  /** The amount with so many per cent of it added, as 19 or 19 %; or without those that it contains. */
  Schema.Struct({ plus: heading, add_percent: heading }),
  Schema.Struct({ plus: heading, without_percent: heading }),
  /** The amount with that share of it added, as 0.19. */
  Schema.Struct({ plus: heading, add_share: heading }),
  /**
   * The columns of `minus` are subtracted; in rows that match `negative` the sign of the result is inverted. `unit`: the columns
   * count hundredths of the currency's unit, or thousands.
   */
  Schema.Struct({
    plus: some,
    minus: maybe(some),
    negative: maybe(Where.Where),
    unit: maybe(Schema.Literals(["hundredths", "thousands"]))
  }),
  /** Each row has an amount in one of the two, with or without a sign; credits are positive. */
  Schema.Struct({ credit: heading, debit: heading })
])

export type Text = typeof Text.Type
export type Id = typeof Id.Type
export type Amount = typeof Amount.Type
export type Expression = Text | Id | Amount

const list = (some: string | ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  some === undefined ? [] : typeof some === "string" ? [some] : some

/** The parts of an amount: the headings with their signs, and when the result is inverted. */
export interface Sum {
  readonly plus: ReadonlyArray<string>
  readonly minus: ReadonlyArray<string>
  readonly negative?: Where.Where | undefined
  /** Each row has only one of the two amounts, and its sign is ignored. */
  readonly sides: boolean
  /** Only the first amount of a row counts. */
  readonly isFirst?: boolean
  /** The column of a rate that is added, or is contained and taken out. */
  readonly percent?: { readonly heading: string; readonly isAdded: boolean; readonly isShare?: boolean } | undefined
  readonly unit?: "hundredths" | "thousands" | undefined
}

export const sumOf = (amount: Amount): Sum => {
  if (typeof amount === "string" || Array.isArray(amount))
    return { plus: list(amount as string | ReadonlyArray<string>), minus: [], sides: false }
  if ("credit" in amount) return { plus: [amount.credit], minus: [amount.debit], sides: true }
  if ("first" in amount) return { plus: amount.first, minus: [], sides: false, isFirst: true }
  if ("add_percent" in amount)
    return { plus: [amount.plus], minus: [], sides: false, percent: { heading: amount.add_percent, isAdded: true } }
  if ("add_share" in amount) {
    const percent = { heading: amount.add_share, isAdded: true, isShare: true }
    return { plus: [amount.plus], minus: [], sides: false, percent }
  }
  if ("without_percent" in amount)
    return {
      plus: [amount.plus],
      minus: [],
      sides: false,
      percent: { heading: amount.without_percent, isAdded: false }
    }
  const { minus, negative, plus, unit } = amount as {
    plus: string
    minus?: string
    negative?: Where.Where
    unit?: "hundredths" | "thousands"
  }
  return { plus: list(plus), minus: list(minus), negative, unit, sides: false }
}

/** Every heading that an expression uses. */
export const columnsOf = (expression: Expression): ReadonlyArray<string> => {
  if (typeof expression === "string") return [expression]
  if (Array.isArray(expression)) return expression
  if ("content" in expression) return (expression as { readonly content: ReadonlyArray<string> }).content
  if ("first" in expression) return (expression as { readonly first: ReadonlyArray<string> }).first
  const { minus, negative, percent, plus } = sumOf(expression as Amount)
  return [...plus, ...minus, ...Where.columnsOf(negative), ...(percent === undefined ? [] : [percent.heading])]
}

/** The name of the value in messages. */
export const label = (expression: Expression): string => {
  if (typeof expression === "string") return expression
  if (Array.isArray(expression)) return expression.join(" + ")
  if ("content" in expression) return "content"
  if ("first" in expression) return (expression as { readonly first: ReadonlyArray<string> }).first.join(" or ")
  const { minus, percent, plus } = sumOf(expression as Amount)
  const rate =
    percent === undefined
      ? ""
      : ` ${percent.isAdded ? "with" : "without"} ${percent.heading}${percent.isShare === true ? " of it" : " %"}`
  return `${[plus.join(" + "), ...minus].join(" - ")}${rate}`
}
