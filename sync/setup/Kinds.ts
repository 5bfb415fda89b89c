/**
 * Detects what a table without a preset contains, and which of its columns is which field: from its headings, from types in
 * its rows, from its name and titles.
 */
import type { Stream } from "../../connectors/tabular/Streams.ts"
import { type AssignedColumns, assign } from "./Columns.ts"
import { type FieldColumns, fieldsOf, streamOf } from "./Fields.ts"
import { areOrders } from "./OrderColumns.ts"
import type { SetupAnswers, TableKind } from "./Answers.ts"
import {
  cellsOf,
  type FoundTable,
  headingAt,
  type Proposal,
  type SetupDecision,
  type SetupQuestion,
  share
} from "./Tables.ts"
import { returnedWords, type RowType, titleOf, rowTypeOf } from "./Vocabulary.ts"

export interface Proposed {
  readonly proposals: ReadonlyArray<Proposal>
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
  readonly language: string
}

/** What the names of the file and sheet, and the titles, suggest. */
const titled = ({ above, glance, path }: FoundTable): ReturnType<typeof titleOf> =>
  [path.replace(/^.*[\\/]|\.[^.]*$/g, ""), glance.sheet ?? "", ...above.map(({ cells }) => cells.join(" "))]
    .map(titleOf)
    .find((kind) => kind !== undefined)

/** Undefined if nothing indicates it. */
const kindOf = (table: FoundTable, columns: AssignedColumns): TableKind | undefined => {
  const { at } = columns
  if (areOrders(columns)) return "orders"
  const has = (...roles: ReadonlyArray<keyof typeof at>) => roles.some((role) => at[role] !== undefined)
  const money = has("net", "gross", "amount", "paid")
  const title = titled(table)
  if (has("paid_in") && has("paid_out") && has("date") && !has("due", "net", "gross")) return "statement"
  if (has("credit") || (title === "credit_notes" && has("invoice", "original", "document"))) return "credit_notes"
  if (money && has("due", "terms", "issued") && has("party", "party_id"))
    return title === "payments" && !has("due") && has("paid_on") ? "payments" : "invoices"
  if (title === "payments" && money && has("invoice", "original")) return "payments"
  if (money && has("payment", "paid_on") && has("invoice", "original", "document")) return "payments"
  if (money && has("balance") && has("text") && has("date") && !has("invoice")) return "statement"
  if (money && has("party", "party_id") && has("invoice", "document") && has("date")) return "invoices"
  if (money && has("date") && has("invoice")) return "payments"
  if (money && has("date") && has("text")) return "statement"
  return undefined
}

/** The values of the type column, by meaning. */
const typesOf = (table: FoundTable, at: number | undefined) => {
  const found = new Map<RowType, Array<string>>()
  const unknown: Array<string> = []
  if (at === undefined) return { found, unknown }
  for (const value of new Set(cellsOf(table.rows, at))) {
    const type = rowTypeOf(value)
    if (type === undefined) unknown.push(value)
    else found.set(type, [...(found.get(type) ?? []), value])
  }
  return { found, unknown }
}

const one = (values: ReadonlyArray<string>): unknown => (values.length === 1 ? values[0] : values)

/** A proposal for each type of rows. */
const byType = (table: FoundTable, columns: AssignedColumns): ReadonlyArray<Proposal> | undefined => {
  const heading = columns.heading("type")
  const { found, unknown } = typesOf(table, columns.at.type)
  // A column with only types of reversals does not divide the table.
  const others = unknown.some((value) => value !== "")
  const divides =
    (found.has("invoice") && (found.size > 1 || others)) ||
    (found.has("credit_note") && found.size > 1) ||
    (found.has("payment") && others)
  if (heading === undefined || !divides) return undefined
  const received = [...(found.get("payment") ?? []), ...(found.get("refund") ?? [])]
  const parts: ReadonlyArray<readonly [Stream, ReadonlyArray<string>]> = [
    ["invoices", found.get("invoice") ?? []],
    ["credit_notes", found.get("credit_note") ?? []],
    ["payments", received]
  ]
  return parts
    .filter(([, values]) => values.length > 0)
    .map(([stream, values]) => {
      const rows = table.rows.filter(({ cells }) => values.includes((cells[columns.at.type ?? -1] ?? "").trim()))
      const fields = fieldsOf(stream, { ...table, rows }, columns)
      return {
        stream,
        where: { [heading]: one(values) },
        ...streamOf(signed(stream, fields, heading, { ...table, rows }))
      }
    })
    .filter(
      ({ columns, stream }) =>
        stream !== "credit_notes" || ("invoice" in columns && columns["invoice"] !== columns["id"])
    )
}

