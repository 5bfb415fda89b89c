/**
 * Reads statements without headings, as some banks write them: which column is which follows from their contents, and a person
 * confirms it. Columns are named by their numbers.
 */
import * as Currencies from "../../connectors/tabular/Currencies.ts"
import type { SetupAnswers } from "./Answers.ts"
import { type Assigned, isAmount } from "./Columns.ts"
import { shareOfDates } from "./DateFormats.ts"
import { amountsIn } from "./Figures.ts"
import { filledOf, type FoundTable, headingAt, type SetupQuestion } from "./Tables.ts"

const isIban = (text: string): boolean => /^[A-Z]{2}\d{2}[A-Z0-9 ]{8,}$/.test(text)

/** Whether these cells are a record rather than headings: a date, and an amount. */
export const isRecordRow = (cells: ReadonlyArray<string>): boolean => {
  const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== "")
  return (
    texts.some((text) => /\d/.test(text) && shareOfDates([text]) === 1 && !/^\d{1,7}$/.test(text)) &&
    texts.some((text) => /^[-+]?[\d.,' ]*\d[.,]\d{2}$/.test(text) && isAmount(text))
  )
}

const average = (texts: ReadonlyArray<string>): number =>
  texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length)

/** The roles of the columns, by their contents. */
export const byContents = (table: FoundTable): Assigned => {
  const columns = table.header
    .map((_, n) => ({ n, values: filledOf(table.rows, n) }))
    .filter(({ values }) => values.length > 0)
  const isEvery = (values: ReadonlyArray<string>, fits: (text: string) => boolean) => values.every(fits)
  const dates = columns.filter(({ values }) => values.some((text) => /\D/.test(text)) && shareOfDates(values) === 1)
  const amounts = columns.filter(
    ({ n, values }) =>
      !dates.some((one) => one.n === n) &&
      isEvery(values, (text) => isAmount(text)) &&
      values.some((text) => /[.,]\d{2}$/.test(text))
  )
  const signed = amounts.filter(({ n }) => amountsIn(table.rows, n).some((one) => one !== undefined && one < 0n))
  const [amount] = signed.length > 0 ? signed : amounts
  const currency = columns.find(({ values }) =>
    isEvery(values, (text) => /^[A-Z]{3}$/.test(text) && Currencies.parse(text) !== undefined)
  )
  const texts = columns
    .filter(
      ({ n, values }) =>
        ![...dates, ...amounts].some((one) => one.n === n) &&
        n !== currency?.n &&
        values.some((text) => /\p{L}{3}/u.test(text)) &&
        new Set(values).size > 1 &&
        !values.some(isIban) &&
        shareOfDates(values) === 0
    )
    .toSorted((a, b) => average(b.values) - average(a.values) || a.n - b.n)
  const [text, party] = texts
  return {
    ...(dates[0] === undefined ? {} : { date: dates[0].n }),
    ...(amount === undefined ? {} : { amount: amount.n }),
    ...(currency === undefined ? {} : { currency: currency.n }),
    ...(text === undefined ? {} : { text: text.n }),
    ...(party === undefined ? {} : { party: party.n })
  }
}

const NAMES: ReadonlyArray<readonly [keyof Assigned, string]> = [
  ["date", "the day"],
  ["amount", "the amount"],
  ["text", "the text"],
  ["party", "the payer"],
  ["currency", "the currency"]
]

/** What a person confirms, or names otherwise. */
export const headlessQuestions = (
  table: FoundTable,
  at: Assigned,
  answers: SetupAnswers
): ReadonlyArray<SetupQuestion> => {
  if (answers.headless === "yes") return []
  const example = (n: number) => `${headingAt(table.header, n)} (${JSON.stringify(filledOf(table.rows, n)[0] ?? "")})`
  if (answers.headless === undefined)
    return [
      {
        answer: "headless",
        flag: "--headless yes",
        what: `columns of ${table.name}`,
        ask: `${table.name} has no headings. Is this right: ${NAMES.flatMap(([role, name]) => (at[role] === undefined ? [] : [`${name} is in ${example(at[role])}`])).join(", ")}?`,
        choices: ["yes", "no"]
      }
    ]
  return (["date", "amount", "reference"] as const)
    .filter((field) => answers.columns?.[`payments.${field}`] === undefined)
    .map((field) => ({
      answer: `column.payments.${field}`,
      flag: `--column payments.${field}=HEADING`,
      what: `${field} of ${table.name}`,
      ask: `Which column of ${table.name} is ${field === "date" ? "the day" : field === "amount" ? "the amount" : "the payer's text"}? ${table.header.map((_, n) => example(n)).join(", ")}`,
      choices: table.header.map((_, n) => headingAt(table.header, n))
    }))
}
