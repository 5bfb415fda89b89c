/**
 * Reads Norma 43 (the Spanish banks' Cuaderno 43): records of 80 columns. Columns as in the AEB's Cuaderno 43 (June 2012) and in
 * github.com/OCA/l10n-spain (account_statement_import_n43).
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

const PLACES = 2

/** ISO 4217's numbers, as the records state currencies. */
const CURRENCIES: Readonly<Record<string, string>> = {
  "978": "EUR",
  "840": "USD",
  "826": "GBP",
  "756": "CHF",
  "392": "JPY",
  "752": "SEK",
  "578": "NOK",
  "208": "DKK",
  "985": "PLN",
  "484": "MXN",
  "504": "MAD"
}

/** The common concept of returned and unpaid items. */
const UNPAID = "14"

const signed = (sign: string, amount: Decimal): Decimal => (sign === "1" ? -amount : amount)

interface Movement {
  readonly line: number
  readonly record: string
  readonly texts: Array<string>
}

class Account {
  #head: { readonly account: string; readonly currency: string; readonly opening: Balance | undefined } | undefined
  #raw = ""
  #nth = 0
  #open: Movement | undefined
  #counted = 0
  found = false

  take(text: string, line: number): ReadonlyArray<Event> {
    if (this.#raw.length < RAW_CHARACTERS && this.#head !== undefined) this.#raw += `\n${text}`
    switch (text.slice(0, 2)) {
      case "11":
        return this.#begin(text, line)
      case "22": {
        const before = this.#flush()
        if (this.#head !== undefined) this.#open = { line, record: text, texts: [] }
        return before
      }
      case "23":
        this.#open?.texts.push(trimmed(text, 5, 42), trimmed(text, 43, 80))
        return []
      case "33":
        return this.#end(text)
      default:
        return []
    }
  }

  #begin(text: string, line: number): ReadonlyArray<Event> {
    const before = this.end()
    const account = trimmed(text, 3, 20)
    const number = columns(text, 48, 50)
    const currency = CURRENCIES[number] ?? number
    const opening = balanceOf(
      () => signed(columns(text, 33, 33), amountIn(columns(text, 34, 47), PLACES, currency, "balance")),
      currency
    )
    this.#head = { account, currency, opening }
    this.#raw = text
    this.#counted = 0
    this.found = true
    const head = {
      account,
      currency,
      kind: "statement" as const,
      rank: 3,
      ...present({ from: dayIn(columns(text, 21, 26), "ymd"), to: dayIn(columns(text, 27, 32), "ymd") })
    }
    return [...before, { type: "begin", head, line }]
  }

  #flush(): ReadonlyArray<Event> {
    const [head, movement] = [this.#head, this.#open]
    this.#open = undefined
    if (head === undefined || movement === undefined) return []
    const { line, record, texts } = movement
    const nth = ++this.#nth
    this.#counted++
    const raw = [record, ...texts.filter((one) => one !== "")].join("\n")
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
    const { currency, opening } = head
    const closing = balanceOf(
      () => signed(columns(text, 59, 59), amountIn(columns(text, 60, 73), PLACES, currency, "balance")),
      currency
    )
    const stated = Number(columns(text, 21, 25)) + Number(columns(text, 40, 44))
    const wrong =
      stated === this.#counted
        ? undefined
        : `it has ${this.#counted} movements, and its totals (33) say ${stated}. A record is missing; ask the bank for the file again`
    this.#head = undefined
    return [
      ...before,
      { type: "end", raw: this.#raw.slice(0, RAW_CHARACTERS), ...present({ opening, closing, wrong }) }
    ]
  }

  end(): ReadonlyArray<Event> {
    const before = this.#flush()
    if (this.#head === undefined) return before
    const { opening } = this.#head
    this.#head = undefined
    const wrong = "its end (record 33) is missing: get the whole file from the bank"
    return [...before, { type: "end", raw: this.#raw.slice(0, RAW_CHARACTERS), ...present({ opening, wrong }) }]
  }
}

const entryOf = ({ record, texts }: Movement, currency: string): Omit<Entry, "nth" | "line" | "raw"> => {
  const concept = columns(record, 23, 24)
  const credit = columns(record, 28, 28) === "2"
  if (!/[12]/.test(columns(record, 28, 28))) throw new Fault("sign", "it does not say which way money goes (column 28)")
  const said = [...texts, trimmed(record, 53, 64), trimmed(record, 65, 80)].filter(
    (one) => one !== "" && !/^0+$/.test(one)
  )
  return {
    credit,
    amount: amountIn(columns(record, 29, 42), PLACES, currency, "amount"),
    currency,
    booked: true,
    ...present({ day: dayIn(columns(record, 11, 16), "ymd"), reference: referenceIn(trimmed(record, 43, 52)) }),
    reversal: !credit && concept === UNPAID,
    code: concept,
    text: [...new Set(said)].join(" "),
    payer: {}
  }
}

export async function* norma43(source: Source): Events {
  const account = new Account()
  for await (const batch of lines(source))
    for (const { number, text } of batch) if (text.trim() !== "") yield* account.take(text, number)
  yield* account.end()
  if (!account.found) throw new NotABankFile("it has no account (a record 11) of Norma 43")
}
