/**
 * The seller's account as its bank delivers it: statements that overlap, reports of the day beside them, the same account in
 * two formats, an export of the last weeks beside archives, sums of a day beside notifications that say what is in them.
 */
import { type Currency, type Day, type Minor, sum } from "../Values.ts"
import type { Line, Money } from "../truth/Money.ts"
import type { Desk, Style } from "../truth/Plan.ts"
import { paymentsIn, tableOf } from "./BankTables.ts"
import { camt, IBANS } from "./Camt.ts"
import { mt940 } from "./Mt940.ts"

export interface Part {
  readonly name: string
  readonly number: number
  readonly from: Day
  readonly to: Day
  /** The first day on which it is there, and the day on which it is replaced. */
  readonly seen: Day
  readonly gone?: Day
  readonly message: "052" | "053" | "054"
  readonly format: "camt" | "mt940" | "csv"
}

export interface Entry extends Line {
  readonly reference: string | undefined
  /** What is booked as one sum, where the bank says what is in it. */
  readonly parts?: ReadonlyArray<Entry>
  /** Of how many it is the sum, where it does not. */
  readonly count?: number
}

/** An account, as a part has it. */
export interface Account {
  readonly currency: Currency
  readonly opening: Minor
  readonly closing: Minor
}

const HALF = 15
const OPENING: Minor = 1_000_000n

type BankStyle = NonNullable<Style["bank"]>

/** What is there in all, over so many days. */
const partsOf = ({ files, format }: BankStyle, until: Day): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  const add = (name: string, from: Day, to: Day, more: Partial<Part> = {}) =>
    parts.push({ name, number: parts.length + 1, from, to, seen: to + 1, message: "053", format, ...more })
  if (format === "csv" && files !== "apart") {
    for (let q = 0; q * 45 <= until; q++) add(`archive-${q}`, q * 45, q * 45 + 44, { seen: q * 45 + 50 })
    for (let day = 7; day <= until + 7; day += 7)
      add("current", Math.max(0, day - 40), day - 1, { seen: day, gone: day + 7 })
    return parts
  }
  for (let from = 0; from <= until; from += 2 * HALF) {
    const middle = from + HALF
    const end = from + 2 * HALF - 1
    if (files === "interim") {
      for (let at = from; at <= end; at += 5) {
        add(`day-${at}`, at, at + 4, { message: "052", seen: at + 5, gone: at + 11 })
        add(`final-${at}`, at, at + 4, { seen: at + 6 })
      }
    } else {
      // Some come after the statement that has their sum.
      if (files === "notified")
        for (let at = from; at <= end; at += 5)
          add(`notice-${at}`, at, at + 4, { message: "054", seen: at + (at % 3 === 0 ? 8 : 5) })
      add(`${from}`, from, middle - 1)
      if (files === "overlapping") add(`${from}-month`, from, end)
      else add(`${middle}`, middle, end)
      if (files === "formats")
        add(`${from}-other`, from, end, { seen: end + 3, format: format === "camt" ? "mt940" : "camt" })
    }
  }
  return parts
}

const ENDINGS = { camt: "xml", mt940: "sta", csv: "csv" }

/** Lines as entries: those of one sum are one, with or without what is in it. */
const booked = (
  lines: ReadonlyArray<Line>,
  sumOf: (line: Line) => string | undefined,
  isDetailed: boolean
): ReadonlyArray<Omit<Entry, "reference">> =>
  [...Map.groupBy(lines, (line) => sumOf(line) ?? line.id)].map(([id, those]) => {
    const [first] = those as [Line]
    if (those.length === 1) return first
    const { currency, day } = first
    const parts = isDetailed
      ? { parts: those.map((one) => ({ ...one, reference: undefined })) }
      : { count: those.length }
    const text = `SAMMLER ANZAHL ${those.length}`
    const own = { id, day, text, name: "Acme Ltd", iban: IBANS.EUR, amount: sum(those.map(({ amount }) => amount)) }
    return { ...own, ...(currency === undefined ? {} : { currency }), ...parts }
  })

