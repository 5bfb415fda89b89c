/**
 * The rows of a sheet, from its XML. Cells become text: numbers with the fifteen digits that a workbook stores, dates as
 * calendar days.
 */
import { remembered } from "../../tabular/Remembered.ts"
import { BATCH, COLUMNS, NotATable, type Row } from "../Table.ts"
import { dateOf } from "./DateFormat.ts"
import { attribute, decoded, type Handler, scanner } from "./Markup.ts"
import { asPercent, type NumberFormat, roundedTo } from "./NumberFormat.ts"
import { TextItem, unescaped } from "./TextItem.ts"

/** Rows and columns that a sheet may have. */
const MOST_ROWS = 1 << 20
const MOST_COLUMNS = 16_384

/** Longest text of a row that is shown to people, and the longest text of all rows: cells can repeat one text of the file. */
const SHOWN_CHARACTERS = 20_000
const ALL_CHARACTERS = 2 ** 29

/** A row with so many columns is shown by those that are filled, if few are: one cell at its end is a few bytes of a file. */
const WIDE = 64

/** Longest row, in characters. A file of 100 kB can repeat one long text until it fills the memory. */
const LONGEST_CHARACTERS = 1 << 20

/** Dates to remember. */
const DATES = 4096

export interface Context {
  readonly strings: ReadonlyArray<string>
  /** By style of cells. */
  readonly formats: ReadonlyArray<NumberFormat>
  readonly is1904: boolean
  /** The first row that is read, counted from 1. */
  readonly from: number
}

/** Numbers whose shortest form is how they are written here, with at most fifteen digits. */
const PLAIN = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d{0,5}[1-9])$/
const DIGITS = 15

const PLAIN_FORMAT: NumberFormat = { isDate: false }

/** Formats a number with fifteen digits: a double's shortest form can have two more, which are noise. */
const shown = (value: number): string => {
  const full = String(value)
  // True for nearly all numbers.
  if (full.length <= DIGITS) return full
  if (Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-6)) return full
  return full.replace(/\D/g, "").length > DIGITS ? String(Number(value.toPrecision(DIGITS))) : full
}

/** The column of a reference such as `AB12`, counted from 0; -1 if it names none. */
const columnOf = (reference: string): number => {
  let column = 0
  for (let i = 0; i < reference.length; i++) {
    const letter = reference.charCodeAt(i) & 0xdf
    if (letter < 65 || letter > 90) break
    column = column * 26 + letter - 64
  }
  return column - 1
}

/** The letters of a column that is counted from 0: `XFD` for the last one. */
const lettersOf = (column: number): string =>
  (column < 26 ? "" : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))

const LETTER_C = 99

/** A cell as nearly all programs write it. */
const CELL =
  /<c r="([A-Z]+)\d+"(?: s="(\d+)")?(?: t="(\w+)")?(?: s="(\d+)")?>(?:<v>([^<]*)<\/v>|<is><t(?: xml:space="preserve")?>([^<]*)<\/t><\/is>)<\/c>/y

/** Makes rows of what the scanner finds. */
class Rows implements Handler {
  readonly #context: Context
  readonly #date: (serial: string) => string
  readonly #item = new TextItem()
  /** The rows that were completed and not taken yet. */
  ready: Array<Row> = []
  /** Whether the rows were begun and not ended. */
  isOpen = false
  #line = 0
  #rows = 0
  #isInRow = false
  #cells: Array<string> = []
  #numbers: Array<boolean> = []
  #column = -1
  /** The cells behind the last column that is read. */
  #far: Array<readonly [letters: string, text: string]> = []
  #characters = 0
  #total = 0
  #type: string | undefined
  #style = -1
  #rounded: Row["rounded"]
  #value = ""
  /** What texts belong to. */
  #within: "cell" | "value" | "item" | undefined

  constructor(context: Context) {
    this.#context = context
    this.#date = remembered(DATES, (serial) => dateOf(Number(serial), context.is1904))
  }

