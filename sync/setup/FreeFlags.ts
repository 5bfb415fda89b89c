/** Columns of yes and no whose headings nobody knows: where nothing says what became of the invoices, one of these may, and a person is asked. */
import type { SetupAnswers } from "./Answers.ts"
import type { AssignedColumns } from "./Columns.ts"
import { ELSE, NEITHER } from "./FreeDays.ts"
import { stateColumns } from "./StateColumns.ts"
import { mayStrike } from "./Struck.ts"
import { filledOf, type FoundTable, headingAt, type SetupQuestion } from "./Tables.ts"
import { invoiceStateOf, isNothing, rolesOf, yesOrNo } from "./Vocabulary.ts"

/** What else is marked with yes and no. */
const MARKED =
  /recurr|repeat|abo\b|reverse|vat|tax|ust|mwst|btw|tva|iva|moms|\beu\b|b2b|busin|privat|archiv|lock|remind|mahn|dunn|attach|anhang|credit|discount|rabatt|active|aktiv|new|neu|default|subscri|consent|online|refundable|flag/iu

export const flagQuestions = (
  table: FoundTable,
  columns: AssignedColumns,
  { columns: named = {} }: SetupAnswers
): ReadonlyArray<SetupQuestion> => {
  const { at } = columns
  const said = ["status", "settled", "balance", "paid"].some(
    (field) => (named[`invoices.${field}`] ?? named[field] ?? NEITHER) !== NEITHER
  )
  const isSaid = said || (named["invoices.status"] ?? named["status"]) !== undefined
  const isStated = (at.paid ?? at.paid_on ?? at.status ?? at.balance) !== undefined
  if (isSaid || isStated || stateColumns(table, columns).length > 0) return []
  const free = table.header.flatMap((title, n) => {
    const isKnown = title === "" || rolesOf(title).length > 0 || invoiceStateOf(title) !== undefined || mayStrike(title)
    const isFree = !isKnown && !ELSE.test(title) && !MARKED.test(title)
    const texts = isFree && !Object.values(at).includes(n) ? filledOf(table.rows, n) : []
    const marks = texts.filter((text) => !isNothing(text))
    return marks.length > 0 && marks.every((text) => yesOrNo(text) !== undefined) ? [headingAt(table.header, n)] : []
  })
  if (free.length === 0) return []
  const quoted = free.map((heading) => JSON.stringify(heading)).join(" or ")
  return [
    {
      answer: "column.invoices.status",
      flag: "--column invoices.status=HEADING",
      what: `what is paid in ${table.name}`,
      ask: `Does ${quoted} of ${table.name} say whether an invoice is paid?`,
      choices: [...free, NEITHER]
    }
  ]
}
