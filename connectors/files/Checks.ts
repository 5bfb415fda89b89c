/**
 * Checks a file as a whole before trusting its rows: whether it has the required columns, how its amounts are written, and
 * whether its dates have the configured format.
 */
import type { Facts } from "../Bytes.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { dateAdvice, find, writingOf } from "../tabular/Cells.ts"
import * as Dates from "../tabular/Dates.ts"
import * as Layout from "../tabular/Layout.ts"
import * as Rows from "../tabular/Rows.ts"
import { misconfigured } from "./Failures.ts"
import type { File } from "./Listing.ts"
import { didYouMean } from "../../core/Nearest.ts"
import * as Numerals from "../tabular/Numerals.ts"
import type { Batch } from "../tabular/Batch.ts"
import type { Row, Table } from "./Table.ts"

/** Fields that every document needs. */
const NEEDED = ["id", "customer", "issued", "due", "invoice", "date", "amount", "order", "placed"]

export const quoted = (names: ReadonlyArray<string>): string => names.map((one) => JSON.stringify(one)).join(", ")

/** Checks that every configured column is present; throws a `SourceError` otherwise. Returns notices about the columns. */
export const columns = (
  { ending, name, place, settings }: File,
  { absent, header }: Pick<Table, "absent" | "header">
): ReadonlyArray<string> => {
  const odd: Array<string> = []
  const repeated = ending === ".jsonl" ? [] : header.filter((one, n) => one !== "" && header.indexOf(one) < n)
  for (const { by, field, heading } of Rows.headingsOf(settings)) {
    const asks = `${JSON.stringify(heading)}, which source.${place}.${by} asks for`
    if (find(header, heading) < 0) {
      throw misconfigured(
        `${name} has no column ${asks}; it has ${quoted(header)}${didYouMean(heading, header)}`,
        "correct the configuration, or the file's header"
      )
    }
    if (absent?.columns.includes(heading)) {
      if (NEEDED.includes(field)) {
        throw misconfigured(
          `${name} has no member ${asks}; its records have ${quoted(absent.there)}${didYouMean(heading, absent.there)}`,
          "correct the configuration, or the file"
        )
      }
      odd.push(`its first records have no ${asks}; they have ${quoted(absent.there)}`)
    }
    const found = header[find(header, heading)]
    if (found !== undefined && repeated.includes(found)) {
      odd.push(`it has several columns ${asks}; the first is read`)
    }
  }
  return odd
}

/** Common headings of a column with the open balance. */
const BALANCE =
  /^(?:open balance|balance(?: due)?|amount due|invoiceamountdue|outstanding(?: balance| amount)?|amount outstanding|offen|offener betrag|restbetrag|openstaand|reste à payer|saldo)$/i

/** Reports a balance column that the settings do not use: without it, the books cannot be compared with the source. */
export const unread = ({ place, settings, stream }: File, { header }: Pick<Table, "header">): ReadonlyArray<string> => {
  if (stream !== "invoices" || "balance" in settings.columns) return []
  const asked = Rows.columnsOf(settings).map((heading) => header[find(header, heading)])
  return header
    .filter((heading) => BALANCE.test(heading) && !asked.includes(heading))
    .slice(0, 1)
    .map((heading) => {
      const name = JSON.stringify(heading)
      return `it has a column ${name} that is not read; name it under source.${place}.columns.balance, so that it is compared with what was read`
    })
}

/** How many rows are searched for headings that are not in the first row: titles above them take up few rows. */
const TITLES = 30

/** The same as `columns`; if the headings are further down, below titles, the error names their line. */
export const headings = async (file: File, table: Table): Promise<ReadonlyArray<string>> => {
  try {
    return columns(file, table)
  } catch (cause) {
    const line = file.settings.header_row === undefined ? await headingLine(file, table) : undefined
    if (line === undefined) throw cause
    throw misconfigured(
      `${file.name} has its headings in line ${line}, below ${quoted(table.header.filter((one) => one !== ""))}`,
      `set source.${file.place}.header_row to ${line}`
    )
  }
}

/** The line, counted from 1, that has every configured column. */
const headingLine = async ({ ending, settings }: File, { rows }: Table): Promise<number | undefined> => {
  if (ending === ".jsonl") return undefined
  const asked = Rows.columnsOf(settings)
  let looked = 0
  for await (const batch of rows) {
    const found = batch.slice(0, TITLES - looked).find(({ cells }) => {
      const names = cells.map((cell) => cell.trim())
      return asked.every((column) => find(names, column) >= 0)
    })
    if (found !== undefined) return found.line
    looked += batch.length
    if (looked >= TITLES) return undefined
  }
  return undefined
}

export const encoding = ({ ending, settings }: File, { encoding }: Facts): ReadonlyArray<string> =>
  encoding !== "windows-1252" || ending === ".xlsx"
    ? []
    : settings.encoding === undefined
      ? ["it is not UTF-8; it was read as windows-1252 (set encoding if that is wrong)"]
      : settings.encoding === "utf-8"
        ? ["it is not UTF-8, which encoding says; characters are lost (leave encoding out, or correct it)"]
        : []

