/**
 * Where no amount of money received is below zero and no column of types or directions says of any row that it went back, a text
 * of the row may: "Storno", "chargeback". A word that some rows have is asked about.
 */
import { plural } from "../../core/Plural.ts"
import type { SetupAnswers } from "./Answers.ts"
import type { AssignedColumns } from "./Columns.ts"
import { amountsIn, shown, sumOf } from "./Figures.ts"
import { cellsOf, type FoundTable, headingAt, type Proposal, type SetupMeaning, type SetupQuestion } from "./Tables.ts"
import { REFUNDS, returnedWords } from "./Vocabulary.ts"

const question = (
  { name, rows }: FoundTable,
  heading: string,
  word: string,
  {
    amounts,
    found,
    texts
  }: {
    readonly amounts: ReadonlyArray<bigint | undefined>
    readonly found: ReadonlyArray<number>
    readonly texts: ReadonlyArray<string>
  }
): SetupQuestion => {
  const [first = 0] = found
  const where = `first in line ${rows[first]?.line}, like ${JSON.stringify(texts[first])}`
  return {
    answer: `direction.${word}`,
    flag: `--direction ${JSON.stringify(`${word}=out`)}`,
    what: `direction ${JSON.stringify(word)}`,
    ask: `${plural(found.length, "row")} of ${name} (${shown(sumOf(found.map((n) => amounts[n])))} in all, ${where}) ${found.length === 1 ? "has" : "have"} the word ${JSON.stringify(word)} in ${JSON.stringify(heading)}, and amounts above zero. Is that money that went back (out), or money received (in)?`,
    choices: ["in", "out"]
  }
}

/** The words of returned money that some rows have in this column, each with those rows. */
const wordsIn = (texts: ReadonlyArray<string>, language: string) =>
  [...new Set([...returnedWords(language), ...REFUNDS])].flatMap((word) => {
    const found = [...texts.keys()].filter((n) => texts[n]?.toLowerCase().includes(word))
    return found.length === 0 || found.length === texts.length ? [] : [{ word, found }]
  })

export const returned = (
  table: FoundTable,
  { at, language }: AssignedColumns,
  proposals: ReadonlyArray<Proposal>,
  answers: SetupAnswers
): SetupMeaning => {
  const [only, ...others] = proposals
  const amount = only?.columns["amount"]
  const amountAt = typeof amount === "string" ? table.header.indexOf(amount) : -1
  const amounts = amountsIn(table.rows, amountAt)
  const isSaid = only?.columns["type"] !== undefined || at.type !== undefined || at.direction !== undefined
  if (only?.stream !== "payments" || others.length > 0 || amountAt < 0 || isSaid)
    return { proposals, decisions: [], questions: [] }
  if (amounts.some((one) => one !== undefined && one < 0n)) return { proposals, decisions: [], questions: [] }
  const other = Object.entries(at).flatMap(([role, n]) => (role === "text" || role === "method" ? [] : [n]))
  const marks = table.header.flatMap((_, n) => {
    if (other.includes(n)) return []
    const texts = cellsOf(table.rows, n)
    return wordsIn(texts, language).map((one) => ({ ...one, heading: headingAt(table.header, n), texts }))
  })
  const outs = marks.filter(({ word }) => answers.directions?.[word] === "out")
  const negative = outs.map(({ heading, word }) => ({ [heading]: { contains: word } }))
  return {
    proposals:
      outs.length === 0 ? proposals : [{ ...only, columns: { ...only.columns, amount: { plus: amount, negative } } }],
    decisions: outs.map(({ found, heading, word }) => ({
      file: table.name,
      what: `${plural(found.length, "row")} with ${JSON.stringify(word)} in ${JSON.stringify(heading)} went back`,
      because: "as was said"
    })),
    questions: marks
      .filter(({ word }) => answers.directions?.[word] === undefined)
      .map(({ heading, word, ...of }) => question(table, heading, word, { ...of, amounts }))
  }
}
