/**
 * Columns of days whose headings nobody knows: where nothing says when invoices are due, or what became of them, one of these may,
 * and a person is asked which.
 */
import type { SetupAnswers } from "./Answers.ts"
import type { AssignedColumns } from "./Columns.ts"
import { shareOfDates } from "./DateFormats.ts"
import { earlier } from "./DueDays.ts"
import { mayStrike } from "./Struck.ts"
import { cellsOf, filledOf, type FoundTable, headingAt, type SetupQuestion } from "./Tables.ts"
import { isNothing, rolesOf } from "./Vocabulary.ts"

/** Days on which something else was done with an invoice, or what it is for. */
export const ELSE =
  /deliver|service|shipp|created?\b|creation|modified|updated?\b|changed|sent\b|print|export|import|booked|posted|posting|entered|entry|period|order|birth|liefer|leistung|erstellt|angelegt|geändert|versand|versendet|gesendet|druck|gebucht|buchung|erfasst|bestell|zeitraum|livraison|prestation|créé|création|modifi|envoy|imprim|saisi|command|lever|aangemaakt|gewijzigd|verzonden|geprint|geboekt|bestel|entrega|creado|creación|modificad|enviad|impres|pedido|consegna|creat[oa]|modificat|inviat|stampat|ordine/iu

interface Days {
  readonly heading: string
  /** Whether every row has one. */
  readonly isFull: boolean
  /** Whether it is the day of issue or a later one, and a later one in some row. */
  readonly isLater: boolean
}

const freeDays = (table: FoundTable, { at }: AssignedColumns): ReadonlyArray<Days> => {
  const known = new Set(Object.values(at))
  const issued = cellsOf(table.rows, at.issued ?? at.date ?? -1)
  return table.header.flatMap((title, n) => {
    const days = filledOf(table.rows, n).filter((text) => !isNothing(text))
    const isFree = title !== "" && !known.has(n) && rolesOf(title).length === 0 && !mayStrike(title)
    const areDays = days.length > 0 && days.every((day) => /\d\D+\d/.test(day)) && shareOfDates(days) === 1
    if (!isFree || !areDays || ELSE.test(title)) return []
    const own = cellsOf(table.rows, n)
    const { all, early } = earlier(own, issued)
    const isLater = early === 0 && all > 0 && earlier(issued, own).early > 0
    return [{ heading: headingAt(table.header, n), isFull: days.length === table.rows.length, isLater }]
  })
}

export const NEITHER = "none"

export const dayQuestions = (
  table: FoundTable,
  columns: AssignedColumns,
  { columns: named = {} }: SetupAnswers
): ReadonlyArray<SetupQuestion> => {
  const { at } = columns
  const [due, settled] = ["due", "settled"].map((field) => named[`invoices.${field}`] ?? named[field])
  const free = freeDays(table, columns).filter(({ heading }) => heading !== due)
  const { name } = table
  const quoted = (found: ReadonlyArray<Days>) => found.map(({ heading }) => JSON.stringify(heading)).join(" or ")
  const choices = (found: ReadonlyArray<Days>) => [...found.map(({ heading }) => heading), NEITHER]
  const later = free.filter(({ isLater }) => isLater)
  if ((at.due ?? at.terms) === undefined && due === undefined && later.length > 0)
    return [
      {
        answer: "column.invoices.due",
        flag: "--column invoices.due=HEADING",
        what: `due day in ${name}`,
        ask: `Is ${quoted(later)} of ${name} the day on which an invoice is due? It is that of issue, or a later one.`,
        choices: choices(later)
      }
    ]
  const isSaid = (at.paid_on ?? at.status ?? at.balance ?? at.paid) !== undefined || settled !== undefined
  const paid = isSaid ? [] : free.filter(({ isFull, isLater }) => !isFull || isLater)
  if (paid.length === 0) return []
  return [
    {
      answer: "column.invoices.settled",
      flag: "--column invoices.settled=HEADING",
      what: `day of payment in ${name}`,
      ask: `Is ${quoted(paid)} of ${name} the day on which an invoice was paid in full?`,
      choices: choices(paid)
    }
  ]
}
