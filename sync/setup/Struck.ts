/**
 * Finds columns that strike single rows out: "Cancelled at", "Draft: yes", "Bounced on". What such a column marks is left out by
 * name, with the number of rows and their sum; if it is not certain what a mark means, a person is asked.
 */
import * as Expressions from "../../connectors/tabular/Expressions.ts"
import * as Where from "../../connectors/tabular/Where.ts"
import { plural } from "../../core/Plural.ts"
import type { SetupAnswers } from "./Answers.ts"
import { type AssignedColumns, isAmount } from "./Columns.ts"
import { formatOf } from "./DateFormats.ts"
import { amountsIn, shown, sumOf } from "./Figures.ts"
import {
  areWords,
  filledOf,
  type FoundTable,
  headingAt,
  type Proposal,
  type SetupDecision,
  type SetupMeaning,
  type SetupQuestion
} from "./Tables.ts"
import { isNothing, paymentStateOf, rolesOf, squash, yesOrNo } from "./Vocabulary.ts"
import * as Words from "./words/Struck.ts"

/** A heading without the small words around it. */
const coreOf = (heading: string): string => {
  const words = heading
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  const kept = words.filter((word) => !Words.SMALL.has(word))
  return squash((kept.length === 0 ? words : kept).join(" "))
}

const among = (words: ReadonlyArray<string>): ((heading: string) => boolean) => {
  const all = new Set(words.map(squash))
  return (heading) => all.has(squash(heading)) || all.has(coreOf(heading))
}

const isVoid = among(Words.VOID)
const isNotYet = among(Words.NOT_YET)
const isFailed = among(Words.FAILED)
const isPending = among(Words.PENDING)
const isUnsure = among(Words.UNSURE)
const isPositive = among(Words.POSITIVE)
const isNoMoney = among(Words.NO_MONEY)

/** Whether a column may strike rows out, which is asked about as that. */
export const mayStrike = (heading: string): boolean => isVoid(heading) || isFailed(heading) || isUnsure(heading)

type Marks = "yes" | "no" | "days" | "texts" | "others"

/** What marks the rows of a column: yes, days, or something else. */
const marksOf = (texts: ReadonlyArray<string>): Marks =>
  texts.every((text) => yesOrNo(text) !== undefined) ? "yes" : formatOf(texts) === undefined ? "others" : "days"

/** Whether a mark strikes its row out, or may. */
const meaningOf = (heading: string, marks: Marks, payments: boolean): "certain" | "asked" | undefined => {
  if (marks === "no" || marks === "texts") return "asked"
  const isYes = marks === "yes"
  if (isVoid(heading) || (payments && isFailed(heading))) return marks === "others" ? "asked" : "certain"
  if (isYes && (isNotYet(heading) || (payments && isPending(heading)))) return "certain"
  return isUnsure(heading) ? "asked" : undefined
}

const usedBy = (proposals: ReadonlyArray<Proposal>): ReadonlySet<string> =>
  new Set(
    proposals
      .flatMap(({ columns, leave_out, where }) => [
        ...Object.values(columns).flatMap((one) => Expressions.columnsOf(one as Expressions.Expression)),
        ...[where, leave_out].flatMap((one) => Where.columnsOf(one as Where.Where | undefined))
      ])
      .map((one) => one.toLowerCase())
  )

interface Column {
  readonly heading: string
  /** The texts that mark a row, and those that mark none. */
  readonly marks: ReadonlyArray<string>
  readonly others: ReadonlyArray<string>
  readonly kind: Marks
}

const isUnmarked = (text: string): boolean =>
  isNothing(text) || yesOrNo(text) === "no" || (isAmount(text) && !/[1-9]/.test(text))

type Rows = "statement" | "payments" | "documents"

const flagged = (table: FoundTable, n: number, of: Rows): Column | undefined => {
  const heading = headingAt(table.header, n)
  const texts = [...new Set(filledOf(table.rows, n))]
  const marks = texts.filter((text) => !isUnmarked(text))
  const others = texts.filter(isUnmarked)
  if (isPositive(heading) && marksOf(texts) === "yes")
    return others.length === 0 ? undefined : { heading, marks: others, others: marks, kind: "no" }
  const said = of === "statement" ? [] : saidIn(heading, texts, of)
  if (said.length > 0 && said.length <= MOST_WAYS)
    return { heading, marks: said, others: texts.filter((text) => !said.includes(text)), kind: "texts" }
  return marks.length === 0 ? undefined : { heading, marks, others, kind: marksOf(marks) }
}

/** The texts of a column that say of their rows that these do not count, or may not. */
const saidIn = (heading: string, texts: ReadonlyArray<string>, of: Rows): ReadonlyArray<string> => {
  const roles = rolesOf(heading).map(({ role }) => role)
  if (roles.some((role) => NAMES.includes(role))) return []
  const isText = roles.some((role) => TEXTS.includes(role)) || isRemark(heading)
  if (of === "documents")
    return texts.filter(
      (text) => (isText && saysVoid(text)) || (areWords(texts) && [isVoid, isFailed, isNotYet].some((is) => is(text)))
    )
  const states = texts.map(paymentStateOf)
  const known = states.filter((state) => state !== undefined)
  // Beside words for money that came, any other may say that it did not.
  if (areWords(texts) && states.includes("received") && known.length * 2 >= texts.length)
    return texts.filter((_, n) => states[n] !== "received")
  return areWords(texts)
    ? texts.filter((text, n) => isNoMoney(text) || (states[n] !== undefined && states[n] !== "received"))
    : texts.filter((text) => isText && isNoMoney(text))
}

