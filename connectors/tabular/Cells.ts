/**
 * Reads the cells of a row: text, days, amounts, currencies. What cannot be read throws `Unreadable`, which becomes the
 * reason for which the row is quarantined.
 */
import type { Decimal } from "../../core/money/Decimal.ts"
import type * as CountryNames from "../../core/wire/CountryNames.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { QuarantinedRecord } from "../Connector.ts"
import type { Document } from "../Document.ts"
import { present } from "../Json.ts"
import * as Quarantine from "../Quarantine.ts"
import * as Currencies from "./Currencies.ts"
import * as Dates from "./Dates.ts"
import * as Numerals from "./Numerals.ts"
import { remembered } from "./Remembered.ts"
import type { StreamSettings, Written } from "./Streams.ts"
import type { Columns, Row } from "./Row.ts"
import { Unreadable } from "./Unreadable.ts"

/** The documents of one row. The first is the row's own; documents that it implies follow. */
export interface Decoded {
  readonly documents: readonly [Document, ...ReadonlyArray<Document>]
  readonly notices?: ReadonlyArray<string>
}

export { Unreadable }

export interface Context {
  readonly header: ReadonlyArray<string>
  readonly at: (name: string) => number
  /** A cell's text, trimmed; empty for the configured null values. */
  readonly cell: (row: Row, index: number) => string
  readonly day: (row: Row, index: number, column: string | undefined) => Day
  readonly money: (
    row: Row,
    index: number,
    column: string | undefined,
    currency: string | undefined
  ) => Decimal | undefined
  readonly currency: (row: Row) => string | undefined
  /** The same; undefined if it cannot be read. */
  readonly currencyIn: (row: Row) => string | undefined
  /** Country codes by name, in the settings' language. */
  readonly countries: CountryNames.Lookup
}

/** What reading cells needs in addition to the settings. */
export interface Surroundings {
  readonly table: Pick<Columns, "advice" | "serials" | "typed">
  readonly mark: Numerals.Mark | undefined
  readonly countries?: CountryNames.Lookup | undefined
  readonly year?: Dates.Writing["year"]
}

/** How dates are written. */
export const writingOf = (
  { date_format, language, time_zone }: Pick<Written, "date_format" | "language" | "time_zone">,
  year?: Dates.Writing["year"]
): Dates.Writing => ({ format: date_format ?? Dates.DEFAULT, language, zone: time_zone, year })

/** Text that is protected from spreadsheets, which would drop its zeros: `="00123"`, `'00123`. */
const unprotected = (text: string): string => {
  const first = text.charCodeAt(0)
  if (first === 61) return /^="([^"]*)"$/.exec(text)?.[1] ?? text
  return first === 39 && /^'\d[\d -]{3,}$/.test(text) ? text.slice(1) : text
}

/** A cell's text, trimmed; empty for the configured null values. */
export const plainCell = ({ null_values }: Pick<Written, "null_values">): ((row: Row, index: number) => string) => {
  const text = (row: Row, index: number) => (index < 0 ? "" : unprotected((row.cells[index] ?? "").trim()))
  if (null_values === undefined || null_values.length === 0) return text
  const nothing = new Set(null_values.map((one) => one.trim()))
  return (row, index) => {
    const found = text(row, index)
    return nothing.has(found) ? "" : found
  }
}

/** What to do about a text that is not a date in this format, if setting `date_format` is not the answer. */
export const dateAdvice = (text: string, zone: string | undefined): string | undefined =>
  zone === undefined && Dates.isZoned(text)
    ? 'its time has a zone of its own: set time_zone to the seller\'s, like "Europe/Berlin"'
    : undefined

export const context = (
  settings: StreamSettings,
  header: ReadonlyArray<string>,
  { countries = () => undefined, mark, table, year }: Surroundings
): Context => {
  const { advice, serials, typed } = table
  const columns = settings.columns as Readonly<Record<string, string | undefined>>
  const writing = writingOf(settings, year)
  const formats = [writing.format, ...(settings.other_date_formats ?? [])]
  const parse = Dates.readerOfAny(formats.map((format) => ({ ...writing, format })))
  const iso = Dates.reader({ ...writing, format: Dates.DEFAULT })
  const at = (name: string) => {
    const column = columns[name]
    return column === undefined ? -1 : find(header, column)
  }
  const plain = plainCell(settings)
  const cell = (row: Row, index: number): string => {
    const fault = row.faults?.get(index)
    if (fault !== undefined) throw fault
    return plain(row, index)
  }
  return {
    header,
    countries,
    at,
    cell,
    day: (row, index, column) => {
      const text = cell(row, index)
      const day =
        parse(text) ??
        (typed
          ? (iso(text) ??
            (serials !== "none" && /^\d+(\.\d+)?$/.test(text)
              ? Dates.fromSerial(Number(text) + (serials ?? 0))
              : undefined))
          : undefined)
      if (day !== undefined) return day
      if (text === "") throw new Unreadable("is empty, and a date is needed; write it, or leave the row out", column)
      const what = advice ?? dateAdvice(text, writing.zone) ?? "set date_format, or correct it"
      throw new Unreadable(
        `${JSON.stringify(text)} is not a date written ${formats.join(" or ")}; ${what}`,
        column,
        text
      )
    },
    money: (row, index, column, currency) => {
      const text = cell(row, index)
      if (text === "") return undefined
      const amount = Numerals.parse(text, row.numbers?.[index] === true ? "." : mark, currency)
      if (typeof amount !== "string") return amount
      throw new Unreadable(`${JSON.stringify(text)} ${amount}`, column)
    },
    ...currencyReader(settings, { at, cell, plain })
  }
}

