/** Maps the columns of a table to the fields of invoices, payments and credit notes. */
import type { Stream } from "../../connectors/tabular/Streams.ts"
import type { AssignedColumns } from "./Columns.ts"
import { orderFields } from "./OrderColumns.ts"
import { cellsOf, type FoundTable } from "./Tables.ts"
import { rowTypeOf, squash } from "./Vocabulary.ts"

/** Whether every one of these rows has a unique value in this column. */
const isKey = ({ rows }: FoundTable, at: number | undefined, per?: number): boolean => {
  if (at === undefined) return false
  const values = cellsOf(rows, at)
  if (values.some((one) => one === "")) return false
  if (per === undefined) return new Set(values).size === values.length
  const pairs = new Set(values.map((one, n) => `${one}\n${rows[n]?.cells[per]}`))
  return pairs.size === new Set(values).size
}

export type FieldColumns = Readonly<Record<string, unknown>>

const without = (fields: FieldColumns): FieldColumns =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const invoiceFields = (table: FoundTable, { at, heading }: AssignedColumns): FieldColumns => {
  const number = heading("invoice") ?? heading("document")
  const numberAt = at.invoice ?? at.document
  const keyed = at.key !== undefined && number !== undefined && isKey(table, at.key, numberAt)
  const gross = heading("gross") ?? heading("amount")
  const [net, tax] = [heading("net"), heading("tax")]
  return without({
    id: keyed ? heading("key") : (number ?? heading("key")),
    number: keyed ? number : undefined,
    customer: heading("party") ?? heading("party_id"),
    customer_id: heading("party_id"),
    customer_country: heading("country"),
    customer_regnum: heading("regnum"),
    customer_vat: heading("vat"),
    issued: heading("issued") ?? heading("date"),
    due: heading("due"),
    terms: heading("due") === undefined ? heading("terms") : undefined,
    net: net ?? (gross !== undefined && tax !== undefined ? { plus: gross, minus: tax } : undefined),
    gross: gross ?? (net !== undefined && tax !== undefined ? [net, tax] : undefined),
    currency: heading("currency"),
    status: heading("status"),
    settled: heading("paid_on"),
    balance: heading("balance"),
    paid: heading("paid"),
    credits: heading("original")
  })
}

/** An id column, or the columns that together identify a row. */
const idOf = (table: FoundTable, columns: AssignedColumns, content: ReadonlyArray<string | undefined>): unknown => {
  const { at, heading } = columns
  for (const role of ["payment", "key", "document"] as const) if (isKey(table, at[role])) return heading(role)
  return { content: content.filter((one) => one !== undefined) }
}

const paymentFields = (table: FoundTable, columns: AssignedColumns): FieldColumns => {
  const { at, heading } = columns
  const invoice =
    heading("invoice") ?? heading("original") ?? (at.payment === undefined ? undefined : heading("document"))
  const date = heading("paid_on") ?? heading("date") ?? heading("issued")
  const amount =
    heading("paid_in") !== undefined && heading("paid_out") !== undefined
      ? { credit: heading("paid_in"), debit: heading("paid_out") }
      : (heading("amount") ?? heading("paid") ?? heading("gross") ?? heading("paid_in"))
  return without({
    id: idOf(table, columns, [date, invoice, heading("party"), heading("text"), ...amountHeadings(columns)]),
    invoice,
    date,
    amount,
    currency: heading("currency"),
    ...reversalTypes(table, columns),
    provider_code: heading("code"),
    reference: heading("text"),
    customer: heading("party"),
    customer_id: heading("party_id"),
    method: undefined,
    balance: invoice === undefined ? heading("balance") : undefined
  })
}

const REVERSALS: ReadonlyArray<readonly [RegExp, string]> = [
  [/chargeback|dispute|ruckbuch/, "chargeback"],
  [/refund|erstatt|ruckzahl|rembours|terugbet|devoluc|rimborso/, "refund"],
  [/fail|error|return|unpaid|rucklast|rejet|impaye|storno|insoluto|reject/, "error"],
  [/^(other|unknown)$/, "other"]
]

/** A column with the type of reversals. */
const reversalTypes = (table: FoundTable, { at, heading }: AssignedColumns): FieldColumns => {
  const role = at.reason === undefined ? "type" : "reason"
  const [index, name] = [at[role], heading(role)]
  if (index === undefined || name === undefined) return {}
  const said = [...new Set(cellsOf(table.rows, index))].filter((value) => value !== "")
  const types = said.map((value) => [
    value,
    rowTypeOf(value) === "payment" ? "settlement" : REVERSALS.find(([pattern]) => pattern.test(squash(value)))?.[1]
  ])
  return types.every(([, type]) => type !== undefined) ? { type: name, types: Object.fromEntries(types) } : {}
}

const amountHeadings = ({ heading }: AssignedColumns): ReadonlyArray<string | undefined> =>
  heading("paid_in") !== undefined && heading("paid_out") !== undefined
    ? [heading("paid_in"), heading("paid_out")]
    : [heading("amount") ?? heading("paid") ?? heading("gross") ?? heading("paid_in")]

const creditFields = ({ at, heading }: AssignedColumns): FieldColumns => {
  const own =
    heading("credit") ?? (at.invoice !== undefined || at.original !== undefined ? heading("document") : undefined)
  const [gross, net, tax] = [heading("gross") ?? heading("amount"), heading("net"), heading("tax")]
  return without({
    id: own ?? (at.original === undefined ? heading("key") : (heading("invoice") ?? heading("key"))),
    invoice: heading("original") ?? heading("invoice") ?? heading("document"),
    date: heading("date") ?? heading("issued"),
    gross: gross ?? (net !== undefined && tax !== undefined ? [net, tax] : net),
    net: gross === undefined ? undefined : net,
    currency: heading("currency")
  })
}

/** The settings of a stream: `types` is next to its columns. */
export const streamOf = ({
  types,
  ...columns
}: FieldColumns): { readonly columns: FieldColumns; readonly types?: unknown } => ({
  columns,
  ...(types === undefined || Object.entries(types as object).every(([text, type]) => text === type) ? {} : { types })
})

export const fieldsOf = (stream: Stream, table: FoundTable, columns: AssignedColumns): FieldColumns =>
  stream === "orders"
    ? orderFields(table, columns)
    : stream === "invoices"
      ? invoiceFields(table, columns)
      : stream === "credit_notes"
        ? creditFields(columns)
        : paymentFields(table, columns)
