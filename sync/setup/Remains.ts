/**
 * Finds out by calculating which column says what is still open of each invoice: of several that are called so, the one that the
 * other amounts lead to; and of columns of unknown headings, those whose amounts say so, which are asked about.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { SetupAnswers } from "./Answers.ts"
import { type AssignedColumns, withHeadings } from "./Columns.ts"
import { addsUp, amountsIn, isNear } from "./Figures.ts"
import { NEITHER } from "./FreeDays.ts"
import { areMost, type FreeAmounts, freeAmounts } from "./FreeColumns.ts"
import { type FoundTable, headingAt, type SetupDecision, type SetupQuestion, share } from "./Tables.ts"
import { invoiceStateOf, rolesOf } from "./Vocabulary.ts"

export interface Remains {
  readonly columns: AssignedColumns
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
}

type Amounts = ReadonlyArray<bigint | undefined>

/** Of several columns that may be what is open, the one that is the amount less what was paid. */
const provenBalance = (table: FoundTable, { at, heading, language }: AssignedColumns): Remains | undefined => {
  const whole = at.gross ?? at.amount
  if (at.balance === undefined || at.paid === undefined || whole === undefined) return undefined
  const [gross, paid] = [amountsIn(table.rows, whole), amountsIn(table.rows, at.paid)]
  const held = (n: number) =>
    addsUp([gross, paid, amountsIn(table.rows, n)], (all, done, left) => isNear(all - done, left))
  const before = held(at.balance)
  const other = table.header.findIndex((title, n) => {
    const isFree = n !== at.balance && !Object.values(at).includes(n) && table.header.indexOf(title) === n
    const found = isFree && rolesOf(title).some(({ role }) => role === "balance") ? held(n) : undefined
    return found !== undefined && found.fits > before.fits && found.fits * 2 > found.rows
  })
  if (other < 0) return undefined
  const { fits, rows } = held(other)
  return {
    columns: withHeadings(table, { ...at, balance: other }, language),
    decisions: [
      {
        file: table.name,
        what: `${JSON.stringify(headingAt(table.header, other))} is what is open`,
        because: `it is the amount less what was paid in ${share(fits, rows)} rows, and ${JSON.stringify(heading("balance"))} is in ${before.fits}`
      }
    ],
    questions: []
  }
}

/** Columns that come to the whole amount together, one of which is a rate of tax of the other in every row: net and tax. */
const areTaxed = (whole: Amounts, one: Amounts, other: Amounts): boolean => {
  const { fits, rows } = addsUp([whole, one, other], (all, a, b) => {
    const [tax, net] = a < b ? [a, b] : [b, a]
    const halves = net === 0n ? 0n : (tax * 400n + net) / (net * 2n)
    return isNear(a + b, all) && halves > 0n && halves <= HIGHEST_TAX && isNear((net * halves) / 200n, tax)
  })
  return rows > 0 && fits === rows
}

/** In halves of a percent. */
const HIGHEST_TAX = 54n

/** Columns that may be what is open or what was paid: in most rows, no more than the whole amount. */
const candidates = (table: FoundTable, columns: AssignedColumns, whole: Amounts): ReadonlyArray<FreeAmounts> => {
  const { at } = columns
  const [net, tax] = [at.net, at.tax].map((n) => amountsIn(table.rows, n))
  const free = freeAmounts(table, columns).filter(({ amounts }) => {
    const within = addsUp([whole, amounts], (all, one) => one <= Decimal.abs(all))
    const isSame = (other: Amounts) => {
      const { fits, rows } = addsUp([other, amounts], isNear)
      return rows > 0 && fits === rows
    }
    const rests = [net, tax].map((part) =>
      whole.map((all, n) => (all === undefined || part?.[n] === undefined ? undefined : all - part[n]))
    )
    return areMost(within.fits, within.rows) && ![net, tax, ...rests].some((one) => isSame(one ?? []))
  })
  return free.filter(
    ({ amounts, n }) => !free.some((other) => other.n !== n && areTaxed(whole, amounts, other.amounts))
  )
}

