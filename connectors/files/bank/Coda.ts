/**
 * Reads CODA (Febelfin's "Coded statement of account", version 2), which Belgian banks deliver: records of 128 columns. Columns
 * as in Febelfin's description 2.3 and in github.com/wimverstuyf/php-coda-parser.
 */
import type { Decimal } from "../../../core/money/Decimal.ts"
import * as Money from "../../../core/money/Decimal.ts"
import { present } from "../../Json.ts"
import { lines, type Source } from "../../Lines.ts"
import { amountIn, balanceOf, columns, dayIn, trimmed } from "./Columns.ts"
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

const PLACES = 3

/** A movement: its records 2.1, 2.2 and 2.3. */
interface Movement {
  readonly line: number
  first: string
  second: string
  third: string
}

const signed = (sign: string, amount: Decimal): Decimal => (sign === "1" ? -amount : amount)

/** A structured communication of type 101 or 102 (OGM, VCS): twelve digits. 127: a direct debit. */
interface Communication {
  readonly text: string
  readonly mandate?: string
  /** The ISO reason, or the bank's own, of a debit that was not paid. */
  readonly reason?: string
  readonly isUnpaid?: boolean
}

const communication = ({ first, second, third }: Movement): Communication => {
  const text = `${columns(first, 63, 115)}${columns(second, 11, 63)}${columns(third, 83, 125)}`
  const whole = text.trim().replace(/\s+/g, " ")
  if (columns(first, 62, 62) !== "1") return { text: whole }
  const type = text.slice(0, 3)
  if (type === "101" || type === "102") return { text: text.slice(3, 15) }
  if (type !== "127") return { text: whole.slice(3).trim() }
  const [paid, kind] = [text.slice(11, 12), text.slice(144, 145).trim()]
  const [mandate, reason] = [text.slice(47, 82).trim(), text.slice(145, 149).trim()]
  return {
    text: text.slice(82, 144).trim(),
    isUnpaid: kind !== "" || (paid !== "0" && paid.trim() !== ""),
    ...(mandate === "" ? {} : { mandate }),
    ...(reason === "" ? {} : { reason })
  }
}

const entryOf = (movement: Movement, currency: string, nth: number): Entry => {
  const { first, line, second, third } = movement
  const said = communication(movement)
  const credit = columns(first, 32, 32) === "0"
  const customer = referenceIn(trimmed(second, 64, 98))
  const name = trimmed(third, 48, 82)
  const account = trimmed(third, 11, 47)
  const text = [said.text, customer ?? "", said.mandate ?? ""].filter((one) => one !== "")
  return {
    nth,
    line,
    raw: [first, second, third].filter((one) => one !== "").join("\n"),
    credit,
    amount: amountIn(columns(first, 33, 47), PLACES, currency, "amount"),
    currency,
    booked: true,
    ...present({
      day: dayIn(columns(first, 116, 121), "dmy") ?? dayIn(columns(first, 48, 53), "dmy"),
      reference: referenceIn(trimmed(first, 11, 31))
    }),
    reversal: !credit && said.isUnpaid === true,
    code: columns(first, 55, 58),
    text: [...new Set(text)].join(" "),
    payer: present({ name: name === "" ? undefined : name, account: account === "" ? undefined : account }),
    ...(said.reason === undefined ? {} : { reason: { code: said.reason } })
  }
}

class Statement {
  #account = ""
  #currency = ""
  #opening: Balance | undefined
  #raw = ""
  #nth = 0
  /** The movement that is being read, the sum before it, and the sum's parts. */
  #open: Movement | undefined
  #sum: Movement | undefined
  #parts: Array<Movement> = []
  found = false

