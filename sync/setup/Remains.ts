/**
 * Finds out by calculating which column says what is still open of each invoice: of several that are called so, the one that the
 * other amounts lead to; and of columns of unknown headings, those whose amounts say so, which are asked about.
 */
import type { SetupAnswers } from "./Answers.ts"
import { type AssignedColumns, withHeadings } from "./Columns.ts"
import { shareOfDates } from "./DateFormats.ts"
import { addsUp, amountsIn, isNear } from "./Figures.ts"
import { mayStrike } from "./Struck.ts"
import { filledOf, type FoundTable, headingAt, type SetupDecision, type SetupQuestion, share } from "./Tables.ts"
import { invoiceStateOf, type Role, rolesOf } from "./Vocabulary.ts"

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

/** Headings of how old a debt is, whose columns divide what is open: "1-30", "90+", "Current". */
const AGE =
  /^\W*(?:current|not due|fällig|non échu)\W*$|^\W*(?:over |über |plus de )?\d+\s*(?:[-–+]|to|bis|à|days|tage|jours|dagen|$)/iu

/** What an invoice's amounts may be called; a heading of another role says nothing of an invoice. */
const OWN: ReadonlyArray<Role> = ["net", "tax", "gross", "amount", "paid", "balance", "foreign", "home", "refunded"]

interface Free {
  readonly n: number
  readonly amounts: ReadonlyArray<bigint | undefined>
}

/** Columns of amounts that nothing is known about, none of which is negative. */
const freeIn = (table: FoundTable, { at }: AssignedColumns): ReadonlyArray<Free> =>
  table.header.flatMap((title, n) => {
    const isKnown = OWN.some((role) => at[role] === n) || rolesOf(title).some(({ role }) => OWN.includes(role))
    const texts = filledOf(table.rows, n)
    const amounts = amountsIn(table.rows, n)
    const isMoney = texts.length > 0 && amounts.filter((one) => one !== undefined).length === texts.length
    const isNeither = amounts.some((one) => one !== undefined && one < 0n) || amounts.every((one) => !one)
    return isKnown || mayStrike(title) || AGE.test(title) || title === "" || !isMoney || isNeither
      ? []
      : [{ n, amounts }]
  })

/** Two columns that come to the whole amount, of which one is all of it in some row: net and tax are not. */
const parts = (whole: Amounts, free: ReadonlyArray<Free>): ReadonlyArray<number> | undefined => {
  for (const [i, one] of free.entries())
    for (const other of free.slice(i + 1)) {
      const { fits, rows } = addsUp([whole, one.amounts, other.amounts], (all, a, b) => isNear(a + b, all))
      const ends = addsUp([whole, one.amounts, other.amounts], (all, a, b) => all > 0n && (a === 0n || b === 0n))
      if (rows > 1 && fits === rows && ends.fits > 0) return [one.n, other.n]
    }
  return undefined
}

/** A column that is nothing of some amounts and all of others, and never more: what was paid, or what is open. */
const allOrNothing = (whole: Amounts, free: ReadonlyArray<Free>): ReadonlyArray<number> | undefined => {
  const found = free.find(({ amounts }) => {
    const within = addsUp([whole, amounts], (all, one) => one <= all)
    const none = addsUp([whole, amounts], (all, one) => all > 0n && one === 0n)
    const full = addsUp([whole, amounts], (all, one) => all > 0n && isNear(one, all))
    return within.fits === within.rows && none.fits > 0 && full.fits > 0
  })
  return found === undefined ? undefined : [found.n]
}

/** Which of the two a column is that is all of some amounts and nothing of others, by the states of its rows. */
const byStates = (table: FoundTable, { at, language }: AssignedColumns, whole: Amounts, amounts: Amounts) => {
  const seen = { paid: 0, balance: 0 }
  for (const [n, { cells }] of table.rows.entries()) {
    const state = at.status === undefined ? undefined : invoiceStateOf((cells[at.status] ?? "").trim(), language)
    const [all, one] = [whole[n], amounts[n]]
    if (all === undefined || one === undefined || all === 0n || (state !== "paid" && state !== "open")) continue
    const isAll = isNear(one, all)
    if (isAll || one === 0n) seen[isAll === (state === "paid") ? "paid" : "balance"]++
  }
  return seen.paid > 0 && seen.balance === 0 ? "paid" : seen.balance > 0 && seen.paid === 0 ? "balance" : undefined
}

const NEITHER = "none"

/** Columns of unknown headings with a day in some rows and none in others may be the day on which an invoice was paid. */
const paidOnQuestions = (
  table: FoundTable,
  { at }: AssignedColumns,
  named: NonNullable<SetupAnswers["columns"]>
): ReadonlyArray<SetupQuestion> => {
  if ((at.paid_on ?? at.status) !== undefined || (named["invoices.settled"] ?? named["settled"]) !== undefined)
    return []
  const known = new Set(Object.values(at))
  const found = table.header.flatMap((title, n) => {
    const days = filledOf(table.rows, n)
    const isFree = title !== "" && !known.has(n) && rolesOf(title).length === 0 && !mayStrike(title)
    const areSome = days.length > 0 && days.length < table.rows.length && days.every((day) => /\d\D+\d/.test(day))
    return isFree && areSome && shareOfDates(days) === 1 ? [headingAt(table.header, n)] : []
  })
  if (found.length === 0) return []
  const names = found.map((one) => JSON.stringify(one)).join(" and ")
  return [
    {
      answer: "column.invoices.settled",
      flag: "--column invoices.settled=HEADING",
      what: `day of payment in ${table.name}`,
      ask: `${names} of ${table.name} ${found.length === 1 ? "has" : "have"} a day in some rows and none in others. Is it the day on which an invoice was paid in full?`,
      choices: [...found, NEITHER]
    }
  ]
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
  const [whole, free] = [amountsIn(table.rows, at.gross ?? at.amount), freeIn(table, columns)]
  const found = parts(whole, free) ?? allOrNothing(whole, free)
  if (found === undefined) return { ...plain, questions: paidOnQuestions(table, columns, named) }
  const [only] = found
  const isOne = found.length === 1 && only !== undefined
  const means = isOne ? byStates(table, columns, whole, amountsIn(table.rows, only)) : undefined
  if (isOne && means !== undefined)
    return {
      ...plain,
      columns: withHeadings(table, { ...at, [means]: only }, columns.language),
      decisions: [
        {
          file: table.name,
          what: `${JSON.stringify(headingAt(table.header, only))} is what ${means === "paid" ? "was paid" : "is open"}`,
          because: `it is all of ${means === "paid" ? "what is paid, and nothing of what is open" : "what is open, and nothing of what is paid"}`
        }
      ]
    }
  const names = found.map((n) => headingAt(table.header, n))
  const quoted = names.map((one) => JSON.stringify(one)).join(" and ")
  const total = JSON.stringify(heading("gross") ?? heading("amount"))
  const said =
    names.length === 2
      ? `${quoted} come to ${total} in every row of ${table.name}.`
      : `${quoted} of ${table.name} is all of ${total} in some rows, and nothing in others.`
  // Whoever says that it is not what is open is asked what it is.
  const [field, what] =
    balance === undefined ? (["balance", "is still open"] as const) : (["paid", "was paid"] as const)
  return {
    ...plain,
    questions: [
      {
        answer: `column.invoices.${field}`,
        flag: `--column invoices.${field}=HEADING`,
        what: `what ${what} in ${table.name}`,
        ask: `${said} ${names.length === 2 ? "Which of them is what" : "Is it what"} ${what}?`,
        choices: [...names, NEITHER]
      }
    ]
  }
}
