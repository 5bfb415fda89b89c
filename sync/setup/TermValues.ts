/** Determines due dates for invoices that state none: from their terms, or a number of days after issue. */
import type { Finding, SetupSurroundings, StreamRows } from "./Steps.ts"
import { cellsOf } from "./Tables.ts"
import { squash } from "./Vocabulary.ts"

const DAYS = 30

/** Terms that mean "due at once". */
const AT_ONCE = new Set(
  [
    "due on receipt|upon receipt|immediately|immediate|on receipt|now|at once|asap|cash|prepaid|cod|due immediately|sofort|sofort fällig|bar|vorkasse",
    "à réception|comptant|immédiat|direct|contant|per omgaande|al contado|contado|inmediato|immediato|vista fattura|a vista"
  ]
    .join("|")
    .split("|")
    .map(squash)
)

/** What texts among the due dates mean, as days after issue. */
const dueWords = (texts: ReadonlyArray<string>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...new Set(texts)].flatMap((text) => {
      if (AT_ONCE.has(squash(text))) return [[text, 0]]
      const [, days] =
        /^(?:net|netto|within|innerhalb|binnen|sous)?\s*(\d{1,3})\s*(?:days?|tagen?|dagen|jours|días|giorni)?(?:\s*net(?:to)?)?$/i.exec(
          text
        ) ?? []
      return days === undefined || !/\p{L}/u.test(text) ? [] : [[text, Number(days)]]
    })
  )

/** The days of each of the table's terms; `unclear` are those with no number, or several. */
const read = (texts: ReadonlyArray<string>) => {
  const days: Record<string, number> = {}
  const unclear: Array<string> = []
  for (const text of new Set(texts)) {
    const numbers = text.match(/\d+/g) ?? []
    if (text === "" || numbers.length === 1) continue
    if (AT_ONCE.has(squash(text))) days[text] = 0
    // "2% 10 Net 30": the last number is the one without a discount.
    else if (numbers.length > 1) days[text] = Number(numbers.at(-1))
    else unclear.push(text)
  }
  return { days, unclear }
}

const asked = (answers: SetupSurroundings["answers"], ask: string): Finding =>
  answers.terms_days !== undefined
    ? {
        settings: { terms_days: answers.terms_days },
        decisions: [{ what: `due ${answers.terms_days} days after issue`, because: "as was said" }]
      }
    : {
        settings: { terms_days: DAYS },
        questions: [
          {
            answer: "terms_days",
            flag: "--terms-days NUMBER",
            what: "days until invoices are due",
            ask,
            suggestion: String(DAYS)
          }
        ]
      }

export const dueTermsOf = (of: StreamRows, surroundings: SetupSurroundings): Finding => {
  const found = dueDaysOf(of, surroundings)
  const due = of.at("due")
  const words = due < 0 ? {} : dueWords(cellsOf(of.rows, due))
  if (Object.keys(words).length === 0) return found
  const own = found.settings?.["terms_days"]
  return {
    ...found,
    settings: { terms_days: { ...(typeof own === "number" ? { "": own } : (own as object | undefined)), ...words } },
    decisions: [
      ...(found.decisions ?? []),
      {
        what: "texts among the due dates",
        because: Object.entries(words)
          .map(([text, days]) => `${text} = ${days === 0 ? "at once" : `${days} days`}`)
          .join(", ")
      }
    ]
  }
}

const dueDaysOf = (of: StreamRows, { answers }: SetupSurroundings): Finding => {
  const { at, proposal, rows, table } = of
  if (proposal.stream !== "invoices" || proposal["terms_days"] !== undefined) return {}
  const [due, terms] = [at("due"), at("terms")]
  const lacking = rows.filter(({ cells }) => due < 0 || (cells[due] ?? "").trim() === "")
  if (terms >= 0) {
    const { days, unclear } = read(cellsOf(lacking, terms))
    if (unclear.length > 0 || lacking.some(({ cells }) => (cells[terms] ?? "").trim() === ""))
      return asked(answers, `How many days after issue are invoices of ${table.name} due that do not say it?`)
    return Object.keys(days).length === 0 ? {} : { settings: { terms_days: days } }
  }
  if (due < 0)
    return asked(answers, `How many days after issue are the invoices of ${table.name} due? No column says it.`)
  // Repeated rows of an invoice, and negative ones, may lack the due date.
  const id = at("id")
  const dated = new Set(rows.flatMap(({ cells }) => ((cells[due] ?? "").trim() === "" ? [] : [cells[id]])))
  const without = lacking.filter(({ cells }) => !dated.has(cells[id]))
  return without.length === 0
    ? {}
    : asked(
        answers,
        `${without.length} rows of ${table.name} have no due date: how many days after issue are they due?`
      )
}