  take(text: string, line: number): ReadonlyArray<Event> {
    if (this.#raw.length < RAW_CHARACTERS && this.#account !== "") this.#raw += `\n${text}`
    switch (text.slice(0, 2)) {
      case "21":
        return this.#movement({ line, first: text, second: "", third: "" })
      case "22":
        if (this.#open !== undefined) this.#open.second = text
        return []
      case "23":
        if (this.#open !== undefined) this.#open.third = text
        return []
      default:
        if (text.startsWith("1")) return this.#begin(text, line)
        return text.startsWith("8") ? this.#end(text) : []
    }
  }

  #begin(text: string, line: number): ReadonlyArray<Event> {
    const before = this.end()
    const isOld = columns(text, 2, 2) === "0"
    this.#account = trimmed(text, 6, isOld ? 17 : 39).replaceAll(" ", "")
    this.#currency = isOld ? columns(text, 19, 21) : columns(text, 40, 42)
    const currency = this.#currency
    const sign = columns(text, 43, 43)
    this.#opening = balanceOf(
      () => signed(sign, amountIn(columns(text, 44, 58), PLACES, currency, "balance")),
      currency
    )
    this.#raw = text
    this.found = true
    const head = {
      account: this.#account,
      currency,
      kind: "statement" as const,
      rank: 3,
      ...present({ number: referenceIn(columns(text, 3, 5)), to: dayIn(columns(text, 59, 64), "dmy") })
    }
    return [...before, { type: "begin", head, line }]
  }

  /** A detail belongs to the sum before it, whose sequence number it has. */
  #movement(movement: Movement): ReadonlyArray<Event> {
    if (this.#account === "") return []
    const isDetail = columns(movement.first, 7, 10) !== "0000"
    this.#open = movement
    if (!isDetail) {
      const before = this.#flush()
      this.#sum = movement
      return before
    }
    // Types 5 to 7 itemise a sum of type 1 to 3; others repeat a part of it, such as charges.
    if (/[5-7]/.test(columns(movement.first, 54, 54))) this.#parts.push(movement)
    return []
  }

  #flush(): ReadonlyArray<Event> {
    const [whole, parts] = [this.#sum, this.#parts]
    this.#sum = undefined
    this.#parts = []
    if (whole === undefined) return []
    const nth = ++this.#nth
    try {
      const entry = entryOf(whole, this.#currency, nth)
      const itemised = parts.map((one, at) => ({ ...entryOf(one, this.#currency, nth), part: at + 1 }))
      const sum = Money.sum(itemised.map(({ amount, credit }) => (credit === entry.credit ? amount : -amount)))
      return [
        ...itemised.map((part) => ({ type: "part" as const, entry: part, whole: entry })),
        { type: "entry", entry, parts: itemised.length, ...(itemised.length === 0 ? {} : { sum }) }
      ]
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      return [{ type: "fault", line: whole.line, raw: whole.first, why: cause.why, field: cause.field }]
    }
  }

  #end(text: string): ReadonlyArray<Event> {
    const currency = this.#currency
    const closing = balanceOf(
      () => signed(columns(text, 42, 42), amountIn(columns(text, 43, 57), PLACES, currency, "balance")),
      currency
    )
    return this.#close({ closing })
  }

  end(): ReadonlyArray<Event> {
    return this.#account === ""
      ? []
      : this.#close({ wrong: "its end (record 8) is missing: get the whole file from the bank" })
  }

  #close(how: { readonly closing?: Balance | undefined; readonly wrong?: string }): ReadonlyArray<Event> {
    const before = this.#flush()
    const raw = this.#raw.slice(0, RAW_CHARACTERS)
    const opening = this.#opening
    this.#account = ""
    this.#open = undefined
    return [...before, { type: "end", raw, ...present({ opening, ...how }) }]
  }
}

export async function* coda(source: Source): Events {
  const statement = new Statement()
  for await (const batch of lines(source))
    for (const { number, text } of batch) if (text.trim() !== "") yield* statement.take(text, number)
  yield* statement.end()
  if (!statement.found) throw new NotABankFile("it has no account (a record 1) of CODA")
}
