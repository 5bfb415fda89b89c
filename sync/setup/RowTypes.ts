/**
 * Divides a table by the types of its rows: invoices, credit notes, payments, refunds, and what is left out. Every type has a
 * meaning, or is asked about, and is shown with its number of rows and their sum.
 */
import type { Row } from "../../connectors/tabular/Row.ts"
import type { Stream } from "../../connectors/tabular/Streams.ts"
import type { SetupAnswers } from "./Answers.ts"
import { type AssignedColumns, withHeadings } from "./Columns.ts"
import { type FieldColumns, fieldsOf, type Sense, streamOf } from "./Fields.ts"
import { amountsIn, shown, sumsBy } from "./Figures.ts"
import {
  filledOf,
  type FoundTable,
  headingAt,
  type Proposal,
  type SetupDecision,
  type SetupMeaning,
  type SetupQuestion
} from "./Tables.ts"
import { directionOf, type RowType, rowTypeOf, squash } from "./Vocabulary.ts"
import { plural } from "../../core/Plural.ts"

type Sums = ReturnType<typeof sumsBy>

const TYPES: ReadonlyArray<RowType> = ["invoice", "credit_note", "payment", "refund", "left_out"]

/** Types of rows that a column may have; more are texts of another kind. */
const MOST_TYPES = 30

const one = (values: ReadonlyArray<string>): unknown => (values.length === 1 ? values[0] : values)

const NAMES: Readonly<Record<RowType, string>> = {
  invoice: "invoices",
  credit_note: "credit notes",
  payment: "payments",
  refund: "money that went back",
  left_out: "left out"
}

/** Values whose amounts have the other sign than their type: negative payments, positive refunds. */
const inverted = (values: ReadonlyArray<string>, sums: Sums, sign: "negative" | "positive"): ReadonlyArray<string> => {
  const other = sign === "negative" ? "positive" : "negative"
  return values.filter((value) => (sums.get(value)?.[sign] ?? 0) > (sums.get(value)?.[other] ?? 0))
}

/** Received money is positive and returned money negative, whichever way the table writes each of them. */
const signed = (
  fields: FieldColumns,
  heading: string,
  types: ReadonlyMap<RowType, ReadonlyArray<string>>,
  sums: Sums
): FieldColumns => {
  const { amount } = fields
  if (typeof amount !== "string") return fields
  const turned = [
    ...inverted(types.get("payment") ?? [], sums, "negative"),
    ...inverted(types.get("refund") ?? [], sums, "positive")
  ]
  return turned.length === 0 ? fields : { ...fields, amount: { plus: amount, negative: { [heading]: one(turned) } } }
}

const question = (table: FoundTable, heading: string, text: string, sums: Sums): SetupQuestion => {
  const { rows, sum } = sums.get(text) ?? { rows: 0, sum: 0n }
  return {
    answer: `type.${text}`,
    flag: `--type ${JSON.stringify(`${text}=invoice`)}`,
    what: `type ${JSON.stringify(text)}`,
    ask: `What are the rows of ${table.name} whose ${JSON.stringify(heading)} is ${JSON.stringify(text)} (${plural(rows, "row")}, ${shown(sum)})?`,
    choices: TYPES
  }
}

/** A type with its number of rows and their sum. */
const saidOf = (
  { name }: FoundTable,
  text: string,
  type: RowType | undefined,
  { lowers, sums }: { readonly sums: Sums; readonly lowers: boolean }
): ReadonlyArray<SetupDecision> => {
  if (type === undefined) return []
  const { rows, sum } = sums.get(text) ?? { rows: 0, sum: 0n }
  const isRead = type !== "left_out" && (type !== "credit_note" || lowers)
  const not = type === "left_out" ? "left out" : "not read: no column says which invoice they lower"
  const what = `${plural(rows, "row")} of ${JSON.stringify(text)}`
  return [{ file: name, what, because: `${isRead ? NAMES[type] : not}, ${shown(sum)}` }]
}

/** A credit note lowers the invoice whose number stands in another column of its row, whatever that is called. */
const lowering = (
  fields: FieldColumns,
  { header, rows: all }: FoundTable,
  rows: ReadonlyArray<Row>,
  { id, isInvoice }: { readonly id: unknown; readonly isInvoice: (row: Row) => boolean }
): FieldColumns => {
  const idAt = header.findIndex((_, n) => headingAt(header, n) === id)
  if (idAt < 0) return fields
  const numbers = new Set(filledOf(all.filter(isInvoice), idAt))
  const names = (n: number): boolean => {
    const named = filledOf(rows, n)
    return named.length === rows.length && named.every((text) => numbers.has(text))
  }
  const at = names(idAt) ? -1 : header.findIndex((_, n) => names(n))
  return at < 0 ? fields : { ...fields, id, invoice: headingAt(header, at) }
}

/**
 * A proposal for each type of rows; undefined if no column divides the table.
 *
 * @param arePayments the rows are payments, as they show or a person said
 */
