/**
 * Tells amounts in the seller's own currency from those in the invoice's: by the currencies in their headings, and by columns for
 * either. An amount is never given a currency that its heading contradicts.
 */
import * as Currencies from "../../connectors/tabular/Currencies.ts"
import { type Assigned, type AssignedColumns, isAmount, withHeadings } from "./Columns.ts"
import { amountsIn } from "./Figures.ts"
import { cellsOf, filledOf, type FoundTable, headingAt, type SetupDecision, type SetupQuestion } from "./Tables.ts"
import { currencyIn, rolesOf, type Role } from "./Vocabulary.ts"

const MONEY: ReadonlyArray<Role> = ["net", "tax", "gross", "amount", "paid", "balance"]

export interface CurrencySense {
  readonly columns: AssignedColumns
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
}

const without = (at: Assigned, roles: ReadonlyArray<Role>): Assigned =>
  Object.fromEntries(Object.entries(at).filter(([role]) => !roles.includes(role as Role)))

/** Amounts of payments under the heading of another currency than that of their row. */
export const paidSense = (table: FoundTable, columns: AssignedColumns, isSaid: boolean): CurrencySense => {
  const { at } = columns
  const plain = { columns, decisions: [], questions: [] }
  const main = at.amount ?? at.gross ?? at.paid
  const code = main === undefined ? undefined : currencyIn(table.header[main] ?? "")
  if (isSaid || main === undefined || code === undefined || at.currency === undefined) return plain
  const codes = new Set(filledOf(table.rows, at.currency).map((text) => Currencies.parse(text) ?? text))
  if ([...codes].every((one) => one === code)) return plain
  return {
    ...plain,
    questions: [
      {
        answer: "column.payments.amount",
        flag: "--column payments.amount=HEADING",
        what: `amount of ${table.name}`,
        ask: `The rows of ${table.name} are in ${[...codes].join(", ")}, and ${JSON.stringify(headingAt(table.header, main))} is in ${code}. Which column is the amount in the currency of its row? If none is, export the list with one.`,
        choices: table.header.map((_, n) => headingAt(table.header, n))
      }
    ]
  }
}

/** A column of an unknown role that has the same amounts in rows of one currency, and others in all rows of another. */
const twinOf = (table: FoundTable, { at }: AssignedColumns, main: number): number | undefined => {
  const currency = at.currency
  if (currency === undefined) return undefined
  const [amounts, codes] = [amountsIn(table.rows, main), cellsOf(table.rows, currency)]
  const found = table.header.findIndex((_, n) => {
    if (Object.values(at).includes(n)) return false
    const others = amountsIn(table.rows, n)
    const ways = new Map<string, Set<boolean>>()
    for (const [row, code] of codes.entries()) {
      if (code === "" || amounts[row] === undefined || others[row] === undefined) continue
      ways.set(code, (ways.get(code) ?? new Set()).add(amounts[row] === others[row]))
    }
    const all = [...ways.values()]
    return all.length > 1 && all.every(({ size }) => size === 1) && new Set(all.flatMap((one) => [...one])).size === 2
  })
  return found < 0 ? undefined : found
}

/** @param isSaid whether a person named the column of the amount */
export const currencySense = (table: FoundTable, columns: AssignedColumns, isSaid: boolean): CurrencySense => {
  const { at } = columns
  const plain = { columns, decisions: [], questions: [] }
  const name = (n: number) => JSON.stringify(headingAt(table.header, n))
  const codes = new Set(
    at.currency === undefined ? [] : filledOf(table.rows, at.currency).map((text) => Currencies.parse(text) ?? text)
  )
  /** Whether a column is headed by another currency than that of some row. */
  const isHome = (n: number | undefined): n is number => {
    const code = n === undefined ? undefined : currencyIn(table.header[n] ?? "")
    return code !== undefined && [...codes].some((one) => one !== code)
  }
  const isForeign = at.foreign !== undefined && filledOf(table.rows, at.foreign).some(isAmount)
  const home = MONEY.filter((role) => isHome(at[role]))
  const main = at.gross ?? at.amount ?? at.home
  // A rate of exchange beside amounts, or a column that says so: these may be in either currency.
  const twin = codes.size > 1 && main !== undefined && !isSaid ? twinOf(table, columns, main) : undefined
  const mayBeHome =
    twin !== undefined || (codes.size > 1 && (at.exchange !== undefined || (at.gross ?? at.amount) === undefined))
  if (home.length === 0 && !isForeign && !mayBeHome) return plain
  if (at.foreign !== undefined && isForeign) {
    const left = MONEY.filter((role) => at[role] !== undefined)
    const rest = { ...without(at, left), gross: at.foreign }
    // Without another currency in any row, the other amounts are in the same.
    const same = codes.size <= 1 && home.length === 0
    return {
      columns: withHeadings(table, same ? { ...at, gross: at.foreign } : rest, columns.language),
      decisions: [
        {
          file: table.name,
          what: `${name(at.foreign)} is the amount in the currency of each row`,
          because: `${left.map((role) => name(at[role] as number)).join(", ") || "no other column"} may be in the seller's own`
        }
      ],
      questions: []
    }
  }
  if (isSaid || main === undefined) return plain
  const choices = table.header.flatMap((heading, n) =>
    n === twin || rolesOf(heading).some(({ role }) => MONEY.includes(role) || role === "home")
      ? [headingAt(table.header, n)]
      : []
  )
  return {
    columns: withHeadings(
      table,
      without(
        at,
        home.filter((role) => role === "balance" || role === "paid")
      ),
      columns.language
    ),
    decisions: [],
    questions: [
      {
        answer: "column.invoices.gross",
        flag: "--column invoices.gross=HEADING",
        what: `amount of ${table.name}`,
        ask: `The rows of ${table.name} are in ${[...codes].join(", ")}, and ${name(main)} may be in the seller's own currency. Which column is the amount in the currency of its row?`,
        choices
      }
    ]
  }
}