interface CellReaders extends Pick<Context, "at" | "cell"> {
  /** A cell's text, whether or not it could be computed. */
  readonly plain: Context["cell"]
}

/** Reads the currency of a row, from its column or for the whole table. */
const currencyReader = (
  { columns, currencies, currency }: StreamSettings,
  { at, cell, plain }: CellReaders
): Pick<Context, "currency" | "currencyIn"> => {
  const currencyAt = at("currency")
  const fixed = currency?.toUpperCase()
  const currencyOf = Currencies.read(currencies)
  return {
    currencyIn: (row) => {
      const text = plain(row, currencyAt)
      return text === "" ? fixed : currencyOf(text)
    },
    currency: (row) => {
      const text = cell(row, currencyAt)
      if (text === "") return fixed
      const code = currencyOf(text)
      if (code !== undefined) return code
      const what = isSignOfSeveral(text)
        ? "may be several currencies; say which under currencies"
        : "is not an ISO 4217 currency code; correct it, or say what it means under currencies"
      throw new Unreadable(`${JSON.stringify(text)} ${what}`, "currency" in columns ? columns.currency : undefined)
    }
  }
}

const isSignOfSeveral = (text: string): boolean => Currencies.within(text).length > 1

/** The index of a column: by name, by name in another case, or, for columns without a heading, by number (`#1`). */
export const find = (header: ReadonlyArray<string>, name: string): number => {
  const exact = header.indexOf(name.trim())
  if (exact >= 0) return exact
  const near = header.findIndex((one) => one.toLowerCase() === name.trim().toLowerCase())
  if (near >= 0) return near
  const nth = Number(/^#(\d{1,4})$/.exec(name.trim())?.[1] ?? 0)
  return nth <= header.length ? nth - 1 : -1
}

export type Decode = (row: Row) => Decoded

/** For building documents member by member, which is faster than spreading parts into one. */
export type Mutable<A> = { -readonly [K in keyof A]: A[K] }

/** Throws for documents that would be quarantined before they are stored, so that control totals include their rows. */
export const storable = (document: Document): void => {
  const found = Quarantine.defect(document)
  if (found !== undefined) throw new Unreadable(found.why, found.field)
}

export const needed = (text: string, column: string | undefined): string => {
  if (text === "") throw new Unreadable("is empty, and is needed; write it, or leave the row out", column)
  return text
}

/** The value that a map in the settings has for a text. */
export const mapped = <A>(map: Readonly<Record<string, A>> | undefined, text: string): A | undefined =>
  map !== undefined && Object.hasOwn(map, text) ? map[text] : undefined

/** The value that a map has for a text, or that the text itself names, in any case; `otherwise` for an empty text. */
export const chosen = <A extends string>(
  text: string,
  among: ReadonlyArray<string>,
  map: Readonly<Record<string, A>> | undefined,
  otherwise?: A
): A | undefined => {
  const found = text === "" ? otherwise : (among.find((one) => one === text.toLowerCase()) as A | undefined)
  return mapped(map, text) ?? found
}

/** Reads the columns sent as metadata; undefined if all are empty. */
export const metadataReader = (columns: Readonly<Record<string, string>> = {}, { cell, header }: Context) => {
  const extras = Object.entries(columns).map(([name, column]) => [name, find(header, column)] as const)
  return (row: Row): Readonly<Record<string, string>> | undefined => {
    if (extras.length === 0) return undefined
    const found = extras.flatMap(([name, index]) => (cell(row, index) === "" ? [] : [[name, cell(row, index)]]))
    return found.length > 0 ? Object.fromEntries(found) : undefined
  }
}

/** A record to quarantine, with its field and its id if they are known. */
export const quarantined = (record: QuarantinedRecord, field: string | undefined, id: string): QuarantinedRecord => ({
  ...record,
  ...present({ field, id: id.toWellFormed() || undefined })
})

/** A member that is left out if its text is empty. */
export const optional = <Name extends string>(name: Name, value: string): { readonly [N in Name]?: string } =>
  (value === "" ? {} : { [name]: value }) as { readonly [N in Name]?: string }

export type Method = "unknown" | "bank" | "card" | "cash"

/** Payment methods of the service (II 2.5). */
const METHODS: ReadonlyArray<string> = ["unknown", "bank", "card", "cash"]

/** Reads a column of payment methods; an unknown one is left out, with a notice. */
export const methodReader = (
  methods: Readonly<Record<string, Method>> | undefined,
  column: string | undefined
): ((text: string) => { readonly method?: Method; readonly notice?: string }) =>
  remembered(1000, (text) => {
    const method = chosen<Method>(text, METHODS, methods)
    if (method !== undefined) return { method }
    if (text === "") return {}
    return {
      notice: `${column} ${JSON.stringify(text)} is not a payment method (${METHODS.join(", ")}); ignored (map it under methods)`
    }
  })