const NAMES: ReadonlyArray<string> = ["party", "party_id", "country", "currency"]
const MOST_WAYS = 20
const TEXTS: ReadonlyArray<string> = ["text", "method", "type"]
const isRemark = (heading: string): boolean =>
  /note|comment|remark|memo|bemerk|hinweis|kommentar|remarque|commentaire|opmerking|observaci|comentario|osservaz|annotaz/iu.test(
    heading
  )

/** A remark that begins with what became of the document: "CANCELLED - reissued". */
const saysVoid = (text: string): boolean => {
  const [first = ""] = text.split(/[^\p{L}]+/u).filter((word) => word !== "")
  return first.length > 3 && voidWords.has(squash(first))
}
const voidWords = new Set(Words.VOID.map(squash).filter((word) => !word.endsWith("tion")))

const columnsOf = (table: FoundTable, used: ReadonlySet<string>, of: Rows): ReadonlyArray<Column> =>
  table.header.flatMap((_, n) =>
    used.has(headingAt(table.header, n).toLowerCase()) ? [] : (flagged(table, n, of) ?? [])
  )

const listOf = (where: unknown): ReadonlyArray<object> =>
  where === undefined ? [] : Array.isArray(where) ? where : [where as object]

/** The stream without the rows that a column marks. */
const without = (proposal: Proposal, { heading, kind, marks, others }: Column): Proposal => {
  const { leave_out, where } = proposal
  const few = kind !== "days" && kind !== "others"
  const left = { [heading]: few ? marks : others.length === 0 ? { empty: false } : { empty: false, not: others } }
  const read = { [heading]: few ? { not: marks } : others.length === 0 ? { empty: true } : ["", ...others] }
  const conditions = [...listOf(leave_out), left]
  return {
    ...proposal,
    ...(where === undefined ? {} : { where: listOf(where).map((one) => (heading in one ? one : { ...one, ...read })) }),
    leave_out: conditions.length === 1 ? left : conditions
  }
}

/** The streams without the rows in which no money moved. */
export const moving = (
  proposals: ReadonlyArray<Proposal>,
  heading: string | undefined,
  marks: ReadonlyArray<string> = []
): ReadonlyArray<Proposal> =>
  heading === undefined || marks.length === 0
    ? proposals
    : proposals.map((one) => without(one, { heading, marks, others: [], kind: "texts" }))

const PAYMENTS = "payments"

/** @param columns the roles of the table's columns */
export const struck = (
  table: FoundTable,
  { at }: AssignedColumns,
  proposals: ReadonlyArray<Proposal>,
  { isStatement, left_out = {} }: SetupAnswers & { readonly isStatement: boolean }
): SetupMeaning => {
  let now = proposals
  const decisions: Array<SetupDecision> = []
  const questions: Array<SetupQuestion> = []
  const amountAt = at.gross ?? at.amount ?? at.net ?? at.paid
  const arePayments = proposals.every(({ stream }) => stream === PAYMENTS)
  const of = isStatement ? "statement" : arePayments ? "payments" : "documents"
  for (const column of columnsOf(table, usedBy(proposals), of)) {
    const { heading, kind, marks } = column
    const meanings = proposals.map(({ stream }) => meaningOf(heading, kind, stream === PAYMENTS))
    const isMeant = (n: number) => meanings[n] !== undefined
    if (!meanings.some((one) => one !== undefined)) continue
    const n = table.header.findIndex((_, n) => headingAt(table.header, n) === heading)
    const rows = table.rows.filter(({ cells }) => marks.includes((cells[n] ?? "").trim()))
    const sum = sumOf(amountsIn(rows, amountAt))
    const about = `${plural(rows.length, "row")}, ${shown(sum)}`
    const said = left_out[heading] ?? (meanings.includes("asked") ? undefined : "yes")
    if (said === undefined)
      questions.push({
        answer: `left_out.${heading}`,
        flag: `--left-out ${JSON.stringify(`${heading}=yes`)}`,
        what: `rows with ${JSON.stringify(heading)}`,
        ask: `Are the rows of ${table.name} whose ${JSON.stringify(heading)} says ${JSON.stringify(marks[0])}${marks.length > 1 ? " and the like" : ""} left out (${about})?`,
        choices: ["yes", "no"]
      })
    else
      decisions.push({
        file: table.name,
        what: `${plural(rows.length, "row")} with ${JSON.stringify(heading)}`,
        because: `${said === "yes" ? "left out" : "read like all others"}, ${shown(sum)}`
      })
    if (said === "yes") now = now.map((one, m) => (isMeant(m) ? without(one, column) : one))
  }
  return { proposals: now, decisions, questions }
}
