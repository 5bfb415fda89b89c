/**
 * Reads CODA (Febelfin's "Coded statement of account", version 2), which Belgian banks deliver: records of 128 columns. Columns
 * as in Febelfin's description 2.3 and in github.com/wimverstuyf/php-coda-parser.
 */
import type { Decimal } from "../../../core/money/Decimal.ts"
import * as Money from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { present } from "../../Json.ts"
import type { Source } from "../../Lines.ts"
import { iban } from "./Account.ts"
import { entryOf, isGross, type Movement, PLACES, signed } from "./CodaMovement.ts"
import { amountIn, balanceOf, columns, dayIn, plainLines, Rules, trimmed } from "./Columns.ts"
import {
  type Balance,
  type Entry,
  type Event,
  type Events,
  Fault,
  NotABankFile,
  RAW_CHARACTERS,
  referenceIn
} from "./Entry.ts"

/** The account's number; a Belgian one of twelve digits as the IBAN that it belongs to. */
const accountOf = (text: string, at: number): string => {
  const isBelgian = columns(text, 2, 2) === "0" && at === 6
  const account = trimmed(text, at, at + 33).replaceAll(" ", "")
  const own = isBelgian ? trimmed(text, at, at + 11) : account
  return isBelgian && /^\d{12}$/.test(own) ? iban("BE", own) : own
}

/** The statement's number: of the coded statements, or else on paper, where that is not the day of the year. */
const numberOf = (text: string, day: Day.Day | undefined): string | undefined => {
  const own = referenceIn(columns(text, 126, 128))
  if (own !== undefined || day === undefined) return own
  const ofYear = Day.between(Day.of(`${day.slice(0, 4)}-01-01`), day) + 1
  const paper = referenceIn(columns(text, 3, 5))
  return paper === String(ofYear).padStart(3, "0") ? undefined : paper
}

const LAST_CUT = "the last record (9) is cut off, and does not say whether another file follows"

const NOT_ITEMISED = "a sum has one detail of less than itself; it was read as a single sum"

class Statement {
  readonly #rules = new Rules()
  #account = ""
  #written = ""
  #currency = ""
  #opening: Balance | undefined
  #raw = ""
  #nth = 0
  #last = 0
  /** The movement that is being read, the sum before it, the sum's parts, and its amount without charges. */
  #open: Movement | undefined
  #sum: Movement | undefined
  #parts: Array<Movement> = []
  #gross: Movement | undefined
  /** What record 9 has to say: records, debits and credits since record 0. */
  #counts = { records: 0, debit: 0n, credit: 0n }
  /** Held until record 9 confirms it. */
  #end: (Event & { readonly type: "end" }) | undefined
  /** Record 9 says that another file follows. */
  #follows = false
  found = false

  take(text: string, line: number): ReadonlyArray<Event> {
    if (this.#raw.length < RAW_CHARACTERS && this.#account !== "") this.#raw += `\n${text}`
    if (/^[1238]/.test(text)) this.#counts.records++
    switch (text.slice(0, 2)) {
      case "21":
        return this.#movement({ line, first: text, second: "", third: "", more: "" })
      case "22":
      case "23":
        return this.#continue(text, line)
      case "31":
      case "32":
      case "33":
        return this.#inform(text)
      default:
        return this.#frame(text, line)
    }
  }

  #frame(text: string, line: number): ReadonlyArray<Event> {
    switch (text.slice(0, 1)) {
      case "0":
        this.#counts = { records: 0, debit: 0n, credit: 0n }
        return []
      case "1":
        return this.#begin(text, line)
      case "8":
        return this.#close(text, line)
      case "9":
        return this.#confirm(text, line)
      case "4":
        return []
      default:
        this.#rules.broken(`a record begins with ${JSON.stringify(text.slice(0, 2))}, which CODA does not have`, line)
        return []
    }
  }

