/**
 * In a ledger with invoices and what pays them, each row may have a number of its own beside that of the invoice: the latter is the one
 * that rows of payments have as well.
 */
import { type AssignedColumns, isAmount, withHeadings } from "./Columns.ts"
import { formatOf } from "./DateFormats.ts"
import type { FoundTable } from "./Tables.ts"
import { rowTypeOf } from "./Vocabulary.ts"

const textsIn = (rows: FoundTable["rows"], at: number): ReadonlyArray<string> =>
  rows.map(({ cells }) => (cells[at] ?? "").trim()).filter((text) => text !== "")

/** Amounts of payments are those of invoices as well; a number of an invoice has no cents. */
const isNumber = (text: string): boolean => /\d/.test(text) && !(isAmount(text) && /[.,]/.test(text))

const REFERENCE = /^(?:ref|reference|referenz|référence|referentie|referencia|riferimento|document|beleg|pièce|stuk)/iu

/** Numbers of rows, one after the other, of whatever type these are. */
const isRunning = (texts: ReadonlyArray<string>): boolean => {
  const sorted = texts.map(Number).toSorted((a, b) => a - b)
  return sorted.length > 1 && sorted.every((one, n) => Number.isInteger(one) && one === (sorted[0] as number) + n)
}

export const byShared = (table: FoundTable, columns: AssignedColumns): AssignedColumns => {
  const { at, language } = columns
  if (at.type === undefined) return columns
  const typeOf = (row: FoundTable["rows"][number]) => rowTypeOf((row.cells[at.type as number] ?? "").trim(), language)
  const invoices = table.rows.filter((row) => typeOf(row) === "invoice")
  const paying = table.rows.filter((row) => ["payment", "credit_note", "refund"].includes(typeOf(row) ?? ""))
  const isOwn = (n: number): boolean => {
    const own = textsIn(invoices, n)
    return new Set(own).size === invoices.length && own.every(isNumber) && formatOf(own) === undefined
  }
  const isShared = (n: number | undefined): boolean => {
    if (n === undefined || !isOwn(n)) return false
    const [known, its] = [new Set(textsIn(invoices, n)), textsIn(paying, n)]
    return its.every(isNumber) && its.filter((text) => known.has(text)).length * 2 > its.length
  }
  const numbered = [at.invoice, at.original]
  if (invoices.length === 0 || numbered.some(isShared)) return columns
  const taken = [at.party, at.party_id, at.text]
  const free = table.header.flatMap((_, n) => (taken.includes(n) ? [] : [n]))
  const number = at.invoice ?? at.document
  const isCounted =
    number !== undefined && invoices.length < table.rows.length && isRunning(textsIn(table.rows, number))
  const found =
    free.find(isShared) ??
    (isCounted ? free.find((n) => n !== number && REFERENCE.test(table.header[n] ?? "") && isOwn(n)) : undefined)
  if (found === undefined) return columns
  const others = Object.entries(at).filter(([, n]) => n !== found && n !== number)
  return withHeadings(table, { ...Object.fromEntries(others), invoice: found }, language)
}