/** What the states of its rows say that a column is; "neither" if it is the same whatever became of the invoice. */
const byStates = (
  table: FoundTable,
  { at, language }: AssignedColumns,
  whole: Amounts,
  amounts: Amounts
): "paid" | "balance" | "neither" | undefined => {
  const seen = { paid: 0, balance: 0 }
  const ends = new Set<boolean>()
  const states = new Set<string>()
  for (const [n, { cells }] of table.rows.entries()) {
    const state = at.status === undefined ? undefined : invoiceStateOf((cells[at.status] ?? "").trim(), language)
    const [all, one] = [whole[n], amounts[n]]
    if (all === undefined || one === undefined || all === 0n) continue
    const isAll = isNear(one, all)
    if (isAll || one === 0n) ends.add(isAll)
    if (state !== "paid" && state !== "open") continue
    states.add(state)
    if (isAll || one === 0n) {
      seen[isAll === (state === "paid") ? "paid" : "balance"]++
    }
    // Of what is paid, nothing is open and all was paid.
    else if (state === "paid") return "neither"
  }
  if (ends.size === 1 && states.size === 2 && seen.paid > 0 && seen.balance > 0) return "neither"
  // That it is all of what is open says nothing: so is a copy of the amount.
  if (!states.has("paid")) return undefined
  return seen.paid > 0 && seen.balance === 0 ? "paid" : seen.balance > 0 && seen.paid === 0 ? "balance" : undefined
}

/** Each row's whole amount: as a column has it, or net and tax. */
const wholeIn = (table: FoundTable, { at }: AssignedColumns): Amounts => {
  if ((at.gross ?? at.amount) !== undefined) return amountsIn(table.rows, at.gross ?? at.amount)
  const [net, tax] = [at.net, at.tax].map((n) => amountsIn(table.rows, n))
  return (net ?? []).map((one, n) => (one === undefined ? undefined : one + (tax?.[n] ?? 0n)))
}

/** Of columns that may be what is open, or what was paid, a person says which is. */
const moneyQuestion = (
  table: FoundTable,
  names: ReadonlyArray<string>,
  field: "balance" | "paid",
  whole: string
): SetupQuestion => {
  const quoted = names.map((one) => JSON.stringify(one)).join(" or ")
  const { name } = table
  const isOpen = field === "balance"
  return {
    answer: `column.invoices.${field}`,
    flag: `--column invoices.${field}=HEADING`,
    what: isOpen ? `what is still open in ${name}` : `what was paid in ${name}`,
    ask: isOpen
      ? `In ${name}, does ${quoted} hold the amount still open on each invoice? In most rows it is not larger than ${whole}.`
      : `In ${name}, does ${quoted} hold the amount already paid on each invoice? In most rows it is not larger than ${whole}.`,
    choices: [...names, NEITHER]
  }
}

export const remains = (
  table: FoundTable,
  columns: AssignedColumns,
  { columns: named = {} }: SetupAnswers
): Remains => {
  const plain: Remains = { columns, decisions: [], questions: [] }
  const [balance, paid] = ["balance", "paid"].map((field) => named[`invoices.${field}`] ?? named[field])
  if (paid !== undefined || (balance !== undefined && balance !== NEITHER)) return plain
  const proven = provenBalance(table, columns)
  if (proven !== undefined) return proven
  const { at, heading } = columns
  if ((at.balance ?? at.paid) !== undefined) return plain
  const whole = wholeIn(table, columns)
  const found = candidates(table, columns, whole).map(({ amounts, n }) => ({
    n,
    name: headingAt(table.header, n),
    means: byStates(table, columns, whole, amounts)
  }))
  const certain = found.find(({ means }) => means === "balance" || means === "paid")
  if (certain?.means === "balance" || certain?.means === "paid")
    return {
      ...plain,
      columns: withHeadings(table, { ...at, [certain.means]: certain.n }, columns.language),
      decisions: [
        {
          file: table.name,
          what: `${JSON.stringify(certain.name)} is what ${certain.means === "paid" ? "was paid" : "is open"}`,
          because: `it is all of ${certain.means === "paid" ? "what is paid, and nothing of what is open" : "what is open, and nothing of what is paid"}`
        }
      ]
    }
  const names = found.filter(({ means }) => means === undefined).map(({ name }) => name)
  const total = JSON.stringify(heading("gross") ?? heading("amount") ?? "the amount")
  // Whoever says that it is not what is open is asked what it is.
  const field = balance === undefined ? "balance" : "paid"
  return names.length === 0 ? plain : { ...plain, questions: [moneyQuestion(table, names, field, total)] }
}