  #begin(text: string, line: number): ReadonlyArray<Event> {
    const before = this.end()
    const isBelgian = columns(text, 2, 2) === "0"
    this.#account = accountOf(text, 6)
    this.#written = columns(text, 6, 42)
    this.#currency = isBelgian ? columns(text, 19, 21) : columns(text, 40, 42)
    const currency = this.#currency
    if (this.#account === "") throw new NotABankFile(`its account (record 1, line ${line}) is missing`)
    this.#opening = balanceOf(
      () => signed(columns(text, 43, 43), amountIn(columns(text, 44, 58), PLACES, currency, "balance")),
      currency
    )
    this.#follows = false
    this.#rules.clear()
    if (this.#opening === undefined) this.#rules.broken("its opening balance (record 1) cannot be read", line)
    this.#raw = text
    this.#last = 0
    this.found = true
    const day = dayIn(columns(text, 59, 64), "dmy")
    const head = {
      account: this.#account,
      currency,
      kind: "statement" as const,
      rank: 3,
      isNumbered: true as const,
      ...present({ number: numberOf(text, day), to: day })
    }
    return [...before, { type: "begin", head, line }]
  }

  /** A detail belongs to the sum before it, whose sequence number it has. */
  #movement(movement: Movement): ReadonlyArray<Event> {
    const { first, line } = movement
    if (this.#account === "") return this.#outside(line)
    const isDetail = columns(first, 7, 10) !== "0000"
    const sequence = Number(columns(first, 3, 6))
    const isNext = sequence === this.#last || sequence === this.#last + 1
    const what = `movement ${sequence} follows ${this.#last} (record 2): if the balances agree, the bank left out a number`
    const said: ReadonlyArray<Event> = isNext ? [] : [{ type: "notice", what }]
    this.#last = sequence
    this.#open = movement
    if (!isDetail) {
      const before = this.#flush()
      this.#sum = movement
      return [...said, ...before]
    }
    // Types 5 to 7, of some banks 0, itemise a sum of type 1 to 3; others repeat a part of it, such as charges.
    const type = columns(first, 54, 54)
    if (!/[05-9]/.test(type)) this.#rules.broken(`a detail is of type ${type} (record 21)`, line)
    if (/[05-7]/.test(type)) this.#parts.push(movement)
    else if (isGross(movement)) this.#gross = movement
    return said
  }

