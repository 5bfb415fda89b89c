/**
 * Reads CFONB 120 ("relevé de compte sur support informatique"), which French banks deliver: records of 120 columns, amounts
 * whose last character carries the sign. Columns as in the CFONB's description and in github.com/pennylane-hq/cfonb.
 */
import type { Decimal } from "../../../core/money/Decimal.ts"
import { present } from "../../Json.ts"
import { lines, type Source } from "../Lines.ts"
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

const LENGTH = 120

const POSITIVE = "{ABCDEFGHI"
const NEGATIVE = "}JKLMNOPQR"

/** The last digit and the sign are one character. */
const overpunched = (text: string, places: string, currency: string): Decimal => {
  const last = text.at(-1) ?? ""
  const [plus, minus] = [POSITIVE.indexOf(last), NEGATIVE.indexOf(last)]
  if (plus < 0 && minus < 0) throw new Fault("amount", `${JSON.stringify(text)} does not end in a signed digit`)
  if (!/^\d$/.test(places)) throw new Fault("decimals", `${JSON.stringify(places)} is not a number of decimal places`)
  const amount = amountIn(`${text.slice(0, -1)}${Math.max(plus, minus)}`, Number(places), currency, "amount")
  return minus < 0 ? amount : -amount
}

interface Movement {
  readonly line: number
  readonly record: string
  readonly details: Array<readonly [qualifier: string, text: string]>
  raw: string
}

interface Head {
  readonly account: string
  readonly currency: string
  readonly opening: Balance | undefined
}

const amountOf = (record: string, currency: string): Decimal =>
  overpunched(columns(record, 91, 104), columns(record, 20, 20), currency)

class Statement {
  #head: Head | undefined
  #raw = ""
  #nth = 0
  #open: Movement | undefined
  found = false

  take(text: string, line: number): ReadonlyArray<Event> {
    if (this.#raw.length < RAW_CHARACTERS && this.#head !== undefined) this.#raw += `\n${text}`
    switch (text.slice(0, 2)) {
      case "01":
        return this.#begin(text, line)
      case "04": {
        const before = this.#flush()
        if (this.#head !== undefined) this.#open = { line, record: text, details: [], raw: text }
        return before
      }
      case "05":
        if (this.#open !== undefined) {
          this.#open.details.push([columns(text, 46, 48), columns(text, 49, 118)])
          this.#open.raw += `\n${text}`
        }
        return []
      case "07":
        return this.#end(text)
      default:
        return []
    }
  }

  #begin(text: string, line: number): ReadonlyArray<Event> {
    const before = this.end()
    const currency = columns(text, 17, 19)
    const account = `${columns(text, 3, 7)}${columns(text, 12, 16)}${columns(text, 22, 32)}`.trim()
    this.#head = { account, currency, opening: balanceOf(() => amountOf(text, currency), currency) }
    this.#raw = text
    this.found = true
    const head = {
      account,
      currency,
      kind: "statement" as const,
      rank: 3,
      ...present({ from: dayIn(columns(text, 35, 40), "dmy") })
    }
    return [...before, { type: "begin", head, line }]
  }

  #flush(): ReadonlyArray<Event> {
    const [head, movement] = [this.#head, this.#open]
    this.#open = undefined
    if (head === undefined || movement === undefined) return []
    const { line, raw } = movement
    const nth = ++this.#nth
    try {
      return [{ type: "entry", entry: { nth, line, raw, ...entryOf(movement, head.currency) }, parts: 0 }]
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      return [{ type: "fault", line, raw, why: cause.why, field: cause.field }]
    }
  }

  #end(text: string): ReadonlyArray<Event> {
    const before = this.#flush()
    const head = this.#head
    if (head === undefined) return before
    const closing = balanceOf(() => amountOf(text, head.currency), head.currency)
    this.#head = undefined
    return [
      ...before,
      { type: "end", raw: this.#raw.slice(0, RAW_CHARACTERS), ...present({ opening: head.opening, closing }) }
    ]
  }

  end(): ReadonlyArray<Event> {
    const before = this.#flush()
    const head = this.#head
    if (head === undefined) return before
    this.#head = undefined
    const wrong = "its end (record 07) is missing: get the whole file from the bank"
    return [
      ...before,
      { type: "end", raw: this.#raw.slice(0, RAW_CHARACTERS), ...present({ opening: head.opening, wrong }) }
    ]
  }
}

const entryOf = ({ details, record }: Movement, currency: string): Omit<Entry, "nth" | "line" | "raw"> => {
  const amount = amountOf(record, currency)
  const said = (...qualifiers: ReadonlyArray<string>) =>
    details
      .filter(([qualifier]) => qualifiers.includes(qualifier))
      .map(([, text]) => text.trim().replace(/\s+/g, " "))
      .filter((text) => text !== "")
  const [name] = said("NPY", "NPO")
  const reason = said("REF").find((text) => /^[A-Z]{2}\d{2}$/.test(text)) ?? referenceIn(columns(record, 41, 42))
  const trace = details.find(([qualifier]) => qualifier === "RCN")?.[1].slice(0, 35)
  const rejected = columns(record, 41, 42).trim() !== ""
  const texts = [trimmed(record, 49, 79), ...said("LIB", "LCC", "LC2", "LCS", "MMO"), trimmed(record, 105, 120)]
  return {
    credit: amount >= 0n,
    amount: amount < 0n ? -amount : amount,
    currency,
    booked: true,
    ...present({
      day: dayIn(columns(record, 35, 40), "dmy") ?? dayIn(columns(record, 43, 48), "dmy"),
      trace: referenceIn(trace)
    }),
    reversal: amount < 0n && rejected,
    code: columns(record, 33, 34),
    text: [...new Set(texts.filter((one) => one !== ""))].join(" "),
    payer: present({ name }),
    ...(rejected && reason !== undefined ? { reason: { code: reason } } : {})
  }
}

/** Some banks write no ends of lines: the records are then cut by their length. */
const cut = (text: string): ReadonlyArray<string> =>
  text.length <= LENGTH + 8 ? [text] : (text.match(new RegExp(`.{1,${LENGTH}}`, "gs")) ?? [])

export async function* cfonb(source: Source): Events {
  const statement = new Statement()
  for await (const batch of lines(source))
    for (const { number, text } of batch)
      for (const record of cut(text)) if (record.trim() !== "") yield* statement.take(record, number)
  yield* statement.end()
  if (!statement.found) throw new NotABankFile("it has no account (a record 01) of CFONB 120")
}