/** The decimal mark of a file: as configured, or detected if its first rows leave no doubt. */
export const mark = (
  { settings }: File,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>
): Numerals.Mark | undefined => {
  const at = Layout.amountsOf(settings.columns).map((heading) => find(header, heading))
  const texts = rows.flatMap(({ cells, numbers }) =>
    at.flatMap((index) => (numbers?.[index] === true ? [] : [(cells[index] ?? "").trim()]))
  )
  return settings.decimal ?? Numerals.markOf(texts)
}

/** Checks the settings against the first rows of a file. Throws a `SourceError` if the settings cannot be right. */
export const rows = (file: File, header: ReadonlyArray<string>, rows: ReadonlyArray<Row>, page: Batch): void => {
  dates(file, header, rows, page.badDates)
  invoices(file, page)
  balances(file, page)
}

const DATES = ["issued", "due", "settled", "date", "placed"]

/** Detects a wrong date format, as opposed to wrong rows: most first rows fail on a date, or another order fits them all. */
const dates = (
  { name, place, settings }: File,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>,
  bad: Batch["badDates"]
): void => {
  const [first] = bad
  if (first === undefined) return
  const { column, text } = first
  const { format, ...rest } = writingOf(settings)
  const swapped = format.replace(/d+|(?<!M)M{1,2}(?!M)/g, (part) => (part[0] === "d" ? "M" : "d"))
  if (bad.length < 2 || bad.length * 2 < rows.length) {
    const at = DATES.flatMap((field) => (settings.columns as Record<string, string>)[field] ?? []).map((one) =>
      find(header, one)
    )
    const texts = rows.flatMap(({ cells }) => at.map((n) => (cells[n] ?? "").trim())).filter((one) => /\d/.test(one))
    const parse = Dates.reader({ ...rest, format: swapped })
    const fits = swapped !== format && Dates.wrongFormat(swapped) === undefined
    if (!fits || [...texts, ...bad.map((one) => one.text)].some((one) => parse(one) === undefined)) return
  }
  const texts = bad.map((one) => one.text)
  const zoned = dateAdvice(text, settings.time_zone) !== undefined && Dates.suggest(texts, { ...rest, zone: "UTC" })
  const fitting = Dates.suggest(texts, rest)
  throw misconfigured(
    `${name}: ${bad.length} of the first ${rows.length} rows have dates that are not written ${format} (${JSON.stringify(column)} says ${JSON.stringify(text)})`,
    zoned !== false && zoned.length > 0
      ? `set source.${place}.time_zone to the seller's, like "Europe/Berlin"${zoned.includes(format) ? "" : `, and date_format to ${zoned.map((one) => JSON.stringify(one)).join(" or ")}`}`
      : fitting.length === 0
        ? `set source.${place}.date_format to how they are written, like "d/M/yyyy"`
        : `set source.${place}.date_format to ${fitting.map((one) => JSON.stringify(one)).join(" or ")}`
  )
}

/** Fewer rows prove nothing: each may be wrong by itself. */
const SEVERAL = 3

/** A file may well have this many credit notes and nothing else. */
const MANY = 20

/** Gross is never more than this many times net. */
const MOST_TAX = 2n

/** Detects swapped columns: in most invoices, net exceeds gross, or the due date is before the issue date. */
const invoices = ({ name, place }: File, { read }: Batch): void => {
  const all = read.flatMap(({ document }) => (document.kind === "invoice" ? [document] : []))
  const taxed = all.flatMap(({ gross, net }) =>
    gross === undefined || net === undefined || gross === net
      ? []
      : [{ gross: Decimal.abs(gross), net: Decimal.abs(net) }]
  )
  const swapped = taxed.filter(({ gross, net }) => net > gross).length
  if (swapped >= SEVERAL && swapped * 2 > taxed.length) {
    throw misconfigured(
      `${name}: net is more than gross in ${swapped} of the first ${all.length} invoices`,
      `swap source.${place}.columns.net and gross (or, where tax is withheld, leave net out)`
    )
  }
  const taxes = taxed.filter(({ gross, net }) => gross > net * MOST_TAX).length
  if (taxes >= SEVERAL && taxes * 2 > taxed.length) {
    throw misconfigured(
      `${name}: gross is more than twice net in ${taxes} of the first ${all.length} invoices`,
      `check source.${place}.columns.net and gross: is one of them the tax, or a line's amount?`
    )
  }
  const negative = all.filter(({ gross, net }) => (gross ?? net ?? 0n) < 0n).length
  if (negative >= MANY && negative * 2 > all.length) {
    throw misconfigured(
      `${name}: the amount is negative in ${negative} of the first ${all.length} invoices`,
      `turn the sign of source.${place}.columns.gross and net round, or choose other rows with where`
    )
  }
  const early = all.filter(({ due, issued }) => due < issued).length
  if (early >= SEVERAL && early * 2 > all.length) {
    throw misconfigured(
      `${name}: ${early} of the first ${all.length} invoices are due before they are issued`,
      `check source.${place}.columns.issued and due, and date_format`
    )
  }
}

/** Detects a wrong amount column or sign: most of the statement's running balances do not follow from the amounts. */
const balances = ({ name, place }: File, { balances: { checked, wrong } }: Batch): void => {
  if (wrong < SEVERAL || wrong * 2 < checked) return
  throw misconfigured(
    `${name}: ${wrong} of the first ${checked} balances are not what the balance before and the amount come to`,
    `correct source.${place}.columns.amount (its sign, debit and credit) or balance`
  )
}
