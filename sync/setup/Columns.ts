/**
 * Detects the role of each column of a table, by its heading and its contents: a column of dates cannot hold amounts,
 * whatever its heading says.
 */
import * as Numerals from "../../connectors/tabular/Numerals.ts"
import * as Currency from "../../core/money/Currency.ts"
import { formatOf } from "./DateFormats.ts"
import { filledOf, type FoundTable, headingAt } from "./Tables.ts"
import { rolesOf, type Role, invoiceStateOf, rowTypeOf } from "./Vocabulary.ts"

/** How many values of a column are examined. */
const LOOKED = 2000

export type Assigned = Partial<Readonly<Record<Role, number>>>

export interface AssignedColumns {
  readonly at: Assigned
  /** The heading as a configuration names it. */
  readonly heading: (role: Role) => string | undefined
  /** The language of most headings. */
  readonly language: string
}

const DATES: ReadonlyArray<Role> = ["issued", "date", "paid_on", "due"]
const AMOUNTS: ReadonlyArray<Role> = ["net", "tax", "gross", "amount", "paid", "balance", "paid_in", "paid_out"]

export const isAmount = (text: string): boolean =>
  typeof Numerals.parse(text, ".", undefined) !== "string" || typeof Numerals.parse(text, ",", undefined) !== "string"

const most = (values: ReadonlyArray<string>, fits: (value: string) => boolean): boolean =>
  values.filter(fits).length >= values.length * 0.9

/** Whether a column's contents fit its heading. */
const suits = (role: Role, values: ReadonlyArray<string>): boolean => {
  if (values.length === 0) return false
  if (DATES.includes(role)) return formatOf(values) !== undefined
  if (AMOUNTS.includes(role)) return most(values, isAmount)
  const distinct = [...new Set(values)]
  switch (role) {
    case "currency":
      return distinct.every((value) => Currency.isCurrency(value.toUpperCase()))
    case "status":
      return distinct.filter((value) => invoiceStateOf(value) !== undefined).length * 2 >= distinct.length
    case "type":
      return distinct.some((value) => rowTypeOf(value) !== undefined)
    case "terms":
      return distinct.length < 30
    case "party":
      return most(values, (value) => /\p{L}/u.test(value)) && formatOf(values) === undefined
    case "country":
    case "text":
      return !most(values, isAmount)
    default:
      return formatOf(values) === undefined || most(values, (value) => /^\d+$/.test(value))
  }
}

interface Candidate {
  readonly role: Role
  readonly at: number
  readonly score: number
  readonly language: string
}

const candidates = ({ header, rows }: FoundTable): ReadonlyArray<Candidate> =>
  header.flatMap((heading, at) => {
    const meant = rolesOf(heading)
    if (meant.length === 0 || header.indexOf(heading) !== at) return []
    const values = filledOf(rows.slice(0, LOOKED), at)
    return meant.filter(({ role }) => suits(role, values)).map((one) => ({ ...one, at }))
  })

/** The language that most headings are in; English if several are equally likely. */
export const languageOf = (header: ReadonlyArray<string>): string => {
  const counts = new Map<string, number>([["en", 0.5]])
  for (const heading of header)
    for (const language of new Set(rolesOf(heading).map(({ language }) => language)))
      counts.set(language, (counts.get(language) ?? 0) + 1)
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

export const assign = (table: FoundTable): AssignedColumns => {
  const language = languageOf(table.header)
  const found = candidates(table)
    .map((one) => ({ ...one, score: one.score + (one.language === language ? 3 : 0) }))
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
  const at: Partial<Record<Role, number>> = {}
  const taken = new Set<number>()
  for (const one of found) {
    if (at[one.role] !== undefined || taken.has(one.at)) continue
    at[one.role] = one.at
    taken.add(one.at)
  }
  byValues(table, at, taken)
  return {
    at,
    language,
    heading: (role) => (at[role] === undefined ? undefined : headingAt(table.header, at[role]))
  }
}

/** Finds a date or an amount without a known heading, if the table has only one such column. */
const byValues = (
  { header, rows }: FoundTable,
  at: Partial<Record<Role, number>>,
  taken: ReadonlySet<number>
): void => {
  const free = header.flatMap((heading, n) => {
    const values = filledOf(rows.slice(0, LOOKED), n)
    return heading === "" || taken.has(n) || values.length * 2 < rows.length ? [] : [{ n, values }]
  })
  if (DATES.every((role) => at[role] === undefined)) {
    const dates = free.filter(({ values }) => values.some((one) => /\D/.test(one)) && formatOf(values) !== undefined)
    const [date] = dates
    if (date !== undefined && dates.length === 1) at.date = date.n
  }
  if (AMOUNTS.every((role) => at[role] === undefined)) {
    const amounts = free.filter(({ values }) => most(values, isAmount) && values.some((one) => /[.,]\d{2}\b/.test(one)))
    const [amount] = amounts
    if (amount !== undefined && amounts.length === 1) at.amount = amount.n
  }
}