export class Bank {
  readonly #money: Money
  readonly #desk: Desk
  readonly #style: BankStyle
  readonly #parts: ReadonlyArray<Part>

  constructor(money: Money, desk: Desk, style: BankStyle, until: Day) {
    this.#money = money
    this.#desk = desk
    this.#style = style
    this.#parts = partsOf(style, until)
  }

  #here(day: Day): ReadonlyArray<Part> {
    return this.#parts.filter(({ gone = Number.POSITIVE_INFINITY, seen }) => seen <= day && day < gone)
  }

  /** Which sum it is booked in, if in any: a batch, or what came in on its day. */
  #sumOf({ amount, batch, day }: Line): string | undefined {
    return batch ?? (this.#style.files === "notified" && amount > 0n ? `SUM${day}0000000` : undefined)
  }

  /** Only final statements of camt say what a sum is made of, or notifications where there are any. */
  #isDetailed({ format, message }: Part): boolean {
    return format === "camt" && message === (this.#style.files === "notified" ? "054" : "053")
  }

  /** Whether the bank has shown a line by a day. */
  shows(line: Line, day: Day): boolean {
    const isInSum = this.#sumOf(line) !== undefined
    return this.#parts.some(
      (part) => part.seen <= day && part.from <= line.day && line.day <= part.to && (!isInSum || this.#isDetailed(part))
    )
  }

  #entries(part: Part, currency: Currency): ReadonlyArray<Entry> {
    const { from, message, to } = part
    const lines = [...this.#money.lines.values()]
      .filter((one) => from <= one.day && one.day <= to && (one.currency ?? "EUR") === currency)
      .sort((a, b) => a.day - b.day || (a.id < b.id ? -1 : 1))
    const { references } = this.#style
    return booked(lines, (line) => this.#sumOf(line), this.#isDetailed(part)).map((line, n) => ({
      ...line,
      reference:
        message === "052" || references === "none"
          ? undefined
          : references === "unique"
            ? `REF${line.id.replaceAll(/\W/g, "")}`
            : `${n + 1}`.padStart(8, "0")
    }))
  }

  files(day: Day): ReadonlyMap<string, string> {
    const files = new Map<string, string>()
    const here = this.#here(day)
    const currencies: ReadonlyArray<Currency> = this.#style.dollars === true ? ["EUR", "USD"] : ["EUR"]
    for (const currency of currencies)
      for (const part of here) {
        const isRefused =
          part === here.at(-1) && this.#desk.refused.some(({ from, until }) => from <= day && day < until)
        const name = `bank/${currency === "EUR" ? "" : "usd-"}${part.name}.${ENDINGS[part.format]}`
        files.set(name, this.#written(part, currency, isRefused))
      }
    return files
  }

  #written(part: Part, currency: Currency, isRefused: boolean): string {
    const entries = this.#entries(part, currency)
    if (part.format === "csv") return tableOf(this.#style.export, entries)
    const before = [...this.#money.lines.values()].filter(
      (line) => line.day < part.from && (line.currency ?? "EUR") === currency
    )
    const opening = OPENING + sum(before.map(({ amount }) => amount))
    const closing = opening + sum(entries.map(({ amount }) => amount)) + (isRefused ? 100n : 0n)
    const account = { currency, opening, closing }
    return part.format === "camt" ? camt(part, account, entries) : mt940(part, account, entries)
  }

  /** What its connection says besides its source. */
  get settings(): object {
    const { undesignated, within } = this.#style
    if (undesignated === undefined) return {}
    return { match: { undesignated, ...within } }
  }

  get source(): object {
    const { export: name, format } = this.#style
    return { connector: "files", payments: format === "csv" ? paymentsIn(name) : { path: "bank" } }
  }
}