  readonly open = (name: string, attributes: string): void => {
    if (name === "c") {
      if (!this.#isInRow) return
      this.#within = "cell"
      this.#value = ""
      this.#item.clear()
      this.#begin(attribute(attributes, "r"), attribute(attributes, "t"), attribute(attributes, "s"))
    } else if (name === "v") {
      if (this.#within === "cell") this.#within = "value"
    } else if (name === "is") {
      if (this.#within === "cell") this.#within = "item"
    } else if (name === "row") {
      this.#isInRow = this.isOpen
      const at = attribute(attributes, "r")
      this.#line = at === undefined ? this.#line + 1 : Number(at)
      this.#cells = []
      this.#numbers = []
      this.#column = -1
      this.#far = []
      this.#characters = 0
      this.#rounded = undefined
    } else if (name === "sheetData") this.isOpen = true
    else if (this.#within === "item") this.#item.open(name)
  }

  readonly whole = (all: string, at: number): number => {
    if (!this.#isInRow || all.charCodeAt(at + 1) !== LETTER_C) return -1
    CELL.lastIndex = at
    const found = CELL.exec(all)
    if (found === null) return -1
    const [{ length }, reference, style, type, style2, value = "", own = ""] = found
    this.#begin(reference, type, style ?? style2)
    this.#put(type === "inlineStr" ? unescaped(decoded(own)) : decoded(value))
    return at + length
  }

  readonly text = (text: string): void => {
    if (this.#within === "value") this.#value += text
    else if (this.#within === "item") this.#item.add(text)
  }

  readonly close = (name: string): void => {
    if (name === "c") this.#end()
    else if (name === "v") {
      if (this.#within === "value") this.#within = "cell"
    } else if (name === "is") {
      if (this.#within === "item") this.#within = "cell"
    } else if (name === "row") this.#endRow()
    else if (name === "sheetData") this.isOpen = false
    else if (this.#within === "item") this.#item.close(name)
  }

  #begin(reference: string | undefined, type: string | undefined, style: string | undefined): void {
    this.#column = reference === undefined ? this.#column + 1 : columnOf(reference)
    if (this.#column >= MOST_COLUMNS)
      throw new NotATable(`its line ${this.#line} has more columns than a sheet may have`, "save it again")
    this.#type = type
    this.#style = style === undefined ? -1 : Number(style)
  }

  #end(): void {
    if (this.#within === undefined) return
    this.#within = undefined
    this.#put(this.#type === "inlineStr" ? this.#item.text : this.#value)
  }

  #put(value: string): void {
    const at = this.#column
    // Programs also write cells that have only a colour, to the end of the row.
    if (at < 0 || (value === "" && at >= Math.max(this.#cells.length, WIDE))) return
    if (at >= COLUMNS) {
      const text = this.#shown(value, at)
      if (text.trim() !== "") this.#far.push([lettersOf(at), text])
      return this.#count(text)
    }
    while (this.#cells.length <= at) {
      this.#cells.push("")
      this.#numbers.push(false)
    }
    this.#numbers[at] = false
    const text = value === "" ? "" : this.#shown(value, at)
    this.#cells[at] = text
    this.#count(text)
  }

  #count(text: string): void {
    this.#characters += text.length
    this.#total += text.length
    if (this.#total > ALL_CHARACTERS)
      throw new NotATable("its cells repeat a text until they have more than 500 million characters; is it damaged?")
    if (this.#characters > LONGEST_CHARACTERS)
      throw new NotATable(`its line ${this.#line} has more than a million characters; is it damaged?`)
  }

  /** How the current cell shows its value; notes whether it is a number. */
  #shown(value: string, at: number): string {
    switch (this.#type) {
      case "s":
        return this.#shared(value)
      case "str":
        return unescaped(value)
      case "b":
        return value === "1" || value.toLowerCase() === "true" ? "true" : "false"
      // As strict workbooks write dates.
      case "d":
        return value.replace(/T00:00:00(?:\.0+)?Z?$/, "").replace(/(?:\.0+)?Z$/, "")
      case "inlineStr":
      case "e":
        return value
      default:
        return this.#number(value, at)
    }
  }

  #shared(position: string): string {
    const text = this.#context.strings[Number(position)]
    if (text === undefined) {
      throw new NotATable(
        `its line ${this.#line} refers to text ${position}, which the workbook lacks`,
        "save it again"
      )
    }
    return text
  }

  #number(value: string, at: number): string {
    const format = this.#context.formats[this.#style] ?? PLAIN_FORMAT
    const isPlain = !format.isDate && value.length <= DIGITS && PLAIN.test(value)
    const number = isPlain ? 0 : Number(value)
    if (Number.isNaN(number)) return value
    if (format.isDate) return this.#date(value)
    if (at < COLUMNS) this.#numbers[at] = true
    return this.#formatted(isPlain ? value : shown(number), format)
  }

  /** A number as its format shows it: with its currency, its zeros in front, and rounded where cents are. */
  #formatted(text: string, { currency, digits, isPercent, places }: NumberFormat): string {
    if (isPercent === true) return asPercent(Number(text))
    let written = text
    const point = text.indexOf(".")
    if (places !== undefined && point >= 0 && text.length - point - 1 > places && !text.includes("e")) {
      const rounded = roundedTo(Number(text), places)
      if (rounded !== undefined) {
        written = rounded
        this.#rounded ??= [rounded, text]
      }
    }
    if (digits !== undefined && /^\d+$/.test(written)) written = written.padStart(digits, "0")
    return currency === undefined ? written : `${currency} ${written}`
  }

  #endRow(): void {
    if (!this.#isInRow) return
    this.#isInRow = false
    const cells = this.#cells
    const [far] = this.#far
    if (this.#line < this.#context.from) return
    if (far === undefined && cells.every((cell) => cell === "" || cell.trim() === "")) return
    if (++this.#rows > MOST_ROWS) throw new NotATable("it has more rows than a sheet may have", "split it")
    const rounded = this.#rounded === undefined ? {} : { rounded: this.#rounded }
    const row = { cells, line: this.#line, raw: this.#raw(), numbers: this.#numbers, ...rounded }
    if (far === undefined) this.ready.push(row)
    else {
      const problem = `it has a cell in column ${far[0]}, and columns behind ${lettersOf(COLUMNS - 1)} are not read; delete that cell`
      this.ready.push({ ...row, problem })
    }
  }

  /** The row as it is shown to people, and kept if it cannot be read. */
  #raw(): string {
    const isLong = this.#characters > SHOWN_CHARACTERS
    const short = (text: string) => (isLong ? text.slice(0, SHOWN_CHARACTERS / WIDE) : text)
    const cells = isLong ? this.#cells.map(short) : this.#cells
    if (cells.length < WIDE && this.#far.length === 0) return JSON.stringify(cells)
    const filled = cells.flatMap((cell, at) => (cell === "" ? [] : [[lettersOf(at), cell] as const]))
    return filled.length * 4 > cells.length && this.#far.length === 0
      ? JSON.stringify(cells)
      : JSON.stringify(Object.fromEntries([...filled, ...this.#far.map(([at, text]) => [at, short(text)])]))
  }
}

export async function* rows(pieces: AsyncIterable<string>, context: Context): AsyncGenerator<ReadonlyArray<Row>> {
  const made = new Rows(context)
  const scan = scanner(made)
  for await (const piece of pieces) {
    scan(piece)
    let from = 0
    for (; made.ready.length - from >= BATCH; from += BATCH) yield made.ready.slice(from, from + BATCH)
    if (from > 0) made.ready = made.ready.slice(from)
  }
  if (made.isOpen) throw new NotATable("its sheet ends in the middle; is the file complete?")
  if (made.ready.length > 0) yield made.ready
}
