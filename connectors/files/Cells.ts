/**
 * The cells of a row, read one by one: text, days, money, currency. What cannot be read throws `Unreadable`, which
 * becomes the reason that the row is set aside with.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Document } from "../Document.ts"
import * as Dates from "./Dates.ts"
import * as Numerals from "./Numerals.ts"
import type { StreamSettings } from "./Settings.ts"
import type { Row, Table } from "./Table.ts"

/** What one row gave. */
export interface Decoded {
  readonly documents: ReadonlyArray<Document>
  readonly notice?: string
}

/** Why a row gives nothing: the file's own name of the column, what is wrong, and what to do. */
export class Unreadable {
  readonly field: string | undefined
  readonly why: string
  /** What was to be a date and is none. */
  readonly date: string | undefined
  constructor(why: string, field?: string, date?: string) {
    this.why = why
    this.field = field
    this.date = date
  }
}

export interface Context {
  readonly header: ReadonlyArray<string>
  readonly at: (name: string) => number
  readonly cell: (row: Row, index: number) => string
  readonly day: (row: Row, index: number, column: string) => Day
  readonly money: (row: Row, index: number, column: string, currency: string) => Decimal | undefined
  readonly currency: (row: Row) => string | undefined
}

export const context = (
  settings: StreamSettings,
  header: ReadonlyArray<string>,
  mark: Numerals.Mark | undefined,
  { serials, typed }: Pick<Table, "serials" | "typed">
): Context => {
  const columns = settings.columns as Readonly<Record<string, string | undefined>>
  const format = settings.date_format ?? "yyyy-MM-dd"
  const parse = Dates.reader(format)
  const iso = Dates.reader("yyyy-MM-dd")
  const at = (name: string) => (columns[name] === undefined ? -1 : find(header, columns[name]!))
  const currencyAt = at("currency")
  const cell = (row: Row, index: number) => (index < 0 ? "" : (row.cells[index] ?? "").trim())
  return {
    header,
    at,
    cell,
    day: (row, index, column) => {
      const text = cell(row, index)
      const day =
        parse(text) ??
        (typed
          ? (iso(text) ?? (/^\d+(\.\d+)?$/.test(text) ? Dates.fromSerial(Number(text) + (serials ?? 0)) : undefined))
          : undefined)
      if (day !== undefined) return day
      if (text === "") throw new Unreadable("is empty; a date is needed", column)
      throw new Unreadable(
        `${JSON.stringify(text)} is not a date written ${format}; set date_format, or correct it`,
        column,
        text
      )
    },
    money: (row, index, column, currency) => {
      const text = cell(row, index)
      if (text === "") return undefined
      const known = row.numbers?.[index] === true ? "." : mark
      const amount = Numerals.parse(text, known, Currency.decimals(currency))
      if (typeof amount !== "string") return amount
      const aside = amount.includes("places")
        ? ` (${currency})`
        : amount.includes("decimal")
          ? ""
          : `, with ${JSON.stringify(known ?? ".")} as the decimal mark`
      throw new Unreadable(`${JSON.stringify(text)} ${amount}${aside}`, column)
    },
    currency: (row) => {
      const text = cell(row, currencyAt)
      const code = (text === "" ? settings.currency : text)?.toUpperCase()
      if (code !== undefined && !Currency.isCurrency(code)) {
        throw new Unreadable(`${JSON.stringify(code)} is no currency of ISO 4217`, columns["currency"] ?? "currency")
      }
      return code
    }
  }
}

/** The index of a column, by its name, or by its name in another case. */
export const find = (header: ReadonlyArray<string>, name: string): number => {
  const exact = header.indexOf(name.trim())
  return exact >= 0 ? exact : header.findIndex((one) => one.toLowerCase() === name.trim().toLowerCase())
}

export type Decode = (row: Row) => Decoded

export const needed = (text: string, column: string): string => {
  if (text === "") throw new Unreadable("is empty; it is needed", column)
  return text
}

/** The value that a map of the settings has for a text. */
export const mapped = <A>(map: Readonly<Record<string, A>> | undefined, text: string): A | undefined =>
  map !== undefined && Object.hasOwn(map, text) ? map[text] : undefined

/** A member that is left out when its text is empty. */
export const optional = <Name extends string>(name: Name, value: string): { readonly [N in Name]?: string } =>
  (value === "" ? {} : { [name]: value }) as { readonly [N in Name]?: string }

/** How a payment may have been made (II 2.5). */
export const METHODS: ReadonlyArray<string> = ["unknown", "bank", "card", "cash"]