  /** A movement that is before the record 1 of a statement, or behind its record 8. */
  #outside(line: number): ReadonlyArray<Event> {
    const what = "a movement (record 21) is in no statement"
    this.#rules.broken(what, line)
    return this.#end === undefined
      ? [{ type: "notice", what: `line ${line}: ${what}: get the file from the bank again` }]
      : []
  }

  /** Records 2.2 and 2.3 have the numbers of their 2.1. */
  #continue(text: string, line: number): ReadonlyArray<Event> {
    const open = this.#open
    if (open === undefined) return []
    if (columns(text, 3, 10) !== columns(open.first, 3, 10))
      this.#rules.broken(`record ${text.slice(0, 2)} is of another movement than the record 21 before it`, line)
    if (text.startsWith("22")) open.second = text
    else open.third = text
    return []
  }

  /** Information about a movement: in 001 the name of the other side, elsewhere free text. */
  #inform(text: string): ReadonlyArray<Event> {
    const open = this.#open
    if (open === undefined || columns(text, 3, 10) !== columns(open.first, 3, 10)) return []
    const isStructured = columns(text, 40, 40) === "1"
    if (text.startsWith("31") && !isStructured) open.more = trimmed(text, 41, 113)
    else if (text.startsWith("31") && columns(text, 41, 43) === "001" && trimmed(open.third, 48, 82) === "")
      open.third = `${open.third.padEnd(47).slice(0, 47)}${columns(text, 44, 78)}${open.third.slice(82)}`
    return []
  }

  #flush(): ReadonlyArray<Event> {
    const [whole, parts, gross] = [this.#sum, this.#parts, this.#gross]
    this.#sum = undefined
    this.#parts = []
    this.#gross = undefined
    if (whole === undefined) return []
    const nth = ++this.#nth
    const currency = this.#currency
    try {
      const one: Entry = { ...entryOf(whole, currency), nth }
      this.#counts[one.credit ? "credit" : "debit"] += one.amount
      const original = one.reversal && gross !== undefined ? entryOf(gross, currency).amount : undefined
      const entry = original === undefined || original > one.amount ? one : { ...one, original }
      const itemised = parts.map((part, at) => ({ ...entryOf(part, currency), nth, part: at + 1 }))
      const sum = Money.sum(itemised.map(({ amount, credit }) => (credit === entry.credit ? amount : -amount)))
      const [only, other] = itemised
      // A sum of one item is that item, which says who paid.
      if (only !== undefined && other === undefined && sum === entry.amount) {
        const { part: _, reference: own, ...item } = only
        return [{ type: "entry", entry: { ...item, ...present({ reference: entry.reference ?? own }) }, parts: 0 }]
      }
      const isShort = only !== undefined && other === undefined
      return [
        ...(isShort ? [{ type: "notice" as const, what: NOT_ITEMISED }] : []),
        ...itemised.map((part) => ({ type: "part" as const, entry: part, whole: entry })),
        { type: "entry", entry, parts: itemised.length, ...(itemised.length === 0 ? {} : { sum }) }
      ]
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      this.#rules.broken(`${cause.field}: ${cause.reason}`, whole.line)
      return [{ type: "fault", line: whole.line, raw: whole.first, why: cause.why, field: cause.field }]
    }
  }

  #close(text: string, line: number): ReadonlyArray<Event> {
    if (this.#account === "") return []
    const before = this.#flush()
    const currency = this.#currency
    const closing = balanceOf(
      () => signed(columns(text, 42, 42), amountIn(columns(text, 43, 57), PLACES, currency, "balance")),
      currency
    )
    if (columns(text, 5, 41) !== this.#written)
      this.#rules.broken(
        `it begins for ${trimmed(this.#written, 1, 37)} and ends for ${trimmed(text, 5, 41)} (record 8)`,
        line
      )
    if (closing === undefined) this.#rules.broken("its closing balance (record 8) cannot be read", line)
    return [...before, ...this.#hold(closing)]
  }

  #hold(closing: Balance | undefined): ReadonlyArray<Event> {
    const raw = this.#raw.slice(0, RAW_CHARACTERS)
    const opening = this.#opening
    this.#account = ""
    this.#open = undefined
    this.#end = { type: "end", raw, ...present({ opening, closing, wrong: this.#rules.wrong }) }
    return []
  }

  #release(): ReadonlyArray<Event> {
    const end = this.#end
    this.#end = undefined
    return end === undefined ? [] : [{ ...end, ...present({ wrong: this.#rules.wrong }) }]
  }

  /** Record 9 counts the records and the amounts of what is before it. */
  #confirm(text: string, line: number): ReadonlyArray<Event> {
    const before = this.#account === "" ? [] : this.#cut()
    const { credit, debit, records } = this.#counts
    const [count, minus, plus] = [columns(text, 17, 22), columns(text, 23, 37), columns(text, 38, 52)]
    const currency = this.#currency
    const is = (digits: string, sum: Decimal) =>
      balanceOf(() => amountIn(digits, PLACES, currency, "total"), currency)?.amount === sum
    if (Number(count) !== records)
      this.#rules.broken(`it has ${records} records, and record 9 counts ${Number(count)}`, line)
    if (!is(minus, debit) || !is(plus, credit))
      this.#rules.broken("its debits and credits do not come to the totals of record 9", line)
    this.#follows = columns(text, 128, 128) === "1"
    const isCut = !/[12]/.test(columns(text, 128, 128))
    return [...before, ...this.#release(), ...(isCut ? [{ type: "notice" as const, what: LAST_CUT }] : [])]
  }

  #cut(): ReadonlyArray<Event> {
    const before = this.#flush()
    this.#rules.broken("its end (record 8) is missing: get the whole file from the bank")
    return [...before, ...this.#hold(undefined)]
  }

  /** The statement ends, with or without its last records. */
  end(): ReadonlyArray<Event> {
    if (this.#account !== "") return [...this.#cut(), ...this.#release()]
    return this.#release()
  }

  /** Another file follows, or the last record is missing. */
  rest(): ReadonlyArray<Event> {
    const isWhole = this.#end === undefined && this.#account === "" && !this.#follows
    const what = "its last record (9) is missing: if the file was cut off, get it from the bank again"
    return [...this.end(), ...(isWhole || !this.found ? [] : [{ type: "notice" as const, what }])]
  }
}

export async function* coda(source: Source): Events {
  const statement = new Statement()
  for await (const batch of plainLines(source))
    for (const { number, text } of batch) if (text.trim() !== "") yield* statement.take(text, number)
  yield* statement.rest()
  if (!statement.found) throw new NotABankFile("it has no account (a record 1) of CODA")
}