export const byType = (
  table: FoundTable,
  columns: AssignedColumns,
  sense: Sense,
  answers: SetupAnswers,
  { areInvoices, arePayments = false }: { readonly areInvoices: boolean; readonly arePayments?: boolean }
): SetupMeaning | undefined => {
  const [heading, at] = [columns.heading("type"), columns.at.type]
  if (heading === undefined || at === undefined) return undefined
  const amounts = amountsIn(table.rows, columns.at.gross ?? columns.at.amount ?? columns.at.net ?? columns.at.paid)
  const sums = sumsBy(table.rows, at, amounts)
  const texts = [...sums.keys()].filter((text) => text !== "")
  const meaning = (text: string) => answers.types?.[text] ?? rowTypeOf(text, columns.language)
  const types = new Map(TYPES.map((type) => [type, texts.filter((text) => meaning(text) === type)] as const))
  const of = (type: RowType) => types.get(type) ?? []
  const unknown = texts.filter((text) => meaning(text) === undefined)
  const hasOthers = unknown.length > 0 || sums.has("")
  const size = TYPES.filter((type) => of(type).length > 0).length
  // A column with only types of reversals does not divide the table.
  // Of invoices alone, rows of a type that comes later are none of them.
  const divides =
    (of("invoice").length > 0 && (size > 1 || hasOthers || areInvoices)) ||
    (of("credit_note").length > 0 && (size > 1 || hasOthers)) ||
    (of("payment").length > 0 &&
      (of("invoice").length > 0 || of("left_out").length > 0 || (unknown.length > 0 && (areInvoices || arePayments))))
  const isAsked = areInvoices && isDocumentType(heading) && texts.length <= MOST_TYPES && texts.length > 1
  if (texts.length > MOST_TYPES || (!divides && !isAsked)) return undefined
  const parts: ReadonlyArray<readonly [Stream, ReadonlyArray<string>]> = [
    ["invoices", of("invoice")],
    ["credit_notes", of("credit_note")],
    ["payments", [...of("payment"), ...of("refund")]]
  ]
  const left = of("left_out")
  const made = parts.flatMap(([stream, values]): ReadonlyArray<Proposal> => {
    if (values.length === 0) return []
    const rows = table.rows.filter(({ cells }) => values.includes((cells[at] ?? "").trim()))
    const fields = fieldsOf(stream, { ...table, rows }, columns, sense)
    const right =
      stream === "payments"
        ? signed(fields, heading, types, sums)
        : stream === "credit_notes"
          ? lowering(fields, table, rows, {
              id: fieldsOf("invoices", table, columns, sense)["id"],
              isInvoice: ({ cells }) => of("invoice").includes((cells[at] ?? "").trim())
            })
          : fields
    return [{ stream, where: { [heading]: one(values) }, ...streamOf(right) }]
  })
  const names = ({ columns: { id, invoice } }: Proposal) => id !== undefined && invoice !== undefined && invoice !== id
  const proposals = made.filter((one) => one.stream !== "credit_notes" || names(one))
  const lowers = proposals.length === made.length
  const [first, ...others] = proposals
  return {
    proposals:
      first === undefined
        ? []
        : [left.length === 0 ? first : { ...first, leave_out: { [heading]: one(left) } }, ...others],
    decisions: texts.flatMap((text) => saidOf(table, text, meaning(text), { sums, lowers })),
    questions: unknown.map((text) => question(table, heading, text, sums))
  }
}

/** A column whose values are words for both sides, whatever it is called. */
const sideColumn = (table: FoundTable): number | undefined => {
  const found = table.header.findIndex((_, n) => {
    const texts = filledOf(table.rows, n)
    const ways = new Set([...new Set(texts)].map((text) => (text.length > 2 ? directionOf(text) : undefined)))
    return texts.length === table.rows.length && ways.size === 2 && !ways.has(undefined)
  })
  return found < 0 ? undefined : found
}

/** A list of receivables may say of each row whether it is a debit, as invoices are, or a credit. */
export const bySide = (
  table: FoundTable,
  { at, language }: AssignedColumns,
  sense: Sense,
  answers: SetupAnswers
): SetupMeaning | undefined => {
  const side = at.direction ?? sideColumn(table)
  if (side === undefined) return undefined
  const sides = [...new Set(filledOf(table.rows, side))].flatMap((text) => {
    const way = directionOf(text)
    return way === undefined ? [] : [[text, way === "out" ? ("invoice" as const) : ("credit_note" as const)] as const]
  })
  const columns = withHeadings(table, { ...at, type: side }, language)
  return byType(
    table,
    columns,
    sense,
    { ...answers, types: { ...Object.fromEntries(sides), ...answers.types } },
    { areInvoices: true }
  )
}

/** Whether a heading says that its values are types of documents, so that unknown ones are asked about. */
const isDocumentType = (heading: string): boolean =>
  /doc|beleg|invoice|rechnung|factu|fattur|^type$|^typ$|^art$|^tipo$|^soort$|transaction/.test(squash(heading))
