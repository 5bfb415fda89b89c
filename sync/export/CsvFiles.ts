/**
 * Writes one CSV file for each sheet, `books.invoices.csv` for `books.csv`: RFC 4180, UTF-8 with a byte-order mark so that
 * spreadsheets recognise the encoding.
 *
 * Amounts are decimals with their currency's digits, days ISO, instants UTC. A spreadsheet runs text that begins like a
 * formula, so such text gets an apostrophe in front (OWASP, CSV injection); numbers do not. Files are written completely
 * before the first of them gets its name.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Cell, Column, Row, Sheet } from "../reports/Sheets.ts"
import type { Format, SheetWriter } from "./Format.ts"
import { guarded } from "./Guard.ts"
import { OutputFile } from "./OutputFile.ts"
import { given } from "../../core/Entry.ts"

const SHEET = "a sheet"

const MARK = "\ufeff"

const PIECE_CHARACTERS = 1 << 17

const QUOTED = /[",\r\n]|^\s|\s$/

const quote = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const two = (n: number): string => String(n).padStart(2, "0")

/** `2026-01-31 09:05:00`, with milliseconds if there are any: a format that spreadsheets read as an instant. */
const instant = (millis: number): string => {
  const at = new Date(millis)
  const day = at.toISOString().slice(0, 10)
  const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`
  const rest = at.getUTCMilliseconds()
  return `${day} ${time}${rest === 0 ? "" : `.${String(rest).padStart(3, "0")}`}`
}

const field = (value: Cell, type: Column["type"], currency: string): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "bigint") return type === "money" ? Currency.format(value, currency) : String(value)
  if (typeof value === "number") return type === "instant" ? instant(value) : String(value)
  return quote(guarded(value))
}

/** `books.csv` and `Quarantined` give `books.quarantined.csv`. */
export const fileOf = (file: string, sheet: string): string =>
  `${file.slice(0, -".csv".length)}.${sheet.toLowerCase().replaceAll(" ", "-")}${file.slice(-".csv".length)}`

class CsvWriter implements SheetWriter {
  readonly #name: string
  readonly #files: Array<readonly [sheet: string, file: OutputFile]> = []
  #sheet: Sheet | undefined
  #text = ""

  constructor(name: string) {
    this.#name = name
  }

  readonly begin = async (sheet: Sheet): Promise<void> => {
    this.#sheet = sheet
    this.#files.push([sheet.name, await OutputFile.create(fileOf(this.#name, sheet.name))])
    this.#text = `${MARK}${sheet.columns.map(({ name }) => quote(guarded(name))).join(",")}\r\n`
  }

  readonly write = async (rows: ReadonlyArray<Row>): Promise<void> => {
    const { columns, currency } = given(this.#sheet, SHEET)
    for (const row of rows) {
      const code = currency < 0 ? "" : String(row[currency] ?? "")
      for (const [i, { type }] of columns.entries()) this.#text += (i === 0 ? "" : ",") + field(row[i], type, code)
      this.#text += "\r\n"
      if (this.#text.length > PIECE_CHARACTERS) await this.#flush()
    }
  }

  readonly end = async (): Promise<void> => {
    await this.#flush()
    await this.#file.close()
  }

  readonly commit = async (shown: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    for (const [, file] of this.#files) await file.commit()
    return shown.flatMap((name) => this.#files.filter(([sheet]) => sheet === name).map(([, { path }]) => path))
  }

  readonly discard = async (): Promise<void> => {
    for (const [, file] of this.#files) await file.discard()
  }

  get #file(): OutputFile {
    return given(this.#files.at(-1), SHEET)[1]
  }

  readonly #flush = async (): Promise<void> => {
    const bytes = Buffer.from(this.#text)
    this.#text = ""
    await this.#file.append(bytes)
  }
}

export const csvFiles: Format = { ending: ".csv", open: async (file) => new CsvWriter(file) }
