/**
 * Selects rows by conditions on cells, as written in a configuration: `{ "Type": "SI" }`, `{ "Status": { "not": ["Draft"] } }`.
 * All columns of a condition must match, and one condition of a list.
 */
import { Schema } from "effect"
import * as Numerals from "./Numerals.ts"
import { remembered } from "./Remembered.ts"
import type { Row } from "./Row.ts"
import { Unreadable } from "./Unreadable.ts"

const maybe = Schema.optionalKey
const texts = Schema.Union([Schema.String, Schema.Array(Schema.String)])

/** What a cell must be: one of these texts, ignoring case; or all that the members say. */
const Test = Schema.Union([
  Schema.String,
  Schema.Array(Schema.String),
  Schema.Struct({
    not: maybe(texts),
    starts: maybe(texts),
    contains: maybe(texts),
    /** How many characters it has: of account numbers, these tell the kind. */
    length: maybe(Schema.Int),
    empty: maybe(Schema.Boolean),
    sign: maybe(Schema.Literals(["positive", "negative", "zero"]))
  })
])
type Test = typeof Test.Type

const Condition = Schema.Record(Schema.String, Test)
type Condition = typeof Condition.Type

export const Where = Schema.Union([Condition, Schema.Array(Condition)])
export type Where = typeof Where.Type

const conditions = (where: Where): ReadonlyArray<Condition> =>
  Array.isArray(where) ? (where as ReadonlyArray<Condition>) : [where as Condition]

/** Every column that a condition uses, by the file's names. */
export const columnsOf = (where: Where | undefined): ReadonlyArray<string> =>
  where === undefined ? [] : [...new Set(conditions(where).flatMap((one) => Object.keys(one)))]

/**
 * Whether a condition tests texts beside what it says is not read: `not`, `empty` and `sign` name the rows that are left
 * out, and `{ "Type": "SI" }` names only those that are read.
 */
export const named = (where: Where): Where =>
  conditions(where).map((one) =>
    Object.fromEntries(
      Object.entries(one).flatMap(([heading, test]): ReadonlyArray<readonly [string, Test]> => {
        if (typeof test === "string" || Array.isArray(test)) return [[heading, test]]
        const { contains, length, starts } = test as Exclude<Test, string | ReadonlyArray<string>>
        const rest = {
          ...(contains === undefined ? {} : { contains }),
          ...(length === undefined ? {} : { length }),
          ...(starts === undefined ? {} : { starts })
        }
        return Object.keys(rest).length === 0 ? [] : [[heading, rest]]
      })
    )
  )

/** How cells are read. */
export interface Cells {
  readonly find: (heading: string) => number
  readonly cell: (row: Row, index: number) => string
  readonly mark: Numerals.Mark | undefined
}

const list = (texts: string | ReadonlyArray<string>): ReadonlyArray<string> =>
  (typeof texts === "string" ? [texts] : texts).map((text) => text.trim().toLowerCase())

/** The test of a cell's text. Signs are tested separately, because a number may be written in several ways. */
const fits = (test: Test): ((text: string) => boolean) => {
  if (typeof test === "string" || Array.isArray(test)) {
    const all = list(test as string | ReadonlyArray<string>)
    return (text) => all.includes(text)
  }
  const { contains, empty, length, not, starts } = test as Exclude<Test, string | ReadonlyArray<string>>
  return (text) =>
    (not === undefined || !list(not).includes(text)) &&
    (starts === undefined || list(starts).some((one) => text.startsWith(one))) &&
    (contains === undefined || list(contains).some((one) => text.includes(one))) &&
    (length === undefined || text.length === length) &&
    (empty === undefined || (text === "") === empty)
}

const signOf = (row: Row, index: number, heading: string, { cell, mark }: Cells): string => {
  const text = cell(row, index)
  if (text === "") return "zero"
  const amount = Numerals.parse(text, row.numbers?.[index] === true ? "." : mark, undefined)
  if (typeof amount === "string") throw new Unreadable(`${JSON.stringify(text)} ${amount}`, heading)
  return amount > 0n ? "positive" : amount < 0n ? "negative" : "zero"
}

/** Whether a row matches. Throws `Unreadable` if the sign of a cell that is not an amount is tested. */
export const compile = (where: Where, cells: Cells): ((row: Row) => boolean) => {
  const any = conditions(where).map((condition) =>
    Object.entries(condition).map(([heading, test]) => {
      const index = cells.find(heading)
      const sign = typeof test === "object" && "sign" in test ? test.sign : undefined
      const fitting = remembered(1000, fits(test) as (text: string) => boolean)
      return (row: Row) =>
        fitting(cells.cell(row, index).toLowerCase()) &&
        (sign === undefined || signOf(row, index, heading, cells) === sign)
    })
  )
  return (row) => any.some((all) => all.every((one) => one(row)))
}
