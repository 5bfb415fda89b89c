/**
 * Reads SWIFT MT940 (statements) and MT942 (intraday reports) as banks write them: with or without a message envelope, in
 * lines of 65 characters, with two-digit years.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { present } from "../../Json.ts"
import { lines, type Source } from "../../Lines.ts"
import {
  type Balance,
  type Entry,
  type Event,
  type Events,
  Fault,
  type Head,
  NotABankFile,
  RAW_CHARACTERS,
  referenceIn
} from "./Entry.ts"
import { CODED, type Details, detailsOf } from "./Mt940Details.ts"

interface Field {
  readonly tag: string
  readonly line: number
  /** Its lines, without the tag. */
  readonly text: Array<string>
  size: number
  /** A line of its text that begins like a field, which none may. */
  odd?: number
}

/** Longest field, in characters; the rest is cut off. */
const LONGEST_CHARACTERS = 1 << 16

/** The currency, which some banks append to the account number. */
const CURRENCY_BEHIND = /(?<=\d) ?([A-Z]{3})$/

const TAG = /^:(\d{2}[A-Z]?|NS):/

/** The fields before a statement's entries, and the others. */
const BEFORE = new Set(["20", "21", "25", "25P", "28", "28C", "60F", "60M"])
const AFTER = new Set(["13", "13D", "23", "34F", "61", "62F", "62M", "64", "65", "72", "79", "86", "90C", "90D", "NS"])

/** Text below an entry, where its `:86:` is not. */
const SUPPLEMENT_CHARACTERS = 34

