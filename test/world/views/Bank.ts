/**
 * The seller's account as its bank delivers it: statements that overlap, reports of the day beside them, the same account in
 * two formats, an export of the last weeks beside archives, sums of a day beside notifications that say what is in them.
 */
import { type Day, type Minor, sum } from "../Values.ts"
import type { Line, Money } from "../truth/Money.ts"
import type { Desk, Style } from "../truth/Plan.ts"
import { paymentsIn, tableOf } from "./BankTables.ts"
import { camt } from "./Camt.ts"
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
  /** Of what came in on a day and was booked as one sum. */
  readonly parts?: ReadonlyArray<Entry>
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

/** What came in on one day is booked as one sum. */
const summed = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  [...Map.groupBy(entries, ({ amount, day, id }) => (amount > 0n ? `${day}` : id)).values()].map((parts) =>
    parts.length === 1
      ? parts[0]!
      : { ...parts[0]!, amount: sum(parts.map(({ amount }) => amount)), reference: `SUM${parts[0]!.day}0000000`, parts }
  )

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

  /** Whether the bank has shown a line by a day. */
  shows({ day: booked }: Line, day: Day): boolean {
    return this.#parts.some(({ from, seen, to }) => seen <= day && from <= booked && booked <= to)
  }

  #entries({ from, message, to }: Part): ReadonlyArray<Entry> {
    const lines = [...this.#money.lines.values()]
      .filter(({ day }) => from <= day && day <= to)
      .sort((a, b) => a.day - b.day || (a.id < b.id ? -1 : 1))
    const { references } = this.#style
    const entries = lines.map((line, n) => ({
      ...line,
      reference:
        message === "052" || references === "none"
          ? undefined
          : references === "unique"
            ? `REF${line.id.replaceAll(/\W/g, "")}`
            : `${n + 1}`.padStart(8, "0")
    }))
    return this.#style.files === "notified" ? summed(entries) : entries
  }

  files(day: Day): ReadonlyMap<string, string> {
    const files = new Map<string, string>()
    const here = this.#here(day)
    const last = here.at(-1)
    for (const part of here) {
      const entries = this.#entries(part)
      const opening =
        OPENING +
        sum([...this.#money.lines.values()].filter((line) => line.day < part.from).map(({ amount }) => amount))
      const refused = part === last && this.#desk.refused.some(({ from, until }) => from <= day && day < until)
      const closing = opening + sum(entries.map(({ amount }) => amount)) + (refused ? 100n : 0n)
      const text =
        part.format === "csv"
          ? tableOf(this.#style.export, entries)
          : part.format === "camt"
            ? camt(part, opening, closing, entries)
            : mt940(part, opening, closing, entries)
      files.set(`bank/${part.name}.${part.format === "camt" ? "xml" : part.format === "mt940" ? "sta" : "csv"}`, text)
    }
    return files
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
