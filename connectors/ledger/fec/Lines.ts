/**
 * Reads the lines of a FEC, the file of accounting entries that French law prescribes (arrêté of 29 July 2013, LPF A47 A-1):
 * separated by tabs or pipes, with Debit and Credit or Montant and Sens, in UTF-8, ISO-8859-15 or windows-1252.
 */
import { createReadStream } from "node:fs"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { facts, type Encoding } from "../../Bytes.ts"
import { type Line, lines } from "../../Lines.ts"
import { told } from "../../Refused.ts"

/** Where each column is; those that may be missing are -1. */
type Columns = Readonly<Record<keyof typeof HEADINGS, number>>

const HEADINGS = {
  journal: ["journalcode"],
  journalName: ["journallib"],
  entry: ["ecriturenum"],
  day: ["ecrituredate"],
  account: ["comptenum"],
  accountName: ["comptelib"],
  aux: ["compauxnum"],
  auxName: ["compauxlib"],
  ref: ["pieceref"],
  refDay: ["piecedate"],
  label: ["ecriturelib"],
  debit: ["debit"],
  credit: ["credit"],
  amount: ["montant"],
  side: ["sens"],
  letter: ["ecriturelet"],
  letterDay: ["datelet"],
  validDay: ["validdate"],
  foreign: ["montantdevise"],
  currency: ["idevise", "iddevise"]
} as const

const NEEDED = ["journal", "entry", "day", "account", "ref", "label"] as const

export interface Layout {
  readonly separator: string
  readonly width: number
  readonly at: Columns
}

const squash = (text: string): string =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z]/g, "")

/** The columns that a first line names; undefined if it is not a FEC's. */
export const layoutOf = (header: string): Layout | undefined => {
  for (const separator of ["\t", "|", ";"]) {
    const names = header.split(separator).map(squash)
    const at = Object.fromEntries(
      Object.entries(HEADINGS).map(([column, known]) => [
        column,
        names.findIndex((name) => (known as ReadonlyArray<string>).includes(name))
      ])
    ) as Columns
    const hasAmounts = (at.debit >= 0 && at.credit >= 0) || (at.amount >= 0 && at.side >= 0)
    if (hasAmounts && NEEDED.every((column) => at[column] >= 0)) return { separator, width: names.length, at }
  }
  return undefined
}

export interface FecLine {
  readonly number: number
  readonly raw: string
  readonly cells: ReadonlyArray<string>
  readonly day: Day.Day
  /** Debits are positive, credits negative. */
  readonly amount: Decimal.Decimal
}

/** A line that cannot be read. */
export interface Bad {
  readonly number: number
  readonly raw: string
  readonly why: string
  readonly field?: string
}

/** The digits of `1200,00`, which nearly all amounts are written like; undefined for any other text. */
const centsOf = (text: string): string | undefined => {
  const point = text.length - 3
  if (point < 1 || point > 12 || text.charCodeAt(point) !== 44) return undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code < 48 || code > 57) && at !== point) return undefined
  }
  return text.slice(0, point) + text.slice(point + 1)
}

/** `1200,00`, `1200.00`, ` 000000000003000,00`, `1 200,00`, `1.200,00`. Undefined if it is no amount. */
export const amountOf = (written: string): Decimal.Decimal | undefined => {
  if (written === "" || written === "0,00" || written === "0.00" || written === "0") return 0n
  const plain = centsOf(written)
  if (plain !== undefined) return BigInt(plain) * CENT
  let text = written.trim()
  if (text === "") return 0n
  if (/[\s\u202f]/.test(text)) {
    if (!/^[-+]?\d{1,3}(?:[\s\u202f]\d{3})+(?:[.,]\d*)?$/.test(text)) return undefined
    text = text.replace(/[\s\u202f]/g, "")
  }
  if (text.includes(",")) {
    if (text.includes(".") && !/^[-+]?\d{1,3}(?:\.\d{3})+,\d*$/.test(text)) return undefined
    text = text.replaceAll(".", "").replace(",", ".")
  }
  if (text.startsWith("+")) text = text.slice(1)
  const value = Decimal.parse(text.endsWith(".") ? text.slice(0, -1) : text)
  return typeof value === "string" || value % CENT !== 0n ? undefined : value
}

/** Ledgers are kept in cents. */
const CENT = 1_000_000n

const madeDays = new Map<string, Day.Day>()

/** `yyyyMMdd`, also `dd/MM/yyyy` and `yyyy-MM-dd`. */
export const dayOf = (written: string): Day.Day | undefined => {
  const known = madeDays.get(written)
  if (known !== undefined) return known
  const text = written.trim()
  const [, y, m, d] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text) ?? []
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? []
  const made = Day.make(Number(y ?? year), Number(m ?? month), Number(d ?? day))
  if (made !== undefined && text.length === 8) madeDays.set(made.replaceAll("-", ""), made)
  return made
}

const DEBITS = new Set(["D", "+1", "1", "+"])
const CREDITS = new Set(["C", "-1", "-"])

const isBlank = (cell = ""): boolean => cell === "" || cell.trim() === ""

const signed = (cells: ReadonlyArray<string>, at: Columns): Decimal.Decimal | string => {
  if (at.debit >= 0 && at.credit >= 0) {
    if (isBlank(cells[at.debit]) && isBlank(cells[at.credit])) return "debit"
    const [debit, credit] = [amountOf(cells[at.debit] ?? ""), amountOf(cells[at.credit] ?? "")]
    if (debit === undefined) return "debit"
    return credit === undefined ? "credit" : debit - credit
  }
  const amount = amountOf(cells[at.amount] ?? "")
  if (amount === undefined) return "amount"
  const side = (cells[at.side] ?? "").trim().toUpperCase()
  return DEBITS.has(side) ? amount : CREDITS.has(side) ? -amount : "side"
}