/** Yields the fields in order; the end of a message is a field without a tag. */
async function* fields(source: Source): AsyncGenerator<Field> {
  let open: Field | undefined
  for await (const batch of lines(source)) {
    for (const { number, text: raw } of batch) {
      // The message envelope is before the first field and after the last one.
      const text = raw.replace(/^\{1:.*?\{4:\s*/, "")
      const [written = "", tag] = TAG.exec(text) ?? []
      if (tag !== undefined && (BEFORE.has(tag) || AFTER.has(tag))) {
        if (open !== undefined) yield open
        open = { tag, line: number, text: [text.slice(written.length).trimEnd()], size: text.length }
      } else if (/^\s*-(?:\}.*)?\s*$/.test(text)) {
        if (open !== undefined) yield open
        open = undefined
        yield { tag: "", line: number, text: [], size: 0 }
      } else if (open !== undefined) {
        if (text.startsWith(":")) open.odd ??= number
        if ((open.size += text.length + 1) < LONGEST_CHARACTERS) open.text.push(text.trimEnd())
      }
    }
  }
  if (open !== undefined) yield open
}

/** A message that is being read. */
interface Message {
  readonly line: number
  account: string
  number: string | undefined
  currency: string | undefined
  opening: Balance | undefined
  closing: Balance | undefined
  begun: boolean
  /** Set after the closing balance: what follows is not about entries. */
  closed: boolean
  wrong: string | undefined
  raw: string
  /** The entry that the next `:86:` belongs to. */
  entry: { readonly field: Field; readonly details: Array<string> } | undefined
}

class Messages {
  #message: Message | undefined
  #nth = 0
  found = false

  #balance(message: Message, which: "opening" | "closing", text: string): void {
    const [, sign, , currency = "", digits = ""] = /^([CD])(\d{6})([A-Z]{3})([\d.,]+)$/.exec(text.trim()) ?? []
    const amount = amountOf(digits)
    if (sign === undefined || amount === undefined || !Currency.isCurrency(currency)) {
      message.wrong = `its ${which} balance ${JSON.stringify(text)} cannot be read`
      return
    }
    message[which] = { amount: sign === "C" ? amount : -amount, currency }
    message.currency = currency
  }

  *take(field: Field): Generator<Event> {
    const { line, tag, text } = field
    if (tag === "" || tag === "20" || (tag === "25" && this.#message?.account !== "")) yield* this.end()
    if (tag === "") return
    const message = (this.#message ??= begin(line))
    const odd = oddity(field, message)
    if (odd !== undefined) yield { type: "notice", what: `${odd}: was it damaged, or moved?` }
    if (message.raw.length < RAW_CHARACTERS) message.raw += `:${tag}:${text.join("\n")}\n`
    const first = text[0] ?? ""
    switch (tag) {
      case "25":
      case "25P":
        message.currency ??= CURRENCY_BEHIND.exec(first.trim())?.[1]
        message.account = first.trim().replace(CURRENCY_BEHIND, "").replace(/\s/g, "")
        return
      case "28":
      case "28C":
        message.number = first.trim()
        return
      case "34F":
        message.currency ??= first.slice(0, 3)
        return
      case "60F":
      case "60M":
        this.#balance(message, "opening", first)
        return
      case "61":
        yield* this.#flush(message)
        if (message.closed) message.wrong ??= `it has entries after its closing balance (:62F:), in line ${line}`
        else message.entry = { field, details: [] }
        return
      case "86":
        message.entry?.details.push(...text)
        return
      case "62F":
      case "62M":
        yield* this.#flush(message)
        this.#balance(message, "closing", first)
        message.closed = true
        return
      case "64":
      case "65":
      case "90C":
      case "90D":
        yield* this.#flush(message)
        return
      default:
    }
  }

  *end(): Generator<Event> {
    const message = this.#message
    this.#message = undefined
    if (message === undefined) return
    if (message.account === "" && (message.entry !== undefined || message.begun || message.opening !== undefined))
      throw new NotABankFile(`a statement has entries or a balance and no account (:25:), at line ${message.line}`)
    if (message.account === "") return
    this.found = true
    yield* this.#flush(message)
    if (
      !message.begun &&
      message.opening === undefined &&
      message.closing === undefined &&
      message.currency === undefined
    )
      yield { type: "notice", what: "a statement has neither a balance nor an entry; is the file complete?" }
    yield* this.#begin(message)
    const { closing, opening, raw, wrong } = message
    const unended =
      opening !== undefined && closing === undefined
        ? "it has no closing balance (:62F:); is the file complete?"
        : undefined
    yield { type: "end", raw: raw.slice(0, RAW_CHARACTERS), ...present({ opening, closing, wrong: wrong ?? unended }) }
  }

  *#begin(message: Message): Generator<Event> {
    if (message.begun) return
    message.begun = true
    const { account, currency, line, number, opening } = message
    const isStatement = opening !== undefined || message.wrong !== undefined
    const head: Head = {
      account,
      kind: isStatement ? "statement" : "interim",
      rank: isStatement ? 3 : 2,
      ...present({ currency, number })
    }
    yield { type: "begin", head, line }
  }

  *#flush(message: Message): Generator<Event> {
    const { entry } = message
    message.entry = undefined
    if (entry === undefined) return
    yield* this.#begin(message)
    const { details, field } = entry
    if (details.length === 0 && field.text.slice(1).some((text) => text.length > SUPPLEMENT_CHARACTERS))
      yield {
        type: "notice",
        what: `line ${field.line}: below the entry (:61:) is text that is too long for it, and no :86: begins it: was a line damaged?`
      }
    const raw = `:61:${field.text.join("\n")}${details.length === 0 ? "" : `\n:86:${details.join("\n")}`}`
    try {
      const made = entryOf(field.text, detailsOf(details), message.currency)
      const instructed = instructedIn([...field.text.slice(1), ...details].join(""), made.currency)
      const entry = { nth: ++this.#nth, line: field.line, raw, ...made, ...present({ instructed }) }
      yield { type: "entry", entry, parts: 0 }
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      yield { type: "fault", line: field.line, raw, why: cause.why, field: cause.field }
    }
  }
}

/** What a field is, if it can be none here. */
const oddity = ({ line, odd, tag, text }: Field, { begun, entry }: Message): string | undefined => {
  if (odd !== undefined) return `line ${odd} begins with a colon, and no field of MT940`
  if (BEFORE.has(tag) && (begun || entry !== undefined)) return `line ${line} (:${tag}:) is below an entry`
  const isSecond = tag === "86" && (entry?.details.length ?? 0) > 0 && CODED.test(text[0] ?? "")
  return isSecond ? `line ${line} is a second :86: of one entry` : undefined
}

const begin = (line: number): Message => ({
  line,
  account: "",
  number: undefined,
  currency: undefined,
  opening: undefined,
  closing: undefined,
  begun: false,
  closed: false,
  wrong: undefined,
  raw: "",
  entry: undefined
})

/** Parses a decimal comma, or a point; undefined if it is not an amount. */
const amountOf = (text: string): Decimal.Decimal | undefined => {
  const amount = Decimal.parse(text.replace(",", ".").replace(/\.$/, "").replace(/^\./, "0."))
  return typeof amount === "string" ? undefined : amount
}

/** What the payer sent in another currency: `/OCMT/USD1234,50/`. */
const instructedIn = (text: string, own: string): Balance | undefined => {
  const [, currency = "", digits = ""] = /\/OCMT\/([A-Z]{3})([\d.,]+)\//.exec(text) ?? []
  const amount = amountOf(digits)
  return amount === undefined || amount <= 0n || currency === own || !Currency.isCurrency(currency)
    ? undefined
    : { amount, currency }
}

/**
 * Parses a value date; the century is 20. Where interest counts thirty days in every month, banks write 30 February: the
 * last day of that month.
 */
const dayOf = (text: string): Day.Day | undefined => {
  const [year, month, day] = [2000 + Number(text.slice(0, 2)), Number(text.slice(2, 4)), Number(text.slice(4, 6))]
  const days = day > 28 && day <= 31 ? [day, 30, 29, 28] : [day]
  return days.map((one) => (one > day ? undefined : Day.make(year, month, one))).find((one) => one !== undefined)
}

/** The booking day, which is written without a year: the value date's year, or an adjacent one around the turn of the year. */
const booked = (value: Day.Day, text: string): Day.Day => {
  const year = Number(value.slice(0, 4))
  const [month, day] = [Number(text.slice(0, 2)), Number(text.slice(2, 4))]
  const days = [year - 1, year, year + 1].flatMap((one) => Day.make(one, month, day) ?? [])
  const apart = (one: Day.Day) => Math.abs(Day.between(value, one))
  return days.toSorted((a, b) => apart(a) - apart(b))[0] ?? value
}

/** Value date, booking day, mark, the currency's third letter, amount, kind, references. A second line has more text. */
const LINE = /^(\d{6})(\d{4})?\s*(R[CD]|E[CD]|[CD])([A-Z])?\s*(\d[\d.,]*|,\d+)\s*(?:([A-Z][A-Z0-9 ]{3})(.*)|(\/\/.*))?$/

/** Placeholders for a reference that is in `:86:`. */
const NAMELESS = /^\s*[A-Z]REF\+?\s*$/

type Made = Omit<Entry, "nth" | "line" | "raw">

const entryOf = (
  [first = "", ...more]: ReadonlyArray<string>,
  details: Details,
  currency: string | undefined
): Made => {
  const [, value, entry, mark, , digits = "", kind = "", words, bare = ""] = LINE.exec(first.trim()) ?? []
  const day = value === undefined ? undefined : dayOf(value)
  const amount = amountOf(digits)
  if (mark === undefined || amount === undefined)
    throw new Fault(":61:", `${JSON.stringify(first)} is not an entry of MT940`)
  if (day === undefined) throw new Fault(":61:", `${JSON.stringify(value)} is not a date written yyMMdd`)
  if (currency === undefined || !Currency.isCurrency(currency))
    throw new Fault(":60F:", "the statement names no currency in its opening balance")
  const [own, ofBank] = (words ?? bare).split("//")
  const { charges, code, payer, reason, returned, trace } = details
  const original =
    details.original ?? (charges !== undefined && charges < amount && returned ? amount - charges : undefined)
  if (original !== undefined && charges !== undefined && original + charges !== amount)
    throw new Fault(
      ":86:",
      `the debit that came back (OAMT) and its charges (COAM) are ${Currency.say(original + charges, currency)}, and ${Currency.say(amount, currency)} was booked`
    )
  const said = [
    details.text,
    details.isStructured ? "" : more.join(" ").trim(),
    referenceIn(own?.replace(NAMELESS, "")) ?? ""
  ]
  return {
    credit: mark === "C" || mark === "RD" || mark === "EC",
    amount,
    currency,
    booked: !mark.startsWith("E"),
    day: entry === undefined ? day : booked(day, entry),
    reversal: mark.startsWith("R") || returned || kind === "NRTI",
    ...(original !== undefined && original < amount ? { original } : {}),
    code: `${kind.trim()} ${code}`.trim(),
    text: [...new Set(said.filter((one) => one !== ""))].join(" "),
    payer,
    ...present({ reference: referenceIn(ofBank), trace, reason })
  }
}

export async function* mt940(source: Source): Events {
  const messages = new Messages()
  for await (const field of fields(source)) yield* messages.take(field)
  yield* messages.end()
  if (!messages.found) throw new NotABankFile("it has no statement: no account (:25:) followed by MT940 fields")
}