/** Payments in a ledger lower what is owed: if all of them are negative, they were received. */
const signed = (stream: Stream, fields: FieldColumns, type: string, { header, rows }: FoundTable): FieldColumns => {
  const { amount } = fields
  if (stream !== "payments" || typeof amount !== "string") return fields
  const cells = cellsOf(rows, header.indexOf(amount)).filter((text) => text !== "")
  const negative = cells.filter((text) => /^[-−(]|[-−]$/.test(text)).length
  if (negative * 2 <= cells.length) return fields
  const values = [...new Set(cellsOf(rows, header.indexOf(type)))]
  return { ...fields, amount: { plus: amount, negative: { [type]: one(values) } } }
}

const NEEDED: Readonly<Record<string, ReadonlyArray<readonly [string, string]>>> = {
  invoices: [
    ["id", "the invoice's number"],
    ["customer", "the customer's name"],
    ["issued", "the day of issue"],
    ["gross", "the amount with tax"]
  ],
  payments: [
    ["date", "the day of the payment"],
    ["amount", "the amount"]
  ],
  orders: [
    ["id", "the order's number"],
    ["placed", "the day on which it was placed"],
    ["gross", "the amount of the line with tax, all pieces together"]
  ],
  credit_notes: [
    ["id", "the credit note's number"],
    ["invoice", "the invoice that it lowers"],
    ["date", "its date"],
    ["gross", "the amount"]
  ]
}

/** Questions for required fields without a column. */
const lacking = (table: FoundTable, { columns, stream }: Proposal): ReadonlyArray<SetupQuestion> =>
  (NEEDED[stream] ?? [])
    .filter(([field]) => columns[field] === undefined && !(field === "gross" && columns["net"] !== undefined))
    .map(([field, what]) => ({
      answer: `column.${stream}.${field}`,
      flag: `--column ${stream}.${field}=HEADING`,
      what: `${field} of ${table.name}`,
      ask: `Which column of ${table.name} is ${what}?`,
      choices: table.header.map((_, n) => headingAt(table.header, n))
    }))

/** Replaces detected columns by those that a person named. */
export const answered = (proposal: Proposal, { columns = {} }: SetupAnswers): Proposal => {
  const named = Object.entries(columns).flatMap(([name, heading]) => {
    const [field, stream] = name.split(".").toReversed()
    return field !== undefined && (stream === undefined || stream === proposal.stream) ? [[field, heading]] : []
  })
  return named.length === 0 ? proposal : { ...proposal, columns: { ...proposal.columns, ...Object.fromEntries(named) } }
}

/** For a bank statement: money received, and returns of it. What the seller pays out is not a payment of an invoice. */
const entriesOf = (kind: TableKind, { heading, language }: AssignedColumns): { readonly where?: unknown } => {
  if (kind !== "statement") return {}
  const text = heading("text") ?? heading("party")
  const back = text === undefined ? {} : { [text]: { contains: returnedWords(language) } }
  const [credit, debit] = [heading("paid_in"), heading("paid_out")]
  if (credit !== undefined && debit !== undefined)
    return {
      where: [
        { [credit]: { sign: "positive" } },
        ...(text === undefined ? [] : [{ [debit]: { empty: false }, ...back }])
      ]
    }
  const amount = heading("amount") ?? heading("gross") ?? heading("paid")
  return amount === undefined
    ? {}
    : {
        where: [
          { [amount]: { sign: "positive" } },
          ...(text === undefined ? [] : [{ [amount]: { sign: "negative" }, ...back }])
        ]
      }
}

const KIND_CHOICES: ReadonlyArray<TableKind> = ["invoices", "payments", "credit_notes", "orders", "statement"]

export const proposed = (table: FoundTable, answers: SetupAnswers): Proposed => {
  const columns = assign(table)
  const { language } = columns
  const said = answers.kinds?.[table.path] ?? answers.kinds?.[table.name]
  const kind = said ?? kindOf(table, columns)
  if (kind === undefined)
    return {
      proposals: [],
      decisions: [],
      questions: [
        {
          answer: `kind.${table.name}`,
          flag: `--kind ${table.name}=KIND`,
          what: `rows of ${table.name}`,
          ask: `What are the rows of ${table.name}?`,
          choices: KIND_CHOICES
        }
      ],
      language
    }
  const stream: Stream = kind === "statement" ? "payments" : kind
  const typed = kind === "statement" || kind === "orders" ? undefined : byType(table, columns)
  const proposals = (
    typed ?? [{ stream, ...entriesOf(kind, columns), ...streamOf(fieldsOf(stream, table, columns)) }]
  ).map((one) => answered(one, answers))
  return {
    proposals,
    decisions: [{ file: table.name, what: whatOf(kind, typed), ...because(table, columns) }],
    questions: proposals.flatMap((one) => lacking(table, one)),
    language
  }
}

const whatOf = (kind: TableKind, typed: ReadonlyArray<Proposal> | undefined): string =>
  typed === undefined
    ? kind === "statement"
      ? "a statement of payments"
      : kind.replace("_", " ")
    : typed.map(({ stream }) => stream.replace("_", " ")).join(", ")

const because = (table: FoundTable, { at }: AssignedColumns): Pick<SetupDecision, "because"> => ({
  because: `${share(Object.keys(at).length, table.header.filter((one) => one !== "").length)} headings are known`
})