/** A text in quotes, as spreadsheets write it. */
const bare = (cell: string): string =>
  cell.length > 1 && cell.startsWith('"') && cell.endsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell

export const cellsOf = (raw: string, { separator }: Layout): ReadonlyArray<string> => {
  const cells = raw.split(separator)
  return raw.includes('"') ? cells.map(bare) : cells
}

/** Days that may be left out. */
const OTHER_DAYS = ["refDay", "letterDay", "validDay"] as const

const lineOf = (number: number, raw: string, cells: ReadonlyArray<string>, { at }: Layout): FecLine | Bad => {
  const bad = (column: keyof Columns, what: string): Bad => ({
    number,
    raw,
    field: HEADINGS[column][0],
    why: told(`${JSON.stringify(cells[at[column]] ?? "")} is not ${what}`)
  })
  const day = dayOf(cells[at.day] ?? "")
  if (day === undefined) return bad("day", "a calendar day, yyyyMMdd")
  const amount = signed(cells, at)
  if (typeof amount === "string")
    return bad(amount as keyof Columns, amount === "side" ? "a side, D or C" : "an amount in euros and cents")
  if ((cells[at.account] ?? "").trim() === "") return bad("account", "an account")
  for (const column of OTHER_DAYS) {
    const cell = cells[at[column]] ?? ""
    if (cell !== "" && !isBlank(cell) && dayOf(cell) === undefined) return bad(column, "a calendar day, yyyyMMdd")
  }
  return { number, raw, cells, day, amount }
}

/** A line that was read before. */
export const parsed = (number: number, raw: string, layout: Layout): FecLine => {
  const line = lineOf(number, raw, cellsOf(raw, layout), layout)
  if ("why" in line) throw new Error(`line ${number} was read, and now ${line.why}`)
  return line
}

/** The law's two encodings are told apart by bytes that only windows-1252 has. */
const encodingOf = async (path: string, found: Encoding): Promise<Encoding> => {
  if (found !== "windows-1252") return found
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>)
    for (const byte of bytes) if (byte >= 0x80 && byte <= 0x9f) return found
  return "iso-8859-15"
}

/** A text may have line ends in it: so many lines may be one. */
const MOST_JOINED = 8

export interface Opened {
  readonly digest: string
  readonly layout: Layout | undefined
  readonly lines: AsyncIterable<ReadonlyArray<FecLine | Bad>>
}

const amountsEnd = (at: Columns): number => Math.max(at.debit, at.credit, at.amount, at.side)

/** A line with too few cells waits for those that complete it. */
class Joining {
  #short: Line | undefined
  #count = 0
  readonly #layout: Layout

  constructor(layout: Layout) {
    this.#layout = layout
  }

  take(line: Line): ReadonlyArray<FecLine | Bad> {
    const { width } = this.#layout
    const before = this.#short
    const text = before === undefined ? line.text : `${before.text} ${line.text}`
    const number = before?.number ?? line.number
    const cells = cellsOf(text, this.#layout)
    if (line.overlong)
      return [
        ...this.end(),
        { number: line.number, raw: line.text, why: told("it is far too long", "export it again") }
      ]
    // Programs leave out empty cells at the end; a line end within a text comes before the amounts.
    if (cells.length === width || (cells.length < width && cells.length > amountsEnd(this.#layout.at))) {
      this.#short = undefined
      this.#count = 0
      return [lineOf(number, text, cells, this.#layout)]
    }
    if (cells.length < width && ++this.#count <= MOST_JOINED) {
      this.#short = { ...line, text, number }
      return []
    }
    // What waited is bad by itself; the line may be whole.
    return before === undefined
      ? [
          {
            number,
            raw: text,
            why: told(`it has ${cells.length} columns, and the first line names ${width}`, "export it again")
          }
        ]
      : [...this.end(), ...this.take(line)]
  }

  /** What waited and was not completed. */
  end(): ReadonlyArray<Bad> {
    const short = this.#short
    this.#short = undefined
    this.#count = 0
    return short === undefined
      ? []
      : [
          {
            number: short.number,
            raw: short.text,
            why: told(
              `it has ${short.text.split(this.#layout.separator).length} columns, and the first line names ${this.#layout.width}`,
              "export it again"
            )
          }
        ]
  }
}

async function* linesOf(
  batches: AsyncGenerator<ReadonlyArray<Line>>,
  first: ReadonlyArray<Line>,
  layout: Layout
): AsyncGenerator<ReadonlyArray<FecLine | Bad>> {
  const joining = new Joining(layout)
  const of = (some: ReadonlyArray<Line>): ReadonlyArray<FecLine | Bad> => {
    const found: Array<FecLine | Bad> = []
    for (const line of some) if (line.text.trim() !== "") for (const one of joining.take(line)) found.push(one)
    return found
  }
  yield of(first)
  for await (const batch of batches) yield of(batch)
  yield joining.end()
}

export const openFec = async (path: string): Promise<Opened> => {
  const found = await facts(path)
  const encoding = await encodingOf(path, found.encoding)
  const batches = lines({ path, encoding, mark: found.mark })
  const { value } = await batches.next()
  const [head, ...rest] = (value ?? []) as ReadonlyArray<Line>
  const layout = layoutOf(head?.text ?? "")
  return {
    digest: found.digest,
    layout,
    lines: layout === undefined ? (async function* () {})() : linesOf(batches, rest, layout)
  }
}
